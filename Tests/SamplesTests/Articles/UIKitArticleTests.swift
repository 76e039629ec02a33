import Foundation
import Testing

@Suite("From UIKit") struct UIKitArticleTests {
  @Test("Each entry of UIKit's index has one row, with a symbol or the reason why there is none")
  func index() throws {
    let file = Article.top.appending(path: "Sources/KeyDrag/KeyDrag.docc/From-UIKit.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let section = try #require(text.components(separatedBy: "\n### The index\n").last)
      .components(separatedBy: "\n### ")[0]
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { row in
      row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(rows.map { $0[0].replacing("`", with: "") } == Self.entries)
    for row in rows {
      #expect(row.count == 2 && (row[1].contains("``") || row[1].hasPrefix("none: ")), "\(row)")
    }
  }

  @Test("The methods of the delegates that an adopter looks for are named")
  func methods() throws {
    let file = Article.top.appending(path: "Sources/KeyDrag/KeyDrag.docc/From-UIKit.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    for name in [
      "itemsForBeginning", "canHandle", "sessionDidUpdate", "performDrop", "loadObjects",
      "localObject", "canMove", "dropSessionDidUpdate", "performDropWith",
      "dragInteractionEnabled",
    ] {
      #expect(text.contains("`\(name)`"), "\(name)")
    }
  }

  /// Headings, guides and symbols, as UIKit's documentation lists them.
  private static let entries = """
    Essentials
    Understanding a drag item as a promise
    Making a view into a drag source
    Making a view into a drop destination
    Adopting drag and drop in a custom view
    Adopting drag and drop in a table view
    Drag and drop interactions
    UIDragInteractionDelegate
    UIDropInteractionDelegate
    UIDragInteraction
    UIDropInteraction
    Spring-loaded interactions
    UISpringLoadedInteractionBehavior
    UISpringLoadedInteractionSupporting
    UISpringLoadedInteraction
    UISpringLoadedInteractionContext
    UISpringLoadedInteractionEffect
    Drag sources
    UIDragItem
    UIDragDropSession
    UIDragSession
    UIDragAnimating
    Drop destinations
    UIDropSession
    UIDropProposal
    UIDropOperation
    UIDropSessionProgressIndicatorStyle
    Item providers
    Data delivery with drag and drop
    NSItemProvider
    NSItemProviderReading
    NSItemProviderWriting
    UIItemProviderPresentationSizeProviding
    UIItemProviderReadingAugmentationDesignating
    UIItemProviderReadingAugmentationProviding
    Pasteboard support
    UIPasteConfiguration
    UIPasteConfigurationSupporting
    Custom drag item previews
    UIDragPreviewParameters
    UIDragPreview
    UIDragPreviewTarget
    UITargetedDragPreview
    """.split(separator: "\n").map(String.init)
}
