import Foundation
import Testing

@testable import KeyDragLocale

/// Binary catalogues that are damaged, or made to do harm.
@Suite("Damaged catalogues")
struct MessageFileTests {
  private static let entries = #"""
    msgid "%1$@ file"
    msgid_plural "%1$@ files"
    msgstr[0] "%1$@ Datei"
    msgstr[1] "%1$@ Dateien"

    msgid "Goodbye."
    msgstr "Tschüss."

    msgid "Left %1$@."
    msgstr "%1$@ verlassen."

    msgid "Nothing is here."
    msgstr "Hier ist nichts."
    """#

  private static func sound() throws -> [UInt8] {
    try Fixture.compiled(["de": Fixture.catalogue("de", entries)])
      .bytes("built/de/LC_MESSAGES/keydrag.mo")
  }

  /// With a table of hashes, which the build leaves out.
  private static func hashed() throws -> [UInt8] {
    let scratch = try Scratch()
    try scratch.write(Fixture.catalogue("de", entries), to: "de.po")
    let result = try Finished(
      "/bin/sh", ["-c", #"cd "$0" && msgfmt -o de.mo de.po"#, scratch.folder.path])
    try #require(result.status == 0)
    return try scratch.bytes("de.mo")
  }

  @Test("What msgfmt writes is sound, with and without a hash table")
  func sound() throws {
    for bytes in [try Self.sound(), try Self.hashed()] {
      let messages = try #require(MessageFile(bytes))
      #expect(messages.text("Goodbye.") == "Tschüss.")
    }
  }

  @Test("A file that is cut off anywhere in its strings is not sound")
  func truncated() throws {
    let bytes = try Self.sound()
    for length in Array(stride(from: 0, to: bytes.count, by: 16)) + [27, 28, bytes.count - 1] {
      #expect(MessageFile([UInt8](bytes.prefix(length))) == nil, "\(length) bytes")
    }
  }

  /// Puts a number in place of one of those at the beginning.
  private func changed(_ bytes: [UInt8], word: Int, to value: UInt32) -> [UInt8] {
    var bytes = bytes
    withUnsafeBytes(of: value.littleEndian) { new in
      bytes.replaceSubrange(word * 4..<word * 4 + 4, with: new)
    }
    return bytes
  }

  private func word(_ index: Int, of bytes: [UInt8]) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[index * 4 + $1]) << ($1 * 8) }
  }

  @Test(
    "Numbers that lead out of the file, or into its head, make it unsound",
    arguments: [
      (0, 0), (0, 0xDE12_0495), (0, 0x9504_12DF), (1, 1), (1, 0x1_0000), (2, 0),
      (2, 0xFFFF_FFFF), (2, 0x1FFF_FFFF), (2, 6), (3, 0), (3, 29), (3, 0xFFFF_FFF8),
      (3, 0xFFFF_FFFF), (4, 0), (4, 0x7FFF_FFF8), (4, 0xFFFF_FFFC),
    ] as [(Int, UInt32)])
  func head(word: Int, value: UInt32) throws {
    #expect(MessageFile(changed(try Self.sound(), word: word, to: value)) == nil)
  }

  @Test(
    "A string that leads out of the file, or does not end in it, makes it unsound",
    arguments: [0, 1, 4], [0, 27, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt32])
  func strings(index: Int, value: UInt32) throws {
    let bytes = try Self.sound()
    for table in [3, 4] {
      let start = word(table, of: bytes) / 4 + index * 2
      #expect(MessageFile(changed(bytes, word: start + 1, to: value)) == nil, "offset")
      // The header's own message is empty, and no zero stands behind the others by this length.
      if value > 0 { #expect(MessageFile(changed(bytes, word: start, to: value)) == nil, "length") }
    }
  }

  @Test("The hash table is not used: one that is damaged changes nothing")
  func table() throws {
    let bytes = try Self.hashed()
    let (size, start) = (word(5, of: bytes), word(6, of: bytes) / 4)
    #expect(size > 2)
    var full = changed(changed(bytes, word: 5, to: 0xFFFF_FFFF), word: 6, to: 3)
    for place in start..<start + size { full = changed(full, word: place, to: 0xFFFF) }
    #expect(try #require(MessageFile(full)).text("Left %1$@.") == "%1$@ verlassen.")
  }

  @Test("Messages in no order, or one of them twice, make a file unsound")
  func order() throws {
    let bytes = try Self.sound()
    let table = word(3, of: bytes) / 4
    for (from, to) in [(2, 3), (4, 1)] {
      var wrong = bytes
      for part in 0...1 {
        wrong = changed(
          wrong, word: table + to * 2 + part, to: UInt32(word(table + from * 2 + part, of: bytes)))
      }
      #expect(MessageFile(wrong) == nil)
    }
  }

  @Test("Strings that share their bytes do no harm")
  func shared() throws {
    // Every translation is the first one: a loop of offsets is nothing to a look-up.
    var bytes = try Self.sound()
    let table = word(4, of: bytes) / 4
    for index in 1...4 {
      bytes = changed(bytes, word: table + index * 2, to: UInt32(word(table, of: bytes)))
      bytes = changed(bytes, word: table + index * 2 + 1, to: UInt32(word(table + 1, of: bytes)))
    }
    let messages = try #require(MessageFile(bytes))
    #expect(messages.text("Goodbye.")?.contains("charset=UTF-8") == true)
    #expect(messages.text("%1$@ file", count: 2)?.contains("charset=UTF-8") == true)
  }

  // MARK: The header

  private static func header(_ plurals: String) -> [UInt8] {
    Array("Content-Type: text/plain; charset=UTF-8\nPlural-Forms: \(plurals)\n".utf8)
  }

  @Test(
    "A rule for plurals that is none makes a file unsound",
    arguments: [
      "", "n%", "n%!", "m", "n n", "(n", "n)", "n==1?0", "n==1:0", "n=1", "n&1", "n|1", "n~1",
      "\\n", "n%18446744073709551616", "1e9", "0x1", "-1",
      String(repeating: "!", count: 600), String(repeating: "!", count: 100) + "n",
      String(repeating: "(", count: 100) + "n" + String(repeating: ")", count: 100),
      String(repeating: "n?", count: 100) + "n" + String(repeating: ":n", count: 100),
      String(repeating: "n+", count: 300) + "n",
    ])
  func rules(rule: String) {
    #expect(MessageHeader.plurals(in: Self.header("nplurals=2; plural=\(rule);")) == nil)
  }

  @Test(
    "A rule that can't be computed gives no form, and no signal",
    arguments: ["n%0", "n / 0", "n%n", "n%(n-n)", "1/(n!=n)", "n ? n%0 : 1/n"])
  func division(rule: String) throws {
    let plurals = try #require(
      MessageHeader.plurals(in: Self.header("nplurals=2; plural=\(rule);")))
    #expect(plurals.form(for: 0) == nil)
  }

  @Test(
    "A rule is computed as C does it",
    arguments: [
      ("n", 1, 1), ("n", 2, 0), ("0", 7, 0), ("1+1*0", 0, 1), ("n-1", 0, 0), ("!n", 0, 1),
      ("!!n", 5, 1), ("!n==1", 0, 1), ("n%10==1 && n%100!=11", 21, 1), ("n>1||n<0", 0, 0),
      ("n<=1", 1, 1), ("n>=2", 1, 0), ("3-1-1", 0, 1), ("8/2/4", 0, 1), ("n||1/0", 1, 1),
      ("n&&1/0", 0, 0), ("1?0?0:1:0", 0, 1), ("n==1?0:n==2?1:0", 2, 1), ("\t n\t", 1, 1),
      ("n-1+18446744073709551615", 3, 1), ("(n)", 1, 1), ("n<2==1", 1, 1),
    ] as [(String, UInt, Int)])
  func computed(rule: String, count: UInt, form: Int) throws {
    let plurals = try #require(
      MessageHeader.plurals(in: Self.header("nplurals=2; plural=\(rule);")))
    #expect(plurals.form(for: count) == form)
  }

  @Test(
    "A number of forms that no language has makes a file unsound",
    arguments: ["", "0", "-1", "101", "99999999999999999999", "n", " x"])
  func forms(number: String) {
    #expect(MessageHeader.plurals(in: Self.header("nplurals=\(number); plural=n;")) == nil)
  }

  @Test("A catalogue that says nothing of plurals has two forms, one for 1")
  func noRule() throws {
    for text in ["", "nplurals=3;", "plural=n;"] {
      let plurals = try #require(MessageHeader.plurals(in: Self.header(text)))
      #expect([0, 1, 2].map(plurals.form(for:)) == [1, 0, 1])
    }
  }

  @Test("Rules of real languages are sound", arguments: Fixture.plurals.keys.sorted())
  func realRules(language: String) throws {
    let rule = try #require(Fixture.plurals[language])
    #expect(MessageHeader.plurals(in: Self.header(rule)) != nil)
  }

  @Test(
    "A file in another encoding, or without one, is unsound",
    arguments: ["", "Content-Type: text/plain\n", "charset=ISO-8859-1\n", "charset=UTF-8x\n"])
  func encodings(header: String) {
    #expect(MessageHeader.plurals(in: Array(header.utf8)) == nil)
  }

  @Test("Something that is no file, or too large, is not read")
  func kinds() throws {
    let scratch = try Scratch()
    try scratch.makeFolder("folder.mo")
    mkfifo(scratch.url("pipe.mo").path, 0o600)
    try scratch.write([], to: "empty.mo")
    try scratch.write(
      try Self.sound() + [UInt8](repeating: 0, count: MessageFile.largest), to: "large.mo")
    try scratch.write(try Self.sound(), to: "sound.mo")
    for name in ["folder.mo", "pipe.mo", "empty.mo", "large.mo", "none.mo", "sound.mo/x"] {
      #expect(MessageFile(path: scratch.url(name).path) == nil, "\(name)")
    }
    #expect(MessageFile(path: scratch.url("sound.mo").path) != nil)
  }

  @Test("Whatever bytes are changed, words come out or English does, and the program goes on")
  func flipped() throws {
    let sound = try Self.sound()
    var opened = 0
    for place in sound.indices {
      for change in [0xFF, 1, 0x80] as [UInt8] {
        var bytes = sound
        bytes[place] ^= change
        guard let messages = MessageFile(bytes) else { continue }
        opened += 1
        let catalogue = GettextCatalogue(name: "de", messages: messages)
        for count in [0, 1, 100] {
          let text = catalogue.sentence(one: "%1$@ file", other: "%1$@ files", count: count)
          #expect(SafeText.checked(text) != nil)
        }
        for source in ["Goodbye.", "Left %1$@.", "Nothing is here.", "Never seen."] {
          #expect(SafeText.checked(catalogue.sentence(source, context: nil)) != nil)
        }
      }
    }
    // Most changes are in the words alone, which nobody can tell from others.
    #expect(opened > sound.count)
  }
}
