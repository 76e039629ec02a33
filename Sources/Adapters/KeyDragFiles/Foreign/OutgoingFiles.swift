import Dispatch
import KeyDragCore
import Synchronization
import SystemPackage

/// Private folder of the files made for other programs.
///
/// A program's user may have edited such a file, so that on exit only unchanged files of settled
/// drags are removed.
///
/// Used from the drags' threads. The folder is created with the first file.
final class OutgoingFiles: Sendable {
  struct Share: Hashable, Sendable {
    /// Counts from 1; never reused.
    fileprivate var number: Int
  }

  private struct Shares {
    var folder: OutgoingFolder?
    var shares: [FileName: Share] = [:]
    var last = 0
    /// Shares whose drop has a known outcome.
    var settled: Set<Share> = []
    var isRemoved = false
  }

  /// Timeout for files being written when the process exits.
  private static let patience = DispatchTimeInterval.milliseconds(500)

  /// Parent of the private folder.
  private let base: FilePath
  private let writing = DispatchGroup()
  private let state = Mutex(Shares())

  init(in base: FilePath) { self.base = base }

  /// Starts a share for a new drag. Creates no files.
  func share() -> Share {
    state.withLock { state in
      state.last += 1
      return Share(number: state.last)
    }
  }

  /// Creates a private folder for one file; the first removes leftovers of ended processes. May
  /// block.
  ///
  /// - Throws: `Reason.interrupted` during shutdown, otherwise why it can't be created.
  func makeFolder(for share: Share) throws -> FilePath {
    if state.withLock({ $0.folder == nil && !$0.isRemoved }) { OutgoingFolder.sweep(base) }
    return try state.withLock { state in
      guard !state.isRemoved else { throw Reason.interrupted }
      let outer = try state.folder ?? OutgoingFolder(in: base)
      state.folder = outer
      let folder = try outer.makeFolder(state.shares.count + 1)
      if let name = folder.name { state.shares[name] = share }
      return folder
    }
  }

  /// Makes ``remove()`` wait until ``endWriting()``.
  ///
  /// - Throws: `Reason.interrupted` during shutdown; ``endWriting()`` must not be called then.
  func beginWriting() throws {
    try state.withLock { state in
      guard !state.isRemoved else { throw Reason.interrupted }
      writing.enter()
    }
  }

  /// May block.
  func endWriting() {
    // Removes a file that was finished after shutdown began.
    if state.withLock({ $0.isRemoved }) { sweep() }
    writing.leave()
  }

  /// Records a complete file before it gets its name. May block. A crash in between leaves a
  /// harmless record without a file.
  func note(_ name: FileName, _ stamp: FileStamp, in folder: FilePath) {
    guard let component = folder.name else { return }
    let outer = state.withLock { $0.folder }
    // A file without a record is kept, like edited ones.
    try? outer?.note(name, stamp, in: component)
  }

  /// Marks a drag as over: no program still reads its files. Idempotent.
  func settle(_ share: Share) { state.withLock { state in _ = state.settled.insert(share) } }

  /// Removes the files of settled drags; more can still be created. May block.
  func tidy() { withSettled { $0.empty($1) } }

  /// Removes settled files, including those of ended processes, and stops creating folders. May
  /// block. Waits at most 500 ms for files being written.
  func remove() {
    state.withLock { $0.isRemoved = true }
    _ = writing.wait(timeout: .now() + Self.patience)
    leave()
    sweep()
    OutgoingFolder.sweep(base)
  }

  /// Records which files a program may still read because their drop's outcome is unknown.
  private func leave() {
    let (folder, open) = state.withLock { state in
      (state.folder, state.shares.filter { !state.settled.contains($0.value) }.keys)
    }
    for name in open { try? folder?.give(name) }
  }

  /// Also removes the folder, if it is empty.
  private func sweep() { withSettled { $0.clean($1) } }

  private func withSettled(_ body: (OutgoingFolder, (FileName) -> Bool) -> Void) {
    let (folder, over) = state.withLock { state in
      (state.folder, state.shares.filter { state.settled.contains($0.value) })
    }
    if let folder { body(folder) { over[$0] != nil } }
  }
}
