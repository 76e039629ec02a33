import Testing

@testable import KeyDragCore

/// Names in one folder that nobody can tell apart by their look or their sound.
struct ConfusableNameTests {
  @Test(
    "H14: of two names that look and sound the same, the one that is written unusually is found",
    arguments: [
      ("\u{441}\u{43E}\u{440}.txt", "cop.txt"), ("\u{39F}\u{39A}", "OK"),
      ("\u{41E}\u{41A}", "\u{39F}\u{39A}"), ("e\u{301}t\u{E9}", "\u{E9}t\u{E9}"),
      ("notes.txt ", "notes.txt"), ("two  words", "two words"), ("two\u{A0}words", "two words"),
      ("a\u{FFFD}b", "a\u{FFFD}b"), ("\u{FF41}b", "ab"), ("\u{2764}\u{FE0F}", "\u{2764}"),
      ("\u{43C}\u{438}\u{440}\u{2764}\u{FE0F}", "\u{43C}\u{438}\u{440}\u{2764}"),
      ("\u{845B}\u{E0100}", "\u{845B}"), ("\u{1820}\u{180B}", "\u{1820}"),
      ("\u{645}\u{6CC}\u{200C}\u{62E}", "\u{645}\u{6CC}\u{62E}"),
      ("\u{1F469}\u{200D}\u{1F467}", "\u{1F469}\u{1F467}"),
      ("\u{845B}\u{FE00}", "\u{845B}\u{FE01}"),
      // Cherokee, Coptic, Lisu, Armenian, and letters of mathematics.
      ("\u{13E2}\u{13A0}\u{13D9}", "PDV"), ("\u{2CA3}ay.pdf", "pay.pdf"),
      ("\u{A4D4}AY", "TAY"), ("n\u{585}tes", "notes"), ("\u{1D5C9}\u{1D5BA}\u{1D5D2}", "pay"),
      ("no\u{442}es", "noTes"), ("c\u{251}t", "cat"), ("two\u{2010}words", "two-words"),
      // Greek among Cyrillic, a kana and an ideograph, Arabic and Hebrew letters that are strokes.
      ("\u{39F}тчёт", "Отчёт"), ("От\u{1D5BC}чёт", "Отсчёт"), ("ニ.txt", "二.txt"),
      ("\u{5D5}.txt", "l.txt"),
      ("\u{643}\u{62A}\u{627}\u{628}", "\u{6A9}\u{62A}\u{627}\u{628}"),
      // "I", "l" and "1"; "m" and "rn"; a letter for several.
      ("\u{406}tem", "Item"), ("\u{406}tem", "1tem"), ("\u{1D426}", "rn"),
      ("\u{217B}.txt", "xii.txt"),
      ("wait\u{2026}", "wait..."), ("\u{1112}\u{1161}\u{11AB}글", "한글"),
      ("a\u{302}\u{323}b", "a\u{323}\u{302}b"), ("a\u{302}\u{323}\u{430}", "\u{1EAD}\u{430}"),
    ])
  func alike(name: String, other: String) {
    #expect(ConfusableName(name)?.isLike(other) == true)
  }

  @Test(
    "A name that looks like no other one is none of these",
    arguments: [
      ("notes.txt", "notes.txt"), ("\u{441}\u{43E}\u{440}.txt", "cap.txt"),
      ("\u{43C}\u{438}\u{440}", "mup"), ("e\u{301}", "e"), ("\u{E9}", "e\u{301}"),
      ("a\u{FFFD}b", "a\u{FFFD}c"), ("two  words", "twowords"),
      ("Отчёт", "\u{39F}тчёт"), ("report1.txt", "reportl.txt"), ("O.txt", "0.txt"), ("rn", "m"),
      ("Глава I", "Глава 1"),
      ("\u{645}\u{6CC}\u{62E}", "\u{645}\u{6CC}\u{200C}\u{62E}"), ("\u{439}", "\u{438}\u{306}"),
      ("第l章", "第1章"), ("e\u{301}a\u{300}", "e\u{301}a"), ("\u{1112}\u{1161}", "하나"),
    ])
  func different(name: String, other: String) {
    #expect(ConfusableName(name)?.isLike(other) != true)
  }

  @Test("H14 Among ordinary names of many alphabets none looks like another")
  func ordinary() {
    let names = """
      Отчёт Отчет Москва Мир мир Миф Лето2 Лето3 Глава_I Глава_1 Київ Кіт Кит България Ελλάδα Αθήνα
      Έκθεση1 Έκθεση2 報告 報告書 報告2 レポート メモ めも ノート のーと 한글 한국 문서1 문서2 ملف ملفات تقرير١ تقرير٢
      קובץ קבצים דוח2 דוח3 เอกสาร บันทึก दस्तावेज़ रिपोर्ट Łódź Lodz kapı kapak für fur été ete naïve Ørsted
      notes note2 report1 reportl O 0 m rn über uber ÅÄÖ AAO
      """.split(whereSeparator: \.isWhitespace).map(String.init)
    for name in names {
      let like = names.filter { $0 != name && ConfusableName(name)?.isLike($0) == true }
      #expect(like.isEmpty, "\(name): \(like)")
    }
  }
}
