import Foundation
import KeyDragCore
import Testing

@testable import KeyDragConfiguration

private func load(_ text: String) -> LoadedConfiguration {
  ConfigurationFile.read(Array(text.utf8), from: "/c/keydrag/config.yaml")
}

/// The example in the guide.
private let example: String = {
  let guide = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../../Sources/KeyDrag/KeyDrag.docc/Guide/Settings-and-profiles.md")
  let text = (try? String(contentsOf: guide, encoding: .utf8)) ?? ""
  let blocks = text.components(separatedBy: "<!-- the settings -->\n```yaml\n")
  return blocks.last?.components(separatedBy: "```").first ?? ""
}()

@Suite struct ConfigurationReaderTests {
  @Test(
    "a file without settings means the usual ones",
    arguments: ["", "\n\n", "# only a comment\n", "---\n", "~\n", "\u{FEFF}", "{}"])
  func empty(_ text: String) {
    #expect(load(text) == LoadedConfiguration())
  }

  @Test("the example in the guide holds every setting at its usual value")
  func exampleSettings() {
    #expect(load(example) == LoadedConfiguration())
    for name in [
      "language", "verbosity", "speech", "synthesizer", "rate", "pitch", "volume", "voices",
      "earcons", "clash", "wait-for-disk", "show-hidden", "shortcuts", "threshold", "keys",
    ] {
      #expect(example.contains("\n\(name):") || example.contains("# \(name):"))
    }
  }

  @Test("what the example shows in comments is understood as well")
  func exampleUncommented() {
    var text = example
    for name in ["language", "voices", "keys"] {
      text = text.split(separator: "# \(name):", maxSplits: 1).joined(separator: "\(name):")
    }
    let lines = text.split(separator: "\n").map { $0.hasPrefix("#   ") ? $0.dropFirst(2) : $0 }
    let loaded = load(lines.joined(separator: "\n"))
    #expect(loaded.problems.isEmpty)
    #expect(loaded.configuration.language == "en")
    #expect(loaded.configuration.voices == ["en": "en-us", "de": "de+f3"])
    #expect(
      loaded.configuration.keys.map(\.command) == ["pick-up", "drop", "pick-up", "deliveries"])
  }

  @Test("every setting is read")
  func all() {
    let loaded = load(
      """
      language: no
      verbosity: brief
      speech: off
      synthesizer: speech-dispatcher
      rate: 300
      pitch: 0
      volume: 80
      voices: {en: en-us, pt-BR: "pt-br+f2"}
      earcons: yes
      clash: skip
      wait-for-disk: false
      show-hidden: true
      threshold: 2 GB
      """)
    var expected = Configuration()
    expected.language = "no"
    expected.verbosity = .brief
    expected.speech = .off
    expected.synthesizer = .dispatcher
    expected.rate = 300
    expected.pitch = 0
    expected.volume = 80
    expected.voices = ["en": "en-us", "pt-BR": "pt-br+f2"]
    expected.earcons = true
    expected.clash = .skip
    expected.flushesToDevice = false
    expected.showsHidden = true
    expected.threshold = 2_000_000_000
    #expect(loaded == LoadedConfiguration(configuration: expected))
  }

  @Test("keys keep their order and their places")
  func keys() {
    let loaded = load(
      """
      keys:
        carrying:
          drop: [enter, "ctrl+d"]
          cancel: escape
        browsing:
          pick-up: []
      """)
    #expect(loaded.problems.isEmpty)
    let carrying = ConfigurationPlace(line: 2, column: 3)
    #expect(
      loaded.configuration.keys == [
        KeySetting(
          phase: "carrying", phasePlace: carrying, command: "drop",
          commandPlace: ConfigurationPlace(line: 3, column: 5),
          strokes: [
            .init(name: "enter", place: ConfigurationPlace(line: 3, column: 12)),
            .init(name: "ctrl+d", place: ConfigurationPlace(line: 3, column: 19)),
          ]),
        KeySetting(
          phase: "carrying", phasePlace: carrying, command: "cancel",
          commandPlace: ConfigurationPlace(line: 4, column: 5),
          strokes: [.init(name: "escape", place: ConfigurationPlace(line: 4, column: 13))]),
        KeySetting(
          phase: "browsing", phasePlace: ConfigurationPlace(line: 5, column: 3),
          command: "pick-up", commandPlace: ConfigurationPlace(line: 6, column: 5), strokes: []),
      ])
  }

  @Test(
    "sizes are read as people write them",
    arguments: [
      ("0", 0), ("5000000", 5_000_000), ("16 MiB", 16_777_216), ("2GB", 2_000_000_000),
      ("1 kib", 1024), ("", nil), ("-5", nil), ("5 bananas", nil), ("99999999999 GiB", nil),
    ] as [(String, Int64?)])
  func sizes(_ text: String, _ bytes: Int64?) {
    #expect(ByteSize.parse(text) == bytes)
  }
}

@Suite struct ConfigurationProblemTests {
  @Test(
    "what is wrong is told with its place, its reason and the remedy, and the rest is used",
    arguments: [
      (
        "rate: fast", 1, 7,
        #""rate" must be a whole number from 80 to 450, not "fast". The usual value is used."#
      ),
      (
        "\nrate: 79", 2, 7,
        #""rate" must be a whole number from 80 to 450, not "79". The usual value is used."#
      ),
      (
        "rate: [1]", 1, 7,
        #""rate" must be a whole number from 80 to 450, not a list. The usual value is used."#
      ),
      (
        "rate:", 1, 6,
        #""rate" must be a whole number from 80 to 450, not empty. The usual value is used."#
      ),
      (
        "speech: loud", 1, 9,
        #""speech" must be auto, on or off, not "loud". The usual value is used."#
      ),
      (
        "earcons: maybe", 1, 10,
        #""earcons" must be true or false, not "maybe". The usual value is used."#
      ),
      ("verbosty: brief", 1, 1, #"There is no setting "verbosty". Did you mean "verbosity"?"#),
      ("colour: blue", 1, 1, #"There is no setting "colour". Remove it."#),
      (
        "language: ../x", 1, 11,
        #""language" must be a language tag like pl or pt-BR, not "../x". The usual value is used."#
      ),
      (
        "voices:\n  en: ../../etc/passwd", 2, 7,
        #""en" must be the name of an espeak-ng voice, like en-us or de+f3, not "../../etc/passwd". The usual value is used."#
      ),
      (
        "keys: [a]", 1, 7,
        #""keys" must be phases with commands in them, not a list. The usual value is used."#
      ),
      (
        "keys:\n  any:\n    quit: {a: b}", 3, 11,
        #""quit" must be a list of strokes like ctrl+t, not a list of settings. The usual value is used."#
      ),
      (
        "rate: \"\\e[31m\"", 1, 7,
        "\"rate\" must be a whole number from 80 to 450, not \"\u{FFFD}[31m\". The usual value is used."
      ),
    ])
  func wrong(_ text: String, _ line: Int, _ column: Int, _ sentence: String) {
    let loaded = load("\(text)\nvolume: 33")
    #expect(loaded.problems.map { $0.words(in: Phrasebook()) } == [sentence])
    #expect(loaded.problems.first?.place == ConfigurationPlace(line: line, column: column))
    #expect(
      loaded.problems.first?.problem(in: Phrasebook())
        == .configuration(file: "config.yaml", line: line, column: column, detail: sentence))
    var expected = Configuration()
    expected.volume = 33
    #expect(loaded.configuration == expected)
  }

  @Test(
    "a file that does not parse has a line and a column, and the usual settings are used",
    arguments: [
      ("rate: 200\nvolume: [", 3, 1), ("a: b: c", 1, 5), ("rate: \"x", 1, 9),
      ("\trate: 1", 1, 1), ("rate: 1\n---\nrate: 2", 2, 1), ("- a\n- b", 1, 1), ("words", 1, 1),
      ("rate: 1\nrate: 2", 1, 1), ("rate: \u{1}", 1, 7),
    ])
  func syntax(_ text: String, _ line: Int, _ column: Int) {
    let loaded = load(text)
    #expect(loaded.problems.map(\.place) == [ConfigurationPlace(line: line, column: column)])
    #expect(loaded.configuration == Configuration())
  }

  @Test(
    "what the parser says of a mistake is told in our own words",
    arguments: [
      ("volume: [", .valueMissing), ("a: 1\nvolume", .colonMissing), ("a: b: c", .colonTooMany),
      ("a: [1, 2\nb: 2", .listNotClosed), ("a: {b: 1\nc: 2", .braceNotClosed),
      ("a: \"x", .quoteNotClosed), ("a:\n  b: 1\n c: 2", .indentation), ("a: - b", .indentation),
      ("\ta: 1", .character), ("a: %x", .character), ("a: \u{1}", .control),
      ("a: 1\n---\nb: 2", .severalDocuments), ("a: |x\n b", .other),
    ] as [(String, ConfigurationProblem.SyntaxProblem)])
  func mistakes(_ text: String, _ mistake: ConfigurationProblem.SyntaxProblem) {
    #expect(load(text).problems.map(\.kind) == [.syntax(mistake)])
  }

  @Test("several things wrong are all told, in order, up to a bounded number")
  func several() {
    let loaded = load("rate: 1\nvolume: x\npitch: 101\nshow-hiden: true")
    #expect(loaded.problems.map(\.place.line) == [1, 2, 3, 4])
    let many = load((0..<500).map { "a\($0): 1" }.joined(separator: "\n"))
    #expect(many.problems.count == 21)
    #expect(many.problems.last?.kind == .more)
  }

  @Test(
    "anchors and aliases are refused before they are put in",
    arguments: [
      ("a: &x [1]\nb: *x", 1, 4), ("# *ok*\nrate: *x", 2, 7), ("a: [1,*x]", 1, 7),
      ("\"k\":*x", 1, 5), ("é: *x", 1, 4), ("&x a: 1", 1, 1),
    ])
  func anchors(_ text: String, _ line: Int, _ column: Int) {
    let loaded = load(text)
    #expect(loaded.problems.map(\.kind) == [.anchor])
    #expect(loaded.problems.first?.place == ConfigurationPlace(line: line, column: column))
  }

  @Test(
    "a star or an ampersand that is no alias is nothing special",
    arguments: [
      "rate: 200 # *very* fast & loud", "rate: 200\n# &x", "keys: {any: {quit: [\"*\", \"&\"]}}",
    ])
  func noAnchors(_ text: String) {
    #expect(load(text).problems.isEmpty)
  }

  @Test("a bomb of aliases, and one of brackets, are refused")
  func bombs() {
    var bomb = "a0: &a0 [x]\n"
    for level in 1...40 {
      let before = "*a\(level - 1)"
      bomb += "a\(level): &a\(level) [\(before),\(before),\(before)]\n"
    }
    #expect(load(bomb).problems.map(\.kind) == [.anchor])
    #expect(load(String(repeating: "[", count: 100_000)).problems.count == 1)
    #expect(load(String(repeating: "- ", count: 100_000)).problems.count == 1)
    #expect(load(String(repeating: "{a: ", count: 100_000)).problems.count == 1)
  }

  @Test("a mistyped name finds the nearest one, a strange one finds none")
  func nearest() {
    #expect(load("rtae: 200").problems.map(\.kind) == [.unknown("rtae", nearest: "rate")])
    #expect(load("Volumes: 3").problems.map(\.kind) == [.unknown("Volumes", nearest: "volume")])
    #expect(load("xyz: 3").problems.map(\.kind) == [.unknown("xyz", nearest: nil)])
  }
}
