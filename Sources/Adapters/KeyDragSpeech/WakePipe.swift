import Glibc

/// Wakes a thread that waits in `poll`. Safe from any thread.
package final class WakePipe: Sendable {
  /// Readable while it rings; -1 if the system had no descriptor left.
  package let descriptor: Int32
  private let ringing: Int32

  package init() {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    for end in ends where end >= 0 {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    descriptor = ends[0]
    ringing = ends[1]
  }

  deinit { for end in [descriptor, ringing] where end >= 0 { close(end) } }

  /// Makes the descriptor readable until ``hear()``; a full pipe rings already.
  package func ring() {
    var one: UInt8 = 1
    _ = write(ringing, &one, 1)
  }

  /// Clears all rings so far.
  package func hear() {
    var bytes = [UInt8](repeating: 0, count: 1024)
    while read(descriptor, &bytes, bytes.count) == bytes.count {}
  }

  /// Waits for a ring; -1 waits for ever. Returns whether it rang.
  package func wait(milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let count = poll(&entry, 1, descriptor < 0 && milliseconds < 0 ? 100 : milliseconds)
    guard count > 0 else { return false }
    hear()
    return true
  }
}
