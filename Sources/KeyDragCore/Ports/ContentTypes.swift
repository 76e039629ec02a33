/// The content types of files: their hierarchy and their names.
public protocol ContentTypes: Sendable {
  /// The MIME type for a file name and, where given, the first bytes of its contents.
  func type(forName name: String, head: [UInt8]?) -> String

  /// Whether every `type` is also an `other`: PNG is an image, vCard is text.
  func conforms(_ type: String, to other: String) -> Bool

  /// The name in everyday terms, localized if the database has it ("PNG image").
  func name(of type: String) -> String

  /// The usual file extension without the dot ("vcf"); `nil` if there is none.
  func fileExtension(for type: String) -> String?
}

extension ContentTypes {
  /// The usual extension of the most common types; `nil` for any other.
  public func fileExtension(for type: String) -> String? { UsualExtension.of(type) }
}

/// The usual extensions of common types that have several.
package enum UsualExtension {
  package static func of(_ type: String) -> String? { table[type] }

  private static let table = [
    "text/plain": "txt", "text/html": "html", "text/vcard": "vcf", "text/calendar": "ics",
    "text/markdown": "md", "text/csv": "csv", "image/png": "png", "image/jpeg": "jpg",
    "application/pdf": "pdf",
  ]
}
