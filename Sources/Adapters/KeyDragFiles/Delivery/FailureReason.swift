import CLinux
import Glibc
import KeyDragCore
import SystemPackage

/// Thrown when the user cancels.
struct CancelledByPerson: Error {}

/// Maps system errors to a few reasons, by what the user can do about them: the name of an errno is
/// never spoken.
extension Reason {
  enum Call: CaseIterable {
    /// Reads metadata of a place or an item before the delivery.
    case look
    /// Checks write access to a folder (access(2)).
    case access
    /// Reads or opens the source of a copy.
    case read
    /// Creates a name in the target folder.
    case make
    /// Creates a symbolic link in the target folder.
    case makeLink
    /// Removes a name from its folder.
    case take
    /// Writes contents, flushes a device, and so on.
    case other
  }

  /// Checks made after an error that is ambiguous by its number.
  struct Check: OptionSet {
    let rawValue: Int
    /// The folder itself has been removed.
    static let isFolderGone = Check(rawValue: 1)
    /// The file or its folder is immutable (chattr(1), +i or +a).
    static let isProtected = Check(rawValue: 2)
    /// The folder's permissions allow the call.
    static let isAllowed = Check(rawValue: 4)
  }

  /// The same where something is to be taken out of the folder that was asked: whoever hears it at
  /// another place would take that one for read-only.
  var ofTaking: Reason {
    [.notPermitted, .readOnly, .protected].contains(self) ? .notRemovable : self
  }

  /// Whether an error is about the disk or resource limits instead of the file.
  static func isPassing(_ error: any Error) -> Bool {
    isShortage(error) || [.deviceError, .notResponding].contains(Reason(error))
  }

  private static func isShortage(_ error: any Error) -> Bool {
    [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory].contains(error as? Errno)
  }

  /// Why something that a person named can't be used.
  package init(errno code: CInt) { self.init(Errno(rawValue: code), .look) }

  /// - Parameter error: `Errno`, `Reason` or `CancelledByPerson`; anything else becomes `unknown`.
  init(_ error: any Error) {
    switch error {
    case let reason as Reason: self = reason
    case let code as Errno: self = Reason(code, .other)
    case is CancelledByPerson: self = .interrupted
    default: self = .unknown
    }
  }

  init(_ code: Errno, _ call: Call, _ look: Check = []) {
    switch (code.rawValue, call) {
    case (EACCES, .read), (EPERM, .read): self = .unreadable
    // One that has contents only when something happens, as /proc/kmsg.
    case (EAGAIN, .read): self = .specialFile
    case (EACCES, _) where look.contains(.isProtected),
      (EPERM, _) where look.contains(.isProtected):
      self = .protected
    case (EACCES, .take), (EPERM, .take): self = .notRemovable
    // FAT and its FUSE variants (symlink(2)).
    case (EPERM, .makeLink) where look.contains(.isAllowed), (ENOTSUP, .makeLink),
      (ENOSYS, .makeLink):
      self = .noLinks
    case (EACCES, .make) where look.contains(.isAllowed),
      (EPERM, .make) where look.contains(.isAllowed), (ENOTSUP, _), (ENOSYS, _):
      self = .notSupported
    case (EACCES, _), (EPERM, _): self = .notPermitted
    // EINVAL from FAT and NTFS, EILSEQ for an unsupported character set, ENOENT from exFAT.
    case (ENOENT, .make) where !look.contains(.isFolderGone),
      (ENOENT, .makeLink) where !look.contains(.isFolderGone), (EINVAL, .make), (EINVAL, .makeLink),
      (EILSEQ, .make), (EILSEQ, .makeLink):
      self = .nameRefused
    // ESTALE: an NFS server has removed the file behind an open descriptor.
    case (ENOENT, .make), (ENOENT, .makeLink), (ESTALE, .make), (ESTALE, .makeLink):
      self = .folderGone
    case (ENOENT, _), (ESTALE, _), (ENXIO, .look), (ENODEV, .look): self = .gone
    // A file or a link has replaced a folder, or a link a file.
    case (ENOTDIR, .read), (ELOOP, .read): self = .changed
    case (EIO, .read), (EREMOTEIO, .read), (EUCLEAN, .read): self = .readError
    // EUCLEAN is a damaged file system (ext4, XFS); ENXIO and ENODEV are an unplugged device.
    case (EIO, _), (ENXIO, _), (ENODEV, _), (EREMOTEIO, _), (EUCLEAN, _): self = .deviceError
    // An exhausted quota has the same remedy as a full disk: removing something.
    case (ENOSPC, _), (EDQUOT, _): self = .noSpace
    case (EFBIG, _): self = .tooLarge
    // The folder has its maximum number of subfolders.
    case (EMLINK, _): self = .tooMany
    // A mount point, a swap file, or a running program.
    case (EBUSY, _), (ETXTBSY, _): self = .busy
    case (EROFS, _): self = .readOnly
    // rename(2) and rmdir(2) return ENOTEMPTY for a nonempty folder.
    case (EEXIST, _), (ENOTEMPTY, _): self = .nameExists
    case (ENAMETOOLONG, _): self = .nameTooLong
    case (ELOOP, _): self = .linkLoop
    case (ENOTDIR, _): self = .notAFolder
    case (EISDIR, _): self = .isAFolder
    // A server or FUSE file system is gone.
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
    var look: Check = []
    if (try? FileCalls.status(of: folder).links) ?? 0 == 0 { look.insert(.isFolderGone) }
    if FileCalls.isProtected(folder) { look.insert(.isProtected) }
    if faccessat(folder, ".", W_OK | X_OK, AT_EACCESS) == 0 { look.insert(.isAllowed) }
    let reason = Reason(code, isLink ? .makeLink : .make, look)
    // Every disk takes the hidden names of ours: no other name would help.
    return reason == .nameRefused && NameFilter.isTemporary(name.bytes) ? .notSupported : reason
  }

  /// Why a file can't be taken out of its folder; checks both.
  static func taking(_ error: any Error, _ folder: CInt, _ name: FileName) -> Reason {
    guard let code = error as? Errno else { return Reason(error) }
    let isProtected = FileCalls.isProtected(folder) || FileCalls.isProtected(folder, name)
    return Reason(code, .take, isProtected ? .isProtected : [])
  }

  static func reading(_ error: any Error) -> Reason {
    (error as? Errno).map { Reason($0, .read) } ?? Reason(error)
  }

  /// Why one entry of a folder is skipped; `nil` if the error applies to the other entries too,
  /// such as a full disk.
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
