import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// Finds out what in carried folders a FAT can't hold, beside everything else: no place waits for it.
///
/// The result is kept until something else is picked up.
final class FolderSurvey: Sendable {
  private struct State {
    /// Places may ask about different ones of them.
    var asked: Set<[FilePath]> = []
    /// Without those that are being looked at.
    var found: [[FilePath]: [DeliveryFailure]] = [:]
    /// Threads that have not come back.
    var running = 0
  }

  private let state = Mutex(State())
  /// Threads that a disk that does not answer may hold.
  private static let mostRunning = 4
  /// Names that are looked at; of more nothing is said.
  private static let most = 1_000_000
  /// Parts that are kept; nobody is told more.
  private static let mostParts = 1_000

  /// The parts that a disk would not take; empty where there are none, or it is not known yet.
  ///
  /// - Parameter told: called later, from another thread, once there is something to say.
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
      LongWork.begin { [self] in
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

  /// With a pick-up, everything is looked at anew.
  func forget() { state.withLock { ($0.asked, $0.found) = ([], [:]) } }

  /// Ends early where something else is picked up meanwhile. What can't be read says nothing.
  private func look(at folder: FilePath, of folders: [FilePath]) -> [DeliveryFailure] {
    guard let place = try? OpenPlace(folder).place,
      let walk = try? TreeWalk(place.folder, place.name, goesOn: true)
    else { return [] }
    var parts: [DeliveryFailure] = []
    var seen = 0
    // By the names in it, of which a FAT takes only one of those that differ in case alone.
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
          // By its bytes, so that a name in no encoding is no other's twin.
          let folded = String(decoding: name.bytes, as: UTF8.self).lowercased()
          let count = names.last?[folded] ?? 0
          if count > 0, misfit == nil { note(name, .nameExists) }
          if !names.isEmpty { names[names.count - 1][folded] = count + 1 }
          // None of what is in it would go.
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
