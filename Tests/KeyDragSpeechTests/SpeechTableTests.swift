import Testing

@testable import KeyDragSpeech

@Suite("The tables of what voices read")
struct SpeechTableTests {
  @Test("Each row names a script that there is, and has letters")
  func scripts() {
    for row in SpeechTable.rows(PackageResources.scripts_txt) {
      #expect(WritingSystem(rawValue: String(row[0])) != nil, "\(row)")
    }
    for row in SpeechTable.rows(PackageResources.letters_txt) {
      #expect(WritingSystem(rawValue: String(row[0])) != nil, "\(row)")
      for field in row.dropFirst(2) {
        #expect(SpeechTable.ranges(field).count == field.split(separator: " ").count, "\(row)")
      }
    }
  }

  @Test("No symbol has two words in one language, and no character two forms")
  func unique() {
    let symbols = SpeechTable.rows(PackageResources.symbols_txt)
    #expect(symbols.allSatisfy { $0.count == 3 })
    #expect(Set(symbols.map { $0.prefix(2) }).count == symbols.count)
    let forms = SpeechTable.rows(PackageResources.forms_txt)
    #expect(forms.allSatisfy { UInt32($0[0], radix: 16).flatMap(Unicode.Scalar.init) != nil })
    #expect(Set(forms.map { $0[0] }).count == forms.count)
  }
}
