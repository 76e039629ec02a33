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
