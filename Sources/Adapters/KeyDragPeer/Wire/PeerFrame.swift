/// A frame on the socket: length, kind and payload.
enum PeerFrame: Hashable, Sendable {
  case message([UInt8])
  /// A chunk of contents, by load number; empty at the end.
  case piece(load: UInt32, [UInt8])
}

/// Why a connection can't be used any more.
enum PeerFault: Error, Hashable, Sendable {
  /// A frame of unknown kind or excessive length.
  case badFrame
  case closed
  /// The peer does not read.
  case overfull
}

/// Frame format: a 4-byte big-endian length, which covers kind and payload, then one byte of kind.
enum PeerFraming {
  static let headerSize = 5
  private static let message: UInt8 = 1
  private static let piece: UInt8 = 2

  static func bytes(message body: [UInt8]) -> [UInt8] {
    number(UInt32(body.count + 1)) + [message] + body
  }

  static func bytes(piece body: [UInt8], load: UInt32) -> [UInt8] {
    number(UInt32(body.count + headerSize)) + [piece] + number(load) + body
  }

  private static func number(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  fileprivate static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Payload length; rejects invalid frames before buffering them.
  fileprivate static func length(_ count: Int, kind: UInt8) throws(PeerFault) -> Int {
    let isFine =
      switch kind {
      case message: (1...PeerLimits.message).contains(count - 1)
      case piece: (4...PeerLimits.piece + 4).contains(count - 1)
      default: false
      }
    guard isFine else { throw .badFrame }
    return count - 1
  }

  fileprivate static func frame(_ body: ArraySlice<UInt8>, kind: UInt8) -> PeerFrame {
    kind == message
      ? .message(Array(body)) : .piece(load: number(body), Array(body.dropFirst(4)))
  }
}

/// Reassembles frames from received bytes.
struct PeerFrameReader {
  private var buffer: [UInt8] = []
  private var start = 0

  mutating func append(_ bytes: some Collection<UInt8>) {
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= PeerLimits.piece * 4)
      start = 0
    } else if start > PeerLimits.piece {
      buffer.removeSubrange(..<start)
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next complete frame; `nil` if more bytes are needed.
  mutating func next() throws(PeerFault) -> PeerFrame? {
    let header = buffer[start...].prefix(PeerFraming.headerSize)
    guard header.count == PeerFraming.headerSize, let kind = header.last else { return nil }
    let count = PeerFraming.number(header)
    let length = try PeerFraming.length(Int(count), kind: kind)
    let body = buffer[(start + PeerFraming.headerSize)...].prefix(length)
    guard body.count == length else { return nil }
    start += PeerFraming.headerSize + length
    return PeerFraming.frame(body, kind: kind)
  }
}
