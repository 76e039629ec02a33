import CLinux
import Glibc
import SystemPackage

/// Opens folders and files that belong to KeyDrag alone, such as the history's.
///
/// Follows links on the path if the user or root made them, but never at its end, which must be the
/// user's own folder, or regular file without another name. For root, no part of the path may be
/// replaceable by others.
enum OwnFolder {
  /// The path leads elsewhere or is another user's.
  struct NotOwn: Error { var path: FilePath }

  /// Opens a folder, by default creating it and its parents with 0700.
  ///
  /// - Parameter makes: `false` to change nothing.
  static func open(_ path: FilePath, makes: Bool = true) throws -> OpenFolder {
    guard let name = path.name else { throw NotOwn(path: path) }
    let around = try follow(path.folder, makes: makes)
    let found = try step(into: name, in: around.raw, makes: makes)
    let stamp = try FileCalls.status(of: found.raw)
    guard stamp.kind == .folder, stamp.owner == geteuid() else { throw NotOwn(path: path) }
    // Restricts an existing folder. fchmod(2) does not accept O_PATH.
    if makes, stamp.mode & 0o777 != 0o700 { _ = chmod("/proc/self/fd/\(found.raw)", 0o700) }
    return try OpenFolder(
      FileCalls.open(found.raw, FileName("."), flags: O_RDONLY | O_DIRECTORY), at: path)
  }

  /// Opens a file in such a folder, 0600.
  ///
  /// - Parameter flags: as in open(2); `O_CREAT` creates a missing file, `O_EXCL` rejects an
  ///   existing one.
  static func file(
    _ name: FileName, in folder: OpenFolder, flags: CInt
  ) throws -> OwnedDescriptor {
    do {
      // Does not wait for a FIFO's other end.
      let file = try FileCalls.open(folder.raw, name, flags: flags | O_NONBLOCK, mode: 0o600)
      let stamp = try FileCalls.status(of: file.raw)
      // Under another name it is something else, whose rights and contents would change with it. It
      // has no name where another run has just removed it.
      guard stamp.kind == .file, stamp.owner == geteuid(), stamp.links <= 1 else {
        throw NotOwn(path: folder.path.appending(name))
      }
      if stamp.mode & 0o777 != 0o600, flags & O_CREAT != 0 {
        try FileCalls.checked { fchmod(file.raw, 0o600) }
      }
      return file
    } catch let error as Errno
      where [.tooManySymbolicLinkLevels, .isDirectory, .noSuchAddressOrDevice].contains(error)
    {
      throw NotOwn(path: folder.path.appending(name))
    }
  }

  /// Whether another user could replace any existing part of a path.
  static func isReplaceableByOthers(_ path: FilePath) -> Bool {
    do {
      _ = try follow(path, makes: false)
      return false
    } catch { return error is NotOwn }
  }

  // MARK: Path traversal

  /// The kernel's limit on links in a path (path_resolution(7)).
  private static let mostLinks = 40

  /// Resolves a path component by component; links are trusted by their owner.
  private static func follow(_ path: FilePath, makes: Bool) throws -> OwnedDescriptor {
    let top = try FileCalls.open("/", flags: clinux_open_path_only | O_DIRECTORY)
    let trusted: Set = [geteuid(), 0, try FileCalls.status(of: top.raw).owner]
    var current = top
    var names = Array(path.absolute.components.reversed())
    var links = 0
    while let name = names.popLast() {
      let next = try step(into: FileName(bytes: name.bytes), in: current.raw, makes: makes)
      let stamp = try FileCalls.status(of: next.raw)
      guard trusted.contains(stamp.owner) || stamp.kind != .link && geteuid() != 0 else {
        throw NotOwn(path: path)
      }
      switch stamp.kind {
      case .link:
        links += 1
        guard links <= mostLinks else { throw Errno.tooManySymbolicLinkLevels }
        let target = try FilePath(rawBytes: FileCalls.linkText(next.raw, FileName("")))
        if target.isAbsolute {
          current = try FileCalls.open("/", flags: clinux_open_path_only | O_DIRECTORY)
        }
        names += target.components.reversed()
      case .folder where geteuid() == 0 && isOpen(stamp): throw NotOwn(path: path)
      default: current = next
      }
    }
    return current
  }

  /// Whether others may replace entries of a folder.
  private static func isOpen(_ folder: FileStamp) -> Bool {
    // In a sticky folder users can remove only their own entries.
    folder.mode & mode_t(S_ISVTX) == 0
      && (folder.mode & 0o002 != 0 || folder.mode & 0o020 != 0 && folder.group != 0)
  }

  /// Opens a name without following a link.
  private static func step(
    into name: FileName, in folder: CInt, makes: Bool
  ) throws -> OwnedDescriptor {
    do {
      return try FileCalls.open(folder, name, flags: clinux_open_path_only)
    } catch Errno.noSuchFileOrDirectory where makes {
      do { try FileCalls.makeFolder(folder, name) } catch Errno.fileExists {}
      return try FileCalls.open(folder, name, flags: clinux_open_path_only)
    }
  }
}
