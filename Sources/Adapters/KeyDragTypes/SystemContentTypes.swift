import CGIO
import KeyDragCore
import Synchronization

/// The content types of this system, from its shared MIME database.
///
/// The database is opened when the first question is asked.
public final class SystemContentTypes: ContentTypes {
  private let names: TypeNames
  private let known = Mutex<[String: String]>([:])

  /// Names types in the language of these phrases.
  public convenience init(phrases: Phrasebook = Phrasebook()) {
    self.init(names: TypeNames(phrases: phrases, folders: MimeFolders.ofEnvironment()))
  }

  init(names: TypeNames) { self.names = names }

  public func type(forName name: String, head: [UInt8]?) -> String {
    let guess =
      if let head {
        g_content_type_guess(name, head, head.count, nil)
      } else {
        g_content_type_guess(name, nil, 0, nil)
      }
    guard let guess else { return "application/octet-stream" }
    defer { g_free(guess) }
    return String(cString: guess)
  }

  public func conforms(_ type: String, to other: String) -> Bool {
    g_content_type_is_a(type, other) != 0
  }

  public func name(of type: String) -> String {
    if let name = known.withLock({ $0[type] }) { return name }
    let name = names.name(of: type)
    known.withLock { $0[type] = name }
    return name
  }
}
