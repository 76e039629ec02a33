/// The bookmarks of an XBEL file, in file order, without those that lack a URI or a title. Parses
/// only the XML subset that such files use: declarations and external references are ignored.
struct XBELPlaces {
  /// Unescaped.
  private(set) var places: [(title: String, address: String)] = []

  /// Never fails: skips what it can't parse.
  init(_ text: String) {
    var rest = text[...]
    while let start = rest.firstRange(of: "<bookmark ") {
      rest = rest[start.upperBound...]
      guard let head = rest.firstIndex(of: ">") else { return }
      let own = rest[..<head]
      rest = rest[rest.index(after: head)...]
      // An empty element has no title.
      guard !own.hasSuffix("/"), let end = rest.firstRange(of: "</bookmark>") else { continue }
      let body = rest[..<end.lowerBound]
      rest = rest[end.upperBound...]
      guard let address = Self.value(of: "href", in: own),
        let opening = body.firstRange(of: "<title>"),
        let closing = body[opening.upperBound...].firstRange(of: "</title>"),
        let title = Self.plain(body[opening.upperBound..<closing.lowerBound])
      else { continue }
      places.append((title, address))
    }
  }

  /// An attribute's value in either kind of quotes; `nil` if it is missing.
  private static func value(of name: String, in tag: Substring) -> String? {
    let tag = " " + tag
    for quote in ["\"", "'"] {
      guard let start = tag.firstRange(of: " \(name)=\(quote)") else { continue }
      let rest = tag[start.upperBound...]
      return rest.firstIndex(of: Character(quote)).flatMap { plain(rest[..<$0]) }
    }
    return nil
  }

  /// Resolves character references and the five predefined entities; `nil` for any other entity,
  /// which would need a declaration.
  static func plain(_ text: Substring) -> String? {
    var result = ""
    var rest = text
    while let sign = rest.firstIndex(of: "&") {
      result += rest[..<sign]
      guard let end = rest[sign...].firstIndex(of: ";"),
        let meant = character(rest[rest.index(after: sign)..<end])
      else { return nil }
      result.append(meant)
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  /// A reference by name or number, without "&" and ";" (XML 1.0, 4.1 and 4.6).
  private static func character(_ name: Substring) -> Character? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    default:
      guard name.hasPrefix("#") else { return nil }
      // `nil` for an invalid code point.
      let number =
        name.hasPrefix("#x")
        ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst(), radix: 10)
      return number.flatMap(Unicode.Scalar.init).map(Character.init)
    }
  }
}
