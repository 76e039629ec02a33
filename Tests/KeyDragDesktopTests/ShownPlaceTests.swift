import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("What is shown at a place itself, and what in its stead")
struct ShownPlaceTests {
  private let field = ShownPlaceTests.element("/place")

  private static func element(_ path: String) -> ElementID {
    ElementID(program: ":1.7", path: path)
  }

  private static let picture = DropEffect.ExpectedEffect(
    names: ["a.png"], ways: [.init(.path, [["file:///tmp/a.png"]])])

  private func place(_ role: PlaceRole) -> Place {
    Place(
      element: field, name: "Photo", spokenName: "Photo", role: role,
      traits: PlaceTraits(isDropPoint: true), origin: .generic(0))
  }

  /// A window with one element beside a label.
  private func sight(_ path: String, _ name: String) -> DropEffect.ContentSnapshot {
    DropEffect.ContentSnapshot(things: [
      .init(element: Self.element("/label"), name: "Shop", isInside: false),
      .init(element: Self.element(path), name: name, isInside: false, kind: .button),
    ])
  }

  @Test(
    "T02 A button with which a file is chosen has it where it names the file behind its label",
    arguments: [
      ("Photo: No file chosen", "Photo: a.png", true),
      ("Photo Browse… No file selected.", "Photo Browse… a.png", true),
      ("Photo: a.png", "Photo: a.png", false), ("Photo: b.png", "Photo: ba.png", false),
      ("Photo: No file chosen", "Not sent: a.png", false), ("Photo", "Photo a.png 2", false),
    ])
  func chosen(before: String, after: String, isIt: Bool) {
    func evidence(_ path: String) -> Evidence.Kind? {
      DropEffect.evidence(
        from: sight("/place", before), to: sight(path, after), at: place(.button),
        wanted: Self.picture)
    }
    #expect(evidence("/place") == (isIt ? .row : nil))
    // Another button may have been called so all the time.
    #expect(evidence("/other") == nil)
  }

  @Test(
    "T02 A button with which files are chosen has several where it counts as many",
    arguments: [
      ("Photos: No file chosen", "Photos: 3 files", true),
      ("Photos Browse… No files selected.", "Photos Browse… 3 files selected.", true),
      ("3 photos: 2 files", "3 photos: 3 files", true),
      ("Photos: 2 files", "Photos: 3 files", true),
      ("Photos: No file chosen", "Photos: 2 files", false),
      ("Photos: 3 files", "Photos: 3 files", false),
      ("Photos: No file chosen", "Photos: a.png", false), ("Photos", "Photos, 1 of 3", false),
    ])
  func severalChosen(before: String, after: String, isIt: Bool) {
    var wanted = Self.picture
    wanted.names = ["a.png", "b.png", "c.png"]
    wanted.ways = [.init(.path, wanted.names.map { ["file:///tmp/\($0)"] })]
    func evidence(_ path: String) -> Evidence.Kind? {
      DropEffect.evidence(
        from: sight(path, before), to: sight(path, after), at: place(.button), wanted: wanted)
    }
    #expect(evidence("/place") == (isIt ? .row : nil))
    // A number on another button may be any.
    #expect(evidence("/other") == nil)
  }

  @Test(
    "T02 In a page a row bears a file's name and size; one that says why it is refused does not",
    arguments: [
      ("• a.png", true), ("a.png (15 bytes)", true), ("a.png - 15 B", true), ("a.png 15 KB", true),
      ("a.png - too large", false), ("a.png (not sent)", false), ("a.png – over 5 MB", false),
      ("a.png – 5 MB are too much", false), ("a.png 9 errors found", false), ("a.png2", false),
      ("a.png\nnot sent", false),
    ])
  func rowOfPage(name: String, isIt: Bool) {
    let before = sight("/place", "Photo")
    var after = before
    after.things?.insert(
      .init(
        element: Self.element("/row"), name: name, isInside: false, kind: .row, isInPage: true))
    let seen = DropEffect.evidence(from: before, to: after, at: place(.area), wanted: Self.picture)
    #expect(seen == (isIt ? .row : nil))
  }

  @Test(
    "A place is hidden where its window shows other things, and not where nothing can be read",
    arguments: [("/place", false), ("/other", true)])
  func hidden(path: String, isIt: Bool) {
    let before = sight("/place", "")
    #expect(DropEffect.isHidden(place(.textField), from: before, to: sight(path, "")) == isIt)
    for unknown in [DropEffect.ContentSnapshot(), DropEffect.ContentSnapshot(things: [])] {
      #expect(!DropEffect.isHidden(place(.textField), from: before, to: unknown))
    }
    #expect(!DropEffect.isHidden(place(.textField), from: sight("/other", ""), to: before))
  }
}
