import CLinux
import Glibc
import KeyDragCore
import SystemPackage

/// Thrown where a person's wish to stop is noticed.
struct CancelledByPerson: Error {}

/// Errors of the system become few reasons, by what a person can do about them: the name of an
/// errno is never spoken.
extension Reason {
  /// The step at which the system answered with an error, and its side.
  enum Call: CaseIterable {
    /// A place or an item is looked at, before anything is done.
    case look
    /// A folder is asked whether it may be changed (access(2)).
    case access
    /// The original of a copy is looked at, opened or read.
    case read
    /// Something gets a name in the folder that takes it.
    case make
    /// The same of a symbolic link.
    case makeLink
    /// Something is taken out of its folder.
    case take
    /// Contents are written, a device is flushed, and the like.
    case other
  }

  /// A look at the disk after an error: the number alone may mean several things.
  struct Look: OptionSet {
    let rawValue: Int
    /// The folder itself has been removed.
    static let isFolderGone = Look(rawValue: 1)
    /// The thing or its folder can't be changed by anybody (chattr(1), +i or +a).
    static let isProtected = Look(rawValue: 2)
    /// The permissions of the folder allow it.
    static let isAllowed = Look(rawValue: 4)
  }

  /// The same where something is to be taken out of the folder that was asked: whoever hears it at
  /// another place would take that one for read-only.
  var ofTaking: Reason {
    [.notPermitted, .readOnly, .protected].contains(self) ? .notRemovable : self
  }

  /// Whether an error says nothing of what was asked for: the disk fails, or the process or the machine is
  /// at its limits.
  static func isPassing(_ error: any Error) -> Bool {
    isShortage(error) || [.deviceError, .notResponding].contains(Reason(error))
  }

  private static func isShortage(_ error: any Error) -> Bool {
    [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory].contains(error as? Errno)
  }

  /// Why something that a person named can't be used.
  package init(errno code: CInt) { self.init(Errno(rawValue: code), .look) }

  /// The reason a person is told for an error of the system.
  ///
  /// - Parameter error: `Errno`, `Reason` or `CancelledByPerson`; anything else becomes `unknown`.
  init(_ error: any Error) {
    switch error {
    case let reason as Reason: self = reason
    case let code as Errno: self = Reason(code, .other)
    case is CancelledByPerson: self = .interrupted
    default: self = .unknown
    }
  }

  /// The table: by the number of errno(3), the call and what the disk shows.
  init(_ code: Errno, _ call: Call, _ look: Look = []) {
    switch (code.rawValue, call) {
    case (EACCES, .read), (EPERM, .read): self = .unreadable
    // One that has contents only when something happens, as /proc/kmsg.
    case (EAGAIN, .read): self = .specialFile
    case (EACCES, _) where look.contains(.isProtected),
      (EPERM, _) where look.contains(.isProtected):
      self = .protected
    case (EACCES, .take), (EPERM, .take): self = .notRemovable
    // FAT, and what stands in for it in user space (symlink(2)).
    case (EPERM, .makeLink) where look.contains(.isAllowed), (ENOTSUP, .makeLink),
      (ENOSYS, .makeLink):
      self = .noLinks
    case (EACCES, .make) where look.contains(.isAllowed),
      (EPERM, .make) where look.contains(.isAllowed), (ENOTSUP, _), (ENOSYS, _):
      self = .notSupported
    case (EACCES, _), (EPERM, _): self = .notPermitted
    // EINVAL of FAT and NTFS, EILSEQ of a name in no character set, ENOENT of exFAT.
    case (ENOENT, .make) where !look.contains(.isFolderGone),
      (ENOENT, .makeLink) where !look.contains(.isFolderGone), (EINVAL, .make), (EINVAL, .makeLink),
      (EILSEQ, .make), (EILSEQ, .makeLink):
      self = .nameRefused
    // ESTALE: a server (NFS) has removed what is behind an open descriptor.
    case (ENOENT, .make), (ENOENT, .makeLink), (ESTALE, .make), (ESTALE, .makeLink):
      self = .folderGone
    case (ENOENT, _), (ESTALE, _), (ENXIO, .look), (ENODEV, .look): self = .gone
    // A file or a link has come in the place of a folder, or a link in that of a file.
    case (ENOTDIR, .read), (ELOOP, .read): self = .changed
    case (EIO, .read), (EREMOTEIO, .read), (EUCLEAN, .read): self = .readError
    // EUCLEAN is a damaged file system (ext4, XFS); ENXIO and ENODEV a device that was pulled out.
    case (EIO, _), (ENXIO, _), (ENODEV, _), (EREMOTEIO, _), (EUCLEAN, _): self = .deviceError
    // A quota that is used up is told like a full disk: both are mended by removing something.
    case (ENOSPC, _), (EDQUOT, _): self = .noSpace
    case (EFBIG, _): self = .tooLarge
    // A folder that holds as many folders as it can.
    case (EMLINK, _): self = .tooMany
    // A mount point or a swap file; a program that runs.
    case (EBUSY, _), (ETXTBSY, _): self = .busy
    case (EROFS, _): self = .readOnly
    // ENOTEMPTY is what rename(2) and rmdir(2) answer for a folder that holds something.
    case (EEXIST, _), (ENOTEMPTY, _): self = .nameExists
    case (ENAMETOOLONG, _): self = .nameTooLong
    case (ELOOP, _): self = .linkLoop
    case (ENOTDIR, _): self = .notAFolder
    case (EISDIR, _): self = .isAFolder
    // A server, or a file system in user space, that has gone.
    case (ENOTCONN, _), (ETIMEDOUT, _), (EHOSTDOWN, _), (EHOSTUNREACH, _), (ENETUNREACH, _),
      (ECONNABORTED, _), (ECONNRESET, _):
      self = .notResponding
    case (EINTR, _): self = .interrupted
    default: self = .unknown
    }
  }

  /// Why a disk has not made a name in a folder, which is looked at.
  static func making(
    _ code: Errno, in folder: CInt, _ name: FileName, isLink: Bool = false
  ) -> Reason {
    var look: Look = []
    if (try? FileCalls.status(of: folder).links) ?? 0 == 0 { look.insert(.isFolderGone) }
    if FileCalls.isProtected(folder) { look.insert(.isProtected) }
    if faccessat(folder, ".", W_OK | X_OK, AT_EACCESS) == 0 { look.insert(.isAllowed) }
    let reason = Reason(code, isLink ? .makeLink : .make, look)
    // Every disk takes the hidden names of ours: no other name would help.
    return reason == .nameRefused && NameFilter.isTemporary(name.bytes) ? .notSupported : reason
  }

  /// Why something can't be taken out of its folder; both are looked at.
  static func taking(_ error: any Error, _ folder: CInt, _ name: FileName) -> Reason {
    guard let code = error as? Errno else { return Reason(error) }
    let isProtected = FileCalls.isProtected(folder) || FileCalls.isProtected(folder, name)
    return Reason(code, .take, isProtected ? .isProtected : [])
  }

  /// Why something that is to be copied can't be looked at, opened or read.
  static func reading(_ error: any Error) -> Reason {
    (error as? Errno).map { Reason($0, .read) } ?? Reason(error)
  }

  /// Why a part of a folder is left out while the rest goes; `nil` where the error holds for the other
  /// parts as well, as a full disk does.
  static func ofPart(_ error: any Error, isRead: Bool = false) -> Reason? {
    if isShortage(error) { return nil }
    let reason = isRead ? reading(error) : Reason(error)
    switch reason {
    case .noSpace, .deviceError, .interrupted, .readOnly, .ownDescendant, .notResponding,
      .folderGone:
      return nil
    default: return error is CancelledByPerson ? nil : reason
    }
  }
}
