import CLinux
import Glibc
import KeyDragCore

/// Copies a file's owner, group, mode, times and extended attributes, including POSIX ACLs.
///
/// A loss never fails a copy: it is recorded by name and reported once at the end. One value serves
/// a whole delivery.
struct FileAttributes {
  /// Attributes that could not be kept, without duplicates, in order. At most 20, safe to speak.
  private(set) var lost: [String] = []

  /// Attributes that a copy takes from its folder instead of the original, so that a team sharing
  /// the folder can use it, as with `cp -r` and `gio copy`.
  struct Inherited {
    /// Whether it takes the folder's group, and subfolders the set-group-ID bit (inode(7)).
    var group = false
    /// Maximum mode allowed by the folder's default ACL (acl(5)), which the copy inherits; `nil`
    /// without one.
    var mostByList: mode_t?
  }

  private static let accessLists = ["system.posix_acl_access", "system.posix_acl_default"]
    .map { FileName($0) }

  /// The attributes that an open folder passes on; none if it can't be read.
  static func inherited(from folder: CInt) -> Inherited {
    guard let stamp = try? FileCalls.status(of: folder) else { return Inherited() }
    var inherited = Inherited(group: stamp.mode & mode_t(S_ISGID) != 0)
    // The kernel's limit.
    withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 8) { list in
      let length = accessLists[1].withPointer {
        clinux_get_attribute(folder, $0, list.baseAddress, list.count)
      }
      if length > 0 { inherited.mostByList = most(by: UnsafeRawBufferPointer(list)[..<length]) }
    }
    return inherited
  }

  /// Parses an ACL: a version, then entries of tag, rights and id, in 2, 2 and 4 bytes.
  private static func most(by list: Slice<UnsafeRawBufferPointer>) -> mode_t {
    var rights: [UInt8: mode_t] = [:]
    for entry in stride(from: 4, to: list.count - 7, by: 8) {
      rights[list[entry]] = mode_t(list[entry + 2] & 7)
    }
    // ACL_USER_OBJ; ACL_MASK, or ACL_GROUP_OBJ without one; ACL_OTHER.
    return rights[1, default: 7] << 6 | (rights[16] ?? rights[4, default: 7]) << 3
      | rights[32, default: 7]
  }

  /// Sets owner, extended attributes, mode and times of an open file or folder, in the only order
  /// in which none undoes another. Returns the resulting stamp.
  ///
  /// - Parameters:
  ///   - from: extended attributes are read from it.
  ///   - inherited: attributes kept from the folder.
  /// - Throws: only if the status can't be read; losses go to ``lost``.
  mutating func carryOver(
    from: CInt, _ stamp: FileStamp, to: CInt, keeping inherited: Inherited = Inherited()
  ) throws -> FileStamp {
    let own = try FileCalls.status(of: to)
    var (mode, stamp) = (stamp.mode, stamp)
    if inherited.group {
      stamp.group = own.group
      if own.kind == .folder { mode |= own.mode & mode_t(S_ISGID) }
    }
    if own.owner != stamp.owner || own.group != stamp.group {
      // chown(2) clears the set-user-ID and set-group-ID bits, so the mode is set after it.
      if !setOwner(stamp, of: to) {
        // A program must not run with the rights of the user who copied it.
        mode &= ~mode_t(S_ISUID | S_ISGID)
      }
    }
    // Before the mode: a read-only copy accepts no attributes.
    copyExtended(
      from: from, to: to, but: inherited.mostByList == nil ? [] : Self.accessLists)
    // An ACL that excludes others also applies to the copy.
    if let most = inherited.mostByList { mode &= most | ~0o777 }
    if own.mode != mode || own.kind == .folder, fchmod(to, mode) != 0 { lose("permissions") }
    if futimens(to, [stamp.accessTime, stamp.modificationTime]) != 0 { lose("times") }
    return try FileCalls.status(of: to)
  }

  /// As above for a symbolic link, which has only owner and times.
  ///
  /// - Throws: only if the link's status can't be read.
  mutating func carryOver(
    _ stamp: FileStamp, toLink name: FileName, in folder: CInt,
    keeping inherited: Inherited = Inherited()
  ) throws {
    let own = try FileCalls.status(folder, name)
    var stamp = stamp
    if inherited.group { stamp.group = own.group }
    if own.owner != stamp.owner || own.group != stamp.group {
      let done = name.withPointer {
        fchownat(folder, $0, stamp.owner, stamp.group, AT_SYMLINK_NOFOLLOW)
      }
      if done != 0 { lose("owner") }
    }
    let times = [stamp.accessTime, stamp.modificationTime]
    if name.withPointer({ utimensat(folder, $0, times, AT_SYMLINK_NOFOLLOW) }) != 0 {
      lose("times")
    }
  }

  /// Whether owner and group match the original. Only root can change the owner.
  private mutating func setOwner(_ stamp: FileStamp, of file: CInt) -> Bool {
    if fchown(file, stamp.owner, stamp.group) == 0 { return true }
    // The group may still be set to one of the user's own; uid_t.max is chown(2)'s -1, which keeps
    // the owner.
    _ = fchown(file, uid_t.max, stamp.group)
    lose("owner")
    return false
  }

  /// Skips attributes whose length can't be read; records those that can't be read or set.
  private mutating func copyExtended(from: CInt, to: CInt, but left: [FileName]) {
    for name in extendedNames(of: from) where !left.contains(name) {
      let length = name.withPointer { clinux_get_attribute(from, $0, nil, 0) }
      // The kernel's limit for one value.
      guard (0...65_536).contains(length) else { continue }
      var value = [UInt8](repeating: 0, count: length)
      let read = name.withPointer { clinux_get_attribute(from, $0, &value, value.count) }
      let done =
        read >= 0 && name.withPointer { clinux_set_attribute(to, $0, value, read) } == 0
      if !done { lose(SpokenName.file(name.bytes)) }
    }
  }

  /// Empty if the file system has none or does not list them.
  private func extendedNames(of file: CInt) -> [FileName] {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { first in
      let count = clinux_list_attributes(file, first.baseAddress, first.count)
      if count > 0 { return Self.split(UnsafeBufferPointer(rebasing: first[..<count])) }
      guard count < 0, errno == ERANGE else { return [] }
      // The kernel's limit for the whole list.
      var whole = [CChar](repeating: 0, count: 65_536)
      let all = clinux_list_attributes(file, &whole, whole.count)
      return all > 0 ? whole[..<all].withUnsafeBufferPointer(Self.split) : []
    }
  }

  /// The list is a sequence of NUL-terminated names (listxattr(2)).
  private static func split(_ list: UnsafeBufferPointer<CChar>) -> [FileName] {
    list.split(separator: 0).map { name in
      FileName(bytes: name.map { UInt8(bitPattern: $0) })
    }
  }

  private mutating func lose(_ name: String) {
    // Limits what the user has to listen to.
    if lost.count < 20, !lost.contains(name) { lost.append(name) }
  }
}
