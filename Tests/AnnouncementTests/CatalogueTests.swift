import CLinux
import FoundationEssentials
import Glibc
import KeyDragLocale
import Synchronization
import Testing

@testable import KeyDragCore

/// Everything that can be said, in every language that there is.
@Suite("Every announcement in every language")
struct CatalogueTests {
  /// The languages that are promised.
  static let languages = [
    "de", "fr", "es", "it", "pt_BR", "nl", "sv", "pl", "cs", "ru", "uk", "tr", "el", "ar", "he",
    "hi", "ja", "zh_CN", "ko",
  ]

  static func catalogue(_ language: String) throws -> GettextCatalogue {
    let (catalogue, problem) = CataloguePath(environment: [:]).open(language)
    try #require(problem == nil)
    return catalogue
  }

  /// The wordings of a language: for the eye and for the ear, full and brief.
  private func books(_ language: String) throws -> [Phrasebook] {
    let catalogue = try Self.catalogue(language)
    let shown = [Verbosity.full, .brief].map { Phrasebook(catalogue: catalogue, verbosity: $0) }
    return shown + shown.map(\.spoken)
  }

  private static let written = Mutex<[String: [[String]]]>([:])

  /// All that can be said, in each of the ``books(_:)``.
  private func texts(_ language: String) throws -> [[String]] {
    if let texts = Self.written.withLock({ $0[language] }) { return texts }
    let texts = try books(language).map { AnnouncementSamples.all.map($0.text) }
    Self.written.withLock { $0[language] = texts }
    return texts
  }

  @Test("All that is promised is there, and nothing else")
  func promised() {
    #expect(Set(CataloguePath(environment: [:]).languages) == Set(Self.languages))
  }

  /// What is left unfilled, doubled, or a mark for voices.
  private static let unwanted = [
    "$@", "%1", "  ", "..", ",,", " ,", "。。", "।।", "：:", "《", "》", "｜", "Optional(",
  ]

  @Test(
    "K20: every announcement has words with nothing left to fill and nothing doubled",
    arguments: languages)
  func filled(language: String) throws {
    for (number, texts) in try texts(language).enumerated() {
      let isSpoken = number >= 2
      let wrong = texts.filter { text in
        let marks = text.unicodeScalars.filter { (0x2066...0x2069).contains($0.value) }
        return text.isEmpty || Self.unwanted.contains { strstr(text, $0) != nil }
          || text.first == " " || text.last == " "
          || marks.filter { $0 == "\u{2069}" }.count * 2 != marks.count
          || isSpoken && !marks.isEmpty
      }
      #expect(wrong == [])
    }
  }

  @Test(
    "K21: in every language the brief wording is never longer than the full one",
    arguments: languages)
  func brief(language: String) throws {
    let texts = try texts(language)
    for (full, brief) in [(texts[0], texts[1]), (texts[2], texts[3])] {
      let longer = zip(full, brief).filter { $1.count > $0.count }
      #expect(longer.isEmpty, "\(longer)")
    }
  }

  /// Function words and terms of the program that no other language has for the same thing.
  private static let english: Set<String> = [
    "the", "of", "and", "here", "there", "place", "places", "folder", "items", "held",
    "moved", "copied", "copy", "move", "trash", "drop", "drops", "back", "not", "with", "more",
    "this", "selected", "nothing", "can't", "undo", "refuses", "accepts", "done", "open", "what",
  ]
  /// Words of other languages that are spelt like those.
  private static let homographs: [String: Set<String>] = [
    "nl": ["of", "open", "items"], "pl": ["folder"], "fr": ["place"],
  ]

  @Test("K20: no announcement is left in English", arguments: languages)
  func translated(language: String) throws {
    let catalogue = try Self.catalogue(language)
    let english = Self.english.subtracting(Self.homographs[language] ?? [])
    for announcement in AnnouncementSamples.all {
      // Its detail is a whole sentence of its own, which the sample has in English.
      if case .problem(.configuration) = announcement { continue }
      let text = Phrasebook(catalogue: catalogue).text(announcement)
      let words = text.lowercased().split { !$0.isLetter && $0 != "'" }.map(String.init)
      let left = words.filter { english.contains($0) }
      #expect(left.isEmpty, "\(left) in \(text)")
    }
  }

  /// Words in Latin letters that people say in these languages as they are.
  private static let international: Set<String> = [
    "keydrag", "doctor", "espeak", "ng", "ctrl", "control", "tab", "enter", "escape", "esc",
    "shift",
    "alt", "delete", "del", "insert", "ins", "home", "end", "page", "up", "down", "backspace",
    "run", "desktop", "xdg", "runtime", "dir", "byte", "kilobyte", "megabyte", "gigabyte",
    "terabyte",
    // Settings that are typed as they are, and what they are about.
    "wayland", "xwayland", "gdk", "backend", "qt", "qpa", "platform", "xcb", "moz", "enable",
    "ozone", "announce", "orca", "atspi", "notification", "auto", "speech", "on", "tour",
  ]

  @Test(
    "K20: where another script is written, Latin letters are names and keys only",
    arguments: ["ru", "uk", "el", "ar", "he", "hi", "ja", "zh_CN", "ko"])
  func script(language: String) throws {
    let names: Set<String> = [
      "a", "b", "c", "d", "e", "f", "txt", "docs", "inbox", "next", "viewer", "sorted", "files",
      "rome", "oslo", "trash", "user", "xyz", "xx", "contact", "cards", "config", "yaml", "mp", "x",
      "polish", "text", "document", "ada", "vcf", "png", "image", "space", "sway", "pipe",
      // The letter on a key.
      "v",
      // A command.
      "chattr", "ia",
    ]
    let catalogue = try Self.catalogue(language)
    for announcement in AnnouncementSamples.all {
      if case .problem(.configuration) = announcement { continue }
      let text = Phrasebook(catalogue: catalogue).text(announcement)
      let words = text.lowercased().split { !($0.isASCII && $0.isLetter) }.map(String.init)
      let left = words.filter { !names.contains($0) && !Self.international.contains($0) }
      #expect(left.isEmpty, "\(left) in \(text)")
    }
  }

  // MARK: Plural forms

  private struct Verdict: Decodable {
    var language: String
    var one: String
    var other: String
    var count: Int
    var text: String
  }

  private static let counts = [0, 1, 2, 5, 11, 21, 100, 3, 22, 101, 111, 1_000_000]

  private static let hasBabel = (try? run(["/usr/bin/python3", "-c", "import babel"]).status) == 0

  @Test(
    "K20: every message with a count takes the form that CLDR's rule picks",
    .enabled(if: hasBabel, "needs python3-babel: apt-get install python3-babel"))
  func plurals() throws {
    let verdicts = try Self.verdicts()
    #expect(Set(verdicts.map(\.language)) == Set(Self.languages))
    var catalogues: [String: GettextCatalogue] = [:]
    for language in Self.languages { catalogues[language] = try Self.catalogue(language) }
    for verdict in verdicts {
      let catalogue = try #require(catalogues[verdict.language])
      let text = catalogue.sentence(one: verdict.one, other: verdict.other, count: verdict.count)
      #expect(text == verdict.text, "\(verdict.language) \(verdict.count)")
    }
  }

  /// What Babel says of every catalogue.
  private static func verdicts() throws -> [Verdict] {
    let here = URL(filePath: #filePath).deletingLastPathComponent()
    let localization = here.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Localization")
    let catalogues = languages.map { localization.appending(path: "\($0).po").path }
    let (status, output) = try run(
      ["/usr/bin/python3", here.appending(path: "plural_referee.py").path]
        + [counts.map(String.init).joined(separator: ",")] + catalogues)
    try #require(status == 0)
    return try output.split(separator: "\n").map {
      try JSONDecoder().decode(Verdict.self, from: Data($0.utf8))
    }
  }

  /// Runs a program to its end, with its output in a file: a pipe would fill up.
  private static func run(_ command: [String]) throws -> (status: Int32, output: String) {
    let path = TemporaryPath.unique()
    defer { unlink(path) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    // A file that another test is just writing would stay open for writing in here.
    clinux_spawn_closing_from(&actions, 3)
    var arguments = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    guard posix_spawn(&process, command[0], &actions, nil, &arguments, environ) == 0 else {
      return (69, "")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let output = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    return ((status >> 8) & 0xFF, output)
  }
}

private enum TemporaryPath {
  static func unique() -> String {
    var template = Array("/tmp/keydrag-plurals-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    if file >= 0 { close(file) }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
