import KeyDragCore

package enum ScriptWord: Hashable, Sendable {
  /// A key; `isImmediate` ones do not wait for pending work.
  case stroke(KeyStroke, isImmediate: Bool)
  /// A name to go to; if it is not found the script ends, unless it `mayMiss`.
  case text(String, mayMiss: Bool = false)
  /// A command by name, whatever its key.
  case command(CommandName)
  case wait(id: String)
}

package struct ScriptError: Error, Hashable, Sendable {
  /// As given, made safe to show.
  package var word: String
  /// The closest known word; `nil` when none is close.
  package var nearest: String?
  /// Counts from 1.
  package var position: Int
}

/// A parser for key scripts, words and quoted text, given in pieces that may split a word.
package struct KeyScript: Sendable {
  private var pending = ""
  /// A quotation mark is open: blanks belong to the word.
  private var isQuoted = false
  /// A question mark precedes the quoted text.
  private var mayMiss = false
  private var position = 0

  package init() {}

  /// All words of a script; throws for the first unknown one.
  package static func parse(_ script: String) throws(ScriptError) -> [ScriptWord] {
    var reader = KeyScript()
    var words = try reader.read(script)
    words += try reader.finish()
    return words
  }

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

  /// The last word, if any; throws for an unknown word and for an unclosed quotation mark.
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

  /// Interprets the prefix: "@" waits, ":" is a command, "!" does not wait, anything else is a key.
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

  private func unknown(_ word: String, among known: [String]? = nil) -> ScriptError {
    let names = known ?? Keymap.defaultStrokeNames
    return ScriptError(
      word: SpokenName.clean(word), nearest: Suggestions.name(to: word, among: names),
      position: position)
  }
}
