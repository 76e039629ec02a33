import Foundation

/// The user whom permissions bind; where root starts the matrix, it goes on as nobody.
enum OrdinaryUser {
  private static let number: uid_t = 65534

  /// - Parameter paths: what this user writes to, which is made first.
  static func become(owning paths: [String]) throws {
    guard getuid() == 0 else { return }
    for path in paths {
      let isThere = access(path, F_OK) == 0
      if !isThere { _ = FileManager.default.createFile(atPath: path, contents: nil) }
      chown(path, number, number)
    }
    guard setgroups(0, nil) == 0, setgid(number) == 0, setuid(number) == 0 else {
      throw SetupError(description: "can't go on as an ordinary user: errno \(errno)")
    }
    umask(0o022)
  }
}
