import CLinux
import Glibc
import SystemPackage

/// Opens folders and files that are KeyDrag's alone, such as that of the history.
///
/// Links are followed on the way there where the user or root has made them, and never at the end: what
/// is opened is a folder or a plain file, and the user's own. For root, nobody else may be able to
/// exchange anything on the way.
enum OwnFolder {
  /// Something that is not the user's own, or leads elsewhere, stands at a path.
  struct NotOwn: Error { var path: FilePath }

  /// Opens a folder, by default for its owner alone, and makes what is missing.
  ///
  /// - Parameter makes: `false` to change nothing.
  static func open(_ path: FilePath, makes: Bool = true) throws -> OpenFolder {
    guard let name = path.name else { throw NotOwn(path: path) }
    let around = try follow(path.folder, makes: makes)
    let found = try step(into: name, in: around.raw, makes: makes)
    let stamp = try FileCalls.status(of: found.raw)
    guard stamp.kind == .folder, stamp.owner == geteuid() else { throw NotOwn(path: path) }
    // It may have been there with other rights. fchmod(2) takes no O_PATH.
    if makes, stamp.mode & 0o777 != 0o700 { _ = chmod("/proc/self/fd/\(found.raw)", 0o700) }
    return try OpenFolder(
      FileCalls.open(found.raw, FileName("."), flags: O_RDONLY | O_DIRECTORY), at: path)
  }

  /// Opens a file in such a folder, for its owner alone.
  ///
  /// - Parameter flags: whether one is made where there is none (`O_CREAT`), and only then (`O_EXCL`).
  static func file(
    _ name: FileName, in folder: OpenFolder, flags: CInt
  ) throws -> OwnedDescriptor {
    do {
      // The other end of a FIFO is not waited for.
      let file = try FileCalls.open(folder.raw, name, flags: flags | O_NONBLOCK, mode: 0o600)
      let stamp = try FileCalls.status(of: file.raw)
      guard stamp.kind == .file, stamp.owner == geteuid() else {
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

  /// Whether somebody else could exchange what a path leads to, as far as it is there.
  static func isOthers(_ path: FilePath) -> Bool {
    do {
      _ = try follow(path, makes: false)
      return false
    } catch { return error is NotOwn }
  }

  // MARK: The way

  /// As many links as the kernel follows in a path (path_resolution(7)).
  private static let mostLinks = 40

  /// Follows a path a name at a time; links count as whoever made them.
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

  /// Whether others may put something else in the place of what is in a folder.
  private static func isOpen(_ folder: FileStamp) -> Bool {
    // Of a sticky one each takes away only what is his own.
    folder.mode & mode_t(S_ISVTX) == 0
      && (folder.mode & 0o002 != 0 || folder.mode & 0o020 != 0 && folder.group != 0)
  }

  /// Opens the thing of a name, which may be a link.
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
