/// Content types: what a file is, what it conforms to, and what people call it.
public protocol ContentTypes: Sendable {
  /// The MIME type for a file name and, where given, the first bytes of its contents.
  func type(forName name: String, head: [UInt8]?) -> String

  /// Whether every `type` is also an `other` (PNG is an image, vCard is text).
  func conforms(_ type: String, to other: String) -> Bool

  /// What people call it, in the given language where the database has it ("PNG image").
  func name(of type: String) -> String
}
