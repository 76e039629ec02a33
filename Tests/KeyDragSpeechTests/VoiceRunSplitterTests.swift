import Testing

@testable import KeyDragSpeech

@Suite struct VoiceRunSplitterTests {
  private func runs(_ text: String, _ language: String) -> [String] {
    let unreadable = language == "ja" ? "よめない" : "X"
    return VoiceRunSplitter.runs(in: text, language: language, unreadable: unreadable).map {
      "\($0.language): \($0.text)"
    }
  }

  @Test(
    "a name in another script is for a voice that reads it, the rest for the message's own",
    arguments: [
      ("Moved notes.txt to Docs.", "en", ["en: Moved notes.txt to Docs."]),
      ("Zażółć gęślą jaźń, 2 of 4", "en", ["en: Zażółć gęślą jaźń, 2 of 4"]),
      (
        "Verschoben: Φωτογραφίες .txt nach Dokumente.", "de",
        ["de: Verschoben:", "el: Φωτογραφίες", "de: .txt nach Dokumente."]
      ),
      ("Документы, Ordner", "de", ["ru: Документы,", "de: Ordner"]),
      ("Moved صورة to الملفات.", "en", ["en: Moved", "ar: صورة", "en: to", "ar: الملفات."]),
      (
        "تم نقل notes.txt إلى المستندات", "ar",
        ["ar: تم نقل", "en: notes.txt", "ar: إلى المستندات"]
      ),
      ("Moved תמונות, 1 of 2", "en", ["en: Moved", "he: תמונות,", "en: 1 of 2"]),
      ("तस्वीरें moved", "en", ["hi: तस्वीरें", "en: moved"]),
      ("사진 moved", "en", ["ko: 사진", "en: moved"]),
      ("照片 moved", "en", ["zh: 照片", "en: moved"]),
      ("アルバム moved", "en", ["ja: アルバム", "en: moved"]),
      (
        "ไทย, ქართული, Հայերեն, አማርኛ, বাংলা, தமிழ்", "en",
        ["th: ไทย,", "ka: ქართული,", "hy: Հայերեն,", "am: አማርኛ,", "bn: বাংলা,", "ta: தமிழ்"]
      ),
      (
        "ਪੰਜਾਬੀ, ગુજરાતી, ଓଡ଼ିଆ, తెలుగు, ಕನ್ನಡ, മലയാളം, සිංහල", "en",
        [
          "pa: ਪੰਜਾਬੀ,", "gu: ગુજરાતી,", "or: ଓଡ଼ିଆ,", "te: తెలుగు,", "kn: ಕನ್ನಡ,", "ml: മലയാളം,",
          "si: සිංහල",
        ]
      ),
    ])
  func names(_ text: String, _ language: String, _ expected: [String]) {
    #expect(runs(text, language) == expected)
  }

  @Test(
    "letters tell languages of one script apart; the message's own comes first",
    arguments: [
      ("Фото", "en", ["ru: Фото"]),
      ("Зображення їжака", "en", ["ru: Зображення", "uk: їжака"]),
      ("ґанок", "en", ["uk: ґанок"]),
      ("їжак", "ru", ["ru: їжак"]),
      ("Знято Съёмка мая", "uk", ["uk: Знято", "ru: Съёмка", "uk: мая"]),
      ("Љубав", "en", ["sr: Љубав"]),
      ("Ќирил", "en", ["mk: Ќирил"]),
      ("қазақ", "en", ["kk: қазақ"]),
      ("җир", "en", ["tt: җир"]),
      ("پرونده", "en", ["fa: پرونده"]),
      ("نقل پرونده", "ar", ["ar: نقل", "fa: پرونده"]),
      ("ٹیسٹ", "en", ["ur: ٹیسٹ"]),
      ("ھۆججەت", "en", ["ug: ھۆججەت"]),
      ("ৰাম", "en", ["as: ৰাম"]),
    ])
  func sharedScripts(_ text: String, _ language: String, _ expected: [String]) {
    // Word for word where the words of one name have different marks.
    #expect(runs(text, language).flatMap(words) == expected.flatMap(words))
  }

  private func words(_ run: String) -> [String] {
    let parts = run.split(separator: " ")
    return parts.dropFirst().map { "\(parts[0]) \($0)" }
  }

  @Test(
    "kanji are unreadable in Japanese names, once a run; Han elsewhere is Mandarin",
    arguments: [
      ("東京タワー", "en", ["en: X", "ja: タワー"]),
      ("東京 タワー", "en", ["en: X", "ja: タワー"]),
      ("東京, タワー", "en", ["zh: 東京,", "ja: タワー"]),
      ("写真 を いどう", "ja", ["ja: よめない を いどう"]),
      ("写真 東京", "ja", ["ja: よめない"]),
      ("写真, 東京", "ja", ["ja: よめない , よめない"]),
      ("写真2東京", "ja", ["ja: よめない 2 よめない"]),
      ("佐々木", "ja", ["ja: よめない"]),
      ("已复制 アルバム", "zh-CN", ["zh-CN: 已复制", "ja: アルバム"]),
      ("東京タワー", "zh-CN", ["zh-CN: 東京", "ja: タワー"]),
      ("사진 照片", "ko", ["ko: 사진", "zh: 照片"]),
    ])
  func kanji(_ text: String, _ language: String, _ expected: [String]) {
    #expect(runs(text, language) == expected)
  }

  @Test(
    "numbers by themselves are in the message's language, those in a name stay with it",
    arguments: [
      ("notes.txt, 2 из 4", "ru", ["en: notes.txt,", "ru: 2 из 4"]),
      ("IMG 2041 .JPG в Фото", "ru", ["en: IMG 2041 .JPG", "ru: в Фото"]),
      ("«My 2024 Photos.zip» в", "ru", ["en: «My 2024 Photos.zip»", "ru: в"]),
      ("Φωτογραφία2 2", "en", ["el: Φωτογραφία2", "en: 2"]),
      ("2照片", "en", ["zh: 2照片"]),
      ("notes.txt、2 / 4", "ja", ["en: notes.txt、", "ja: 2 / 4"]),
      ("サイズは2.5です", "ja", ["ja: サイズは2.5です"]),
      ("50% off.txt", "uk", ["uk: 50%", "en: off.txt"]),
    ])
  func numbers(_ text: String, _ language: String, _ expected: [String]) {
    #expect(runs(text, language) == expected)
  }

  @Test(
    "no voice is changed for a mark, and none is asked for what none can read",
    arguments: [
      ("a 、 b", "en", ["en: a 、 b"]),
      ("a । b", "en", ["en: a X b"]),
      ("Το αρχείο; → 5 °", "el", ["el: Το αρχείο; → 5 °"]),
      ("ລາວ ខ្មែរ", "en", ["en: X"]),
      ("ລາວ, ខ្មែរ", "en", ["en: X , X"]),
      ("မြန်မာ.txt", "en", ["en: X .txt"]),
      ("⣿⣿ ok", "de", ["de: X ok"]),
      ("★★★", "de", ["de: X"]),
      ("∞", "en", ["en: ∞"]),
      ("∞", "de", ["de: X"]),
      ("😀 ok", "de", ["de: 😀 ok"]),
      ("😀", "ja", ["en: 😀"]),
      ("", "ja", []),
      ("、。", "ja", []),
    ])
  func marks(_ text: String, _ language: String, _ expected: [String]) {
    #expect(runs(text, language) == expected)
  }

  @Test("what stands for the unreadable is spoken in English where nobody has translated it")
  func untranslated() {
    let runs = VoiceRunSplitter.runs(in: "写真 を", language: "ja", unreadable: "unreadable")
    #expect(runs.map(\.language) == ["en", "ja"])
    let translated = VoiceRunSplitter.runs(in: "写真 を", language: "ja", unreadable: "よめないもじ")
    #expect(translated.map(\.text) == ["よめないもじ を"])
  }

  /// espeak-ng 1.51 uses memory that it has given back when a voice meets letters or marks of two
  /// other scripts.
  @Test(
    "no voice ever gets a letter or mark of a script it does not read",
    arguments: ["en", "de", "uk", "ar", "ja", "zh-CN"])
  func foreignLetters(_ language: String) {
    var strangers: [String] = []
    func isCharacter(_ value: UInt32) -> Bool {
      Unicode.Scalar(value)?.properties.generalCategory != .unassigned
    }
    // Of Han, Hangul and what is no character a few stand for all.
    let values = (UInt32(0x20)...0x1FBFF).filter { value in
      switch value {
      case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xAC00...0xD7A3, 0xD800...0xF8FF,
        0x10000...0x1CFFF:
        value % 997 == 0
      default: isCharacter(value) || value % 97 == 0
      }
    }
    for value in values {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "a\(scalar) б\(scalar) \(scalar)"
      let readable = CharacterNormalizer.of(text, language: language)
      for run in VoiceRunSplitter.runs(in: readable, language: language, unreadable: "") {
        let own = WritingSystem.own(of: run.language)
        for scalar in run.text.unicodeScalars {
          switch CharacterRole(scalar) {
          case .letter(own), .neutral: break
          case .picture where ScriptVoices.namesPictures(run.language): break
          case .englishSymbol where run.language == "en": break
          default: strangers.append("\(run.language): U+\(String(scalar.value, radix: 16))")
          }
        }
      }
    }
    #expect(strangers == [])
  }
}
