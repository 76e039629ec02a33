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
      ("iso\u{2066}x\u{2069}", "iso�x�"),
      ("lrm\u{200E}rlm\u{200F}alm\u{61C}", "lrm�rlm�alm�"),
      ("line\u{2028}par\u{2029}", "line�par�"), ("tag\u{E0041}", "tag�E0041"), ("nul\u{0}", "nul�"),
      ("note\u{FFF9}", "note�"), ("pay\u{200B}pal", "pay�200B pal"), ("\u{FEFF}pay", "�FEFF pay"),
      ("pay\u{AD}.pal", "pay�AD.pal"), ("pay\u{200D}pal", "pay�200D pal"),
      ("pay\u{200C}", "pay�200C"),
      ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("क\u{200D}ष", "क\u{200D}ष"),
    ])
  func cleaning(name: String, expected: String) {
    #expect(SpokenName.clean(name) == expected)
    #expect(SpokenName.clean(SpokenName.clean(name)) == SpokenName.clean(name))
  }

  /// Letters and marks of which nothing is seen or heard, by the parts of the table that Unicode has of
  /// them (Default_Ignorable_Code_Point), and a blank of Braille.
  private static let hiding: [UInt32] = [
    0xAD, 0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180D, 0x180E, 0x180F, 0x200B, 0x200C,
    0x200D, 0x2060, 0x2064, 0x2065, 0x206F, 0x2800, 0x3164, 0xFE00, 0xFE0E, 0xFE0F, 0xFEFF, 0xFFA0,
    0xFFF0, 0x1BCA0, 0x1BCA3, 0x1D173, 0x1D17A, 0xE0020, 0xE007F, 0xE0080, 0xE0100, 0xE01EF,
    0xE0FFF,
  ]

  @Test("K19 What nobody sees or hears in a name is told by its number", arguments: hiding)
  func unseen(number: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(number))
    for (before, after) in [
      ("pay", ".pdf"), ("", "pay"), ("pay", "pal"), ("1", ""), ("\u{416}", ""),
    ] {
      let name = SpokenName.clean(before + String(scalar) + after)
      let told = "\u{FFFD}" + String(number, radix: 16, uppercase: true)
      #expect(name.hasPrefix(before + told), "\(name)")
      #expect(SpokenName.clean(name) == name)
      #expect(!name.unicodeScalars.contains(scalar))
    }
  }

  @Test(
    "K19 Marks that belong to the letters and pictures beside them are no noise",
    arguments: [
      "\u{2764}\u{FE0F}.txt", "\u{1F469}\u{200D}\u{2764}\u{FE0F}\u{200D}\u{1F468}",
      "1\u{FE0F}\u{20E3}",
      "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
      "\u{845B}\u{E0100}\u{98FE}", "\u{1820}\u{180B}\u{182D}", "\u{115F}\u{1161}",
      "\u{1100}\u{1160}",
      "\u{2801}\u{2800}\u{2803}", "\u{845B}\u{FE00}",
      "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}", "\u{915}\u{94D}\u{200D}\u{937}",
    ])
  func belonging(name: String) {
    #expect(SpokenName.clean(name) == name)
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

  @Test(
    "A name longer than the longest is cut and marked",
    arguments: ["x", "ä", "😀", "👩‍👩‍👧", "\u{1B}"])
  func longNames(piece: String) {
    let name = SpokenName.clean(String(repeating: piece, count: 100_000))
    #expect(name.unicodeScalars.count == SpokenName.longest + 1)
    #expect(name.hasSuffix("…"))
    let bytes = SpokenName.clean(Array(String(repeating: piece, count: 100_000).utf8))
    #expect(bytes.unicodeScalars.count <= SpokenName.longest + 1)
    #expect(bytes.hasSuffix("…"))
  }

  @Test("A name of exactly the longest length stays whole")
  func exactlyLongest() {
    let name = String(repeating: "ü", count: SpokenName.longest)
    #expect(SpokenName.clean(name) == name)
  }
}
