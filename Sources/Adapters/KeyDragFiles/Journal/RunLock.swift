import CLinux
import Glibc
import SystemPackage

/// A file that is locked as long as a run lives, so that others can tell a dead run from a slow
/// one.
///
/// A lock of the kernel and no number of a process: it goes with the process, whatever ends it, and
/// numbers are given again. The file is removed when the lock is let go.
struct RunLock: ~Copyable, Sendable {
  /// The run's name: 32 hexadecimal digits.
  let run: String
  /// The lock goes with it (see CLinux).
  private let descriptor: OwnedDescriptor
  private let path: FilePath

  /// Only for a descriptor that holds the lock.
  private init(run: String, descriptor: consuming OwnedDescriptor, path: FilePath) {
    self.run = run
    self.descriptor = descriptor
    self.path = path
  }

  deinit { path.withPlatformString { _ = Glibc.unlink($0) } }

  /// Locks a new file in the folder.
  ///
  /// Another try only where a name is taken, which random ones hardly are. Throws where the folder
  /// can't be written to.
  static func begin(in folder: FilePath) throws -> RunLock {
    for _ in 0..<100 {
      if let lock = try take(RandomName.hexadecimal(32), in: folder) { return lock }
    }
    throw Errno.wouldBlock
  }

  /// Locks the file of a run that has ended; `nil` while that run lives.
  ///
  /// The file is made where there is none: a run that was killed before it had one is dead too.
  /// `nil` also for a name that is no run's. Never waits.
  static func take(_ run: String, in folder: FilePath) throws -> RunLock? {
    guard run.utf8.count == 32, run.utf8.allSatisfy(isHexadecimal) else { return nil }
    let path = folder.appending("\(run).lock")
    let opened = try FileCalls.checked {
      path.withPlatformString { Glibc.open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    }
    let descriptor = OwnedDescriptor(owning: opened)
    guard try FileCalls.checked({ clinux_try_lock(descriptor.raw) }) == 0 else { return nil }
    // Whoever held it before may have removed the file between our two calls.
    guard let standing = try? FileCalls.status(path),
      standing.identity == (try FileCalls.status(of: descriptor.raw).identity)
    else { return nil }
    return RunLock(run: run, descriptor: descriptor, path: path)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}

/// Names that nobody else chooses.
///
/// From the kernel's random numbers, by Swift's system generator.
enum RandomName {
  /// - Parameter digits: four bits each.
  static func hexadecimal(_ digits: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    let letters = Array("0123456789abcdef".utf8)
    let chosen = (0..<digits).map { _ in letters[Int.random(in: 0..<16, using: &generator)] }
    return String(decoding: chosen, as: UTF8.self)
  }
}
