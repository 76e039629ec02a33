import KeyDragRuntime
import SystemPackage
import Testing

@testable import KeyDragApp
@testable import KeyDragConfiguration
@testable import KeyDragCore
@testable import KeyDragSpeech
@testable import KeyDragTerminal
@testable import keydrag

@Suite("Errors come from the phrasebook")
struct ErrorWordsTests {
  private let place = ConfigurationPlace(line: 3, column: 7)

  private func expectWords(_ text: String, names: [String] = []) {
    #expect(text.contains("⟦"), "\(text)")
    // The letter on a key is the same in every language.
    #expect(Pseudo.untranslated(text, names: names + ["+V"]) == [], "\(text)")
  }

  private static let expectations: [ConfigurationProblem.Expectation] = [
    .languageTag, .voices, .voiceLanguages, .voiceName, .phases, .commands, .strokes,
    .wholeNumber(80...450), .byteCount, .oneOf(["xa", "xb", "xc"]), .oneOf(["xa"]),
  ]

  private static let kinds: [ConfigurationProblem.Kind] =
    [
      .missing, .tooLarge, .notUTF8, .anchor, .notSettings, .more, .repeated("xa"),
      .unknown("xa", nearest: nil), .unknown("xa", nearest: "xb"),
    ] + Reason.allCases.map { .unreadable($0) }
    + ConfigurationProblem.SyntaxProblem.allCases.map { .syntax($0) }
    + expectations.flatMap { expected in
      [.nothing, .text("xd"), .list, .settings].map {
        .wrong("xe", expected: expected, found: $0)
      }
    }

  @Test("What is wrong in the configuration file is told in the person's language")
  func configuration() {
    for kind in Self.kinds {
      let problem = ConfigurationProblem(file: "c.yaml", place: place, kind: kind)
      let names = ["c.yaml", "xa", "xb", "xc", "xd", "xe"]
      expectWords(problem.words(in: Pseudo.phrases), names: names)
      expectWords(
        Pseudo.phrases.problemText(problem.problem(in: Pseudo.phrases)), names: names)
    }
  }

  @Test("What is wrong with the keys that the configuration sets is told in that language too")
  func keys() {
    let clashes = PhaseName.allCases.map { phase in
      KeyProblem.Kind.clash(
        Keymap.Clash(
          phase: phase, chord: [KeyStroke(.character("k"), .ctrl)], first: .pickUp,
          second: .nextItem))
    }
    let unknown: [KeyProblem.Kind] = [
      .phase("xa", nearest: nil), .phase("xa", nearest: "xb"), .command("xa", nearest: nil),
      .command("xa", nearest: "xb"), .key("xa", nearest: nil), .key("xa", nearest: "xb"),
      .notForDesktop("xa"), .nothingCalls, .desktopClash(KeyStroke(.character("k"), .ctrl)),
    ]
    for kind in unknown + clashes {
      expectWords(
        KeyProblem(place: place, kind: kind).words(in: Pseudo.phrases),
        names: ["xa", "xb", "K", "+K", "pick-up", "next-item", "deliveries"])
    }
  }

  @Test("Why no recording can be made is told with the file")
  func recording() {
    for reason in Reason.allCases {
      expectWords(
        RecordingError(name: "out.wav", reason: reason).words(in: Pseudo.phrases),
        names: ["out.wav"])
    }
  }

  @Test("Why there can be no screen is told, with what to do")
  func terminal() {
    for error in [
      .notATerminal(.input), .notATerminal(.output), .twoTerminals, .alreadyOpen,
      .system(call: "tcsetattr", code: 5),
    ] as [TerminalError] {
      expectWords(error.words(in: Pseudo.phrases))
    }
    #expect(
      TerminalError.twoTerminals.words(in: Phrasebook())
        == "Input and output are two terminals. Start keydrag from one terminal.")
  }

  @Test("A mistake in a key script is told with the word and the nearest one")
  func script() throws {
    for text in ["spac", "\"abc", "@nothing-like-it", "!spac", ":drpo"] {
      do {
        _ = try KeyScript.parse(text)
        Issue.record("\(text) is a script")
      } catch {
        expectWords(
          ScriptMistake.error(error, Pseudo.phrases).description,
          names: [text, "space", "!space", ":drop"])
      }
    }
  }

  @Test("What is wrong with a file that was named is told with its name and the reason")
  func files() async {
    for reason in Reason.allCases {
      for role in [.folder, .file, .transcript] as [CommandError.Role] {
        for name in ["xa", "."] {
          expectWords(
            CommandError.file(name, reason, as: role, Pseudo.phrases).description, names: ["xa"])
        }
      }
    }
    for name in ["/proc/nothing-like-it", "/proc/versio", "/proc/version", "/proc/version/x"] {
      do {
        _ = try await FolderArgument.checked(name, Pseudo.phrases)
        Issue.record("\(name) is a folder")
      } catch {
        expectWords(error.description, names: [name])
      }
    }
    expectWords(NameSuggestions.hint(for: "/proc/versio", Pseudo.phrases), names: ["version"])
    do {
      _ = try TranscriptFile("/proc/nothing-like-it/x", Pseudo.phrases)
      Issue.record("a transcript was made")
    } catch {
      expectWords(error.description, names: ["/proc/nothing-like-it/x"])
    }
  }

  @Test("The list of keys and the history are told in the person's language")
  func lists() {
    let commands = CommandName.allCases.map(\.rawValue)
    let functions = (1...12).map { "F\($0)" }
    let letters = "abcdefghijklmnopqrstuvwxyz".uppercased().flatMap { ["\($0)", "+\($0)"] }
    var bindings = Keymap.standard.bindings
    bindings.append(Keymap.Binding(phases: [.browsing], command: .quit, chords: []))
    for binding in bindings {
      let names = commands + functions + letters
      expectWords(KeysCommand.shown(binding, in: .carrying, Pseudo.phrases), names: names)
      expectWords(
        KeysCommand.said(binding, in: .carrying, Pseudo.phrases), names: functions + letters)
    }
    for operation in DragOperation.allCases {
      var entry = HistoryEntry(
        number: 1, operation: operation, names: ["xa", "xb"], count: 5, place: "xc", time: 0,
        isUndone: false)
      expectWords(
        HistoryCommand.line(entry, "2026-01-01 10:00", Pseudo.phrases), names: ["xa", "xb", "xc"])
      entry.isUndone = true
      #expect(HistoryCommand.line(entry, "now", Pseudo.phrases).hasSuffix("⟦, undone⟧"))
    }
  }

  @Test("The list of keys keeps its columns where names of keys are wide")
  func columns() throws {
    struct Wide: Catalogue {
      let language = "ja"
      func sentence(_ source: String, context: String?) -> String {
        source == "Space" ? "スペース" : source
      }
      func sentence(one: String, other: String, count: Int) -> String { other }
    }
    let binding = try #require(Keymap.standard.bindings.first { $0.command == .pickUp })
    #expect(
      KeysCommand.shown(binding, in: .browsing, Phrasebook(catalogue: Wide()))
        == "  スペース            pick up (pick-up)")
    #expect(KeysCommand.said(binding, in: .browsing, Phrasebook()) == "Space: pick up.")
  }
}
