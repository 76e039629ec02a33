import KeyDragCore

/// The adapters that a ``DesktopWorld`` is made of. One that is missing is said when it is needed,
/// and the rest goes on.
package struct DesktopAdapters: Sendable {
  /// Gives the items: real folders, or what is in focus.
  package var sources: any World
  /// Gives files as forms for drags, and finds what became of them.
  package var goods: any DragPayload
  /// Finds the files that a file manager shows; `nil` where none are picked up from programs.
  package var finder: (any FileFinding)?
  /// Keeps a line of the history for what can't be undone from here; `nil` where none is kept.
  package var history: (any ForeignDropKeeping)?
  /// `nil` without an accessibility bus: windows are known by their titles only.
  package var programs: (any ProgramReading)?
  /// `nil` without an X server.
  package var windows: (any WindowReading)?
  /// `nil` where nothing can be dragged.
  package var drags: (any DragMaking)?
  /// Has programs carry out their own commands; `nil` where nothing can.
  package var commands: (any ProgramCommanding)?
  /// The clipboard, for programs to paste from and to copy into.
  package var lending: (any ClipboardLending)?
  package var borrowing: (any ClipboardBorrowing)?
  /// `nil` where nothing drags by the pointer.
  package var pointer: (any PointerDragging)?
  /// Presses the Copy key in windows that tell nothing of what is in them.
  package var keys: (any KeyPressing)?
  /// Rules for single programs.
  package var profiles: [ProgramProfile]
  /// The kinds of content types, for places that take some only.
  package var types: any ContentTypes
  /// The words that places are named in.
  package var phrases: Phrasebook
  /// Programs that are left out: our own windows.
  package var ownProcess: Int32
  /// Everything here that waits, or grows old, does so by this one: a test has one of its own.
  package var clock: any Clock<Duration>
  /// The terminal that this runs in: what is dropped there would be typed here.
  package var ownWindow: WindowID?

  package init(
    sources: any World, goods: any DragPayload, finder: (any FileFinding)? = nil,
    programs: (any ProgramReading)?,
    windows: (any WindowReading)?, drags: (any DragMaking)?, profiles: [ProgramProfile],
    types: any ContentTypes, phrases: Phrasebook, ownProcess: Int32, clock: any Clock<Duration>
  ) {
    self.sources = sources
    self.goods = goods
    self.finder = finder
    self.programs = programs
    self.windows = windows
    self.drags = drags
    self.profiles = profiles
    self.types = types
    self.phrases = phrases
    self.ownProcess = ownProcess
    self.clock = clock
  }
}
