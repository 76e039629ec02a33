import Glibc

/// A pipe whose bytes wake the reader; neither end ever blocks.
struct WakePipe: Sendable {
  let reading: Int32
  let writing: Int32

  init() throws(TerminalError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .system(call: "pipe", code: errno) }
    reading = ends[0]
    writing = ends[1]
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
  }

  /// Takes all bytes that are there; what they stand for is kept elsewhere.
  func drain() {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { buffer in
      while read(reading, buffer.baseAddress, buffer.count) > 0 {}
    }
  }

  func close() {
    Glibc.close(reading)
    Glibc.close(writing)
  }
}
