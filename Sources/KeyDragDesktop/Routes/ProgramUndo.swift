import KeyDragCore
import Synchronization

/// Takes back what only a program itself can: its own Undo command is offered in words first, and
/// carried out when the person asks again.
final class ProgramUndo: Sendable {
  /// The views before and after the last drop.
  struct Seen: Sendable {
    var point: DropPointID
    var window: ContainerID
    var before: View
    var after: View
  }

  /// A place and its window at one moment.
  struct View: Sendable {
    var sight = DropEffect.Sight()
    /// The names in its lists, as they stand.
    var order: [String]?

    /// Whether two moments show the same: the text of a place, else what stands in the window's lists,
    /// else whatever there is.
    func shows(_ other: View) -> Bool {
      if sight.text != nil || other.sight.text != nil { return sight.text == other.sight.text }
      if let order, let now = other.order, !(order.isEmpty && now.isEmpty) { return order == now }
      return names == other.names && names != nil
    }

    private var names: [String]? { sight.things?.map(\.name).sorted() }
  }

  private struct Offer {
    var seen: Seen?
    var isOffered = false
  }

  private let desktop: Desktop
  private let state = Mutex(Offer())
  /// How often is looked for what the program's Undo has done: in two seconds most have done it.
  private static let looks = 20
  /// Between two looks. No program tells when it has undone something.
  private static let pause = Duration.milliseconds(100)

  init(desktop: Desktop) { self.desktop = desktop }

  /// Takes what a drop has done; `nil` where nothing was seen of it.
  func note(_ seen: Seen?) { state.withLock { $0 = Offer(seen: seen) } }

  /// Undoes the last drop, if the program that has it can.
  func undo(_ entry: HistoryEntry) async -> HistoryResult {
    let (seen, isOffered) = state.withLock { ($0.seen, $0.isOffered) }
    guard let seen, await desktop.offers(.undo, in: seen.window) else {
      return .refused(entry, .operationNotOffered)
    }
    guard isOffered else {
      state.withLock { $0.isOffered = true }
      return .refused(entry, .programsOwn)
    }
    // Whoever has changed something else there since would lose that.
    guard await looks(like: seen.after, seen) else { return .refused(entry, .changed) }
    // A held key asks again before the program has answered.
    let isTaken = state.withLock { state in
      defer { state = Offer() }
      return state.seen == nil
    }
    guard !isTaken else { return .refused(entry, .operationNotOffered) }
    do throws(Reason) {
      // Some programs say only in an open menu that there is something to undo.
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

  private func looks(like view: View, _ seen: Seen) async -> Bool {
    view.shows(await desktop.view(of: seen.point))
  }
}

extension Desktop {
  /// Whether a drop can be undone where it is not found on the disk. Most programs can undo what they
  /// put into what they show; of a file nobody knows whether they do that or open it.
  func undo(at spot: Spot, _ items: [DragItem], isInHistory: Bool = true) async -> UndoPromise {
    if isInHistory, spot.isInFolder, !spot.isRow { return .unknownFolder }
    guard let isOffered = await offer(of: .undo, in: spot.window) else { return .doubtful }
    guard isOffered else { return .impossible }
    return items.holdFiles && spot.place.pathWriting != .certain ? .doubtful : .certain
  }

  /// The present view of a place and its window.
  func view(of point: DropPointID) async -> ProgramUndo.View {
    guard let spot = spot(point) else { return ProgramUndo.View() }
    return ProgramUndo.View(sight: await sight(of: point), order: await order(in: spot.window))
  }
}
