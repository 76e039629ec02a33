import Glibc
import KeyDragThreads

/// speech-dispatcher, the service through which screen readers speak: a socket of the person's.
package struct SpeechService: Hashable, Sendable {
  let path: String

  /// The timeout of ``silence()`` in milliseconds: a program that speaks must not wait longer.
  private static let patience: Int32 = 50

  /// - Parameter environment: names the socket; the initializer fails if it does not.
  package init?(environment: [String: String]) {
    let address = environment["SPEECHD_ADDRESS"] ?? ""
    let parts = address.split(separator: ":", maxSplits: 1)
    if parts.count == 2, parts[0] == "unix_socket" {
      path = String(parts[1])
    } else if address.isEmpty || address == "unix_socket",
      let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty
    {
      path = folder + "/speech-dispatcher/speechd.sock"
    } else {
      return nil
    }
  }

  /// Cancels the speech of all its clients, as a screen reader does at a key press.
  ///
  /// Returns once that is done, or on timeout.
  package func silence() { _ = exchange(["CANCEL", "ALL"], within: Self.patience) }

  /// Whether it runs and answers; does not start it.
  package func answers() -> Bool { exchange(["QUIT"], within: Self.answerPatience) }

  /// Sends a line of its protocol, and waits for the answer.
  private func exchange(_ words: [String], within patience: Int32) -> Bool {
    guard let descriptor = connected() else { return false }
    defer { close(descriptor) }
    let bytes = Array((words.joined(separator: " ") + "\r\n").utf8)
    guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    else { return false }
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, patience) == 1 else { return false }
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == 1
  }

  /// In milliseconds; the doctor gives up a part after two seconds, and has looked for the reader
  /// before.
  private static let answerPatience: Int32 = 200

  /// Connects without starting the service, and without waiting for one that accepts no client.
  func connected() -> Int32? { LocalSocket.connect(to: path) }

  /// Whether it is installed, and the person has settings of their own for it.
  ///
  /// - Parameter settings: the folder of all programs' settings.
  package static func isSetUp(_ environment: [String: String], settings: String?) -> Bool {
    guard let settings else { return false }
    return access(settings + "/speech-dispatcher/speechd.conf", R_OK) == 0
      && isInstalled(environment)
  }

  /// Whether its program is in `PATH`; it starts on demand.
  package static func isInstalled(_ environment: [String: String]) -> Bool {
    (environment["PATH"] ?? "").split(separator: ":").contains { folder in
      access(folder + "/speech-dispatcher", X_OK) == 0
    }
  }

  /// Whether it does what it is asked, once it has been started where it does not run.
  package func works() -> Bool {
    guard let client = SpeechClient(self) else { return false }
    defer { client.end() }
    return !client.isLost
  }

  /// Starts the service, as its other clients do, and connects to it.
  func started() -> Int32? {
    let words = ["speech-dispatcher", "--spawn", "-c", "unix_socket", "-S", path]
    let process = ProcessStart.start(
      Array("speech-dispatcher".utf8CString), words.map { Array($0.utf8CString) },
      flags: POSIX_SPAWN_SETPGROUP
    ) { actions in
      for (descriptor, mode) in [(0, O_RDONLY), (1, O_WRONLY), (2, O_WRONLY)] {
        posix_spawn_file_actions_addopen(&actions, Int32(descriptor), "/dev/null", mode, 0)
      }
    }
    guard let process else { return nil }
    // It becomes a daemon, and its first process ends.
    ProcessStart.reap(process)
    for _ in 0..<Self.looks {
      if let descriptor = connected() { return descriptor }
      _ = poll(nil, 0, Self.look)
    }
    return nil
  }

  /// A socket that is not there yet is looked for so often, each so many milliseconds later.
  private static let looks = 15
  private static let look: Int32 = 100
}
