/// Names that are cut for the ear: nobody listens to a long one to its end a second time.
package struct LongNames: Sendable {
  /// Longer names are cut, in characters.
  private static let most = 60
  private static let (head, tail) = (30, 15)
  /// More names are not remembered.
  private static let remembered = 10_000

  /// The names that each short form stands for; those that would sound alike are never cut.
  private var byShort: [String: Set<String>] = [:]
  private var count = 0

  package init() {}

  /// The names among these that have been heard before, each with itself cut in the middle: its ending,
  /// which tells what it is, stays.
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

  /// A text with its names cut so.
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
      case .number, .flag: break
      }
    }
    return names
  }

  private static func isLong(_ name: String) -> Bool {
    // Bytes are counted sooner than characters.
    name.utf8.count > most && name.count > most
  }

  private static func short(_ name: String) -> String {
    "\(name.prefix(head))… \(name.suffix(tail))"
  }
}
