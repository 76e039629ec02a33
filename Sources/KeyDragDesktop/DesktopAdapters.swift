import KeyDragCore

/// The adapters that a ``DesktopWorld`` is made of. A missing one is reported when it is needed;
/// the rest works without it.
package struct DesktopAdapters: Sendable {
  /// Supplies the items: real folders, or what is in focus.
  package var sources: any World
  /// Offers files as drag payloads, and finds out where they landed.
  package var goods: any DragPayload
  /// Finds the files that a file manager shows; `nil` where nothing is picked up from programs.
  package var finder: (any FileFinding)?
  /// Records drops that can't be undone from here; `nil` where no history is kept.
  package var history: (any ForeignDropHistory)?
  /// `nil` without an accessibility bus: windows are known by their titles only.
  package var programs: (any ProgramReading)?
  /// Those that can be reached; the windows of the first come first in a walk.
  package var displays: [any Display]
  /// Runs programs' own commands; `nil` where none can be.
  package var commands: (any ProgramCommanding)?
  package var profiles: [ProgramProfile]
  /// The hierarchy of content types, for places that accept only some.
  package var types: any ContentTypes
  package var phrases: Phrasebook
  /// The process of this program, whose windows are left out.
  package var ownProcess: Int32
  /// The clock of every wait and timeout; tests supply their own.
  package var clock: any Clock<Duration>
  /// The terminal that this runs in: a drop there would be typed here.
  package var ownWindow: WindowID?

  package init(
    sources: any World, goods: any DragPayload, finder: (any FileFinding)? = nil,
    programs: (any ProgramReading)?, displays: [any Display], profiles: [ProgramProfile],
    types: any ContentTypes, phrases: Phrasebook, ownProcess: Int32, clock: any Clock<Duration>
  ) {
    self.sources = sources
    self.goods = goods
    self.finder = finder
    self.programs = programs
    self.displays = displays
    self.profiles = profiles
    self.types = types
    self.phrases = phrases
    self.ownProcess = ownProcess
    self.clock = clock
  }
}
