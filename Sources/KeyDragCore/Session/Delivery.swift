/// The policy for a name that exists at the target.
package enum ClashPolicy: String, Hashable, Sendable, CaseIterable {
  /// The new one gets an unused name; nothing is touched.
  case keepBoth = "keep-both"
  /// The old one goes to the trash.
  case replace
  /// The clashing item stays where it is.
  case skip
  /// Nothing is delivered when any name clashes.
  case fail
  /// Folders of one name become one; other things are both kept.
  case merge
  /// Folders of one name become one; other things are replaced.
  case mergeReplacing = "merge-replace"
  /// Folders of one name become one; other things stay where they are.
  case mergeSkipping = "merge-skip"

  /// Whether folders of one name become one.
  package var mergesFolders: Bool {
    switch self {
    case .merge, .mergeReplacing, .mergeSkipping: true
    case .keepBoth, .replace, .skip, .fail: false
    }
  }
}

/// How a delivery is made.
package enum Route: String, Hashable, Sendable, CaseIterable {
  case files
  case process
  case peer
  case xdnd
  case menu
  case pointer
}

/// A confirmed drop, to be carried out.
package struct DeliveryOrder: Hashable, Sendable {
  package var items: [DragItem]
  package var stop: DropStop
  package var operation: DragOperation
  package var clash: ClashPolicy
  /// The name that the one item gets, or the folder that is made for all of them.
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

/// How a delivery ended.
package enum DeliveryOutcome: String, Hashable, Sendable, CaseIterable {
  case delivered
  case partly
  case refused
  case failed
  case cancelled
  case unconfirmed
}

/// The place at which one item landed.
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

/// Where the last delivery landed: its items are selected at their target until the next one.
struct Landed {
  var items: [Landing] = []
  /// The delivery, where what it brought is in a window of another program and can be gone to.
  var window: DeliveryID?
}

/// One item that was not delivered, and why.
package struct DeliveryFailure: Hashable, Sendable {
  /// The item's name, safe to speak.
  package var name: String
  package var reason: Reason

  package init(name: String, reason: Reason) {
    self.name = name
    self.reason = reason
  }
}

/// How far a delivery is. Counts are items as the person carried them; bytes are of file contents.
package struct DeliveryProgress: Hashable, Sendable {
  package var itemsDone: Int
  package var bytesDone: Int64
  /// `nil` until the sources have been measured, and for what nobody knows the length of.
  package var bytesTotal: Int64?
  /// How far it is, 0 to 1000, where a loader tells that and no bytes.
  package var thousandths: Int?
  /// How long it has been at it, in milliseconds; `nil` where nobody has looked.
  package var milliseconds: Int64?

  /// `nil` before it has run for a second: what a disk takes first says little of it.
  package var bytesPerSecond: Int64? {
    guard let milliseconds, milliseconds >= 1000, bytesDone > 0 else { return nil }
    let rate = Double(bytesDone) / (Double(milliseconds) / 1000)
    return rate < 1e15 ? Int64(rate) : nil
  }

  /// How long the rest takes at the pace so far; `nil` where that is not known, or more than four days.
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

/// A program's question or word about a drop that it has taken.
package enum ProgramQuestion: Hashable, Sendable {
  /// In a window of its own, perhaps; the title is safe to speak, and changes while it is open.
  case window(String)
  /// In a window that waits for the answer; its title and the words of its buttons are safe to speak,
  /// and empty where it has none.
  case dialog(String, hasKeyboard: Bool, buttons: [String] = [])
  /// In a menu, which has no name.
  case menu
  /// It asks nothing, and tells something: its own words, and the title of a window that has come with
  /// them, empty where none has; both are safe to speak.
  case tells(String, window: String)
  /// It was asked and answered, and nothing of the drop is to be seen where it would be.
  case answered

  /// Whether the keys go to it, as far as is known.
  package var hasKeyboard: Bool {
    if case .dialog(_, let hasKeyboard, _) = self { hasKeyboard } else { true }
  }
}

/// The effect of a drop in a program.
package enum DeliveryEffect: Hashable, Sendable {
  /// The operation that was ordered.
  case ordered
  /// Another operation than the ordered one: programs ask in menus of their own.
  case performed(DragOperation)
  /// Nothing of files but their paths was written there, as text.
  case pathsWritten
  /// A document of this program bears the item's name now; the program's name is safe to speak.
  case opened(program: String)
  /// The items are listed there by their names; nothing was copied.
  case listed
  /// Nothing but the program's word says that it took the items.
  case taken
  /// Everything was there already, and is as it was.
  case nothing

  /// The operation that is told, where it is not the ordered one.
  package var operation: DragOperation? {
    switch self {
    case .ordered, .pathsWritten, .listed, .taken, .nothing: nil
    case .performed(let operation): operation
    case .opened: .open
    }
  }
}

/// How a delivery ended, in full.
package struct DeliveryResult: Hashable, Sendable {
  package var outcome: DeliveryOutcome
  package var route: Route
  /// How many of the ordered items arrived whole.
  package var delivered: Int
  /// How many things arrived, inside folders that became one with others too; `nil` where that is not
  /// counted.
  package var pieces: Int?
  package var failures: [DeliveryFailure]
  package var bytes: Int64
  package var totalBytes: Int64
  /// Whether what landed was checked at the target.
  package var verified: Bool
  /// The present places of the delivered items, in order.
  package var landings: [Landing]
  /// Names given instead of the wished ones, to keep both.
  package var renamed: [String]
  /// The things that had the name before and are in the trash now, safe to speak.
  package var replaced: [String] = []
  /// Things that could not be kept, said once: names of attributes, safe to speak.
  package var lostAttributes: [String]
  /// The parts of folders that arrived which stayed where they are, by name.
  package var leftOut: [DeliveryFailure]
  /// How many files have gone beside those, in folders or by themselves; 0 where nobody counts.
  package var others = 0
  /// The question that the program asks, or has asked, before it does anything with a drop.
  package var question: ProgramQuestion?
  /// The history's number for it, where it has one.
  package var entry: Int64?
  /// Whether nothing but the word of the program that it was dropped into says so.
  package var isWordOfProgram = false
  /// The effect that was seen, where it is not what was ordered.
  package var effect = DeliveryEffect.ordered
  /// The folder in which all of it landed, where that is not the place it was dropped on; safe to speak.
  package var elsewhere: String?
  /// The window that is told in the place of a row of it, which may have taken for that; safe to speak.
  package var window: String?
  /// The position at which all of it has come to stand in a text, where that was seen.
  package var textPosition: TextPosition?

  /// Whether what got another name lies in what was delivered, or is one of several things.
  package var renamesInside: Bool {
    landings.count > 1 || landings.first.map { $0.name != renamed.first } ?? false
  }

  package init(
    outcome: DeliveryOutcome, route: Route, delivered: Int, failures: [DeliveryFailure] = [],
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
}

/// An event of a running delivery.
package enum DeliveryEvent: Hashable, Sendable {
  /// Measured and begun.
  case started(DeliveryProgress)
  case progressed(DeliveryProgress)
  /// A program that was given the items asks the person what to do with them.
  case asks(ProgramQuestion)
  /// It was to be cancelled and goes on: the program has been given all of it.
  case goesOn
  case finished(DeliveryResult)
}

/// The place of a person who has gone to what a delivery brought.
package struct ShownLanding: Hashable, Sendable {
  /// The name of the element in focus now; the window's name where nothing in it could be.
  package var name: String
  /// The window that it is in; `nil` for the window itself.
  package var container: String?
  package var app: String?

  package init(name: String, container: String? = nil, app: String? = nil) {
    self.name = name
    self.container = container
    self.app = app
  }
}

/// The words for several things together.
package enum ItemNoun: Hashable, Sendable, CaseIterable {
  case files, folders, items

  /// `nil` groups make no difference: pictures and texts are files.
  package init(_ items: [DragItem]) {
    let groups = Set(items.lazy.map(ItemGroup.init))
    if groups == [.folder] {
      self = .folders
    } else {
      self = groups.isDisjoint(with: [.folder, .item]) ? .files : .items
    }
  }
}

/// One entry of the journal, as it is named when it is undone, redone or listed.
package struct HistoryEntry: Hashable, Sendable {
  /// The journal's number for it, as `keydrag undo --entry` takes it.
  package var number: Int64
  package var operation: DragOperation
  /// Up to 20 names of what was delivered, safe to speak.
  package var names: [String]
  /// How many items were delivered.
  package var count: Int
  /// The target's name, safe to speak; empty for the trash.
  package var place: String
  /// Seconds since 1970.
  package var time: Int64
  /// Whether it has been undone (so that redo applies).
  package var isUndone: Bool
  /// The word for several of them.
  package var things = ItemNoun.items
  /// The folder that all of it came from, safe to speak; `nil` where there were several.
  package var origin: String?
  /// The party that can undo it.
  package var wayBack = WayBack.here
  /// Set where it only gave another name: the one before.
  package var formerName: String?
  /// Whether it made a folder.
  package var isMaking = false
  /// The program that dropped it here, safe to speak; `nil` for this one.
  package var visitor: String?
  /// Up to 20 names of what gave way and went to the trash, and how many there are.
  package var replaced: [String] = []
  package var replacedCount = 0

  package init(
    number: Int64, operation: DragOperation, names: [String], count: Int, place: String,
    time: Int64, isUndone: Bool
  ) {
    self.number = number
    self.operation = operation
    self.names = names
    self.count = count
    self.place = place
    self.time = time
    self.isUndone = isUndone
  }
}

/// The party that can take back a delivery.
package enum WayBack: Hashable, Sendable {
  case here
  /// The program into which it was dropped, at most.
  case programs
  /// The same, where only the program's word says that it took it, and nobody can see what it made of it.
  case taken
  /// The same, where it is not even known whether the program took it.
  case unconfirmed
}

/// One line of the list of what was done.
package struct HistoryLine: Hashable, Sendable {
  package var entry: HistoryEntry
  /// Day and time where the person is; the time alone for what was done today.
  package var when: String
  /// The day of the week, 0 for Sunday, where it was in the last six days and not today.
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

/// The result of an undo or a redo.
package enum HistoryResult: Hashable, Sendable {
  case done(HistoryEntry)
  /// Some items came back, the others stay where they are, each with its reason.
  case partly(HistoryEntry, done: Int, failures: [DeliveryFailure])
  case refused(HistoryEntry, Reason)
  case nothing
  /// The journal itself cannot be used.
  case unavailable(Reason)
}

/// The recovery of a run that ended in the middle, by the next one.
package struct Recovery: Hashable, Sendable {
  package enum Result: String, Hashable, Sendable, CaseIterable {
    /// Everything that was ordered is done.
    case finished
    /// Everything is as before.
    case rolledBack = "rolled-back"
    /// Some items are at the target, the others at the source; none is lost.
    case partly
    /// Some of it is neither at the target nor at the source as it was.
    case unproved
    /// Not known yet: its disk does not answer. It is told again when it does.
    case waiting
  }
  package var entry: HistoryEntry
  package var result: Result
  /// Whether what the entry names was done and is so still, as before an undo that came to nothing.
  package var stands: Bool

  package init(entry: HistoryEntry, result: Result, stands: Bool = false) {
    self.entry = entry
    self.result = result
    self.stands = stands
  }
}
