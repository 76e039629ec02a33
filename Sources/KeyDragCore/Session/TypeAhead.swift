/// Text typed to search by name: letters one after another, or several at once from a paste or a
/// script.
///
/// Any command ends it, except the one that deletes a letter.
package struct TypeAhead: Sendable {
  struct Query {
    var text: String
    /// Whether the search begins after the current place.
    var movesOn = false
    /// A further letter of a name: not announced unless it leads to another place.
    var isLetter = false
  }

  /// The text typed so far, without letters that led to nothing.
  var text = ""
  /// The number of its letters that came last.
  private var lastCount = 0
  /// The last letters led to nothing: the next begins a name, Backspace returns to the rest.
  private var hasMissed = false
  /// Whether letters, signs and blanks are taken for the name of a place until Enter; on the
  /// desktop they are not otherwise.
  package private(set) var isFinding = false
  /// While a name is typed: the announced text without a match, until a letter matches.
  var unmatchedText: String?
  /// While a name is typed: the last announced place, which need not be repeated in full.
  var said: DropPointReport?

  /// Whether the next letter continues a name.
  package var isOpen: Bool { !hasMissed && !text.isEmpty }

  /// Whether Backspace deletes typed text.
  var canTakeBack: Bool { hasMissed || !text.isEmpty }

  /// Adds text; the same letter again goes to the next match.
  mutating func add(_ added: String) -> Query {
    if hasMissed { (text, hasMissed) = ("", false) }
    guard added.count == 1 else {
      (text, lastCount) = (added, added.count)
      return Query(text: added)
    }
    if !isFinding, !text.isEmpty, text.allSatisfy({ String($0) == added }) {
      lastCount = 0
      return Query(text: added, movesOn: true)
    }
    text += added
    lastCount = 1
    // In a name, repeated letters count ("aa", "11").
    return Query(
      text: text, movesOn: !isFinding && text.count == 1, isLetter: isFinding || text.count > 1)
  }

  /// Deletes the last letter; one that led to nothing is removed already.
  mutating func takeBack() {
    if !hasMissed { text.removeLast() }
    (lastCount, hasMissed) = (0, false)
  }

  /// Nothing matches. A name is kept whole until Enter: the rest of a wrong one may begin another.
  mutating func miss(_ heard: String) {
    unmatchedText = isFinding ? heard : nil
    // No letters came since a deletion (`lastCount` is 0): none are removed, and Backspace
    // continues.
    hasMissed = !isFinding && lastCount > 0
    if hasMissed { text.removeLast(min(lastCount, text.count)) }
    lastCount = 0
  }

  /// Discards the text, as any command does.
  mutating func forget() { (text, hasMissed, unmatchedText) = ("", false, nil) }

  /// Starts the name of a place.
  mutating func begin() {
    self = TypeAhead()
    isFinding = true
  }

  /// Ends the name of a place; the text stays.
  mutating func end() { (isFinding, unmatchedText, said) = (false, nil, nil) }
}
