import Glibc
import KeyDragCore
import SystemPackage

extension FilesWorld: ItemLoading {
  /// `nil` for an unregistered source. No disk access.
  package func filePath(of source: DragSourceID) -> [UInt8]? {
    registry.entry(source)?.path.rawBytes
  }

  /// Follows symbolic links.
  package func openFile(_ source: DragSourceID) async throws -> Int32 {
    guard let path = registry.entry(source)?.path else { throw Reason.gone }
    return try await Disk.run { try FileBytes.opened(path, orFolder: true) }
  }

  /// - Throws: `Reason.gone` for an unknown source, otherwise why the file can't be opened.
  package func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream {
    guard let path = registry.entry(source)?.path else { throw Reason.gone }
    // A URI list with this one file; every other type yields the file's contents.
    if contentType == "text/uri-list" { return ItemStream(FileList.uriList([path])) }
    let file = try await Disk.run { try FileBytes(path) }
    return ItemStream(byteCount: file.byteCount) { try await file.next($0) }
  }
}

/// A file read in chunks on demand. Not for concurrent reads, which share one position. The
/// descriptor closes with the last reference.
private final class FileBytes: Sendable {
  /// At open; the file may change later.
  let byteCount: Int64
  private let descriptor: OwnedDescriptor

  init(_ path: FilePath) throws {
    descriptor = OwnedDescriptor(owning: try Self.opened(path))
    byteCount = try FileCalls.status(of: descriptor.raw).size
  }

  /// Rejects FIFOs and devices, which could block or never end.
  ///
  /// - Throws: `Reason.isAFolder`, or `Reason.specialFile` for anything else that is not a regular
  ///   file.
  static func opened(_ path: FilePath, orFolder: Bool = false) throws -> CInt {
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let descriptor = path.withPlatformString { Glibc.open($0, flags) }
    guard descriptor >= 0 else { throw Reason(Errno(rawValue: errno), .look) }
    let kind = try? FileCalls.status(of: descriptor).kind
    if kind == .file || orFolder && kind == .folder { return descriptor }
    Glibc.close(descriptor)
    throw kind == .folder ? Reason.isAFolder : Reason.specialFile
  }

  /// Reads at most `most` bytes; empty at end of file. Checks for cancellation first.
  func next(_ most: Int) async throws -> [UInt8] {
    try Task.checkCancellation()
    return try await Disk.run { [self] in try read(most) }
  }

  private func read(_ most: Int) throws -> [UInt8] {
    do {
      return try [UInt8](unsafeUninitializedCapacity: max(most, 0)) { buffer, count in
        count = try FileCalls.checked {
          Glibc.read(descriptor.raw, buffer.baseAddress, buffer.count)
        }
      }
    } catch let code as Errno { throw Reason(code, .look) }
  }
}
