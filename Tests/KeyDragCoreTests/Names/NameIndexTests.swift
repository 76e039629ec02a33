import KeyDragCore
import Testing

/// Finding names by their beginning.
struct NameIndexTests {
  @Test("Exact comes before a prefix, a prefix before the start of a word")
  func qualities() {
    let index = NameIndex(["my notes", "notes.txt", "Notes", "notebook"])
    #expect(index.match("notes", current: nil, movesOn: false) == 2)
    #expect(index.match("notes.", current: nil, movesOn: false) == 1)
    #expect(index.match("noteb", current: nil, movesOn: false) == 3)
    #expect(NameIndex(["my notes", "x"]).match("notes", current: nil, movesOn: false) == 0)
    #expect(index.match("otes", current: nil, movesOn: false) == nil)
  }

  @Test(
    "Case and accents are ignored on both sides",
    arguments: [
      ("Ärger", "a"), ("Ärger", "arger"), ("Łódź", "lodz"), ("Straße", "strasse"),
      ("STRASSE", "straße"), ("ẞ", "ss"), ("Ørsted", "or"), ("e\u{301}te\u{301}", "éte"),
      ("Ñandú", "nandu"), ("İstanbul", "istanbul"), ("Ελλάς", "ελλασ"), ("ΕΛΛΆΣ", "ελλας"),
      ("Việt Nam", "viet"), ("plain", "PLAIN"), ("日本語", "日本"), ("Ångström", "angstrom"),
    ])
  func folding(name: String, text: String) {
    #expect(NameIndex([name]).match(text, current: nil, movesOn: false) == 0)
  }

  @Test(
    "K13: names from a Mac, in full width, with ligatures or curled apostrophes are found as they are typed",
    arguments: [
      ("테스트", "\u{1110}\u{1166}\u{1109}\u{1173}\u{1110}\u{1173}"),
      ("한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"),
      ("ガイド", "\u{30AB}\u{3099}\u{30A4}\u{30C8}\u{3099}"), ("ぱ", "\u{306F}\u{309A}"),
      ("йод", "и\u{306}од"), ("क़", "\u{0958}"), ("full １", "ｆｕｌｌ 1"), ("office", "ofﬁce"),
      ("don't", "don’t"), ("Ärger", "A\u{308}rger"),
      ("x2", "x²"), ("H2O", "H₂O"), ("No 5", "№ 5"), ("part iv", "Part Ⅳ"), ("1/2 cup", "½ cup"),
      ("3/4", "¾"), ("7", "⑦"), ("12", "⑫"), ("5 kg", "5 ㎏"), ("m2", "㎡"), ("Kilo", "𝐊𝑖𝓵𝕠"),
      ("brandtm", "Brand™"), ("a", "ª"), ("ab", "ⓐⒷ"), ("αβ", "𝛂𝛃"), ("ij", "ĳ"), ("ガイド", "ｶﾞｲﾄﾞ"),
      ("fluff", "ﬂuﬀ"),
    ])
  func written(one: String, other: String) {
    for (name, text) in [(one, other), (other, one)] {
      #expect(NameIndex([name]).match(text, current: nil, movesOn: false) == 0)
      #expect(NameFolding.fold(name) == NameFolding.fold(text))
    }
  }

  @Test("Letters of other scripts stay as they are", arguments: ["և", "ﭏ", "\u{F9D1}", "ﷲ"])
  func others(name: String) {
    #expect(NameFolding.fold(name) == Array(name.utf8))
  }

  @Test("Letters that differ by their marks alone stay different in kana")
  func kana() {
    #expect(NameIndex(["か"]).match("が", current: nil, movesOn: false) == nil)
    #expect(NameIndex(["か"]).match("か\u{3099}", current: nil, movesOn: false) == nil)
  }

  @Test("й is a letter of its own")
  func short() {
    #expect(NameIndex(["йод"]).match("и", current: nil, movesOn: false) == nil)
    #expect(NameIndex(["йод"]).match("Й", current: nil, movesOn: false) == 0)
  }

  @Test("Among equal matches the first in order is taken, and the current one is kept")
  func order() {
    let index = NameIndex(["b1", "a1", "b2", "b1"])
    #expect(index.match("b", current: nil, movesOn: false) == 0)
    #expect(index.match("b", current: 2, movesOn: false) == 2)
    #expect(index.match("b1", current: 3, movesOn: false) == 3)
    #expect(index.match("b1", current: 2, movesOn: false) == 0)
  }

  @Test("A repeated letter goes to the next match and round again")
  func repeated() {
    let index = NameIndex(["b1", "a1", "b2", "b3"])
    var rows: [Int] = []
    var current: Int? = nil
    for _ in 0..<5 {
      current = index.match("b", current: current, movesOn: true)
      rows.append(current ?? -1)
    }
    #expect(rows == [0, 2, 3, 0, 2])
  }

  @Test("Nothing and NUL match nothing, in an empty index as well")
  func nothing() {
    #expect(NameIndex(["a"]).match("", current: nil, movesOn: false) == nil)
    #expect(NameIndex(["a"]).match("\u{0}", current: nil, movesOn: true) == nil)
    #expect(NameIndex([]).match("a", current: nil, movesOn: false) == nil)
    #expect(NameIndex(["a", "b"]).match("b", current: 99, movesOn: false) == 1)
    #expect(NameIndex(["a", "b"]).match("b", current: 99, movesOn: true) == 1)
    #expect(NameIndex(["a\u{0}z", "z"]).match("z", current: nil, movesOn: false) == 1)
  }

  @Test("Seeded names at random give what a search through all of them gives", arguments: 1...6)
  func reference(seed: UInt64) {
    var random = SeededRandom(seed)
    let letters = Array("aabbcÄäßl-_ .ŁZ1")
    func word(_ longest: Int) -> String {
      String(
        (0..<Int.random(in: 1...longest, using: &random)).map { _ in
          letters.randomElement(using: &random) ?? "a"
        })
    }
    // Few letters, so that many names share their beginnings; many names, so that big ranges occur.
    let names = (0..<Int.random(in: 1...1_800, using: &random)).map { _ in word(7) }
    let index = NameIndex(names)
    let reference = BruteForce(names)
    for _ in 0..<25 {
      let text = word(3)
      let current = random.chance(30) ? nil : Int.random(in: 0..<names.count, using: &random)
      let movesOn = random.chance(50)
      #expect(
        index.match(text, current: current, movesOn: movesOn)
          == reference.match(text, current: current, movesOn: movesOn),
        "'\(text)' from \(current ?? -1) among \(names.count), moves on: \(movesOn)")
    }
  }

  @Test("A hundred thousand names with one beginning are told apart")
  func commonPrefix() {
    let names = (0..<100_000).map { "holiday photo \(String($0 + 100_000).dropFirst())" }
    let index = NameIndex(names)
    #expect(index.count == 100_000)
    #expect(index.match("h", current: 99_999, movesOn: true) == 0)
    #expect(index.match("h", current: 500, movesOn: true) == 501)
    #expect(index.match("photo", current: 7, movesOn: true) == 8)
    #expect(index.match("photo", current: nil, movesOn: false) == 0)
    #expect(index.match("photo", current: 70_000, movesOn: false) == 70_000)
    #expect(index.match("holiday photo 77777", current: 5, movesOn: false) == 77_777)
    #expect(index.match("99999", current: 5, movesOn: false) == 99_999)
  }
}

/// What ``NameIndex`` has to find, by looking at every name.
private struct BruteForce {
  private let names: [[UInt8]]

  init(_ names: [String]) { self.names = names.map(BruteForce.fold) }

  func match(_ text: String, current: Int?, movesOn: Bool) -> Int? {
    let key = BruteForce.fold(text)
    let exact = names.indices.filter { names[$0] == key }
    let prefix = names.indices.filter { names[$0].starts(with: key) }
    let words = names.indices.filter { hasWord(names[$0], key) }
    if movesOn {
      let rows = prefix.isEmpty ? words : prefix
      return rows.first { $0 > (current ?? -1) } ?? rows.first
    }
    let rows = exact.isEmpty ? (prefix.isEmpty ? words : prefix) : exact
    if let current, rows.contains(current) { return current }
    return rows.first
  }

  private func hasWord(_ name: [UInt8], _ key: [UInt8]) -> Bool {
    guard name.count > 1 else { return false }
    return (1..<name.count).contains { place in
      isLetter(name[place]) && !isLetter(name[place - 1]) && name[place...].starts(with: key)
    }
  }

  private func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (48...57).contains(byte) || (97...122).contains(byte)
  }

  /// The letters that the test uses, folded by a table of their own.
  private static func fold(_ name: String) -> [UInt8] {
    let table: [Character: String] = ["Ä": "a", "ä": "a", "ß": "ss", "Ł": "l", "Z": "z"]
    return name.flatMap { Array((table[$0] ?? String($0)).utf8) }
  }
}
