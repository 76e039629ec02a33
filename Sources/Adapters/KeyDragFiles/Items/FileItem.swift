import Glibc
import KeyDragCore
import SystemPackage

/// Files as item providers for an app's drop points.
package enum FileItem {
  package enum Access: Hashable, Sendable {
    /// May read the file in place until the drop has been accepted.
    case inPlace
    /// Receives the bytes but not the path.
    case copied
  }

  /// An item provider for a file, with its type by name or else by its first bytes. May block.
  ///
  /// The file is opened only on loading. A file that has changed by then fails with
  /// ``Reason/changed``.
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

/// An open file, closed with the last reference. Reads by offset, so that concurrent reads are
/// safe.
private final class FileReading: Sendable {
  let stamp: FileStamp
  private let file: OwnedDescriptor

  init(_ path: FilePath, expecting expected: FileStamp? = nil) throws {
    // Nonblocking: a FIFO may have no writer.
    file = try FileCalls.open(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
    stamp = try FileCalls.status(of: file.raw)
    switch stamp.kind {
    case .file: break
    case .folder: throw Reason.isAFolder
    case .link, .special: throw Reason.specialFile
    }
    if let expected, !Self.isSame(stamp, expected) { throw Reason.changed }
  }

  /// Returns fewer bytes only at end of file. May block.
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
    // At end of file it must still match its state at open.
    if bytes.count < count, !Self.isSame(try FileCalls.status(of: file.raw), stamp) {
      throw Reason.changed
    }
    return bytes
  }

  /// One pread(2); may return fewer bytes.
  private func piece(_ offset: Int64, _ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = try FileCalls.checked { pread(file.raw, &bytes, count, off_t(offset)) }
    bytes.removeLast(count - read)
    return bytes
  }

  private static func isSame(_ one: FileStamp, _ other: FileStamp) -> Bool {
    one.identity == other.identity && one.size == other.size && one.modified == other.modified
  }
}
