import GRDB
import GRDBSQLite
import Glibc

/// Bounds SQLite's waits for locks.
///
/// SQLite retries for ten seconds with growing sleeps if a lock can't be acquired although no one
/// holds it, such as on a disk without lock support. A key press must not block for so long.
///
/// Sleeps in real time, since no event reports a released lock.
enum LockWait {
  /// The longest sleep, in microseconds. SQLite sleeps 91 times; its sleeps up to this length add
  /// up to a seventh of a second.
  private static let longest: CInt = 20_000
  /// Poll interval for a lock held by another run, in microseconds.
  private static let pause: CInt = 10_000

  /// Shortens the sleeps of all connections opened from now on.
  ///
  /// Registered once and never freed, because SQLite keeps the pointer. `false` without a default
  /// VFS, which keeps SQLite's own sleeps.
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

  /// Clamps a sleep requested by SQLite, in microseconds.
  static func nap(for wanted: CInt) -> CInt { min(max(wanted, 0), longest) }

  /// Waits this long for another run's lock. SQLite's own timeout counts requested sleeps instead
  /// of actual ones.
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
