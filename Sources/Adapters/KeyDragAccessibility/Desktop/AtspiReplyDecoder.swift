import CAtspi
import KeyDragBus
import KeyDragCore

/// A rectangle as a program reports it. The origin is the window's or the screen's, depending on
/// the toolkit.
struct ReportedRectangle: Hashable, Sendable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int
}

/// Decodes the replies of accessible objects. A reply of another shape is rejected. Each function
/// takes the values of one reply; `nil` stands for an error, and gives nothing.
enum AtspiReplyDecoder {
  /// The null object.
  static let nowhere = ATSPI_DBUS_PATH_NULL

  static func rectangle(_ values: [BusValue]?) -> ReportedRectangle? {
    guard let parts = values?.first?.elements, parts.count == 4 else { return nil }
    let numbers = parts.compactMap { part -> Int? in
      if case .int32(let number) = part { Int(number) } else { nil }
    }
    guard numbers.count == 4 else { return nil }
    return ReportedRectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  static func role(_ values: [BusValue]?) -> String? {
    guard case .uint32(let number)? = values?.first else { return nil }
    return RoleNames.name(Int(number))
  }

  static func states(_ values: [BusValue]?) -> AccessibleStates? {
    values?.first.flatMap(states)
  }

  /// Two words of bits, the lower one first.
  static func states(_ value: BusValue) -> AccessibleStates? {
    guard case .array(_, let words) = value, words.count == 2,
      case .uint32(let low) = words[0], case .uint32(let high) = words[1]
    else { return nil }
    return AccessibleStates(rawValue: UInt64(high) << 32 | UInt64(low))
  }

  /// `nil` for a null reference.
  static func element(_ value: BusValue?) -> ElementID? {
    guard let value else { return nil }
    if case .variant(let inner) = value { return element(inner) }
    guard case .tuple(let parts) = value, parts.count == 2, case .string(let name) = parts[0],
      case .path(let path) = parts[1], path != nowhere, RegisteredEvents.isConnection(name)
    else { return nil }
    return ElementID(program: name, path: path)
  }

  static func element(_ values: [BusValue]?) -> ElementID? { element(values?.first) }

  /// Null references are left out.
  static func elements(_ values: [BusValue]?) -> [ElementID]? {
    guard case .array(_, let items)? = values?.first else { return nil }
    return items.compactMap { element($0) }
  }

  /// The labels of an element: what it is labelled by (`ATSPI_RELATION_LABELLED_BY`), and the same
  /// reported the wrong way round.
  ///
  /// - Parameter isLabel: whether an element can be a label of the latter kind.
  static func labels(_ values: [BusValue]?, isLabel: (ElementID) -> Bool) -> [ElementID] {
    (values?.first?.elements ?? []).flatMap { relation -> [ElementID] in
      let parts = relation.elements
      guard parts.count == 2, parts[0] == .uint32(labelledBy) || parts[0] == .uint32(labelFor)
      else { return [] }
      let others = parts[1].elements.prefix(mostLabels).compactMap { element($0) }
      return others.filter { parts[0] == .uint32(labelledBy) || isLabel($0) }
    }
  }

  private static let labelledBy = ATSPI_RELATION_LABELLED_BY.rawValue
  private static let labelFor = ATSPI_RELATION_LABEL_FOR.rawValue
  /// No name has more parts.
  private static let mostLabels = 4

  static func number(_ values: [BusValue]?) -> Int? { values?.first?.number }

  static func text(_ values: [BusValue]?) -> String? { values?.first?.text }

  /// Cleaned for speech; empty when there is none.
  static func name(_ values: [BusValue]?) -> String {
    SpokenName.clean(text(values).map { trimmed(withoutMarkup($0)) } ?? "")
  }

  /// Qt names an element by its text as it was given, which may be marked up as a whole:
  /// "<qt><b>a.txt</b><br/>/tmp</qt>". Anything else with such brackets may be a file's name.
  static func withoutMarkup(_ text: String) -> String {
    let tag = text.dropFirst().prefix { $0.isASCII && $0.isLetter }
    guard text.first == "<", !tag.isEmpty, text.hasSuffix("</\(tag)>") else { return text }
    var (plain, rest) = ("", text[...])
    while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
      plain += rest[..<open]
      if rest[open...].hasPrefix("<br") { plain += ", " }
      rest = rest[rest.index(after: close)...]
    }
    for (entity, sign) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")] {
      plain = plain.replacing(entity, with: sign)
    }
    return plain + rest
  }

  private static func trimmed(_ text: String) -> String {
    // The object replacement character is no name.
    let isBlank = { (character: Character) in character.isWhitespace || character == "\u{FFFC}" }
    guard let first = text.first, let last = text.last, isBlank(first) || isBlank(last) else {
      return text
    }
    var rest = text.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return String(rest)
  }

  /// The attributes that dragging uses. Others are dropped: a program may have hundreds.
  static let wantedAttributes: Set<String> = [
    "dropeffect", "grabbed", "id", "class", "tag", "xml-roles", "draggable",
  ]
  /// In characters.
  private static let longestAttribute = 100

  /// The attributes that dragging uses, and the position in the set, from 1; `nil` where it is not
  /// reported.
  static func attributes(
    _ values: [BusValue]?
  ) -> (attributes: [String: String], index: Int?, total: Int?) {
    var result: [String: String] = [:]
    var position: [String: Int] = [:]
    for entry in values?.first?.elements ?? [] {
      guard case .entry(.string(let key), .string(let value)) = entry else { continue }
      if wantedAttributes.contains(key) {
        result[key] = SpokenName.clean(String(value.prefix(longestAttribute)))
      } else if key == "posinset" || key == "setsize", let number = Int(value), number > 0 {
        position[key] = number
      }
    }
    return (result, position["posinset"], position["setsize"])
  }
}

extension AccessibleStates {
  /// States that at most one row of a list has.
  static let ofSingle: Self = [.active, .defunct, .focused, .selected]
}

extension ElementStates {
  private static let pairs: [(AccessibleStates, ElementStates)] = [
    (.showing, .showing), (.visible, .visible), (.enabled, .enabled), (.editable, .editable),
    (.focused, .focused), (.selected, .selected), (.expandable, .expandable),
    (.expanded, .expanded), (.managesDescendants, .managesDescendants), (.focusable, .focusable),
    (.multiLine, .multiLine),
  ]

  init(_ states: AccessibleStates) {
    self = []
    for (theirs, ours) in Self.pairs where states.contains(theirs) { insert(ours) }
  }
}
