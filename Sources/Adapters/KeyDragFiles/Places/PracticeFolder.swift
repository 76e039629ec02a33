import FoundationEssentials
import Glibc
import SystemPackage

/// A private temporary folder for the tour. Its creator must call ``remove()``.
package struct PracticeFolder: Sendable {
  /// Absolute, mode 0700.
  package let path: FilePath

  /// Creates the folder in ``parent``; leaves nothing on an error.
  ///
  /// - Parameters:
  ///   - folders: subfolder names.
  ///   - files: file contents by path.
  package init(folders: [String], files: [String: String]) throws(Errno) {
    var template = Array((Self.parent.string + "/keydrag-tour-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw Errno(rawValue: errno) }
    path = FilePath(platformString: template)
    do throws(Errno) {
      for folder in folders {
        try FileCalls.makeFolder(AT_FDCWD, FileName(bytes: path.appending(folder).rawBytes))
      }
      for (name, text) in files {
        let file = try FileCalls.open(
          path.appending(name), flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        let bytes = Array(text.utf8)
        let count = try FileCalls.checked { write(file.raw, bytes, bytes.count) }
        guard count == bytes.count else { throw Errno.noSpace }
      }
    } catch {
      remove()
      throw error
    }
  }

  /// `$TMPDIR` if absolute, otherwise `/tmp`.
  package static var parent: FilePath {
    guard let set = getenv("TMPDIR").map({ FilePath(platformString: $0) }), set.isAbsolute else {
      return "/tmp"
    }
    return set
  }

  /// Removes the folder with all its contents. Does not follow symbolic links. Ignores errors.
  package func remove() { try? FileManager.default.removeItem(atPath: path.string) }
}

/// Hints that are given to a user only once. Each is an empty file in the state folder, created
/// with O_EXCL, so that only one of two concurrent programs gives the hint.
package enum OneTimeHint {
  /// Returns `false` if the hint was given before or can't be recorded.
  ///
  /// - Parameter name: a file name without "/".
  package static func note(_ name: String) -> Bool {
    let folder = StandardFolders.state.appending("keydrag")
    guard let own = try? OwnFolder.open(folder) else { return false }
    let flags = O_WRONLY | O_CREAT | O_EXCL
    return (try? OwnFolder.file(FileName(name), in: own, flags: flags)) != nil
  }
}
