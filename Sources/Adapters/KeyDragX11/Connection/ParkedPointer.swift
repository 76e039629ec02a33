/// Puts the real pointer where a drop happens, and back afterwards: some programs scroll by where it
/// is, and a drop would land on something else.
///
/// Belongs to one thread: each call waits for the server.
package final class ParkedPointer {
  private let server: XServer
  private var home: RootPoint?

  /// - Parameter display: `nil` for the one that DISPLAY names.
  package init(display: String? = nil) throws(XError) { server = try XServer(display: display) }

  /// Whether a modifier or button is held down now: it would reach the target with the drop.
  package var isHeld: Bool { server.pointer()?.isHeld ?? false }

  /// Moves the pointer, without pressing anything; the first call remembers where it was.
  package func park(at point: RootPoint) {
    guard let now = server.pointer()?.point else { return }
    if home == nil { home = now }
    if now != point { server.movePointer(to: point) }
    server.flush()
  }

  /// Moves the pointer back, unless a hand has moved it since.
  package func putBack(from point: RootPoint) {
    defer { home = nil }
    guard let home, server.pointer()?.point == point else { return }
    server.movePointer(to: home)
    server.flush()
  }
}
