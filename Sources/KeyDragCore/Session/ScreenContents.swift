/// One row of a list on a screen; all text is safe and in the listener's language.
package struct ScreenRow: Hashable, Sendable {
  /// Always first, so that a narrow screen keeps it.
  package var name: String
  /// The words after the name: kind, verdict with reason, or progress. May be empty.
  package var note: String
  /// Selected, in the basket.
  package var isMarked: Bool
  /// Held or refusing: dimmed, and said in words as well.
  package var isDimmed: Bool
  /// The text before the cursor of a typed line.
  package var beforeCursor: String?
  /// The indentation below its container; 0 or 1.
  package var depth: Int
  /// Size and date, for a wide screen; empty if unknown.
  package var columns = ""
  /// For a symbol or a colour; `nil` for a row that is not an item.
  package var kind: ItemKind?
  package var isExecutable = false
  /// The answer of a place; `nil` for what is no place, or has not been asked.
  package var verdict: Verdict.Word?
  /// Whether it stands apart from the rows before it, such as the trash behind the folders.
  package var beginsGroup = false
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

package struct ScreenDelivery: Hashable, Sendable {
  /// The operation and items, with the percentage if known; safe, in the listener's language.
  package var text: String
  /// The progress, 0 to 100; `nil` until measured.
  package var percent: Int?
  /// The speed and the remaining time; empty while unknown.
  package var pace: String

  package init(_ text: String, percent: Int? = nil, pace: String = "") {
    self.text = text
    self.percent = percent
    self.pace = pace
  }
}

/// The contents of the folder that the person stands on, for a screen with room beside the list.
package struct ScreenPreview: Hashable, Sendable {
  /// How much it holds.
  package var title: String
  /// The first of its items.
  package var rows: [ScreenRow]
  /// Whether those are all.
  package var isWhole: Bool
}

/// The contents of a screen: a pure value made from the session, with no more rows than requested.
package struct ScreenContents: Hashable, Sendable {
  /// The current place ("Inbox, 4 items").
  package var title: String
  /// The visible rows, from ``firstRow`` on.
  package var rows: [ScreenRow]
  /// The index of the first visible row in the whole list.
  package var firstRow: Int
  /// The index in ``rows`` of the row with the cursor; `nil` in an empty list.
  package var current: Int?
  /// The contents of the folder stood on; `nil` where that is none, or not known.
  package var preview: ScreenPreview?
  /// Whether room is kept for a preview, so that the list does not move where there is none.
  package var reservesPreview = false
  /// The carried items: count, names, operation. `nil` when there are none.
  package var carried: String?
  /// The selected items with their number, while nothing is carried. `nil` when there are none.
  package var selected: String?
  /// Up to three running deliveries.
  package var deliveries: [ScreenDelivery]
  package var message: String
  /// Whether a screen reader says all of it: the cursor must stay in place, because the reader
  /// reads the line that it moves to.
  package var isHeard = false
  /// It takes no change of the screen for an answer to a key that has a mark behind it.
  package var isMarked = false
  /// A screen reader would read a line that the cursor comes to.
  package var keepsCursor = false
  /// It would read words that go, but not those that come.
  package var mayAdd = false
  package var phase = PhaseName.browsing
  /// The current place while carrying; ``verdict`` is its answer.
  package var dropPoint: DropPointID?
  package var verdict: Verdict.Word?
  /// The typed name, or that one is being typed; `nil` otherwise.
  package var finding: String?
  /// The current place while something is held or asked, as announced, for a screen with room for
  /// one line; `nil` without a place.
  package var label: String?
  /// The ancestors of the current folder while browsing, root first, above those in the title.
  package var around: [String] = []
  /// The other folders or windows to go to.
  package var others: [String] = []
  /// A few keys with their current commands.
  package var keys: [String] = []
  /// The lines of the help while it is the last message; empty otherwise.
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
