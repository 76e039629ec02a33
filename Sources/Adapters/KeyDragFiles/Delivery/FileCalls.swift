import CLinux
import Glibc
import SystemPackage

/// System calls on names in open folders, with errors thrown and interruptions repeated.
///
/// Here and not at each use, so that flags are chosen once: every descriptor is closed on exec, and
/// a name in a folder is never followed through a link. All calls block for as long as the disk
/// does, a dead server's without end. Folders are given as descriptors that the caller keeps open;
/// none is closed here.
enum FileCalls {
  /// Calls again after EINTR, and throws errno where the result is -1.
  @discardableResult
  static func checked<Number: FixedWidthInteger>(_ call: () -> Number) throws(Errno) -> Number {
    while true {
      let result = call()
      if result != -1 { return result }
      if errno != EINTR { throw Errno(rawValue: errno) }
    }
  }

  /// Opens a path and follows links in it, also the last one. For folders that a person named.
  static func open(_ path: FilePath, flags: CInt) throws(Errno) -> OwnedDescriptor {
    OwnedDescriptor(
      owning: try checked { path.withPlatformString { Glibc.open($0, flags | O_CLOEXEC) } })
  }

  /// Opens what bears the name itself, never what a symbolic link leads to. An empty name is that of
  /// the open thing, a file perhaps: it is opened for reading once more.
  ///
  /// - Throws: `Errno.tooManySymbolicLinkLevels` for a link, `.notDirectory` where the flags hold
  ///   O_DIRECTORY.
  static func open(
    _ folder: CInt, _ name: FileName, flags: CInt, mode: mode_t = 0
  ) throws(Errno) -> OwnedDescriptor {
    OwnedDescriptor(
      owning: try checked {
        name.count == 0
          ? fcntl(folder, F_DUPFD_CLOEXEC, 0)
          : name.withPointer { openat(folder, $0, flags | O_NOFOLLOW | O_CLOEXEC, mode) }
      })
  }

  /// The folder above, by its descriptor: a path could lead elsewhere by now.
  ///
  /// Falls back to O_PATH, which needs no right to read; such a descriptor can be passed through
  /// but not listed.
  static func openParent(of folder: CInt) throws(Errno) -> OwnedDescriptor {
    let flags = O_DIRECTORY | O_CLOEXEC
    do {
      return OwnedDescriptor(owning: try checked { openat(folder, "..", O_RDONLY | flags) })
    } catch .permissionDenied {
      // It may be passed through all the same.
      return OwnedDescriptor(
        owning: try checked { openat(folder, "..", clinux_open_path_only | flags) })
    }
  }

  /// The beginning of a plain file, or of one that a link leads to, and whether that is all of it;
  /// a FIFO or a device would block or answer. `nil` for a file that is longer than `most` bytes.
  ///
  /// - Parameters:
  ///   - most: the longest file that is looked at, in bytes.
  ///   - head: how many bytes are read of it.
  static func head(of path: FilePath, most: Int, head: Int) -> (bytes: [UInt8], isWhole: Bool)? {
    // O_NONBLOCK keeps open(2) from waiting for the other end of a FIFO.
    guard let file = try? open(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY),
      let stamp = try? status(of: file.raw), stamp.kind == .file, stamp.size <= most
    else { return nil }
    let size = min(Int(stamp.size), head)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < buffer.count {
        let more = read(file.raw, buffer.baseAddress.map { $0 + count }, buffer.count - count)
        // A file that is cut meanwhile gives fewer bytes; an error ends it the same way.
        guard more > 0 else { break }
        count += more
      }
    }
    return (bytes, size == stamp.size)
  }

  /// The lines of a file of the system's own in which one of these stands. There may be thousands,
  /// all others of which are passed over quickly.
  ///
  /// - Parameter most: how many lines are given at most.
  static func lines(
    of path: FilePath, with marks: [String], most: Int
  ) throws(Errno) -> [[UInt8]] {
    guard let file = path.withPlatformString({ fopen($0, "re") }) else {
      throw Errno(rawValue: errno)
    }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { free(line) }
    var found: [[UInt8]] = []
    // `getline` makes the buffer as large as the longest line needs, and keeps it for the next.
    while found.count < most, case let count = getline(&line, &size, file), count > 0 {
      guard let line, marks.contains(where: { strstr(line, $0) != nil }) else { continue }
      found.append(Array(UnsafeRawBufferPointer(start: line, count: count)))
    }
    if ferror(file) != 0 { throw Errno(rawValue: errno) }
    return found
  }

  /// The stamp of an open file (fstat(2)): the one that cannot be swapped under us.
  static func status(of file: CInt) throws(Errno) -> FileStamp {
    var status = stat()
    try checked { fstat(file, &status) }
    return FileStamp(status)
  }

  /// The stamp of the thing that bears the name, never of one that a symbolic link leads to.
  static func status(_ folder: CInt, _ name: FileName) throws(Errno) -> FileStamp {
    if name.count == 0 { return try status(of: folder) }
    var status = stat()
    try checked { name.withPointer { fstatat(folder, $0, &status, AT_SYMLINK_NOFOLLOW) } }
    return FileStamp(status)
  }

  /// The same; `nil` only where nothing bears the name.
  ///
  /// Any other error is thrown: a look that fails proves nothing.
  static func statusIfAny(_ folder: CInt, _ name: FileName) throws -> FileStamp? {
    let found = Result { () throws(Errno) in try status(folder, name) }
    if case .failure(.noSuchFileOrDirectory) = found { return nil }
    return try found.get()
  }

  /// The stamp of what bears the last component of a path, a link itself included (lstat(2)).
  static func status(_ path: FilePath) throws(Errno) -> FileStamp {
    var status = stat()
    try checked { path.withPlatformString { lstat($0, &status) } }
    return FileStamp(status)
  }

  /// The file behind a path, through symbolic links; `nil` for a broken link.
  static func identity(behind path: FilePath) -> FileIdentity? {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
    return FileStamp(status).identity
  }

  /// `false` also where the look itself fails: see ``isFree(_:_:)`` for the proof of absence. A
  /// broken link exists.
  static func exists(_ folder: CInt, _ name: FileName) -> Bool {
    name.withPointer { faccessat(folder, $0, F_OK, AT_SYMLINK_NOFOLLOW) } == 0
  }

  /// Whether nothing bears the name; a look that fails proves nothing.
  static func isFree(_ folder: CInt, _ name: FileName) -> Bool {
    name.withPointer { faccessat(folder, $0, F_OK, AT_SYMLINK_NOFOLLOW) } != 0 && errno == ENOENT
  }

  /// Whether a file system, or a part of one, is mounted there (statx(2)). `false` where the kernel,
  /// older than 5.8, does not say.
  static func isMountPoint(_ folder: CInt, _ name: FileName) -> Bool {
    name.withPointer { clinux_is_mount_point(folder, $0) } == 1
  }

  /// Whether nothing can take it away, or nothing be changed in it, whoever tries (chattr(1), +i or
  /// +a): a name in a folder, or the folder. `false` where the file system does not say.
  static func isProtected(_ folder: CInt, _ name: FileName = FileName("")) -> Bool {
    name.withPointer { clinux_is_protected(folder, $0) } == 1
  }

  /// Waits until contents and metadata are on the device (fsync(2)); for a folder, the names in it.
  static func flush(_ file: CInt) throws(Errno) { try checked { fsync(file) } }

  /// Throws `Errno.fileExists` for any taken name, a link's too. The process's umask applies to
  /// `mode`.
  static func makeFolder(_ folder: CInt, _ name: FileName, mode: mode_t = 0o700) throws(Errno) {
    try checked { name.withPointer { mkdirat(folder, $0, mode) } }
  }

  /// - Parameter text: kept as it is; whether it leads anywhere is not looked at.
  static func makeLink(_ folder: CInt, _ name: FileName, to text: [UInt8]) throws(Errno) {
    let destination = FileName(bytes: text)
    try checked {
      destination.withPointer { text in name.withPointer { symlinkat(text, folder, $0) } }
    }
  }

  /// Removes one name, at once and for good: a folder must be empty, and a link goes instead of its
  /// end.
  static func unlink(_ folder: CInt, _ name: FileName, isFolder: Bool = false) throws(Errno) {
    // A file that was removed while it was open stays for a moment: FUSE closes it later than close(2)
    // returns.
    for _ in 0..<(isFolder ? 100 : 0) {
      do { return try remove(folder, name, AT_REMOVEDIR) } catch {
        guard error == .directoryNotEmpty, holdsRemovedOnly(folder, name) else { throw error }
        usleep(5000)
      }
    }
    try remove(folder, name, isFolder ? AT_REMOVEDIR : 0)
  }

  private static func remove(_ folder: CInt, _ name: FileName, _ flags: CInt) throws(Errno) {
    try checked { name.withPointer { unlinkat(folder, $0, flags) } }
  }

  /// Whether all that is in a folder was removed, and bears the name that libfuse, or the kernel's NFS
  /// client, gives it until it is closed.
  private static func holdsRemovedOnly(_ folder: CInt, _ name: FileName) -> Bool {
    let opened = name.withPointer {
      openat(folder, $0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }
    guard opened >= 0 else { return false }
    defer { close(opened) }
    let prefixes = [Array(".fuse_hidden".utf8), Array(".nfs".utf8)]
    return (try? names(in: opened))?.allSatisfy { name in
      prefixes.contains { name.bytes.starts(with: $0) }
    } ?? false
  }

  /// The text of a symbolic link; 4,096 bytes are the longest that Linux keeps.
  ///
  /// Longer texts that a file system may give are cut.
  static func linkText(_ folder: CInt, _ name: FileName) throws(Errno) -> [UInt8] {
    var text = [CChar](repeating: 0, count: 4097)
    let count = try checked {
      name.withPointer { readlinkat(folder, $0, &text, text.count) }
    }
    return text.prefix(count).map { UInt8(bitPattern: $0) }
  }

  /// Names in a folder in the order the file system gives them, without `.` and `..`.
  static func names(in folder: CInt) throws(Errno) -> [FileName] {
    // A second descriptor for `.`: closedir(3) closes the one it was given.
    let copy = try checked { openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard let stream = fdopendir(copy) else {
      let error = Errno(rawValue: errno)
      _ = close(copy)
      throw error
    }
    defer { closedir(stream) }
    var names: [FileName] = []
    while true {
      // readdir(3) tells its end and its errors alike by a null pointer.
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw Errno(rawValue: errno) }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
        // `d_name` holds at most 255 bytes and a zero.
        field.withMemoryRebound(to: CChar.self, capacity: 256) { FileName(copying: $0) }
      }
      if name != .here && name != .above { names.append(name) }
    }
  }
}

extension FileName {
  fileprivate static let here = FileName(".")
  fileprivate static let above = FileName("..")
}
