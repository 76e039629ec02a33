import KeyDragCore
import Testing

/// Names that look like others.
struct ConfusableLettersTests {
  @Test(
    "H14: a word that mixes letters which look alike is found",
    arguments: [
      "p\u{430}ypal", "\u{421}OM.txt", "no\u{442}es", "a \u{440}aid b", "\u{39F}K",
      "ma\u{440}ke\u{442}_1", "док\u{79}мент",
      "Мо\u{63}ква.txt", "caf\u{E9}\u{435}", "n\u{3BF}tes", "\u{3BD}ideo", "\u{3C1}lan",
    ])
  func mixed(name: String) {
    #expect(ConfusableLetters.isIn(name))
  }

  @Test(
    "A name of one alphabet, or of words of several, is none of these",
    arguments: [
      "", "notes.txt", "Łódź", "Москва", "USB-кабель", "отчёт_v2.txt", "Δt", "μm", "Ελλάδα Greece",
      "日本notes", "קובץ file", "αβγ", "Word и Excel", "caf\u{65}\u{301}",
      "TNFα.pdf", "IFNγ", "NFκB", "τmax", "σ2", "ιota", "υ2 fit",
    ])
  func plain(name: String) {
    #expect(!ConfusableLetters.isIn(name))
  }
}
