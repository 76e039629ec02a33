/// A meaning to convey. Its wording in one language is a phrase, made by ``Phrasebook``.
///
/// Names in it are safe to speak. The cases and their arguments are those of the transcript.
public enum Announcement: Hashable, Sendable {
  case ready(container: String, counts: ItemCounts, isFirst: Bool)
  case item(name: String, kind: ItemKind, index: Int, total: Int, isSelected: Bool)
  case empty(container: String)
  /// What is in it is not known yet.
  case listing(container: String)
  case edge(Edge)
  case noMatch(text: String)
  case selected(name: String?, count: Int)
  case deselected(name: String?, count: Int)
  case nothingToPickUp(Reason, name: String?)
  case pickedUp(PickUp)
  case nothingAccepts(count: Int, alternatives: [Alternative])
  case added(names: [String], count: Int)
  case refusedToAdd(name: String, Reason)
  case removed(name: String, count: Int)
  case dropPoint(DropPointReport)
  case details(accepted: [String], refused: [DeliveryFailure])
  case backAtSource(name: String)
  case opened(name: String, count: Int, holds: Content)
  case cannotOpen(name: String, Reason)
  case left(name: String)
  case appeared(name: String)
  /// `isNextSaid`: the next one follows in an announcement of its own.
  case vanished(name: String, next: String?, isNextSaid: Bool = false)
  case operation(DragOperation?, now: DragOperation?)
  case operationUnavailable(DragOperation, Reason)
  case confirm(Confirmation, choices: [Choice])
  case choice(Choice, index: Int, total: Int)
  case declined(count: Int)
  /// A place refuses at the drop; in a session everything is held still.
  case refused(name: String, Reason, isHeld: Bool = true)
  case delivering(DragOperation, names: [String], count: Int, bytes: Int64?)
  case progress(percent: Int, count: Int, of: Int, bytes: Int64, names: [String])
  case delivered(DeliveredReport)
  case partlyDelivered(DeliveredReport, failures: [DeliveryFailure])
  case unconfirmed(names: [String], count: Int, place: String)
  case failed(names: [String], count: Int, Reason)
  case cancelled(names: [String], count: Int)
  case deliveryCancelled(names: [String], done: Int, remaining: Int)
  case task(TaskPoint, program: String?, TaskStage)
  /// There is nothing to go to: no delivery has brought anything yet.
  case nothingLanded
  case moved(name: String, index: Int, total: Int)
  case mode(Mode, isOn: Bool, isFirst: Bool = false)
  case undone(HistoryEntry, done: Int)
  case redone(HistoryEntry, done: Int)
  case nothingToUndo
  case nothingToRedo
  case cannotUndo(HistoryEntry?, Reason, remaining: [String], isRedo: Bool = false)
  case recovered(Recovery)
  case holding(Holding)
  case help([HelpLine])
  /// Help is named only where its key is ours to take.
  case unknownKey(KeyStroke, hasHelp: Bool = true)
  case problem(Problem)
  case sessionEnded(Reason, name: String?)
  case goodbye
  /// What is in focus outside can be picked up with this stroke from now on.
  case agentReady(KeyStroke)
  /// Letters go to a drop point by its name from now on, until Enter or Escape.
  case finding
}

/// Which end was reached.
public enum Edge: String, Hashable, Sendable, CaseIterable {
  case first, last, top
}

/// What a container that was opened holds.
public enum Content: Hashable, Sendable {
  case items, dropPoints
}

/// What can be done where nothing accepts.
public enum Alternative: Hashable, Sendable {
  case trash
  case print
  case openWith(program: String)
  case openFolder
  case openWindow
}

/// A pick-up and, where they are known, how many places accept.
public struct PickUp: Hashable, Sendable {
  public var names: [String]
  /// The type in words of a single item.
  public var typeName: String
  /// What there is and how much of it.
  public var kinds: [KindCount]
  public var count: Int
  public var operation: DragOperation?
  /// `nil` where places are asked one by one.
  public var points: Int?
  public var isFirst: Bool
  /// Whether places are asked as they are reached, so that ``points`` is never known.
  public var isAskedOnArrival = false
}

/// How many carried items are of one kind ("3 pictures").
public struct KindCount: Hashable, Sendable {
  public var group: ItemGroup
  public var count: Int

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

/// What people call things when they count them.
public enum ItemGroup: Hashable, Sendable, CaseIterable {
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

/// What is heard at a drop point.
public struct DropPointReport: Hashable, Sendable {
  public var name: String
  public var container: String?
  public var app: String?
  public var position: DropPosition
  /// For a place between two items: the names on either side.
  public var after: String?
  public var before: String?
  public var task: TaskPoint?
  public var verdict: Verdict
  public var operation: DragOperation?
  public var accepted: Int
  public var count: Int
  public var index: Int?
  public var total: Int?
  public var reason: Reason?
  public var prediction: Prediction?
  public var irreversible: Reason?

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
public enum Verdict: String, Hashable, Sendable, CaseIterable {
  case accept, partial, refuse, maybe, asking, cancel, forbidden
}

/// What is asked before a drop, or a menu that is walked.
public enum Confirmation: Hashable, Sendable {
  case clash(names: [String], place: String)
  case partial(accepted: Int, count: Int, place: String)
  case irreversible(Reason, operation: DragOperation, place: String)
  case actions(names: [String], count: Int)
  case deliveries(count: Int)
}

/// One answer to a confirmation, or one line of a menu.
public enum Choice: Hashable, Sendable {
  case keepBoth, replace, skip
  case keepHolding
  case dropAccepted(count: Int, refused: Int)
  case proceed(DragOperation)
  case transferTo(DragOperation)
  case reorder(Reordering)
  case openWith(program: String)
  case print
  case trash
  case delivery(DeliveryID, DragOperation, names: [String], count: Int, percent: Int?)
  case undo, redo, quit
}

/// Where an item is put in an ordered container.
public enum Reordering: String, Hashable, Sendable, CaseIterable {
  case up, down, top, bottom
}

/// How a task goes.
public enum TaskStage: String, Hashable, Sendable, CaseIterable {
  case started, finished, failed
}

/// Ways of showing and walking that are switched.
public enum Mode: String, Hashable, Sendable, CaseIterable {
  case hidden
  case refusing
  case edit
  case adding
}

/// What arrived where, and where the person is now.
public struct DeliveredReport: Hashable, Sendable {
  public var operation: DragOperation
  public var names: [String]
  public var count: Int
  public var place: String
  /// New names given to keep both.
  public var renamed: [String]
  public var task: TaskPoint?
  /// The item in focus, when focus has moved on because of this drop.
  public var next: String?
}

/// What is held, where the person is, and what would happen.
public struct Holding: Hashable, Sendable {
  public var names: [String]
  public var count: Int
  /// `nil` at the source or while nothing is held.
  public var dropPoint: String?
  /// Where that place lies; `nil` for a container itself.
  public var container: String?
  public var app: String?
  public var task: TaskPoint?
  public var verdict: Verdict?
  public var operation: DragOperation?
  /// How many of the items a place takes that takes only some.
  public var accepted: Int?
  public var reason: Reason?
}

/// One line of help: a key and what it does.
public struct HelpLine: Hashable, Sendable {
  public var stroke: KeyStroke
  public var command: CommandName
}
