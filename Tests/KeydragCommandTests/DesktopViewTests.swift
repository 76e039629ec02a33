import KeyDragCore
import Testing

@testable import keydrag

@Suite("The words beside the place that is reached")
struct DesktopViewTests {
  @Test("While a name is typed they begin with it")
  func finding() {
    var contents = ScreenContents(
      title: "Files, Thunar", rows: [ScreenRow(name: "Sorted", note: "copy, in Files")],
      firstRow: 0, current: 0, carried: "[1] a.txt")
    contents.label = "Sorted, in Files: copy. 1 of 6"
    let lines = ["Sorted, in Files: copy. 1 of 6", "[1] a.txt", "Files, Thunar"]
    #expect(DesktopView.lines(contents) == lines)
    contents.finding = "Find: so"
    #expect(DesktopView.lines(contents) == ["Find: so"] + lines)
  }
}
