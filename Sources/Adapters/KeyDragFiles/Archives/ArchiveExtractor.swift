import Glibc
import KeyDragCore
import SystemPackage

/// Extracts archive entries with their descendants into a private folder. May block. On an error,
/// extracted files stay for the caller to remove.
struct ArchiveExtractor {
  /// A private folder, empty at first.
  let folder: FilePath
  /// Called for each file, with its path relative to the folder, before anyone else may see it.
  let note: (FileName, FileStamp) -> Void
  /// Extraction limit in bytes: a small archive may unpack to any size.
  static let mostBytes: Int64 = 256 << 20
  /// Files and folders together.
  private static let mostFiles = 10_000

  /// Drops the folders above each entry from its path.
  ///
  /// - Returns: the entries' paths, in order.
  /// - Throws: ``Reason/tooBig`` and ``Reason/tooMany`` above the limits, ``Reason/notDraggable``
  ///   for links, devices and encrypted entries, ``Reason/malformed`` for a damaged archive,
  ///   ``Reason/gone`` if an entry is missing.
  func take(
    _ entries: [ArchiveName], from archive: FilePath, until deadline: ContinuousClock.Instant
  ) throws -> [FilePath] {
    let top = try FileCalls.open(folder, flags: O_RDONLY | O_DIRECTORY)
    let reader = try ArchiveReader(archive, until: deadline)
    var left = (bytes: Self.mostBytes, files: Self.mostFiles)
    var taken: Set<ArchiveName> = []
    while let entry = try reader.next() {
      let names = entry.name.components
      // Matches a requested entry or its descendant.
      let wanted = entries.first { names.starts(with: $0.components) }
      guard let wanted else { continue }
      taken.insert(wanted)
      left.files -= 1
      guard left.files >= 0 else { throw Reason.tooMany }
      // All or nothing: never carries less than was requested.
      guard !entry.isEncrypted, entry.kind == .file || entry.kind == .folder else {
        throw Reason.notDraggable
      }
      let inner = Array(names[(wanted.components.count - 1)...])
      let around = try Self.folder(inner.dropLast(), in: top.raw)
      guard let name = inner.last else { continue }
      if entry.kind == .folder {
        try Self.make(name, in: around.raw)
      } else {
        try write(entry, as: name, inner, in: around.raw, from: reader, &left.bytes)
      }
    }
    // Each requested entry needs a header of its own or of a descendant.
    guard taken.count == entries.count else { throw Reason.gone }
    return entries.compactMap { $0.components.last.map { folder.appending($0) } }
  }

  /// - Parameter left: remaining bytes, for all entries together.
  private func write(
    _ entry: ArchiveReader.Entry, as name: FileName, _ path: [FileName], in around: CInt,
    from reader: borrowing ArchiveReader, _ left: inout Int64
  ) throws {
    // An archive may contain a file twice: the later entry wins.
    try? FileCalls.unlink(around, name)
    let file = try FileCalls.open(
      around, name, flags: O_CREAT | O_EXCL | O_WRONLY, mode: 0o600)
    try reader.contents { piece in
      left -= Int64(piece.count)
      guard left >= 0 else { throw Reason.tooBig }
      var done = 0
      while done < piece.count {
        done += try FileCalls.checked {
          Glibc.write(file.raw, piece.baseAddress.map { $0 + done }, piece.count - done)
        }
      }
    }
    // Keeps the executable bits; the owner always gets access, others never get to write.
    try FileCalls.checked { fchmod(file.raw, entry.permissions & 0o755 | 0o600) }
    if let modified = entry.modified {
      let time = timespec(tv_sec: modified, tv_nsec: 0)
      futimens(file.raw, [time, time])
    }
    note(
      FileName(bytes: path.map { Array($0.bytes) }.joined(separator: [UInt8(ascii: "/")])),
      try FileCalls.status(of: file.raw))
  }

  /// The folder with this path, created if necessary; never follows links.
  private static func folder(
    _ names: ArraySlice<FileName>, in top: CInt
  ) throws -> OwnedDescriptor {
    var current = OwnedDescriptor(owning: try FileCalls.checked { dup(top) })
    for name in names {
      try make(name, in: current.raw)
      current = try FileCalls.open(current.raw, name, flags: O_RDONLY | O_DIRECTORY)
    }
    return current
  }

  /// No-op if the name is taken; opening it afterwards fails for a link.
  private static func make(_ name: FileName, in folder: CInt) throws {
    do {
      try FileCalls.makeFolder(folder, name)
    } catch Errno.fileExists {
      // Already created for another entry.
    }
  }
}
