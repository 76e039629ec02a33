import Dispatch
import KeyDragCore
import SystemPackage

/// A drop on files as paths: what the session ordered, without its numbers.
///
/// ``FilesWorld`` makes it of an order, and a ``FileDelivering`` makes a ``FileOrder`` of it.
package struct FileDrop: Hashable, Sendable {
  /// `copy`, `move`, `link` or `remove` (to the trash).
  package var operation: DragOperation
  /// Absolute, in the order they were picked up.
  package var sources: [FilePath]
  /// The folder that takes them; `nil` for `remove`.
  package var target: FilePath?
  /// The person's answer; nothing is asked any more.
  package var clash: ClashPolicy
  /// The target's name, safe to speak; empty for the trash.
  package var placeName: String
  /// Those sources that have no trash to go to and that the person has agreed to delete.
  package var deletable: Set<FilePath>
  /// The name that the one source gets; `nil` for its own. Not safe to speak: as the person typed
  /// it.
  package var newName: String?
  /// Whether the one source is a folder that is to be made.
  package var makesFolder: Bool
  /// Whether a folder of the new name is made in the target, and takes the sources.
  package var goesIntoNew = false
  /// As in ``FileOrder``.
  var handed: [Int: HandedFile] = [:]
  package var visitor: String?
  /// The things picked up under the sources; another thing of that name is not taken.
  var held: [FilePath: PlaceRegistry.PickedUp] = [:]

  package init(
    operation: DragOperation, sources: [FilePath], target: FilePath?, clash: ClashPolicy,
    placeName: String, deletable: Set<FilePath> = [], newName: String? = nil,
    makesFolder: Bool = false
  ) {
    self.operation = operation
    self.sources = sources
    self.target = target
    self.clash = clash
    self.placeName = placeName
    self.deletable = deletable
    self.newName = newName
    self.makesFolder = makesFolder
  }
}

extension FileDrop {
  /// Whether every source may be deleted where it has no trash. `false` for none: nothing is
  /// deleted for want of sources.
  package var isPermanent: Bool { !sources.isEmpty && deletable.isSuperset(of: sources) }
}

/// A report of a delivery on files; `finished` comes once and last.
///
/// From any thread, in order.
package enum FileDropEvent: Sendable {
  /// With the totals, as far as they were measured.
  case started(DeliveryProgress)
  case progressed(DeliveryProgress)
  /// The result without its landings, the paths of what landed, in order, and the number of the
  /// journal's entry; `nil` where nothing was written down.
  case finished(DeliveryResult, landed: [FilePath], entry: Int64? = nil)
}

/// The half of ``FilesWorld`` that carries out drops and takes them back.
///
/// A protocol so that tests can stand in for the disk. ``JournaledCourier`` is the only one of the
/// program.
package protocol FileDelivering: AnyObject, Sendable {
  /// Begins a delivery and returns at once; `events` may be called from any thread.
  ///
  /// The id may be used again after `finished`.
  func deliver(
    _ drop: FileDrop, id: DeliveryID, events: @escaping @Sendable (FileDropEvent) -> Void)

  /// The same for items that have no file of their own, each of which becomes one.
  ///
  /// `events` as for ``deliver(_:id:events:)``.
  func write(
    _ drop: ItemDrop, id: DeliveryID, events: @escaping @Sendable (FileDropEvent) -> Void)

  /// Ends a delivery as soon as nothing is half done; an unknown one is left alone.
  ///
  /// Its `finished` still comes.
  func cancel(_ id: DeliveryID)

  /// `nil` means the newest entry that can be undone.
  func undo(entry: Int64?) async -> HistoryResult

  /// `nil` means the entry undone last.
  func redo(entry: Int64?) async -> HistoryResult

  /// The newest entries, newest first.
  ///
  /// - Throws: why the journal can't be read.
  func history(limit: Int) async throws(Reason) -> [HistoryEntry]

  /// The folders that something was dropped into lately, newest first; blocks.
  func recentTargets() -> [FilePath]

  /// Sets the receiver of recoveries and problems of the journal; to be called before the first
  /// delivery.
  func observe(_ observer: @escaping @Sendable (WorldReport) -> Void)

  /// Cancels what runs and returns when nothing runs any more, or at `end`.
  ///
  /// Blocks; not for a thread that serves others.
  func close(until end: DispatchTime)
}

extension FileDelivering {
  /// Waits one second at most.
  package func close() { close(until: .now() + 1) }

  /// None: not every stand-in keeps a history.
  package func recentTargets() -> [FilePath] { [] }
}

/// The service that starts programs for files; calls may block.
///
/// KeyDragTypes has it, over GIO; the program joins the two.
package protocol ProgramStarting: Sendable {
  /// The program that opens this content type, when one is known and could be shown now.
  ///
  /// The identifier is that of the desktop file; the name is not yet safe to speak.
  func defaultProgram(for type: String) -> (id: String, name: String)?

  /// Starts the program with these files (absolute paths in their own bytes), on its own; the
  /// reason when it can't be started.
  ///
  /// `nil` when it was started: nobody waits for its end.
  func start(_ program: String, with paths: [[UInt8]]) -> Reason?
}
