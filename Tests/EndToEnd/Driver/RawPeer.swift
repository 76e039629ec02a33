import FoundationEssentials
import Glibc
import Testing

/// A program that talks to KeyDrag programs by the bytes on the socket alone, and says what it likes.
final class RawPeer {
  let descriptor: Int32
  /// Everything that has come.
  private(set) var heard: [UInt8] = []
  private var taken = 0
  private(set) var version = 0

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    var time = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  // MARK: Meeting

  /// Connects to the one program that runs there, or to the one with this socket.
  static func connect(in stage: Stage, at socketName: String? = nil) throws -> RawPeer {
    let folder = stage.base + "/run/keydrag"
    let first = stage.list(folder).first { $0.hasSuffix(".sock") }
    let name = try #require(socketName ?? first)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    try #require(Self.with(folder + "/" + name) { Glibc.connect(descriptor, $0, $1) } == 0)
    return RawPeer(descriptor)
  }

  /// Visits the program that runs there, in the version that it speaks.
  static func visit(
    _ stage: Stage, as name: String, at socket: String? = nil
  ) throws -> RawPeer {
    for version in [2, 1] {
      let peer = try connect(in: stage, at: socket)
      peer.say("hello", #"{"version":\#(version),"program":"\#(name)"}"#)
      let hello = try #require(try peer.next())
      guard hello["version"] == .number(version) else { continue }
      peer.version = version
      return peer
    }
    throw Stage.Unusable(reason: "it speaks no version that is known here")
  }

  /// Listens as a program does that has places; connect to it by starting another.
  static func listen(in stage: Stage, _ number: Int = 1) throws -> Int32 {
    let folder = stage.base + "/run/keydrag"
    try stage.make(folder + "/")
    stage.permit(0o700, folder)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let name = "\(folder)/\(getpid())-000000000000000\(number)"
    try #require(with(name + ".new") { bind(descriptor, $0, $1) } == 0)
    try #require(Glibc.listen(descriptor, 8) == 0 && rename(name + ".new", name + ".sock") == 0)
    return descriptor
  }

  /// Takes one who connects, greets it back, and shows one place.
  static func serve(_ listener: Int32, as name: String, place: String) throws -> RawPeer {
    let peer = RawPeer(accept(listener, nil, nil))
    let hello = try #require(try peer.next())
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
  func say(_ kind: String, _ body: String = "{}", files: [Int32] = []) {
    let bytes = Array(#"{"kind":"\#(kind)","body":\#(body)}"#.utf8)
    send(frame(1, bytes), files)
  }

  func send(_ bytes: [UInt8], _ files: [Int32] = []) {
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

  func frame(_ kind: UInt8, _ bytes: [UInt8], count: Int? = nil) -> [UInt8] {
    let count = UInt32(count ?? bytes.count + 1)
    return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + [kind] + bytes
  }

  /// The fields of the next message, its kind as "kind"; `nil` when the other end has gone.
  func next() throws -> [String: Value]? {
    while true {
      let header = heard[taken...].prefix(5)
      if header.count == 5, let kind = header.last {
        let count = header.prefix(4).reduce(0) { $0 << 8 | Int($1) } - 1
        let body = heard[(taken + 5)...].prefix(count)
        if body.count == count {
          taken += 5 + count
          if kind != 1 { continue }
          let record = try Record(line: String(decoding: body, as: UTF8.self))
          guard case .fields(var fields)? = record["body"] else { return record.fields }
          fields["kind"] = record["kind"]
          return fields
        }
      }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == ECONNRESET { return nil }
      try #require(count >= 0, "it says nothing")
      if count == 0 { return nil }
      heard += buffer[..<count]
    }
  }

  /// The next message of a kind; others are passed over.
  func next(_ kind: String) throws -> [String: Value] {
    while let message = try next() {
      if message["kind"] == .text(kind) { return message }
    }
    throw Stage.Unusable(reason: "it ended before \(kind)")
  }
}

/// The bytes of a name or path in hexadecimal digits.
func hex(_ text: String) -> String {
  text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
