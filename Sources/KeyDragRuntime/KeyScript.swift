import KeyDragCore

/// One word of a key script.
package enum ScriptWord: Hashable, Sendable {
  /// A key; `isImmediate` ones do not wait for anything.
  case stroke(KeyStroke, isImmediate: Bool)
  /// A name to go to; a script that does not find it ends there, unless it `mayMiss`.
  case text(String, mayMiss: Bool = false)
  /// One command by its name, whatever key it has.
  case command(CommandName)
  /// Wait until this has been announced.
  case wait(id: String)
}

/// A word that no script knows.
///
/// Told with the nearest word, since a script is typed by hand.
package struct ScriptError: Error, Hashable, Sendable {
  /// The word as it was given, made safe to show.
  package var word: String
  /// The nearest word that is known; `nil` where nothing is near.
  package var nearest: String?
  /// Counts from 1.
  package var position: Int
}

/// Reads key scripts: words split by blanks, text in quotation marks.
///
/// A value that may be fed in pieces: a word may be cut between two of them.
package struct KeyScript: Sendable {
  /// The letters of the word that is not complete.
  private var pending = ""
  /// Whether a quotation mark is open; blanks belong to the word then.
  private var isQuoted = false
  /// Whether the text in marks began with a question mark.
  private var mayMiss = false
  /// How many words are complete.
  private var position = 0

  /// Begins with the first word.
  package init() {}

  /// All words of a script.
  ///
  /// - Throws: for the first word that is not known; nothing is returned of those before it.
  package static func parse(_ script: String) throws(ScriptError) -> [ScriptWord] {
    var reader = KeyScript()
    var words = try reader.read(script)
    words += try reader.finish()
    return words
  }

  /// The words that are complete after this piece of a script.
  package mutating func read(_ piece: String) throws(ScriptError) -> [ScriptWord] {
    var words: [ScriptWord] = []
    for character in piece {
      if isQuoted {
        if character == "\"" {
          isQuoted = false
          position += 1
          words.append(.text(pending, mayMiss: mayMiss))
          pending = ""
        } else {
          pending.append(character)
        }
      } else if character == "\"" && ["", "?"].contains(pending) {
        isQuoted = true
        mayMiss = pending == "?"
        pending = ""
      } else if character.isWhitespace {
        words += try finish()
      } else {
        pending.append(character)
      }
    }
    return words
  }

  /// The last word, when nothing follows it.
  ///
  /// - Throws: for an unknown word, and for text whose quotation mark is not closed.
  package mutating func finish() throws(ScriptError) -> [ScriptWord] {
    guard !pending.isEmpty else {
      if isQuoted {
        throw ScriptError(word: "\"", nearest: nil, position: position + 1)
      }
      return []
    }
    let word = pending
    pending = ""
    position += 1
    if isQuoted {
      throw ScriptError(
        word: SpokenName.clean("\"" + word), nearest: nil, position: position)
    }
    return [try meaning(of: word)]
  }

  /// The word without its sign: "@" waits, ":" commands, "!" does not wait, anything else is a key.
  private func meaning(of word: String) throws(ScriptError) -> ScriptWord {
    switch word.first {
    case "@" where word.count > 1:
      let id = String(word.dropFirst())
      guard Announcement.ids.contains(id) else {
        throw unknown(word, among: Announcement.ids.map { "@" + $0 })
      }
      return .wait(id: id)
    case ":" where word.count > 1:
      guard let command = CommandName(name: String(word.dropFirst())) else {
        throw unknown(word, among: CommandName.allCases.map { ":" + $0.rawValue })
      }
      return .command(command)
    case "!" where word.count > 1:
      guard let stroke = KeyStroke(name: String(word.dropFirst())) else {
        throw unknown(word, among: Keymap.defaultStrokeNames.map { "!" + $0 })
      }
      return .stroke(stroke, isImmediate: true)
    default:
      guard let stroke = KeyStroke(name: word) else { throw unknown(word) }
      return .stroke(stroke, isImmediate: false)
    }
  }

  /// An error with the nearest of the known words.
  private func unknown(_ word: String, among known: [String]? = nil) -> ScriptError {
    let names = known ?? Keymap.defaultStrokeNames
    return ScriptError(
      word: SpokenName.clean(word), nearest: Nearest.name(to: word, among: names),
      position: position)
  }
}
