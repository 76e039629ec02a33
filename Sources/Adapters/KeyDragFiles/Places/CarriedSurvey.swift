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
    /// Entries that a FAT can't store, each with its carried folder.
    var misfits: [(item: FilePath, part: DeliveryFailure)] = []
    /// Links that may lead elsewhere at another place.
    var links: [CarriedLink] = []
  }

  private struct Reading {
    let result = BlockingResult<Findings>()
    /// Time until which places wait for the result; if it comes later, they are told.
    var end: DispatchTime
  }

  private struct State {
    /// One for all places of an inquiry, by the items in it.
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
  ///   - items: all carried folders and links: a place that refuses some shares the reading.
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
        @Sendable func isCurrent(_ state: State) -> Bool {
          state.readings[items]?.result === reading.result
        }
        let found = read(items) { state.withLock { isCurrent($0) } }
        reading.result.give(found)
        let isNews = state.withLock { state in
          state.running -= 1
          return isCurrent(state) && reading.end <= .now()
        }
        if isNews, !found.misfits.isEmpty || !found.links.isEmpty { told() }
      }
    }
    return reading?.result.value(until: reading?.end ?? .now())
  }

  func forget() { state.withLock { $0.readings = [:] } }

  /// Empty if there are too many entries, or if it is not wanted any more.
  private func read(_ items: [FilePath], while isWanted: () -> Bool) -> Findings {
    var found = Findings()
    var seen = 0
    for item in items {
      let isDone = read(item, &found) {
        seen += 1
        return seen % 1_000 > 0 || seen <= Self.most && isWanted()
      }
      if !isDone { return Findings() }
    }
    return found
  }

  /// Skips what can't be read.
  ///
  /// - Returns: `false` if it was ended.
  private func read(
    _ item: FilePath, _ found: inout Findings, while goesOn: () -> Bool
  ) -> Bool {
    guard let place = try? OpenedEntry(item).place,
      let walk = try? TreeWalk(place.folder, place.name, goesOn: true)
    else { return true }
    let origins = LinkForecast.origins(of: [item]).compactMap(\.self)
    let anywhere = LinkForecast(origins.map { ($0, true) }, to: Self.nowhere)
    // Depth of a folder that FAT can't store, inside which only links are reported.
    var refused: Int?
    // Counts per folder by lowercase name, because FAT ignores case.
    var names: [[[UInt8]: Int]] = []
    func note(_ name: FileName, _ reason: Reason) {
      if refused != nil || found.misfits.count >= Self.mostParts { return }
      found.misfits.append(
        (item, DeliveryFailure(name: SpokenName.file(name.bytes), reason: reason)))
    }
    while let visit = try? walk.next() {
      guard goesOn() else { return false }
      if case .item(let name, let stamp) = visit, stamp.kind == .link,
        found.links.count < Self.mostParts,
        let text = try? FileCalls.linkText(walk.folder.raw, name)
      {
        let link = CarriedLink(item: item, inside: walk.path, text: FilePath(rawBytes: text))
        // If that hangs, it hangs here and not in an inquiry, which never hears of the link.
        let end = FileStamp.look(at: name, in: walk.folder.raw, following: true)
        // A link that is broken where it is was told as such.
        let isBroken = if case .failure(let reason) = end { reason.isNowhere } else { false }
        if !isBroken, link.text.isAbsolute || anywhere.leadsNowhere(link) {
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
          if misfit != nil, isFolder, refused == nil { refused = walk.depth }
        }
        if isFolder { names.append([:]) }
      case .leaving:
        if walk.depth == refused { refused = nil }
        if !names.isEmpty { names.removeLast() }
      case .barred, .left: break
      }
    }
    return true
  }

  /// A folder that does not exist, so deep that no link leads out of it.
  private static let nowhere = FilePath(String(repeating: "/\u{1}", count: 32))
}
