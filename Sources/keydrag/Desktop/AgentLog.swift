import Glibc
import KeyDragCore

/// The agent's messages where a file or the journal keeps its output: an ID, an operation, counts
/// and a reason, but never a name, a place or a sentence.
struct AgentLog {
  private let descriptor: Int32

  /// Replaces the messages; `nil` where those may be written, because they are shown or piped.
  ///
  /// - Parameters:
  ///   - isCaptured: whether a desktop started the agent and records its output.
  ///   - descriptor: the stream of the messages.
  init?(isCaptured: Bool, environment: [String: String], descriptor: Int32 = STDOUT_FILENO) {
    self.descriptor = descriptor
    // systemd names standard error, which is another stream only if the unit asks for that.
    let isJournal = [descriptor, STDERR_FILENO].contains {
      Self.isJournal($0, named: environment["JOURNAL_STREAM"])
    }
    guard isJournal || Self.leadsToJournal(descriptor) || isCaptured && isatty(descriptor) == 0
    else { return nil }
  }

  func write(_ announcement: Announcement, _ phrases: Phrasebook) {
    let line = Self.line(announcement, phrases) + "\n"
    _ = Descriptor.write(Array(line.utf8), to: descriptor)
  }

  /// A line of the log, with its priority in front (sd-daemon(3)).
  static func line(_ announcement: Announcement, _ phrases: Phrasebook) -> String {
    var words = [announcement.id]
    if case .problem(let problem) = announcement {
      // The case without its payload, which may be a path.
      words.append("what=" + String(describing: problem).prefix { $0.isLetter })
    }
    for argument in phrases.arguments(announcement) {
      switch argument.value {
      case .number(let number) where counts.contains(argument.name):
        words.append("\(argument.name)=\(number)")
      case .text(let word) where stableWords.contains(argument.name):
        words.append("\(argument.name)=\(word)")
      default: break
      }
    }
    return (isWarning(announcement) ? "<4>" : "<6>") + words.joined(separator: " ")
  }

  private static let counts: Set = [
    "accepted", "bytes", "count", "delivered", "done", "failed", "leftOut", "others", "percent",
    "points",
    "remaining",
  ]
  /// Arguments that are KeyDrag's own words, the same in each language.
  private static let stableWords: Set = ["operation", "reason", "stage", "verdict"]

  private static func isWarning(_ announcement: Announcement) -> Bool {
    switch announcement {
    case .problem, .failed, .partlyDelivered, .refused, .cannotUndo, .unconfirmed, .sessionEnded:
      true
    default: false
    }
  }

  // MARK: Destination

  /// Whether systemd names this as the journal's stream (systemd.exec(5), JOURNAL_STREAM).
  private static func isJournal(_ descriptor: Int32, named stream: String?) -> Bool {
    var status = stat()
    guard let stream, fstat(descriptor, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }

  /// Whether it is connected to the journal without `JOURNAL_STREAM`: a session's own launcher may
  /// log there without a unit.
  private static func leadsToJournal(_ descriptor: Int32) -> Bool {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isNamed = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getpeername(descriptor, $0, &length) == 0
      }
    }
    guard isNamed, address.sun_family == sa_family_t(AF_UNIX) else { return false }
    let path = withUnsafeBytes(of: &address.sun_path) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return path.hasPrefix("/run/systemd/journal/")
  }
}
