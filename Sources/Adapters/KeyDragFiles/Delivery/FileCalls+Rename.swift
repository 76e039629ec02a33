import CLinux
import Glibc
import SystemPackage

/// Renames that never replace: the step that gives everything its final name.
extension FileCalls {
  /// Throws `Errno.fileExists` if the new name is taken. Atomic with RENAME_NOREPLACE
  /// (renameat2(2)), if the kernel and the file system support it.
  static func rename(
    _ from: CInt, _ old: FileName, to: CInt, _ new: FileName
  ) throws(Errno) {
    do {
      try renameAtOnce(from, old, to: to, new)
    } catch .invalidArgument, .noFunction, .notSupported {
      // The file system lacks the flag. EINVAL also means moving a folder into itself, for which
      // the calls below fail likewise.
      try renameInSteps(from, old, to: to, new)
    }
  }

  /// As above, atomic or not at all: throws `Errno.invalidArgument`, `Errno.noFunction` or
  /// `Errno.notSupported` where the kernel or the file system has no RENAME_NOREPLACE.
  static func renameAtOnce(
    _ from: CInt, _ old: FileName, to: CInt, _ new: FileName
  ) throws(Errno) {
    try checked {
      old.withPointer { old in
        new.withPointer { clinux_rename_without_replacing(from, old, to, $0) }
      }
    }
  }

  /// As above, also for a different spelling of the same name: rename(2) is a no-op if both are one
  /// inode, so it goes through a hidden name.
  static func rename(_ from: FolderEntry, to: FolderEntry, aside: FileName) throws {
    do { try rename(from, to: to) } catch Errno.fileExists where areSameEntry(from, to) {
      let hidden = FolderEntry(folder: from.folder, name: aside)
      try rename(from, to: hidden)
      do { try rename(hidden, to: to) } catch {
        do { try rename(hidden, to: from) } catch { throw HiddenLeftover(error) }
        throw error
      }
    }
  }

  /// Whether two names in a folder are the same on its disk, such as with different case. `false`
  /// for two hard links, which are both listed.
  static func areSameEntry(_ one: FolderEntry, _ other: FolderEntry) -> Bool {
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

  /// Whether two names are hard links to one file: rename(2) is a no-op for those.
  static func areHardLinks(_ one: FolderEntry, _ other: FolderEntry) -> Bool {
    guard let stamp = try? status(one.folder, one.name),
      stamp.identity == (try? status(other.folder, other.name))?.identity
    else { return false }
    return !areSameEntry(one, other)
  }

  /// Fallback without that flag. Replaces nothing of others. Files use link(2), which fails for a
  /// taken name, and unlink(2). An interruption in between leaves both names and loses nothing.
  private static func renameInSteps(
    _ from: CInt, _ old: FileName, to: CInt, _ new: FileName
  ) throws(Errno) {
    if try status(from, old).kind == .folder {
      // A folder can replace only an empty folder, by the kernel's rules, which also covers one
      // created after this check.
      if exists(to, new) { throw .fileExists }
      try replace(from, old, to: to, new)
      return
    }
    do {
      try checked {
        old.withPointer { old in new.withPointer { linkat(from, old, to, $0, 0) } }
      }
    } catch .notPermitted, .notSupported, .noFunction {
      // No hard links either: reserves the name with an empty file (O_EXCL), which the rename then
      // replaces.
      _ = try open(to, new, flags: O_CREAT | O_EXCL | O_WRONLY, mode: 0o600)
      do { try replace(from, old, to: to, new) } catch {
        try? unlink(to, new)
        throw error
      }
      return
    }
    do throws(Errno) { try unlink(from, old) } catch {
      // Both names exist now: removes the new one, so that nothing has moved.
      try? unlink(to, new)
      throw error
    }
  }

  private static func replace(
    _ from: CInt, _ old: FileName, to: CInt, _ new: FileName
  ) throws(Errno) {
    try checked { old.withPointer { old in new.withPointer { renameat(from, old, to, $0) } } }
  }
}
