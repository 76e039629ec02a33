import KeyDragCore
import Synchronization

/// Which elements of programs things were picked up at: a program's inner drags begin there.
final class Origins: Sendable {
  struct Origin: Sendable {
    var element: ElementFacts
    var window: ContainerID
  }

  private let known = Mutex<[DragSourceID: Origin]>([:])
  /// What was picked up long ago is carried no more.
  private static let most = 256

  func note(_ source: DragSourceID, _ origin: Origin) {
    known.withLock { known in
      if known.count >= Self.most { known = [:] }
      known[source] = origin
    }
  }

  subscript(source: DragSourceID) -> Origin? { known.withLock { $0[source] } }
}
