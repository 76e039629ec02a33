import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("What came is seen by another name, in another list or by its path")
struct OtherNameTests {
  typealias ContentSnapshot = DropEffect.ContentSnapshot

  private func element(_ path: String) -> ElementID { ElementID(program: ":1.7", path: path) }

  private func place(_ role: PlaceRole) -> Place {
    Place(
      element: element("/place"), name: "Notes", spokenName: "Notes", role: role,
      traits: PlaceTraits(isDropPoint: true), origin: .generic(0))
  }

  private static let file = DropEffect.ExpectedEffect(
    names: ["a.txt"],
    ways: [DropEffect.ExpectedForm(.path, [["file:///tmp/a.txt", "/tmp/a.txt"]])])

  private func thing(
    _ name: String, isInside: Bool = false, kind: DropEffect.Thing.Kind = .other
  ) -> DropEffect.Thing {
    DropEffect.Thing(element: element("/" + name), name: name, isInside: isInside, kind: kind)
  }

  private func sight(_ things: DropEffect.Thing...) -> ContentSnapshot {
    ContentSnapshot(things: Set(things))
  }

  private func effect(
    _ before: ContentSnapshot, _ after: ContentSnapshot, at role: PlaceRole
  ) -> Evidence.Kind? {
    DropEffect.evidence(from: before, to: after, at: place(role), wanted: Self.file)
  }

  @Test(
    "T04 what is called by the path of a file shows it, unless the path was written there",
    arguments: [
      (PlaceRole.window, "/tmp/a.txt", Evidence.Kind?.some(.tab)), (.list, "/tmp/a.txt", .tab),
      (.textLine, "/tmp/a.txt", nil), (.window, "Can't load /tmp/a.txt", nil),
    ])
  func path(role: PlaceRole, name: String, effect: Evidence.Kind?) {
    let before = sight(thing("Ready"))
    #expect(
      self.effect(before, sight(thing("Ready"), thing(name, kind: .choice)), at: role) == effect)
  }

  @Test("T13 a row that came in another list of the window is told as the window's")
  func beside() {
    let one = thing("one", isInside: true)
    for (isInside, expected) in [(true, Evidence.Kind.row), (false, .rowBeside)] {
      let after = sight(one, thing("a.txt", isInside: isInside, kind: .row))
      #expect(effect(sight(one), after, at: .list) == expected)
    }
  }

  @Test("T04 a name in place of the list that was dropped on is that of what is shown now")
  func inPlace() {
    let list = DropEffect.Thing(element: element("/place"), name: "Recent", isInside: false)
    let before = sight(thing("No media"), list)
    #expect(effect(before, sight(thing("a.txt")), at: .list) == .tab)
    #expect(effect(before, sight(thing("a.txt"), list), at: .list) == nil)
  }

  /// A list with rows of two columns, read around the list, a row, or the window, with or without an
  /// element.
  private func playlist(_ titles: [String], around place: Int?) -> ContentSnapshot {
    let rows = titles.enumerated().map { number, title in
      """
          table cell '\(title)' 0,\(20 * number),200,20 showing
          table cell '0:03' 200,\(20 * number),50,20 showing
      """
    }
    let text = "frame 'Player'\n  table 'Playlist'\n" + rows.joined(separator: "\n")
    let elements = TreeText.elements(text)
    let place = place.map { elements[$0].id }
    return ContentSnapshot(
      things: DropEffect.things(in: elements, around: place),
      rowCount: DropEffect.rowCount(in: elements, around: place))
  }

  @Test(
    "T02 a list that is longer by what was dropped on it supports the word of a program that took it",
    arguments: [
      (["One", "Tone A"], Evidence.Kind?.some(.longerList)), (["One", "Tone A", "Tone B"], nil),
      (["One"], nil), (["One", "a.txt"], .row), (["One", "a.txt is no music file"], nil),
      (["One", "unrelated.txt"], nil), (["One", "No. 5"], .longerList),
    ])
  func longer(titles: [String], effect: Evidence.Kind?) {
    for (role, index) in [(PlaceRole.list, 1), (.row, 2), (.window, 0)] {
      let (before, after) = (playlist(["One"], around: index), playlist(titles, around: index))
      let seen = self.effect(before, after, at: role)
      #expect(seen == effect || titles.count == 1, "\(role)")
    }
    #expect(playlist(titles, around: 2).rowCount == titles.count)
    let (before, after) = (playlist(["One"], around: nil), playlist(titles, around: nil))
    #expect(after.rowCount == titles.count)
    #expect(self.effect(before, after, at: .window) == effect || titles.count == 1)
  }
}
