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
    let file = try await FileBytes.open(path)
    return ItemStream(byteCount: file.byteCount) { try await file.next($0) }
  }
}

/// A file read in chunks. Reads are in order and on demand. The descriptor closes with the last reference.
private final class FileBytes: Sendable {
  /// At open; the file may change later.
  let byteCount: Int64
  private let descriptor: Int32

  private init(_ descriptor: Int32, byteCount: Int64) {
    self.descriptor = descriptor
    self.byteCount = byteCount
  }

  deinit { close(descriptor) }

  static func open(_ path: FilePath) async throws -> FileBytes {
    try await Disk.run {
      let descriptor = try opened(path)
      var status = stat()
      fstat(descriptor, &status)
      return FileBytes(descriptor, byteCount: Int64(status.st_size))
    }
  }

  /// Rejects FIFOs and devices, which could block or never end.
  ///
  /// - Throws: `Reason.isAFolder`, or `Reason.specialFile` for anything else that is not a regular
  ///   file.
  static func opened(_ path: FilePath, orFolder: Bool = false) throws -> CInt {
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
    let descriptor = path.withPlatformString { Glibc.open($0, flags) }
    guard descriptor >= 0 else { throw Reason(Errno(rawValue: errno), .look) }
    var status = stat()
    let isKnown = fstat(descriptor, &status) == 0
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    guard isKnown, status.st_mode & S_IFMT == S_IFREG || orFolder && isFolder else {
      Glibc.close(descriptor)
      throw isFolder ? Reason.isAFolder : Reason.specialFile
    }
    return descriptor
  }

  /// Reads at most `most` bytes; empty at end of file. Checks for cancellation first.
  func next(_ most: Int) async throws -> [UInt8] {
    try Task.checkCancellation()
    return try await Disk.run { [self] in try read(most) }
  }

  private func read(_ most: Int) throws -> [UInt8] {
    var error: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: max(most, 0)) { buffer, count in
      var result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      while result < 0, errno == EINTR {
        result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      }
      if result < 0 { error = errno }
      count = max(0, result)
    }
    if error != 0 { throw Reason(Errno(rawValue: error), .look) }
    return bytes
  }
}
