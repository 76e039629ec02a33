import Glibc
import Synchronization

/// What a screen reader says, written down by a module of speech-dispatcher that makes no sound.
public final class HeardSpeech: Sendable {
  /// It was not said in time.
  public struct Silence: Error, CustomStringConvertible {
    public let description: String
  }

  /// One text that the voice was given.
  public struct Utterance: Sendable {
    public let text: String
    /// Seconds on the machine's steady clock.
    public let begin: Double
    /// Nothing while it is being said.
    public fileprivate(set) var end: Double?
    public fileprivate(set) var isCut = false
  }

  private struct State {
    var said: [String] = []
    var utterances: [Utterance] = []
    var taken = 0
    var waiters: [(number: Int, wakeUp: CheckedContinuation<Void, Never>)] = []
    var lastWaiter = 0
  }

  private let state = Mutex(State())
  private let reader: LineReader

  /// What a text begins with that was cut off, on a desktop where speech takes time.
  public static let cutOff = "cut off: "

  /// Writes the module and the configuration that names it.
  ///
  /// - Parameter pace: how long a character takes to be said, in milliseconds.
  init(folder: String, pace: Int) throws {
    let path = folder + "/speech"
    reader = try LineReader(path)
    try Self.write(
      CaptureModule.program(pipe: path, pace: pace), to: folder + "/capture", mode: 0o700)
    try Self.write(
      CaptureModule.settings(program: folder + "/capture"),
      to: folder + "/config/speech-dispatcher/speechd.conf", mode: 0o600)
    reader.start { [weak self] line in self?.heard(line) }
  }

  func close() { reader.stop() }

  /// Everything that was said so far.
  public var all: [String] { state.withLock { $0.said } }

  /// The same with its times, and what is being said now.
  public var utterances: [Utterance] { state.withLock { $0.utterances } }

  /// Now, on the clock of ``Utterance``.
  public static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Waits for the next thing that is said.
  public func next(within seconds: Double = 60) async throws -> String {
    let deadline = ContinuousClock.now + .seconds(seconds)
    while true {
      let next = state.withLock { state -> String? in
        guard state.taken < state.said.count else { return nil }
        state.taken += 1
        return state.said[state.taken - 1]
      }
      if let next { return next }
      guard ContinuousClock.now < deadline else {
        throw Silence(description: "nothing more was said; before that: \(all)")
      }
      await change(until: deadline)
    }
  }

  /// Waits until this is said; what is said before it is passed over and given back, also what one breath
  /// has of it before this. What that has behind this is the next that is said.
  @discardableResult
  public func hear(_ text: String, within seconds: Double = 60) async throws -> [String] {
    var before: [String] = []
    while true {
      do {
        let said = try await next(within: seconds)
        if said == text { return before }
        if said.hasSuffix(" " + text), !said.hasPrefix(Self.cutOff) {
          return before + [String(said.dropLast(text.count + 1))]
        }
        if said.hasPrefix(text + " ") {
          state.withLock { state in
            state.taken -= 1
            state.said[state.taken] = String(said.dropFirst(text.count + 1))
          }
          return before
        }
        before.append(said)
      } catch let silence as Silence {
        throw Silence(description: "not said: \(text); \(silence)")
      }
    }
  }

  /// The next things that are said, as many as asked for.
  public func next(_ count: Int, within seconds: Double = 60) async throws -> [String] {
    var result: [String] = []
    while result.count < count { result.append(try await next(within: seconds)) }
    return result
  }

  /// A message as Orca says it: with a stop where it ends in a word, and dots for an ellipsis.
  public static func asSaid(_ text: String) -> String {
    let text = text.split(separator: "…", omittingEmptySubsequences: false).joined(separator: "...")
    return text.last.map { $0.isLetter || $0.isNumber } == true ? text + "." : text
  }

  private func heard(_ line: String) {
    let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
    guard parts.count == 3, let moment = Double(parts[1]) else { return }
    let (kind, text) = (parts[0], parts[2])
    let waiters = state.withLock { state in
      guard kind != "b" else {
        state.utterances.append(Utterance(text: text, begin: moment))
        return [] as [(number: Int, wakeUp: CheckedContinuation<Void, Never>)]
      }
      if let last = state.utterances.lastIndex(where: { $0.end == nil && $0.text == text }) {
        state.utterances[last].end = moment
        state.utterances[last].isCut = kind == "c"
      }
      state.said.append((kind == "c" ? Self.cutOff : "") + text)
      defer { state.waiters.removeAll() }
      return state.waiters
    }
    for waiter in waiters { waiter.wakeUp.resume() }
  }

  /// Returns when something has been said or the time is over.
  private func change(until deadline: ContinuousClock.Instant) async {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    let alarm = Task {
      try? await Task.sleep(until: deadline)
      let waiters = state.withLock { state in
        defer { state.waiters.removeAll { $0.number == number } }
        return state.waiters.filter { $0.number == number }
      }
      for waiter in waiters { waiter.wakeUp.resume() }
    }
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.taken < state.said.count { return true }
        state.waiters.append((number, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
    alarm.cancel()
  }

  static func write(_ text: String, to path: String, mode: mode_t) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    let bytes = Array(text.utf8)
    guard file >= 0, Glibc.write(file, bytes, bytes.count) == bytes.count else {
      throw KeptProcess.Trouble(description: "\(path) can't be written: errno \(errno)")
    }
    Glibc.close(file)
  }
}
