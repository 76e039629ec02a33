/// A message as meaning; ``Phrasebook`` turns it into words.
///
/// Names in it are safe to speak. The cases and their arguments appear in the transcript.
package enum Announcement: Hashable, Sendable {
  /// `item`: the focused one, if known and not announced separately.
  case ready(container: String, counts: ItemCounts, item: NamedItem? = nil, isFirst: Bool)
  /// `percent`, `operation`: the progress and the operation of an item still being delivered.
  /// `isConfusable`: whether the name of another item looks and sounds the same.
  case item(
    name: String, kind: ItemKind, index: Int, total: Int, isSelected: Bool, percent: Int? = nil,
    operation: DragOperation? = nil, isConfusable: Bool = false)
  case empty(container: String)
  /// The container's contents are not known yet.
  case listing(container: String)
  case edge(Edge)
  case noMatch(text: String)
  /// The number of names that contain the text; without a text the filter has been removed.
  case filtered(text: String, count: Int, total: Int, isAsked: Bool = false)
  /// A character typed, deleted or moved to, a word ended by a blank, or all the deleted text;
  /// empty where there is no character.
  case echo(String)
  /// The folders that complete a path.
  case completed(names: [String], count: Int)
  /// `place`: the folder, which is named for reasons that are not about the name.
  case cannotName(name: String, Reason, place: String = "")
  case renamed(name: String, to: String)
  case facts(ItemFacts)
  case made(name: String, place: String)
  case selected(name: String?, count: Int)
  case deselected(name: String?, count: Int)
  case nothingToPickUp(Reason, name: String?)
  /// Picking up takes a while.
  case pickingUp(names: [String], count: Int)
  case pickedUp(PickUp)
  /// The number of accepting places, if unknown at the pick-up.
  case points(Int)
  case nothingAccepts(count: Int, alternatives: [Alternative], refusal: CommonRefusal? = nil)
  case added(names: [String], count: Int)
  case refusedToAdd(name: String, Reason)
  /// Several items to be added are held already.
  case heldAlready(names: [String], count: Int)
  case removed(name: String, count: Int)
  case dropPoint(DropPointReport)
  case details(
    accepted: [String], refused: [DeliveryFailure], undo: UndoPromise = .certain,
    isUncertain: Bool = false)
  case backAtSource(name: String)
  case opening(name: String)
  /// `hidden`: the number of items that are not listed.
  case opened(name: String, count: Int, holds: Content, hidden: Int = 0)
  case cannotOpen(name: String, Reason)
  case left(name: String)
  /// `count`: how many appeared, the first by its name; `isTotal` when some were announced before.
  case appeared(name: String, count: Int = 1, isTotal: Bool = false)
  /// `isNextSaid`: the next item follows in an announcement of its own.
  case vanished(name: String, next: String?, isNextSaid: Bool = false)
  /// `undo`: set when it is news about this place.
  case operation(DragOperation?, now: DragOperation?, undo: UndoPromise = .certain)
  case operationUnavailable(DragOperation, Reason)
  case confirm(Confirmation, choices: [Choice])
  /// `explains`: the consequence is heard for the first time in the run, or was asked for.
  case choice(Choice, index: Int, total: Int, explains: Bool = true)
  case declined(count: Int)
  /// A place refuses at the drop; in a session everything is still held.
  case refused(name: String, Reason, isHeld: Bool = true)
  case delivering(DragOperation, names: [String], count: Int, bytes: Int64?)
  /// No percentage when the total is unknown.
  case progress(percent: Int?, count: Int, of: Int, bytes: Int64, names: [String])
  case delivered(DeliveredReport)
  case partlyDelivered(DeliveredReport)
  /// - Parameters:
  ///   - question: the question that the program asks first, if any.
  ///   - isTaken: whether the program reports that it has the items.
  ///   - gone: the items that have left their place, whoever removed them.
  case unconfirmed(
    names: [String], count: Int, place: String, question: ProgramQuestion? = nil,
    isTaken: Bool = false, gone: [String] = [], app: String? = nil)
  case failed(names: [String], count: Int, Reason)
  /// `next`: the focused item, if the person is not at the carried one; empty if there is none.
  case cancelled(names: [String], count: Int, next: String? = nil)
  /// The window that has the keyboard: a new one while something is held, or the current one at the
  /// end of a drag, without a holding.
  case keyboard(name: String, app: String?, Holding? = nil)
  /// The numbers of completed and remaining items; both are 0 if only part of a folder is done.
  ///
  /// - Parameter untouched: the operation, if nothing at all was done.
  case deliveryCancelled(
    names: [String], done: Int, remaining: Int, untouched: DragOperation? = nil)
  case task(TaskPoint, program: String?, TaskStage)
  /// No delivery has brought anything yet.
  case nothingLanded
  /// The result of a drop into a program is in front; the new place of the person.
  case shown(RevealedLanding)
  /// A delivery was to be cancelled, but its program has all of it.
  case tooLate(names: [String], count: Int)
  case moved(name: String, index: Int, total: Int)
  /// `chord`: the key to add items on a desktop, where the keys of a list are other programs'.
  case mode(Mode, isOn: Bool, isFirst: Bool = false, chord: KeyStroke? = nil)
  case undone(HistoryEntry, done: Int, isLate: Bool = false)
  case redone(HistoryEntry, done: Int, isLate: Bool = false)
  /// An undo or redo that takes a while.
  case undoing(isRedo: Bool)
  case nothingToUndo
  case nothingToRedo
  case cannotUndo(HistoryEntry?, Reason, remaining: [String], isRedo: Bool = false)
  case recovered(Recovery)
  case holding(Holding)
  /// As a list to walk, or all at once if its keys can't be grabbed.
  case help([HelpLine], isList: Bool = false)
  /// Mentions help only if its key is ours to grab.
  case unknownKey(KeyStroke, hasHelp: Bool = true)
  case problem(Problem)
  case sessionEnded(Reason, name: String?)
  case goodbye
  /// The stroke now picks up the focused item of other programs.
  case agentReady(KeyStroke)
  /// Letters go to a drop point by its name, until Enter or Escape.
  case finding
  case lesson(Lesson)
  /// An outcome brought about here by another program, or confirmed only by it.
  indirect case ofProgram(ProgramPart, Announcement)
}

/// The part of another program in an outcome; its name is safe to speak.
package enum ProgramPart: Hashable, Sendable {
  /// It dropped something here.
  case visitor(String)
  /// It reports the outcome of a drop into it.
  case witness(String)
}

/// An item in a message about more than the item.
package struct NamedItem: Hashable, Sendable {
  package var name: String
  package var kind: ItemKind
  /// Whether the name of another item looks and sounds the same.
  package var isConfusable = false

  package init(name: String, kind: ItemKind) { (self.name, self.kind) = (name, kind) }
}

package enum Lesson: Hashable, Sendable {
  /// There is a tutorial.
  case mention
  /// The next step and its number; the first one with the key that leaves.
  case step(HelpLine, index: Int, total: Int, leaving: KeyStroke? = nil)
  case finished(leaving: KeyStroke)
}

package enum Edge: String, Hashable, Sendable, CaseIterable {
  case first, last, top
}

package enum Content: Hashable, Sendable {
  case items, dropPoints
}

package enum Alternative: Hashable, Sendable {
  case trash
  case print
  case openWith(program: String)
  case openFolder
  case openWindow
  /// It can't be moved.
  case copy
}

/// Why most places refuse, when none accepts.
package struct CommonRefusal: Hashable, Sendable {
  package var reason: Reason
  package var places: [String]
}

/// A pick-up and, if known, how many places accept.
package struct PickUp: Hashable, Sendable {
  package var names: [String]
  /// The type name of a single item.
  package var typeName: String
  package var kinds: [KindCount]
  package var count: Int
  package var operation: DragOperation?
  /// `nil` when some places have not answered.
  package var points: Int?
  package var isFirst: Bool
}

/// The number of carried items of one kind ("3 pictures").
package struct KindCount: Hashable, Sendable {
  package var group: ItemGroup
  package var count: Int

  /// The number of each kind, in order of first appearance.
  static func count(_ items: [DragItem]) -> [KindCount] {
    var result: [KindCount] = []
    for item in items {
      let group = ItemGroup(item)
      if let index = result.firstIndex(where: { $0.group == group }) {
        result[index].count += 1
      } else {
        result.append(KindCount(group: group, count: 1))
      }
    }
    return result
  }
}

package enum ItemGroup: Hashable, Sendable, CaseIterable {
  case folder, picture, video, sound, text, file, link, item

  init(_ item: DragItem) {
    switch item.kind {
    case .folder, .folderLink: self = .folder
    case .link, .brokenLink: self = .link
    case .object, .placeholder: self = .item
    case .file, .special:
      self =
        switch item.types.first?.prefix(while: { $0 != "/" }) {
        case "image": .picture
        case "video": .video
        case "audio": .sound
        case "text": .text
        default: .file
        }
    }
  }
}

package struct DropPointReport: Hashable, Sendable {
  package var name: String
  package var container: String?
  package var app: String?
  /// `nil` for the source, and for a container as such.
  package var position: DropPosition?
  /// For a place between two items: the names on either side.
  package var after: String?
  package var before: String?
  package var task: TaskPoint?
  package var verdict: Verdict
  package var count: Int
  package var index: Int?
  package var total: Int?
  /// Whether the undo has been announced in this drag and is not repeated.
  package var isUndoKnown = false
  /// Whether the name of another place looks and sounds the same.
  package var isConfusable = false
  /// Whether the place has just been described, so that its name is enough.
  package var isPlaceKnown = false
  /// Whether the previous place is in the same container.
  package var isContainerKnown = false
  /// Whether bookmarks and the like begin here, after places of another kind.
  package var beginsShortcuts = false
  package var isOnAnotherWorkspace = false

  package init(
    name: String, container: String? = nil, app: String? = nil, position: DropPosition? = .on,
    verdict: Verdict, count: Int, index: Int? = nil, total: Int? = nil
  ) {
    (self.name, self.container, self.app) = (name, container, app)
    (self.position, self.verdict) = (position, verdict)
    (self.count, self.index, self.total) = (count, index, total)
  }
}

/// What a drop at a place would do, as far as it is known.
package struct Verdict: Hashable, Sendable {
  /// The word for it in the transcript.
  package enum Word: String, Hashable, Sendable, CaseIterable {
    case accept, partial, refuse, maybe, asking, cancel, forbidden
  }

  package var word: Word
  /// `nil` where nothing would be done.
  package var operation: DragOperation?
  package var accepted = 0
  package var refused: [Int: Reason] = [:]
  /// The reason for all, or for the first of them.
  package var reason: Reason?
  package var prediction: Prediction?
  package var irreversible: Reason?
  /// Whether the program there can undo a drop.
  package var undo = UndoPromise.certain
  /// The position in the text at which the drop lands; `nil` if unknown.
  package var textPosition: TextPosition?
  /// Whether it lands in one of several lines, and which one can't be known.
  package var isTextPositionUnknown = false

  package init(_ word: Word, _ reason: Reason? = nil) { (self.word, self.reason) = (word, reason) }
}

/// A question before a drop, or a menu.
package enum Confirmation: Hashable, Sendable {
  case clash(names: [String], place: String)
  /// Folders to be merged: the names that both contain.
  case clashInside(names: [String], isWhole: Bool)
  case partial(accepted: Int, count: Int, place: String, isUncertain: Bool = false)
  case irreversible(Reason, operation: DragOperation, place: String)
  case actions(names: [String], count: Int)
  case deliveries(count: Int)
  /// Past deliveries, newest first.
  case history(count: Int)
  /// Part of a name is typed.
  case filter
  /// The path of a folder is typed.
  case goTo
  case newFolder(place: String)
  case rename(name: String)
  /// A place's answers for `count` items, one by one; without a place, the held items.
  case details(place: String?, count: Int)
  case position(name: String, count: Int)
  case help
  /// Undo would go back before this session.
  case olderUndo(HistoryLine)
  /// The session is to end while this many deliveries are running.
  case quitting(count: Int)
}

package enum Choice: Hashable, Sendable {
  case keepBoth, replace, skip
  case merge
  case keepHolding
  /// The first line of the actions, which does nothing: Enter opens the menu, and a held Enter
  /// lands on it.
  case leave
  case dropAccepted(count: Int, refused: Int)
  case proceed(DragOperation)
  case transferTo(DragOperation)
  case reorder(Reordering)
  case moveToPosition
  case rename
  /// Opens the line for the name of the dropped item.
  case newName
  /// Counts from 1.
  case position(Int, of: Int)
  case openWith(program: String)
  case print
  case trash
  case clipboard
  case delivery(DeliveryID, DragOperation, names: [String], count: Int, percent: Int?)
  case line(String, isSelected: Bool = false)
  case held(name: String, Verdict)
  case goToQuestion, goToLanded
  case undo, redo, history, quit
  /// Ends the session after the running deliveries; ends it after cancelling and undoing them.
  case endAfter, endAndTakeBack
  case entry(HistoryLine)
  case help(HelpLine)
}

package enum Reordering: String, Hashable, Sendable, CaseIterable {
  case up, down, top, bottom
}

package enum TaskStage: String, Hashable, Sendable, CaseIterable {
  case started, finished, failed
}

package enum Mode: String, Hashable, Sendable, CaseIterable {
  case hidden
  case refusing
  case edit
  case adding
}

/// A completed delivery, and the person's current place.
package struct DeliveredReport: Hashable, Sendable {
  package var operation: DragOperation
  package var names: [String]
  package var place: String
  /// The program of the place, if it is another one.
  package var app: String?
  /// The place that was dropped on, if everything went somewhere else.
  package var missed: String?
  /// Without a text position that is the announced one.
  package var result: DeliveryResult
  /// Whether what was not delivered was skipped, as the person chose.
  package var isSkipping = false
  /// The position of the first one in an ordered list.
  package var index: Int?
  package var total: Int?
  package var things = ItemNoun.items
  package var task: TaskPoint?
  /// The focused item, if focus has moved on because of this drop.
  package var next: String?
  /// The key for undo, if the person has not heard of it yet.
  package var undoKey: KeyStroke?
}

/// The held items, the current place, and the effect of a drop there.
package struct Holding: Hashable, Sendable {
  package var names: [String]
  package var count: Int
  /// Without a name before the pick-up is complete; `nil` while nothing is held.
  package var place: DropPointReport?
  /// Whether it was picked up by the key that drops, which drops only after another key.
  package var isDropKeyBlocked = false
}

package enum HelpLine: Hashable, Sendable {
  /// A key and its command, whose description may depend on the phase.
  case key(KeyStroke, CommandName, in: PhaseName = .browsing)
  case lineKey(KeyStroke, CommandName)
  /// The key after which a name may be typed, if letters can't be grabbed.
  case finder(KeyStroke)
  /// A procedure that takes several keys, in order.
  case howTo(HowTo, keys: [KeyStroke])

  package var isSentence: Bool { if case .howTo = self { true } else { false } }
}

/// A task that people ask for and that no single key does.
package enum HowTo: String, Hashable, Sendable, CaseIterable {
  case sortMany, carryFromSeveral, undoLast, nameClash
}
