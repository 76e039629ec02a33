import Foundation
import KeyDragCore
import Testing

@testable import KeyDragLocale

@Suite("Where catalogues are")
struct CataloguePathTests {
  /// A folder with compiled catalogues: what each says for "Yes".
  private func folder(_ words: [String: String]) throws -> Scratch {
    try Fixture.compiled(
      Dictionary(
        uniqueKeysWithValues: words.map { language, word in
          (language, Fixture.catalogue(language, "msgid \"Yes\"\nmsgstr \"\(word)\"\n"))
        }))
  }

  private func yes(_ path: CataloguePath, _ language: String) -> String {
    path.open(language).catalogue.sentence("Yes", context: nil)
  }

  private func built(_ scratch: Scratch) -> String { scratch.url("built").path }

  @Test("Of each language the first catalogue counts, and folders that hold none are passed over")
  func first() throws {
    let (none, one) = (try Scratch(), try folder(["de": "Ja", "fr": "Oui"]))
    let two = try folder(["de": "Jawohl", "it": "Sì"])
    let path = CataloguePath(
      folders: ["", none.folder.path, built(one), built(two)], built: ["de", "pl"])
    #expect(path.languages == ["de", "pl", "fr", "it"])
    #expect(yes(path, "de") == "Ja")
    #expect(yes(path, "it") == "Sì")
    #expect(path.open("pl").problem == .catalogue(language: "Polish"))
  }

  @Test("Where the first catalogue of a language is damaged the next one is used")
  func damaged() throws {
    let (one, two) = (try folder(["de": "Ja"]), try folder(["de": "Jawohl"]))
    try one.write("no catalogue", to: "built/de/LC_MESSAGES/keydrag.mo")
    let path = CataloguePath(folders: [built(one), built(two)], built: [])
    #expect(yes(path, "de") == "Jawohl")
    #expect(path.open("de").problem == nil)
  }

  @Test("Where no folder holds a catalogue the program's languages stay known, and English is used")
  func none() throws {
    let none = try Scratch()
    let path = CataloguePath(folders: [none.folder.path], built: ["de"])
    #expect(path.languages == ["de"])
    #expect(path.open("en").problem == nil)
    #expect(path.open("de").problem == .catalogue(language: "German"))
  }

  @Test(
    "KEYDRAG_LOCALEDIR comes first, then what lies with the program, the person's, the system's")
  func environment() throws {
    let path = CataloguePath(environment: [
      "KEYDRAG_LOCALEDIR": "own", "XDG_DATA_HOME": "/me", "XDG_DATA_DIRS": "/a:relative:/b:/a",
    ])
    #expect(path.folders.first == "own")
    #expect(path.folders.suffix(3) == ["/me/locale", "/a/locale", "/b/locale"])
    #expect(path.folders.contains { $0.hasSuffix("/" + BuiltCatalogues.folder) })
    let usual = CataloguePath(environment: ["HOME": "/me", "KEYDRAG_LOCALEDIR": ""])
    #expect(
      usual.folders.suffix(3) == [
        "/me/.local/share/locale", "/usr/local/share/locale", "/usr/share/locale",
      ])
    #expect(CataloguePath(environment: [:]).folders.count == usual.folders.count - 1)
  }

  @Test("A language that the person has added is there beside those that were built")
  func added() throws {
    let mine = try Scratch()
    let one = try folder(["qaa": "Yo"])
    try mine.write(
      try one.bytes("built/qaa/LC_MESSAGES/keydrag.mo"), to: "locale/qaa/LC_MESSAGES/keydrag.mo")
    let path = CataloguePath(environment: ["XDG_DATA_HOME": mine.folder.path])
    #expect(path.languages == BuiltCatalogues.languages + ["qaa"])
    #expect(yes(path, "qaa") == "Yo")
    #expect(path.open("de").catalogue.sentence("Goodbye.", context: nil) != "Goodbye.")
  }

  @Test(
    "What was built is looked for beside a program that lies where it was built, and only there")
  func development() {
    let folder = BuiltCatalogues.folder
    #expect(folder.hasPrefix("plugins/outputs/"))
    #expect(
      CataloguePath.built(beside: "/p/.build/x86_64-unknown-linux-gnu/debug") == [
        "/p/.build/\(folder)", "/p/.build/x86_64-unknown-linux-gnu/\(folder)",
      ])
    #expect(CataloguePath.built(beside: "/p/.build/release").contains("/p/.build/\(folder)"))
    for installed in ["/usr/bin", "/usr/local/bin", "/me/.local/bin", "", "/"] {
      #expect(CataloguePath.built(beside: installed) == [])
    }
  }

  @Test(
    "An app may bring the messages under a name of its own, and uses KeyDrag's where it has none")
  func domain() throws {
    let one = try folder(["de": "Ja", "fr": "Oui"])
    let two = try folder(["de": "Aber ja"])
    try two.write(
      try two.bytes("built/de/LC_MESSAGES/keydrag.mo"), to: "built/de/LC_MESSAGES/words.mo")
    try FileManager.default.removeItem(at: two.url("built/de/LC_MESSAGES/keydrag.mo"))
    let folders = [built(one), built(two)]
    let words = CataloguePath(folders: folders, built: [], domain: "words")
    #expect(yes(words, "de") == "Aber ja")
    #expect(yes(words, "fr") == "Oui")
    #expect(yes(CataloguePath(folders: folders, built: []), "de") == "Ja")
  }

  @Test("Files that are no language's are passed over")
  func strangers() throws {
    let one = try Scratch()
    for name in ["DE", "de_de", "de-DE", "C", "deutsch", "de.UTF-8", "x y", "de_DE", "qac"] {
      try one.write("", to: "\(name)/LC_MESSAGES/keydrag.mo")
    }
    try one.write("", to: "fr/LC_MESSAGES/other.mo")
    try one.write("", to: "it/LC_MESSAGES/keydrag.po")
    try one.write("", to: "es/keydrag.mo")
    #expect(CataloguePath(folders: [one.folder.path], built: []).languages == ["de_DE", "qac"])
  }

  @Test(
    "A catalogue that is missing or can't be used is said once, with English in its place",
    arguments: [
      ("de", "German"), ("pt_BR", "Portuguese (Brazil)"), ("zh_CN", "Chinese (China mainland)"),
      ("ja", "Japanese"), ("../../etc", "../../etc"), ("qad", "qad"),
    ])
  func unusable(language: String, name: String) throws {
    let one = try Scratch()
    try one.write("", to: "qad/LC_MESSAGES/keydrag.mo")
    let path = CataloguePath(folders: [one.folder.path], built: ["de", "pt_BR", "zh_CN"])
    let (catalogue, problem) = path.open(language)
    #expect(catalogue.language == "en")
    #expect(problem == .catalogue(language: name))
  }

  @Test("A catalogue that may not be read is said, with English in its place")
  func noPermission() async {
    // In a process of its own, which gives up the rights of root.
    await #expect(processExitsWith: .success) {
      let package = try Fixture.compiled(["qae": Fixture.catalogue("qae", "")])
      #expect(chmod(package.url("built/qae/LC_MESSAGES/keydrag.mo").path, 0) == 0)
      if geteuid() == 0 { #expect(setuid(65_534) == 0) }
      let path = CataloguePath(folders: [package.url("built").path], built: [])
      #expect(path.languages == ["qae"])
      #expect(path.open("qae").problem != nil)
    }
  }

  @Test("What is said names the language, what follows and what to do")
  func words() {
    let problem = Problem.catalogue(language: "German")
    #expect(
      Phrasebook(catalogue: GettextCatalogue()).problemText(problem)
        == "The messages in German can't be read. English is used. Install KeyDrag again.")
  }

  @Test(
    "No locale has to be set or installed, and the environment stays as it is",
    arguments: ["C", "C.UTF-8", "C.utf8", "xx_XX.UTF-8", ""], ["", "fr", "C"])
  func locales(value: String, list: String) async {
    await #expect(processExitsWith: .success) { [value, list] in
      setenv("LC_ALL", value, 1)
      setenv("LANGUAGE", list, 1)
      unsetenv("LANG")
      let text = "msgid \"Yes\"\nmsgstr \"Ölé\"\n"
      let catalogue = try #require(
        try Fixture.open(["qag": Fixture.catalogue("qag", text)])["qag"])
      #expect(catalogue.sentence("Yes", context: nil) == "Ölé")
      #expect(getenv("LANGUAGE").map { String(cString: $0) } == list)
    }
  }
}
