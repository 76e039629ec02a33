import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("Places keep their numbers while they are there")
struct PlaceNumbersTests {
  private var numbers = PlaceNumbers()
  private var last: UInt64 = 0

  private mutating func list(_ paths: String?...) -> [UInt64] {
    var next = last
    let result = numbers.number(
      paths.map { path in path.map { ElementID(program: ":1.1", path: $0) } }
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
}
