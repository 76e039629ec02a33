import CArchive
import Glibc
import KeyDragCore
import SystemPackage

/// One pass through an archive, entry by entry. May block.
///
/// An archive is somebody else's: its names are bytes that lead nowhere until ``ArchiveName`` has
/// taken them apart, and its contents are read within bounds.
///
/// Owns libarchive's handle and the file, which it keeps open. Not for two threads. An archive is
/// read forwards only: to read again, open it again.
struct ArchiveReader: ~Copyable {
  /// One entry as its header describes it.
  struct Entry {
    var name: ArchiveName
    /// By its header; a hard link within the archive counts as special, since it has no contents.
    var kind: FileKind
    /// Bits as in chmod(2), as the archive has them.
    var permissions: mode_t
    /// Seconds since 1970; `nil` where the archive does not say.
    var modified: time_t?
    var isEncrypted: Bool
  }

  private let file: OwnedDescriptor
  private let archive: OpaquePointer
  private let deadline: ContinuousClock.Instant
  /// In bytes, 64 KiB: for reads of the file and for pieces of contents.
  private static let block = 1 << 16

  /// - Parameter deadline: the end of the time for reading all of it.
  /// - Throws: ``Reason/malformed`` for a file that is no archive, and without the library that
  ///   reads them; system errors for one that can't be opened.
  init(_ path: FilePath, until deadline: ContinuousClock.Instant) throws {
    self.deadline = deadline
    let opened = try FileCalls.open(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
    guard try FileCalls.status(of: opened.raw).kind == .file, let made = carchive_reader() else {
      throw Reason.malformed
    }
    guard archive_read_open_fd(made, opened.raw, Self.block) == ARCHIVE_OK else {
      archive_read_free(made)
      throw Reason.malformed
    }
    file = opened
    archive = made
  }

  // The handle first; the descriptor closes after it.
  deinit { archive_read_free(archive) }

  /// The next entry whose name can be one of a file; `nil` at the end.
  ///
  /// - Throws: ``Reason/malformed`` for a damaged archive, ``Reason/tooBig`` when the time is over.
  borrowing func next() throws -> Entry? {
    while true {
      guard ContinuousClock.now < deadline else { throw Reason.tooBig }
      var found: OpaquePointer?
      switch carchive_next(archive, &found) {
      case ARCHIVE_EOF: return nil
      // A warning is about a part of the header, such as a name in another character set.
      case ARCHIVE_OK, ARCHIVE_WARN: break
      default: throw Reason.malformed
      }
      guard let found, let name = Self.name(of: found) else { continue }
      let isCopy = archive_entry_hardlink(found) != nil
      return Entry(
        name: name, kind: isCopy ? .special : FileKind(mode: archive_entry_filetype(found)),
        permissions: archive_entry_perm(found),
        modified: archive_entry_mtime_is_set(found) != 0 ? archive_entry_mtime(found) : nil,
        isEncrypted: archive_entry_is_encrypted(found) != 0)
    }
  }

  /// `nil` for an entry that can't be a file's.
  private static func name(of entry: OpaquePointer) -> ArchiveName? {
    guard let bytes = carchive_name(entry) else { return nil }
    return ArchiveName(bytes: UnsafeRawBufferPointer(start: bytes, count: strlen(bytes)))
  }

  /// Hands out the contents of the entry that came last, piece by piece.
  ///
  /// - Throws: ``Reason/malformed`` for damaged contents and for those under a password,
  ///   ``Reason/tooBig`` when the time is over.
  /// - Parameter take: the bytes are valid during the call; what it throws ends the reading.
  borrowing func contents(_ take: (UnsafeRawBufferPointer) throws -> Void) throws {
    var piece = [UInt8](repeating: 0, count: Self.block)
    while true {
      guard ContinuousClock.now < deadline else { throw Reason.tooBig }
      let count = archive_read_data(archive, &piece, piece.count)
      guard count >= 0 else { throw Reason.malformed }
      if count == 0 { return }
      try piece.withUnsafeBytes { try take(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
    }
  }
}

/// The name of an archive's entry: the names of the folders that it lies in, and its own.
///
/// Never empty, never with "..", so that it can lead nowhere but down.
struct ArchiveName: Hashable {
  /// Outermost first.
  let components: [FileName]
  /// Longer paths and deeper trees are nobody's files.
  ///
  /// 4,096 bytes and 64 levels.
  private static let (longest, deepest) = (4_096, 64)

  init(components: [FileName]) { self.components = components }

  /// - Returns: `nil` for a name that leads out of the archive, or can't be a file's.
  init?(bytes: some Collection<UInt8>) {
    guard bytes.count <= Self.longest else { return nil }
    let parts = bytes.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
    guard !parts.isEmpty, parts.count <= Self.deepest,
      parts.allSatisfy({ part in
        !part.elementsEqual("..".utf8) && part.count <= FileName.longest && !part.contains(0)
      })
    else { return nil }
    components = parts.map { FileName(bytes: $0) }
  }

  /// The names as a program shows them.
  var told: [String] {
    components.map { ToldNames.told(String(decoding: Array($0.bytes), as: UTF8.self)) }
  }
}
