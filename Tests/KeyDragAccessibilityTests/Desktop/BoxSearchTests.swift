import KeyDragCore
import Testing

@testable import KeyDragAccessibility

@Suite("The rows of a list box that can be seen")
struct BoxSearchTests {
  @Test("A box that claims two thousand million rows is asked for a few thousand at most")
  func liar() {
    let seen = ReportedRectangle(x: 0, y: 0, width: 500, height: 400)
    for height in [400, 65_536] {
      let box = ReportedRectangle(x: 0, y: 0, width: 500, height: height)
      var search = BoxSearch(count: Int(Int32.max), box: box, seen: seen)
      var looked = 0
      while case let wanted = search.wanted, !wanted.isEmpty {
        looked += wanted.count
        // Each row that is asked for is where it is seen.
        search.take(
          wanted, [wanted[0]: seen, wanted[wanted.count - 1]: seen])
      }
      #expect(looked <= 4_000)
    }
  }

  @Test("What is in a row is known where it is one thing, and all of it was told")
  func contents() {
    let ids = (0..<9).map { ElementID(program: ":1.1", path: "/\($0)") }
    // Rows 0, 2, 3 and 6; what is in the third is told as two that may lie in one another.
    let rows = [ids[0], ids[2], ids[3], ids[6]]
    let cut = BoxContents(rows: rows, isAll: false, all: Array(ids.prefix(8)))
    #expect((0..<4).map { cut[$0] } == [[ids[1]], [], nil, nil])
    let whole = BoxContents(rows: rows, isAll: true, all: Array(ids.prefix(8)))
    #expect((0..<4).map { whole[$0] } == [[ids[1]], [], nil, [ids[7]]])
    let full = BoxContents(rows: rows, isAll: true, all: ids)
    #expect(full[3] == nil)
    #expect(BoxContents(rows: rows, isAll: true, all: [ids[4]])[0] == nil)
  }

  /// Rows as GTK 3 tells them: only those that can be seen are somewhere, and turns are forgotten.
  private struct Box {
    var heights: [Int]
    var scrolled: Int

    func search() -> (found: Set<Int>, looked: Int) {
      let seen = ReportedRectangle(x: 0, y: 60, width: 500, height: 400)
      let top = seen.y - scrolled
      let told = Int(Int16(truncatingIfNeeded: top))
      let whole = ReportedRectangle(x: 0, y: told, width: 500, height: heights.reduce(0, +))
      var tops: [Int] = []
      var y = told
      for height in heights {
        tops.append(y)
        y += height
      }
      var search = BoxSearch(count: heights.count, box: whole, seen: seen)
      var (found, looked): (Set<Int>, Int) = ([], 0)
      while case let wanted = search.wanted, !wanted.isEmpty {
        looked += wanted.count
        var places: [Int: ReportedRectangle] = [:]
        for row in wanted where shown.contains(row) {
          places[row] = search.place(
            ReportedRectangle(x: 0, y: tops[row], width: 500, height: heights[row]))
        }
        found.formUnion(places.keys)
        search.take(wanted, places)
      }
      return (found, looked)
    }

    /// The rows that are seen, and not hidden.
    var shown: Set<Int> {
      var (result, y): (Set<Int>, Int) = ([], -scrolled)
      for (row, height) in heights.enumerated() {
        if height > 0, y < 400, y + height > 0 { result.insert(row) }
        y += height
      }
      return result
    }
  }

  @Test(
    "Among rows of one height hardly more are looked at than are seen, wherever they were scrolled",
    arguments: [200, 5_000, 20_000], [0, 21, 1_260, 2_333])
  func even(count: Int, scrolled: Int) {
    let box = Box(heights: Array(repeating: 21, count: count), scrolled: scrolled * count / 200)
    let (found, looked) = box.search()
    #expect(
      found == box.shown && found.count >= (scrolled * count / 200 < count * 21 - 400 ? 19 : 0))
    #expect(looked <= 60)
  }

  @Test(
    "Rows of all heights are found, and those between which others are hidden", arguments: 0..<6)
  func uneven(step: Int) {
    let heights = (0..<3_000).map { 17 + $0 * 7919 % 60 }
    let uneven = Box(heights: heights, scrolled: heights.reduce(0, +) * step / 7)
    #expect(uneven.search().found == uneven.shown)
    let hiding = (0..<900).map { $0 % 9 == 4 ? 24 : 0 }
    let hidden = Box(heights: hiding, scrolled: 380 * step)
    #expect(hidden.search().found == hidden.shown && !hidden.shown.isEmpty)
  }

  @Test("A box of which nothing can be seen is not searched for ever")
  func nothing() {
    #expect(Box(heights: Array(repeating: 0, count: 90_000), scrolled: 0).search().looked <= 2_500)
    #expect(Box(heights: [], scrolled: 0).search().found == [])
    #expect(Box(heights: [30, 30], scrolled: 0).search().found == [0, 1])
  }
}
