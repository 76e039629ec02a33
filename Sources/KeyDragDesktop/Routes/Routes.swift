import KeyDragCore
import Synchronization

/// The routes into a program beside XDND: its Paste command, and the pointer itself.
///
/// Taken where a place's profile names one, or where the program accepts no drops there.
final class Routes: Sendable {
  let menu: MenuRoute
  let pointer: PointerRoute
  private let desktop: Desktop
  /// The route last offered for each place, unless it is the usual one.
  private let chosen = Mutex<[DropPointID: Route]>([:])
  /// Places that accepted a drag and then refused its drop, where Paste is left.
  private let pasting = Mutex<Set<DropPointID>>([])
  private static let most = 4_096

  init(desktop: Desktop, goods: PayloadCoordinator, origins: PickUpOrigins) {
    self.desktop = desktop
    menu = MenuRoute(desktop: desktop, goods: goods)
    pointer = PointerRoute(desktop: desktop, origins: origins)
  }

  // MARK: Asking

  /// The answer of a place with a route in its profile; `nil` for one to ask by a drag.
  func named(
    at spot: Desktop.PlaceRecord, _ stop: DropStop, _ inquiry: ProposalRequest,
    _ operation: DragOperation
  ) async -> DropProposal? {
    switch spot.place.traits.route {
    case .menu: return await keep(.menu, stop, menu.proposal(at: spot, inquiry.items, operation))
    case .pointer where pointer.isWithin(inquiry.items, spot):
      let answer = await pointer.proposal(at: spot, stop, inquiry)
      return keep(.pointer, stop, answer)
    case .files, .process, .peer, .xdnd, .pointer, nil: return nil
    }
  }

  /// The answer of a place in the end: another route may replace a refusal of the drag.
  func instead(
    of proposal: DropProposal, at spot: Desktop.PlaceRecord, _ stop: DropStop,
    _ inquiry: ProposalRequest,
    _ operation: DragOperation
  ) async -> DropProposal {
    chosen.withLock { $0[stop.point] = nil }
    // A refused address would be refused in the clipboard, too.
    if inquiry.items.allSatisfy(TextPayloads.isElsewhere) {
      return await lasting(proposal, at: spot, inquiry.items, isInHistory: false)
    }
    let isPasteLeft = pasting.withLock { $0.contains(stop.point) }
    let isElsewherePossible = [
      .none(.notTaken), .none(.takesOnlyMove), .none(.notShown),
    ].contains(proposal.acceptance)
    guard isPasteLeft || isElsewherePossible else {
      return await lasting(proposal, at: spot, inquiry.items)
    }
    guard spot.place.traits.route == nil else { return proposal }
    if await pointer.isInner(inquiry.items, spot) {
      let other = await pointer.proposal(at: spot, stop, inquiry)
      if !other.isRefusal { return keep(.pointer, stop, other) }
    }
    if await menu.canStandIn(at: spot, for: inquiry.items) {
      let other = await menu.proposal(at: spot, inquiry.items, operation)
      if !other.isRefusal { return keep(.menu, stop, other) }
    }
    return proposal
  }

  private func keep(_ route: Route, _ stop: DropStop, _ proposal: DropProposal) -> DropProposal {
    chosen.withLock { chosen in
      if chosen.count >= Self.most { chosen = [:] }
      chosen[stop.point] = proposal.isRefusal ? nil : route
    }
    return proposal
  }

  /// Predicts what may be impossible to take back; a landing in a folder that is found on the disk
  /// is not.
  ///
  /// - Parameter isInHistory: whether a landing in a folder or in the trash is in the history.
  private func lasting(
    _ proposal: DropProposal, at spot: Desktop.PlaceRecord, _ items: [DragItem],
    isInHistory: Bool = true
  ) async -> DropProposal {
    guard !proposal.isRefusal, !(isInHistory && spot.place.traits.destination == .trash) else {
      return proposal
    }
    let undo = await desktop.undo(at: spot, items, isInHistory: isInHistory)
    guard undo != .certain else { return proposal }
    var proposal = proposal
    proposal.predictions.append(.inProgram(isPasted: false, undo: undo))
    return proposal
  }

  // MARK: Delivering

  /// Whether the program's Paste command is left after it has refused a drop; the place offers it
  /// from here on.
  func offerMenu(at spot: Desktop.PlaceRecord, _ order: DeliveryOrder) async -> Bool {
    guard await menu.canStandIn(at: spot, for: order.items),
      await !menu.proposal(at: spot, order.items, order.operation).isRefusal
    else { return false }
    pasting.withLock { pasting in
      if pasting.count >= Self.most { pasting = [] }
      pasting.insert(order.stop.point)
    }
    return true
  }

  /// The route to a place: the one that its profile names, else the one last offered.
  func route(to spot: Desktop.PlaceRecord, _ order: DeliveryOrder) -> Route {
    switch spot.place.traits.route {
    case .menu: return .menu
    case .pointer where pointer.isWithin(order.items, spot): return .pointer
    case .files, .process, .peer, .xdnd, .pointer, nil: break
    }
    return chosen.withLock { $0[order.stop.point] } ?? .xdnd
  }
}

extension DropProposal {
  var isRefusal: Bool { if case .none = acceptance { true } else { false } }
}

extension [DragItem] {
  var containFiles: Bool { contains { [.file, .folder].contains($0.kind) } }
}
