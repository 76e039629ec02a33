import KeyDragCore
import SystemPackage

/// A drop onto a folder of items that have no files of their own. Used once by ``ItemRun``.
package struct ItemDrop: Sendable {
  /// `content` is `nil` for an item that can't become a file.
  struct Item: Sendable {
    /// Safe to speak.
    var name: String
    /// Announced size in bytes; may be wrong.
    var size: Int64?
    var content: (provider: ItemProvider, file: ItemFile)?

    init(name: String, size: Int64? = nil, content: (provider: ItemProvider, file: ItemFile)?) {
      self.name = name
      self.content = content
      let form = content.flatMap { content in
        content.provider.representations.first { $0.contentType == content.file.contentType }
      }
      self.size = form?.byteCount ?? size
    }
  }

  var items: [Item]
  var target: FilePath
  /// The target's name as the history speaks it.
  var placeName: String
  var types: any ContentTypes
  /// Journal entry of the same drop's files; `nil` if there are none.
  var entry: Int64?
  /// Program that the drop comes from, safe to speak; `nil` for this one.
  var visitor: String?

  /// Total size in bytes, for progress only; `nil` if any size is unknown.
  var size: Int64? { items.map(\.size).byteTotal }
}
