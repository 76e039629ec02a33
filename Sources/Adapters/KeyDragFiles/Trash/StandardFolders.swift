import Dispatch
import Glibc
import KeyDragThreads
import Synchronization
import SystemPackage

/// Folders of the XDG base directory specification.
///
/// Read from the environment on every access. An empty variable counts as unset, as the
/// specification says. For root, so does one that leads to a folder that another user can change
/// (`sudo -E`): folders made there would lock that user out, or land wherever that user wants.
package enum StandardFolders {
  /// `~/.local/share` by default.
  static var data: FilePath { folder("XDG_DATA_HOME", default: [".local", "share"]) }
  /// `HOME`, the passwd(5) entry, or the root.
  static var home: FilePath { environment("HOME") ?? homeOfUser ?? "/" }
  /// `~/.local/state` by default.
  package static var state: FilePath { folder("XDG_STATE_HOME", default: [".local", "state"]) }
  /// `~/.config` by default.
  static var configuration: FilePath { folder("XDG_CONFIG_HOME", default: [".config"]) }

  private static func folder(
    _ variable: String, default parts: [FilePath.Component]
  ) -> FilePath {
    // The specification says to ignore relative paths.
    if let set = environment(variable), set.isAbsolute { return set }
    return parts.reduce(home) { $0.appending($1) }
  }

  /// The home folder in getpwuid(3), for a process without `HOME`; may query a server.
  private static var homeOfUser: FilePath? {
    guard let user = getpwuid(getuid()), let folder = user.pointee.pw_dir else { return nil }
    return FilePath(platformString: folder)
  }

  private static func environment(_ name: String) -> FilePath? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    let path = FilePath(platformString: value)
    return geteuid() == 0 && OwnFolder.isReplaceableByOthers(path) ? nil : path
  }

  /// For root, unsets variables that lead to folders that another user can change (`sudo -E`), and
  /// resets `HOME`: settings, translations and programs would be that user's. Call on the main
  /// thread before there is another; starts one. Blocks for at most ``patience``.
  ///
  /// - Returns: a folder that does not respond, so that nobody knows whose it is; its variable is unset.
  package static func unsetForeignVariables() -> FilePath? {
    guard geteuid() == 0 else { return nil }
    let folders = variables.compactMap { name in
      getenv(name).map { (name, FilePath(platformString: $0)) }
    }
    let known = Mutex<[String: Bool]>([:])
    let end = BlockingResult<Void>()
    let look: @Sendable () -> Void = {
      for (name, path) in folders {
        let isForeign = OwnFolder.isReplaceableByOthers(path)
        known.withLock { $0[name] = isForeign }
      }
      end.give()
    }
    if !BackgroundThread.start(look) { look() }
    end.wait(within: patience)
    let foreign = known.withLock(\.self)
    for (name, _) in folders where foreign[name] != false { unsetenv(name) }
    if foreign["HOME"] == true { setenv("HOME", home.string, 1) }
    return folders.first { foreign[$0.0] == nil }?.1
  }

  private static let patience = DispatchTimeInterval.seconds(3)

  private static let variables = [
    "HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TMPDIR",
  ]

  /// Makes a folder and its missing parents, 0700. Existing folders keep their permissions. Safe
  /// against concurrent creation by another process.
  static func make(_ path: FilePath) throws {
    var missing: [FilePath] = []
    var current = path
    while (try? FileCalls.status(current)) == nil {
      missing.append(current)
      guard current.goUp() else { break }
    }
    for folder in missing.reversed() {
      if folder.withPlatformString({ mkdir($0, 0o700) }) != 0, errno != EEXIST {
        throw Errno(rawValue: errno)
      }
    }
  }
}
