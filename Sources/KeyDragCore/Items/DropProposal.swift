/// Which of the carried items a drop point takes.
public enum Acceptance: Hashable, Sendable {
  /// Everything carried.
  case all
  /// Some items only: the refused ones by their index among the carried, each with its reason.
  /// Holds at least one refusal and leaves at least one item accepted.
  case some(refused: [Int: Reason])
  /// Nothing, for the reason that is announced.
  case none(Reason)
  /// Normally possible but not now; announced differently from a refusal.
  case forbidden(Reason)
  /// A drop here ends the session.
  case cancels
  /// The place accepts everything it is offered, so its answer carries no information.
  case maybe
}

/// A consequence that the person should know before dropping here.
public enum Prediction: Hashable, Sendable {
  /// Items with these names exist already: one question will be asked.
  case nameClash([String])
  /// Parts of what is carried would be left behind: the first few names, the count, and the reason
  /// if it is the same for all.
  case leavesOut(names: [String], count: Int, reason: Reason?)
  /// Symbolic links with these names would lead nowhere.
  case leadsNowhere([String])
  /// Items change form; a phrase fit to be spoken, such as a file name or a type.
  case becomes(String)
  /// Items arrive in forms other than their best, by the names of the types ("text document").
  case stepsDown(to: [String])
  /// Items become files, by file extension ("becomes 3 .vcf files").
  case becomesFiles([FileCount])
  /// Only the paths of this many files are inserted, as text: for certain, or as most programs do
  /// in such a place.
  case becomesPaths(count: Int, isCertain: Bool)
  /// A running program handles the drop in its own way; through its Paste command if it takes no
  /// drops.
  case inProgram(isPasted: Bool, undo: UndoPromise)

  /// Whether it may be found after the place was announced.
  var isFoundLate: Bool {
    switch self {
    case .leavesOut, .leadsNowhere: true
    default: false
    }
  }
}

/// Whether a drop can be undone.
public enum UndoPromise: Hashable, Sendable {
  /// It can, as far as is known.
  case certain
  /// The program has an Undo command, which may not cover a drop: it may open files, which no
  /// program undoes.
  case doubtful
  /// Perhaps: it is a view of files in an unknown folder, so the result of a drop can't be looked
  /// up.
  case unknownFolder
  /// It can't.
  case impossible
}

/// A number of files with one extension.
public struct FileCount: Codable, Hashable, Sendable {
  /// The file extension with its dot (".vcf").
  public var ending: String
  /// The number of files; at least 1.
  public var count: Int

  /// A number of files with one extension.
  public init(ending: String, count: Int) {
    self.ending = ending
    self.count = count
  }
}

/// A drop point's answer for the carried items.
public struct DropProposal: Hashable, Sendable {
  /// The items that it takes.
  public var acceptance: Acceptance
  /// The operations possible with the accepted items. The session picks one of them by the person's
  /// wish, what the source allows and the default for the two containers.
  public var offers: DragOperations
  /// The predictions announced before the drop, in order.
  public var predictions: [Prediction]
  /// Set when a drop here could not be undone, with the reason; the person is asked first.
  public var irreversible: Reason?
  /// Whether the place accepts whatever it is offered, so that this carries no information.
  package var isUncertain = false
  /// Whether its program asks about name clashes itself and can't be given an answer beforehand.
  package var asksItself = false
  /// Whether an item whose name clashes can be replaced: there is a trash for it.
  package var canReplace = true
  /// Set when clashing names are folders on both sides, which could be merged.
  package var merger: MergeClashes?
  /// The position in the text at which the drop lands; `nil` if unknown.
  package var textPosition: TextPosition?
  /// Whether it lands in one of several lines, and which one can't be known.
  package var isTextPositionUnknown = false

  /// An answer.
  ///
  /// - Parameters:
  ///   - offers: possible operations with the accepted items; empty if nothing is accepted.
  ///   - irreversible: why a drop could not be undone: the person is asked first and hears this.
  public init(
    _ acceptance: Acceptance, offers: DragOperations = .transfer, predictions: [Prediction] = [],
    irreversible: Reason? = nil
  ) {
    self.acceptance = acceptance
    self.offers = offers
    self.predictions = predictions
    self.irreversible = irreversible
  }

  /// A refusal of everything, for one reason.
  public static func refused(_ reason: Reason) -> DropProposal {
    DropProposal(.none(reason), offers: [])
  }
}

/// The names that would still clash if folders of the same name were merged.
package struct MergeClashes: Hashable, Sendable {
  /// Names of files and the like, in these folders and beside them.
  package var names: [String]
  /// Whether the folders have been searched completely.
  package var isWhole: Bool

  package init(names: [String], isWhole: Bool) {
    self.names = names
    self.isWhole = isWhole
  }
}

/// The position in a text at which something is inserted.
package struct TextPosition: Hashable, Sendable {
  /// From 1.
  package var line: Int
  package var total: Int
  /// Whether the rest of that line is empty.
  package var isAtEnd: Bool

  package init(line: Int, of total: Int, isAtEnd: Bool) {
    (self.line, self.total, self.isAtEnd) = (line, total, isAtEnd)
  }

  /// The position between two parts of a text. A line break at the very end starts a line that
  /// counts only if the position is behind it.
  package init(between before: some StringProtocol, and after: some StringProtocol) {
    let line = before.count(where: \.isNewline) + 1
    let rest = after.count(where: \.isNewline)
    self.init(
      line: line, of: line + rest - (after.last?.isNewline == true ? 1 : 0),
      isAtEnd: after.isEmpty || after.first?.isNewline == true)
  }

  /// The position of an insertion, by comparing the text before and after; `total` counts the lines
  /// afterwards.
  ///
  /// `nil` if more has changed, and if it could be on either of two lines: of "a", line break, "a"
  /// either line may be the new one.
  package init?(insertedInto old: String, giving new: String) {
    guard old.count < new.count else { return nil }
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
    guard start + end >= old.count else { return nil }
    let (first, last) = (old.count - end, start)
    let possible = Set(
      [first, last].map { Self(between: old.prefix($0), and: old.dropFirst($0)) })
    guard possible.count == 1, let position = possible.first else { return nil }
    self = position
    total = TextPosition(between: new, and: "").total
  }

  /// Whether it is the same place, whatever the number of lines.
  package func isSamePlace(as other: TextPosition) -> Bool {
    line == other.line && isAtEnd == other.isAtEnd
  }
}

/// A question to drop points: would you take these items with this wish?
package struct ProposalRequest: Hashable, Sendable {
  package var items: [DragItem]
  /// The operation the person asked for; `nil` for the default.
  package var wish: DragOperation?
  package var stops: [DropStop]
  /// The last question before a drop: answers must be fresh and predictions complete.
  package var isFinal: Bool
  /// A prefetch of places that the person has not reached: every other question comes first.
  package var isPrefetch: Bool
  /// The new name of the only item, or of a folder to be made.
  package var newName: String?

  package init(
    items: [DragItem], wish: DragOperation?, stops: [DropStop], isFinal: Bool = false,
    isPrefetch: Bool = false
  ) {
    self.items = items
    self.wish = wish
    self.stops = stops
    self.isFinal = isFinal
    self.isPrefetch = isPrefetch
  }
}

package struct Answer: Hashable, Sendable {
  package var stop: DropStop
  package var proposal: DropProposal

  package init(_ stop: DropStop, _ proposal: DropProposal) {
    self.stop = stop
    self.proposal = proposal
  }
}
