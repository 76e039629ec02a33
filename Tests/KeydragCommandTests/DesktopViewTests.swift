import KeyDragCore
import Testing

@testable import keydrag

@Suite("The words beside the place that is reached")
struct DesktopViewTests {
  @Test("While a name is typed they begin with it")
  func finding() {
    var contents = ScreenContents(
      title: "Files, Thunar", rows: [ScreenRow(name: "Sorted", note: "copy")], firstRow: 0,
      current: 0, carried: "[1] a.txt")
    #expect(DesktopView.lines(contents) == ["Sorted: copy", "[1] a.txt", "Files, Thunar"])
    contents.finding = "Find: so"
    #expect(
      DesktopView.lines(contents) == ["Find: so", "Sorted: copy", "[1] a.txt", "Files, Thunar"])
  }
}
