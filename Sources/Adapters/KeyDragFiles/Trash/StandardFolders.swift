import Glibc
import SystemPackage

/// Folders of the XDG base directory specification.
///
/// Read from the environment each time. A variable that is empty counts as not set, as the
/// specification says; so does, for root, one that leads to somebody else's folder (`sudo -E`), where
/// what root makes would shut that person out.
enum StandardFolders {
  /// `~/.local/share` by default.
  static var data: FilePath { folder("XDG_DATA_HOME", default: [".local", "share"]) }
  /// The person's home folder.
  ///
  /// `HOME`, the entry of passwd(5), or the root.
  static var home: FilePath { environment("HOME") ?? homeOfUser ?? "/" }
  /// `~/.local/state` by default.
  static var state: FilePath { folder("XDG_STATE_HOME", default: [".local", "state"]) }
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
    return geteuid() == 0 && isOthers(path) ? nil : path
  }

  /// By the nearest folder that is there.
  private static func isOthers(_ path: FilePath) -> Bool {
    var nearest = path
    while true {
      if let stamp = try? FileCalls.status(nearest) { return stamp.owner != 0 }
      guard nearest.goUp() else { return false }
    }
  }

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
