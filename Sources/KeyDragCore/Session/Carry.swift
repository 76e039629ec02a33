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

  /// Where the person stands.
  package enum Place: Hashable, Sendable {
    case source
    case stop(DropStop)
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
    didSet { summarize() }
  }
  /// The trees the items come from; `nil` in it for an unknown one.
  package private(set) var trees: Set<ContainerID?> = []
  /// How many items lack each operation: verdicts at thousands of places must not look at each item.
  private var lacking: [DragOperation: Int] = [:]
  package var wish: DragOperation?
  package var stage: Stage
  package var place: Place = .source
  package var proposals = Proposals()
  package var walk = Walk()
  package var showsRefusing = false
  package var taskPoints: [DropPointDescriptor] = []
  /// Containers opened while carrying, in the order they were opened.
  package var opened: OrderedSet<ContainerID> = []
  package var direct: Direct?
  /// Whether the pick-up has been said.
  package var isAnnounced = false
  /// What could not be picked up with the rest, to be said after the pick-up.
  package var refusedAtPickUp: [DeliveryFailure] = []
  /// Commands given before the first verdicts were there.
  package var deferred: [CommandName] = []

  package init(stage: Stage, wish: DragOperation? = nil, direct: Direct? = nil) {
    self.stage = stage
    self.wish = wish
    self.direct = direct
  }

  package var names: [String] { items.prefix(20).map(\.name) }

  package var currentStop: DropStop? {
    if case .stop(let stop) = place { stop } else { nil }
  }

  /// What all the accepted items allow.
  package func allowed(refused: [Int: Reason] = [:]) -> DragOperations {
    var allowed = DragOperations.all
    for (operation, count) in lacking {
      let spared = refused.keys.count {
        items.indices.contains($0) && !items[$0].allowed.contains(operation)
      }
      if spared < count { allowed.remove(DragOperations(operation)) }
    }
    return allowed
  }

  private mutating func summarize() {
    trees = []
    lacking = [:]
    var last: ContainerID?
    for item in items {
      // Thousands of items come from a handful of containers.
      if trees.isEmpty || item.tree != last { trees.insert(item.tree) }
      last = item.tree
      guard item.allowed != .all else { continue }
      for operation in DragOperation.allCases where !item.allowed.contains(operation) {
        lacking[operation, default: 0] += 1
      }
    }
  }
}
