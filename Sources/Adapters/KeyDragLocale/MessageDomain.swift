import CLibIntl
import Glibc
import Synchronization

/// The messages of one language, as libintl gives them.
///
/// Each language is a domain of its own, so that the language is an argument and no locale has to be
/// installed. A domain has one folder in a process.
struct MessageDomain: Sendable {
  private let name: [CChar]

  /// The folder below which all languages lie: a locale that every system has.
  static let locale = "C.UTF-8"

  /// Nothing when libintl does not find the messages.
  ///
  /// The first one is made before there are other threads: it sets the locale of messages, and may
  /// change the environment.
  init?(language: String, folder: String) {
    guard MessageDomain.isReady else { return nil }
    let domain = "keydrag-\(language)"
    // Another folder would take the words from whoever has the first one open.
    let first = MessageDomain.folders.withLock { folders in
      let first = folders[domain] ?? folder
      folders[domain] = first
      return first
    }
    guard first == folder else { return nil }
    name = domain.utf8CString.map { $0 }
    guard bindtextdomain(domain, folder) != nil, bind_textdomain_codeset(domain, "UTF-8") != nil
    else { return nil }
    // Every catalogue has a header.
    guard text("") != nil else { return nil }
  }

  /// The translation of a message; nothing where there is none.
  func text(_ key: String) -> String? {
    key.withCString { key in
      name.withUnsafeBufferPointer { name in
        guard let found = dgettext(name.baseAddress, key), key != found else { return nil }
        return String(validatingCString: found)
      }
    }
  }

  /// The translation of a message in the form for a count.
  func text(one: String, other: String, count: Int) -> String? {
    one.withCString { one in
      other.withCString { other in
        name.withUnsafeBufferPointer { name in
          guard let found = dngettext(name.baseAddress, one, other, UInt(count.magnitude)),
            one != found, other != found
          else { return nil }
          return String(validatingCString: found)
        }
      }
    }
  }

  /// The folder of each domain.
  private static let folders = Mutex<[String: String]>([:])

  /// Once in a process.
  private static let isReady: Bool = {
    // LANGUAGE wins over the locale, and would make libintl look for our domains in the folders of
    // those languages. With our own first it finds them, and programs that we start still get what
    // the person asked for.
    if let value = getenv("LANGUAGE"), value.pointee != 0 {
      let list = String(cString: value)
      if !list.hasPrefix(locale + ":") { setenv("LANGUAGE", "\(locale):\(list)", 1) }
    }
    return setlocale(LC_MESSAGES, locale) != nil
  }()
}
