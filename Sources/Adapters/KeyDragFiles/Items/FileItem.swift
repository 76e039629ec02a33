import Glibc
import KeyDragCore
import SystemPackage

/// Files as items for the drop points of a program.
package enum FileItem {
  /// The access to a file that a target gets.
  package enum Access: Hashable, Sendable {
    /// It may read the file where it is, until the drop has been taken.
    case inPlace
    /// It gets the bytes and does not learn where they lie.
    case copied
  }

  /// The item for a file: its type by name, else by its first bytes. May block.
  ///
  /// A file that changes after this fails with ``Reason/changed`` when it is loaded.
  ///
  /// The item may be kept: it holds no file open until it is loaded.
  ///
  /// - Throws: ``Reason/isAFolder``, ``Reason/specialFile``, or why it can't be read.
  package static func provider(
    for path: FilePath, types: any ContentTypes, access: Access = .copied
  ) throws -> ItemProvider {
    let path = path.absolute
    let stamp: FileStamp
    do { stamp = try FileReading(path).stamp } catch { throw Reason(error) }
    let name = path.name.map { Array($0.bytes) } ?? []
    let form = Representation(
      ItemReader.type(ofFile: path, name: name, types), byteCount: stamp.size,
      file: access == .inPlace ? path.rawBytes : nil
    ) {
      try await open(path, expecting: stamp)
    }
    return try ItemProvider(suggestedName: SpokenName.clean(name), representations: [form])
  }

  private static func open(
    _ path: FilePath, expecting stamp: FileStamp
  ) async throws -> ByteReading {
    do {
      let reading = try await Disk.run { try FileReading(path, expecting: stamp) }
      return { offset, count in try await Disk.run { try reading.read(offset, count) } }
    } catch { throw Reason(error) }
  }
}

/// A file that is read; closed when nobody holds it any more.
///
/// Reads at offsets, so that several may read at once.
private final class FileReading: Sendable {
  let stamp: FileStamp
  private let file: OwnedDescriptor

  /// - Parameter expected: what the file was when it was picked up.
  init(_ path: FilePath, expecting expected: FileStamp? = nil) throws {
    // Without waiting: a FIFO has nobody who writes.
    file = try FileCalls.open(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
    stamp = try FileCalls.status(of: file.raw)
    switch stamp.kind {
    case .file: break
    case .folder: throw Reason.isAFolder
    case .link, .special: throw Reason.specialFile
    }
    if let expected, !Self.isSame(stamp, expected) { throw Reason.changed }
  }

  /// Fewer bytes only at the end of the file. May block.
  func read(_ offset: Int64, _ count: Int) throws(Reason) -> [UInt8] {
    do { return try readAll(offset, count) } catch { throw Reason(error) }
  }

  private func readAll(_ offset: Int64, _ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let piece = try piece(offset + Int64(bytes.count), count - bytes.count)
      if piece.isEmpty { break }
      bytes = bytes.isEmpty ? piece : bytes + piece
    }
    // At its end it has to be what it was at its beginning.
    if bytes.count < count, !Self.isSame(try FileCalls.status(of: file.raw), stamp) {
      throw Reason.changed
    }
    return bytes
  }

  /// One pread(2), which may give fewer bytes.
  private func piece(_ offset: Int64, _ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = try FileCalls.checked { pread(file.raw, &bytes, count, off_t(offset)) }
    bytes.removeLast(count - read)
    return bytes
  }

  /// By inode, length and time of the last write.
  private static func isSame(_ one: FileStamp, _ other: FileStamp) -> Bool {
    one.identity == other.identity && one.size == other.size && one.modified == other.modified
  }
}
