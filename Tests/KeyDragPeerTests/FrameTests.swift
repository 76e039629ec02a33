import KeyDragCore
import Testing

@testable import KeyDragPeer

@Suite struct FrameTests {
  static let frames: [PeerFrame] = [
    .message(Array("{}".utf8)), .piece(load: 7, []),
    .piece(load: .max, [UInt8](repeating: 9, count: PeerLimits.piece)),
    .message([UInt8](repeating: 32, count: PeerLimits.message)),
  ]

  private func bytes(_ frame: PeerFrame) -> [UInt8] {
    switch frame {
    case .message(let body): PeerFraming.bytes(message: body)
    case .piece(let load, let body): PeerFraming.bytes(piece: body, load: load)
    }
  }

  @Test(
    "Frames come out as they went in, in whatever parts they arrive", arguments: [1, 3, 70_000])
  func parts(size: Int) throws {
    let frames = size == 1 ? Array(Self.frames.prefix(2)) : Self.frames
    let all = frames.flatMap(bytes)
    var reader = PeerFrameReader()
    var found: [PeerFrame] = []
    var offset = 0
    while offset < all.count {
      reader.append(all[offset..<min(offset + size, all.count)])
      offset += size
      while let frame = try reader.next() { found.append(frame) }
    }
    #expect(found == frames)
  }

  @Test(
    "A length no frame can have, or a kind nobody knows, is refused from the header alone",
    arguments: [
      [0, 0, 0, 0, 1], [0, 0, 0, 1, 1], [0x00, 0x10, 0x00, 0x02, 1], [0xFF, 0xFF, 0xFF, 0xFF, 1],
      [0, 0, 0, 4, 2], [0, 1, 0, 6, 2], [0xFF, 0xFF, 0xFF, 0xFF, 2], [0, 0, 0, 9, 0],
      [0, 0, 0, 9, 3], Array("GET /".utf8),
    ] as [[UInt8]])
  func badHeaders(header: [UInt8]) {
    var reader = PeerFrameReader()
    reader.append(header)
    #expect(throws: PeerFault.badFrame) { try reader.next() }
  }

  @Test("A frame that is not whole yet is waited for")
  func truncated() throws {
    let whole = bytes(.message(Array("{\"kind\":\"leave\"}".utf8)))
    for count in 0..<whole.count {
      var reader = PeerFrameReader()
      reader.append(whole[..<count])
      #expect(try reader.next() == nil)
    }
  }
}
