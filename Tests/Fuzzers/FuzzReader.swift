#if DEBUG || FUZZERS
  import Foundation
  import KeyDrag
  import KeyDragPictures

  @testable import KeyDragConfiguration
  @testable import KeyDragCore
  @testable import KeyDragLocale
  @testable import KeyDragRuntime
  @testable import KeyDragTerminal

  /// Something that reads bytes from outside.
  struct FuzzReader: Sendable {
    var name: String
    /// Words that the bytes are made of.
    var words: [String] = []
    /// Inputs beside those in the corpus.
    var seeds: [[UInt8]] = []
    /// Of so many inputs one is read, though never less than a hundred: each takes that much longer.
    var share = 1
    /// Reads an input, and says whether it was understood; ends the process where it was read as
    /// something that must not be.
    var read: @Sendable ([UInt8]) -> Bool

    /// The folder of its corpus.
    var folder: String { name.replacing(" ", with: "-") }

    static var all: [FuzzReader] {
      [
        keys, settings, profiles, scripts, contacts, pictures, catalogues, peers, dragMessages,
        dragProperties, busReplies, hostilePeers, hostileVisitors, hostileWindows, hostileHomes,
      ]
    }

    /// Ends the process where something is not as it must be.
    static func must(_ isSo: Bool, _ what: String) {
      if isSo { return }
      FileHandle.standardError.write(Data("Error: \(what)\n".utf8))
      abort()
    }

    /// Ends the process where a text is not fit to be said.
    ///
    /// Sentences of our own put marks around what is written in the other direction.
    static func mustBeSafe(_ text: String, isSentence: Bool = false) {
      must(
        !text.unicodeScalars.contains { scalar in
          SpokenName.isUnsafe(scalar) && !(isSentence && (0x2066...0x2069).contains(scalar.value))
        }, "an unsafe text")
    }

    // MARK: Texts

    /// The first byte says in how many pieces the rest arrives.
    static let keys = FuzzReader(
      name: "keys",
      words: [
        "\u{1B}", "\u{1B}[", "\u{1B}O", "\u{1B}[200~", "\u{1B}[201~", "\u{1B}[1;5A", "\u{1B}[3~",
        "\u{1B}]0;",
        "\u{1B}\\", "\u{1B}[M", "\u{1B}[<0;1;1M", "\u{1B}[[A", "\u{1B}[27;5;9~", "\u{1B}[97;5u",
        "\u{7}",
        "é", "語", "🙂", "\u{1B}P", "\u{1B}[?62;1c", "\u{1B}[5$", "\u{1B}[a", "\u{1B}Oa",
      ],
      seeds: ["\u{1}abc", "\u{2}\u{1B}[200~two\nlines\u{1B}[201~x", "\u{3}\u{1B}[1;6B\u{1B}"].map {
        Array($0.utf8)
      }
    ) { bytes in
      guard var decoder = KeyDecoder(terminal: "xterm") else { return false }
      var rest = bytes.dropFirst()
      let piece = max(Int(bytes.first ?? 1), 1)
      var inputs: [DecodedInput] = []
      while !rest.isEmpty {
        inputs += decoder.decode(rest.prefix(piece))
        rest = rest.dropFirst(piece)
        must(
          decoder.pendingByteCount <= SequenceSplitter.longestPaste + 32, "too much is kept")
        if piece.isMultiple(of: 3), decoder.needsForce { inputs += decoder.force() }
      }
      inputs += decoder.force()
      for case .text(let text) in inputs {
        must(!text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "no line")
      }
      return !inputs.isEmpty
    }

    static let settings = FuzzReader(
      name: "settings",
      words: yaml + ["language:", "keys:", "browsing:", "pick-up", "threshold: 1 GiB"],
      seeds: [
        Array(
          """
          language: en
          verbosity: full
          speech: auto
          synthesizer: auto
          rate: 175
          pitch: 50
          voices: {en: en-us, de: de+f3}
          earcons: false
          clash: keep-both
          wait-for-disk: true
          show-hidden: false
          threshold: 16 MiB
          keys:
            browsing:
              pick-up: [space, ctrl+p]

          """.utf8)
      ]
    ) { bytes in
      let loaded = ConfigurationFile.read(bytes, from: "config.yaml")
      tell(loaded.problems)
      return loaded.problems.isEmpty
    }

    static let profiles = FuzzReader(
      name: "profiles",
      words: yaml + ["rules:", "role:", "called:", "parts:", "positions:", "{name}"],
      seeds: ShippedProfiles.all.map(\.bytes)
    ) { bytes in
      do throws(ConfigurationProblem) {
        _ = try ProfileFile.read(bytes, from: "a.yaml")
        return true
      } catch {
        tell([error])
        return false
      }
    }

    private static let yaml = [
      ": ", "- ", "\n", "\n  ", "{", "}", "[", "]", "|", ">", "'", "\"", "&a ", "*a", "!!str ",
      "---\n", "...\n",
      "# ", "\t", "~", "? ", "\\u0000", "<<: ", "\u{FEFF}", "%YAML 1.1\n", "0x7f", "1e9", "é",
      "\u{85}",
    ]

    private static func tell(_ problems: [ConfigurationProblem]) {
      for problem in problems {
        must(problem.place.line > 0 && problem.place.column > 0, "no place")
        mustBeSafe(problem.words(in: Phrasebook()), isSentence: true)
      }
    }

    static let scripts = FuzzReader(
      name: "key scripts",
      words: [
        "space ", "\"", "?\"", "!ctrl+c ", ":pick-up ", "@delivered ", "shift+", "alt+", "f12 ",
        "\n", "é",
      ],
      seeds: ["\"two words\" space !ctrl+c :pick-up @delivered ?\"x\" shift+tab"].map {
        Array($0.utf8)
      }
    ) { bytes in
      do throws(ScriptError) {
        _ = try KeyScript.parse(String(decoding: bytes, as: UTF8.self))
        return true
      } catch {
        mustBeSafe(error.word)
        must(error.position > 0, "no place")
        return false
      }
    }

    /// Cards that were read are written as they came, and read again as the same.
    static let contacts = FuzzReader(
      name: "contacts",
      words: [
        "BEGIN:VCARD\r\n", "END:VCARD\r\n", "FN:", "N:a;b;c;d;e", "EMAIL;TYPE=\"a:b\":", "TEL:tel:",
        "\r\n ", "=\r\n",
        ";ENCODING=QUOTED-PRINTABLE:", ";CHARSET=ISO-8859-1", "=C3=A9", "item1.", "\\n", "\\;",
        "\r", "\n", "\0",
        "ORG:", "CLASS:PRIVATE\r\n", "NICKNAME:", "\u{FEFF}",
      ],
      seeds: [
        "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada Lovelace\r\nEMAIL:ada@example.org\r\nTEL:+1\r\nEND:VCARD\r\n",
        "BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:L=C3=A9;A=\n =20\nEND:VCARD\n",
      ].map { Array($0.utf8) }
    ) { bytes in
      guard let read = try? ContactCards(dragged: bytes, contentType: "text/vcard") else {
        return false
      }
      for card in read.cards { must(!card.name.isEmpty, "no name") }
      let again = try? ContactCards(
        dragged: read.cards.flatMap(\.source), contentType: "text/vcard")
      must(again?.cards == read.cards && again?.leftOut.isEmpty == true, "read as others")
      return true
    }

    static let pictures = FuzzReader(
      name: "pictures",
      words: [
        "IHDR", "IDAT", "IEND", "\u{89}PNG", "GIF89a", "JFIF", "BM", "P6 9 9 255\n", "<svg>",
        "RIFF", "II*\0",
      ]
    ) { bytes in
      guard let facts = try? PixbufPictures().read(bytes) else { return false }
      must(facts.width > 0 && facts.height > 0, "no size")
      must(facts.width * facts.height <= PixbufPictures.mostPixels, "too big")
      return true
    }

    static let catalogues = FuzzReader(
      name: "catalogues",
      words: [
        "\0", "\u{4}", "%1$@", "｜", "《", "》", "nplurals=2; plural=", "n%10", "?", ":", "(", "&&",
        "/0", "!",
      ]
    ) { bytes in
      guard let messages = MessageFile(bytes) else { return false }
      let catalogue = GettextCatalogue(name: "de", messages: messages)
      for words in [catalogue, catalogue.spoken] {
        mustBeSafe(words.sentence("Cancelled.", context: nil))
        mustBeSafe(words.sentence("copy", context: "noun"))
        for count in [0, 1, 2, 5, 1_000_000, .max] {
          mustBeSafe(words.sentence(one: "%1$@ item", other: "%1$@ items", count: count))
        }
      }
      return true
    }
  }
#endif
