import CGDBus
import Glibc
import Synchronization

/// Whatever questions can be put through.
protocol BusAsking: AnyObject, Sendable {
  /// Whether it was closed, from here or from the other end.
  var isClosed: Bool { get }

  /// Puts a question; only to be called on the thread, on which the answer comes, never at once.
  func ask(
    _ destination: String, _ call: BusCall, within milliseconds: Int32?, limit: Int,
    _ done: @escaping @Sendable (BusAnswer) -> Void)

  /// Sends what was asked since.
  func send()
}

extension BusConnection: BusAsking {
  // What is asked is sent at once.
  func send() {}
}

/// A line to one program without a bus between; it belongs to a ``BusThread``, on which every answer
/// arrives.
///
/// It is written without the library, which sends each question and reads each answer by itself, on a
/// thread of its own: here all questions of a round go out together and all answers that have come
/// are read together, which takes a fifth of the time.
final class BusLine: BusAsking {
  private struct Asked {
    var limit: Int
    var done: @Sendable (BusAnswer) -> Void
  }

  private enum Stage {
    case greeting(@Sendable (BusLine?) -> Void)
    case open, closed
  }

  private struct State {
    var stage: Stage
    var serial: UInt32 = 0
    var waiting: [UInt32: Asked] = [:]
    var unsent: [UInt8] = []
    var unread: [UInt8] = []
    var onClosed: (@Sendable () -> Void)?
    /// Whether it is waited for that more can be sent.
    var isBlocked = false
  }

  private let descriptor: Int32
  private let thread: BusThread
  private let state: Mutex<State>

  /// As GLib numbers what is waited for.
  private static let readable: Int32 = 1
  private static let writable: Int32 = 4
  private static let block = 65_536
  /// More than this is not read in one go: others wait for the thread too.
  private static let mostBlocks = 16
  private static let longestGreeting = 512
  /// More questions that were never sent than this are not kept.
  private static let mostUnsent = 8 << 20

  private init(
    _ descriptor: Int32, on thread: BusThread, _ done: @escaping @Sendable (BusLine?) -> Void
  ) {
    self.descriptor = descriptor
    self.thread = thread
    state = Mutex(State(stage: .greeting(done)))
  }

  deinit { Glibc.close(descriptor) }

  // MARK: Opening and closing

  /// Connects; only to be called on the thread, which also gets the result: nothing when nobody is
  /// there or does not answer in time.
  static func open(
    _ address: String, on thread: BusThread, within milliseconds: UInt32,
    _ done: @escaping @Sendable (BusLine?) -> Void
  ) {
    guard let descriptor = connect(to: address) else { return thread.run { done(nil) } }
    let line = BusLine(descriptor, on: thread, done)
    line.wait(for: readable)
    // Nobody else has it until it is open.
    thread.run(after: milliseconds) { line.giveUp() }
    let user = String(getuid()).utf8.map { String($0, radix: 16) }.joined()
    line.state.withLock { $0.unsent = [0] + Array("AUTH EXTERNAL \(user)\r\n".utf8) }
    line.send()
  }

  /// Too late to be greeted.
  private func giveUp() {
    let isLate = state.withLock { if case .greeting = $0.stage { true } else { false } }
    if isLate { close() }
  }

  /// A socket that is connected: one on this computer is so at once, or there is nobody.
  private static func connect(to address: String) -> Int32? {
    guard let path = path(in: address), var place = sockaddr_un(path) else { return nil }
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = Glibc.socket(AF_UNIX, Int32(type), 0)
    guard descriptor >= 0 else { return nil }
    // What has no name in a folder is as long as its name; the others end at a zero.
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count + (path.first == 0 ? 0 : 1))
    let status = withUnsafePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, length)
      }
    }
    guard status == 0 else {
      Glibc.close(descriptor)
      return nil
    }
    return descriptor
  }

  /// The name of the socket in an address such as "unix:path=/tmp/x,guid=0"; it begins with a zero
  /// where it is in no folder.
  static func path(in address: String) -> [UInt8]? {
    guard address.hasPrefix("unix:") else { return nil }
    for field in address.dropFirst("unix:".count).split(separator: ",") {
      let parts = field.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0] == "path" || parts[0] == "abstract" else { continue }
      var bytes: [UInt8] = parts[0] == "abstract" ? [0] : []
      var rest = parts[1].utf8[...]
      while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
          bytes.append(byte)
          continue
        }
        guard let escaped = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
          rest.count >= 2, escaped != 0
        else { return nil }
        bytes.append(escaped)
        rest = rest.dropFirst(2)
      }
      return bytes
    }
    return nil
  }

  var isClosed: Bool { state.withLock { if case .closed = $0.stage { true } else { false } } }

  /// Ends it; what is waited for is not answered. Only to be called on the thread.
  func close() {
    let (asked, greeted, told) = state.withLock { state in
      defer {
        state.stage = .closed
        (state.waiting, state.unsent, state.unread) = ([:], [], [])
        state.onClosed = nil
      }
      var greeted: (@Sendable (BusLine?) -> Void)?
      if case .greeting(let done) = state.stage { greeted = done }
      return (Array(state.waiting.values), greeted, state.onClosed)
    }
    // Whoever waits for the socket is woken, and lets go of it.
    _ = shutdown(descriptor, Int32(SHUT_RDWR))
    greeted?(nil)
    for one in asked { one.done(.silence) }
    told?()
  }

  /// Hears that the line was lost; only to be called on the thread.
  func onClosed(_ handler: @escaping @Sendable () -> Void) {
    let isClosed = state.withLock { state in
      if case .closed = state.stage { return true }
      state.onClosed = handler
      return false
    }
    if isClosed { thread.run(handler) }
  }

  // MARK: Asking

  func ask(
    _ destination: String, _ call: BusCall, within milliseconds: Int32?, limit: Int,
    _ done: @escaping @Sendable (BusAnswer) -> Void
  ) {
    let isAsked = state.withLock { state in
      guard case .open = state.stage, state.unsent.count < Self.mostUnsent else { return false }
      // Zero is the number of no message.
      state.serial = state.serial == .max ? 1 : state.serial + 1
      state.waiting[state.serial] = Asked(limit: limit, done: done)
      state.unsent += BusWire.call(call, to: destination, serial: state.serial)
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
        } else if count == 0 || errno != EINTR {
          return true
        }
      }
      return false
    }
    if isLost { return close() }
    if state.withLock({ $0.isBlocked }) { wait(for: Self.writable) }
  }

  // MARK: Reading

  /// Has the thread wake for what the socket can do.
  private func wait(for condition: Int32) {
    thread.run(whenReady: descriptor, for: condition) { [weak self] in
      self?.proceed(condition) ?? false
    }
  }

  /// The socket can do something; whether it is to be waited on.
  private func proceed(_ condition: Int32) -> Bool {
    if isClosed { return false }
    if condition == Self.writable {
      state.withLock { $0.isBlocked = false }
      send()
      return false
    }
    read()
    return !isClosed
  }

  private func read() {
    var block = [UInt8](repeating: 0, count: Self.block)
    for _ in 0..<Self.mostBlocks {
      let count = recv(descriptor, &block, block.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { break }
      guard count > 0 else { return close() }
      state.withLock { $0.unread += block[..<count] }
      if count < block.count { break }
    }
    do {
      for (asked, answer) in try take() { asked.done(answer) }
    } catch {
      close()
    }
  }

  /// The answers that have come as a whole.
  private func take() throws(BusWire.Malformed) -> [(Asked, BusAnswer)] {
    try greet()
    // What is read is taken out, so that nothing is copied for each message of many.
    let unread = state.withLock { state -> [UInt8] in
      guard case .open = state.stage else { return [] }
      defer { state.unread = [] }
      return state.unread
    }
    var start = 0
    var answers: [(Asked, BusAnswer)] = []
    while let length = try BusWire.length(of: unread, from: start), unread.count - start >= length {
      let message = try BusWire.message(unread, from: start, length: length) { serial in
        state.withLock { $0.waiting[serial]?.limit }
      }
      start += length
      guard let call = message.answers,
        let asked = state.withLock({ $0.waiting.removeValue(forKey: call) })
      else { continue }
      answers.append((asked, message.kind == .reply ? .values(message.values) : .error))
    }
    state.withLock { $0.unread = Array(unread[start...]) }
    return answers
  }

  /// Reads the answer to who we are: "OK" and a number.
  private func greet() throws(BusWire.Malformed) {
    let line = state.withLock { state -> (bytes: [UInt8], done: @Sendable (BusLine?) -> Void)? in
      guard case .greeting(let done) = state.stage,
        let end = state.unread.prefix(Self.longestGreeting).firstIndex(of: UInt8(ascii: "\n"))
      else { return nil }
      defer { state.unread.removeFirst(end + 1) }
      return (Array(state.unread[..<end]), done)
    }
    guard let line else {
      let isTooLong = state.withLock { state in
        if case .greeting = state.stage {
          state.unread.count >= Self.longestGreeting
        } else {
          false
        }
      }
      if isTooLong { throw BusWire.Malformed() }
      return
    }
    guard line.bytes.starts(with: Array("OK".utf8)) else { throw BusWire.Malformed() }
    state.withLock { state in
      state.stage = .open
      state.unsent += Array("BEGIN\r\n".utf8)
    }
    send()
    line.done(isClosed ? nil : self)
  }
}

extension sockaddr_un {
  fileprivate init?(_ path: [UInt8]) {
    self.init()
    sun_family = sa_family_t(AF_UNIX)
    let hasRoom = withUnsafeMutableBytes(of: &sun_path) { room in
      // A zero is behind it.
      guard !path.isEmpty, path.count < room.count else { return false }
      room.copyBytes(from: path)
      return true
    }
    if !hasRoom { return nil }
  }
}
