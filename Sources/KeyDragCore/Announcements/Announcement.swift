/// A meaning to convey. Its wording in one language is a phrase, made by ``Phrasebook``.
///
/// Names in it are safe to speak. The cases and their arguments are those of the transcript.
package enum Announcement: Hashable, Sendable {
  /// `item`: the one in focus, where it is known and not told by an announcement of its own.
  case ready(container: String, counts: ItemCounts, item: NamedItem? = nil, isFirst: Bool)
  /// `percent`, `operation`: how far it is and what brings it, where it is only on its way. `isAlike`:
  /// whether another one's name beside it looks and sounds the same.
  case item(
    name: String, kind: ItemKind, index: Int, total: Int, isSelected: Bool, percent: Int? = nil,
    operation: DragOperation? = nil, isAlike: Bool = false)
  case empty(container: String)
  /// A container whose contents are not known yet.
  case listing(container: String)
  case edge(Edge)
  case noMatch(text: String)
  /// How many of all there are have the text in their names; no text: there is no filter any more.
  case filtered(text: String, count: Int, total: Int, isAsked: Bool = false)
  /// A sign that was typed, taken away or come to, a word that a blank has ended, or all that was taken
  /// away; empty where no sign is.
  case echo(String)
  /// The folders that a path can become.
  case completed(names: [String], count: Int)
  /// Nothing can be called so here.
  case cannotName(name: String, Reason)
  case renamed(name: String, to: String)
  /// Details of the item in focus.
  case facts(ItemFacts)
  /// There is a new folder.
  case made(name: String, place: String)
  case selected(name: String?, count: Int)
  case deselected(name: String?, count: Int)
  case nothingToPickUp(Reason, name: String?)
  /// Types are being fixed, which takes its time.
  case pickingUp(names: [String], count: Int)
  case pickedUp(PickUp)
  /// How many places accept, where that was not known at the pick-up.
  case points(Int)
  case nothingAccepts(count: Int, alternatives: [Alternative], refusal: CommonRefusal? = nil)
  case added(names: [String], count: Int)
  case refusedToAdd(name: String, Reason)
  /// Several were to be added that are held already.
  case heldAlready(names: [String], count: Int)
  case removed(name: String, count: Int)
  case dropPoint(DropPointReport)
  case details(
    accepted: [String], refused: [DeliveryFailure], undo: UndoPromise = .certain,
    isUncertain: Bool = false)
  case backAtSource(name: String)
  /// A place has been told to open, and takes its time.
  case opening(name: String)
  case opened(name: String, count: Int, holds: Content)
  case cannotOpen(name: String, Reason)
  case left(name: String)
  /// `count`: how many did, the first of them by its name; `isTotal` where some of them have been told.
  case appeared(name: String, count: Int = 1, isTotal: Bool = false)
  /// `isNextSaid`: the next one follows in an announcement of its own.
  case vanished(name: String, next: String?, isNextSaid: Bool = false)
  /// `undo`: what the person did not know of this place.
  case operation(DragOperation?, now: DragOperation?, undo: UndoPromise = .certain)
  case operationUnavailable(DragOperation, Reason)
  case confirm(Confirmation, choices: [Choice])
  /// `explains`: the person hears of its consequence for the first time in the run, or asks for it.
  case choice(Choice, index: Int, total: Int, explains: Bool = true)
  case declined(count: Int)
  /// A place refuses at the drop; in a session everything is held still.
  case refused(name: String, Reason, isHeld: Bool = true)
  case delivering(DragOperation, names: [String], count: Int, bytes: Int64?)
  /// Without a percentage where nobody knows how much there will be.
  case progress(percent: Int?, count: Int, of: Int, bytes: Int64, names: [String])
  case delivered(DeliveredReport)
  case partlyDelivered(DeliveredReport, failures: [DeliveryFailure])
  /// - Parameters:
  ///   - question: what the program asks first, where it does.
  ///   - isTaken: whether the program says that it has the items.
  ///   - gone: those of them that have left their place, whoever took them from there.
  case unconfirmed(
    names: [String], count: Int, place: String, question: ProgramQuestion? = nil,
    isTaken: Bool = false, gone: [String] = [], app: String? = nil)
  case failed(names: [String], count: Int, Reason)
  /// `next`: the item in focus, where the person is not at what was carried; empty where there is none.
  case cancelled(names: [String], count: Int, next: String? = nil)
  /// The window that has the keyboard: another than before while something is held, or at the end of a
  /// drag, where nothing is held any more.
  case keyboard(name: String, app: String?, Holding? = nil)
  /// The items done and those that are not; both are 0 where nothing is done but a part of a
  /// folder.
  ///
  /// - Parameter untouched: set where nothing at all was done: what was to be.
  case deliveryCancelled(
    names: [String], done: Int, remaining: Int, untouched: DragOperation? = nil)
  case task(TaskPoint, program: String?, TaskStage)
  /// There is nothing to go to: no delivery has brought anything yet.
  case nothingLanded
  /// The effect of a drop into a program is in front, and the person is at the place told here.
  case shown(ShownLanding)
  /// A delivery was to be cancelled, and its program has all of it.
  case tooLate(names: [String], count: Int)
  case moved(name: String, index: Int, total: Int)
  /// The chord is the one that adds on a desktop, where the keys of a list are other programs'.
  case mode(Mode, isOn: Bool, isFirst: Bool = false, chord: KeyStroke? = nil)
  case undone(HistoryEntry, done: Int, isLate: Bool = false)
  case redone(HistoryEntry, done: Int, isLate: Bool = false)
  case nothingToUndo
  case nothingToRedo
  case cannotUndo(HistoryEntry?, Reason, remaining: [String], isRedo: Bool = false)
  case recovered(Recovery)
  case holding(Holding)
  /// The finder is the key after which a name may be typed, where letters are not ours.
  /// The help: as a list that is walked, or all of it at once where its keys are not ours to take.
  case help([HelpLine], isList: Bool = false)
  /// Help is named only where its key is ours to take.
  case unknownKey(KeyStroke, hasHelp: Bool = true)
  case problem(Problem)
  case sessionEnded(Reason, name: String?)
  case goodbye
  /// The thing in focus outside can be picked up with this stroke from now on.
  case agentReady(KeyStroke)
  /// Letters go to a drop point by its name from now on, until Enter or Escape.
  case finding
  /// A part of the tour for somebody who has never dragged by key.
  case lesson(Lesson)
  /// An outcome that another program has brought about here, or that it alone vouches for.
  indirect case ofProgram(ProgramPart, Announcement)
}

/// The part of another program in an outcome; its name is safe to speak.
package enum ProgramPart: Hashable, Sendable {
  /// It has dropped something here.
  case visitor(String)
  /// It says so of a drop into it.
  case witness(String)
}

/// An item in a message that tells more than the item.
package struct NamedItem: Hashable, Sendable {
  package var name: String
  package var kind: ItemKind
  /// Whether another one's name beside it looks and sounds the same.
  package var isAlike = false

  package init(name: String, kind: ItemKind) { (self.name, self.kind) = (name, kind) }
}

/// The next lesson of the tour.
package enum Lesson: Hashable, Sendable {
  /// There is a tour.
  case mention
  /// The next step and its number; with the key that leaves, where it is the first.
  case step(HelpLine, index: Int, total: Int, leaving: KeyStroke? = nil)
  /// All of it has been done.
  case finished(leaving: KeyStroke)
}

/// Which end was reached.
package enum Edge: String, Hashable, Sendable, CaseIterable {
  case first, last, top
}

/// The kind of contents of a container that was opened.
package enum Content: Hashable, Sendable {
  case items, dropPoints
}

/// A way out where nothing accepts the items.
package enum Alternative: Hashable, Sendable {
  case trash
  case print
  case openWith(program: String)
  case openFolder
  case openWindow
  /// It can't be moved.
  case copy
}

/// Why most places refuse, where none accepts.
package struct CommonRefusal: Hashable, Sendable {
  package var reason: Reason
  /// The places that give it, by their names.
  package var places: [String]
}

/// A pick-up and, where they are known, how many places accept.
package struct PickUp: Hashable, Sendable {
  package var names: [String]
  /// The type in words of a single item.
  package var typeName: String
  /// The kinds of items, and how many there are of each.
  package var kinds: [KindCount]
  package var count: Int
  package var operation: DragOperation?
  /// `nil` where not all places have answered.
  package var points: Int?
  package var isFirst: Bool
}

/// How many carried items are of one kind ("3 pictures").
package struct KindCount: Hashable, Sendable {
  package var group: ItemGroup
  package var count: Int

  /// The make-up of what is carried, in the order the kinds come.
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

/// The groups by which people count things.
package enum ItemGroup: Hashable, Sendable, CaseIterable {
  case folder, picture, video, sound, text, file, link, item

  /// The group of an item, by its kind and its best type.
  init(_ item: DragItem) {
    switch item.kind {
    case .folder, .folderLink: self = .folder
    case .link: self = .link
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

/// The report that is heard at a drop point.
package struct DropPointReport: Hashable, Sendable {
  package var name: String
  package var container: String?
  package var app: String?
  package var position: DropPosition
  /// For a place between two items: the names on either side.
  package var after: String?
  package var before: String?
  package var task: TaskPoint?
  package var verdict: Verdict
  package var operation: DragOperation?
  package var accepted: Int
  package var count: Int
  package var index: Int?
  package var total: Int?
  package var reason: Reason?
  package var prediction: Prediction?
  package var irreversible: Reason?
  /// Whether the program there has a way back from a drop.
  package var undo = UndoPromise.certain
  /// Whether that has been said in this drag, so that it need not be said here again.
  package var isUndoKnown = false
  /// Whether the name of another place beside it looks and sounds the same.
  package var isAlike = false
  /// Whether it has just been said where the place is, so that its name is enough.
  package var isPlaceKnown = false
  /// Whether the last place that was heard is in the same container.
  package var isContainerKnown = false
  /// Whether the person comes to it from a place of another kind: bookmarks and the like begin here.
  package var beginsShortcuts = false
  /// Whether its window lies on another workspace than the one that is shown.
  package var isOnAnotherWorkspace = false
  /// The position in the text at which the drop lands; `nil` where that is not known.
  package var textPosition: TextPosition?
  /// Whether it comes to stand in one of several lines, and in which can't be known.
  package var isTextPositionUnknown = false

  package init(
    name: String, container: String? = nil, app: String? = nil, position: DropPosition = .on,
    after: String? = nil, before: String? = nil, task: TaskPoint? = nil, verdict: Verdict,
    operation: DragOperation? = nil, accepted: Int = 0, count: Int, index: Int? = nil,
    total: Int? = nil, reason: Reason? = nil, prediction: Prediction? = nil,
    irreversible: Reason? = nil
  ) {
    (self.name, self.container, self.app) = (name, container, app)
    (self.position, self.after, self.before) = (position, after, before)
    (self.task, self.verdict, self.operation) = (task, verdict, operation)
    (self.accepted, self.count, self.index, self.total) = (accepted, count, index, total)
    (self.reason, self.prediction, self.irreversible) = (reason, prediction, irreversible)
  }
}

/// A verdict by the word that the transcript uses.
package enum Verdict: String, Hashable, Sendable, CaseIterable {
  case accept, partial, refuse, maybe, asking, cancel, forbidden
}

/// A question before a drop, or a menu that is walked.
package enum Confirmation: Hashable, Sendable {
  case clash(names: [String], place: String)
  /// Folders are to become one: the names that both have inside.
  case clashInside(names: [String], isWhole: Bool)
  case partial(accepted: Int, count: Int, place: String, isUncertain: Bool = false)
  case irreversible(Reason, operation: DragOperation, place: String)
  case actions(names: [String], count: Int)
  case deliveries(count: Int)
  /// The past deliveries, newest first.
  case history(count: Int)
  /// Part of a name is typed.
  case filter
  /// The path of a folder is typed.
  case goTo
  /// The name of a new folder is typed.
  case newFolder(place: String)
  /// The new name of an item is typed.
  case rename(name: String)
  /// The answers of a place to `count` items, one by one; no place: the items held.
  case details(place: String?, count: Int)
  /// Which position an item is to have among `count`.
  case position(name: String, count: Int)
  case help
  /// Undo would go further back than this session.
  case olderUndo(HistoryLine)
  /// The session is to end while this many deliveries run.
  case quitting(count: Int)
}

/// One answer to a confirmation, or one line of a menu.
package enum Choice: Hashable, Sendable {
  case keepBoth, replace, skip
  /// Folders of one name become one.
  case merge
  case keepHolding
  /// The first line of the actions, which does nothing: Enter opens them, and a held one takes it.
  case leave
  case dropAccepted(count: Int, refused: Int)
  case proceed(DragOperation)
  case transferTo(DragOperation)
  case reorder(Reordering)
  /// Opens the question for a position.
  case moveToPosition
  /// Opens the line for a new name.
  case rename
  /// Opens the line for the name that the dropped item gets.
  case newName
  /// Counts from 1.
  case position(Int, of: Int)
  case openWith(program: String)
  case print
  case trash
  case clipboard
  case delivery(DeliveryID, DragOperation, names: [String], count: Int, percent: Int?)
  /// The text that has been typed.
  case line(String, isSelected: Bool = false)
  /// One item that is held, and what the place says to it.
  case held(name: String, ItemVerdict)
  case goToQuestion, goToLanded
  case undo, redo, history, quit
  /// The session ends when what runs is done; it stops that, and takes back what is done of it.
  case endAfter, endAndTakeBack
  case entry(HistoryLine)
  case help(HelpLine)
}

/// The answer of a place to one of the items held.
package enum ItemVerdict: Hashable, Sendable {
  /// There is no place, or it has not answered.
  case unknown
  case accepted
  /// A program says yes to everything.
  case maybe
  case refused(Reason)
}

/// The direction in which an item is moved in an ordered container.
package enum Reordering: String, Hashable, Sendable, CaseIterable {
  case up, down, top, bottom
}

/// How a task goes.
package enum TaskStage: String, Hashable, Sendable, CaseIterable {
  case started, finished, failed
}

/// Ways of showing and walking that are switched.
package enum Mode: String, Hashable, Sendable, CaseIterable {
  case hidden
  case refusing
  case edit
  case adding
}

/// A delivery that arrived, and the person's present place.
package struct DeliveredReport: Hashable, Sendable {
  package var operation: DragOperation
  package var names: [String]
  package var count: Int
  package var place: String
  /// The program that the place is in, where it is another one.
  package var app: String?
  /// The place that was dropped on, where all of it has gone to another one.
  package var missed: String?
  /// New names given to keep both.
  package var renamed: [String]
  /// Whether those lie in what was delivered, or are some of several.
  package var renamesInside = false
  /// The things that had the name before and gave way.
  package var replaced: [String] = []
  /// The position in an ordered list, of the first of several.
  package var index: Int?
  package var total: Int?
  /// The parts of folders that arrived which stayed where they are.
  package var leftOut: [DeliveryFailure] = []
  /// How many files have gone beside those; 0 where nobody counts.
  package var others = 0
  /// The word for several of them.
  package var things = ItemNoun.items
  package var effect = DeliveryEffect.ordered
  /// The position at which it has come to stand in a text, where that is not what was heard before.
  package var textPosition: TextPosition?
  package var task: TaskPoint?
  /// The item in focus, when focus has moved on because of this drop.
  package var next: String?
  /// The key that leads to undo, where the person has not heard of it yet.
  package var undoKey: KeyStroke?
}

/// The items held, the person's place, and what a drop would do there.
package struct Holding: Hashable, Sendable {
  package var names: [String]
  package var count: Int
  /// `nil` at the source or while nothing is held.
  package var dropPoint: String?
  /// The container of that place; `nil` for a container itself.
  package var container: String?
  package var app: String?
  package var task: TaskPoint?
  /// The position at the place, and for one between two items the names on either side.
  package var position: DropPosition?
  package var after: String?
  package var before: String?
  package var verdict: Verdict?
  package var operation: DragOperation?
  /// How many of the items a place takes that takes only some.
  package var accepted: Int?
  package var reason: Reason?
  /// Whether it was picked up by the key that drops, so that this drops only after another key.
  package var needsOtherKey = false
  /// Whether a drop there can be undone.
  package var undo = UndoPromise.certain
}

/// One line of help.
package enum HelpLine: Hashable, Sendable {
  /// A key and what it does; some commands do less in one phase than in another.
  case key(KeyStroke, CommandName, in: PhaseName = .browsing)
  /// The same while a line is typed.
  case lineKey(KeyStroke, CommandName)
  /// The key after which a name may be typed, where letters are not ours.
  case finder(KeyStroke)
  /// A way that takes several keys, in the order in which they are pressed.
  case howTo(HowTo, keys: [KeyStroke])

  package var isSentence: Bool { if case .howTo = self { true } else { false } }
}

/// A task that people ask for and no single key does.
package enum HowTo: String, Hashable, Sendable, CaseIterable {
  case sortMany, carryFromSeveral, undoLast, nameClash
}
