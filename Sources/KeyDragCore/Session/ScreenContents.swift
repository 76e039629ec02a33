/// One line of a list as a screen shows it: all text is safe and in the listener's language.
package struct ScreenRow: Hashable, Sendable {
  /// The name, always first, so that a narrow screen keeps it.
  package var name: String
  /// The words after the name: kind, verdict with reason, or progress. May be empty.
  package var note: String
  /// In the basket.
  package var isMarked: Bool
  /// Held now, or refusing: shown fainter as well as in words.
  package var isDimmed: Bool
  /// Of a line that is typed: what stands in front of the cursor.
  package var beforeCursor: String?
  /// How deep it lies below its container, for indentation; 0 or 1.
  package var depth: Int
  /// Size and date, for a wide screen; empty where they are not known.
  package var columns = ""
  /// The kind of an item, for eyes that know it by a sign or a colour; `nil` for what is no item.
  package var kind: ItemKind?
  /// Whether it is a file that can be run.
  package var isExecutable = false
  /// The item that it shows, where it is one.
  package var source: DragSourceID?

  package init(
    name: String, note: String = "", isMarked: Bool = false, isDimmed: Bool = false, depth: Int = 0
  ) {
    self.name = name
    self.note = note
    self.isMarked = isMarked
    self.isDimmed = isDimmed
    self.depth = depth
  }
}

/// A delivery that runs, as a screen shows it.
package struct ScreenDelivery: Hashable, Sendable {
  /// The words for the work, with the percentage where it is known; safe, and in the listener's
  /// language.
  package var text: String
  /// How far it is, 0 to 100; `nil` until it has been measured.
  package var percent: Int?
  /// How fast it is and how long it will take at that pace; empty as long as that is not known.
  package var pace: String

  package init(_ text: String, percent: Int? = nil, pace: String = "") {
    self.text = text
    self.percent = percent
    self.pace = pace
  }
}

/// The contents of a screen, a pure value made from the session, no more rows than asked for.
package struct ScreenContents: Hashable, Sendable {
  /// The place where the person is ("Inbox, 4 items").
  package var title: String
  /// The rows that are in sight, from ``firstRow`` on.
  package var rows: [ScreenRow]
  /// The index in the whole list of the first row in sight.
  package var firstRow: Int
  /// The index in ``rows`` of the line the cursor sits on; `nil` in an empty list.
  package var current: Int?
  /// The items carried: count badge, names, operation. `nil` when nothing is.
  package var carried: String?
  /// While nothing is carried: the items that are selected, with their number. `nil` where none is.
  package var selected: String?
  /// Running deliveries, a line each, at most three.
  package var deliveries: [ScreenDelivery]
  /// The last message.
  package var message: String
  /// The person hears all of it from a screen reader: the cursor is to stay in one place, because the
  /// reader reads the line that it comes to.
  package var isHeard = false
  /// It takes no change of the screen for an answer to a key that has a mark behind it.
  package var isMarked = false
  /// A screen reader would read a line that the cursor comes to.
  package var keepsCursor = false
  /// It would read words that go, but not those that come.
  package var mayAdd = false
  package var phase = PhaseName.browsing
  /// The place where the person stands while carrying, and its answer.
  package var dropPoint: DropPointID?
  package var verdict: Verdict?
  /// While a name is typed: that it is, or the letters there are. `nil` otherwise.
  package var finding: String?
  /// The place where the person stands while something is held or asked, in the words and the order
  /// in which it is said, for a screen with room for one line; `nil` where there is nothing to
  /// stand on.
  package var label: String?
  /// While browsing: the folders around the place where the person is, from the top on. Those that were
  /// entered are in the title.
  package var around: [String] = []
  /// The other folders or windows that one can go to.
  package var others: [String] = []
  /// A few keys of the moment with what they do.
  package var keys: [String] = []
  /// The lines of the help, as long as it is what was told last; empty otherwise.
  package var help: [String] = []

  package init(
    title: String, rows: [ScreenRow], firstRow: Int, current: Int?, carried: String? = nil,
    deliveries: [ScreenDelivery] = [], message: String = ""
  ) {
    self.title = title
    self.rows = rows
    self.firstRow = firstRow
    self.current = current
    self.carried = carried
    self.deliveries = deliveries
    self.message = message
  }
}
