import OrderedCollections

/// A drag that is held: what is carried, what the places said, and where the person stands.
package struct Carry: Sendable {
  /// How far the carrying has come.
  package enum Stage: Hashable, Sendable {
    /// Types are being fixed.
    case preparing(RequestID)
    /// The first verdicts are outstanding.
    case asking(RequestID)
    case ready
    /// The last question before a drop is outstanding.
    case dropping(RequestID)
  }

  /// The place where the person stands.
  package enum Standpoint: Hashable, Sendable {
    case source
    case stop(DropStop)
    /// In a window whose drop points are being listed.
    case container(ContainerID)

    /// `nil` at the source, and in a container.
    package var stop: DropStop? { if case .stop(let stop) = self { stop } else { nil } }
  }

  /// The words that are owed once the place stood on has answered.
  package enum Owed: Hashable, Sendable {
    case place
    /// The effect of the wish that was changed here.
    case wish
  }

  /// A drop without a walk: a command, or a line of the actions menu.
  package struct Direct: Hashable, Sendable {
    package var stop: DropStop
    /// `nil`: ask the person.
    package var clash: ClashPolicy?
    /// Nobody is there to answer a question.
    package var isScripted: Bool
  }

  package var items: [DragItem] = [] {
    didSet { summarise() }
  }
  /// The operations that every item allows, and the trees they come from: asked for at each of
  /// thousands of stops.
  package private(set) var allowedByAll = DragOperations.all
  package private(set) var trees: Set<ContainerID?> = []
  /// The items that do not allow an operation, by index, and why.
  package private(set) var withheld: [DragOperation: [Int: Reason]] = [:]
  /// Permissions keep some of it from being copied, as against a source that has no copy of it.
  package private(set) var isCopyForbidden = false
  /// The items being picked up while their types are not fixed yet, and how many there are.
  package var expected: (names: [String], count: Int) = ([], 0)
  /// The source the walk goes back to; once it has vanished the walk goes round.
  package var origin: DragSourceID?
  /// Counts how often the items or the wish have changed: answers to an older question are stale.
  package var round = 0
  package var wish: DragOperation?
  package var stage: Stage
  package var place: Standpoint = .source
  package var proposals = ProposalTable()
  package var walk = Walk()
  package var showsRefusing = false
  /// Part of the names of the places that are walked; `nil` for all.
  package var filter: String?
  package var taskPoints: [DropPointDescriptor] = []
  /// Containers opened while carrying, in the order they were opened.
  package var opened: OrderedSet<ContainerID> = []
  package var direct: Direct?
  /// Whether the key that drops may be meant for something else, as no other key has come since: it was
  /// picked up from a menu by the same key, which may be held down; or the place that the person stood on
  /// has vanished, and the next one is not what was chosen.
  package var needsOtherKey = false
  /// The name that was typed for the drop which is being agreed.
  package var newName: String?
  /// Whether the person has come to the shortcuts from elsewhere, so that this is said.
  package var hasCrossed = false
  /// Whether the pick-up has been said, and how many places accept.
  package var isAnnounced = false
  package var isCounted = false
  /// The items that could not be picked up with the rest, to be said after the pick-up.
  package var refusedAtPickUp: [DeliveryFailure] = []
  /// Which way the person walks, and so at which end a window is entered, and which places are asked ahead.
  package var isBackward = false
  package var owed: Owed?
  /// The question or listing whose lateness is worth a word: the one for where the person is.
  package var waitsFor: RequestID?
  /// Windows that could not be listed: said once, passed by from then on.
  package var unreadable: Set<ContainerID> = []
  /// The round in which it was said that nothing accepts.
  package var refusedIn: Int?
  /// Refusals in windows that were heard, and those that were heard on an earlier walk.
  private var heard: Set<DropStop> = []
  private var aside: Set<DropStop> = []
  /// The person's knowledge about the way back from a drop.
  package var lastingWord = LastingWord.unsaid
  /// The container of the place that was said last: it is named where it changes.
  package var saidContainer: ContainerID?
  /// Whether the last words named it, so that it is lost with them where they are cut off.
  package var hasNamedContainer = false

  package init(stage: Stage, wish: DragOperation? = nil, direct: Direct? = nil) {
    self.stage = stage
    self.wish = wish
    self.direct = direct
  }

  package var names: [String] {
    items.isEmpty ? expected.names : items.prefix(20).map(\.name)
  }

  /// How many items are held, or being picked up.
  package var count: Int { items.isEmpty ? expected.count : items.count }

  /// Whether places have been asked, so that new ones are asked as well.
  package var isAsked: Bool {
    switch stage {
    case .preparing: false
    case .asking, .ready, .dropping: direct == nil
    }
  }

  package var currentStop: DropStop? { place.stop }

  /// The operations that all the accepted items allow.
  package func allowed(refused: [Int: Reason] = [:]) -> DragOperations {
    guard !refused.isEmpty else { return allowedByAll }
    // Verdicts at thousands of places must not look at each of thousands of items.
    var allowed = DragOperations.all
    for (operation, items) in withheld {
      let spared = refused.keys.count { items[$0] != nil }
      if spared < items.count { allowed.remove(DragOperations(operation)) }
    }
    return allowed
  }

  /// Why nothing of what is carried allows an operation; `nil` where something does.
  package func reasonAgainst(_ operation: DragOperation) -> Reason? {
    guard let against = withheld[operation], against.count == items.count else { return nil }
    return against.min { $0.key < $1.key }?.value
  }

  package func isAside(_ stop: DropStop) -> Bool { aside.contains(stop) }

  package mutating func hear(_ stop: DropStop, refuses: Bool) {
    if refuses { heard.insert(stop) } else { heard.remove(stop) }
  }

  /// A walk through windows has come to its end: what refused is left out of the next one, so that walks
  /// get shorter with what is known. An answer that came ahead of the person leaves nothing out, else what
  /// Tab comes to would depend on how quickly programs answer.
  ///
  /// - Returns: whether another walk comes of it.
  package mutating func putRefusingAside() -> Bool {
    defer { aside = heard }
    return aside != heard
  }

  /// Something else is held or wished: nothing is known of any window.
  package mutating func forgetRefusals() { (heard, aside) = ([], []) }

  private mutating func summarise() {
    allowedByAll = items.reduce(into: .all) { $0.formIntersection($1.allowed) }
    (withheld, isCopyForbidden) = ([:], false)
    for (index, item) in items.enumerated() where item.allowed != .all {
      for operation in DragOperation.allCases where !item.allowed.contains(operation) {
        withheld[operation, default: [:]][index] = item.withheld[operation] ?? .notPermitted
      }
      if item.withheld[.copy]?.isOfSource == true { isCopyForbidden = true }
    }
    trees = []
    // Thousands of items come from a handful of containers.
    var last: ContainerID?
    for item in items where trees.isEmpty || item.tree != last {
      trees.insert(item.tree)
      last = item.tree
    }
  }
}
