import CLinux
import Glibc
import KeyDragCore

/// Carries over what belongs to a file besides its contents.
///
/// Owner, group, mode, times and extended attributes, POSIX access lists among them, which Linux
/// keeps as extended attributes. A loss never fails a copy: it is noted by name, and the person is
/// told once at the end. One value serves a whole delivery.
struct FileAttributes {
  /// Names of what could not be kept, each once, in the order they were met.
  ///
  /// At most 20, safe to speak.
  private(set) var lost: [String] = []

  /// The attributes that a copy has from its folder instead of its original: a team that shares the
  /// folder can use the copy then, as with `cp -r` and `gio copy`.
  struct Inherited {
    /// Its group, and the bit by which its folders hand that on (set-group-ID, inode(7)).
    var group = false
    /// The most that owner, group and others may do by its default access list (acl(5)), where it has
    /// one: the copy has the list.
    var mostByList: mode_t?
  }

  private static let accessLists = ["system.posix_acl_access", "system.posix_acl_default"]
    .map { FileName($0) }

  /// The attributes that an open folder hands on; none where it can't be looked at.
  static func inherited(from folder: CInt) -> Inherited {
    guard let stamp = try? FileCalls.status(of: folder) else { return Inherited() }
    var inherited = Inherited(group: stamp.mode & mode_t(S_ISGID) != 0)
    // The kernel's own limit.
    withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 8) { list in
      let length = accessLists[1].withPointer {
        clinux_get_attribute(folder, $0, list.baseAddress, list.count)
      }
      if length > 0 { inherited.mostByList = most(by: UnsafeRawBufferPointer(list)[..<length]) }
    }
    return inherited
  }

  /// The rights in the list: after its version, entries of a tag, rights and a number, in 2, 2 and 4 bytes.
  private static func most(by list: Slice<UnsafeRawBufferPointer>) -> mode_t {
    var rights: [UInt8: mode_t] = [:]
    for entry in stride(from: 4, to: list.count - 7, by: 8) {
      rights[list[entry]] = mode_t(list[entry + 2] & 7)
    }
    // ACL_USER_OBJ; ACL_MASK, or ACL_GROUP_OBJ where there is none; ACL_OTHER.
    return rights[1, default: 7] << 6 | (rights[16] ?? rights[4, default: 7]) << 3
      | rights[32, default: 7]
  }

  /// Sets owner, extended attributes, mode and times of an open file or folder, in the one order in
  /// which none undoes another, and returns what the file has become.
  ///
  /// - Parameters:
  ///   - from: the open original; its extended attributes are read from it.
  ///   - inherited: the attributes that it has from its folder, and keeps.
  /// - Throws: only where the status can't be read; what can't be set is noted in ``lost``.
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
      // chown(2) clears the set-user-id and set-group-id bits, so the mode is set after it.
      if !setOwner(stamp, of: to) {
        // A program must not run with the rights of whoever happened to copy it.
        mode &= ~mode_t(S_ISUID | S_ISGID)
      }
    }
    // Before the mode: a copy that its owner may not write takes no attribute any more.
    copyExtended(
      from: from, to: to, but: inherited.mostByList == nil ? [] : Self.accessLists)
    // A list that keeps others out keeps them out of the copy as well.
    if let most = inherited.mostByList { mode &= most | ~0o777 }
    if own.mode != mode || own.kind == .folder { setMode(mode, of: to) }
    setTimes(stamp, of: to)
    return try FileCalls.status(of: to)
  }

  /// The same for a symbolic link, which has an owner and times only.
  ///
  /// - Throws: only where the link's status can't be read.
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

  /// Whether owner and group are the original's now. Only root can give files away.
  private mutating func setOwner(_ stamp: FileStamp, of file: CInt) -> Bool {
    if fchown(file, stamp.owner, stamp.group) == 0 { return true }
    // Whoever may not give a file away may often still set one of the own groups.
    // uid_t.max is chown(2)'s -1: the owner stays.
    _ = fchown(file, uid_t.max, stamp.group)
    lose("owner")
    return false
  }

  private mutating func setMode(_ mode: mode_t, of file: CInt) {
    if fchmod(file, mode) != 0 { lose("permissions") }
  }

  private mutating func setTimes(_ stamp: FileStamp, of file: CInt) {
    if futimens(file, [stamp.accessTime, stamp.modificationTime]) != 0 { lose("times") }
  }

  /// Attributes whose length can't be asked are passed over; those that can't be read or set are
  /// noted.
  private mutating func copyExtended(from: CInt, to: CInt, but left: [FileName]) {
    for name in extendedNames(of: from) where !left.contains(name) {
      let length = name.withPointer { clinux_get_attribute(from, $0, nil, 0) }
      // The kernel's own limit of one value is 64 KiB.
      guard (0...65_536).contains(length) else { continue }
      var value = [UInt8](repeating: 0, count: length)
      let read = name.withPointer { clinux_get_attribute(from, $0, &value, value.count) }
      let done =
        read >= 0 && name.withPointer { clinux_set_attribute(to, $0, value, read) } == 0
      if !done { lose(SpokenName.file(name.bytes)) }
    }
  }

  /// Names of extended attributes; empty where the file system has none or does not tell them.
  private func extendedNames(of file: CInt) -> [FileName] {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { first in
      let count = clinux_list_attributes(file, first.baseAddress, first.count)
      if count > 0 { return Self.split(UnsafeBufferPointer(rebasing: first[..<count])) }
      guard count < 0, errno == ERANGE else { return [] }
      // The kernel's own limit of the whole list is 64 KiB.
      var whole = [CChar](repeating: 0, count: 65_536)
      let all = clinux_list_attributes(file, &whole, whole.count)
      return all > 0 ? whole[..<all].withUnsafeBufferPointer(Self.split) : []
    }
  }

  /// The list is one string of names, each ended by a zero (listxattr(2)).
  private static func split(_ list: UnsafeBufferPointer<CChar>) -> [FileName] {
    list.split(separator: 0).map { name in
      FileName(bytes: name.map { UInt8(bitPattern: $0) })
    }
  }

  private mutating func lose(_ name: String) {
    // More names than a person can listen to say no more than the first ones.
    if lost.count < 20, !lost.contains(name) { lost.append(name) }
  }
}
