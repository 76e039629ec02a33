import OrderedCollections

/// The views of the given containers, with the folders entered in each.
package struct Browse: Sendable {
  package var views: [View]
  package var current = 0
  /// The basket: marked items by id, in order of marking. Marks survive leaving a folder.
  package var marks: OrderedDictionary<DragSourceID, DragSourceDescriptor> = [:]
  package var pageSize = 10

  package var view: View? { views.indices.contains(current) ? views[current] : nil }
  package var container: ContainerID? { view?.top.container }
}

/// A given container, with the path down to the displayed folder.
package struct View: Sendable {
  /// A folder on the path, and the focused item in it.
  package struct Level: Sendable {
    package var container: ContainerID
    package var focus = 0
    /// The focused item by its id, so that focus follows it when others come and go.
    package var focused: DragSourceID?
    package var isListed = false
    package var unreadable: Reason?
    package var hasBeenAnnounced = false
    /// Set while a filter is active.
    package var narrowing: FilteredItems?
    /// Placeholders for the items of running deliveries, after the existing items.
    package var arriving: [DragSourceDescriptor] = []
  }

  package let root: ContainerID
  /// The folders entered below the root, the displayed one last.
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

package struct RunningDelivery: Sendable {
  package var operation: DragOperation
  /// Up to 20 names; ``count`` is the total.
  package var names: [String]
  package var items: [DragSourceID]
  package var count: Int
  package var things = ItemNoun.items
  package var place: String
  package var task: TaskPoint?
  package var program: String?
  /// The program of the place, if it is another one.
  package var app: String?
  /// The program that drops here; `nil` for the person's own drops.
  package var visitor: String?
  /// The container that shows a placeholder meanwhile.
  package var target: ContainerID?
  /// The announced position in the text at the place.
  package var heardPosition: TextPosition?
  package var skipsClashes = false
  package var progress = DeliveryProgress()
  /// Whether its start has been announced, so that its progress is too.
  package var isAnnounced = false
  package var quarter = 0
  /// The next number of bytes to announce when the total is unknown; `nil` for no more.
  package var nextAmount: Int64?
  /// The item that got the focus because of this drop.
  package var next: DragSourceID?
  /// Ordered items that could not be handed to the place; reported with those that fail there.
  package var leftBehind: [DeliveryFailure] = []
  /// The return of the keyboard when it ends, on a desktop.
  var keyboard: KeyboardReturn?
  /// Whether its program has asked something since its end was last announced.
  package var isAsked = false
  /// The words of a dialog without a choice, as heard.
  package var message: String?

  /// Whether it takes its items out of their places.
  var movesAway: Bool { operation == .move || operation == .remove }

  /// The result including ``leftBehind``.
  package func completed(_ result: DeliveryResult) -> DeliveryResult {
    guard !leftBehind.isEmpty else { return result }
    var result = result
    result.failures += leftBehind
    if result.outcome == .delivered { result.outcome = result.delivered > 0 ? .partly : .failed }
    return result
  }

  /// The progress, 0 to 100; `nil` until measured.
  package var percent: Int? {
    if let thousandths = progress.thousandths { return min(max(thousandths, 0), 1000) / 10 }
    if let total = progress.bytesTotal, total > 0 {
      // In full width, since another program may report any number.
      let done = min(max(progress.bytesDone, 0), total)
      return Int(total.dividingFullWidth(done.multipliedFullWidth(by: 100)).quotient)
    }
    return count > 0 && progress.itemsDone > 0 ? progress.itemsDone * 100 / count : nil
  }
}
