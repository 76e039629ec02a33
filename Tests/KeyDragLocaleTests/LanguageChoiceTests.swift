import KeyDragCore
import Testing

@testable import KeyDragLocale

@Suite("Which language is spoken")
struct LanguageChoiceTests {
  private static let known = [
    "de", "fr", "es", "it", "pt_BR", "nl", "sv", "pl", "cs", "ru", "uk", "tr", "el", "ar", "he",
    "hi", "ja", "zh_CN", "ko",
  ]

  private func choice(
    _ option: String? = nil, setting: String? = nil, _ environment: [String: String] = [:]
  ) -> LanguageChoice {
    LanguageChoice(
      option: option, setting: setting, environment: environment, known: Self.known)
  }

  @Test(
    "A language is known by any shape of its name",
    arguments: [
      ("de", "de"), ("de_AT.UTF-8@euro", "de"), ("DE-de", "de"), ("de@euro", "de"), ("pt", "pt_BR"),
      ("pt_PT", "pt_BR"), ("pt-BR", "pt_BR"), ("pt_br.utf8", "pt_BR"), ("zh", "zh_CN"),
      ("zh_SG", "zh_CN"), ("zh-Hans", "zh_CN"), ("zh-Hans-CN", "zh_CN"), ("zh_Hans_TW", "zh_CN"),
      ("cmn-Hans-CN", "zh_CN"), ("iw", "he"), ("iw_IL", "he"), ("es-419", "es"),
      ("sv_FI", "sv"), ("en_GB", "en"), ("en", "en"), ("C", "en"), ("POSIX", "en"),
      ("C.UTF-8", "en"), ("c.utf8", "en"), ("ru-Latn", "ru"),
    ])
  func shapes(tag: String, language: String) {
    #expect(choice(tag) == choice(language))
    #expect(choice(tag).language == language)
    #expect(choice(tag).problem == nil)
    #expect(choice([("LANG", tag)]).language == language)
    #expect(choice([("LANG", tag)]).problem == nil)
  }

  private func choice(_ environment: [(String, String)]) -> LanguageChoice {
    choice(nil, Dictionary(uniqueKeysWithValues: environment))
  }

  @Test(
    "A language that is not there is English, and said once without its encoding",
    arguments: [
      ("xx", "xx"), ("tlh", "tlh"), ("zh_TW", "zh_TW"), ("zh-Hant", "zh-Hant"),
      ("zh-Hant-CN", "zh-Hant-CN"), ("zh_HK.UTF-8", "zh_HK"), ("da_DK.UTF-8", "da_DK"),
      ("da@mod", "da"),
    ])
  func unknown(tag: String, said: String) {
    #expect(choice(tag).language == "en")
    #expect(choice(tag).problem == .unknownLanguage(said))
    #expect(choice([("LANG", tag)]).problem == .unknownLanguage(said))
  }

  @Test(
    "Nonsense is English, and said safely",
    arguments: [
      ("../../etc", "../../etc"), ("de/../fr", "de/../fr"), ("de\nfr", "de\u{FFFD}fr"),
      ("\u{1B}[2J", "\u{FFFD}[2J"), ("deutsch", "deutsch"), ("d", "d"), ("de_", "de_"), ("_", "_"),
      ("de__DE", "de__DE"), ("de DE", "de DE"), ("détsch", "détsch"), ("12", "12"),
      ("de:fr", "de:fr"), (" ", " "), ("\0", "\u{FFFD}"), (".UTF-8", ".UTF-8"),
      ("de_abcdefghi", "de_abcdefghi"),
      (String(repeating: "x", count: 10_000), String(repeating: "x", count: 35)),
      (String(repeating: "de_", count: 4_000), String(repeating: "de_", count: 11) + "de"),
    ])
  func nonsense(tag: String, said: String) {
    #expect(choice(tag).language == "en")
    #expect(choice(tag).problem == .unknownLanguage(said))
    #expect(choice(nil, setting: tag).problem == .unknownLanguage(said))
    #expect(choice([("LANG", tag)]).language == "en")
    #expect(choice([("LANGUAGE", tag)]).language == (tag == "de:fr" ? "de" : "en"))
  }

  @Test("What is asked for on the command line comes before the configuration, both before LANG")
  func order() {
    let environment = ["LANG": "fr_FR.UTF-8"]
    #expect(choice("de", setting: "it", environment).language == "de")
    #expect(choice(nil, setting: "it", environment).language == "it")
    #expect(choice("", setting: "", environment).language == "fr")
    #expect(choice(nil, environment).language == "fr")
    #expect(choice("xx", setting: "it", environment).language == "en")
    #expect(choice(nil, setting: "en", environment).language == "en")
  }

  @Test(
    "The environment is asked in gettext's order",
    arguments: [
      ([:], "en"), (["LANG": "de_DE.UTF-8"], "de"),
      (["LANG": "de_DE", "LC_MESSAGES": "fr_FR"], "fr"),
      (["LANG": "de_DE", "LC_MESSAGES": "fr_FR", "LC_ALL": "it_IT"], "it"),
      (["LANG": "de_DE", "LC_MESSAGES": "fr_FR", "LC_ALL": "it_IT", "LANGUAGE": "es"], "es"),
      (["LANG": "de_DE", "LC_MESSAGES": "", "LC_ALL": "", "LANGUAGE": ""], "de"),
      (["LANG": "C.UTF-8", "LANGUAGE": "pl"], "pl"), (["LANGUAGE": "pl"], "pl"),
      (["LANG": "C", "LANGUAGE": "pl"], "en"), (["LC_ALL": "POSIX", "LANGUAGE": "pl"], "en"),
      (["LANG": "de_DE", "LC_ALL": "C", "LANGUAGE": "pl"], "en"),
      (["LANG": "C", "LC_ALL": "de_DE", "LANGUAGE": "pl"], "pl"),
      (["LANGUAGE": "da:nb:sv:de"], "sv"), (["LANGUAGE": "en:de"], "en"),
      (["LANGUAGE": ":", "LANG": "de_DE"], "de"), (["LANGUAGE": "::fr::"], "fr"),
      (["LANGUAGE": "da:en"], "en"), (["LANGUAGE": "../x:pl"], "pl"),
    ] as [([String: String], String)])
  func environment(_ environment: [String: String], language: String) {
    #expect(choice(nil, environment).language == language)
    #expect(choice(nil, environment).problem == nil)
  }

  @Test("Of a list in which nothing is known, the first is said")
  func unknownList() {
    #expect(choice([("LANGUAGE", "da:nb")]).problem == .unknownLanguage("da"))
    #expect(choice([("LANGUAGE", "da"), ("LANG", "de_DE")]).problem == .unknownLanguage("da"))
  }

  @Test("Of two regions the one that was asked for is taken")
  func regions() {
    func language(_ tag: String, _ known: [String]) -> String {
      LanguageChoice(option: tag, setting: nil, environment: [:], known: known).language
    }
    #expect(language("pt_PT", ["pt_BR", "pt_PT"]) == "pt_PT")
    #expect(language("pt_PT", ["pt_BR", "pt"]) == "pt")
    #expect(language("pt_AO", ["pt_BR", "pt_PT"]) == "pt_BR")
    #expect(language("zh_TW", ["zh_CN", "zh_TW"]) == "zh_TW")
    #expect(language("zh_CN", ["zh_TW"]) == "en")
  }
}
