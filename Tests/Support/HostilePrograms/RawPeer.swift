import FoundationEssentials
import Glibc

/// A program that talks to KeyDrag programs by the bytes on the socket alone, and says what it likes.
public final class RawPeer {
  /// The other end did not do what was waited for.
  public struct Trouble: Error {
    public let reason: String
  }

  public let descriptor: Int32
  /// Everything that has come.
  public private(set) var heard: [UInt8] = []
  private var taken = 0
  private var version = 0

  public init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var time = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  // MARK: Meeting

  /// Connects to the first program in a folder of sockets, or to the one with this socket.
  public static func connect(in folder: String, at socketName: String? = nil) throws -> RawPeer {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    let name = socketName ?? names.first { $0.hasSuffix(".sock") } ?? ""
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard Self.with(folder + "/" + name, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
      close(descriptor)
      throw Trouble(reason: "nobody is there: errno \(errno)")
    }
    return RawPeer(descriptor)
  }

  /// Visits the program that runs there, in the version that it speaks.
  public static func visit(
    in folder: String, as name: String, at socket: String? = nil
  ) throws -> RawPeer {
    for version in [2, 1] {
      let peer = try connect(in: folder, at: socket)
      peer.say("hello", #"{"version":\#(version),"program":"\#(name)"}"#)
      guard try peer.next("hello")["version"] == .number(version) else { continue }
      peer.version = version
      return peer
    }
    throw Trouble(reason: "it speaks no version that is known here")
  }

  /// Listens as a program does that has places; connect to it by starting another.
  public static func listen(in folder: String, _ number: Int = 1) throws -> Int32 {
    mkdir(folder, 0o700)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let name = "\(folder)/\(getpid())-000000000000000\(number)"
    guard with(name + ".new", { bind(descriptor, $0, $1) }) == 0,
      Glibc.listen(descriptor, 8) == 0, rename(name + ".new", name + ".sock") == 0
    else { throw Trouble(reason: "no socket: errno \(errno)") }
    return descriptor
  }

  /// Takes one who connects, greets it back, and shows one place.
  public static func serve(_ listener: Int32, as name: String, place: String) throws -> RawPeer {
    let peer = RawPeer(accept(listener, nil, nil))
    let hello = try peer.next("hello")
    peer.version = if case .number(let version)? = hello["version"] { version } else { 0 }
    peer.say("hello", #"{"version":\#(peer.version),"program":"\#(name)"}"#)
    peer.say(
      "places",
      #"{"container":1,"name":"Far","isOrdered":false,"points":[{"id":7,"name":"\#(place)","positions":2}]}"#
    )
    peer.say("told")
    return peer
  }

  private static func with(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  // MARK: Talking

  /// Says something, and hands over open files with its first byte.
  public func say(_ kind: String, _ body: String = "{}", files: [Int32] = []) {
    let bytes = Array(#"{"kind":"\#(kind)","body":\#(body)}"#.utf8)
    send(frame(1, bytes), files)
  }

  public func send(_ bytes: [UInt8], _ files: [Int32] = []) {
    // As the kernel lays it out: length, level, kind, and the numbers.
    var control = [UInt8](repeating: 0, count: 16 + (files.count * 4 + 7) / 8 * 8)
    control.withUnsafeMutableBytes { buffer in
      buffer.storeBytes(of: 16 + files.count * 4, as: Int.self)
      buffer.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
      buffer.storeBytes(of: 1, toByteOffset: 12, as: Int32.self)
      for (index, file) in files.enumerated() {
        buffer.storeBytes(of: file, toByteOffset: 16 + index * 4, as: Int32.self)
      }
    }
    var rest = bytes
    rest.withUnsafeMutableBytes { bytes in
      control.withUnsafeMutableBytes { control in
        var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        withUnsafeMutablePointer(to: &part) { part in
          var message = msghdr()
          message.msg_iov = part
          message.msg_iovlen = 1
          if !files.isEmpty {
            message.msg_control = control.baseAddress
            message.msg_controllen = control.count
          }
          var sent = 0
          while sent < bytes.count {
            part.pointee = iovec(
              iov_base: bytes.baseAddress?.advanced(by: sent), iov_len: bytes.count - sent)
            let count = sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
            guard count > 0 else { return }
            sent += count
            message.msg_controllen = 0
            message.msg_control = nil
          }
        }
      }
    }
  }

  public func frame(_ kind: UInt8, _ bytes: [UInt8], count: Int? = nil) -> [UInt8] {
    let count = UInt32(count ?? bytes.count + 1)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + [kind] + bytes
  }

  /// The fields of the next message, its kind as "kind"; `nil` when the other end has gone.
  public func next() throws -> [String: Value]? {
    while true {
      let header = heard[taken...].prefix(5)
      if header.count == 5, let kind = header.last {
        let count = header.prefix(4).reduce(0) { $0 << 8 | Int($1) } - 1
        let body = heard[(taken + 5)...].prefix(count)
        if body.count == count {
          taken += 5 + count
          if kind != 1 { continue }
          let message = try JSONDecoder().decode([String: Value].self, from: Data(body))
          guard case .fields(var fields)? = message["body"] else { return message }
          fields["kind"] = message["kind"]
          return fields
        }
      }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == ECONNRESET { return nil }
      guard count >= 0 else { throw Trouble(reason: "it says nothing") }
      if count == 0 { return nil }
      heard += buffer[..<count]
    }
  }

  /// The next message of a kind; others are passed over.
  public func next(_ kind: String) throws -> [String: Value] {
    while let message = try next() {
      if message["kind"] == .text(kind) { return message }
    }
    throw Trouble(reason: "it ended before \(kind)")
  }

  // MARK: Dropping

  /// The number of a place.
  public func place(_ name: String) throws -> Int {
    say("list")
    while case .list(let points)? = try next("places")["points"] {
      for case .fields(let point) in points where point["name"] == .text(name) {
        if case .number(let id)? = point["id"] { return id }
      }
    }
    return 0
  }

  /// Drops one thing, and hands it over where it is asked for; what became of it.
  public func drop(
    _ path: String, kind: Int = 0, on place: Int, clash: String = "keep-both",
    position: Int = 1, files: [Int32]? = nil, name: String? = nil
  ) throws -> [String: Value] {
    let name = name ?? String(path.split(separator: "/").last ?? "")
    say(
      "items",
      #"{"drag":1,"first":0,"items":[{"name":"\#(name)","kind":\#(kind),"types":["text/plain"],"#
        + #""typeName":"text","path":"\#(hex(path))","file":"\#(hex(name))"}]}"#)
    say(
      "deliver",
      #"{"delivery":1,"drag":1,"stop":{"point":\#(place),"position":\#(position)},"#
        + #""operation":"copy","clash":"\#(clash)"}"#)
    let opened = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(opened) }
    while let message = try next() {
      switch message["kind"] {
      case "finished": return message
      case "load":
        let load = message["load"]?.description ?? ""
        say("loading", #"{"load":\#(load)}"#, files: files ?? [opened])
      default: break
      }
    }
    throw Trouble(reason: "it ended")
  }
}

/// The bytes of a name or path in hexadecimal digits.
public func hex(_ text: String) -> String {
  text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
