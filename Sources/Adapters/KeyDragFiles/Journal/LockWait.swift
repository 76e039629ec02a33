import GRDB
import GRDBSQLite
import Glibc

/// How long SQLite waits for a lock of its own.
///
/// It goes on for ten seconds, in naps that grow, where a lock can neither be had nor is anybody's:
/// one that could not be let go, or a disk that knows no locks. Nobody is to stand before a key
/// that does nothing for so long.
///
/// Sleeps for real: SQLite asks on the thread that waits, and no event tells of a lock that is let
/// go.
enum LockWait {
  /// The longest nap, in microseconds; there are 91 of more than nothing, and those up to here take
  /// a seventh of a second.
  private static let longest: CInt = 20_000
  /// Between two looks at a lock that another run holds, in microseconds.
  private static let pause: CInt = 10_000

  /// Has all connections that are opened from now on nap for a short while only.
  ///
  /// Made once in a process, and never freed: SQLite keeps the pointer. `false` where SQLite has no
  /// default file system layer; naps are then its own.
  static let isBounded: Bool = {
    guard let usual = sqlite3_vfs_find(nil) else { return false }
    let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    own.initialize(to: usual.pointee)
    own.pointee.zName = UnsafePointer(strdup("keydrag"))
    own.pointee.pNext = nil
    own.pointee.xSleep = { _, wanted in
      let time = LockWait.nap(for: wanted)
      usleep(useconds_t(time))
      return time
    }
    return sqlite3_vfs_register(own, 1) == SQLITE_OK
  }()

  /// The length of a nap for which SQLite asks, both in microseconds.
  ///
  /// Negative ones count as 0.
  static func nap(for wanted: CInt) -> CInt { min(max(wanted, 0), longest) }

  /// Waits so many seconds for another run to let go. SQLite's own count is of naps that it asked
  /// for, and not of those that it had.
  static func patience(_ seconds: Double) -> Database.BusyMode {
    _ = isBounded
    let most = Int(seconds * 1_000_000) / Int(pause)
    return .callback { tries in
      guard tries < most else { return false }
      usleep(useconds_t(pause))
      return true
    }
  }
}
