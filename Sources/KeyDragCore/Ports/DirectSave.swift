/// A file that its source writes at the address given by the drop target (freedesktop.org's Direct
/// Save Protocol, XDS): for items that are not files yet.
package struct DirectSave: Sendable {
  package enum Answer: Hashable, Sendable {
    case saved
    /// Nothing is written at that address; the target may request the data itself.
    case elsewhere
    /// It could not be written, and no other data is available.
    case failed
  }

  /// The content type that offers it, and the property that carries the name and the address.
  package static let type = "XdndDirectSave0"
  /// The maximum length of an address, in bytes.
  package static let longestAddress = 4_096

  /// The proposed file name, without a path.
  package var name: String
  /// Writes the file at the address from the target, which is untrusted.
  package var write: @Sendable (_ address: [UInt8]) async -> Answer

  package init(name: String, write: @escaping @Sendable ([UInt8]) async -> Answer) {
    self.name = name
    self.write = write
  }
}

/// Writes one carried item wherever it is dropped, and finds it there afterwards.
package protocol DirectSaving: DropVerifier {
  var save: DirectSave { get }

  /// Starts a drop; what was written before no longer counts.
  ///
  /// - Parameters:
  ///   - folder: the contents of the window that is dropped on; `nil` if it shows no folder.
  ///     Nothing is written anywhere else.
  ///   - place: its name, for the history.
  func begin(in folder: DisplayedFolder?, place: String)
}
