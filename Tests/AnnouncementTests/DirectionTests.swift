import Testing

@testable import KeyDragCore

/// The source sentences under another language's rules of writing.
private struct Rules: Catalogue {
  let language: String
  func sentence(_ source: String, context: String?) -> String { source }
  func sentence(one: String, other: String, count: Int) -> String { count == 1 ? one : other }
}

/// Names written against the direction of the sentence, and what a voice gets instead.
@Suite("Direction and letters")
struct DirectionTests {
  private func gone(_ name: String, in language: String = "en") -> String {
    Phrasebook(catalogue: Rules(language: language)).text(.vanished(name: name, next: nil))
  }

  @Test(
    "K20: a name written against the sentence is isolated, others are as they are",
    arguments: [
      ("en", "notes.txt", "notes.txt is gone."), ("en", "Εγγραφή", "Εγγραφή is gone."),
      ("en", "שלום.txt", "\u{2068}שלום.txt\u{2069} is gone."),
      ("en", "a ملف b", "\u{2068}a ملف b\u{2069} is gone."), ("en", "٣", "٣ is gone."),
      ("en", "名前", "名前 is gone."), ("he", "שלום", "שלום is gone."),
      ("he", "notes.txt", "\u{2068}notes.txt\u{2069} is gone."),
      ("ar", "2024", "2024 is gone."), ("ar", "名前", "\u{2068}名前\u{2069} is gone."),
    ])
  func isolation(language: String, name: String, expected: String) {
    #expect(gone(name, in: language) == expected)
  }

  @Test("K20: what is isolated once is not isolated again by the sentences around it")
  func nested() {
    let entry = HistoryEntry(
      number: 1, operation: .copy, names: ["שלום"], count: 1, place: "Docs", time: 0,
      isUndone: false)
    #expect(
      Phrasebook().text(.undone(entry, done: 1))
        == "Took back: \u{2068}שלום\u{2069} out of Docs.")
    #expect(
      Phrasebook().text(
        .item(name: "שלום", kind: .folder, index: 1, total: 2, isSelected: true))
        == "\u{2068}שלום\u{2069}, folder, selected, 1 of 2")
  }

  @Test("K20: no mark of direction is in what a voice gets, in no announcement")
  func spoken() {
    for language in ["en", "he", "ar"] {
      let phrases = Phrasebook(catalogue: Rules(language: language)).spoken
      for announcement in AnnouncementSamples.all {
        let marks = phrases.text(announcement).unicodeScalars.filter {
          (0x2066...0x2069).contains($0.value)
        }
        #expect(marks.isEmpty)
      }
    }
  }

  @Test("A percentage is written with its sign and said in words")
  func percent() {
    let progress = Announcement.progress(percent: 45, count: 1, of: 1, bytes: 1, names: ["a"])
    #expect(Phrasebook().text(progress) == "a: 45%.")
    #expect(Phrasebook().spoken.text(progress) == "a: 45 percent.")
    #expect(Phrasebook().spoken.spoken.text(progress) == "a: 45 percent.")
  }

  @Test(
    "A capital is the language's own",
    arguments: [
      ("en", "it is gone", "It is gone"), ("tr", "iptal", "İptal"), ("tr", "ışık", "Işık"),
      ("nl", "ijs", "IJs"), ("el", "όχι", "Όχι"), ("ja", "移動", "移動"), ("de", "", ""),
    ])
  func capitals(language: String, text: String, expected: String) {
    #expect(Phrasebook(catalogue: Rules(language: language)).capitalised(text) == expected)
  }

  @Test("Marks that are not closed, or closed too often, break nothing")
  func unbalanced() {
    #expect(gone("\u{2068}שלום") == "\u{2068}שלום is gone.")
    #expect(gone("\u{2069}\u{2069}שלום") == "\u{2068}\u{2069}\u{2069}שלום\u{2069} is gone.")
  }
}
