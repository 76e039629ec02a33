import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// Checks in the background which entries of carried folders a FAT can't store. Caches the result
/// until the next pick-up.
final class DiskLimitSurvey: Sendable {
  private struct State {
    /// Places may ask about different sets of folders.
    var asked: Set<[FilePath]> = []
    /// Completed checks.
    var found: [[FilePath]: [DeliveryFailure]] = [:]
    var running = 0
  }

  private let state = Mutex(State())
  /// Limit on threads, which a hanging disk may block.
  private static let mostRunning = 4
  /// Limit on names checked; above it nothing is reported.
  private static let most = 1_000_000
  /// Limit on entries reported.
  private static let mostParts = 1_000

  /// Entries that a disk can't store; empty if there are none or they are not known yet.
  ///
  /// - Parameter told: called on another thread once entries were found.
  func parts(
    of folders: [FilePath], on disk: DiskLimits, told: @escaping @Sendable () -> Void
  ) -> [DeliveryFailure] {
    let (found, begins) = state.withLock { state -> ([DeliveryFailure], Bool) in
      if state.asked.contains(folders) { return (state.found[folders] ?? [], false) }
      guard state.running < Self.mostRunning else { return ([], false) }
      state.asked.insert(folders)
      state.running += 1
      return ([], true)
    }
    if begins {
      BlockingWork.begin { [self] in
        let parts = folders.flatMap { look(at: $0, of: folders) }
        let isNews = state.withLock { state in
          state.running -= 1
          guard state.asked.contains(folders) else { return false }
          state.found[folders] = parts
          return !parts.isEmpty
        }
        if isNews { told() }
      }
    }
    return found.filter { disk.refuses(for: $0.reason) }
  }

  func forget() { state.withLock { ($0.asked, $0.found) = ([], [:]) } }

  /// Ends early at a new pick-up. Skips what can't be read.
  private func look(at folder: FilePath, of folders: [FilePath]) -> [DeliveryFailure] {
    guard let place = try? OpenedEntry(folder).place,
      let walk = try? TreeWalk(place.folder, place.name, goesOn: true)
    else { return [] }
    var parts: [DeliveryFailure] = []
    var seen = 0
    // Counts per folder by lowercase name, because FAT ignores case.
    var names: [[String: Int]] = []
    func note(_ name: FileName, _ reason: Reason) {
      parts.append(DeliveryFailure(name: SpokenName.file(name.bytes), reason: reason))
    }
    while parts.count < Self.mostParts, let visit = try? walk.next() {
      seen += 1
      if seen % 1_000 == 0, seen > Self.most || state.withLock({ !$0.asked.contains(folders) }) {
        return []
      }
      switch visit {
      case .entered(let name, let stamp), .item(let name, let stamp):
        let isFolder = stamp.kind == .folder
        if walk.depth > (isFolder ? 1 : 0) {
          let misfit = DiskLimits.misfit(
            name.bytes, isLink: stamp.kind == .link, bytes: stamp.kind == .file ? stamp.size : 0)
          if let misfit { note(name, misfit) }
          // Invalid bytes become U+FFFD, so that such names may count as equal.
          let folded = String(decoding: name.bytes, as: UTF8.self).lowercased()
          let count = names.last?[folded] ?? 0
          if count > 0, misfit == nil { note(name, .nameExists) }
          if !names.isEmpty { names[names.count - 1][folded] = count + 1 }
          if misfit != nil, isFolder {
            try? walk.skip()
            continue
          }
        }
        if isFolder { names.append([:]) }
      case .leaving: if !names.isEmpty { names.removeLast() }
      case .barred, .left: break
      }
    }
    return parts
  }
}
