/// Shortens long names in speech from the second time on.
package struct LongNames: Sendable {
  /// Longer names are cut, in characters.
  private static let most = 60
  private static let (head, tail) = (30, 15)
  /// The limit of remembered names.
  private static let remembered = 10_000

  /// The names by short form; those whose short forms collide are never cut.
  private var byShort: [String: Set<String>] = [:]
  private var count = 0

  package init() {}

  /// The short forms of names heard before, cut in the middle to keep the extension.
  package mutating func cuts(in arguments: [AnnouncementArgument]) -> [String: String] {
    var cuts: [String: String] = [:]
    for name in Self.names(arguments) {
      let short = Self.short(name)
      if byShort[short]?.contains(name) == true {
        if byShort[short]?.count == 1 { cuts[name] = short }
      } else if count < Self.remembered {
        byShort[short, default: []].insert(name)
        count += 1
      }
    }
    return cuts
  }

  package static func apply(_ cuts: [String: String], to text: String) -> String {
    cuts.reduce(text) { $0.replacing($1.key, with: $1.value) }
  }

  /// The arguments that are names and nothing else.
  private static let keys: Set<String> = [
    "name", "names", "next", "place", "container", "to", "dropPoint", "failedNames",
  ]

  private static func names(_ arguments: [AnnouncementArgument]) -> Set<String> {
    var names: Set<String> = []
    for argument in arguments where keys.contains(argument.name) {
      switch argument.value {
      case .text(let text): if isLong(text) { names.insert(text) }
      case .list(let texts): for text in texts where isLong(text) { names.insert(text) }
      case .number, .flag, .object, .objects: break
      }
    }
    return names
  }

  private static func isLong(_ name: String) -> Bool {
    // Counting bytes is cheaper than counting characters.
    name.utf8.count > most && name.count > most
  }

  private static func short(_ name: String) -> String {
    "\(name.prefix(head))… \(name.suffix(tail))"
  }
}
