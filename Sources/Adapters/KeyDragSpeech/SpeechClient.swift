import Glibc

/// A connection to speech-dispatcher, confined to one thread: its manual, "Speech Synthesis
/// Interface Protocol".
///
/// Each command waits for its answer; events between the answers are sorted out here. Not by libspeechd, whose
/// every call waits for the service without a limit: one that hangs would take the voice with it.
final class SpeechClient {
  /// The timeout for an answer, in milliseconds.
  private static let patience: Int32 = 2000
  /// Seconds after which messages that have not begun are taken for lost.
  private let startPatience: Double
  /// In bytes; more is no answer.
  private static let mostBytes = 1 << 16

  /// Polled together with the bell.
  private let descriptor: Int32
  /// Bytes that are not parsed yet.
  private var received: [UInt8] = []
  /// The first lines of the event being received.
  private var eventNumbers: [String] = []
  /// The language last sent to the service.
  private var language = ""
  /// The current message, once it has a number.
  private var message: String?
  /// The time at which it was sent, until it begins; in seconds.
  private var handedOver: Double?
  /// How long messages before it were waited for that were stopped before they began; seconds. Somebody who
  /// presses a key now and then would never learn that nothing is heard.
  private var waited = 0.0
  /// Whether the message has ended, and this is not reported yet.
  private var hasEnded = false
  /// Events received while a text is sent: those of a short one may come before its number.
  private var early: [(message: String, event: Int)]?
  /// The service is gone, or fails.
  private(set) var isLost = false

  /// Reaches the service, which is started if need be; `nil` where that fails.
  init?(_ service: SpeechService, startPatience: Double = 5) {
    self.startPatience = startPatience
    guard let descriptor = service.connected() ?? service.started() else { return nil }
    self.descriptor = descriptor
    // Events report the end of a message.
    let isReady =
      command("SET", "SELF", "CLIENT_NAME", "person:keydrag:main") != nil
      && command("SET", "SELF", "NOTIFICATION", "ALL", "on") != nil
      && command("SET", "SELF", "PRIORITY", "message") != nil
    isLost = !isReady
  }

  deinit { close(descriptor) }

  /// Sends a text of one line; an empty one ends at once.
  func say(_ text: String, in language: String) {
    guard !text.isEmpty else {
      hasEnded = true
      return
    }
    if language != self.language, command("SET", "SELF", "LANGUAGE", language) != nil {
      self.language = language
    }
    // A line with only a full stop ends a text.
    let line = text.hasPrefix(".") ? "." + text : text
    (message, early) = (nil, [])
    defer { early = nil }
    guard command("SPEAK") != nil, let answer = command(line + "\r\n.") else {
      isLost = true
      return
    }
    (message, handedOver, hasEnded) = (answer.first, Monotonic.now, false)
    for (number, event) in early ?? [] where number == message { take(event: event) }
  }

  /// Stops everything that was sent from here. The message counts as over, and its end is not
  /// reported.
  func stop() {
    if let handedOver { waited += Monotonic.now - handedOver }
    (message, handedOver, hasEnded) = (nil, nil, false)
    if command("CANCEL", "SELF") == nil { isLost = true }
  }

  /// Says goodbye, without waiting for an answer.
  func end() { _ = send("QUIT") }

  /// Whether the last message has ended; reported once.
  func takeEnd() -> Bool {
    readEvents()
    if let handedOver, waited + Monotonic.now - handedOver > startPatience { isLost = true }
    defer { hasEnded = false }
    return hasEnded
  }

  /// Waits for an event or the bell, at most until a message that has not begun counts as lost.
  func wait(for bell: WakePipe) {
    var entries = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let time = handedOver.map { max(0, $0 + startPatience - waited - Monotonic.now) + 0.01 }
    _ = poll(&entries, 2, time.map { Int32($0 * 1000) } ?? -1)
    bell.hear()
  }

  // MARK: Lines

  /// Sends a command, and returns its answer line by line; `nil` on failure or timeout.
  private func command(_ command: String...) -> [String]? {
    guard send(command.joined(separator: " ")) else { return nil }
    var words: [String] = []
    let end = Monotonic.now + Double(Self.patience) / 1000
    while Monotonic.now < end {
      while let line = nextLine() {
        guard let answer = Answer(line) else { continue }
        guard !answer.isEvent else {
          take(answer)
          continue
        }
        guard answer.isLast else {
          words.append(answer.words)
          continue
        }
        return answer.isFine ? words + [answer.words] : nil
      }
      guard receive(within: Self.patience) else { break }
    }
    return nil
  }

  private func readEvents() {
    while receive(within: 0) {}
    while let line = nextLine() {
      if let answer = Answer(line), answer.isEvent { take(answer) }
    }
  }

  /// An event has three lines: the message's number, the client's, and its name.
  private func take(_ event: Answer) {
    guard event.isLast else {
      eventNumbers.append(event.words)
      return
    }
    defer { eventNumbers = [] }
    guard let number = eventNumbers.first else { return }
    early?.append((number, event.number))
    if number == message { take(event: event.number) }
  }

  private func take(event: Int) {
    (handedOver, waited) = (nil, 0)
    // 702: ended; 703: cancelled by another program.
    if event == 702 || event == 703 { (message, hasEnded) = (nil, true) }
  }

  /// Sends one line; `false` if nothing is accepted for too long.
  private func send(_ line: String) -> Bool {
    let bytes = Array((line + "\r\n").utf8)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(
          descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done,
          Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        done += count
        continue
      }
      guard count < 0, errno == EAGAIN || errno == EINTR else { return false }
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&waiting, 1, Self.patience) > 0 else { return false }
    }
    return true
  }

  /// Receives bytes; `false` if there are none.
  private func receive(within milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    guard count > 0, received.count < Self.mostBytes else {
      if count >= 0 || errno != EAGAIN { isLost = true }
      return false
    }
    received += bytes.prefix(count)
    return true
  }

  private func nextLine() -> String? {
    guard let end = received.firstIndex(of: 10) else { return nil }
    defer { received.removeFirst(end + 1) }
    return String(decoding: received[..<end].filter { $0 != 13 }, as: UTF8.self)
  }

  /// A line of the service: three digits, a hyphen if more lines follow, and text.
  private struct Answer {
    let number: Int
    /// Whether it ends an answer.
    let isLast: Bool
    let words: String

    /// `nil` for a line without a number.
    init?(_ line: String) {
      guard line.utf8.count > 3, let number = Int(line.prefix(3)) else { return nil }
      self.number = number
      let rest = line.dropFirst(3)
      isLast = rest.first != "-"
      words = String(rest.dropFirst())
    }

    /// Whether it is unsolicited.
    var isEvent: Bool { number >= 700 }
    /// Whether the command succeeded.
    var isFine: Bool { 200..<300 ~= number }
  }
}
