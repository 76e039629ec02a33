import Dispatch
import KeyDragCore
import SystemPackage

/// A drop of files by path: an order of the session without its ids. ``FilesWorld`` makes it from
/// an order, and ``FileDelivering`` turns it into a ``FileOrder``.
package struct FileDrop: Hashable, Sendable {
  /// `copy`, `move`, `link` or `remove` (to the trash).
  package var operation: DragOperation
  /// Absolute, in pick-up order.
  package var sources: [FilePath]
  /// The target folder; `nil` for `remove`.
  package var target: FilePath?
  /// The user's answer; nothing more is asked.
  package var clash: ClashPolicy
  /// The target's name, safe to speak; empty for the trash.
  package var placeName: String
  /// Sources without a trash that the user agreed to delete.
  package var deletable: Set<FilePath>
  /// New name for a single source, as typed, not safe to speak; `nil` keeps its own.
  package var newName: String?
  /// Whether the single source is a folder to create.
  package var makesFolder: Bool
  /// Whether to create a folder ``newName`` in the target for the sources.
  package var createsTargetFolder = false
  /// As in ``FileOrder``.
  var handed: [Int: PassedFile] = [:]
  package var visitor: String?
  /// State at pick-up; other files under those names are rejected.
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
  /// Whether all sources may be deleted if they have no trash; `false` without sources.
  package var isPermanent: Bool { !sources.isEmpty && deletable.isSuperset(of: sources) }
}

/// Progress of a file delivery, on any thread, in order; `finished` comes last and once.
package enum FileDropEvent: Sendable {
  case started(DeliveryProgress)
  case progressed(DeliveryProgress)
  /// The result without landings, the landed paths in order, and the journal entry's number; `nil`
  /// if nothing was journaled.
  case finished(DeliveryResult, landed: [FilePath], entry: Int64? = nil)
}

/// Runs and undoes deliveries for ``FilesWorld``. A protocol for tests; ``JournaledCourier`` is the
/// only production implementation.
package protocol FileDelivering: AnyObject, Sendable {
  /// Starts a delivery and returns at once; `events` is called on any thread. The id may be reused
  /// after `finished`.
  func deliver(
    _ drop: FileDrop, id: DeliveryID, events: @escaping @Sendable (FileDropEvent) -> Void)

  /// As ``deliver(_:id:events:)`` for items without files, each of which becomes one.
  func write(
    _ drop: ItemDrop, id: DeliveryID, events: @escaping @Sendable (FileDropEvent) -> Void)

  /// Cancels a delivery at the next safe point; its `finished` still comes. No-op for an unknown
  /// id.
  func cancel(_ id: DeliveryID)

  /// `nil` means the newest undoable entry.
  func undo(entry: Int64?) async -> HistoryResult

  /// `nil` means the entry undone last.
  func redo(entry: Int64?) async -> HistoryResult

  /// Newest first.
  ///
  /// - Throws: why the journal can't be read.
  func history(limit: Int) async throws(Reason) -> [HistoryEntry]

  /// Recent drop targets, newest first; blocks.
  func recentTargets() -> [FilePath]

  /// Sets the receiver of recoveries and journal problems. Call before the first delivery.
  func observe(_ observer: @escaping @Sendable (WorldReport) -> Void)

  /// Cancels everything and blocks until nothing runs or until `end`.
  func close(until end: DispatchTime)
}

extension FileDelivering {
  /// Waits for at most one second.
  package func close() { close(until: .now() + 1) }

  /// Empty by default, for test doubles without a history.
  package func recentTargets() -> [FilePath] { [] }
}

/// Starts programs; calls may block. Implemented in KeyDragTypes with GIO.
package protocol ProgramStarting: Sendable {
  /// The default program for a type, if it can be shown now. The id is the desktop file's; the name
  /// is not safe to speak.
  func defaultProgram(for type: String) -> (id: String, name: String)?

  /// Starts a program with files (absolute paths as raw bytes) without waiting for its end. Returns
  /// the reason on failure.
  func start(_ program: String, with paths: [[UInt8]]) -> Reason?
}
