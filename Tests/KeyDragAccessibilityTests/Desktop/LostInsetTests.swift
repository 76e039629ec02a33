import KeyDragCore
import Testing

@testable import KeyDragAccessibility

@Suite("T13 What GTK 4.10 and newer leave out of a place")
struct LostInsetTests {
  private func rectangle(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> ReportedRectangle {
    ReportedRectangle(x: x, y: y, width: width, height: height)
  }

  private func inset(_ own: ReportedRectangle, _ inside: [ReportedRectangle]) -> [Int] {
    let inset = LostInset(of: own, around: inside)
    return [inset.shift.x, inset.shift.y, inset.doubt.x, inset.doubt.y]
  }

  @Test("A box that its child fills has nothing around it")
  func filled() {
    #expect(inset(rectangle(193, 41, 792, 644), [rectangle(193, 41, 792, 644)]) == [0, 0, 0, 0])
    #expect(inset(rectangle(0, 0, 9, 9), []) == [0, 0, 0, 0])
  }

  @Test("A child that begins before the contents of its box shows how much is around those")
  func overlapping() {
    // As Nautilus 48 tells its list: a header in the contents, and rows over the padding.
    let table = rectangle(193, 41, 792, 644)
    let inside = [rectangle(193, 41, 744, 30), rectangle(169, 71, 792, 614)]
    #expect(inset(table, inside) == [24, 0, 0, 0])
  }

  @Test("What remains beside the children is likely around all of them, and how much is doubt")
  func beside() {
    // Three nested boxes with a border of 3 and a padding of 20 were told so.
    #expect(inset(rectangle(0, 0, 100, 90), [rectangle(0, 0, 54, 44)]) == [23, 23, 23, 23])
  }

  @Test("Room that is left below the rows of a list is no padding, and what is scrolled hides none")
  func list() {
    let list = rectangle(100, 100, 400, 600)
    let few = (0..<3).map { rectangle(100, 100 + 40 * $0, 380, 40) }
    #expect(inset(list, few) == [10, 10, 10, 10])
    let many = (0..<30).map { rectangle(100, 100 + 40 * ($0 - 9), 380, 40) }
    #expect(inset(list, many) == [10, 10, 10, 10])
  }
}
