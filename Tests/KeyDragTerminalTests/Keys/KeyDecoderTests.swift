import KeyDragCore
import Testing

@testable import KeyDragTerminal

/// Decodes in one piece and, after it, takes what is pending.
func decode(_ bytes: String, terminal: String = "xterm-256color") throws -> [DecodedInput] {
  try decode(Array(bytes.utf8), terminal: terminal)
}

func decode(_ bytes: [UInt8], terminal: String = "xterm-256color") throws -> [DecodedInput] {
  let decoder = try DecoderUnderTest(terminal: terminal)
  return decoder.decode(bytes) + decoder.force()
}

/// A decoder that expectations can look at: they take only what can be copied.
final class DecoderUnderTest {
  struct OutOfMemory: Error {}

  private var decoder: KeyDecoder

  init(terminal: String) throws {
    guard let decoder = KeyDecoder(terminal: terminal) else { throw OutOfMemory() }
    self.decoder = decoder
  }

  var needsForce: Bool { decoder.needsForce }
  var pendingByteCount: Int { decoder.pendingByteCount }

  func decode(_ bytes: [UInt8]) -> [DecodedInput] { decoder.decode(bytes) }

  func force() -> [DecodedInput] { decoder.force() }
}

@Suite("Keys from a terminal's bytes")
struct KeyDecoderTests {
  @Test("Every default key is read from what each terminal sends", arguments: DefaultKey.all)
  func defaultKeys(key: DefaultKey) throws {
    for (terminal, bytes) in key.spellings {
      #expect(try decode(bytes, terminal: terminal) == [.stroke(key.stroke)], "\(terminal)")
    }
  }

  @Test(
    "Every default key is read whatever TERM says", arguments: DefaultKey.all,
    ["dumb", "no-such-terminal", "../../etc/passwd", "rxvt", ""])
  func defaultKeysUnderAnotherName(key: DefaultKey, terminal: String) throws {
    for (_, bytes) in key.spellings {
      #expect(try decode(bytes, terminal: terminal) == [.stroke(key.stroke)])
    }
  }

  @Test("A sequence that arrives byte by byte is the same key", arguments: DefaultKey.all)
  func splitSequences(key: DefaultKey) throws {
    for (terminal, bytes) in key.spellings {
      let decoder = try DecoderUnderTest(terminal: terminal)
      var read: [DecodedInput] = []
      for byte in bytes.utf8 { read += decoder.decode([byte]) }
      #expect(read == [.stroke(key.stroke)])
      #expect(!decoder.needsForce)
    }
  }

  @Test(
    "Other spellings of the same keys are known",
    arguments: [
      ("\u{08}", KeyStroke(.backspace)), ("\u{1B}[27;5;97~", KeyStroke(.character("a"), .ctrl)),
      ("\u{1B}[122;5u", KeyStroke(.character("z"), .ctrl)), ("\u{1B}[27u", KeyStroke(.escape)),
      ("\u{1B}[65;2u", KeyStroke(.character("a"), .shift)),
      ("\u{1B}[97;2u", KeyStroke(.character("a"), .shift)),
      ("\u{1B}[63;2u", KeyStroke(.character("?"))), ("\u{1B}[9;2u", KeyStroke(.tab, .shift)),
      ("\u{1B}[32;5u", KeyStroke(.space, .ctrl)), ("\0", KeyStroke(.space, .ctrl)),
      ("\u{1B}[13;3u", KeyStroke(.enter, .alt)),
      ("\u{1B}[104;5u", KeyStroke(.character("h"), .ctrl)),
      ("\u{1B}[11~", KeyStroke(.function(1))), ("\u{1B}[14~", KeyStroke(.function(4))),
      ("\u{1B}[1;2P", KeyStroke(.function(1), .shift)),
      ("\u{1B}O2P", KeyStroke(.function(1), .shift)),
      ("\u{1B}[15;5~", KeyStroke(.function(5), .ctrl)),
      ("\u{1B}[7~", KeyStroke(.home)), ("\u{1B}[8~", KeyStroke(.end)),
      ("\u{1B}[7$", KeyStroke(.home, .shift)), ("\u{1B}[8^", KeyStroke(.end, .ctrl)),
      ("\u{1B}[5@", KeyStroke(.pageUp, [.shift, .ctrl])), ("\u{1B}[a", KeyStroke(.up, .shift)),
      ("\u{1B}Od", KeyStroke(.left, .ctrl)), ("\u{1B}O5C", KeyStroke(.right, .ctrl)),
      ("\u{1B}\u{1B}OA", KeyStroke(.up, .alt)), ("\u{1B}OM", KeyStroke(.enter)),
      ("\u{1B}x", KeyStroke(.character("x"), .alt)),
      ("\u{1B}é", KeyStroke(.character("é"), .alt)),
      ("\u{1B}X", KeyStroke(.character("x"), [.alt, .shift])),
      ("\u{1B}[", KeyStroke(.character("["), .alt)),
      ("\u{1B}O", KeyStroke(.character("o"), [.alt, .shift])),
      ("\u{1B}\u{7F}", KeyStroke(.backspace, .alt)),
    ])
  func otherSpellings(bytes: String, stroke: KeyStroke) throws {
    #expect(try decode(bytes) == [.stroke(stroke)])
  }

  @Test("K17: a lone Escape is the only thing that waits, and is read when forced")
  func loneEscape() throws {
    let decoder = try DecoderUnderTest(terminal: "linux")
    #expect(!decoder.needsForce)
    #expect(decoder.decode([0x1B]).isEmpty)
    #expect(decoder.needsForce)
    #expect(decoder.force() == [.stroke(KeyStroke(.escape))])
    #expect(!decoder.needsForce)
    #expect(decoder.force().isEmpty)
    #expect((25...50).contains(KeyDecoder.patience))
  }

  @Test("Two Escapes are two, and one before a letter typed with it is Alt")
  func twoEscapes() throws {
    let escape = DecodedInput.stroke(KeyStroke(.escape))
    #expect(try decode("\u{1B}\u{1B}") == [escape, escape])
    #expect(
      try decode("\u{1B}\u{1B}q") == [escape, .stroke(KeyStroke(.character("q"), .alt))])
  }

  @Test("A terminal's status is no key, and leaves an Escape before it what it was")
  func status() throws {
    let escape = DecodedInput.stroke(KeyStroke(.escape))
    for (bytes, read) in [
      ("\u{1B}[0n", [.status]), ("\u{1B}[3n", [.status]), ("\u{1B}\u{1B}[0n", [escape, .status]),
      ("\u{1B}[1n", []),
    ] as [(String, [DecodedInput])] {
      #expect(try decode(bytes) == read)
    }
  }

  @Test("Ctrl+Z and Ctrl+C between other keys stay where they were typed")
  func controlKeysInOrder() throws {
    #expect(
      try decode("a\u{1A}\u{1B}[B\u{03}")
        == [
          .stroke(KeyStroke(.character("a"))), .stroke(KeyStroke(.character("z"), .ctrl)),
          .stroke(KeyStroke(.down)), .stroke(KeyStroke(.character("c"), .ctrl)),
        ])
  }
}
