import RealPrograms
import Testing

@Suite("Names that differ in what nobody sees or hears", .realPrograms(by: .test))
struct TwinNameTests {
  /// The names as they are told, one after the other, in a folder that holds them.
  private func told(_ names: String...) throws -> [Record] {
    let stage = try Stage()
    for name in names { try stage.make("Inbox/" + name) }
    let keys = "home " + names.dropFirst().map { _ in "down" }.joined(separator: " ")
    let run = try stage.files("Inbox", keys: keys)
    let items = run.records.every("item").filter { $0.argument("index") != nil }
    try #require(items.count >= names.count, "\(run)")
    return items.suffix(names.count)
  }

  @Test(
    "K19, H14 A letter of which nothing is seen is told by its number, beside its twin and alone",
    arguments: [0x180B, 0x17B4, 0x115F, 0x1160, 0x1D173, 0x1BCA0, 0xE0100, 0xFE0F, 0x2800, 0x200B])
  func hidden(number: UInt32) throws {
    let letter = String(try #require(Unicode.Scalar(number)))
    let number = String(number, radix: 16, uppercase: true)
    let beside = try told("pay.pdf", "pay\(letter).pdf")
    #expect(Set(beside.map(\.text)).count == 2, "\(beside)")
    #expect(beside.contains { $0.text.contains(number) }, "\(beside)")
    #expect(beside.contains { $0.text.hasPrefix("pay.pdf") }, "\(beside)")
    #expect(try told("a.txt", "pay\(letter).pdf").last?.text.contains(number) == true)
  }

  @Test(
    "K19, H14 What belongs to the letters beside it is told of beside a twin alone",
    arguments: [
      ("\u{2764}\u{FE0F}", "\u{2764}"), ("\u{845B}\u{E0100}", "\u{845B}"),
      ("\u{645}\u{6CC}\u{200C}\u{62E}", "\u{645}\u{6CC}\u{62E}"),
      ("\u{1F469}\u{200D}\u{1F467}", "\u{1F469}\u{1F467}"),
    ])
  func belonging(name: String, twin: String) throws {
    let alone = try told("a.txt", name + ".txt")
    #expect(alone.last?.argument("name") == .text(name + ".txt"), "\(alone)")
    #expect(alone.last?.text.contains("looks like another one here") == false, "\(alone)")
    let beside = try told(twin + ".txt", name + ".txt")
    #expect(beside.count { $0.text.contains("looks like another one here") } == 1, "\(beside)")
  }
}
