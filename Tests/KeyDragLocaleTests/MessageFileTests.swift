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
      .bytes("built/C.UTF-8/LC_MESSAGES/keydrag-de.mo")
  }

  @Test("What msgfmt writes is sound, with and without a hash table")
  func sound() throws {
    #expect(MessageFile(try Self.sound()) != nil)
    let scratch = try Scratch()
    try scratch.write(Fixture.catalogue("de", Self.entries), to: "de.po")
    let result = try Finished(
      "/bin/sh", ["-c", #"cd "$0" && msgfmt --no-hash -o de.mo de.po"#, scratch.folder.path])
    #expect(result.status == 0)
    #expect(MessageFile(try scratch.bytes("de.mo")) != nil)
  }

  @Test("A file that is cut off anywhere is not sound")
  func truncated() throws {
    let bytes = try Self.sound()
    for length in Array(stride(from: 0, to: bytes.count, by: 64)) + [27, 28, bytes.count - 1] {
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

  @Test(
    "Numbers that lead out of the file, or into its head, make it unsound",
    arguments: [
      (0, 0), (0, 0xDE12_0495), (1, 1), (1, 0x1_0000), (2, 0), (2, 0xFFFF_FFFF), (2, 6), (3, 0),
      (3, 29), (3, 0xFFFF_FFF8), (4, 0x7FFF_FFF8), (5, 4), (5, 0xFFFF_FFFF), (5, 10_007),
      (6, 0xFFFF_FFFC), (6, 0),
    ] as [(Int, UInt32)])
  func head(word: Int, value: UInt32) throws {
    #expect(MessageFile(changed(try Self.sound(), word: word, to: value)) == nil)
  }

  @Test("A hash table without an empty place would be searched for ever, so it is unsound")
  func fullTable() throws {
    let bytes = try Self.sound()
    func word(_ index: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(bytes[index * 4 + $1]) << ($1 * 8) }
    }
    let (size, start) = (word(5), word(6) / 4)
    #expect(size > 2)
    var full = bytes
    for place in start..<start + size { full = changed(full, word: place, to: 1) }
    #expect(MessageFile(full) == nil)
    #expect(MessageFile(changed(bytes, word: start, to: 0xFFFF)) == nil)
  }

  @Test(
    "A rule for plurals that can do harm makes a file unsound",
    arguments: [
      "n%0", "n % 0", "n/0", "n/2", "n%n", "n%(n-n)", "n%18446744073709551616", "n%00", "n%!1",
      "n%", "\\n%0", String(repeating: "!", count: 600), String(repeating: "(", count: 600),
    ])
  func rules(rule: String) {
    let header = "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural="
    #expect(MessageHeader.isSound(Array("\(header)n != 1;\n".utf8)))
    #expect(!MessageHeader.isSound(Array("\(header)\(rule);\n".utf8)))
  }

  @Test(
    "Rules of real languages are sound", arguments: Fixture.plurals.keys.sorted())
  func realRules(language: String) throws {
    let header = Fixture.catalogue(language, "")
    let text = "charset=UTF-8\nPlural-Forms: \(try #require(Fixture.plurals[language]))\n"
    #expect(header.contains("charset=UTF-8"))
    #expect(MessageHeader.isSound(Array(text.utf8)))
  }

  @Test(
    "A file in another encoding, or without one, is unsound",
    arguments: ["", "Content-Type: text/plain\n", "charset=ISO-8859-1\n", "charset=UTF-8x\n"])
  func encodings(header: String) {
    #expect(!MessageHeader.isSound(Array(header.utf8)))
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
  func flipped() async {
    // In a process of its own: libintl keeps every file open.
    await #expect(processExitsWith: .success) {
      let sound = try Self.sound()
      let scratch = try Scratch()
      let letters = "abcdefghijklmnopqrstuvwxyz".map { String($0) }
      let variants = letters.prefix(20).flatMap { first in letters.map { "q\(first)\($0)" } }
      var opened = 0
      // A domain is loaded once, so every variant is a language of its own.
      for (index, language) in variants.enumerated() {
        var bytes = sound
        // From one end of the file to the other, single bits and whole bytes.
        let place = index * bytes.count / variants.count
        bytes[place] ^= index.isMultiple(of: 2) ? 0xFF : 1 << (index / 2 % 8)
        try scratch.write(bytes, to: "C.UTF-8/LC_MESSAGES/keydrag-\(language).mo")
        let folder = CatalogueFolder(candidates: [scratch.folder.path], built: [language])
        let (catalogue, problem) = folder.open(language)
        #expect((problem == nil) == (catalogue.language == language))
        if problem == nil { opened += 1 }
        for count in [0, 1, 2, 100] {
          let text = catalogue.sentence(one: "%1$@ file", other: "%1$@ files", count: count)
          #expect(SafeText.checked(text) != nil)
        }
        for source in ["Goodbye.", "Left %1$@.", "Nothing is here.", "Never seen."] {
          #expect(SafeText.checked(catalogue.sentence(source, context: nil)) != nil)
        }
      }
      // Most changes are in the words alone, which nobody can tell from others.
      #expect(opened > 0)
    }
  }
}
