import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("Folders of a view of files that no element stands for")
struct UnseenFoldersTests {
  private static func element(_ number: Int) -> ElementID {
    ElementID(program: ":1.1", path: "/row/\(number)")
  }

  /// One that can be seen where it has an element.
  private static func place(_ name: String, _ number: Int?, _ role: PlaceRole = .row) -> Place {
    Place(
      element: number.map(element), name: name, spokenName: name, role: role,
      traits: PlaceTraits(isDropPoint: true), origin: .profile(3))
  }

  private func unseen(_ folders: String..., beside shown: [Place]) -> UnseenFolders {
    UnseenFolders(folders, beside: shown) { Self.place($0, nil) }
  }

  @Test("are places once: a folder that can be seen is not told again")
  func once() {
    let unseen = unseen("a", "b", "c", "d", beside: [Self.place("b", 1), Self.place("file", 3)])
    #expect(unseen.places.map(\.name) == ["a", "c", "d"])
    #expect(self.unseen("a", beside: [Self.place("a", 9)]).places.isEmpty)
  }

  @Test(
    "stand among the rows that can be seen, in the order of the view",
    arguments: [
      (["b", "d"], ["docs", "a", "b", "c", "d", "e", "Trash"]),
      (["d", "b"], ["docs", "e", "d", "c", "b", "a", "Trash"]),
      (["c", "a", "d"], ["docs", "c", "a", "d", "b", "e", "Trash"]),
      ([], ["docs", "a", "b", "c", "d", "e", "Trash"]),
    ])
  func order(shown: [String], expected: [String]) {
    let rows = shown.enumerated().map { Self.place($1, $0) }
    let view = [Self.place("docs", nil, .folderView)]
    var places = view + rows + [Self.place("Trash", 40)]
    unseen("a", "b", "c", "d", "e", beside: rows).add(to: &places)
    #expect(places.map(\.name) == expected)
  }

  @Test("leave rows that are no folders, and places of the same name elsewhere, where they are")
  func others() {
    let program = Self.place("run.sh", 7)
    var places = [
      Self.place("docs", nil, .folderView), Self.place("b", 1), program,
      Self.place("a", 30, .textField),
    ]
    unseen("a", "b", beside: [places[1], program]).add(to: &places)
    #expect(places.map(\.name) == ["docs", "a", "b", "run.sh", "a"])
  }

  @Test("stand at the end where a window has neither rows nor a view of files")
  func viewless() {
    var places = [Self.place("Trash", 41)]
    unseen("a", "b", beside: []).add(to: &places)
    #expect(places.map(\.name) == ["Trash", "a", "b"])
  }
}
