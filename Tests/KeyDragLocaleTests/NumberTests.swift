import KeyDragCore
import Testing

@testable import KeyDragLocale

@Suite("Numbers as a language writes them")
struct NumberTests {
  @Test(
    "Whole numbers are grouped, decimals and percentages written as the language does",
    arguments: [
      ("en", "10,000", "1.5", "45%"), ("de", "10.000", "1,5", "45\u{A0}%"),
      ("fr", "10\u{202F}000", "1,5", "45\u{202F}%"), ("es", "10.000", "1,5", "45\u{A0}%"),
      ("it", "10.000", "1,5", "45%"), ("pt-BR", "10.000", "1,5", "45%"),
      ("nl", "10.000", "1,5", "45%"), ("sv", "10\u{A0}000", "1,5", "45\u{A0}%"),
      ("pl", "10\u{A0}000", "1,5", "45%"), ("cs", "10\u{A0}000", "1,5", "45\u{A0}%"),
      ("ru", "10\u{A0}000", "1,5", "45\u{A0}%"), ("uk", "10\u{A0}000", "1,5", "45%"),
      ("tr", "10.000", "1,5", "%45"), ("el", "10.000", "1,5", "45%"),
      ("ar", "10,000", "1.5", "45%"), ("he", "10,000", "1.5", "45%"),
      ("hi", "10,000", "1.5", "45%"), ("ja", "10,000", "1.5", "45%"),
      ("zh-CN", "10,000", "1.5", "45%"), ("ko", "10,000", "1.5", "45%"),
    ])
  func written(language: String, whole: String, broken: String, percent: String) {
    let forms = NumberForms(language: language)
    // Which kind of narrow or wide space it is, differs between releases of CLDR.
    func plain(_ text: String) -> String { text.replacing("\u{202F}", with: "\u{A0}") }
    #expect(plain(forms.number(10_000, isSpoken: false)) == plain(whole))
    #expect(forms.decimal(tenths: 15, isSpoken: false) == broken)
    #expect(plain(forms.percent(45, isSpoken: false)) == plain(percent))
    #expect(forms.number(10_000, isSpoken: true) == "10000")
  }

  @Test("Digits are those that CLDR gives the language", arguments: ["ar-EG", "fa", "ne"])
  func otherDigits(language: String) {
    let forms = NumberForms(language: language)
    for value in [0, 7, 45, 999] {
      let text = forms.number(value, isSpoken: false)
      #expect(text.allSatisfy { $0.isWholeNumber && !$0.isASCII }, "\(text)")
      #expect(Int(text.compactMap(\.wholeNumberValue).map { "\($0)" }.joined()) == value)
    }
    #expect(forms.percent(45, isSpoken: false).contains(forms.number(45, isSpoken: false)))
  }

  @Test(
    "A percentage is the same, however it was made",
    arguments: ["en", "fr", "tr", "ar", "fa", "eu"])
  func percentages(language: String) {
    let forms = NumberForms(language: language)
    let frames = (0...100).map { value in
      forms.percent(value, isSpoken: false)
        .replacing(forms.number(value, isSpoken: false), with: "#")
    }
    #expect(Set(frames).count == 1 && frames[0] != "#" && frames[0].contains("#"), "\(frames[0])")
    let beyond = forms.percent(101, isSpoken: false)
    #expect(beyond == frames[0].replacing("#", with: forms.number(101, isSpoken: false)))
  }

  @Test("The largest and the smallest numbers are written out")
  func extremes() {
    let english = GettextCatalogue()
    #expect(english.number(.max) == "9,223,372,036,854,775,807")
    #expect(english.spoken.number(.max) == "9223372036854775807")
    #expect(english.number(.min) == "-9,223,372,036,854,775,808")
    #expect(english.spoken.number(-3) == "-3")
    #expect(english.decimal(tenths: 0) == "0.0")
    #expect(english.decimal(tenths: 99) == "9.9")
  }

  @Test("English gives its sources, and numbers of its own form")
  func english() {
    let english = GettextCatalogue()
    let book = Phrasebook(catalogue: english)
    #expect(english.language == "en" && english.spoken.language == "en")
    #expect(book.phrase("Left %1$@.", "Inbox") == "Left Inbox.")
    #expect(book.plural("%1$@ file", "%1$@ files", 1) == "1 file")
    #expect(book.plural("%1$@ file", "%1$@ files", 12_345) == "12,345 files")
    #expect(book.spoken.plural("%1$@ file", "%1$@ files", 12_345) == "12345 files")
    #expect(book.size(1_500) == "1.5 kilobytes")
    #expect(english.sentence("End", context: "key") == "End")
  }
}
