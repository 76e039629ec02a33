import Dispatch
import KeyDragCore
import SystemPackage

/// Runs and undoes deliveries for ``FilesWorld``. A protocol for tests; ``JournaledCourier`` is the
/// only production implementation.
package protocol FileDelivering: AnyObject, Sendable {
  /// Starts a delivery and returns at once; `events` is called on any thread. The id may be reused
  /// after `finished`.
  func deliver(_ order: FileOrder, id: DeliveryID, events: @escaping FileDeliveryReceiver)

  /// As ``deliver(_:id:events:)`` for items without files, each of which becomes one.
  func write(_ drop: ItemDrop, id: DeliveryID, events: @escaping FileDeliveryReceiver)

  /// Cancels a delivery at the next safe point; its `finished` still comes. No-op for an unknown
  /// id.
  func cancel(_ id: DeliveryID)

  /// `nil` means the newest undoable entry.
  func undo(entry: Int64?) async -> HistoryResult

  /// `nil` means the entry undone last.
  func redo(entry: Int64?) async -> HistoryResult

  /// Stops all current and future undo and redo after their next step.
  func cancelHistory()

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
