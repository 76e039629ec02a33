import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("Places keep their numbers while they are there")
struct PlaceIdentitiesTests {
  private var numbers = PlaceIdentities()
  private var last: UInt64 = 0

  private mutating func list(_ paths: String?...) -> [UInt64] {
    list(paths, called: paths.map { $0 ?? "" })
  }

  private mutating func list(_ paths: [String?], called names: [String]) -> [UInt64] {
    var next = last
    let result = numbers.number(
      paths.map { path in
        PlaceIdentities.Owner(element: path.map { ElementID(program: ":1.1", path: $0) })
      }, called: names
    ) {
      next += 1
      return DropPointID(next)
    }
    last = next
    return result.map(\.rawValue)
  }

  @Test("from one listing to the next, in whatever order they come")
  mutating func kept() {
    #expect(list("/a", "/b") == [1, 2])
    #expect(list("/b", "/c", "/a") == [2, 3, 1])
  }

  @Test("the parts of one element have numbers of their own, and so has what is no element")
  mutating func parts() {
    #expect(list("/a", "/a", nil) == [1, 2, 3])
    #expect(list("/a", nil, "/a") == [1, 3, 2])
  }

  @Test("what is not listed any more is forgotten, however often the window changes")
  mutating func forgotten() {
    for index in 0..<1_000 { _ = list("/view", "/row/\(index)") }
    #expect(numbers.all.count == 2)
    // A number is never given to something else.
    #expect(list("/row/0") == [1_002])
  }

  @Test("where a program makes its list anew, by their names, as long as those are of one each")
  mutating func anew() {
    #expect(list(["/1", "/2", "/3"], called: ["Home", "Docs", "Docs"]) == [1, 2, 3])
    #expect(list(["/4", "/5", "/6"], called: ["Docs", "Home", "Docs"]) == [4, 1, 5])
    // One that is still there keeps its own; two that come can't both be the one that went.
    #expect(list(["/5", "/7", "/8"], called: ["Home", "Home", "Home"]) == [1, 6, 7])
  }

  @Test("T13 an element that a list gives to another row is another place; the row keeps its own")
  mutating func recycled() {
    var next: UInt64 = 0
    func rows(_ rows: [(path: String, name: String)]) -> [UInt64] {
      numbers.number(
        rows.map { row in
          PlaceIdentities.Owner(element: ElementID(program: ":1.1", path: row.path), name: row.name)
        }, called: rows.map(\.name)
      ) {
        next += 1
        return DropPointID(next)
      }.map(\.rawValue)
    }
    #expect(rows([("/1", "d1"), ("/2", "d2"), ("/3", "d3")]) == [1, 2, 3])
    // Scrolled by one: the first element shows the row that has come.
    #expect(rows([("/2", "d2"), ("/3", "d3"), ("/1", "d4")]) == [2, 3, 4])
    // Made anew by the program.
    #expect(rows([("/7", "d2"), ("/8", "d3"), ("/9", "d4")]) == [2, 3, 4])
  }

  @Test("the cells of a sheet, which are new elements at each look, keep theirs by their names")
  mutating func cells() {
    let sheet = ElementID(program: ":1.1", path: "/sheet")
    var next: UInt64 = 0
    var looks: [[UInt64]] = []
    for names in [["A1", "B1"], ["B1", "C1", "A1"]] {
      let found = numbers.number(
        names.map { PlaceIdentities.Owner(element: sheet, name: $0) }
          + [PlaceIdentities.Owner(element: sheet)],
        called: names + ["sheet"]
      ) {
        next += 1
        return DropPointID(next)
      }
      looks.append(found.map(\.rawValue))
    }
    #expect(looks == [[1, 2, 3], [2, 4, 1, 3]])
  }
}
