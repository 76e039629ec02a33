import OrderedCollections

/// A drag in progress: the items, the answers of the places, and the current place.
package struct DragState: Sendable {
  package enum Stage: Hashable, Sendable {
    case preparing(RequestID)
    /// The first verdicts are pending.
    case asking(RequestID)
    case ready
    /// The last question before a drop is pending.
    case dropping(RequestID)
  }

  package enum WalkLocation: Hashable, Sendable {
    case source
    case stop(DropStop)
    /// In a window whose drop points are being listed.
    case container(ContainerID)

    /// `nil` at the source and in a container.
    package var stop: DropStop? { if case .stop(let stop) = self { stop } else { nil } }
  }

  /// The announcement that is due once the current place has answered.
  package enum PendingAnnouncement: Hashable, Sendable {
    case place
    /// The effect of a changed wish.
    case wish
  }

  /// A drop without a walk, from a command or the actions menu.
  package struct Direct: Hashable, Sendable {
    package var stop: DropStop
    /// `nil` to ask the person.
    package var clash: ClashPolicy?
    /// Nobody is there to answer a question.
    package var isScripted: Bool
  }

  package var items: [DragItem] = [] {
    didSet { summarise() }
  }
  /// The operations that every item allows, cached for thousands of stops.
  package private(set) var allowedByAll = DragOperations.all
  package private(set) var trees: Set<ContainerID?> = []
  /// The items that do not allow an operation, by index, and why.
  package private(set) var disallowed: [DragOperation: [Int: Reason]] = [:]
  /// Whether permissions forbid copying an item, as opposed to a source without a copy of it.
  package private(set) var isCopyForbidden = false
  private var sharedNames: Set<String> = []
  /// The items being picked up before their types are fixed; `count` is the total.
  package var expected: (names: [String], count: Int) = ([], 0)
  /// The source that the walk returns to; once it is gone the walk wraps around.
  package var origin: DragSourceID?
  /// Incremented when the items or the wish change, which makes earlier answers stale.
  package var round = 0
  package var wish: DragOperation?
  package var stage: Stage
  package var place: WalkLocation = .source
  package var proposals = ProposalTable()
  package var walk = Walk()
  package var showsRefusing = false
  /// A part of the names of the places to walk; `nil` for all.
  package var filter: String?
  package var taskPoints: [DropPointDescriptor] = []
  /// The place in a window that was last announced as gone: a program may list it anew.
  package var lost: (name: String, container: ContainerID)?
  /// Containers opened while carrying, in order.
  package var opened: OrderedSet<ContainerID> = []
  package var direct: Direct?
  /// Whether the key that drops may have been meant for something else, as no other key has
  /// followed: the item was picked up from a menu with the same key, which may be held down, or the
  /// current place has disappeared and the next one was not chosen.
  package var isDropKeyBlocked = false
  /// The typed name for the pending drop.
  package var newName: String?
  /// The place to go back to if that name turns out to be taken.
  package var placeBeforeName: WalkLocation = .source
  /// Whether the person has just reached the shortcuts, which is announced.
  package var hasCrossed = false
  /// Whether the pick-up has been announced, and how many places accept.
  package var isAnnounced = false
  package var isCounted = false
  /// The items that could not be picked up with the rest, announced after the pick-up.
  package var refusedAtPickUp: [DeliveryFailure] = []
  /// The direction of the walk, for entering windows and for prefetching.
  package var isBackward = false
  package var owed: PendingAnnouncement?
  /// The pending question or listing for the current place, which is announced when it is late.
  package var pendingRequest: RequestID?
  /// Windows that could not be listed: announced once, then skipped.
  package var unreadable: Set<ContainerID> = []
  /// The round in which it was announced that nothing accepts.
  package var refusedIn: Int?
  /// Announced refusals in windows, and those that had been announced when the last walk ended.
  private var heard: Set<DropStop> = []
  private var aside: Set<DropStop> = []
  package var undoAwareness = UndoAwareness.unsaid
  /// The container of the last announced place: containers are named when they change.
  package var announcedContainer: ContainerID?
  /// Whether the last announcement named it, which is lost if that was cut off.
  package var hasNamedContainer = false

  package init(stage: Stage, wish: DragOperation? = nil, direct: Direct? = nil) {
    self.stage = stage
    self.wish = wish
    self.direct = direct
  }

  package var names: [String] {
    items.isEmpty ? expected.names : items.indices.prefix(20).map(label)
  }

  /// The name of an item, with its folder if another one bears the same.
  package func label(of index: Int) -> String {
    let item = items[index]
    guard sharedNames.contains(item.name), let folder = item.folder else { return item.name }
    return folder + "/" + item.name
  }

  package var count: Int { items.isEmpty ? expected.count : items.count }

  /// Whether places have been asked, so that new ones are asked as well.
  package var isAsked: Bool {
    switch stage {
    case .preparing: false
    case .asking, .ready, .dropping: direct == nil
    }
  }

  package var currentStop: DropStop? { place.stop }

  package func allowed(refused: [Int: Reason] = [:]) -> DragOperations {
    guard !refused.isEmpty else { return allowedByAll }
    // Verdicts at thousands of places must not look at each of thousands of items.
    var allowed = DragOperations.all
    for (operation, items) in disallowed {
      let spared = refused.keys.count { items[$0] != nil }
      if spared < items.count { allowed.remove(DragOperations(operation)) }
    }
    return allowed
  }

  /// Why none of the items allows an operation; `nil` if any does.
  package func reasonAgainst(_ operation: DragOperation) -> Reason? {
    guard let against = disallowed[operation], against.count == items.count else { return nil }
    return against.min { $0.key < $1.key }?.value
  }

  package func isAside(_ stop: DropStop) -> Bool { aside.contains(stop) }

  package mutating func hear(_ stop: DropStop, refuses: Bool) {
    if refuses { heard.insert(stop) } else { heard.remove(stop) }
  }

  /// Excludes the announced refusals from the next walk, at the end of a walk through windows, so
  /// that walks get shorter. Prefetched answers exclude nothing, or the next stop of Tab would
  /// depend on how fast programs answer.
  ///
  /// - Returns: whether that changes the walk.
  package mutating func excludeRefusals() -> Bool {
    defer { aside = heard }
    return aside != heard
  }

  /// Called when the items or the wish change, after which no refusal is known.
  package mutating func forgetRefusals() { (heard, aside) = ([], []) }

  private mutating func summarise() {
    allowedByAll = items.reduce(into: .all) { $0.formIntersection($1.allowed) }
    (disallowed, isCopyForbidden) = ([:], false)
    for (index, item) in items.enumerated() where item.allowed != .all {
      for operation in DragOperation.allCases where !item.allowed.contains(operation) {
        disallowed[operation, default: [:]][index] = item.disallowed[operation] ?? .notPermitted
      }
      if item.disallowed[.copy]?.isOfSource == true { isCopyForbidden = true }
    }
    trees = []
    // Thousands of items come from a handful of containers.
    var last: ContainerID?
    for item in items where trees.isEmpty || item.tree != last {
      trees.insert(item.tree)
      last = item.tree
    }
    var names: Set<String> = []
    // In one container no two have the same name.
    let isScattered = items.contains { $0.container != items[0].container }
    let repeated = isScattered ? items.map(\.name).filter { !names.insert($0).inserted } : []
    sharedNames = Set(repeated)
  }
}
