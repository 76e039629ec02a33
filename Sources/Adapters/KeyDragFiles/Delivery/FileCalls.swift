import CLinux
import Glibc
import KeyDragCore
import SystemPackage

/// System calls relative to open folders, with thrown errors and EINTR retries.
///
/// Centralized so that flags are consistent: all descriptors are close-on-exec, and names never
/// resolve through links. Calls block for as long as the disk does, possibly for ever. Callers keep
/// folder descriptors open; none is closed here.
enum FileCalls {
  /// Retries on EINTR and throws errno for -1.
  @discardableResult
  static func checked<Number: FixedWidthInteger>(_ call: () -> Number) throws(Errno) -> Number {
    while true {
      let result = call()
      if result != -1 { return result }
      if errno != EINTR { throw Errno(rawValue: errno) }
    }
  }

  /// Follows links, including the last one. For folders named by the user.
  static func open(
    _ path: FilePath, flags: CInt, mode: mode_t = 0
  ) throws(Errno) -> OwnedDescriptor {
    OwnedDescriptor(
      owning: try checked { path.withPlatformString { Glibc.open($0, flags | O_CLOEXEC, mode) } })
  }

  /// Opens the name itself without following a link. An empty name duplicates the descriptor, which
  /// may be a file's.
  ///
  /// - Throws: `Errno.tooManySymbolicLinkLevels` for a link, `.notDirectory` with O_DIRECTORY.
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

  /// The parent by descriptor, since a path may lead elsewhere by now. Falls back to O_PATH for an
  /// unreadable parent, which can be traversed but not listed.
  static func openParent(of folder: CInt) throws(Errno) -> OwnedDescriptor {
    let flags = O_DIRECTORY | O_CLOEXEC
    do {
      return OwnedDescriptor(owning: try checked { openat(folder, "..", O_RDONLY | flags) })
    } catch .permissionDenied {
      return OwnedDescriptor(
        owning: try checked { openat(folder, "..", clinux_open_path_only | flags) })
    }
  }

  /// The beginning of a regular file, with links followed, and whether that is all of it; `nil` for
  /// other files, which could block or never end.
  ///
  /// - Parameters:
  ///   - most: longer files are rejected, in bytes.
  ///   - head: how many bytes are read.
  static func head(of path: FilePath, most: Int, head: Int) -> (bytes: [UInt8], isWhole: Bool)? {
    // O_NONBLOCK keeps open(2) from waiting for a FIFO's other end.
    guard let file = try? open(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY),
      let stamp = try? status(of: file.raw), stamp.kind == .file, stamp.size <= most
    else { return nil }
    // A file of /proc says that it is empty.
    let isSized = stamp.size > 0
    let end = isSized ? min(Int(stamp.size), head) : head
    var bytes: [UInt8] = []
    if isSized { bytes.reserveCapacity(end) }
    var last = 1
    while bytes.count < end, last > 0 {
      bytes += [UInt8](unsafeUninitializedCapacity: min(end - bytes.count, 65_536)) {
        // A file truncated meanwhile yields fewer bytes, as does an error.
        last = read(file.raw, $0.baseAddress, $0.count)
        $1 = max(last, 0)
      }
    }
    return (bytes, last == 0 || last > 0 && bytes.count == stamp.size)
  }

  /// The lines of a system file that contain one of the marks; quick even for thousands of lines.
  /// Empty if the file can't be opened.
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
    while found.count < most, case let count = getline(&line, &size, file), count > 0 {
      guard let line, marks.contains(where: { strstr(line, $0) != nil }) else { continue }
      found.append(Array(UnsafeRawBufferPointer(start: line, count: count)))
    }
    if ferror(file) != 0 { throw Errno(rawValue: errno) }
    return found
  }

  /// fstat(2): can't be affected by renames.
  static func status(of file: CInt) throws(Errno) -> FileStamp {
    var status = stat()
    try checked { fstat(file, &status) }
    return FileStamp(status)
  }

  /// - Parameter following: whether a link is followed.
  static func status(
    _ folder: CInt, _ name: FileName, following: Bool = false
  ) throws(Errno) -> FileStamp {
    if name.count == 0 { return try status(of: folder) }
    var status = stat()
    let flags = following ? 0 : AT_SYMLINK_NOFOLLOW
    try checked { name.withPointer { fstatat(folder, $0, &status, flags) } }
    return FileStamp(status)
  }

  /// `nil` only if the name does not exist; other errors are thrown, since they prove nothing.
  static func statusIfAny(_ folder: CInt, _ name: FileName) throws -> FileStamp? {
    let found = Result { () throws(Errno) in try status(folder, name) }
    if case .failure(.noSuchFileOrDirectory) = found { return nil }
    return try found.get()
  }

  /// - Parameter following: whether a link in the last component is followed.
  static func status(_ path: FilePath, following: Bool = false) throws(Errno) -> FileStamp {
    var status = stat()
    let flags = following ? 0 : AT_SYMLINK_NOFOLLOW
    try checked { path.withPlatformString { fstatat(AT_FDCWD, $0, &status, flags) } }
    return FileStamp(status)
  }

  /// Follows symbolic links; `nil` for a broken one.
  static func identity(behind path: FilePath) -> FileIdentity? {
    try? status(path, following: true).identity
  }

  /// Also `false` if the check fails: use ``isFree(_:_:)`` to prove absence. A broken link exists.
  static func exists(_ folder: CInt, _ name: FileName) -> Bool {
    name.withPointer { faccessat(folder, $0, F_OK, AT_SYMLINK_NOFOLLOW) } == 0
  }

  /// Proves that the name does not exist; `false` if the check fails.
  static func isFree(_ folder: CInt, _ name: FileName) -> Bool {
    name.withPointer { faccessat(folder, $0, F_OK, AT_SYMLINK_NOFOLLOW) } != 0 && errno == ENOENT
  }

  /// Whether something is mounted there (statx(2)). `false` on kernels before 5.8.
  static func isMountPoint(_ folder: CInt, _ name: FileName) -> Bool {
    name.withPointer { clinux_is_mount_point(folder, $0) } == 1
  }

  /// Whether a name in a folder, or the folder, is immutable (chattr(1), +i or +a). `false` if the
  /// file system does not report it.
  static func isProtected(_ folder: CInt, _ name: FileName = FileName("")) -> Bool {
    name.withPointer { clinux_is_protected(folder, $0) } == 1
  }

  /// Why access is denied; `nil` if it is allowed.
  ///
  /// - Parameter access: R_OK, X_OK, and for a folder W_OK, for the effective user.
  static func refusal(_ path: FilePath, _ access: CInt) -> Reason? {
    let result = path.withPlatformString { faccessat(AT_FDCWD, $0, access, AT_EACCESS) }
    let code = Errno(rawValue: errno)
    // The folder behind a link, too.
    if access & W_OK != 0,
      isProtected(AT_FDCWD, FileName(bytes: path.appending(bytes: [0x2E]).rawBytes))
    {
      return .protected
    }
    return result == 0 ? nil : Reason(code, .access)
  }

  /// As above for a name in an open folder.
  static func refusal(_ name: FileName, in folder: CInt, _ access: CInt) -> Reason? {
    let result = name.withPointer { faccessat(folder, $0, access, AT_EACCESS) }
    return result == 0 ? nil : Reason(Errno(rawValue: errno), .access)
  }

  /// Flushes contents and metadata to the device (fsync(2)); for a folder, its names.
  static func flush(_ file: CInt) throws(Errno) { try checked { fsync(file) } }

  /// Throws `Errno.fileExists` for a taken name, including a link. Subject to the umask.
  static func makeFolder(_ folder: CInt, _ name: FileName, mode: mode_t = 0o700) throws(Errno) {
    try checked { name.withPointer { mkdirat(folder, $0, mode) } }
  }

  /// - Parameter text: stored as it is, without checking where it leads.
  static func makeLink(_ folder: CInt, _ name: FileName, to text: [UInt8]) throws(Errno) {
    let destination = FileName(bytes: text)
    try checked {
      destination.withPointer { text in name.withPointer { symlinkat(text, folder, $0) } }
    }
  }

  /// Removes one name permanently: a folder must be empty, and a link is not followed.
  static func unlink(_ folder: CInt, _ name: FileName, isFolder: Bool = false) throws(Errno) {
    // A removed file that was open lingers for a moment: FUSE closes it after close(2) returns.
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

  /// Whether a folder holds only placeholders that libfuse or the NFS client keeps for removed open
  /// files.
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

  /// The target of a symbolic link, truncated to 4,097 bytes; Linux allows 4,096.
  static func linkText(_ folder: CInt, _ name: FileName) throws(Errno) -> [UInt8] {
    var text = [CChar](repeating: 0, count: 4097)
    let count = try checked {
      name.withPointer { readlinkat(folder, $0, &text, text.count) }
    }
    return text.prefix(count).map { UInt8(bitPattern: $0) }
  }

  /// In file system order, without `.` and `..`.
  static func names(in folder: CInt) throws(Errno) -> [FileName] {
    // A second descriptor for `.`: closedir(3) closes the one it is given.
    let copy = try checked { openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard let stream = fdopendir(copy) else {
      let error = Errno(rawValue: errno)
      _ = close(copy)
      throw error
    }
    defer { closedir(stream) }
    var names: [FileName] = []
    while true {
      // readdir(3) returns a null pointer both at the end and for errors.
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw Errno(rawValue: errno) }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
        // `d_name` holds at most 255 bytes and a NUL.
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
