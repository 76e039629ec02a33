/// Moves the real pointer to the drop point and back afterwards: some programs auto-scroll by its
/// position, and the drop would land on something else. Belongs to one thread; each call blocks for
/// the server.
final class ParkedPointer {
  private let server: XServer
  /// The pointer's position before parking; `nil` while nothing is parked.
  private var home: RootPoint?
  /// Positions the pointer is expected at unless the user has moved it.
  private var parked: Set<RootPoint> = []

  init(server: XServer) { self.server = server }

  /// Moves the pointer without pressing anything; the first call remembers its position. No-op when
  /// the server does not answer.
  func park(at point: RootPoint) {
    guard let now = server.pointer()?.point else { return }
    home = home ?? now
    server.movePointerSilently(to: point)
    // The server clamps to the screen's edge, and may report the old position for a while.
    parked = [point]
    if let seen = server.pointer()?.point, seen != now { parked.insert(seen) }
  }

  /// Moves the pointer back unless the user has moved it since; idempotent.
  func putBack() {
    defer { (home, parked) = (nil, []) }
    guard let home, let now = server.pointer()?.point, parked.contains(now) else { return }
    server.movePointerSilently(to: home)
  }
}
