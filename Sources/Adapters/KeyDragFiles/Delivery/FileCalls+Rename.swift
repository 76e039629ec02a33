import CLinux
import Glibc
import SystemPackage

/// Renaming without replacing: the step by which everything gets its final name.
extension FileCalls {
  /// Renames and never replaces: throws `Errno.fileExists` when the new name is taken.
  ///
  /// Atomic where the kernel and the file system know RENAME_NOREPLACE (renameat2(2)).
  static func rename(
    _ from: CInt, _ old: FileName, to: CInt, _ new: FileName
  ) throws(Errno) {
    do {
      try checked {
        old.withPointer { old in
          new.withPointer { clinux_rename_without_replacing(from, old, to, $0) }
        }
      }
    } catch .invalidArgument, .noFunction, .notSupported {
      // Some file systems do not know the flag.
      // EINVAL also means that a folder was to go into itself: the calls below answer the same
      // then.
      try renameInSteps(from, old, to: to, new)
    }
  }

  /// The same for a name that may be another spelling of the old one: it gets there by a hidden name,
  /// since rename(2) does nothing where both lead to one inode. Nothing is replaced on the way.
  static func rename(_ from: FolderEntry, to: FolderEntry, aside: FileName) throws {
    do { try rename(from, to: to) } catch Errno.fileExists where areOneName(from, to) {
      let hidden = FolderEntry(folder: from.folder, name: aside)
      try rename(from, to: hidden)
      do { try rename(hidden, to: to) } catch {
        do { try rename(hidden, to: from) } catch { throw LeftHidden(error) }
        throw error
      }
    }
  }

  /// Whether two names in a folder are one on its disk, such as those that differ in case alone.
  ///
  /// `false` for two links to one file, which are both listed.
  static func areOneName(_ one: FolderEntry, _ other: FolderEntry) -> Bool {
    guard one.name != other.name,
      let folder = try? status(of: one.folder), let second = try? status(of: other.folder),
      folder.identity == second.identity,
      let stamp = try? status(one.folder, one.name),
      let twin = try? status(other.folder, other.name),
      stamp.identity == twin.identity
        || areSpellings(one.name, other.name)
          && stamp.recorded.isSame(as: twin),
      let listed = try? names(in: one.folder)
    else { return false }
    return !(listed.contains(one.name) && listed.contains(other.name))
  }

  /// Whether two names differ in case, or in the form of their accents, alone: exFAT in user space gives
  /// each spelling an inode of its own.
  private static func areSpellings(_ one: FileName, _ other: FileName) -> Bool {
    String(decoding: one.bytes, as: UTF8.self).lowercased()
      == String(decoding: other.bytes, as: UTF8.self).lowercased()
  }

  /// Whether two names are two links to one file: a disk that renames by a second one may then remove
  /// neither.
  static func areTwoNames(_ one: FolderEntry, _ other: FolderEntry) -> Bool {
    guard let stamp = try? status(one.folder, one.name),
      stamp.identity == (try? status(other.folder, other.name))?.identity
    else { return false }
    return !areOneName(one, other)
  }

  /// The same for file systems without that flag: what stands at the new name, if anything, is
  /// ours.
  ///
  /// A file goes by link(2) and unlink(2), where link(2) fails for a taken name. Between the two it
  /// has both names, which loses nothing when it is cut off.
  private static func renameInSteps(
    _ from: CInt, _ old: FileName, to: CInt, _ new: FileName
  ) throws(Errno) {
    if try status(from, old).kind == .folder {
      // A folder replaces nothing but an empty folder, and the kernel sees to that.
      // A folder that is made between this look and the rename is replaced only while it is empty.
      if exists(to, new) { throw .fileExists }
      try replace(from, old, to: to, new)
      return
    }
    do {
      try checked {
        old.withPointer { old in new.withPointer { linkat(from, old, to, $0, 0) } }
      }
    } catch .notPermitted, .notSupported, .noFunction {
      // No hard links either: hold the name with an empty file of our own.
      // O_EXCL makes the name ours or fails; the rename then replaces that empty file.
      _ = try open(to, new, flags: O_CREAT | O_EXCL | O_WRONLY, mode: 0o600)
      do { try replace(from, old, to: to, new) } catch {
        try? unlink(to, new)
        throw error
      }
      return
    }
    do throws(Errno) { try unlink(from, old) } catch {
      // It has both names now: not moved means that the new one goes.
      try? unlink(to, new)
      throw error
    }
  }

  /// Plain renameat(2), which replaces.
  private static func replace(
    _ from: CInt, _ old: FileName, to: CInt, _ new: FileName
  ) throws(Errno) {
    try checked { old.withPointer { old in new.withPointer { renameat(from, old, to, $0) } } }
  }
}
