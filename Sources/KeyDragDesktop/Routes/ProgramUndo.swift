import KeyDragCore
import Synchronization

/// Takes back what only a program itself can: the first request announces its own Undo command, the
/// second runs it.
final class ProgramUndo: Sendable {
  /// The views before and after the last drop.
  struct Observation: Sendable {
    var point: DropPointID
    var window: ContainerID
    var before: View
    var after: View
  }

  /// A snapshot of a place and its window.
  struct View: Sendable {
    var sight = DropEffect.ContentSnapshot()
    /// The names in its lists, in order.
    var order: [String]?

    /// Whether two snapshots are alike: in the text of the place, else in the order of the lists,
    /// else in all names.
    func shows(_ other: View) -> Bool {
      if sight.text != nil || other.sight.text != nil { return sight.text == other.sight.text }
      if let order, let now = other.order, !(order.isEmpty && now.isEmpty) { return order == now }
      return names == other.names && names != nil
    }

    private var names: [String]? { sight.things?.map(\.name).sorted() }
  }

  private struct Offer {
    var seen: Observation?
    var isOffered = false
  }

  private let desktop: Desktop
  private let state = Mutex(Offer())
  /// The maximum number of polls for the effect of Undo: two seconds are enough for most programs.
  private static let looks = 20
  /// The polling interval. No program reports that it has undone something.
  private static let pause = Duration.milliseconds(100)

  init(desktop: Desktop) { self.desktop = desktop }

  /// Notes the effect of a drop; `nil` if none was seen.
  func note(_ seen: Observation?) { state.withLock { $0 = Offer(seen: seen) } }

  func undo(_ entry: HistoryEntry) async -> HistoryResult {
    let (seen, isOffered) = state.withLock { ($0.seen, $0.isOffered) }
    guard let seen, await desktop.offers(.undo, in: seen.window) else {
      return .refused(entry, .operationNotOffered)
    }
    guard isOffered else {
      state.withLock { $0.isOffered = true }
      return .refused(entry, .programsOwn)
    }
    // Undo would lose any change made there since.
    guard await looks(like: seen.after, seen) else { return .refused(entry, .changed) }
    // Key repeat asks again before the program has answered.
    let isTaken = state.withLock { state in
      defer { state = Offer() }
      return state.seen == nil
    }
    guard !isTaken else { return .refused(entry, .operationNotOffered) }
    do throws(Reason) {
      // Some programs expose Undo only in an open menu.
      try await desktop.carryOut(.undo, in: seen.window, mayOpen: true)
    } catch {
      return .refused(entry, error)
    }
    for _ in 0..<Self.looks {
      if await looks(like: seen.before, seen) { return .done(entry) }
      try? await desktop.clock.sleep(for: Self.pause)
    }
    return .refused(entry, .unknown)
  }

  private func looks(like view: View, _ seen: Observation) async -> Bool {
    view.shows(await desktop.view(of: seen.point))
  }
}

extension Desktop {
  /// Whether a drop that is not found on the disk can be undone. Most programs can undo what they
  /// insert; a file they may open instead.
  func undo(at spot: PlaceRecord, _ items: [DragItem], isInHistory: Bool = true) async
    -> UndoPromise
  {
    if isInHistory, spot.isInFolder, !spot.isRow { return .unknownFolder }
    guard let isOffered = await offer(of: .undo, in: spot.window) else { return .doubtful }
    guard isOffered else { return .impossible }
    return items.containFiles && spot.place.pathWriting != .certain ? .doubtful : .certain
  }

  func view(of point: DropPointID) async -> ProgramUndo.View {
    guard let spot = spot(point) else { return ProgramUndo.View() }
    return await view(of: spot)
  }
}
