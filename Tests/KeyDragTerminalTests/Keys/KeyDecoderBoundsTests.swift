import KeyDragCore
import Testing

@testable import KeyDragTerminal

/// A small generator with a fixed start (SplitMix64), so that a failure comes again.
struct SteadyGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

@Suite("What is not a key")
struct KeyDecoderBoundsTests {
  @Test(
    "Reports, broken sequences and bytes that are no text become no keys",
    arguments: [
      "\u{1B}[?62;22c", "\u{1B}[24;80R", "\u{1B}[<0;10;10M", "\u{1B}[M !!", "\u{1B}[I",
      "\u{1B}]11;rgb:0000/0000/0000\u{07}", "\u{1B}P>|XTerm(370)\u{1B}\\", "\u{1B}[?1;2$y",
      "\u{1B}[1;5", "\u{1B}[97:65;5u", "\u{1B}[999999999999999999u", "\u{1B}[1114112u",
      "\u{1B}[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1A", "\u{1B}[201~", "\u{1B}[57399u", "\u{1B}[u",
      "\u{1B}_Gi=1;OK\u{1B}\\",
    ])
  func notKeys(bytes: String) throws {
    #expect(try decode(bytes).isEmpty)
  }

  @Test(
    "Bytes that are not UTF-8 are dropped and the next key is read",
    arguments: [[0xFF], [0xC3], [0xE2, 0x82], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF5], [0x9B]])
  func notText(bytes: [UInt8]) throws {
    #expect(try decode(bytes + [0x0D]) == [.stroke(KeyStroke(.enter))])
  }

  @Test("A sequence without end is skipped whole, and the key after it is read")
  func oversized() throws {
    let endless = "\u{1B}[" + String(repeating: "1;", count: 100_000) + "A"
    #expect(try decode(endless + "\r") == [.stroke(KeyStroke(.enter))])
    let report = "\u{1B}]52;c;" + String(repeating: "A", count: 100_000) + "\u{07}"
    #expect(try decode(report + "\r") == [.stroke(KeyStroke(.enter))])
  }

  @Test(
    "A paste is one text, never keys",
    arguments: [
      ("notes.txt", "notes.txt"), ("one\r\ntwo\n", "one two"), ("\r \t\r", nil),
      ("a\u{1B}[3~\u{1A}b", "a [3~ b"), ("naïve \u{202F}x", "naïve x"), ("", nil),
      (String(repeating: "x", count: 4096), String(repeating: "x", count: 4096)),
    ] as [(String, String?)])
  func paste(pasted: String, text: String?) throws {
    let read = try decode("\u{1B}[200~" + pasted + "\u{1B}[201~\r")
    #expect(read == (text.map { [.text($0)] } ?? []) + [.stroke(KeyStroke(.enter))])
  }

  @Test(
    "A paste that is too long is told as one, and its tail is no key",
    arguments: [
      String(repeating: "x", count: 4097), String(repeating: "\u{1B}[201", count: 2000),
      String(repeating: "/tmp/x\n", count: SequenceSplitter.longestPaste / 7 + 1),
    ])
  func tooLong(pasted: String) throws {
    let read = try decode("\u{1B}[200~" + pasted + "\u{1B}[201~\r")
    #expect(read == [.tooLongPaste, .stroke(KeyStroke(.enter))])
  }

  @Test(
    "A paste of nothing but absolute paths and file addresses, one a line, is those files",
    arguments: [
      ("/tmp/a b.txt\r\n/tmp/c\n", ["/tmp/a b.txt", "/tmp/c"]),
      ("file:///tmp/a%20b.txt", ["file:///tmp/a%20b.txt"]),
      ("\n/home/\u{e9}\n\nFILE:///x\n", ["/home/\u{e9}", "FILE:///x"]),
      // VTE pastes what is dropped on it so, on one line.
      (#"'/tmp/a b.txt' '/tmp/it'\''s' "#, ["/tmp/a b.txt", "/tmp/it's"]),
      ("'/tmp/a'\n/tmp/b", ["/tmp/a", "/tmp/b"]),
      ("file://localhost/tmp/a", ["file://localhost/tmp/a"]),
      // As other terminals and programs write them.
      (#""/tmp/a b.txt" "/tmp/it's" "#, ["/tmp/a b.txt", "/tmp/it's"]),
      (#""/tmp/a\"b\c""#, [#"/tmp/a"b\c"#]), (#"/tmp/a\ b.txt"#, ["/tmp/a b.txt"]),
      (#"/tmp/a\ b.txt /tmp/c"#, ["/tmp/a b.txt", "/tmp/c"]), (#"/tmp/a\b"#, [#"/tmp/a\b"#]),
      ("file:/tmp/a%20b", ["file:/tmp/a%20b"]), (#""/tmp/a"#, nil),
      ("'/tmp/a' rm", nil), ("'/tmp/a", nil), ("'notes.txt'", nil), ("don't", nil),
      ("file://elsewhere/a", nil),
      ("/tmp/a\nrm -r b", nil), ("notes.txt", nil), ("/", nil), ("file://", nil),
      ("http://example.org/a", nil), (" /tmp/a", nil),
      (String(repeating: "/tmp/x\n", count: 20_000), Array(repeating: "/tmp/x", count: 20_000)),
    ] as [(String, [String]?)])
  func places(pasted: String, places: [String]?) throws {
    let read = try decode("\u{1B}[200~" + pasted + "\u{1B}[201~\r")
    #expect(read.first == places.map { .places($0) } || places == nil, "\(read)")
    #expect(read.contains { if case .places = $0 { true } else { false } } == (places != nil))
    #expect(read.last == .stroke(KeyStroke(.enter)))
  }

  @Test("A pasted path with bytes that are no text names no file: another may be called so")
  func unreadablePath() throws {
    let decoder = try DecoderUnderTest(terminal: "xterm")
    let paste = Array("\u{1B}[200~/tmp/bad".utf8) + [0xFF] + Array("name\u{1B}[201~".utf8)
    let read = decoder.decode(paste)
    #expect(read == [.text("/tmp/bad\u{FFFD}name")])
  }

  @Test("A paste whose end got lost is left by Escape, and nothing of it was a key")
  func lostEnd() throws {
    let decoder = try DecoderUnderTest(terminal: "xterm")
    #expect(decoder.decode(Array("\u{1B}[200~move\r\r".utf8)).isEmpty)
    #expect(!decoder.needsForce)
    #expect(decoder.decode([0x1B]).isEmpty)
    #expect(decoder.needsForce)
    #expect(decoder.force() == [.stroke(KeyStroke(.escape))])
    #expect(decoder.decode([0x0D]) == [.stroke(KeyStroke(.enter))])
  }

  @Test("A hundred thousand random strings are survived, and the keyboard works after each")
  func random() throws {
    let decoder = try DecoderUnderTest(terminal: "xterm-256color")
    var generator = SteadyGenerator(seed: 15)
    let likely = Array("\u{1B}\u{1B}\u{1B}[[O;0123456789~uAMP$^<?]_\\ \u{07}\u{1A}é名".utf8)
    var (strokes, mostPending) = (0, 0)
    var swallowed: [[UInt8]] = []
    for _ in 0..<100_000 {
      let bytes = (0..<Int.random(in: 1...24, using: &generator)).map { _ in
        Bool.random(using: &generator)
          ? UInt8.random(in: 0...255, using: &generator)
          : likely[Int.random(in: 0..<likely.count, using: &generator)]
      }
      let read = decoder.decode(bytes) + decoder.force() + decoder.decode(Array("\r".utf8))
      // Only an open paste keeps a key to itself.
      let isEnter = read.last == .stroke(KeyStroke(.enter))
      if isEnter == (decoder.pendingByteCount > 0) { swallowed.append(bytes) }
      mostPending = max(mostPending, decoder.pendingByteCount)
      strokes += read.count
    }
    #expect(swallowed.isEmpty)
    #expect(mostPending <= SequenceSplitter.longestPaste + 6)
    #expect(strokes > 100_000)
  }
}
