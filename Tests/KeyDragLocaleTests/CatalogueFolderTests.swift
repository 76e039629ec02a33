import Foundation
import KeyDragCore
import Testing

@testable import KeyDragLocale

@Suite("Where catalogues are")
struct CatalogueFolderTests {
  private func folder(with languages: [String]) throws -> Scratch {
    let scratch = try Scratch()
    for language in languages {
      try scratch.write("", to: "C.UTF-8/LC_MESSAGES/keydrag-\(language).mo")
    }
    return scratch
  }

  @Test("The first folder that holds a catalogue is taken")
  func first() throws {
    let (none, empty) = (try Scratch(), try folder(with: []))
    try empty.makeFolder("C.UTF-8/LC_MESSAGES")
    let (one, two) = (try folder(with: ["de"]), try folder(with: ["fr"]))
    let paths = [none, empty, one, two].map(\.folder.path)
    let found = CatalogueFolder(candidates: [""] + paths, built: ["de", "pl"])
    #expect(found.path == one.folder.path)
    #expect(found.languages == ["de", "pl"])
    let other = CatalogueFolder(candidates: [two.folder.path], built: ["de"])
    #expect(other.languages == ["de", "fr"])
  }

  @Test("Where no folder holds a catalogue there is none, and the program's languages stay known")
  func none() throws {
    let none = try Scratch()
    let found = CatalogueFolder(candidates: [none.folder.path], built: ["de"])
    #expect(found.path == nil)
    #expect(found.languages == ["de"])
    #expect(found.open("en").problem == nil)
    #expect(found.open("de").problem == .catalogue(language: "German"))
  }

  @Test("KEYDRAG_LOCALEDIR comes first, and what was built with the program last")
  func environment() throws {
    let one = try folder(with: ["qaa"])
    let found = CatalogueFolder(environment: ["KEYDRAG_LOCALEDIR": one.folder.path])
    #expect(found.path == one.folder.path)
    #expect(found.languages == BuiltCatalogues.languages + ["qaa"])
    for value in ["", "/nowhere"] {
      let usual = CatalogueFolder(environment: ["KEYDRAG_LOCALEDIR": value])
      #expect(usual == CatalogueFolder(environment: [:]))
      #expect(usual.languages == BuiltCatalogues.languages)
    }
  }

  @Test("A folder given from where the program is started is known by its whole path")
  func relative() throws {
    let one = try folder(with: ["qab"])
    let current = FileManager.default.currentDirectoryPath
    let up = current.split(separator: "/").map { _ in ".." }.joined(separator: "/")
    let relative = up + one.folder.path
    #expect(
      CatalogueFolder(candidates: [relative], built: []).path == "\(current)/\(relative)")
  }

  @Test("Files that are no language's are passed over")
  func strangers() throws {
    let names = ["..", "DE", "de_de", "de-DE", "C", "deutsch", "de.UTF-8", "x y", "de_DE", "qac"]
    let one = try folder(with: names)
    try one.write("", to: "C.UTF-8/LC_MESSAGES/other-fr.mo")
    try one.write("", to: "C.UTF-8/LC_MESSAGES/keydrag-it.po")
    let found = CatalogueFolder(candidates: [one.folder.path], built: [])
    #expect(found.languages == ["de_DE", "qac"])
  }

  @Test(
    "A catalogue that is missing or can't be used is said once, with English in its place",
    arguments: [
      ("de", "German"), ("pt_BR", "Portuguese (Brazil)"), ("zh_CN", "Chinese (China mainland)"),
      ("ja", "Japanese"), ("../../etc", "../../etc"), ("qad", "qad"),
    ])
  func unusable(language: String, name: String) throws {
    let one = try folder(with: ["qad"])
    let found = CatalogueFolder(candidates: [one.folder.path], built: ["de", "pt_BR", "zh_CN"])
    let (catalogue, problem) = found.open(language)
    #expect(catalogue.language == "en")
    #expect(problem == .catalogue(language: name))
  }

  @Test("A catalogue that may not be read is said, with English in its place")
  func noPermission() async {
    // In a process of its own, which gives up the rights of root.
    await #expect(processExitsWith: .success) {
      let package = try Fixture.compiled(["qae": Fixture.catalogue("qae", "")])
      let file = package.url("built/C.UTF-8/LC_MESSAGES/keydrag-qae.mo").path
      #expect(chmod(file, 0) == 0)
      if geteuid() == 0 { #expect(setuid(65_534) == 0) }
      let found = CatalogueFolder(candidates: [package.url("built").path], built: [])
      #expect(found.languages == ["qae"])
      #expect(found.open("qae").problem != nil)
    }
  }

  @Test("A second folder does not take the words from the first, and opens nothing itself")
  func secondFolder() throws {
    func folder(_ word: String) throws -> (Scratch, CatalogueFolder) {
      let text = "msgid \"Yes\"\nmsgstr \"\(word)\"\n"
      let package = try Fixture.compiled(["qah": Fixture.catalogue("qah", text)])
      return (package, CatalogueFolder(candidates: [package.url("built").path], built: []))
    }
    let ((one, first), (two, second)) = (try folder("Oui"), try folder("Ja"))
    let (catalogue, problem) = first.open("qah")
    #expect(problem == nil)
    #expect(second.open("qah").problem != nil)
    #expect(catalogue.sentence("Yes", context: nil) == "Oui")
    #expect(first.open("qah").catalogue.sentence("Yes", context: nil) == "Oui")
    #expect(one.folder != two.folder)
  }

  @Test("What is said names the language, what follows and what to do")
  func words() {
    let problem = Problem.catalogue(language: "German")
    #expect(
      Phrasebook(catalogue: GettextCatalogue()).problemText(problem)
        == "The messages in German can't be read. English is used. Install KeyDrag again.")
  }

  @Test(
    "LANGUAGE in the environment does not hide a catalogue, and programs we start still get it",
    arguments: ["fr", "fr:qaf", "C", "qaf"])
  func languageVariable(value: String) async {
    await #expect(processExitsWith: .success) { [value] in
      setenv("LANGUAGE", value, 1)
      let text = "msgid \"Yes\"\nmsgstr \"Oui\"\n"
      let catalogue = try #require(
        try Fixture.open(["qaf": Fixture.catalogue("qaf", text)])["qaf"])
      #expect(catalogue.sentence("Yes", context: nil) == "Oui")
      #expect(getenv("LANGUAGE").map { String(cString: $0) } == "C.UTF-8:\(value)")
    }
  }

  @Test("No locale has to be set or installed", arguments: ["C", "C.UTF-8", "xx_XX.UTF-8", ""])
  func locales(value: String) async {
    await #expect(processExitsWith: .success) { [value] in
      setenv("LC_ALL", value, 1)
      unsetenv("LANG")
      let text = "msgid \"Yes\"\nmsgstr \"Ölé\"\n"
      let catalogue = try #require(
        try Fixture.open(["qag": Fixture.catalogue("qag", text)])["qag"])
      #expect(catalogue.sentence("Yes", context: nil) == "Ölé")
      #expect(getenv("LANGUAGE") == nil)
    }
  }
}
