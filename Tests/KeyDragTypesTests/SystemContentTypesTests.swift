import KeyDragCore
import Testing

@testable import KeyDragTypes

@Suite("Content types of the system")
struct SystemContentTypesTests {
  private let types = SystemContentTypes()

  @Test(
    "A type is told by its name alone",
    arguments: [
      ("notes.txt", "text/plain"), ("photo.PNG", "image/png"), ("ada.vcf", "text/vcard"),
      ("paper.pdf", "application/pdf"), ("no-suffix-at-all", "application/octet-stream"),
      ("", "application/octet-stream"),
    ])
  func byName(name: String, type: String) {
    #expect(types.type(forName: name, head: nil) == type)
  }

  @Test("Where the name tells nothing, the first bytes do")
  func byContents() {
    #expect(types.type(forName: "letter", head: Array("Dear Ada,\n".utf8)) == "text/plain")
    let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    #expect(types.type(forName: "scan", head: png) == "image/png")
    #expect(types.name(of: types.type(forName: "x", head: [])) == "empty file")
  }

  @Test(
    "A type conforms to what it is a kind of",
    arguments: [
      ("text/vcard", "text/plain", true), ("image/png", "image/png", true),
      ("image/png", "text/plain", false), ("text/x-csrc", "text/plain", true),
      ("image/png", "image/*", true), ("image/jpeg", "image/*", true),
      ("image/png", "text/*", false),
      ("text/vcard", "text/*", true), ("text/calendar", "text/plain", true),
      ("image/svg+xml", "application/xml", true), ("text/plain", "text/vcard", false),
      ("image/png", "*/*", true), ("image/png", "application/octet-stream", true),
      ("inode/directory", "application/octet-stream", false),
    ])
  func conformance(type: String, other: String, isSo: Bool) {
    #expect(types.conforms(type, to: other) == isSo)
  }

  @Test(
    "Types have names in plain words",
    arguments: [
      ("text/plain", "text document"), ("inode/directory", "folder"), ("image/png", "PNG image"),
      ("application/octet-stream", "file"), ("application/x-never-heard-of", "file"),
    ])
  func names(type: String, name: String) {
    #expect(types.name(of: type) == name)
  }

  @Test(
    "Two names of one type are one type",
    arguments: [
      ("text/x-vcard", "text/vcard"), ("text/directory", "text/vcard"), ("image/jpg", "image/jpeg"),
    ])
  func aliases(name: String, type: String) {
    #expect(types.conforms(name, to: type))
    #expect(types.conforms(type, to: name))
    #expect(types.name(of: name) == types.name(of: type))
    #expect(types.fileExtension(for: name) == types.fileExtension(for: type))
  }

  @Test("Other names of a type are looked for in the accept list as well")
  func aliasInAcceptList() throws {
    let provider = try ItemProvider(
      suggestedName: "Ada",
      representations: [
        Representation("text/html", bytes: [1]), Representation("text/x-vcard", bytes: [2]),
      ])
    let form = provider.richest(accepted: ["text/plain", "text/vcard"], conforms: types.conforms)
    #expect(form?.contentType == "text/x-vcard")
    // Nothing is named there: HTML is a text too, and comes first.
    let text = provider.richest(accepted: ["text/plain"], conforms: types.conforms)
    #expect(text?.contentType == "text/html")
  }

  @Test(
    "H24: a file of a type is named so that it opens again",
    arguments: [
      ("text/vcard", "vcf"), ("text/calendar", "ics"), ("text/plain", "txt"),
      ("text/html", "html"), ("image/png", "png"), ("image/jpeg", "jpg"), ("image/gif", "gif"),
      ("application/pdf", "pdf"), ("text/markdown", "md"), ("text/csv", "csv"),
      ("image/svg+xml", "svg"), ("audio/flac", "flac"),
    ])
  func extensions(type: String, ending: String) {
    #expect(types.fileExtension(for: type) == ending)
    #expect(types.type(forName: "x.\(ending)", head: nil) == type)
  }

  @Test(
    "A type that has no files, or is none, has no ending",
    arguments: ["application/x-never-heard-of", "inode/directory", "", "../../etc/passwd"])
  func noExtension(type: String) {
    #expect(types.fileExtension(for: type) == nil)
  }

  @Test("Endings are taken from plain patterns alone")
  func globs() {
    let text = """
      <glob pattern="*.tar.gz"/><glob weight="60" pattern="*.a/b"/><glob pattern="README*"/>
      <glob pattern="*.[ch]"/><glob pattern="*.c++"/><glob pattern="*."/><glob pattern="*.open
      """
    #expect(TypeGlobs.endings(in: text) == ["tar.gz", "c++"])
  }

  private struct German: Catalogue {
    let language = "de"
    func sentence(_ source: String, context: String?) -> String {
      ["text document": "Text", "file": "Datei"][source] ?? source
    }
    func sentence(one: String, other: String, count: Int) -> String { other }
  }

  @Test("Types have names in the person's language, where the database has them")
  func otherLanguage() {
    let german = TypeNames(
      phrases: Phrasebook(catalogue: German()), folders: MimeFolders.ofEnvironment())
    #expect(german.name(of: "image/png") == "PNG-Bild")
    // Names that KeyDrag has itself come from its own catalogue.
    #expect(german.name(of: "text/plain") == "Text")
    #expect(german.name(of: "application/x-never-heard-of") == "Datei")
  }

  @Test("A name is taken in the language, the base language, or none, in that order")
  func comments() {
    let text = """
      <mime-type type="a/b"><comment>plain &amp; simple</comment>
      <comment xml:lang="pt">em pt</comment><comment xml:lang="pt_BR">em br</comment></mime-type>
      """
    #expect(TypeComments.comment(in: text, language: "pt_BR") == "em br")
    #expect(TypeComments.comment(in: text, language: "pt-BR") == "em br")
    #expect(TypeComments.comment(in: text, language: "pt_PT") == "em pt")
    #expect(TypeComments.comment(in: text, language: "fi") == "plain & simple")
    #expect(TypeComments.comment(in: "<comment>unclosed", language: "fi") == nil)
  }

  @Test(
    "A type that is no type never becomes part of a path",
    arguments: ["../../etc/passwd", "a/../b", "/etc", "a/", "text", "a/b/c", "a/.b", "a/b\n"])
  func pathTraversal(type: String) {
    #expect(!TypeNames.isPlain(type))
    #expect(TypeNames(phrases: Phrasebook(), folders: ["/"]).name(of: type) == "file")
  }

  @Test("The database is looked for where the base directory specification says")
  func folders() {
    #expect(
      MimeFolders.folders(dataHome: nil, home: "/home/ada", dataFolders: nil) == [
        "/home/ada/.local/share/mime", "/usr/local/share/mime", "/usr/share/mime",
      ])
    #expect(
      MimeFolders.folders(dataHome: "/d", home: "/h", dataFolders: "relative:/s")
        == ["/d/mime", "/s/mime"])
  }
}
