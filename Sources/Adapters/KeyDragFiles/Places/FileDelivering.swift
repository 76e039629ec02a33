import KeyDragCore
import SystemPackage

/// A drop on files as paths: what the session ordered, without its numbers.
package struct FileDrop: Hashable, Sendable {
  /// `copy`, `move`, `link` or `remove` (to the trash).
  package var operation: DragOperation
  package var sources: [FilePath]
  /// The folder that takes them; `nil` for `remove`.
  package var target: FilePath?
  package var clash: ClashPolicy
  /// The target's name, safe to speak; empty for the trash.
  package var placeName: String
  /// Those sources that have no trash to go to and that the person has agreed to delete.
  package var deletable: Set<FilePath>
  /// The name that the one source gets; `nil` for its own.
  package var newName: String?
  /// Whether the one source is a folder that is to be made.
  package var makesFolder: Bool
  /// Whether a folder of the new name is made in the target, and takes the sources.
  package var goesIntoNew = false

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
  /// Whether every source may be deleted where it has no trash.
  package var isPermanent: Bool { !sources.isEmpty && deletable.isSuperset(of: sources) }
}

/// A report of a delivery on files; `finished` comes once and last.
package enum FileDropEvent: Sendable {
  case started(DeliveryProgress)
  case progressed(DeliveryProgress)
  /// The result without its landings, the paths of what landed, in order, and the number of the
  /// journal's entry; `nil` where nothing was written down.
  case finished(DeliveryResult, landed: [FilePath], entry: Int64? = nil)
}

/// The half of ``FilesWorld`` that carries out drops and takes them back.
package protocol FileDelivering: AnyObject, Sendable {
  /// Begins a delivery and returns at once; `events` may be called from any thread.
  func deliver(
    _ drop: FileDrop, id: DeliveryID, events: @escaping @Sendable (FileDropEvent) -> Void)

  /// The same for items that have no file of their own, each of which becomes one.
  func write(
    _ drop: ItemDrop, id: DeliveryID, events: @escaping @Sendable (FileDropEvent) -> Void)

  /// Ends a delivery as soon as nothing is half done; an unknown one is left alone.
  func cancel(_ id: DeliveryID)

  /// `nil` means the newest entry that can be undone; `done` may be called from any thread.
  func undo(entry: Int64?, done: @escaping @Sendable (HistoryResult) -> Void)

  /// `nil` means the entry undone last; `done` may be called from any thread.
  func redo(entry: Int64?, done: @escaping @Sendable (HistoryResult) -> Void)

  /// The newest entries, newest first, or why the journal can't be read; `done` may be called from
  /// any thread.
  func history(
    limit: Int, done: @escaping @Sendable (Result<[HistoryEntry], Reason>) -> Void)

  /// The folders that something was dropped into lately, newest first; blocks.
  func recentTargets() -> [FilePath]

  /// Sets the receiver of recoveries and problems of the journal; to be called before the first
  /// delivery.
  func observe(_ observer: @escaping @Sendable (WorldReport) -> Void)

  /// Cancels what runs and returns when nothing runs any more.
  func close()
}

extension FileDelivering {
  package func recentTargets() -> [FilePath] { [] }
}

/// The service that starts programs for files; calls may block.
package protocol ProgramStarting: Sendable {
  /// The program that opens this content type, when one is known and could be shown now.
  func defaultProgram(for type: String) -> (id: String, name: String)?

  /// Starts the program with these files (absolute paths in their own bytes), on its own; the
  /// reason when it can't be started.
  func start(_ program: String, with paths: [[UInt8]]) -> Reason?
}
