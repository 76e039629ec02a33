/// Which of the carried items a drop point takes.
public enum Acceptance: Hashable, Sendable {
  /// Everything that is carried.
  case all
  /// Some items only: the refused ones by their index among the carried, each with its reason.
  /// Holds at least one refusal and leaves at least one item accepted.
  case some(refused: [Int: Reason])
  /// Nothing; the reason that is said.
  case none(Reason)
  /// Normally possible, not now; spoken differently from a refusal.
  case forbidden(Reason)
  /// A drop here ends the session.
  case cancels
  /// The place accepts everything it is shown, so its word is no information.
  case maybe
}

/// A prediction that the person should know before dropping here.
public enum Prediction: Hashable, Sendable {
  /// Items with these names exist here already: one question will be asked.
  case nameClash([String])
  /// Parts of what is carried would stay behind: the first few names, how many there are, and why,
  /// where it is one reason for all.
  case leavesOut(names: [String], count: Int, reason: Reason?)
  /// Items become something else, in words fit to be spoken: the name of a file, a type.
  case becomes(String)
  /// Items arrive in forms that are not their best, by the names of the types ("text document").
  case stepsDown(to: [String])
  /// Items become files, by the ends of their names ("becomes 3 .vcf files").
  case becomesFiles([FileCount])
  /// Of this many files only the paths are written down, as text: for certain, or as most programs
  /// do it in such a place.
  case becomesPaths(count: Int, isCertain: Bool)
  /// A running program does it in its own way: through its Paste command where it takes no drops,
  /// and with what is known of the way back.
  case inProgram(isPasted: Bool, undo: UndoPromise)
}

/// Whether a drop can be undone.
public enum UndoPromise: Hashable, Sendable {
  /// It can, as far as is known.
  case certain
  /// The program has an Undo command, and nobody knows whether it takes back a drop: files may be
  /// opened, which no program undoes.
  case doubtful
  /// Perhaps it can: it is a view of files, and nobody can tell which folder it shows, so that nothing
  /// of a drop can be looked for there.
  case unknownFolder
  /// It can't.
  case impossible
}

/// How many files of one kind.
public struct FileCount: Hashable, Sendable {
  /// The ending of the names (".vcf").
  public var ending: String
  /// How many there are; at least 1.
  public var count: Int

  /// A number of files of one ending.
  public init(ending: String, count: Int) {
    self.ending = ending
    self.count = count
  }
}

/// A drop point's answer for the items carried.
public struct DropProposal: Hashable, Sendable {
  /// Which of the items it takes.
  public var acceptance: Acceptance
  /// The operations that the place could do with the accepted items. The core chooses among these
  /// by wish, by what the source allows and by the default for the two containers.
  public var offers: DragOperations
  /// The predictions said before the drop, in this order.
  public var predictions: [Prediction]
  /// Set when a drop here could not be undone, with the reason; the person is asked first.
  public var irreversible: Reason?
  /// Whether the place would say yes to whatever it is shown: that it takes what it does not refuse
  /// is no information either.
  package var isUncertain = false
  /// Whether its program asks by itself what is to become of names that exist there, and can be given
  /// no answer beforehand.
  package var asksItself = false
  /// Set where names clash that are folders both here and there, which could become one.
  package var merger: Merger?
  /// The position in the text at which the drop lands; `nil` where that is not known.
  package var textPosition: TextPosition?
  /// Whether it comes to stand in one of several lines, and in which can't be known.
  package var isTextPositionUnknown = false

  /// An answer.
  ///
  /// - Parameters:
  ///   - offers: what could be done with the accepted items; empty where nothing is accepted.
  ///   - irreversible: set where a drop could not be undone: the person is asked first, and hears
  ///     this.
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

/// The names that would clash even if folders of one name became one.
package struct Merger: Hashable, Sendable {
  /// Names of files and the like, inside these folders and beside them.
  package var names: [String]
  /// Whether all of the folders has been looked at.
  package var isWhole: Bool

  package init(names: [String], isWhole: Bool) {
    self.names = names
    self.isWhole = isWhole
  }
}

/// The position in a text at which something comes to stand.
package struct TextPosition: Hashable, Sendable {
  /// From 1.
  package var line: Int
  package var total: Int
  /// Whether nothing of that line comes after it.
  package var isAtEnd: Bool

  package init(line: Int, of total: Int, isAtEnd: Bool) {
    (self.line, self.total, self.isAtEnd) = (line, total, isAtEnd)
  }

  /// Between two parts of a text. A line break at the very end begins no line that counts, unless
  /// the position is behind it.
  package init(between before: some StringProtocol, and after: some StringProtocol) {
    let line = before.count(where: \.isNewline) + 1
    let rest = after.count(where: \.isNewline)
    self.init(
      line: line, of: line + rest - (after.last?.isNewline == true ? 1 : 0),
      isAtEnd: after.isEmpty || after.first?.isNewline == true)
  }

  /// The position in a text at which something was inserted, by the text before and after; of so
  /// many lines as there are after.
  ///
  /// `nil` where more has changed than that, and where it could be in either of two lines: of "a",
  /// line break, "a" the first line may be the new one, or the second.
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

  /// Whether it is the same place in a text, however many lines that has had since.
  package func isSamePlace(as other: TextPosition) -> Bool {
    line == other.line && isAtEnd == other.isAtEnd
  }
}

/// A question to drop points: would you take these, if the person wished that?
package struct Inquiry: Hashable, Sendable {
  package var items: [DragItem]
  /// The operation the person asked for; `nil` lets the default decide.
  package var wish: DragOperation?
  /// The stops to ask.
  package var stops: [DropStop]
  /// Whether this is the last question before a drop: answers must be fresh and predictions whole.
  package var isFinal: Bool
  /// Whether the person is not there yet: every other question comes before it.
  package var isAhead: Bool
  /// The name that the one item is to get, or the folder that is to be made.
  package var newName: String?

  package init(
    items: [DragItem], wish: DragOperation?, stops: [DropStop], isFinal: Bool = false,
    isAhead: Bool = false
  ) {
    self.items = items
    self.wish = wish
    self.stops = stops
    self.isFinal = isFinal
    self.isAhead = isAhead
  }
}

/// One drop point's answer at one position.
package struct Answer: Hashable, Sendable {
  package var stop: DropStop
  package var proposal: DropProposal

  package init(_ stop: DropStop, _ proposal: DropProposal) {
    self.stop = stop
    self.proposal = proposal
  }
}
