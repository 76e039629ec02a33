import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// A file on its way, under a hidden name until it is whole; removed when its owner lets go of it
/// before that.
///
/// A name that another file bears is never taken from it. Its owner is whoever writes; calls block.
final class PartFile: Sendable {
  let folder: OpenFolder
  /// In ``folder``.
  private let hidden: FileName
  private let file: OwnedDescriptor
  /// Set once, when it is whole or was removed: only one of the two happens.
  private let isFinished = Atomic(false)

  /// - Parameter hidden: the name until it is whole; one that nobody can know, where there is none.
  init(in folder: OpenFolder, hidden: FileName? = nil) throws {
    self.folder = folder
    self.hidden = hidden ?? NameFilter.temporary(RandomName.hexadecimal(16))
    // The person's umask applies, as to any new file.
    file = try FileCalls.open(
      folder.raw, self.hidden, flags: O_CREAT | O_EXCL | O_WRONLY | O_APPEND, mode: 0o666)
  }

  deinit { discard() }

  /// Removes it now, unless it is whole.
  ///
  /// May be called again.
  func discard() {
    guard !isFinished.exchange(true, ordering: .relaxed) else { return }
    try? FileCalls.unlink(folder.raw, hidden)
  }

  /// Takes in all of a form. Until it returns, a cancel undoes everything.
  ///
  /// - Parameter progress: told how many bytes there are so far, at most ten times a second.
  /// - Returns: how many bytes there were.
  func fill(
    _ chunks: ByteChunks, progress: (Int64) -> Void = { _ in }
  ) async throws -> Int64 {
    // A stream without an end must not fill the disk: a tenth of the free space is kept.
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

  /// Writes all of it. O_APPEND: where it goes needs no offset.
  func append(_ bytes: [UInt8]) throws {
    var done = 0
    while done < bytes.count {
      done += try bytes[done...].withUnsafeBytes { rest in
        try FileCalls.checked { Glibc.write(file.raw, rest.baseAddress, rest.count) }
      }
    }
  }

  /// Makes it last, and gives it the wished name or the next that nobody uses.
  ///
  /// - Parameters:
  ///   - count: how many bytes it has to have.
  ///   - intending: told of each name before it is tried, and of the file as it is then.
  /// - Throws: `Reason.changed` where it is shorter or longer. The name is not taken then.
  func finish(
    as wished: FileName, count: Int64, intending: (FileName, FileStamp) -> Void = { _, _ in }
  ) throws -> FileName {
    // Contents first: nobody may see a name with nothing behind it after a power cut.
    try FileCalls.flush(file.raw)
    let stamp = try FileCalls.status(of: file.raw)
    guard stamp.size == count else { throw Reason.changed }
    var number = 0
    var name = nextName(wished, &number)
    intending(name, stamp)
    while try !take(name) {
      name = nextName(wished, &number)
      intending(name, stamp)
    }
    isFinished.store(true, ordering: .relaxed)
    // A folder that may not be read can't be flushed; the file itself is on the device.
    try? folder.flush()
    return name
  }

  /// A look: ``take(_:)`` decides.
  private func nextName(_ wished: FileName, _ number: inout Int) -> FileName {
    let folder = folder.raw
    return FreeName.choose(wished, after: &number) { FileCalls.exists(folder, $0) }
  }

  /// Whether the name was still free.
  private func take(_ name: FileName) throws -> Bool {
    do {
      try FileCalls.rename(folder.raw, hidden, to: folder.raw, name)
      return true
    } catch Errno.fileExists {
      return false
    }
  }
}
