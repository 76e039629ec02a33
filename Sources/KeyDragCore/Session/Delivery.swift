import OrderedCollections

/// The policy for a name that exists at the target.
package enum ClashPolicy: String, Hashable, Sendable, CaseIterable {
  /// The new item gets an unused name; nothing is touched.
  case keepBoth = "keep-both"
  /// The existing item goes to the trash.
  case replace
  /// The clashing item stays at the source.
  case skip
  /// Nothing is delivered when any name clashes.
  case fail
  /// Folders of the same name are merged; of other items both are kept.
  case merge
  /// Folders of the same name are merged; other items are replaced.
  case mergeReplacing = "merge-replace"
  /// Folders of the same name are merged; other items stay at the source.
  case mergeSkipping = "merge-skip"

  package var mergesFolders: Bool {
    switch self {
    case .merge, .mergeReplacing, .mergeSkipping: true
    case .keepBoth, .replace, .skip, .fail: false
    }
  }
}

package enum Route: String, Hashable, Sendable, CaseIterable {
  case files
  case process
  case peer
  case xdnd
  case menu
  case pointer
}

package struct DeliveryOrder: Hashable, Sendable {
  package var items: [DragItem]
  package var stop: DropStop
  package var operation: DragOperation
  package var clash: ClashPolicy
  /// The new name of the only item, or of the folder made for all of them.
  package var newName: String?

  package init(
    items: [DragItem], stop: DropStop, operation: DragOperation, clash: ClashPolicy = .keepBoth
  ) {
    self.items = items
    self.stop = stop
    self.operation = operation
    self.clash = clash
  }
}

package enum DeliveryOutcome: String, Hashable, Sendable, CaseIterable {
  case delivered
  case partly
  case refused
  case failed
  case cancelled
  case unconfirmed
}

package struct Landing: Hashable, Sendable {
  package var container: ContainerID
  package var source: DragSourceID
  package var name: String

  package init(container: ContainerID, source: DragSourceID, name: String) {
    self.container = container
    self.source = source
    self.name = name
  }
}

/// The landing of the last delivery: its items are selected at the target until the next one.
struct Landed {
  var items: [Landing] = []
  /// The delivery, if its result is in a window of another program that can be shown.
  var window: DeliveryID?
  /// Those of the latest deliveries by their entries, each with whether it stands, as a redo brings them
  /// back; the one done last is at the end.
  private var entries: OrderedDictionary<Int64, (items: [Landing], stands: Bool)> = [:]

  private static let mostEntries = 16

  /// Notes what a delivery, or a redo, has brought.
  mutating func note(_ items: [Landing], of entry: Int64?) {
    (self.items, window) = (items, nil)
    guard let entry else { return }
    entries[entry] = nil
    entries[entry] = (items, true)
    if entries.count > Self.mostEntries { entries.removeFirst() }
  }

  /// What was undone is not there; the landing before it is, though not selected any more.
  mutating func undo(_ entry: Int64) {
    (items, window) = ([], nil)
    entries[entry]?.stands = false
  }

  /// - Parameter missing: the names that did not come back.
  mutating func redo(_ entry: Int64, missing: [String]) {
    note((entries[entry]?.items ?? []).filter { !missing.contains($0.name) }, of: entry)
  }

  /// The landings to go to.
  var goal: [Landing] { items.isEmpty ? entries.values.last { $0.stands }?.items ?? [] : items }
}

package struct DeliveryFailure: Codable, Hashable, Sendable {
  /// Safe to speak.
  package var name: String
  package var reason: Reason

  package init(name: String, reason: Reason) {
    self.name = name
    self.reason = reason
  }
}

/// The progress of a delivery. Counts are of carried items; bytes are of file contents.
package struct DeliveryProgress: Hashable, Sendable {
  package var itemsDone: Int
  package var bytesDone: Int64
  /// `nil` until the sources are measured, and if the length is unknown.
  package var bytesTotal: Int64?
  /// The progress, 0 to 1000, from a loader that reports no bytes.
  package var thousandths: Int?
  /// The elapsed time in milliseconds; `nil` if not measured.
  package var milliseconds: Int64?

  /// `nil` during the first second, in which the speed of a disk says little.
  package var bytesPerSecond: Int64? {
    guard let milliseconds, milliseconds >= 1000, bytesDone > 0 else { return nil }
    let rate = Double(bytesDone) / (Double(milliseconds) / 1000)
    return rate < 1e15 ? Int64(rate) : nil
  }

  /// The estimate for the rest; `nil` if unknown, or 100 hours and more.
  package var secondsLeft: Int64? {
    guard let total = bytesTotal, let rate = bytesPerSecond, rate > 0, total >= bytesDone else {
      return nil
    }
    let left = (total - bytesDone) / rate
    return left < 360_000 ? left : nil
  }

  package init(
    itemsDone: Int = 0, bytesDone: Int64 = 0, bytesTotal: Int64? = nil, thousandths: Int? = nil,
    milliseconds: Int64? = nil
  ) {
    self.milliseconds = milliseconds
    self.itemsDone = itemsDone
    self.bytesDone = bytesDone
    self.bytesTotal = bytesTotal
    self.thousandths = thousandths
  }
}

/// A question or a message of a program about a drop that it has received.
package enum ProgramQuestion: Hashable, Sendable {
  /// Possibly asked in a window of its own; the title is safe to speak and may change while it is
  /// open.
  case window(String)
  /// Asked in a window that waits for the answer; its title, its text and its button labels are safe
  /// to speak, and empty if unknown. A window that leaves no choice has no buttons.
  case dialog(String, hasKeyboard: Bool, buttons: [String] = [], words: String = "")
  /// Asked in a menu, which has no name.
  case menu
  /// A message instead of a question: its text, and the title of the window that came with it,
  /// empty if there is none; both are safe to speak.
  case tells(String, window: String)
  /// It was asked and answered, and the drop has left no trace where it was aimed.
  case answered
  /// The window that was dropped on looks as before, and nothing else is known.
  case unchanged

  /// The words of a dialog that leaves no choice.
  package var message: String? {
    guard case .dialog(_, _, let buttons, let words) = self, buttons.isEmpty, !words.isEmpty else {
      return nil
    }
    return words
  }

  /// Whether keys go to it, as far as is known.
  package var hasKeyboard: Bool {
    if case .dialog(_, let hasKeyboard, _, _) = self { hasKeyboard } else { true }
  }
}

package enum DeliveryEffect: Hashable, Sendable {
  case ordered
  /// Another operation than the ordered one: programs ask in menus of their own.
  case performed(DragOperation)
  /// Only the paths of the files were inserted, as text.
  case pathsWritten
  /// A document of this program now has the item's name; the program's name is safe to speak.
  case opened(program: String)
  /// The items are listed there by name; nothing was copied.
  case listed
  /// The program reports that it took the items, without further evidence.
  case taken
  /// Everything was there already and is unchanged.
  case nothing

  /// The operation to announce, if it is not the ordered one.
  package var operation: DragOperation? {
    switch self {
    case .ordered, .pathsWritten, .listed, .taken, .nothing: nil
    case .performed(let operation): operation
    case .opened: .open
    }
  }
}

package struct DeliveryResult: Hashable, Sendable {
  package var outcome: DeliveryOutcome
  package var route: Route
  /// The number of ordered items that arrived complete.
  package var delivered: Int
  /// The number of pieces that arrived, also in merged folders; `nil` if not counted.
  package var pieces: Int?
  package var failures: [DeliveryFailure]
  package var bytes: Int64
  package var totalBytes: Int64
  package var verified: Bool
  package var landings: [Landing]
  /// New names given to keep both.
  package var renamed: [String]
  /// Existing items that are in the trash now, safe to speak.
  package var replaced: [String] = []
  /// Links that lead nowhere where they arrived, safe to speak.
  package var leadNowhere: [String] = []
  /// Attributes that could not be stored, announced once; names are safe to speak.
  package var lostAttributes: [String]
  /// Parts of delivered folders that stayed at the source, by name.
  package var leftOut: [DeliveryFailure]
  /// The number of files delivered besides those, in folders or alone; 0 if not counted.
  package var others = 0
  /// The question that the program asks, or has asked, before it acts on a drop.
  package var question: ProgramQuestion?
  /// The entry number in the history, if any.
  package var entry: Int64?
  /// Whether the only evidence is the report of the program that was dropped on.
  package var isUnverified = false
  /// The observed effect, if it differs from the order.
  package var effect = DeliveryEffect.ordered
  /// The folder in which all of it landed, if not the target; safe to speak.
  package var elsewhere: String?
  /// The window to announce in place of its row, as it may have taken the drop; safe to speak.
  package var window: String?
  /// The position in a text at which all of it was inserted, if observed.
  package var textPosition: TextPosition?
  /// Whether it landed beside the row that was dropped on, and not in it.
  package var isBesideRow = false

  /// Whether the renamed item is inside the delivered ones, or one of several.
  package var renamesInside: Bool {
    landings.count > 1 || landings.first.map { $0.name != renamed.first } ?? false
  }

  package init(
    outcome: DeliveryOutcome = .unconfirmed, route: Route = .xdnd, delivered: Int = 0,
    failures: [DeliveryFailure] = [],
    bytes: Int64 = 0, totalBytes: Int64 = 0, verified: Bool = false, landings: [Landing] = [],
    renamed: [String] = [], lostAttributes: [String] = [], leftOut: [DeliveryFailure] = []
  ) {
    self.outcome = outcome
    self.route = route
    self.delivered = delivered
    self.failures = failures
    self.bytes = bytes
    self.totalBytes = totalBytes
    self.verified = verified
    self.landings = landings
    self.renamed = renamed
    self.lostAttributes = lostAttributes
    self.leftOut = leftOut
  }

  /// A delivery of which nothing has arrived, all for the same reason.
  package static func failed(
    _ names: [String], _ reason: Reason, _ outcome: DeliveryOutcome = .failed, by route: Route
  ) -> DeliveryResult {
    DeliveryResult(
      outcome: outcome, route: route, delivered: 0,
      failures: names.map { DeliveryFailure(name: $0, reason: reason) })
  }
}

package enum DeliveryEvent: Hashable, Sendable {
  /// Measured and started.
  case started(DeliveryProgress)
  case progressed(DeliveryProgress)
  /// A program that was given the items asks the person what to do with them.
  case asks(ProgramQuestion)
  /// It could not be cancelled: the program has received all of it.
  case goesOn
  case finished(DeliveryResult)
}

/// The place of a person who has gone to the result of a delivery.
package struct RevealedLanding: Hashable, Sendable {
  /// The focused element; the window's name if nothing in it could be focused.
  package var name: String
  /// The window that contains it; `nil` for the window itself.
  package var container: String?
  package var app: String?

  package init(name: String, container: String? = nil, app: String? = nil) {
    self.name = name
    self.container = container
    self.app = app
  }
}

/// The noun for several items together.
package enum ItemNoun: Hashable, Sendable, CaseIterable {
  case files, folders, items

  /// Pictures and texts count as files.
  package init(_ items: [DragItem]) {
    let groups = Set(items.lazy.map(ItemGroup.init))
    if groups == [.folder] {
      self = .folders
    } else {
      self = groups.isDisjoint(with: [.folder, .item]) ? .files : .items
    }
  }
}

/// A journal entry, as needed to announce its undo, its redo or a list.
package struct HistoryEntry: Hashable, Sendable {
  /// The entry number in the journal, as `keydrag undo --entry` takes it.
  package var number: Int64
  package var operation: DragOperation
  /// Up to 20 names of delivered items, safe to speak.
  package var names: [String]
  package var count: Int
  /// The target's name, safe to speak; empty for the trash.
  package var place: String
  /// Seconds since 1970; 0 before it is in the journal.
  package var time: Int64
  package var isUndone: Bool
  /// Whether the undo has left something.
  package var isPartlyUndone = false
  package var things = ItemNoun.items
  /// The folder that all of it came from, safe to speak; `nil` for several folders.
  package var origin: String?
  package var wayBack: WayBack
  /// The former name, if it was only a renaming.
  package var formerName: String?
  package var isFolderCreation = false
  /// Whether every item was a folder that was merged into one of the same name.
  package var isMerge = false
  /// The program that dropped it here, safe to speak; `nil` for this one.
  package var visitor: String?
  /// Up to 20 names of replaced items in the trash; the count is the total.
  package var replaced: [String] = []
  package var replacedCount = 0
  /// The folder made for the items, safe to speak, if it was undone with them.
  package var removedFolder: String?

  package init(
    number: Int64 = 0, operation: DragOperation, names: [String], count: Int, place: String,
    time: Int64 = 0, isUndone: Bool = false, wayBack: WayBack = .here
  ) {
    self.number = number
    self.operation = operation
    self.names = names
    self.count = count
    self.place = place
    self.time = time
    self.isUndone = isUndone
    self.wayBack = wayBack
  }
}

/// The party that can undo a delivery.
package enum WayBack: Hashable, Sendable {
  case here
  /// At most the program that was dropped on.
  case programs
  /// As ``programs``, if only the program reports that it took the drop and its effect is unknown.
  case taken
  /// As ``programs``, if it is unknown whether the program took the drop.
  case unconfirmed
}

package struct HistoryLine: Hashable, Sendable {
  package var entry: HistoryEntry
  /// Local date and time; the time alone for today.
  package var when: String
  /// The day of the week, 0 for Sunday, if it was in the last six days and not today.
  package var weekday: Int?
  /// Whether it was done before this run, or by another.
  package var isOlder: Bool

  package init(
    _ entry: HistoryEntry, when: String, weekday: Int? = nil, isOlder: Bool = false
  ) {
    self.entry = entry
    self.weekday = weekday
    self.when = when
    self.isOlder = isOlder
  }
}

package enum HistoryResult: Hashable, Sendable {
  case done(HistoryEntry)
  /// Some items came back; the others stay where they are, each with its reason.
  case partly(HistoryEntry, done: Int, failures: [DeliveryFailure])
  /// Without an entry if the journal itself can't be used.
  case refused(HistoryEntry?, Reason)
  case nothing

  package var hasChanged: Bool {
    switch self {
    case .done, .partly: true
    case .refused, .nothing: false
    }
  }
}

/// The recovery from an interrupted run by the next one.
package struct Recovery: Hashable, Sendable {
  package enum Result: String, Hashable, Sendable, CaseIterable {
    /// Everything ordered is done.
    case finished
    /// Everything is as before.
    case rolledBack = "rolled-back"
    /// Some items are at the target, the others at the source; none is lost.
    case partly
    /// Some of it is neither at the target nor at the source as it was.
    case unproved
    /// Unknown as its disk does not answer; reported again when it does.
    case waiting
  }
  package var entry: HistoryEntry
  package var result: Result
  /// Whether the entry was done and is still in effect, as after a failed undo.
  package var stands: Bool

  package init(entry: HistoryEntry, result: Result, stands: Bool = false) {
    self.entry = entry
    self.result = result
    self.stands = stands
  }
}
