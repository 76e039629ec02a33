import KeyDragCore
import Testing

@testable import KeyDragAccessibility

@Suite("What toolkits tell differently")
struct ToolkitTests {
  private static let origin = ScreenPoint(x: 100, y: 50)

  @Test(
    "A place becomes one on the screen",
    arguments: [
      ("gtk", "3.24.38", ScreenRectangle(x: 10, y: 20, width: 30, height: 40)),
      ("GAIL", "2.24", ScreenRectangle(x: 10, y: 20, width: 30, height: 40)),
      ("GTK", "4.8.3", ScreenRectangle(x: 110, y: 70, width: 30, height: 40)),
      ("Qt", "5.15.8", ScreenRectangle(x: 10, y: 20, width: 30, height: 40)),
      ("Qt", "6.4", ScreenRectangle(x: 10, y: 20, width: 30, height: 40)),
      ("Gecko", "115", ScreenRectangle(x: 10, y: 20, width: 30, height: 40)),
      ("Chromium", "120", ScreenRectangle(x: 10, y: 20, width: 30, height: 40)),
      ("VCL", "7.4", ScreenRectangle(x: 10, y: 20, width: 30, height: 40)),
      ("", "", ScreenRectangle(x: 10, y: 20, width: 30, height: 40)),
    ])
  func places(name: String, version: String, expected: ScreenRectangle) {
    let told = ReportedRectangle(x: 10, y: 20, width: 30, height: 40)
    let toolkit = Toolkit.named(name, version: version)
    #expect(toolkit.rectangle(told, origin: Self.origin) == expected)
  }

  @Test(
    "GTK leaves out borders from 4.10 on, and not where it tells no more than that it is 4",
    arguments: [("4", false), ("4.9", false), ("4.10", true), ("4.18.2", true), ("5.0", true)])
  func insets(version: String, isLost: Bool) {
    #expect(Toolkit.named("GTK", version: version).losesInsets == isLost)
  }

  @Test("GTK 4 has no place on the screen while it is not known where its window is")
  func unknownOrigin() {
    let told = ReportedRectangle(x: 10, y: 20, width: 30, height: 40)
    #expect(Toolkit.named("GTK", version: "4.8.3").rectangle(told, origin: nil) == nil)
  }

  @Test(
    "What says that there is no place is none",
    arguments: [
      ReportedRectangle(x: -2_147_483_648, y: -2_147_483_648, width: 498, height: 21),
      ReportedRectangle(x: -2_147_483_648, y: -2_147_483_648, width: 1, height: 1),
      ReportedRectangle(x: -1, y: -1, width: -1, height: -1),
      ReportedRectangle(x: 0, y: 0, width: 0, height: 0),
      ReportedRectangle(x: 5, y: 5, width: 0, height: 10),
      ReportedRectangle(x: -1, y: -1, width: 1, height: 1),
      ReportedRectangle(x: 0, y: 0, width: 2_147_483_647, height: 10),
      ReportedRectangle(x: 2_147_483_647, y: 2_147_483_647, width: 10, height: 10),
    ])
  func noPlace(told: ReportedRectangle) {
    for name in ["gtk", "GTK", "Qt", "Gecko", "VCL"] {
      #expect(Toolkit.named(name, version: "3").rectangle(told, origin: Self.origin) == nil)
    }
  }

  @Test(
    "The tab of a page is called by the page, not by the memory that it needs",
    arguments: [
      ("News - Memory usage - 23.2 MB", "News"), ("A - B - Memory usage - 1,120 MB", "A - B"),
      ("Prices - 2 - 3", "Prices - 2 - 3"), ("News", "News"), ("24 - MB", "24 - MB"),
    ])
  func tab(told: String, name: String) {
    let toolkit = Toolkit.named("Chromium", version: "1.0")
    #expect(toolkit.name(told, role: "page tab") == name)
    #expect(toolkit.name(told, role: "list item") == told)
    #expect(Toolkit.named("Gecko", version: "115").name(told, role: "page tab") == told)
  }

  @Test(
    "What LibreOffice draws under its menu bar is as much lower as it begins above its window",
    arguments: [(60, 25), (85, 0), (86, 0), (-200, 0)])
  func menuBar(top: Int, shift: Int) {
    // Measured with LibreOffice 7.4: the pane says 60 after it was opened, and 85 after a dialog.
    let around = ReportedRectangle(x: 100, y: 85, width: 1_000, height: 735)
    let pane = ReportedRectangle(x: 100, y: top, width: 1_000, height: 735)
    #expect(Toolkit.shift(of: pane, in: around) == shift)
    var outline = OutlineTree(Toolkit.named("gtk", version: "3.24.38"))
    var last: Int?
    for (number, (role, told)) in [
      ("frame", ReportedRectangle(x: 99, y: 40, width: 1_002, height: 785)), ("panel", around),
      ("root pane", pane),
      ("document text", ReportedRectangle(x: 100, y: top + 103, width: 927, height: 610)),
    ].enumerated() {
      let id = ElementID(program: ":1.9", path: "/\(number)")
      let index = outline.add(id, in: last)
      outline.settle(index, role: role, states: [.showing, .visible], told: told)
      last = index
    }
    let place = outline.rectangle(outline.nodes.count - 1, origin: nil)
    #expect(place?.y == max(top + 103 + shift, 40))
  }

  @Test("Of a sheet the cells between its corners are looked at, and never too many")
  func sheet() throws {
    let sheet = try #require(
      SheetWindow(VisibleRowRange(count: .max, rows: 1_048_576, columns: 16_384)))
    let cells = sheet.cells(from: 16_384 + 2, to: 2 * 16_384 + 3)
    #expect(cells.map { [$0.row, $0.column] } == [[1, 2], [1, 3], [2, 2], [2, 3]])
    #expect(sheet.cells(from: 0, to: 900 * 16_384 + 19).count == 600)
    #expect(sheet.cells(from: 0, to: 16_383).count == 600)
    #expect(sheet.cells(from: -1, to: 5).isEmpty)
    #expect(sheet.cells(from: 9, to: 5).isEmpty)
    #expect(SheetWindow(VisibleRowRange(count: 60, rows: 10, columns: 6)) == nil)
    #expect(SheetWindow(VisibleRowRange(count: 0, rows: nil, columns: nil)) == nil)
  }

  @Test("A window that is partly left of the screen has a place")
  func negative() {
    let told = ReportedRectangle(x: -20, y: -1, width: 100, height: 30)
    #expect(Toolkit.named("Qt", version: "5").rectangle(told, origin: nil)?.x == -20)
  }

  @Test(
    "Names of classes are no names in GTK 4, and names everywhere else",
    arguments: [
      ("GtkListView", ""), ("AdwHeaderBar", ""), ("Gtk", "Gtk"), ("GtkListView 2", "GtkListView 2"),
      ("Gtkmm", "Gtkmm"), ("OpenGL", "OpenGL"), ("Notes", "Notes"),
    ])
  func classNames(name: String, expected: String) {
    #expect(Toolkit.named("GTK", version: "4.8").name(name) == expected)
    #expect(Toolkit.named("gtk", version: "3.24").name(name) == name)
  }

  @Test(
    "What may be a password is one",
    arguments: [
      ("gtk", "3", "password text", "", "", true), ("gtk", "3", "text", "", "notes", false),
      ("gtk", "3", "text", "", "", false), ("Qt", "5", "text", "", "●●●●", true),
      ("GTK", "4.8", "text", "GtkPasswordEntry", "", true),
      ("Gecko", "115", "entry", "Search", "a•b", false),
    ])
  func passwords(
    name: String, version: String, role: String, own: String, start: String, expected: Bool
  ) {
    let toolkit = Toolkit.named(name, version: version)
    #expect(toolkit.isPassword(role: role, name: own, start: start) == expected)
  }

  @Test("Roles have the names and numbers of the specification")
  func roles() {
    for (number, name) in [
      (26, "icon"), (32, "list item"), (37, "page tab"), (40, "password text"), (56, "table cell"),
      (61, "text"), (91, "tree item"), (98, "list box"), (129, "push button menu"),
    ] {
      #expect(RoleNames.name(number) == name)
      #expect(RoleNames.number(name) == number)
    }
    #expect(RoleNames.all.count >= 130)
    #expect(RoleNames.name(4_000) == "unknown" && RoleNames.name(-1) == "unknown")
    #expect(RoleNames.number("no role") == nil)
  }

  @Test("A rule asks for states and roles by their bits")
  func rule() {
    let rule = MatchRule(states: [.showing], roles: ["page tab", "table cell"])
    let parts = rule.value.elements
    #expect(parts.count == 9)
    #expect(parts[0] == .array(of: "i", [.int32(1 << 25), .int32(0)]))
    #expect(
      parts[4] == .array(of: "i", [.int32(0), .int32(1 << 5 | 1 << 24), .int32(0), .int32(0)]))
  }
}
