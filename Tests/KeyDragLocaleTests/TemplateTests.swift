import Foundation
import Testing

/// The messages of this project.
@Suite("The template and the catalogues")
struct TemplateTests {
  @Test("The template holds the messages that are in the code, and no others")
  func upToDate() throws {
    let result = try Tool.run("extract", Project.top.path, "--check")
    #expect(result.status == 0, "\(result.errors)")
  }

  /// The entries of a catalogue, without its header.
  private func entries(_ text: String) -> [[Substring]] {
    text.components(separatedBy: "\n\n").dropFirst().map { $0.split(separator: "\n") }
  }

  @Test("Every message has a comment for its translators that names each of its placeholders")
  func comments() throws {
    let entries = entries(try Project.text("Localization/keydrag.pot"))
    #expect(entries.count > 300)
    for lines in entries {
      let comment = lines.filter { $0.hasPrefix("#. ") }.joined(separator: " ")
      let message = lines.filter { !$0.hasPrefix("#") }.joined(separator: "\n")
      #expect(!comment.isEmpty, "no comment: \(message)")
      let missing = Set(message.matches(of: /%[1-9]\$@/).map { String($0.output) })
        .filter { !comment.contains($0) }.sorted()
      #expect(missing == [], "\(comment): \(message)")
    }
  }

  @Test("Every message is a literal as it stands: nothing is put into it but by placeholders")
  func literals() throws {
    for lines in entries(try Project.text("Localization/keydrag.pot")) {
      let message = lines.filter { !$0.hasPrefix("#") }.joined(separator: "\n")
      #expect(!message.contains("\\(") && !message.contains("\\u"), "\(message)")
      #expect(!message.contains("  "), "\(message)")
    }
  }

  /// What is not right in a catalogue, in the words of gettext's tools.
  private func mistakes(_ catalogue: String, template: String) throws -> [String] {
    var result: [String] = []
    for kind in ["--only-fuzzy", "--untranslated", "--only-obsolete"] {
      let found = try Finished(
        "/usr/bin/env", ["msgattrib", kind, "--no-wrap", catalogue],
        environment: ["LC_ALL": "C.UTF-8", "LANGUAGE": ""])
      #expect(found.status == 0, "\(found.errors)")
      let messages = found.output.components(separatedBy: "\n\n").dropFirst()
      result += messages.map { "\(kind): \($0)" }
    }
    let compared = try Finished(
      "/usr/bin/env", ["msgcmp", catalogue, template],
      environment: ["LC_ALL": "C.UTF-8", "LANGUAGE": ""])
    return compared.status == 0 ? result : result + [compared.errors]
  }

  @Test("LINGUAS names every catalogue there is")
  func listed() throws {
    let folder = Project.top.appending(path: "Localization")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let names = files.filter { $0.hasSuffix(".po") }.map { String($0.dropLast(".po".count)) }
    #expect(names.sorted() == Project.languages.sorted())
  }

  @Test(
    "Every catalogue is complete: nothing left to translate, doubtful, or out of use",
    arguments: Project.languages)
  func complete(language: String) throws {
    let folder = Project.top.appending(path: "Localization")
    let found = try mistakes(
      folder.appending(path: "\(language).po").path,
      template: folder.appending(path: "keydrag.pot").path)
    #expect(found == [])
  }

  @Test("What is not complete in a catalogue is found")
  func incomplete() throws {
    let template = "#. x\nmsgid \"One\"\nmsgstr \"\"\n\n#. x\nmsgid \"Two\"\nmsgstr \"\"\n"
    let whole = "msgid \"One\"\nmsgstr \"Eins\"\n\nmsgid \"Two\"\nmsgstr \"Zwei\"\n"
    let scratch = try Scratch()
    try scratch.write(Fixture.catalogue("de", template), to: "all.pot")
    func count(_ text: String) throws -> Int {
      try scratch.write(Fixture.catalogue("de", text), to: "de.po")
      return try mistakes(scratch.url("de.po").path, template: scratch.url("all.pot").path).count
    }
    #expect(try count(whole) == 0)
    #expect(try count(whole + "\n#~ msgid \"Old\"\n#~ msgstr \"Alt\"\n") == 1)
    #expect(try count(whole.replacing("Zwei", with: "")) == 2)
    #expect(try count("#, fuzzy\n" + whole) == 2)
    #expect(try count("msgid \"One\"\nmsgstr \"Eins\"\n") == 1)
  }
}
