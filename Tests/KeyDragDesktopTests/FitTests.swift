import KeyDragConfiguration
import KeyDragCore
import KeyDragTypes
import Testing

@testable import KeyDragDesktop

@Suite("A place that takes some types only takes what is offered in one of them")
struct FitTests {
  private let types = SystemContentTypes()

  private func item(_ types: String...) -> DragItem {
    DragItem(
      source: DragSourceID(1), name: "a", kind: .file, types: types, typeName: "",
      container: ContainerID(1), tree: nil)
  }

  @Test(
    "by name, by family, and by what a type is a kind of",
    arguments: [
      ("image/png", ["image/png"], true), ("image/png", ["image/*"], true),
      ("image/png", ["text/*", "image/jpeg"], false),
      ("text/markdown", ["text/plain"], true), ("text/plain", ["text/markdown"], false),
      ("image/png", ["*/*"], true), ("image/svg+xml", ["text/plain"], true),
    ])
  func item(type: String, wanted: [String], isTaken: Bool) {
    #expect(Asking.fits([item(type)], wanted, types) == isTaken)
  }

  @Test("all items, not some of them, but each by any of its types")
  func items() {
    let (picture, text) = (item("image/png"), item("text/plain"))
    #expect(!Asking.fits([picture, text], ["image/*"], types))
    #expect(Asking.fits([picture, text], ["image/*", "text/plain"], types))
    #expect(Asking.fits([item("text/x-moz-url", "text/plain")], ["text/plain"], types))
  }

  @Test("a file that is no text is offered as a link, which is what the place takes")
  func forms() throws {
    let wanted = ["text/uri-list", "text/plain"]
    let offered = LinkGoods().forms(of: [item("image/png")]).map(\.contentType)
    #expect(!Asking.fits([item("image/png")], wanted, types))
    #expect(Asking.fits(offered, wanted, types))
    #expect(Asking.fits(["text/plain;charset=utf-8"], ["text/plain"], types))
    #expect(!Asking.fits(["UTF8_STRING", "text/plain;charset=utf-8"], ["image/*"], types))
  }
}
