import CLinux
import Glibc
import SystemPackage

/// A file locked for the lifetime of a run, which tells dead runs from slow ones.
///
/// A kernel lock instead of a process id, which is reused: it ends with the process in any case.
/// The file is removed on release.
struct RunLock: ~Copyable, Sendable {
  /// Name of the run: 32 hexadecimal digits.
  let run: String
  /// Holds the lock (see CLinux).
  private let descriptor: OwnedDescriptor
  private let path: FilePath

  private init(run: String, descriptor: consuming OwnedDescriptor, path: FilePath) {
    self.run = run
    self.descriptor = descriptor
    self.path = path
  }

  deinit { path.withPlatformString { _ = Glibc.unlink($0) } }

  /// Locks a new file in the folder. Retries only if a random name is taken. Throws if the folder
  /// is not writable.
  static func begin(in folder: FilePath) throws -> RunLock {
    for _ in 0..<100 {
      if let lock = try take(RandomName.hexadecimal(32), in: folder) { return lock }
    }
    throw Errno.wouldBlock
  }

  /// Locks the file of an ended run; `nil` if that run is alive or the name is no run's. Never
  /// waits. Creates a missing file: a run killed before it created one is dead too.
  static func take(_ run: String, in folder: FilePath) throws -> RunLock? {
    guard RandomName.isOne(run.utf8, digits: 32) else { return nil }
    let own = try OwnFolder.open(folder)
    let name = FileName("\(run).lock")
    let path = folder.appending(name)
    let descriptor = try OwnFolder.file(name, in: own, flags: O_RDWR | O_CREAT)
    guard try FileCalls.checked({ clinux_try_lock(descriptor.raw) }) == 0 else { return nil }
    // The previous holder may have removed the file between the two calls.
    guard let standing = try? FileCalls.status(path),
      standing.identity == (try FileCalls.status(of: descriptor.raw).identity)
    else { return nil }
    return RunLock(run: run, descriptor: descriptor, path: path)
  }
}

/// Unique names from the system's random number generator.
enum RandomName {
  private static let letters = Array("0123456789abcdef".utf8)

  /// - Parameter digits: four bits each.
  static func hexadecimal(_ digits: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    let chosen = (0..<digits).map { _ in letters[Int.random(in: 0..<16, using: &generator)] }
    return String(decoding: chosen, as: UTF8.self)
  }

  static func isOne(_ name: some Collection<UInt8>, digits: Int) -> Bool {
    name.count == digits && name.allSatisfy(letters.contains)
  }
}
