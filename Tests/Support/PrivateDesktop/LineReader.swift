import Dispatch
import Glibc

/// Reads lines from a pipe as they come, on a thread of its own.
struct LineReader: Sendable {
  /// Open for writing too, so that it does not end between two writers.
  private let pipe: Int32
  private static let end = "\u{4}"

  init(_ path: String) throws {
    mkfifo(path, 0o600)
    pipe = open(path, O_RDWR | O_CLOEXEC)
    guard pipe >= 0 else { throw KeptProcess.Trouble(description: "no pipe: errno \(errno)") }
  }

  /// Hands over each line until `stop`.
  func start(_ take: @escaping @Sendable (String) -> Void) {
    DispatchQueue(label: "lines").async {
      var unread: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(pipe, &buffer, buffer.count)
        guard count > 0 else { break }
        unread += buffer[..<count]
        let lines = unread.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for line in lines.dropLast() {
          let text = String(decoding: line, as: UTF8.self)
          if text == Self.end {
            close(pipe)
            return
          }
          take(text)
        }
        unread = Array(lines.last ?? [])
      }
    }
  }

  func stop() {
    let bytes = Array((Self.end + "\n").utf8)
    _ = write(pipe, bytes, bytes.count)
  }
}
