/// The names of characters, spoken when they are typed or moved over.
extension Phrasebook {
  func echoText(_ text: String) -> String {
    guard let first = text.first else {
      // Said while a name or a path is typed, where the cursor has come to the end of the text: no sign
      // is there.
      return term(in: "text", "blank")
    }
    return text.count == 1 ? signName(first) : typed(text)
  }

  /// Typed text. In speech, punctuation at its ends is named, so that "todo." is not heard as
  /// "todo".
  func typed(_ text: String) -> String {
    var rest = SpokenName.clean(text)[...]
    guard isSpoken || text.allSatisfy(\.isWhitespace) else { return String(rest) }
    func takeSigns(_ end: (Substring) -> Character?, _ take: (inout Substring) -> Void) -> [String]
    {
      var names: [String] = []
      while let sign = end(rest), sign.isWhitespace || sign.isPunctuation || sign.isSymbol {
        names.append(signName(sign))
        take(&rest)
      }
      return names
    }
    let before = takeSigns(\.first) { $0.removeFirst() }
    let after = takeSigns(\.last) { $0.removeLast() }
    return (before + [String(rest)] + after.reversed()).filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// The names of characters in file names that voices skip.
  package var silentSigns: [Unicode.Scalar: String] {
    Dictionary(uniqueKeysWithValues: "_()[]{}".unicodeScalars.map { ($0, signName(Character($0))) })
  }

  /// A single character by name, distinguishing upper from lower case.
  func signName(_ sign: Character) -> String {
    switch sign {
    // The space between words, said when it is typed.
    case " ": term(in: "sign", "space")
    // The sign ., said when it is typed.
    case ".": term(in: "sign", "full stop")
    // The sign ,, said when it is typed.
    case ",": term(in: "sign", "comma")
    // The sign ;, said when it is typed.
    case ";": term(in: "sign", "semicolon")
    // The sign :, said when it is typed.
    case ":": term(in: "sign", "colon")
    // The sign ?, said when it is typed.
    case "?": term(in: "sign", "question mark")
    // The sign !, said when it is typed.
    case "!": term(in: "sign", "exclamation mark")
    // The sign -, said when it is typed.
    case "-": term(in: "sign", "hyphen")
    // The sign _, said when it is typed.
    case "_": term(in: "sign", "underscore")
    // The sign /, said when it is typed.
    case "/": term(in: "sign", "slash")
    // The sign \, said when it is typed.
    case "\\": term(in: "sign", "backslash")
    // The sign |, said when it is typed.
    case "|": term(in: "sign", "vertical bar")
    // The sign (, said when it is typed.
    case "(": term(in: "sign", "left paren")
    // The sign ), said when it is typed.
    case ")": term(in: "sign", "right paren")
    // The sign [, said when it is typed.
    case "[": term(in: "sign", "left bracket")
    // The sign ], said when it is typed.
    case "]": term(in: "sign", "right bracket")
    // The sign {, said when it is typed.
    case "{": term(in: "sign", "left brace")
    // The sign }, said when it is typed.
    case "}": term(in: "sign", "right brace")
    // The sign <, said when it is typed.
    case "<": term(in: "sign", "less than")
    // The sign >, said when it is typed.
    case ">": term(in: "sign", "greater than")
    // The sign ', said when it is typed.
    case "'": term(in: "sign", "apostrophe")
    // The sign ", said when it is typed.
    case "\"": term(in: "sign", "quotation mark")
    // The sign `, said when it is typed.
    case "`": term(in: "sign", "backtick")
    // The sign ~, said when it is typed.
    case "~": term(in: "sign", "tilde")
    // The sign ^, said when it is typed.
    case "^": term(in: "sign", "caret")
    // The sign @, said when it is typed.
    case "@": term(in: "sign", "at sign")
    // The sign #, said when it is typed.
    case "#": term(in: "sign", "number sign")
    // The sign $, said when it is typed.
    case "$": term(in: "sign", "dollar sign")
    // The sign %, said when it is typed.
    case "%": term(in: "sign", "percent sign")
    // The sign &, said when it is typed.
    case "&": term(in: "sign", "ampersand")
    // The sign *, said when it is typed.
    case "*": term(in: "sign", "asterisk")
    // The sign +, said when it is typed.
    case "+": term(in: "sign", "plus")
    // The sign =, said when it is typed.
    case "=": term(in: "sign", "equals")
    // A capital letter, said when it is typed. %1$@ is the letter.
    case _ where sign.isUppercase: term(in: "sign", "capital %1$@", String(sign))
    default:
      // Nothing of it can be shown.
      ["", "\u{FFFD}"].contains(SpokenName.clean(String(sign)))
        ? unreadableCharacter : SpokenName.clean(String(sign))
    }
  }
}
