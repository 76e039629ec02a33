/// The bookmarks in a file of XBEL, which says in XML what is called how: a pure value.
///
/// Of XML it knows what such files are made of, and no more: what a file declares itself, and what
/// it refers to elsewhere, is never looked at.
///
/// In the order of the file; one without address or title is left out.
struct XBELPlaces {
  /// Both plain: without escapes.
  private(set) var places: [(title: String, address: String)] = []

  /// Never fails: it reads as far as it understands.
  init(_ text: String) {
    var rest = text[...]
    while let start = rest.firstRange(of: "<bookmark ") {
      rest = rest[start.upperBound...]
      guard let head = rest.firstIndex(of: ">") else { return }
      let own = rest[..<head]
      rest = rest[rest.index(after: head)...]
      // One without anything in it has no title either.
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

  /// The value of an attribute, in either kind of quotes; `nil` where there is none.
  private static func value(of name: String, in tag: Substring) -> String? {
    let tag = " " + tag
    for quote in ["\"", "'"] {
      guard let start = tag.firstRange(of: " \(name)=\(quote)") else { continue }
      let rest = tag[start.upperBound...]
      return rest.firstIndex(of: Character(quote)).flatMap { plain(rest[..<$0]) }
    }
    return nil
  }

  /// Without the five names that XML gives to signs, and without their numbers; `nil` where there
  /// is another name, which only a declaration would explain.
  private static func plain(_ text: Substring) -> String? {
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
      // A number of no character gives none.
      let number =
        name.hasPrefix("#x")
        ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst(), radix: 10)
      return number.flatMap(Unicode.Scalar.init).map(Character.init)
    }
  }
}
