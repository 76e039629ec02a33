import Dispatch
import KeyDragCore
import Synchronization
import SystemPackage

/// The private folder with what has become a file for another program.
///
/// A file that a program was given may become someone's work: at the end only files go that are as
/// they were written, of drops of which the end is known.
///
/// Used from the threads of the drags that it is for. The private folder is made with the first
/// file.
final class GivenFiles: Sendable {
  /// The files of one drag.
  struct Share: Hashable, Sendable {
    /// From 1, never used again.
    fileprivate var number: Int
  }

  /// Everything behind the lock.
  private struct Shares {
    /// `nil` until something becomes a file.
    var folder: GivenFolder?
    /// For whom the folders in it are, by their names.
    var shares: [FileName: Share] = [:]
    /// The number of the newest share.
    var last = 0
    /// Those of which the end is known.
    var settled: Set<Share> = []
    /// Set once: from then on nothing is made.
    var isRemoved = false
  }

  /// How long the end waits for files that are being written.
  private static let patience = DispatchTimeInterval.milliseconds(500)

  /// The private folder is made in it.
  private let base: FilePath
  /// Files that are being written.
  private let writing = DispatchGroup()
  private let state = Mutex(Shares())

  init(in base: FilePath) { self.base = base }

  /// For a new drag.
  ///
  /// Nothing is made yet.
  func share() -> Share {
    state.withLock { state in
      state.last += 1
      return Share(number: state.last)
    }
  }

  /// A new folder for one file, which nobody else may look into. May block.
  ///
  /// - Throws: `Reason.interrupted` at the end of the program, else why it can't be made.
  func makeFolder(for share: Share) throws -> FilePath {
    try state.withLock { state in
      guard !state.isRemoved else { throw Reason.interrupted }
      let outer = try state.folder ?? GivenFolder(in: base)
      state.folder = outer
      let folder = try outer.makeFolder(state.shares.count + 1)
      if let name = folder.name { state.shares[name] = share }
      return folder
    }
  }

  /// From here until ``endWriting()`` the end is waited with.
  ///
  /// - Throws: `Reason.interrupted` at the end of the program; then ``endWriting()`` must not be
  ///   called.
  func beginWriting() throws {
    try state.withLock { state in
      guard !state.isRemoved else { throw Reason.interrupted }
      writing.enter()
    }
  }

  /// May block.
  func endWriting() {
    // A file that came too late for the end is swept away here.
    if state.withLock({ $0.isRemoved }) { sweep() }
    writing.leave()
  }

  /// A file is whole, and gets its name now. May block.
  ///
  /// Written down before the name is there: a crash in between leaves a note of nothing, which
  /// harms nobody.
  func note(_ name: FileName, _ stamp: FileStamp, in folder: FilePath) {
    guard let component = folder.name else { return }
    let outer = state.withLock { $0.folder }
    // A file without a note is kept, as someone's work would be.
    try? outer?.note(name, stamp, in: component)
  }

  /// It is known what became of a drag: no program still reads its files.
  ///
  /// May be called again.
  func settle(_ share: Share) { state.withLock { state in _ = state.settled.insert(share) } }

  /// Removes the files of drags that are settled; others can be made. May block.
  func tidy() {
    let (folder, over) = state.withLock { state in
      (state.folder, state.shares.filter { state.settled.contains($0.value) })
    }
    folder?.empty { over[$0] != nil }
  }

  /// Removes what nobody needs any more, also of processes that have ended; from here on no folder
  /// is made. May block.
  ///
  /// At most 500 ms for files that are being written.
  func remove() {
    state.withLock { $0.isRemoved = true }
    _ = writing.wait(timeout: .now() + Self.patience)
    leave()
    sweep()
    GivenFolder.sweep(base)
  }

  /// Writes down which files a program may still read, since nobody knows what became of their
  /// drop.
  private func leave() {
    let (folder, open) = state.withLock { state in
      (state.folder, state.shares.filter { !state.settled.contains($0.value) }.keys)
    }
    for name in open { try? folder?.give(name) }
  }

  /// Removes the folder too, once it is empty.
  private func sweep() {
    let (folder, over) = state.withLock { state in
      (state.folder, state.shares.filter { state.settled.contains($0.value) })
    }
    folder?.clean { over[$0] != nil }
  }
}
