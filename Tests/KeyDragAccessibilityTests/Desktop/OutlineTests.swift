import KeyDragCore
import Testing

@testable import KeyDragAccessibility
@testable import KeyDragBus

@Suite("What is made of what elements say")
struct OutlineTests {
  private static func id(_ path: String) -> ElementID { ElementID(program: ":1.5", path: path) }

  /// A window with a list that makes its rows on demand: the first is half hidden, the last not
  /// there to be seen, and says that it is.
  private static func list(_ toolkit: Toolkit = .named("gtk", version: "3")) -> OutlineTree {
    var outline = OutlineTree(toolkit)
    let frame = outline.add(id("/frame"), in: nil)
    let told = ReportedRectangle(x: 0, y: 0, width: 100, height: 100)
    outline.settle(frame, role: "frame", states: .showing, told: told)
    let list = outline.add(id("/list"), in: frame)
    outline.settle(
      list, role: "table", states: [.showing, .managesDescendants],
      told: ReportedRectangle(x: 0, y: 20, width: 100, height: 60))
    for (name, y) in [("a", 10), ("b", 30), ("c", -2_147_483_648), ("d", 90)] {
      let row = outline.add(id("/" + name), in: list)
      outline[row].isVirtual = true
      outline[row].name = name
      outline.settle(
        row, role: "table cell", states: .showing,
        told: ReportedRectangle(x: 0, y: y, width: 100, height: 20))
    }
    return outline
  }

  @Test("Rows are believed by where they are, and shown as far as their list shows them")
  func rows() {
    let outline = Self.list()
    let facts = outline.facts(outline.order, origin: nil)
    #expect(facts.map(\.name) == ["", "", "a", "b"])
    #expect(facts.map(\.parent) == [nil, 0, 1, 1])
    #expect(facts[2].rectangle == ScreenRectangle(x: 0, y: 20, width: 100, height: 10))
    #expect(facts[3].rectangle == ScreenRectangle(x: 0, y: 30, width: 100, height: 20))
  }

  @Test("The nearest wanted element around another is its parent")
  func parents() {
    let outline = Self.list()
    let facts = outline.facts([0, 2, 3], origin: nil)
    #expect(facts.map(\.parent) == [nil, 0, 0])
    #expect(outline.facts([2, 3], origin: nil).map(\.parent) == [nil, nil])
  }

  @Test("A cell without a name has that of its row")
  func sibling() {
    var outline = Self.list()
    let icon = outline.add(Self.id("/icon"), in: 1)
    outline[icon].isVirtual = true
    outline[icon].name = ""
    outline.settle(
      icon, role: "table cell", states: .showing,
      told: ReportedRectangle(x: 0, y: 30, width: 10, height: 20))
    outline.nameRows(outline.order)
    #expect(outline[icon].name == "b")
  }

  @Test("A row without a name has that of the label that is shown in it")
  func label() {
    var outline = Self.list()
    let row = outline.add(Self.id("/row"), in: 0)
    outline[row].name = ""
    let place = ReportedRectangle(x: 0, y: 80, width: 10, height: 20)
    outline.settle(row, role: "list item", states: .showing, told: place)
    for (name, states) in [("hidden", AccessibleStates()), ("", .showing), ("label", .showing)] {
      let label = outline.add(Self.id("/" + name), in: row)
      outline[label].name = name
      outline.settle(label, role: "label", states: states, told: place)
    }
    outline.nameRows([row])
    #expect(outline[row].name == "label")
  }

  @Test("In GTK 4 only what has a place is shown, whatever it says")
  func gtk4() {
    var outline = OutlineTree(.named("GTK", version: "4.8"))
    let frame = outline.add(Self.id("/frame"), in: nil)
    let told = ReportedRectangle(x: 0, y: 0, width: 100, height: 100)
    outline.settle(frame, role: "frame", states: [], told: told)
    for (name, width) in [("shown", 10), ("hidden", 0)] {
      let child = outline.add(Self.id("/" + name), in: frame)
      outline.settle(
        child, role: "panel", states: [],
        told: ReportedRectangle(x: 1, y: 1, width: width, height: width))
    }
    #expect(outline.order == [0, 1])
    let facts = outline.facts(outline.order, origin: ScreenPoint(x: 5, y: 6))
    #expect(facts[1].rectangle == ScreenRectangle(x: 6, y: 7, width: 10, height: 10))
  }

  @Test(
    "The rows that can be seen are those around what is at the edges",
    arguments: [
      ([992, 1012], true, 990..<1015), ([2, 40], true, 0..<43), ([19_990], false, 19_988..<20_002),
      ([], false, 0..<600), ([3], false, 1..<601), ([Int](), true, 0..<600),
    ])
  func window(seen: [Int], reachesEnd: Bool, expected: Range<Int>) {
    let window = VisibleRowRange(count: 20_002, rows: 10_000, columns: 2)
    #expect(window.range(seen: seen, reachesEnd: reachesEnd) == expected)
  }

  @Test("The rows that can be seen begin with their first cells, whichever cell was met")
  func rowStarts() {
    let window = VisibleRowRange(count: 1_203, rows: 300, columns: 4)
    let seen = ReportedRectangle(x: 0, y: 0, width: 400, height: 100)
    for cell in 403..<407 {
      #expect(window.range(seen: [cell], reachesEnd: true).lowerBound == 399)
      let place = ReportedRectangle(x: 0, y: 0, width: 100, height: 20)
      let around = window.range(around: [.init(index: cell, place: place)], seen: seen)
      #expect(around?.lowerBound == 395)
    }
    // A header is in no row.
    #expect(window.range(seen: [2], reachesEnd: true).lowerBound == 0)
  }

  @Test("The cells of a row that scrolled while it was read lie side by side, none of them nowhere")
  func straightened() {
    func cell(_ row: Int, _ column: Int, _ place: ReportedRectangle?) -> VisibleRow {
      VisibleRow(
        id: ElementID(program: ":1.1", path: "/\(row)/\(column)"), index: row + 1,
        spot: RowInterpolation.GridIndex(row: row, column: column), told: place)
    }
    func place(_ x: Int, _ y: Int) -> ReportedRectangle {
      ReportedRectangle(x: x, y: y, width: 50, height: 20)
    }
    let nowhere = ReportedRectangle(x: -1, y: -1, width: -1, height: -1)
    var rows = [
      cell(0, 0, nowhere), cell(0, 1, place(50, 5)), cell(1, 0, place(0, 40)),
      cell(1, 1, place(50, 25)), cell(1, 2, nil), cell(2, 0, nil), cell(2, 1, nowhere),
    ]
    ProgramReader.straighten(&rows) { $0.width > 0 }
    #expect(
      rows.map(\.told) == [
        place(0, 5), place(50, 5), place(0, 40), place(50, 40),
        // A column, or a row, that is nowhere stays so.
        nil, nil, nowhere,
      ])
  }

  @Test("A cell knows its row, unless the numbers do not fit")
  func position() {
    let window = VisibleRowRange(count: 20_002, rows: 10_000, columns: 2)
    #expect(window.position(1) == nil)
    #expect(window.position(2)?.index == 1 && window.position(3)?.index == 1)
    #expect(window.position(20_001)?.index == 10_000)
    #expect(window.position(4)?.total == 10_000)
    for odd in [
      VisibleRowRange(count: 5, rows: 10_000, columns: 2),
      VisibleRowRange(count: 5, rows: nil, columns: 1),
      VisibleRowRange(count: 5, rows: Int.max, columns: Int.max),
      VisibleRowRange(count: 5, rows: 0, columns: 0),
    ] {
      #expect(odd.position(3) == nil)
    }
  }

  @Test(
    "K13 A name that is marked up as a whole is what it shows, and one with brackets stays",
    arguments: [
      ("<qt><b>a.txt</b><br/>/tmp</qt>", "a.txt, /tmp"), ("<b>a</b>.txt", "<b>a</b>.txt"),
      ("<html><p>1 &lt; 2 &amp;amp;</p></html>", "1 < 2 &amp;"), ("<qt>a < b</qt>", "a "),
      ("<qt>", "<qt>"), ("<font color='#232629'><b>[View]</b> done</font>", "[View] done"),
      ("<>a</>", "<>a</>"), ("</b>", "</b>"),
    ])
  func markup(given: String, plain: String) {
    #expect(AtspiReplyDecoder.withoutMarkup(given) == plain)
  }

  @Test(
    "What is malformed is refused",
    arguments: [
      nil, [], [.int32(1)], [.string("x")], [.array(of: "u", [.uint32(1)])],
      [.tuple([.int32(1), .int32(2), .int32(3)])], [.tuple([.string("1"), .string("2")])],
      [.tuple([.string("no name"), .path("/x")])], [.tuple([.string(":1.1"), .string("/x")])],
      [.tuple([.string(":1.1"), .path(AtspiReplyDecoder.nowhere)])],
      [.tuple([.int32(1), .int32(2), .int32(3), .string("4")])], [.other],
    ] as [[BusValue]?])
  func malformed(values: [BusValue]?) {
    #expect(AtspiReplyDecoder.rectangle(values) == nil)
    #expect(AtspiReplyDecoder.states(values) == nil)
    #expect(AtspiReplyDecoder.role(values) == nil)
    #expect(AtspiReplyDecoder.element(values) == nil)
    #expect((AtspiReplyDecoder.elements(values) ?? []).isEmpty)
    #expect(AtspiReplyDecoder.attributes(values).attributes.isEmpty)
    #expect(CachedElements(values)[Self.id("/x")] == nil)
  }

  @Test("Names are trimmed and safe to speak, attributes short and only those that are read")
  func cleaned() {
    #expect(AtspiReplyDecoder.name([.string("  a\u{1B}[2Jb \u{FFFC}")]) == "a\u{FFFD}[2Jb")
    let long = String(repeating: "x", count: 5_000)
    let entries: [BusValue] = [
      .entry(.string("class"), .string(long)), .entry(.string("style"), .string("x")),
      .entry(.string("dropeffect"), .string("move")), .entry(.string("posinset"), .string("3")),
      .entry(.string("setsize"), .string("12")), .entry(.int32(1), .string("x")),
    ]
    let read = AtspiReplyDecoder.attributes([.array(of: "{ss}", entries)])
    #expect(read.attributes["class"]?.count == 100 && read.attributes["dropeffect"] == "move")
    #expect(read.attributes.count == 2 && read.index == 3 && read.total == 12)
  }

  @Test("What a program keeps of its elements is read, and what is malformed left out")
  func cache() {
    func item(_ path: String, _ name: BusValue) -> BusValue {
      let reference = BusValue.tuple([.string(":1.5"), .path(path)])
      return .tuple([
        reference, reference, reference, .int32(0), .int32(2), .strings([]), name, .uint32(37),
        .string(""), .words([1 << 25, 0]),
      ])
    }
    let items = [item("/a", .string(" A ")), item("/b", .int32(1)), .tuple([.string("odd")])]
    let cache = CachedElements([.array(of: "((so)(so)(so)iiassusau)", items)])
    let tab = cache[Self.id("/a")]
    #expect(tab?.role == "page tab" && tab?.states == .showing)
    #expect(tab?.name == "A" && tab?.childCount == 2)
    #expect(cache[Self.id("/b")] == nil)
  }
}
