import Foundation
import Testing

@testable import KeyDragLocale

/// What the build does with catalogues, by the same program.
@Suite("Compiling and extracting messages")
struct CatalogueToolTests {
  private func german(_ message: String) -> [String: String] {
    ["de": Fixture.catalogue("de", message)]
  }

  @Test(
    "A wrong placeholder in a catalogue is an error that names file and line",
    arguments: [
      "msgid \"Left %1$@.\"\nmsgstr \"%2$@ verlassen.\"\n",
      "msgid \"Left %1$@.\"\nmsgstr \"Verlassen.\"\n",
      "msgid \"%1$@ at %2$@\"\nmsgstr \"%1$@\"\n",
      "msgid \"%1$@ cat\"\nmsgid_plural \"%1$@ cats\"\nmsgstr[0] \"Katze\"\nmsgstr[1] \"Katzen\"\n",
    ])
  func wrongPlaceholder(message: String) throws {
    let package = try Fixture.package(german("#, objc-format\n" + message))
    let result = try Tool.compile(package)
    #expect(result.status == 1)
    #expect(result.errors.contains(#/Localization/de\.po:1[5-7]: /#), "\(result.errors)")
    #expect(result.errors.hasSuffix("error: mistakes in the catalogues: de\n"))
    #expect(!package.exists("Built.swift"))
  }

  @Test("A catalogue that is no catalogue is an error that names file and line")
  func broken() throws {
    let package = try Fixture.package(german("msgid \"Left\nmsgstr\n"))
    let result = try Tool.compile(package)
    #expect(result.status == 1)
    #expect(result.errors.contains("Localization/de.po:14: "), "\(result.errors)")
  }

  @Test("Every catalogue with a mistake is named, and the sound ones compiled")
  func several() throws {
    let wrong = "#, objc-format\nmsgid \"Left %1$@.\"\nmsgstr \"%2$@\"\n"
    let package = try Fixture.package([
      "de": Fixture.catalogue("de", wrong), "fr": Fixture.catalogue("fr", ""),
      "it": Fixture.catalogue("it", wrong),
    ])
    let result = try Tool.compile(package)
    #expect(result.errors.hasSuffix("error: mistakes in the catalogues: de, it\n"))
    #expect(package.exists("built/fr/LC_MESSAGES/keydrag.mo"))
  }

  @Test("A language that leaves LINGUAS leaves what is built, and a new one comes in")
  func changes() throws {
    let package = try Fixture.compiled(german(""))
    #expect(try package.text("Built.swift").contains("languages: [String] = [\"de\"]"))
    try package.write(Fixture.catalogue("fr", ""), to: "Localization/fr.po")
    try package.write("fr\n", to: "Localization/LINGUAS")
    #expect(try Tool.compile(package).status == 0)
    let names = try FileManager.default.subpathsOfDirectory(atPath: package.url("built").path)
    #expect(names.sorted() == ["fr", "fr/LC_MESSAGES", "fr/LC_MESSAGES/keydrag.mo"])
    #expect(try package.text("Built.swift").contains("languages: [String] = [\"fr\"]"))
  }

  @Test("No path of whoever builds is written into the program")
  func noPath() throws {
    let package = try Fixture.package(german(""))
    let folder = "x/plugins/outputs/keydrag/plugins/outputs/app/KeyDragLocale/locale"
    let constant = package.url("Built.swift").path
    let result = try Tool.run(
      "compile", package.folder.path, package.url(folder).path, constant)
    #expect(result.status == 0, "\(result.errors)")
    let text = try package.text("Built.swift")
    #expect(text.contains("\"plugins/outputs/app/KeyDragLocale/locale\""), "\(text)")
    #expect(!text.contains(package.folder.path), "\(text)")
  }

  @Test("What is no catalogue's stays in the folder that is built into")
  func strangers() throws {
    let package = try Fixture.package(german(""))
    try package.write("mine", to: "built/notes/keydrag.txt")
    #expect(try Tool.compile(package).status == 0)
    #expect(package.exists("built/notes/keydrag.txt"))
  }

  @Test("The file that names the folder is not written again when it says the same")
  func unchangedConstant() throws {
    let package = try Fixture.compiled(german(""))
    let old = Date(timeIntervalSince1970: 1_000_000)
    try FileManager.default.setAttributes(
      [.modificationDate: old], ofItemAtPath: package.url("Built.swift").path)
    #expect(try Tool.compile(package).status == 0)
    let attributes = try FileManager.default.attributesOfItem(
      atPath: package.url("Built.swift").path)
    #expect(attributes[.modificationDate] as? Date == old)
  }

  @Test(
    "LINGUAS may name languages only, and only those that have a catalogue",
    arguments: [
      ("../de", "is not a language"), ("de-DE", "is not a language"), ("xx", "there is no xx.po"),
    ])
  func languages(line: String, said: String) throws {
    let package = try Fixture.package([:])
    try package.write("\(line)\n", to: "Localization/LINGUAS")
    let result = try Tool.compile(package)
    #expect(result.status == 1)
    #expect(result.errors.contains(said), "\(result.errors)")
  }

  @Test("Without gettext the build says what to install")
  func noGettext() throws {
    let package = try Fixture.package(german(""))
    for result in [
      try Tool.compile(package, environment: ["PATH": package.folder.path]),
      try Tool.run("extract", package.folder.path, environment: ["PATH": ""]),
    ] {
      #expect(result.status == 1)
      #expect(result.errors.hasSuffix("was not found. Install gettext: apt install gettext\n"))
    }
  }

  // MARK: Extraction

  private static let source = #"""
    func words() -> [String] {
      [
        // When one leaves. %1$@ is a folder.
        phrase("Left %1$@.", name),
        // The key.
        term(in: "key", "End"),
        // %1$@ is a number.
        plural("%1$@ file", "%1$@ files", count), other("Not a message"),
        """
        Not a "message" either: phrase("no")
        """,
      ]
    }
    """#

  private static let template = #"""
    #. When one leaves. %1$@ is a folder.
    #: Sources/B/Words.swift
    #, objc-format
    msgid "Left %1$@."
    msgstr ""

    #. The key.
    #: Sources/B/Words.swift
    msgctxt "key"
    msgid "End"
    msgstr ""

    #. %1$@ is a number.
    #: Sources/B/Words.swift
    #, objc-format
    msgid "%1$@ file"
    msgid_plural "%1$@ files"
    msgstr[0] ""
    msgstr[1] ""

    """#

  @Test("The template holds messages, contexts, plurals and comments, and no line numbers or dates")
  func extraction() throws {
    let package = try Fixture.package([:])
    try package.write(Self.source, to: "Sources/B/Words.swift")
    let result = try Tool.run("extract", package.folder.path)
    #expect(result.status == 0, "\(result.errors)")
    let text = try package.text("Localization/keydrag.pot")
    #expect(text.hasSuffix("\n\n" + Self.template), "\(text)")
    #expect(!text.contains(/20\d\d|fuzzy|:\d+\n/))
  }

  @Test("What is new in the code comes into each catalogue, and what was there is kept")
  func merging() throws {
    let old = "msgctxt \"key\"\nmsgid \"End\"\nmsgstr \"Ende\"\n"
    let package = try Fixture.package(german(old))
    try package.write(Self.source, to: "Sources/B/Words.swift")
    #expect(try Tool.run("extract", package.folder.path).status == 0)
    let text = try package.text("Localization/de.po")
    #expect(text.contains("msgid \"End\"\nmsgstr \"Ende\"\n"))
    #expect(text.contains("#, objc-format\nmsgid \"Left %1$@.\"\nmsgstr \"\"\n"))
    #expect(!text.contains("fuzzy"))
    #expect(!package.exists("Localization/de.po~"))
  }

  @Test("A check writes nothing, and tells which messages are new and which are gone")
  func check() throws {
    let package = try Fixture.package([:])
    try package.write(Self.source, to: "Sources/B/Words.swift")
    let missing = try Tool.run("extract", package.folder.path, "--check")
    #expect(missing.status == 1)
    #expect(!package.exists("Localization/keydrag.pot"))
    #expect(try Tool.run("extract", package.folder.path).status == 0)
    #expect(try Tool.run("extract", package.folder.path, "--check").status == 0)
    let before = try package.text("Localization/keydrag.pot")
    try package.write(
      Self.source.replacing("Left %1$@.", with: "Gone from %1$@."), to: "Sources/B/Words.swift")
    let changed = try Tool.run("extract", package.folder.path, "--check")
    #expect(changed.status == 1)
    #expect(changed.errors.contains("Run: swift package --allow-writing-to-package-directory"))
    #expect(changed.errors.contains("+ #. When one leaves."))
    #expect(changed.errors.contains("msgid \"Gone from %1$@.\""))
    #expect(changed.errors.contains("msgid \"Left %1$@.\""))
    #expect(try package.text("Localization/keydrag.pot") == before)
  }

  @Test(
    "Words that the tool does not know are answered with how it is used",
    arguments: [("extract", "x", "--chekc"), ("compile", "x", "y"), ("", "", "")])
  func usage(first: String, second: String, third: String) throws {
    let result = try Tool.run(first, second, third)
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("error: usage: "), "\(result.errors)")
  }
}
