import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// A file being written under a hidden name; deleted with its last reference unless finished. Never
/// replaces another file. Calls block.
final class PartFile: Sendable {
  let folder: OpenFolder
  private let hidden: FileName
  private let file: OwnedDescriptor
  /// Set once, on finishing or removal, so that only one of them happens.
  private let isFinished = Atomic(false)

  /// - Parameter hidden: the temporary name; random if `nil`.
  init(in folder: OpenFolder, hidden: FileName? = nil) throws {
    self.folder = folder
    self.hidden = hidden ?? NameFilter.temporary(RandomName.hexadecimal(16))
    // Subject to the user's umask, like any new file.
    file = try FileCalls.open(
      folder.raw, self.hidden, flags: O_CREAT | O_EXCL | O_WRONLY | O_APPEND, mode: 0o666)
  }

  deinit { discard() }

  /// Deletes the file unless it is finished. Idempotent.
  func discard() {
    guard !isFinished.exchange(true, ordering: .relaxed) else { return }
    try? FileCalls.unlink(folder.raw, hidden)
  }

  /// Writes a complete representation. Cancellation before it returns undoes everything.
  ///
  /// - Parameter progress: receives the byte count so far, at most ten times a second.
  /// - Returns: the byte count.
  func fill(
    _ chunks: ByteChunks, progress: (Int64) -> Void = { _ in }
  ) async throws -> Int64 {
    // An endless stream must not fill the disk: a tenth of the free space is kept.
    let most = PlaceProbe.freeBytes(in: folder.raw).map { $0 - $0 / 10 } ?? .max
    var count: Int64 = 0
    var told = ContinuousClock.now
    for try await piece in chunks {
      if count > most { throw Reason.noSpace }
      try await Disk.run { [self] in try append(piece) }
      count += Int64(piece.count)
      let now = ContinuousClock.now
      guard now - told >= .milliseconds(100) else { continue }
      told = now
      progress(count)
    }
    try Task.checkCancellation()
    return count
  }

  /// O_APPEND, so no offset is needed.
  func append(_ bytes: [UInt8]) throws {
    var done = 0
    while done < bytes.count {
      done += try bytes[done...].withUnsafeBytes { rest in
        try FileCalls.checked { Glibc.write(file.raw, rest.baseAddress, rest.count) }
      }
    }
  }

  /// Flushes the file and renames it to the wished name or the next free one.
  ///
  /// - Parameters:
  ///   - count: the expected size in bytes.
  ///   - intending: called before each name is tried, with the file's current stamp.
  /// - Throws: `Reason.changed` if the size differs; the name is not taken then.
  func finish(
    as wished: FileName, count: Int64, intending: (FileName, FileStamp) -> Void = { _, _ in }
  ) throws -> FileName {
    // Contents first: after a power cut no name may refer to an empty file.
    try FileCalls.flush(file.raw)
    let stamp = try FileCalls.status(of: file.raw)
    guard stamp.size == count else { throw Reason.changed }
    var number = 0
    var name = wished
    repeat {
      name = nextName(wished, &number)
      intending(name, stamp)
    } while try !take(name)
    isFinished.store(true, ordering: .relaxed)
    // A folder without read permission can't be flushed; the file itself is on the device.
    try? folder.flush()
    return name
  }

  /// Only a hint: ``take(_:)`` decides.
  private func nextName(_ wished: FileName, _ number: inout Int) -> FileName {
    FreeName.choose(wished, after: &number) { FileCalls.exists(folder.raw, $0) }
  }

  /// `false` if the name is taken.
  private func take(_ name: FileName) throws -> Bool {
    do {
      try FileCalls.rename(folder.raw, hidden, to: folder.raw, name)
      return true
    } catch Errno.fileExists {
      return false
    }
  }
}
