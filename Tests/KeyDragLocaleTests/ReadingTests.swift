import Testing

@testable import KeyDragLocale

@Suite("Readings")
struct ReadingTests {
  @Test(
    "A reading is told from what it is written beside",
    arguments: [
      ("｜掴《つか》みました", "掴みました", "つかみました"),
      ("%1$@｜は《わ》｜移動《いどう》", "%1$@は移動", "%1$@わいどう"),
      ("前｜中《なか》後", "前中後", "前なか後"),
      ("｜%1$@個《%1$@こ》", "%1$@個", "%1$@こ"),
    ])
  func pairs(text: String, shown: String, spoken: String) {
    #expect(Reading.shown(text) == shown)
    #expect(Reading.spoken(text) == spoken)
  }

  @Test(
    "Marks that make no pair stay as they are",
    arguments: [
      "｜掴", "掴《つか》", "｜掴《つか", "掴つか》", "｜《つか》", "｜掴《》", "｜《》", "｜", "《", "》", "》《｜",
      "｜掴《つ《か》", "｜｜《か》",
    ])
  func unbalanced(text: String) {
    #expect(Reading.shown(text) == text)
    #expect(Reading.spoken(text) == text)
  }

  @Test(
    "A base begins at the mark nearest to its reading, and ends where it closes",
    arguments: [
      ("｜a｜b《c》d", "｜abd", "｜acd"), ("｜a《b》c》d", "ac》d", "bc》d"),
      ("｜a《｜b《c》》", "｜a《b》", "｜a《c》"), ("｜a《b｜c《d》", "｜a《bc", "｜a《bd"),
    ])
  func nested(text: String, shown: String, spoken: String) {
    #expect(Reading.shown(text) == shown)
    #expect(Reading.spoken(text) == spoken)
  }

  @Test(
    "Text without readings is the same string, not a copy",
    arguments: ["", "Picked up %1$@, and then put it down.", "つかみました、そしておろしました。"])
  func noReading(text: String) {
    func address(_ text: String) -> UnsafeRawPointer? {
      var text = text
      return text.withUTF8 { UnsafeRawPointer($0.baseAddress) }
    }
    #expect(Reading.shown(text) == text)
    // Short strings have no storage to share.
    if text.utf8.count > 15 { #expect(address(Reading.spoken(text)) == address(text)) }
  }
}
