import Testing

@testable import KeyDragSpeech

@Suite struct CharacterNormalizerTests {
  @Test(
    "forms that a voice is silent at or misreads become those it reads",
    arguments: [
      ("notes.txt", "notes.txt"),
      ("cafe\u{301} U\u{308}bung", "café Übung"),
      ("\u{1100}\u{1161}\u{11A8}", "각"),
      ("か\u{3099}", "が"),
      ("ＩＭＧ＿１．ＪＰＧ", "IMG_1.JPG"),
      ("ｼｬｼﾝ ｶﾞｲﾄﾞ ﾊﾟｰﾄ", "シャシン ガイド パート"),
      ("٣ من ٤", "3 من 4"),
      ("३ ৩ ๓", "3 3 3"),
      ("٣٫٥ ٢٠٪ ١٬٠٠٠", "3.5 20% 1000"),
      ("① Ⅳ", " 1   4 "),
      ("Nguyễn Ștefan", "Nguyen Stefan"),
      ("𝓗𝓮𝓵𝓵𝓸", "Hello"),
      ("h̷e\u{337}y", "hey"),
      ("ﬁle", "file"),
      ("1\u{202F}000\u{A0}000 a", "1000000 a"),
      ("1\u{A0}a", "1\u{A0}a"),
      ("しゃしん・アルバム", "しゃしん アルバム"),
      ("文件，照片！", "文件，照片！"),
      ("नाम।", "नाम."),
      ("❤\u{FE0F} 👍🏽", "❤ 👍"),
      ("〇", "〇"),
    ])
  func forms(_ text: String, _ expected: String) {
    #expect(
      CharacterNormalizer.of(text, language: "en").unicodeScalars.elementsEqual(
        expected.unicodeScalars))
  }

  @Test("a language keeps the accents that its own voice knows")
  func accents() {
    #expect(CharacterNormalizer.of("Ștefan", language: "ro") == "Ștefan")
    #expect(CharacterNormalizer.of("Nguyễn", language: "vi") == "Nguyễn")
  }
}

@Suite struct PronunciationTests {
  @Test(
    "what a voice would leave out or say in English becomes words of its language",
    arguments: [
      ("50% off", "en", "50% off"),
      ("50% + 1", "uk", "50 відсотків плюс 1"),
      ("50%", "zh-CN", "百分之50"),
      ("2.5 %", "zh-CN", "2 点 5 百分号"),
      ("50%", "ja", "50 パーセント"),
      ("1.5", "ko", "1 점 5"),
      ("v1.2.3", "pt-BR", "v1 ponto 2 ponto 3"),
      ("a → b", "pl", "a strzałka w prawo b"),
      ("notes.txt, z.B.", "de", "notes Punkt txt, z.B."),
      ("об'єкт", "uk", "обєкт"),
      ("क-ख 'ग' 1.5.", "hi", "क ख ग 1.5."),
      ("かぃ ファ ー 3ヶ", "ja", "かい ファ 3か"),
    ])
  func words(_ text: String, _ language: String, _ expected: String) {
    #expect(Pronunciation.of(text, language: language) == expected)
  }

  @Test(
    "Hebrew numbers are said in words, as the voice has none",
    arguments: [
      ("0", ["'efes"]), ("1", ["'oXat"]), ("2", ["St'ajim"]), ("3", ["Sal'oS"]),
      ("14", ["aQ\"b'a", "'eSQ\"e?"]), ("21", ["'eSQ\"ijm", "v'e", "'oXat"]),
      ("100", ["m'eo?"]), ("1,234", ["'elef", "ma?t'aijm", "Sl'oSijm", "v'e", "aQ\"b'a"]),
      ("3000", ["Sl'oSet", "?al'afijm"]), ("007", ["'efes", "'efes", "Sev'a"]),
      ("2.5", ["St'ajim", "nk'uda?", "Xam'eS"]),
    ])
  func hebrewNumbers(_ digits: String, _ sounds: [String]) {
    let heard = SpeechProbe.phonemes(of: digits, language: "he")
    #expect(heard.flatMap { $0.split(separator: " ").map(String.init) } == sounds)
  }

  @Test("every number up to a million has Hebrew words without a digit", arguments: [97, 5_003])
  func hebrewRange(_ step: Int) {
    for value in stride(from: 0, through: 1_000_000, by: step) {
      let words = HebrewSpelling.words(for: String(value))
      guard !words.isEmpty, !words.contains(where: \.isNumber) else {
        Issue.record("\(value) is \(words)")
        return
      }
    }
  }

  @Test("Hebrew points are set as the voice knows them, in any order")
  func hebrewPoints() async throws {
    let heard = SpeechProbe.phonemes(of: "שִׁיר שֹׁד תַּפּוּחַ", language: "he")
    #expect(heard == ["S'ijQ\" S'od tap'uaX"])
  }
}
