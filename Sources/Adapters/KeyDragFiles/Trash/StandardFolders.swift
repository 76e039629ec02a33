import Glibc
import SystemPackage

/// Folders of the XDG base directory specification.
///
/// Read from the environment each time. A variable that is empty counts as not set, as the
/// specification says; so does, for root, one that leads to a folder that somebody else can change
/// (`sudo -E`), where what root makes would shut that person out, or land where that person wants it.
package enum StandardFolders {
  /// `~/.local/share` by default.
  static var data: FilePath { folder("XDG_DATA_HOME", default: [".local", "share"]) }
  /// The person's home folder.
  ///
  /// `HOME`, the entry of passwd(5), or the root.
  static var home: FilePath { environment("HOME") ?? homeOfUser ?? "/" }
  /// `~/.local/state` by default.
  package static var state: FilePath { folder("XDG_STATE_HOME", default: [".local", "state"]) }
  /// `~/.config` by default.
  static var configuration: FilePath { folder("XDG_CONFIG_HOME", default: [".config"]) }

  private static func folder(
    _ variable: String, default parts: [FilePath.Component]
  ) -> FilePath {
    // The specification says that a relative path is to be ignored.
    if let set = environment(variable), set.isAbsolute { return set }
    return parts.reduce(home) { $0.appending($1) }
  }

  /// The person's home as the system knows it, for those who start without `HOME`.
  ///
  /// getpwuid(3), which may ask a server.
  private static var homeOfUser: FilePath? {
    guard let user = getpwuid(getuid()), let folder = user.pointee.pw_dir else { return nil }
    return FilePath(platformString: folder)
  }

  private static func environment(_ name: String) -> FilePath? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    let path = FilePath(platformString: value)
    return geteuid() == 0 && OwnFolder.isOthers(path) ? nil : path
  }

  /// Takes out of the environment, for root, what leads to folders that somebody else can change
  /// (`sudo -E`): settings, translations and programs would be that person's. On the first thread,
  /// before there is another.
  package static func disownOthers() {
    guard geteuid() == 0 else { return }
    let home = home
    for name in variables {
      guard let value = getenv(name), OwnFolder.isOthers(FilePath(platformString: value)) else {
        continue
      }
      if name == "HOME" { setenv(name, home.string, 1) } else { unsetenv(name) }
    }
  }

  private static let variables = [
    "HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TMPDIR",
  ]

  /// Makes a folder and those around it, for their owner alone.
  ///
  /// Folders that are there keep their rights. Harmless where another process makes the same.
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
