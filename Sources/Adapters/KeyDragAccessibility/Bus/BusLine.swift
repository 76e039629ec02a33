import Glibc
import Synchronization

/// Whatever questions can be put through.
protocol BusAsking: AnyObject, Sendable {
  /// Whether it was closed, from here or from the other end.
  var isClosed: Bool { get }

  /// Puts a question; only to be called on the thread, on which the answer comes, never at once.
  ///
  /// - Parameter limit: how many values a reply may hold, all in all; the rest is left out.
  func ask(
    _ destination: String, _ call: BusCall, limit: Int,
    _ done: @escaping @Sendable (BusAnswer) -> Void)

  /// Sends what was asked since.
  func send()

  /// Ends it; what is waited for is not answered.
  func close()
}

extension BusConnection: BusAsking {
  func ask(
    _ destination: String, _ call: BusCall, limit: Int,
    _ done: @escaping @Sendable (BusAnswer) -> Void
  ) {
    ask(destination, call, within: nil, limit: limit, done)
  }

  // What is asked is sent at once.
  func send() {}
}

/// A line to one program without a bus between; it belongs to a ``BusThread``, on which every answer
/// arrives.
///
/// The library opens it, and makes and reads the messages. It would also send each by itself and read
/// each answer in two pieces, on a thread of its own that wakes ours every time, which takes longer
/// than the program needs to answer: here all questions of a round go out together, and all answers
/// that have come are read together.
final class BusLine: BusAsking {
  private struct Asked {
    var limit: Int
    var done: @Sendable (BusAnswer) -> Void
  }

  private struct State {
    var serial: UInt32 = 0
    var waiting: [UInt32: Asked] = [:]
    var unsent: [UInt8] = []
    var unread: [UInt8] = []
    var watch: BusThread.Watch?
    var onClosed: (@Sendable () -> Void)?
    var isClosed = false
    /// Whether it is waited until more can be sent.
    var isBlocked = false
  }

  private let descriptor: Int32
  private let thread: BusThread
  private let state = Mutex(State())

  private static let block = 65_536
  /// More than this is not read in one go: others wait for the thread too.
  private static let mostBlocks = 16
  /// More questions that were never sent than this are not kept.
  private static let mostUnsent = 8 << 20
  /// After how long a program that takes nothing more is tried again, in milliseconds.
  private static let pause: UInt32 = 5

  private init(_ descriptor: Int32, on thread: BusThread) {
    self.descriptor = descriptor
    self.thread = thread
  }

  deinit {
    state.withLock { $0.watch?.end() }
    Glibc.close(descriptor)
  }

  // MARK: Opening and closing

  /// Connects; only to be called on the thread, which also gets the result: nothing when nobody is
  /// there or does not answer in time.
  static func open(
    _ address: String, on thread: BusThread, within milliseconds: UInt32, isBus: Bool,
    _ done: @escaping @Sendable (BusLine?) -> Void
  ) {
    BusConnection.open(address, on: thread, within: milliseconds, isBus: isBus) { connection in
      guard let connection else { return done(nil) }
      guard isBus else { return take(over: connection, on: thread, done) }
      // What a bus says of its own accord to a new connection comes before this is answered: the
      // library must not be left in the middle of it.
      let call = BusCall(path: "/org/freedesktop/DBus", interface: bus, member: "GetId")
      connection.call(bus, call, within: Int32(milliseconds)) { reply in
        if reply == nil {
          connection.close()
          done(nil)
        } else {
          take(over: connection, on: thread, done)
        }
      }
    }
  }

  private static let bus = "org.freedesktop.DBus"

  private static func take(
    over connection: BusConnection, on thread: BusThread,
    _ done: @escaping @Sendable (BusLine?) -> Void
  ) {
    let descriptor = connection.copyOfSocket()
    // Until it is closed there is somebody else who reads.
    connection.close {
      guard let descriptor else { return done(nil) }
      let line = BusLine(descriptor, on: thread)
      line.listen()
      done(line)
    }
  }

  private func listen() {
    let watch = thread.watch(descriptor) { [weak self] in self?.read() }
    state.withLock { $0.watch = watch }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Ends it; what is waited for is not answered.
  func close() {
    let (asked, told) = state.withLock { state in
      defer {
        state.isClosed = true
        (state.waiting, state.unsent, state.unread) = ([:], [], [])
        state.onClosed = nil
        state.watch?.end()
      }
      return (Array(state.waiting.values), state.onClosed)
    }
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
    for one in asked { one.done(.silence) }
    told?()
  }

  /// Hears that the line was lost; only to be called on the thread.
  func onClosed(_ handler: @escaping @Sendable () -> Void) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.onClosed = handler }
      return state.isClosed
    }
    if isClosed { thread.run(handler) }
  }

  // MARK: Asking

  func ask(
    _ destination: String, _ call: BusCall, limit: Int,
    _ done: @escaping @Sendable (BusAnswer) -> Void
  ) {
    let isAsked = state.withLock { state in
      guard !state.isClosed, state.unsent.count < Self.mostUnsent else { return false }
      // Zero is the number of no message.
      state.serial = state.serial == .max ? 1 : state.serial + 1
      guard BusMessage.add(call, to: destination, serial: state.serial, &state.unsent) else {
        return false
      }
      state.waiting[state.serial] = Asked(limit: limit, done: done)
      return true
    }
    if !isAsked { thread.run { done(.silence) } }
  }

  func send() {
    let isLost = state.withLock { state -> Bool in
      while !state.unsent.isEmpty, !state.isBlocked {
        let count = state.unsent.withUnsafeBytes {
          Glibc.send(
            descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }
        if count > 0 {
          state.unsent.removeFirst(count)
        } else if count < 0, errno == EAGAIN {
          state.isBlocked = true
          thread.run(after: Self.pause) { [weak self] in self?.sendAgain() }
        } else if count == 0 || errno != EINTR {
          return true
        }
      }
      return false
    }
    if isLost { thread.run { [self] in close() } }
  }

  private func sendAgain() {
    state.withLock { $0.isBlocked = false }
    send()
  }

  // MARK: Reading

  private func read() {
    var isOver = false
    withUnsafeTemporaryAllocation(byteCount: Self.block, alignment: 1) { block in
      for _ in 0..<Self.mostBlocks {
        let count = recv(descriptor, block.baseAddress, block.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN { break }
        guard count > 0 else {
          isOver = true
          break
        }
        state.withLock { $0.unread += block[..<count] }
        if count < block.count { break }
      }
    }
    for (asked, answer) in take(&isOver) { asked.done(answer) }
    if isOver { close() }
  }

  /// The answers that have come as a whole; `isOver` once something has that is no message.
  private func take(_ isOver: inout Bool) -> [(Asked, BusAnswer)] {
    // What is read is taken out, so that nothing is copied for each message of many.
    let unread = state.withLock { state in
      defer { state.unread = [] }
      return state.unread
    }
    var answers: [(Asked, BusAnswer)] = []
    var rest = unread[...]
    reading: while true {
      let next = BusMessage.next(in: rest) { serial in
        state.withLock { $0.waiting[serial]?.limit }
      }
      switch next {
      case .incomplete: break reading
      case .malformed:
        isOver = true
        break reading
      case .message(let length, let serial, let answer):
        rest = rest.dropFirst(length)
        if let answer, let asked = state.withLock({ $0.waiting.removeValue(forKey: serial) }) {
          answers.append((asked, answer))
        }
      }
    }
    state.withLock { $0.unread = Array(rest) + $0.unread }
    return answers
  }
}
