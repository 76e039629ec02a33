/// Content types: what a file is, what it conforms to, and what people call it.
public protocol ContentTypes: Sendable {
  /// The MIME type for a file name and, where given, the first bytes of its contents.
  func type(forName name: String, head: [UInt8]?) -> String

  /// Whether every `type` is also an `other` (PNG is an image, vCard is text).
  func conforms(_ type: String, to other: String) -> Bool

  /// The name that people use for it, in the given language where the database has it ("PNG
  /// image").
  func name(of type: String) -> String

  /// The ending of its files' names, without the dot ("vcf"); `nil` where none is usual.
  func fileExtension(for type: String) -> String?
}

extension ContentTypes {
  /// The usual one of the types that are dragged most; `nil` for any other.
  public func fileExtension(for type: String) -> String? { UsualExtension.of(type) }
}

/// How files of common types are named, where a type has several endings.
package enum UsualExtension {
  package static func of(_ type: String) -> String? {
    switch type {
    case "text/plain": "txt"
    case "text/html": "html"
    case "text/vcard": "vcf"
    case "text/calendar": "ics"
    case "text/markdown": "md"
    case "text/csv": "csv"
    case "image/png": "png"
    case "image/jpeg": "jpg"
    case "application/pdf": "pdf"
    default: nil
    }
  }
}
