extension KeyStroke {
  /// The stroke as written in scripts, settings and transcripts: "ctrl+t", "page-down", "?".
  public var name: String {
    var parts: [String] = []
    if modifiers.contains(.ctrl) { parts.append("ctrl") }
    if modifiers.contains(.alt) { parts.append("alt") }
    if modifiers.contains(.shift) { parts.append("shift") }
    parts.append(key.name)
    return parts.joined(separator: "+")
  }

  /// Parses a stroke's name; `nil` when no key has it.
  ///
  /// Also accepts upper case, "esc", "return", "del", "ins", "pgup", "pgdn" and page names without
  /// a hyphen.
  public init?(name: String) {
    var rest = Substring(name.lowercased())
    var modifiers: KeyModifiers = []
    while let plus = rest.firstIndex(of: "+"), rest.index(after: plus) < rest.endIndex {
      switch rest[..<plus] {
      case "ctrl", "control": modifiers.insert(.ctrl)
      case "alt", "meta": modifiers.insert(.alt)
      case "shift": modifiers.insert(.shift)
      default: return nil
      }
      rest = rest[rest.index(after: plus)...]
    }
    guard let key = Key(name: String(rest)) else { return nil }
    self.init(key, modifiers)
  }
}

extension Key {
  private static let named: [(Key, [String])] = [
    (.space, ["space"]), (.tab, ["tab"]), (.enter, ["enter", "return"]),
    (.escape, ["escape", "esc"]), (.backspace, ["backspace"]), (.delete, ["delete", "del"]),
    (.insert, ["insert", "ins"]), (.up, ["up"]), (.down, ["down"]), (.left, ["left"]),
    (.right, ["right"]), (.home, ["home"]), (.end, ["end"]),
    (.pageUp, ["page-up", "pageup", "pgup"]), (.pageDown, ["page-down", "pagedown", "pgdn"]),
  ]

  var name: String {
    switch self {
    case .character(let character): return String(character)
    case .function(let number): return "f\(number)"
    default: return Key.named.first { $0.0 == self }?.1.first ?? ""
    }
  }

  init?(name: String) {
    if let known = Key.named.first(where: { $0.1.contains(name) }) {
      self = known.0
    } else if name.count == 1, let character = name.first, !character.isWhitespace {
      self = .character(character)
    } else if name.first == "f", let number = Int(name.dropFirst()), (1...24).contains(number) {
      self = .function(number)
    } else {
      return nil
    }
  }
}
