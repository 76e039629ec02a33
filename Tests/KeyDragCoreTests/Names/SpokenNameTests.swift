import KeyDragCore
import Testing

/// Names from outside are data.
struct SpokenNameTests {
  @Test(
    "What could steer a terminal, a synthesizer or the direction of a line is replaced",
    arguments: [
      ("notes.txt", "notes.txt"), ("", ""), ("Łódź ÄÖ 日本 👩‍👩‍👧", "Łódź ÄÖ 日本 👩‍👩‍👧"),
      ("a\nb\tc\rd", "a�b�c�d"), ("\u{1B}[31mred", "�[31mred"), ("del\u{7F}", "del�"),
      ("c1\u{9B}31m", "c1�31m"), ("rtl\u{202E}fdp.exe", "rtl�fdp.exe"),
      ("iso\u{2066}x\u{2069}", "iso�x�"), ("lrm\u{200E}rlm\u{200F}alm\u{61C}", "lrm�rlm�alm�"),
      ("line\u{2028}par\u{2029}", "line�par�"), ("tag\u{E0041}", "tag�"), ("nul\u{0}", "nul�"),
      ("note\u{FFF9}", "note�"), ("pay\u{200B}pal", "pay�200B pal"), ("\u{FEFF}pay", "�FEFF pay"),
      ("pay\u{AD}.pal", "pay�AD.pal"), ("pay\u{200D}pal", "pay�200D pal"),
      ("pay\u{200C}", "pay�200C"),
      ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("क\u{200D}ष", "क\u{200D}ष"),
    ])
  func cleaning(name: String, expected: String) {
    #expect(SpokenName.clean(name) == expected)
    #expect(SpokenName.clean(SpokenName.clean(name)) == SpokenName.clean(name))
  }

  @Test(
    "Bytes that are not UTF-8 are told by their numbers, the rest is kept",
    arguments: [
      ([0x61, 0xFF, 0x62], "a�FF b"), ([0x61, 0xFF, 0xFE, 0x2E], "a�FF�FE."), ([0xC3], "�C3"),
      ([0x63, 0x61, 0xE9], "ca�E9"), ([0xC3, 0xA4, 0x80, 0xE6, 0x97], "ä�80�E6�97"),
      ([0xED, 0xA0, 0x80], "�ED�A0�80"), ([0xFF, 0x1B, 0x39], "�FF�9"), ([0xFF, 0x39], "�FF 9"),
    ] as [([UInt8], String)])
  func invalidBytes(bytes: [UInt8], expected: String) {
    #expect(SpokenName.clean(bytes) == expected)
    #expect(SpokenName.clean(bytes.lazy.map { $0 }) == expected)
    #expect(SpokenName.clean(SpokenName.clean(bytes)) == expected)
  }

  @Test(
    "K19: blanks at an end of a file's name, or alone, are told by their numbers",
    arguments: [
      (" ", "�20"), ("  ", "�20�20"), ("a.txt ", "a.txt�20"), (" a", "�20 a"), ("a b", "a b"),
      ("a\u{A0}", "a�A0"), ("", ""),
    ])
  func blanks(name: String, expected: String) {
    #expect(SpokenName.file(name) == expected)
    #expect(SpokenName.file(Array(name.utf8)) == expected)
    #expect(SpokenName.clean(name) == name, "only of files")
  }

  @Test("A name longer than the longest is cut and marked", arguments: ["x", "ä", "👩‍👩‍👧", "\u{1B}"])
  func longNames(piece: String) {
    let name = SpokenName.clean(String(repeating: piece, count: 100_000))
    #expect(name.unicodeScalars.count == SpokenName.longest + 1)
    #expect(name.hasSuffix("…"))
    let bytes = SpokenName.clean(Array(String(repeating: piece, count: 100_000).utf8))
    #expect(bytes.unicodeScalars.count <= SpokenName.longest + 1)
  }

  @Test("A name of exactly the longest length stays whole")
  func exactlyLongest() {
    let name = String(repeating: "ü", count: SpokenName.longest)
    #expect(SpokenName.clean(name) == name)
  }
}
