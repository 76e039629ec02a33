import FoundationEssentials
import Glibc
import SystemPackage

/// A folder to try things in, which nobody else has and which goes with all that is in it.
///
/// For the tour. Whoever makes it removes it: nothing else does.
package struct PracticeFolder: Sendable {
  /// Absolute, mode 0700.
  package let path: FilePath

  /// Makes the folder where temporary files go.
  ///
  /// When it throws, nothing is left.
  ///
  /// - Parameters:
  ///   - folders: those in it, by their names.
  ///   - files: those in it, by their paths, each with its text.
  /// - Throws: the `errno` why it can't be made.
  package init(folders: [String], files: [String: String]) throws(Errno) {
    var template = Array((Self.parent.string + "/keydrag-tour-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
    path = FilePath(platformString: template)
    for folder in folders {
      let made = path.appending(folder).withPlatformString { mkdir($0, 0o700) }
      guard made == 0 else { throw failed() }
    }
    for (name, text) in files {
      let descriptor = path.appending(name).withPlatformString {
        open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      }
      guard descriptor >= 0 else { throw failed() }
      defer { close(descriptor) }
      let bytes = Array(text.utf8)
      guard write(descriptor, bytes, bytes.count) == bytes.count else { throw failed() }
    }
  }

  /// The folder for temporary files.
  ///
  /// `$TMPDIR` where that is absolute, else `/tmp`.
  package static var parent: FilePath {
    guard let set = getenv("TMPDIR").map({ FilePath(platformString: $0) }), set.isAbsolute else {
      return "/tmp"
    }
    return set
  }

  /// Takes it away; whatever was dropped into it goes, too.
  ///
  /// Symbolic links in it are removed and not followed. Errors are passed over.
  package func remove() { try? FileManager.default.removeItem(atPath: path.string) }

  /// Errno is read before the removal changes it.
  private func failed() -> Errno {
    let code = errno
    remove()
    return Errno(rawValue: code)
  }
}

/// Something that is said to a person once and never again.
///
/// An empty file in the state folder each: O_EXCL makes two programs that ask at once answer
/// differently.
package enum SaidOnce {
  /// Notes that it has been said; `false` where it was before, or that can't be noted.
  ///
  /// - Parameter name: of the file; without "/".
  package static func note(_ name: String) -> Bool {
    let folder = StandardFolders.state.appending("keydrag")
    guard let own = try? OwnFolder.open(folder) else { return false }
    let flags = O_WRONLY | O_CREAT | O_EXCL
    return (try? OwnFolder.file(FileName(name), in: own, flags: flags)) != nil
  }
}
