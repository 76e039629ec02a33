import CLinux
import Glibc
import KeyDragCore
import SystemPackage

/// A private folder of files given to programs, locked for the lifetime of its process so that
/// other processes recognise leftovers.
///
/// A record in it lists each file's state as written; files changed since are never removed.
///
/// The lock is `flock(2)` on the folder itself, which the kernel releases with the process. Each
/// subfolder has one file of one drag.
final class OutgoingFolder: Sendable {
  /// A file's state as written: one line of the record.
  private struct Written: Hashable {
    var folder: FileName
    /// Relative path in the subfolder.
    var file: FileName
    var inode: UInt64
    var size: Int64
    /// Nanoseconds since 1970.
    var modified: Int64
  }

  /// Absolute if the base is.
  let path: FilePath
  /// Kept open so that the folder is removed from where it was created.
  private let base: OpenFolder
  private let name: FileName
  /// Holds the lock.
  private let descriptor: OpenFolder

  private static let prefix = "keydrag-"
  private static let record = FileName("record")
  /// In bytes; files recorded beyond this are kept.
  private static let longestRecord = 1 << 20
  /// Retention of files that a program may still read: 24 hours, in nanoseconds.
  private static let longestGiven: UInt64 = 24 * 60 * 60 * 1_000_000_000
  /// Record keyword for a folder whose file a program may still read.
  private static let given = "given"

  /// Creates a folder, 0700. May block. Retries if another process's sweep takes the new folder
  /// before it is locked.
  convenience init(in base: FilePath) throws {
    let base = try OpenFolder(base)
    for _ in 0..<100 {
      let name = FileName(Self.prefix + RandomName.hexadecimal(16))
      try FileCalls.makeFolder(base.raw, name)
      do {
        try self.init(base, name, Self.locked(name, in: base))
        return
      } catch Errno.wouldBlock, Errno.noSuchFileOrDirectory {
        // Another process's sweep considered it stale.
      } catch {
        // Without support for locks or permissions, no sweep considers it stale.
        try self.init(
          base, name, FileCalls.open(base.raw, name, flags: O_RDONLY | O_DIRECTORY))
        return
      }
    }
    throw Errno.wouldBlock
  }

  private init(
    _ base: OpenFolder, _ name: FileName, _ descriptor: consuming OwnedDescriptor
  ) throws {
    self.base = base
    self.name = name
    path = base.path.appending(name)
    self.descriptor = try OpenFolder(descriptor, at: path)
  }

  // A forked child may still hold the descriptor, and with it the lock.
  deinit { clinux_unlock(descriptor.raw) }

  /// - Throws: if the folder is another user's or its process is running.
  private static func locked(_ name: FileName, in base: OpenFolder) throws -> OwnedDescriptor {
    let descriptor = try FileCalls.open(base.raw, name, flags: O_RDONLY | O_DIRECTORY)
    let stamp = try FileCalls.status(of: descriptor.raw)
    guard stamp.owner == geteuid(), stamp.mode & 0o077 == 0 else { throw Errno.permissionDenied }
    guard try FileCalls.checked({ clinux_try_lock(descriptor.raw) }) == 0,
      // The previous holder may have removed it between the two calls.
      try FileCalls.status(base.raw, name).identity == stamp.identity
    else { throw Errno.wouldBlock }
    return descriptor
  }

  /// Creates a subfolder for one file.
  ///
  /// - Parameter number: its name; used once.
  func makeFolder(_ number: Int) throws -> FilePath {
    let name = FileName("\(number)")
    try FileCalls.makeFolder(descriptor.raw, name)
    return path.appending(name)
  }

  /// Records a file's state before it gets its name. Format: folder, inode, size, time and name,
  /// separated by spaces and terminated by a NUL, which no name contains.
  func note(_ file: FileName, _ stamp: FileStamp, in folder: FileName) throws {
    let stamp = stamp.recorded
    let numbers = " \(stamp.inode) \(stamp.size) \(stamp.modified) "
    try append(Array(folder.bytes) + Array(numbers.utf8) + Array(file.bytes))
  }

  /// Records that a program may still read a subfolder's file.
  ///
  /// - Parameter time: nanoseconds since 1970.
  func give(_ folder: FileName, at time: Int64 = timespec.now.nanoseconds) throws {
    try append(Array(folder.bytes) + Array(" \(Self.given) \(time)".utf8))
  }

  /// One write(2) with O_APPEND, so that lines of two threads never mix.
  private func append(_ line: [UInt8]) throws {
    let record = try OwnFolder.file(
      Self.record, in: descriptor, flags: O_CREAT | O_WRONLY | O_APPEND)
    let line = line + [0]
    _ = try FileCalls.checked { write(record.raw, line, line.count) }
  }

  // MARK: Removing

  /// Removes leftovers of ended processes, including files that programs received more than a day
  /// ago. May block. Skips folders of other users and of running processes.
  static func sweep(_ base: FilePath) {
    guard let base = try? OpenFolder(base), let names = try? FileCalls.names(in: base.raw) else {
      return
    }
    for name in names where isOne(name) {
      guard let descriptor = try? locked(name, in: base),
        let left = try? OutgoingFolder(base, name, descriptor)
      else { continue }
      let given = left.given
      left.clean { !given.contains($0) }
    }
  }

  /// Matches "keydrag-" and 16 hexadecimal digits.
  private static func isOne(_ name: FileName) -> Bool {
    let bytes = Array(name.bytes)
    return bytes.starts(with: prefix.utf8)
      && RandomName.isOne(bytes.dropFirst(prefix.utf8.count), digits: 16)
  }

  /// Removes unchanged files, then empty folders and this one.
  ///
  /// - Parameter isOver: whether no program may still read a subfolder.
  func clean(_ isOver: (FileName) -> Bool = { _ in true }) {
    empty(isOver)
    guard names == [Self.record] || names.isEmpty else { return }
    try? FileCalls.unlink(descriptor.raw, Self.record)
    try? FileCalls.unlink(base.raw, name, isFolder: true)
  }

  /// As ``clean(_:)``, but keeps this folder for further use.
  func empty(_ isOver: (FileName) -> Bool) {
    let written = written
    for folder in names where folder != Self.record {
      if isOver(folder) { clean(folder, written) }
      try? FileCalls.unlink(descriptor.raw, folder, isFolder: true)
    }
  }

  private func clean(_ folder: FileName, _ written: Set<Written>) {
    guard let open = try? FileCalls.open(descriptor.raw, folder, flags: O_RDONLY | O_DIRECTORY)
    else { return }
    clean(open.raw, inside: [], of: folder, written)
  }

  /// Removes our partial files and unchanged files; folders only if empty.
  ///
  /// - Parameter path: relative to the subfolder, with a trailing slash.
  private func clean(
    _ open: CInt, inside path: [UInt8], of folder: FileName, _ written: Set<Written>
  ) {
    for name in (try? FileCalls.names(in: open)) ?? [] {
      guard let now = try? FileCalls.status(open, name) else { continue }
      if now.kind == .folder {
        if let inner = try? FileCalls.open(open, name, flags: O_RDONLY | O_DIRECTORY) {
          let way = path + Array(name.bytes) + [UInt8(ascii: "/")]
          clean(inner.raw, inside: way, of: folder, written)
        }
        try? FileCalls.unlink(open, name, isFolder: true)
      }
      guard now.kind == .file else { continue }
      try? OpenWriters.unlink(open, name) { now in
        NameFilter.isTemporary(name.bytes)
          || written.contains(
            Written(
              folder: folder, file: FileName(bytes: path + Array(name.bytes)),
              inode: now.identity.inode, size: now.size, modified: now.modified))
      }
    }
  }

  private var names: [FileName] { (try? FileCalls.names(in: descriptor.raw)) ?? [] }

  private var lines: [ArraySlice<UInt8>] {
    guard let record = try? OwnFolder.file(Self.record, in: descriptor, flags: O_RDONLY) else {
      return []
    }
    var bytes = [UInt8](repeating: 0, count: Self.longestRecord)
    let count = (try? FileCalls.checked { read(record.raw, &bytes, bytes.count) }) ?? 0
    return bytes.prefix(count).split(separator: 0)
  }

  /// Subfolders that a program may still read: given less than a day ago, with unknown outcome. Any
  /// such record counts.
  private var given: Set<FileName> {
    let now = timespec.now.nanoseconds
    var result: Set<FileName> = []
    for line in lines {
      let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      guard parts.count == 3, let time = Int64(String(decoding: parts[2], as: UTF8.self)) else {
        continue
      }
      let folder = FileName(bytes: Array(parts[0]))
      // By magnitude, so that a clock set back does not keep a folder for ever.
      if parts[1].elementsEqual(Self.given.utf8), (now &- time).magnitude < Self.longestGiven {
        result.insert(folder)
      }
    }
    return result
  }

  /// The name comes last because it may contain spaces.
  private var written: Set<Written> {
    Set(
      lines.compactMap { line in
        let parts = line.split(
          separator: UInt8(ascii: " "), maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5 else { return nil }
        let numbers = parts[1...3].map { String(decoding: $0, as: UTF8.self) }
        guard let inode = UInt64(numbers[0]), let size = Int64(numbers[1]),
          let modified = Int64(numbers[2])
        else { return nil }
        return Written(
          folder: FileName(bytes: Array(parts[0])), file: FileName(bytes: Array(parts[4])),
          inode: inode, size: size, modified: modified)
      })
  }
}
