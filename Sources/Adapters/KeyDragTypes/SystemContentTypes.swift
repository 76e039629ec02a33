import CGIO
import KeyDragCore
import Synchronization

/// Content types from the shared MIME database, which is opened on the first query.
package final class SystemContentTypes: ContentTypes {
  private let names: TypeNames
  private let known = Mutex(Known())

  private struct Known {
    var names: [String: String] = [:]
    var extensions: [String: String?] = [:]
  }

  /// Type names are in the language of these phrases.
  package convenience init(phrases: Phrasebook = Phrasebook()) {
    self.init(names: TypeNames(phrases: phrases, folders: MimeFolders.ofEnvironment()))
  }

  init(names: TypeNames) { self.names = names }

  package func type(forName name: String, head: [UInt8]?) -> String {
    let unknown = "application/octet-stream"
    // Of a name with several types, as of a text where subtitles end in ".txt", too, an empty file would be
    // none.
    let byName = head?.isEmpty ?? true ? guess(name, nil) : unknown
    return byName == unknown ? guess(name, head) : byName
  }

  private func guess(_ name: String, _ head: [UInt8]?) -> String {
    guard let guess = g_content_type_guess(name, head, gsize(head?.count ?? 0), nil) else {
      return "application/octet-stream"
    }
    defer { g_free(guess) }
    return String(cString: guess)
  }

  /// Resolves aliases. Every type with contents conforms to application/octet-stream.
  package func conforms(_ type: String, to other: String) -> Bool {
    if other == "*/*" { return true }
    return g_content_type_is_a(Self.corrected(type), Self.corrected(other)) != 0
  }

  package func name(of type: String) -> String {
    if let name = known.withLock({ $0.names[type] }) { return name }
    let name = names.name(of: Self.canonical(type))
    known.withLock { $0.names[type] = name }
    return name
  }

  package func fileExtension(for type: String) -> String? {
    if let known = known.withLock({ $0.extensions[type] }) { return known }
    let found = findExtension(for: Self.canonical(type))
    known.withLock { $0.extensions[type] = .some(found) }
    return found
  }

  private func findExtension(for type: String) -> String? {
    if let usual = UsualExtension.of(type) { return usual }
    let endings = names.endings(of: type)
    // The first extension that maps back to this type: others may be shared with another type.
    return endings.first { self.type(forName: "x.\($0)", head: nil) == type } ?? endings.first
  }

  /// Resolves aliases.
  private static func canonical(_ type: String) -> String {
    let type = corrected(type)
    guard let name = g_content_type_from_mime_type(type) else { return type }
    defer { g_free(name) }
    return String(cString: name)
  }

  /// Maps a common alias that the database lacks.
  private static func corrected(_ type: String) -> String {
    type == "image/jpg" ? "image/jpeg" : type
  }
}
