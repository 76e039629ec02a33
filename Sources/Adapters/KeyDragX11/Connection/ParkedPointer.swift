/// Puts the real pointer where a drop happens, and back afterwards: some programs scroll by where
/// it is, and a drop would land on something else.
///
/// Belongs to one thread: each call waits for the server.
///
/// Lives as long as its drag.
final class ParkedPointer {
  private let server: XServer
  /// `nil` when nothing is parked.
  private var home: RootPoint?
  /// The points at which the pointer must be unless a hand has moved it.
  private var parked: Set<RootPoint> = []

  init(server: XServer) { self.server = server }

  /// Moves the pointer, without pressing anything; the first call remembers where it was.
  ///
  /// In pixels of the root window. Does nothing where the server does not answer.
  func park(at point: RootPoint) {
    guard let now = server.pointer()?.point else { return }
    home = home ?? now
    server.movePointerUnheard(to: point)
    // Beside the screen it ends at the edge; but the server may tell of the old place for a while.
    parked = [point]
    if let seen = server.pointer()?.point, seen != now { parked.insert(seen) }
  }

  /// Moves the pointer back, unless a hand has moved it since.
  ///
  /// May be called again; then it does nothing.
  func putBack() {
    defer { (home, parked) = (nil, []) }
    guard let home, let now = server.pointer()?.point, parked.contains(now) else { return }
    server.movePointerUnheard(to: home)
  }
}
