import Glibc
import Testing

@testable import KeyDragX11

@Suite("What is handed over of a clipboard")
struct SerializedClipboardTests {
  private func form(_ target: UInt32, _ bytes: [UInt8]) -> SelectionFetch.Form {
    .init(target: XAtom(rawValue: target), type: XAtom(rawValue: target + 1), bytes: bytes)
  }

  private var parcel: SerializedClipboard {
    SerializedClipboard(
      forms: [form(300, Array(0...255)), form(31, []), form(0x1FFF_FFFE, [7])], time: 0xFFFF_FFFE,
      lifetime: 60_000)
  }

  @Test("It comes out as it was put in: forms in their order, empty ones too, and the time")
  func whole() throws {
    #expect(try SerializedClipboard(#require(parcel.bytes)) == parcel)
  }

  @Test("One that is torn anywhere, or has more after its end, is none")
  func torn() throws {
    let bytes = try #require(parcel.bytes)
    for length in 0..<bytes.count { #expect(SerializedClipboard(Array(bytes[..<length])) == nil) }
    #expect(SerializedClipboard(bytes + [0]) == nil)
  }

  @Test("Numbers that can't be are refused: no form, too many, a name that is none, a wrong length")
  func wrong() throws {
    let bytes = try #require(SerializedClipboard(forms: [form(300, [1, 2])], time: 5).bytes)
    // From the end: two bytes, their length, the type, the target, the count.
    for (word, value) in [(4, 0), (4, 65), (3, 0), (2, 0), (2, 0x2000_0000), (1, .max), (1, 1)]
      as [(Int, UInt32)]
    {
      var changed = bytes
      let place = bytes.count - 2 - word * 4
      withUnsafeBytes(of: value.littleEndian) {
        changed.replaceSubrange(place..<place + 4, with: $0)
      }
      #expect(SerializedClipboard(changed) == nil, "word \(word) as \(value)")
    }
    #expect(SerializedClipboard(forms: [], time: 0).bytes == nil)
    let many = [SelectionFetch.Form](repeating: form(300, [1]), count: 65)
    #expect(SerializedClipboard(forms: many, time: 0).bytes == nil)
    let large = [UInt8](repeating: 0, count: (64 << 20) + 1)
    #expect(SerializedClipboard(forms: [form(300, large)], time: 0).bytes == nil)
  }

  @Test("What a person or a script puts before the program is not taken for one")
  func otherInput() {
    // The tests' own standard input is no file of ours.
    #expect(ClipboardHolder.run() == nil)
  }
}
