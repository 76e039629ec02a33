import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("A view of files that tells nothing of what is in it")
struct SilentViewTests {
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
    let silent = try #require(SilentView(view, [], in: window))
    #expect(silent.window == window.rectangle)
    let row = place(.row, PlaceTraits(isDropPoint: true))
    #expect(SilentView(view, [row], in: window) == nil)
    #expect(SilentView(nil, [], in: window) == nil)
    let other = place(.folderView, PlaceTraits(isDropPoint: true, isView: true))
    #expect(SilentView(other, [], in: window) == nil)
  }

  @Test("holds what lies in it, and nothing beside it or without a place")
  func contains() throws {
    let silent = try #require(SilentView(view, [], in: window))
    #expect(silent.contains(element(Self.area)))
    let beside = ScreenRectangle(x: 0, y: 50, width: 100, height: 300)
    #expect(!silent.contains(element(beside)))
    #expect(!silent.contains(element(nil)))
  }
}
