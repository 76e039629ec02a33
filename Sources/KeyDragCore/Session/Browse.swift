import OrderedCollections

/// The views that a person browses: one for each container given, each with the folders entered in
/// it.
package struct Browse: Sendable {
  package var views: [View]
  package var current = 0
  /// The basket: marked items by id, in the order they were marked. Marks survive leaving a folder.
  package var marks: OrderedDictionary<DragSourceID, DragSourceDescriptor> = [:]
  /// How far a page goes.
  package var pageSize = 10

  package var view: View? { views.indices.contains(current) ? views[current] : nil }
  package var container: ContainerID? { view?.top.container }
}

/// One of the containers given, with the way down to the folder shown.
package struct View: Sendable {
  /// A folder on the way, with the item in focus in it.
  package struct Level: Sendable {
    package var container: ContainerID
    package var focus = 0
    /// The item in focus by its id, so that focus follows it when others come and go.
    package var focused: DragSourceID?
    /// Whether the listing has arrived.
    package var isListed = false
    /// Why it could not be listed.
    package var unreadable: Reason?
    package var hasBeenAnnounced = false
    /// Set while only some of the items are shown.
    package var narrowing: Narrowing?
    /// Placeholders for what running deliveries bring, behind the items that are there.
    package var arriving: [DragSourceDescriptor] = []
  }

  package let root: ContainerID
  /// The folders entered below the root, the shown one last.
  package var below: [Level] = []
  package var base: Level

  package init(root: ContainerID) {
    self.root = root
    base = Level(container: root)
  }

  package var top: Level {
    get { below.last ?? base }
    set { if below.isEmpty { base = newValue } else { below[below.count - 1] = newValue } }
  }

  package var containers: [ContainerID] { [base.container] + below.map(\.container) }
}

/// A delivery that runs.
package struct RunningDelivery: Sendable {
  package var operation: DragOperation
  /// Up to 20 names, and how many there are.
  package var names: [String]
  package var items: [DragSourceID]
  package var count: Int
  package var things = ItemNoun.items
  package var place: String
  package var task: TaskPoint?
  package var program: String?
  /// The program that the place is in, where it is another one.
  package var app: String?
  /// The program that drops here; `nil` for the person's own drops.
  package var visitor: String?
  /// The container that shows a placeholder meanwhile.
  package var target: ContainerID?
  /// The position in the text there that the person has heard of.
  package var heardPosition: TextPosition?
  /// Whether the person chose to leave out what clashes.
  package var skipsClashes = false
  package var progress = DeliveryProgress()
  /// Whether its start has been said, so that its progress is said too.
  package var isAnnounced = false
  /// The last quarter that was said.
  package var quarter = 0
  /// How many bytes are said next, where nobody knows how many there will be; `nil` for no more.
  package var nextAmount: Int64?
  /// The item focus moved on to because of this drop.
  package var next: DragSourceID?
  /// The items ordered that could not be given to the place: counted and told with those that fail
  /// there.
  package var leftBehind: [DeliveryFailure] = []
  /// The keyboard's way back when it ends, on a desktop.
  var keyboard: KeyboardReturn?
  /// Whether its program has asked something since its end was said last.
  package var isAsked = false

  /// The result for all that was ordered.
  package func completed(_ result: DeliveryResult) -> DeliveryResult {
    guard !leftBehind.isEmpty else { return result }
    var result = result
    result.failures += leftBehind
    if result.outcome == .delivered { result.outcome = result.delivered > 0 ? .partly : .failed }
    return result
  }

  /// How far it is, 0 to 100; `nil` until it has been measured.
  package var percent: Int? {
    if let thousandths = progress.thousandths { return min(max(thousandths, 0), 1000) / 10 }
    if let total = progress.bytesTotal, total > 0 {
      // In full width: another program may tell any number.
      let done = min(max(progress.bytesDone, 0), total)
      return Int(total.dividingFullWidth(done.multipliedFullWidth(by: 100)).quotient)
    }
    return count > 0 && progress.itemsDone > 0 ? progress.itemsDone * 100 / count : nil
  }
}
