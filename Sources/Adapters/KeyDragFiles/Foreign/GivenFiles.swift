import Dispatch
import KeyDragCore
import Synchronization
import SystemPackage

/// The private folder with what has become a file for another program.
///
/// What a program was given may become someone's work: at the end only files go that are as they were
/// written, of drops of which the end is known.
final class GivenFiles: Sendable {
  /// The files of one drag.
  struct Share: Hashable, Sendable {
    fileprivate var number: Int
  }

  /// A folder for one file.
  private struct Given {
    var folder: FilePath
    var share: Share
    /// The file as it was written; `nil` before.
    var file: (name: FileName, stamp: FileStamp)?
  }

  private struct State {
    var folder: FilePath?
    var given: [Given] = []
    var shares = 0
    var settled: Set<Share> = []
    var isRemoved = false
  }

  /// How long the end waits for files that are being written.
  private static let patience = DispatchTimeInterval.milliseconds(500)

  private let base: FilePath
  private let writing = DispatchGroup()
  private let state = Mutex(State())

  init(in base: FilePath) { self.base = base }

  /// For a new drag.
  func share() -> Share {
    state.withLock { state in
      state.shares += 1
      return Share(number: state.shares)
    }
  }

  /// A new folder for one file, which nobody else may look into. May block.
  func makeFolder(for share: Share) throws -> FilePath {
    try state.withLock { state in
      guard !state.isRemoved else { throw Reason.interrupted }
      let outer =
        try state.folder
        ?? Self.make(FileName("keydrag-\(RandomName.hexadecimal(16))"), in: base)
      state.folder = outer
      let folder = try Self.make(FileName("\(state.given.count + 1)"), in: outer)
      state.given.append(Given(folder: folder, share: share))
      return folder
    }
  }

  private static func make(_ name: FileName, in path: FilePath) throws -> FilePath {
    let folder = try OpenFolder(path)
    try withExtendedLifetime(folder) { try FileCalls.makeFolder(folder.raw, name) }
    return path.appending(name)
  }

  /// From here until ``endWriting()`` the end is waited with.
  func beginWriting() throws {
    try state.withLock { state in
      guard !state.isRemoved else { throw Reason.interrupted }
      writing.enter()
    }
  }

  /// May block.
  func endWriting() {
    // What came too late for the end is its own end.
    if state.withLock({ $0.isRemoved }) { sweep() }
    writing.leave()
  }

  /// A file is whole.
  func note(_ name: FileName, _ stamp: FileStamp, in folder: FilePath) {
    state.withLock { state in
      guard let index = state.given.firstIndex(where: { $0.folder == folder }) else { return }
      state.given[index].file = (name, stamp)
    }
  }

  /// It is known what became of a drag: no program still reads its files.
  func settle(_ share: Share) { state.withLock { state in _ = state.settled.insert(share) } }

  /// Removes what nobody needs any more, and then the folders that are empty; from here on none is
  /// made. May block.
  func remove() {
    state.withLock { $0.isRemoved = true }
    _ = writing.wait(timeout: .now() + Self.patience)
    sweep()
  }

  private func sweep() {
    state.withLock { state in
      for given in state.given {
        if let (name, stamp) = given.file, state.settled.contains(given.share) {
          Self.remove(name, stamp, in: given.folder)
        }
        Self.removeFolder(given.folder)
      }
      if let outer = state.folder { Self.removeFolder(outer) }
    }
  }

  /// Someone may have worked on it, or put something else in its place.
  private static func remove(_ name: FileName, _ stamp: FileStamp, in path: FilePath) {
    guard let folder = try? OpenFolder(path) else { return }
    withExtendedLifetime(folder) {
      guard let now = try? FileCalls.status(folder.raw, name), now.identity == stamp.identity,
        now.recorded.isSame(as: stamp)
      else { return }
      try? FileCalls.unlink(folder.raw, name)
    }
  }

  /// Only where nothing is in it.
  private static func removeFolder(_ path: FilePath) {
    guard let name = path.lastComponent,
      let outer = try? OpenFolder(path.removingLastComponent())
    else { return }
    withExtendedLifetime(outer) {
      try? FileCalls.unlink(outer.raw, FileName(name), isFolder: true)
    }
  }
}
