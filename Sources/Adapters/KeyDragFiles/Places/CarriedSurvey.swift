import Dispatch
import Glibc
import KeyDragCore
import KeyDragThreads
import Synchronization
import SystemPackage

/// Reads carried folders and links in the background, for what some places can't store or will
/// break. Caches the result until the next pick-up.
final class CarriedSurvey: Sendable {
  struct Findings: Sendable {
    /// What a FAT can't store.
    var misfits: [DeliveryFailure] = []
    /// What may lead elsewhere at another place.
    var links: [CarriedLink] = []
  }

  private struct Reading {
    let result = BlockingResult<Findings>()
    /// Until then places wait for it.
    var end: DispatchTime
  }

  private struct State {
    /// Places may ask about different sets of items.
    var readings: [[FilePath]: Reading] = [:]
    var running = 0
  }

  private let state = Mutex(State())
  /// Limit on threads, which a hanging disk may block.
  private static let mostRunning = 4
  /// Limit on names checked; above it nothing is reported.
  private static let most = 200_000
  /// Limit on entries reported, and on links.
  private static let mostParts = 1_000

  /// The result; `nil` if it is not known yet.
  ///
  /// - Parameters:
  ///   - items: folders and links.
  ///   - patience: how long the first places may wait.
  ///   - told: called on another thread once something was found that places did not wait for.
  func findings(
    of items: [FilePath], within patience: DispatchTimeInterval,
    told: @escaping @Sendable () -> Void
  ) -> Findings? {
    let (reading, begins) = state.withLock { state -> (Reading?, Bool) in
      if let reading = state.readings[items] { return (reading, false) }
      guard state.running < Self.mostRunning else { return (nil, false) }
      let reading = Reading(end: .now() + patience)
      state.readings[items] = reading
      state.running += 1
      return (reading, true)
    }
    if begins, let reading {
      Disk.begin { [self] in
        let found = items.reduce(into: Findings()) { read($1, of: items, &$0) }
        reading.result.give(found)
        let isNews = state.withLock { state in
          state.running -= 1
          return state.readings[items]?.result === reading.result && reading.end <= .now()
        }
        if isNews, !found.misfits.isEmpty || !found.links.isEmpty { told() }
      }
    }
    return reading?.result.value(until: reading?.end ?? .now())
  }

  func forget() { state.withLock { $0.readings = [:] } }

  /// Ends early at a new pick-up. Skips what can't be read.
  private func read(_ item: FilePath, of items: [FilePath], _ found: inout Findings) {
    guard let place = try? OpenedEntry(item).place,
      let walk = try? TreeWalk(place.folder, place.name, goesOn: true)
    else { return }
    let anywhere = LinkForecast([(item, true)], to: Self.nowhere)
    var seen = 0
    // Counts per folder by lowercase name, because FAT ignores case.
    var names: [[[UInt8]: Int]] = []
    func note(_ name: FileName, _ reason: Reason) {
      if found.misfits.count >= Self.mostParts { return }
      found.misfits.append(DeliveryFailure(name: SpokenName.file(name.bytes), reason: reason))
    }
    while let visit = try? walk.next() {
      seen += 1
      if seen % 1_000 == 0, seen > Self.most || state.withLock({ $0.readings[items] == nil }) {
        found = Findings()
        return
      }
      if case .item(let name, let stamp) = visit, stamp.kind == .link,
        found.links.count < Self.mostParts,
        let text = try? FileCalls.linkText(walk.folder.raw, name)
      {
        let link = CarriedLink(item: item, inside: walk.path, text: FilePath(rawBytes: text))
        // Where what is behind it does not answer, nothing more is looked at.
        _ = FileStamp.look(at: name, in: walk.folder.raw, following: true)
        if link.text.isAbsolute || anywhere.leadsNowhere(link) {
          found.links.append(link)
        }
      }
      switch visit {
      case .entered(let name, let stamp), .item(let name, let stamp):
        let isFolder = stamp.kind == .folder
        if walk.depth > (isFolder ? 1 : 0) {
          let misfit = DiskLimits.misfit(
            name.bytes, isLink: stamp.kind == .link, bytes: stamp.kind == .file ? stamp.size : 0)
          if let misfit { note(name, misfit) }
          let folded =
            String(validating: name.bytes, as: UTF8.self).map { [UInt8]($0.lowercased().utf8) }
            ?? Array(name.bytes)
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
  }

  /// A folder that does not exist, so deep that no link leads out of it.
  private static let nowhere = FilePath(String(repeating: "/\u{1}", count: 32))
}
