import KeyDragCore
import SystemPackage

/// A drop of items that have no files of their own onto a folder.
package struct ItemDrop: Sendable {
  /// One of them, and the file it becomes; `nil` for one that can't become any.
  struct Item: Sendable {
    var name: String
    var content: (provider: ItemProvider, file: ItemFile)?
  }

  var items: [Item]
  var target: FilePath
  /// The target's name, safe to speak, as the history will say it.
  var placeName: String
  var types: any ContentTypes
  /// The journal's entry for the rest of the same drop; `nil` where this is all of it.
  var entry: Int64?
}
