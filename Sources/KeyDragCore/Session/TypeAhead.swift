/// Text typed to find something by its name: letters one after another, or several at once, as a
/// paste or a script gives them.
///
/// Any command ends it, except the one that takes a letter back.
package struct TypeAhead: Sendable {
  /// The search that a text leads to.
  struct Query {
    var text: String
    /// Whether the search begins behind the current place.
    var movesOn = false
    /// One more letter of a name: where it leads nowhere else, nothing is said again.
    var isLetter = false
  }

  /// The text collected. A letter that leads to nothing is taken off again.
  var text = ""
  /// How many letters of it came last.
  private var lastCount = 0
  /// The last letters led to nothing: the next one begins a name, and Backspace goes back to what is left.
  private var hasMissed = false
  /// Whether letters, signs and blanks are taken for the name of a place up to its Enter, which they
  /// are not otherwise on the desktop.
  package private(set) var isFinding = false
  /// While a name is typed: what led to nothing, as it was said, until a letter leads somewhere.
  var astray: String?
  /// While a name is typed: the place that was said last, which need not be said in full again.
  var said: DropPointReport?

  /// Whether the next letter goes on with a name.
  package var isOpen: Bool { !hasMissed && !text.isEmpty }

  /// Whether Backspace takes back what was typed.
  var canTakeBack: Bool { hasMissed || !text.isEmpty }

  /// Takes text; the same letter again goes on to the next match.
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
    // Of a whole name letters that repeat are part ("aa", "11").
    return Query(
      text: text, movesOn: !isFinding && text.count == 1, isLetter: isFinding || text.count > 1)
  }

  /// Takes the last letter back; one that led to nothing is taken off already.
  mutating func takeBack() {
    if !hasMissed { text.removeLast() }
    (lastCount, hasMissed) = (0, false)
  }

  /// Nothing is called so. All of a name is kept up to its Enter: what is left of a wrong one may be
  /// another's beginning.
  mutating func miss(_ heard: String) {
    astray = isFinding ? heard : nil
    // Letters that were taken back before have led to nothing since: Backspace goes on.
    hasMissed = !isFinding && lastCount > 0
    if hasMissed { text.removeLast(min(lastCount, text.count)) }
    lastCount = 0
  }

  /// Forgets what was typed, as any command does.
  mutating func forget() { (text, hasMissed, astray) = ("", false, nil) }

  /// Letters are of a name from now on.
  mutating func begin() {
    self = TypeAhead()
    isFinding = true
  }

  /// Letters are not of a name any more. What was typed so far stays.
  mutating func end() { (isFinding, astray, said) = (false, nil, nil) }
}
