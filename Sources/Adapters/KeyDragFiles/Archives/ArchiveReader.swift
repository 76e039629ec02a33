import CArchive
import Glibc
import KeyDragCore
import SystemPackage

/// A single forward pass through an archive's entries. May block.
///
/// Archives are untrusted: ``ArchiveName`` validates names, and contents are read within limits.
///
/// Owns libarchive's handle and the open file. Not thread-safe.
struct ArchiveReader: ~Copyable {
  struct Entry {
    var name: ArchiveName
    /// A hard link within the archive counts as special, since it has no contents.
    var kind: FileKind
    /// Mode bits as in chmod(2).
    var permissions: mode_t
    /// Seconds since 1970; `nil` if missing.
    var modified: time_t?
    var isEncrypted: Bool
  }

  private let file: OwnedDescriptor
  private let archive: OpaquePointer
  private let deadline: ContinuousClock.Instant
  /// Buffer size in bytes for the file and for contents.
  private static let block = 1 << 16

  /// - Parameter deadline: applies to the whole pass.
  /// - Throws: ``Reason/malformed`` if the file is no archive or libarchive is missing; system
  ///   errors if it can't be opened.
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

  /// The next entry with a valid name; `nil` at the end.
  ///
  /// - Throws: ``Reason/malformed`` for a damaged archive, ``Reason/tooBig`` at the deadline.
  borrowing func next() throws -> Entry? {
    while true {
      guard ContinuousClock.now < deadline else { throw Reason.tooBig }
      var found: OpaquePointer?
      switch carchive_next(archive, &found) {
      case ARCHIVE_EOF: return nil
      // Warnings concern parts of the header, such as a name in another character set.
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

  /// `nil` for an invalid name.
  private static func name(of entry: OpaquePointer) -> ArchiveName? {
    guard let bytes = carchive_name(entry) else { return nil }
    return ArchiveName(bytes: UnsafeRawBufferPointer(start: bytes, count: strlen(bytes)))
  }

  /// Reads the current entry's contents in chunks.
  ///
  /// - Throws: ``Reason/malformed`` for damaged or encrypted contents, ``Reason/tooBig`` at the
  ///   deadline.
  /// - Parameter take: the bytes are valid during the call only; an error ends the reading.
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

/// The path of an archive's entry. Never empty and never with "..", so that it can't leave the
/// target folder.
struct ArchiveName: Hashable {
  /// Outermost first.
  let components: [FileName]
  /// Limits in bytes and levels.
  private static let (longest, deepest) = (4_096, 64)

  init(components: [FileName]) { self.components = components }

  /// - Returns: `nil` for a path that leaves the archive or can't be a file's.
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

  /// The names as programs display them.
  var told: [String] {
    components.map { DisplayedNames.told(String(decoding: Array($0.bytes), as: UTF8.self)) }
  }
}
