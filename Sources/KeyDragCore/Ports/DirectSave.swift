/// A file that its source writes where the target of a drag says (freedesktop.org's Direct Save
/// Protocol, XDS): for what is carried and is no file yet.
package struct DirectSave: Sendable {
  /// The answer to a target.
  package enum Answer: Hashable, Sendable {
    /// The file is there.
    case saved
    /// Nothing is written at that address; the target may ask for the data itself.
    case elsewhere
    /// It could not be written, and there is nothing else to be asked for.
    case failed
  }

  /// The content type under which it is offered, which is also the name of the property by which name
  /// and address are handed over.
  package static let type = "XdndDirectSave0"
  /// Longer addresses are not read, in bytes.
  package static let longestAddress = 4_096

  /// The name that is proposed for the file; no path.
  package var name: String
  /// Writes the file at the address that the target has given, which may be anything.
  package var write: @Sendable (_ address: [UInt8]) async -> Answer

  package init(name: String, write: @escaping @Sendable ([UInt8]) async -> Answer) {
    self.name = name
    self.write = write
  }
}

/// Writes one thing that is carried to wherever it is dropped, and finds it there afterwards.
package protocol DirectSaving: ExpectedLanding {
  var save: DirectSave { get }

  /// A drop begins: what was written before counts no more.
  ///
  /// - Parameters:
  ///   - folder: what the window shows where it is dropped; `nil` where it shows none. Nothing is
  ///     written elsewhere.
  ///   - place: what it is called there, for the history.
  func begin(in folder: ShownFolder?, place: String)
}
