import Glibc
import KeyDragCore
import SystemPackage

/// Takes entries of an archive out into a private folder, each with all that lies in it. May block.
///
/// When it throws, what was taken out stays in the folder, for the caller to remove.
struct TakenEntries {
  /// A private folder, empty at first.
  let folder: FilePath
  /// Told of each file before anybody else may see it, by its path in the folder.
  let note: (FileName, FileStamp) -> Void
  /// Bytes that are taken out at most while a person waits.
  ///
  /// 256 MiB: a small archive may unpack to any size.
  static let mostBytes: Int64 = 256 << 20
  /// Files and folders together.
  private static let mostFiles = 10_000

  /// Names are those in the archive without the folders around the entry.
  ///
  /// - Returns: the paths of the entries, in their order.
  /// - Throws: ``Reason/tooBig`` and ``Reason/tooMany`` for more than is taken out,
  ///   ``Reason/notDraggable`` for links, devices and what is under a password,
  ///   ``Reason/malformed`` for a damaged archive, ``Reason/gone`` for one that has changed.
  func take(
    _ entries: [ArchiveName], from archive: FilePath, until deadline: ContinuousClock.Instant
  ) throws -> [FilePath] {
    let top = try FileCalls.open(folder, flags: O_RDONLY | O_DIRECTORY)
    let reader = try ArchiveReader(archive, until: deadline)
    var left = (bytes: Self.mostBytes, files: Self.mostFiles)
    var taken: Set<ArchiveName> = []
    while let entry = try reader.next() {
      let names = entry.name.components
      // An entry is wanted by itself, or for a folder around it.
      let wanted = entries.first { names.starts(with: $0.components) }
      guard let wanted else { continue }
      taken.insert(wanted)
      left.files -= 1
      guard left.files >= 0 else { throw Reason.tooMany }
      // Less than was meant is not carried in place of it.
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
    // Each entry by a header of its own, or of something in it.
    guard taken.count == entries.count else { throw Reason.gone }
    return entries.compactMap { $0.components.last.map { folder.appending($0) } }
  }

  /// - Parameter left: bytes that may still be taken out, of all entries together.
  private func write(
    _ entry: ArchiveReader.Entry, as name: FileName, _ path: [FileName], in around: CInt,
    from reader: borrowing ArchiveReader, _ left: inout Int64
  ) throws {
    // An archive may hold a file twice: the later one counts.
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
    // Whether it can be run, and nothing that would shut its owner out or let others in further.
    try FileCalls.checked { fchmod(file.raw, entry.permissions & 0o755 | 0o600) }
    if let modified = entry.modified {
      let time = timespec(tv_sec: modified, tv_nsec: 0)
      futimens(file.raw, [time, time])
    }
    note(
      FileName(bytes: path.map { Array($0.bytes) }.joined(separator: [UInt8(ascii: "/")])),
      try FileCalls.status(of: file.raw))
  }

  /// The folder with these names, made where it is not there yet; links are never followed.
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

  /// Does nothing where the name is taken; a link in its place is found by the opening that
  /// follows.
  private static func make(_ name: FileName, in folder: CInt) throws {
    do {
      try FileCalls.makeFolder(folder, name)
    } catch Errno.fileExists {
      // Another entry has needed it.
    }
  }
}
