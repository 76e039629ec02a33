import CLinux
import Glibc
import SystemPackage

/// Backups of files that another program may overwrite, kept until it is known whether it did.
///
/// Unnamed (O_TMPFILE), so that they vanish with the process. A hard link would not do, because
/// programs overwrite a file with several links in place.
///
/// Created in the trash's own folder, so that linkat(2) can name them there. Kept open: at most 64
/// descriptors. Owned by ``FolderDropVerifier``.
final class Safekeeping: Sendable {
  /// Limits for all files together, because the program may still ask before overwriting.
  private static let most = (files: 64, bytes: Int64(256 << 20))

  /// The trash of the folder's file system.
  private let slot: TrashSlot
  private let files: [FileName: OpenFolder]

  /// Copies the files with these names; `nil` if there are none, or no trash on the same file
  /// system. May block. Skips files that are too large or unreadable.
  init?(
    of names: some Sequence<FileName>, in folder: FilePath, trash: TrashCan,
    alive: @escaping @Sendable () -> Void
  ) {
    var files: [FileName: OpenFolder] = [:]
    var slot: TrashSlot?
    var room = Self.most.bytes
    let copy = ContentCopy(meter: ProgressMeter(alive: alive))
    for name in names where files.count < Self.most.files {
      let path = folder.appending(name)
      guard let stamp = try? FileCalls.status(path), stamp.kind == .file, stamp.size <= room
      else { continue }
      if slot == nil { slot = try? trash.slot(for: path, stamp) }
      guard let slot, slot.files.stamp.identity.device == stamp.identity.device,
        let kept = try? Self.keep(path, in: slot, copy)
      else { continue }
      room -= stamp.size
      files[name] = kept
    }
    guard let slot, !files.isEmpty else { return nil }
    self.slot = slot
    self.files = files
  }

  private static func keep(
    _ path: FilePath, in slot: TrashSlot, _ copy: ContentCopy
  ) throws -> OpenFolder {
    let from = try FileCalls.open(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    let stamp = try FileCalls.status(of: from.raw)
    let to = OwnedDescriptor(
      owning: try FileCalls.checked {
        openat(slot.files.raw, ".", clinux_open_unnamed | O_RDWR | O_CLOEXEC, 0o600)
      })
    _ = try copy.copy(from: from.raw, stamp, to: to.raw, digesting: false)
    try FileCalls.checked { fchmod(to.raw, stamp.mode & 0o777) }
    let times = [stamp.accessTime, stamp.modificationTime]
    try FileCalls.checked { futimens(to.raw, times) }
    return try OpenFolder(to, at: path)
  }

  /// Puts a backup into the trash and returns its path there; `nil` if there is no backup. Call
  /// once per name: a second call would link the same copy again.
  func trash(_ name: FileName) -> FilePath? {
    guard let kept = files[name] else { return nil }
    var number = 0
    while true {
      let free = slot.freeName(for: name, after: &number)
      do {
        try slot.reserve(free, for: kept.path)
        do { try link(kept, as: free) } catch {
          slot.release(free)
          throw error
        }
        return slot.files.path.appending(free)
      } catch {
        guard (error as? Errno) == .fileExists else { return nil }
      }
    }
  }

  /// Names the copy; throws `Errno.fileExists` if the name is taken.
  private func link(_ kept: OpenFolder, as name: FileName) throws(Errno) {
    // The only variant of linkat(2) for this that needs no privilege.
    let own = "/proc/self/fd/\(kept.raw)"
    try FileCalls.checked {
      name.withPointer { linkat(AT_FDCWD, own, slot.files.raw, $0, AT_SYMLINK_FOLLOW) }
    }
    try FileCalls.flush(slot.files.raw)
  }
}
