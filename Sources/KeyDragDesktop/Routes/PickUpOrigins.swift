import KeyDragCore
import Synchronization

/// The elements at which items were picked up: a program's inner drags begin there.
final class PickUpOrigins: Sendable {
  struct Origin: Sendable {
    var element: ElementFacts
    var window: ContainerID
  }

  private let known = Mutex<[DragSourceID: Origin]>([:])
  private let windows = Mutex<[DragSourceID: ContainerID]>([:])
  /// Above this all are forgotten: items picked up long ago are carried no more.
  private static let most = 256

  func note(_ source: DragSourceID, _ origin: Origin) {
    known.withLock { known in
      if known.count >= Self.most { known = [:] }
      known[source] = origin
    }
  }

  subscript(source: DragSourceID) -> Origin? { known.withLock { $0[source] } }

  /// Notes the window in which these were picked up.
  func note(_ sources: [DragSourceID], in window: ContainerID) {
    windows.withLock { windows in
      if windows.count >= Self.most { windows = [:] }
      for source in sources { windows[source] = window }
    }
  }

  func are(_ sources: [DragSourceID], from window: ContainerID) -> Bool {
    windows.withLock { windows in sources.allSatisfy { windows[$0] == window } }
  }
}
