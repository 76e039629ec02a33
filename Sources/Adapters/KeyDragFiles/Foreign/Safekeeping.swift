import CLinux
import Glibc
import SystemPackage

/// Copies of the files that another program may write over, until it is known whether it did.
///
/// They have no names: what nobody needs any more is gone by itself, also when this process is
/// killed. A second link to such a file would not do, because programs write into a file that has
/// one.
///
/// Made with O_TMPFILE in the trash's own folder, so that linkat(2) can give it a name there. Kept
/// open: at most 64 descriptors. Owned by ``ForeignLanding``.
final class Safekeeping: Sendable {
  /// More is not copied for the sake of a question that may be answered with no.
  ///
  /// 256 MiB together.
  private static let most = (files: 64, bytes: Int64(256 << 20))

  /// The trash of the folder's file system.
  private let slot: TrashSlot
  /// By the names that they bear in the folder.
  private let files: [FileName: Kept]

  /// The file behind a name, as it was.
  private final class Kept: Sendable {
    let file: OwnedDescriptor
    /// The place that it had, for the note of the trash.
    let path: FilePath

    init(_ file: consuming OwnedDescriptor, _ path: FilePath) {
      self.file = file
      self.path = path
    }
  }

  /// Keeps what bears one of the names in a folder; `nil` where there is nothing to be kept, or no
  /// trash from which it could be brought back by a rename. May block.
  ///
  /// A file that is too large, or can't be read, is passed over.
  init?(
    of names: some Sequence<FileName>, in folder: FilePath, trash: TrashCan,
    alive: @escaping @Sendable () -> Void
  ) {
    var files: [FileName: Kept] = [:]
    var slot: TrashSlot?
    var room = Self.most.bytes
    let copy = ContentCopy(meter: Meter(alive: alive))
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

  /// A copy with contents, mode and times, which never had a name.
  private static func keep(
    _ path: FilePath, in slot: TrashSlot, _ copy: ContentCopy
  ) throws -> Kept {
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
    return Kept(to, path)
  }

  /// Puts what bore a name into the trash, and gives where it is there; `nil` where it was not
  /// kept.
  ///
  /// To be called once a name: a second call would make a second name for the same copy.
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

  /// Gives the copy a name; `Errno.fileExists` where that is taken.
  private func link(_ kept: Kept, as name: FileName) throws(Errno) {
    // The one way that needs no privilege.
    let own = "/proc/self/fd/\(kept.file.raw)"
    try FileCalls.checked {
      name.withPointer { linkat(AT_FDCWD, own, slot.files.raw, $0, AT_SYMLINK_FOLLOW) }
    }
    try FileCalls.flush(slot.files.raw)
  }
}
