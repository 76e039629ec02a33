import KeyDragCore
import Testing

@testable import KeyDragSpeech

@Suite struct VoicePhonemesTests {
  /// Messages as they are handed to the voice, in every language: a name, a count, a percentage.
  static let spoken: [(language: String, text: String, unreadable: String)] = [
    ("en", "Moved notes.txt to Documents. 2 of 4, 50%", "unreadable character"),
    ("de", "notes.txt nach Dokumente verschoben. 2 von 4, 50 %", "nicht lesbares Zeichen"),
    ("fr", "notes.txt déplacé vers Documents. 2 sur 4, 50 %", "caractère illisible"),
    ("es", "notes.txt movido a Documentos. 2 de 4, 50 %", "carácter ilegible"),
    ("it", "notes.txt spostato in Documenti. 2 di 4, 50%", "carattere illeggibile"),
    ("pt-BR", "notes.txt movido para Documentos. 2 de 4, 50%", "caractere ilegível"),
    ("nl", "notes.txt verplaatst naar Documenten. 2 van 4, 50%", "onleesbaar teken"),
    ("sv", "notes.txt flyttad till Dokument. 2 av 4, 50 %", "oläsligt tecken"),
    ("pl", "Przeniesiono notes.txt do Dokumenty. 2 z 4, 50%", "nieczytelny znak"),
    ("cs", "notes.txt přesunuto do Dokumenty. 2 ze 4, 50 %", "nečitelný znak"),
    ("ru", "notes.txt перемещён в Документы. 2 из 4, 50 %", "нечитаемый символ"),
    ("uk", "notes.txt переміщено до Документи. 2 з 4, 50 %", "нечитабельний символ"),
    ("tr", "notes.txt Belgeler klasörüne taşındı. 4 içinde 2, %50", "okunamayan karakter"),
    ("el", "Το notes.txt μεταφέρθηκε στα Έγγραφα. 2 από 4, 50%", "μη αναγνώσιμος χαρακτήρας"),
    ("ar", "نُقل notes.txt إلى المستندات. ٢ من ٤، ٥٠٪", "حرف غير مقروء"),
    ("he", "הועבר notes.txt אל מסמכים. 2 מתוך 4, 50%", "תו לא קריא"),
    ("hi", "notes.txt को दस्तावेज़ में ले जाया गया। 4 में से 2, 50%", "अपठनीय वर्ण"),
    ("ja", "notes.txtを どきゅめんとに いどうしました。4ちゅうの 2、50%", "よめないもじ"),
    ("zh-CN", "已将 notes.txt 移到文档。第 2 个，共 4 个，50%", "无法读出的字符"),
    ("ko", "notes.txt을 문서로 옮겼습니다. 4개 중 2, 50%", "읽을 수 없는 문자"),
  ]

  static let names = [
    "notes.txt", "50% neu.txt", "Φωτογραφίες.zip", "Документы", "Зображення", "צילומים", "صور",
    "پرونده", "तस्वीरें", "照片", "アルバム", "東京タワー.jpg", "사진", "ภาพถ่าย", "სურათები", "Հայերեն",
    "አማርኛ", "বাংলা", "ଓଡ଼ିଆ", "தமிழ்", "ລາວ", "မြန်မာ", "ＩＭＧ＿１", "← a → b", "★", "R&B + C", "a@b",
    "5 € § 3 × 20°", "～〜・、。", "« a »",
  ]

  @Test(
    "every message is heard in its own voice, with no word left to another", arguments: spoken)
  func messages(_ message: (language: String, text: String, unreadable: String)) {
    let heard = SpeechProbe.phonemes(of: message.text, language: message.language)
    let runs = SpeechProbe.runs(of: message.text, language: message.language)
    #expect(heard.count == runs.count)
    #expect(!heard.isEmpty)
    for (run, sounds) in zip(runs, heard) { #expect(flaws(sounds) == [], "\(run)") }
    // Only the name is for another voice.
    let strangers = runs.filter { $0.language != message.language }
    #expect(strangers.allSatisfy { $0.text.contains("notes.txt") && $0.language == "en" })
  }

  @Test("a name in any script is heard in every language, and never spelled", arguments: spoken)
  func names(_ message: (language: String, text: String, unreadable: String)) {
    let settings = SpeechSettings(unreadableCharacter: message.unreadable)
    for name in Self.names {
      let heard = SpeechProbe.phonemes(of: name, language: message.language, settings: settings)
      if name != "～〜・、。" { #expect(!heard.isEmpty, "\(name)") }
      for sounds in heard { #expect(flaws(sounds) == [], "\(name)") }
    }
  }

  @Test("what can't be read is told once, in the language of the message", arguments: spoken)
  func unreadable(_ message: (language: String, text: String, unreadable: String)) {
    let settings = SpeechSettings(unreadableCharacter: message.unreadable)
    let phrase = SpeechProbe.phonemes(of: message.unreadable, language: message.language)
    #expect(phrase.count == 1)
    for name in ["ລາວ ខ្មែរ", "မြန်မာ", "⣿⣿⣿", "\u{FFFD}\u{FFFD}"] {
      let heard = SpeechProbe.phonemes(of: name, language: message.language, settings: settings)
      #expect(heard == phrase, "\(name)")
    }
  }

  /// What is wrong with these sounds.
  private func flaws(_ sounds: String) -> [String] {
    var result: [String] = []
    if !sounds.contains(where: \.isLetter) { result.append("silent: \(sounds)") }
    // "(en)" stands before what a voice leaves to another by itself.
    if sounds.contains("(") { result.append("left to another voice: \(sounds)") }
    // A character spelled by its number has a pause after each digit.
    if sounds.contains(#/_\|.*_\|.*_\|.*_:/#) { result.append("spelled: \(sounds)") }
    return result
  }

  @Test(
    "the voice of each language is the one that is meant",
    arguments: [
      ("en", "English (Great Britain)"), ("de", "German"), ("fr", "French (France)"),
      ("es", "Spanish (Spain)"), ("it", "Italian"), ("pt-BR", "Portuguese (Brazil)"),
      ("nl", "Dutch"), ("sv", "Swedish"), ("pl", "Polish"), ("cs", "Czech"), ("ru", "Russian"),
      ("uk", "Ukrainian"), ("tr", "Turkish"), ("el", "Greek"), ("ar", "Arabic"),
      ("he", "Hebrew"), ("hi", "Hindi"), ("ja", "Japanese"),
      ("zh-CN", "Chinese (Mandarin, latin as Pinyin)"),
      ("zh", "Chinese (Mandarin, latin as Pinyin)"), ("zh-HK", "Chinese (Cantonese)"),
      ("ko", "Korean"), ("pt_BR.UTF-8", "Portuguese (Brazil)"),
    ])
  func voices(_ language: String, _ title: String) async throws {
    let found = try await withLibrary { library in
      library.select(language: language, settings: SpeechSettings()) ? library.voiceTitle : nil
    }
    #expect(found == title)
  }

  @Test("the person's own voice for a language reads names in it too")
  func overrides() async throws {
    let settings = SpeechSettings(voices: ["ru": "bg", "en": "en-us"])
    let usual = SpeechProbe.phonemes(of: "Фото щука", language: "de")
    let own = SpeechProbe.phonemes(of: "Фото щука", language: "de", settings: settings)
    #expect(own != usual)
    let american = SpeechProbe.phonemes(of: "car.txt", language: "ru", settings: settings)
    #expect(american == [try await phonemes("car.txt", language: "en-us")])
  }

  @Test("a language is told where its voice is not good enough")
  func limits() {
    #expect(SpeechProbe.limits(of: "en") == [])
    #expect(SpeechProbe.limits(of: "ja") == [.kanji, .counting])
    #expect(SpeechProbe.limits(of: "he") == [.hebrewVowels])
    #expect(SpeechProbe.limits(of: "zh-CN") == [.tones])
    #expect(SpeechProbe.limits(of: "ar") == [.shortVowels])
  }
}
