/// A string in Swift source, and the call whose argument it is.
struct StringLiteral: Hashable {
  /// Counted from 1.
  var line: Int
  /// What stands in it, interpolations left out.
  var text: String
  /// The function before the innermost parenthesis around it ("phrase"); empty where there is none.
  var call: String
  /// Which argument of that call it is, from 0.
  var argument: Int
}

/// Finds the strings of a Swift file; comments and what stands in them are left out.
struct StringLiterals {
  private struct Call {
    var name: String
    var argument = 0
  }

  private let characters: [Character]
  private var index = 0
  private var line = 1
  private var calls: [Call] = []
  private var found: [StringLiteral] = []
  /// The last word of the code.
  private var word = ""

  private init(_ text: String) { characters = Array(text) }

  static func all(in file: ProjectFile) -> [StringLiteral] {
    var scan = StringLiterals(file.lines.joined(separator: "\n"))
    while let next = scan.peek() { scan.take(next) }
    return scan.found.sorted { $0.line < $1.line }
  }

  private func peek(_ offset: Int = 0) -> Character? {
    index + offset < characters.count ? characters[index + offset] : nil
  }

  private func looking(at text: String) -> Bool {
    text.enumerated().allSatisfy { peek($0.offset) == $0.element }
  }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where index < characters.count {
      if characters[index] == "\n" { line += 1 }
      index += 1
    }
  }

  private mutating func take(_ next: Character) {
    if looking(at: "//") {
      while let next = peek(), next != "\n" { advance() }
    } else if looking(at: "#/") {
      while peek() != nil, !looking(at: "/#") { advance() }
      advance(2)
    } else if next == "\"" {
      string()
    } else if next.isLetter || next.isNumber || next == "_" {
      identifier()
    } else {
      punctuation(next)
      advance()
    }
  }

  private mutating func identifier() {
    word = ""
    while let next = peek(), next.isLetter || next.isNumber || next == "_" {
      word.append(next)
      advance()
    }
  }

  private mutating func punctuation(_ character: Character) {
    switch character {
    case "(", "[", "{": calls.append(Call(name: character == "(" ? word : ""))
    case ")", "]", "}": _ = calls.popLast()
    case "," where !calls.isEmpty: calls[calls.count - 1].argument += 1
    default: break
    }
    if !character.isWhitespace, character != ":" { word = "" }
  }

  private mutating func string() {
    let start = line
    let quote = looking(at: "\"\"\"") ? "\"\"\"" : "\""
    let call = calls.last ?? Call(name: "")
    var text = ""
    advance(quote.count)
    while let next = peek(), !looking(at: quote) {
      if looking(at: "\\(") {
        advance()
        interpolation()
        text.append("\u{FFFC}")
      } else if next == "\\" {
        advance(2)
      } else {
        text.append(next)
        advance()
      }
    }
    advance(quote.count)
    found.append(
      StringLiteral(
        line: start, text: text, call: call.name, argument: call.argument))
    word = ""
  }

  /// Code inside a string, which may hold strings.
  private mutating func interpolation() {
    word = ""
    let depth = calls.count
    repeat {
      guard let next = peek() else { return }
      take(next)
    } while calls.count > depth
  }
}
