import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("A view of files that tells nothing of what is in it")
struct OpaqueFileViewTests {
  private static let area = ScreenRectangle(x: 100, y: 50, width: 400, height: 300)

  private func element(_ rectangle: ScreenRectangle?) -> ElementFacts {
    ElementFacts(
      id: ElementID(program: ":1.1", path: "/1"), role: "panel", name: "", rectangle: rectangle)
  }

  private func place(_ role: PlaceRole, _ traits: PlaceTraits) -> Place {
    Place(
      element: nil, rectangle: Self.area, name: "Inbox", spokenName: "Inbox", role: role,
      traits: traits, origin: .profile(0))
  }

  private let window = WindowFacts(
    id: WindowID(1), title: "Inbox", className: "Thunar", processID: nil,
    rectangle: ScreenRectangle(x: 0, y: 0, width: 640, height: 480), isMapped: true, isActive: true)

  private var view: Place {
    place(.folderView, PlaceTraits(isDropPoint: true, isView: true, source: .files))
  }

  @Test("is one that shows files, and names none of them")
  func silent() throws {
    let silent = try #require(OpaqueFileView(view, [], in: window))
    #expect(silent.window == window.rectangle)
    let row = place(.row, PlaceTraits(isDropPoint: true))
    #expect(OpaqueFileView(view, [row], in: window) == nil)
    #expect(OpaqueFileView(nil, [], in: window) == nil)
    let other = place(.folderView, PlaceTraits(isDropPoint: true, isView: true))
    #expect(OpaqueFileView(other, [], in: window) == nil)
  }

  @Test(
    "is told of where nothing is in it, not even the list of an empty folder",
    arguments: [
      ("layered pane", true), ("panel", true), ("tree table", false), ("list", false),
      ("table cell", false), ("icon", false),
    ])
  func untold(role: String, isUntold: Bool) {
    func facts(_ number: Int, _ role: String, in parent: Int?) -> ElementFacts {
      ElementFacts(
        id: ElementID(program: ":1.1", path: "/\(number)"), parent: parent, role: role, name: "",
        rectangle: Self.area)
    }
    var view = view
    view.index = 2
    view.traits.detailsKey = KeyStroke(name: "ctrl+2")
    // A list beside the view says nothing of it.
    let elements = [
      facts(0, "frame", in: nil), facts(1, "table", in: 0), facts(2, "directory pane", in: 0),
      facts(3, "panel", in: 2), facts(4, role, in: 3),
    ]
    #expect(OpaqueFileView.untold(among: [view], elements) == (isUntold ? view : nil))
    let finding = Audit.findings([view], untold: OpaqueFileView.untold(among: [view], elements))
      .first { $0.kind == .silentView }
    #expect(finding?.key == (isUntold ? KeyStroke(name: "ctrl+2") : nil))
    #expect((finding == nil) == !isUntold)
  }

  @Test("is said with the key of a view that tells more, where one is known")
  func said() {
    #expect(Phrasebook().untold("Inbox", nil) == "Inbox does not tell what is in it.")
    #expect(
      Phrasebook().untold("Inbox", KeyStroke(name: "ctrl+2"))
        == "Inbox does not tell what is in it. Press Ctrl+2 there for the details view, which does."
    )
  }

  @Test("holds what lies in it, and nothing beside it or without a place")
  func contains() throws {
    let silent = try #require(OpaqueFileView(view, [], in: window))
    #expect(silent.contains(element(Self.area)))
    let beside = ScreenRectangle(x: 0, y: 50, width: 100, height: 300)
    #expect(!silent.contains(element(beside)))
    #expect(!silent.contains(element(nil)))
  }
}
