import Foundation
import Testing

@testable import CatalogueTool
@testable import KeyDragLocale

@Suite("The lexicon of readings")
struct LexiconTests {
  private func lexicon(_ lines: String...) throws -> Lexicon {
    try Lexicon(lines.joined(separator: "\n"), name: "Localization/xx.lexicon")
  }

  @Test(
    "K20: the longest entry that fits is read, and only whole words",
    arguments: [
      ("archivo Ctrl", "archivo ｜Ctrl《Control》"), ("Ctrls Ctrl_x", "Ctrls Ctrl_x"),
      ("(Ctrl)", "(｜Ctrl《Control》)"), ("Ctrl y Alt", "Ctrl y Alt"),
      (#"a\nCtrl \"Ctrl\""#, #"a\n｜Ctrl《Control》 \"｜Ctrl《Control》\""#),
    ])
  func longest(text: String, marked: String) throws {
    let lexicon = try lexicon("# a remark", "", "Ctrl\tControl", "Ctrl y\tCtrl y")
    #expect(lexicon.marked(text) == marked)
  }

  @Test("K20: an entry for one plural form is read in that form alone")
  func forms() throws {
    let lexicon = try lexicon("[0] %1$@ fil\ten fil", "[2] fil\tfill", "fil\tfile")
    #expect(lexicon.marked("%1$@ fil", form: 0) == "｜%1$@ fil《en fil》")
    #expect(lexicon.marked("%1$@ fil", form: 1) == "%1$@ ｜fil《file》")
    #expect(lexicon.marked("%1$@ fil", form: 2) == "%1$@ ｜fil《fill》")
    #expect(lexicon.marked("%1$@ fil") == "%1$@ ｜fil《file》")
  }

  @Test(
    "K20: in Japanese a reading behind kana begins a word, and a particle ends one",
    arguments: [
      ("%1$@を使えません", "%1$@を｜使《 つか》えません"), ("使えません", "｜使《つか》えません"),
      ("ここはタイトル", "ここ｜は《わ 》タイトル"), ("今は、", "｜今《いま》｜は《わ》、"),
      ("今は使えません", "｜今《いま》｜は《わ》｜使《 つか》えません"), ("ゴミ箱", "ゴミ｜箱《ばこ》"),
    ])
  func japanese(text: String, marked: String) throws {
    let lexicon = try lexicon("使\tつか", "は\tわ", "今\tいま", "箱\tばこ")
    #expect(lexicon.marked(text) == marked)
  }

  @Test("The head of a catalogue and its sources are left as they are")
  func catalogue() throws {
    let head = "msgid \"\"\nmsgstr \"\"\n\"Language: xx\\n\"\n\n"
    let text =
      "#. xx\nmsgid \"xx\"\nmsgid_plural \"xx\"\nmsgstr[0] \"xx\"\nmsgstr[1] \"\"\n\"xx\"\n"
    let marked = "#. xx\nmsgid \"xx\"\nmsgid_plural \"xx\"\nmsgstr[0] \"｜xx《y》\"\n"
    #expect(
      try lexicon("xx\ty").marked(catalogue: head + text)
        == head + marked + "msgstr[1] \"\"\n\"｜xx《y》\"\n")
  }

  @Test(
    "A line that is no entry is an error that names file and line",
    arguments: ["word", "\ty", "x\t", "x\ty\tz", "[0] \ty", "｜x\ty", "x\t《y》", "x\ty\nx\tz"])
  func mistakes(line: String) throws {
    let package = try Fixture.package(["de": Fixture.catalogue("de", "")])
    try package.write("# Words\n\(line)\n", to: "Localization/de.lexicon")
    let result = try Tool.compile(package)
    #expect(result.status == 1)
    #expect(result.errors.contains(#/error: Localization/de\.lexicon:[23]: /#), "\(result.errors)")
  }

  @Test("K20: what is compiled is shown as the catalogue has it, and spoken as the lexicon has it")
  func compiled() throws {
    let package = try Fixture.package([
      "he": Fixture.catalogue("he", "msgid \"Left %1$@.\"\nmsgstr \"פתיחת %1$@.\"\n")
    ])
    try package.write("פתיחת\tפּתיחַת\n", to: "Localization/he.lexicon")
    let result = try Tool.compile(package)
    #expect(result.status == 0, "\(result.errors)")
    let file = package.url("built/he/LC_MESSAGES/keydrag.mo")
    let catalogue = GettextCatalogue(
      name: "he", messages: try #require(MessageFile(path: file.path)))
    #expect(catalogue.sentence("Left %1$@.", context: nil) == "פתיחת %1$@.")
    #expect(catalogue.spoken.sentence("Left %1$@.", context: nil) == "פּתיחַת %1$@.")
  }

  @Test("A translator sees words, and each entry is of a word that there is")
  func project() throws {
    for language in Project.languages {
      let catalogue = try Project.text(Localization.catalogue(language))
      #expect("｜《》".allSatisfy { strstr(catalogue, String($0)) == nil }, "\(language)")
      guard let words = try? Project.text(Localization.lexicon(language)) else { continue }
      for line in words.split(separator: "\n") where !line.hasPrefix("#") {
        let text = line.prefix { $0 != "\t" }.replacing(#/^\[[0-9]\] /#, with: "")
        #expect(strstr(catalogue, String(text)) != nil, "\(language): \(text)")
      }
    }
  }
}
