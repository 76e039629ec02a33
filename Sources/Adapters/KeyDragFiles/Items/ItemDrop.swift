import KeyDragCore
import SystemPackage

/// A drop of items that have no files of their own onto a folder.
///
/// Made by ``FilesWorld``, used once by ``ItemRun``.
package struct ItemDrop: Sendable {
  /// One of them, and the file it becomes; `nil` for one that can't become any.
  struct Item: Sendable {
    /// Safe to speak.
    var name: String
    /// The length in bytes that is said beforehand; it need not be true.
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
  /// The folder.
  var target: FilePath
  /// The target's name, safe to speak, as the history will say it.
  var placeName: String
  var types: any ContentTypes
  /// The journal's entry for the rest of the same drop; `nil` where this is all of it.
  var entry: Int64?
  /// The program that drops it here, safe to speak; `nil` for this one.
  var visitor: String?

  /// How many bytes all of them have; `nil` where that is not known of one.
  ///
  /// In bytes; only for what is told while it runs.
  var size: Int64? { items.map(\.size).byteTotal }
}
