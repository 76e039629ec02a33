import KeyDragCore

/// Finds what a name on the command line means: an exact match first, then the beginning of a name,
/// then the beginning of a word in it, ignoring case and accents.
///
/// Made for one search: all names are folded at the start.
package struct NameSearch {
  package enum Result: Hashable, Sendable {
    /// The index of the only match.
    case one(Int)
    /// Equally good matches, in order.
    case several([Int])
    /// Similar names, the nearest first.
    case none(nearest: [String])
  }

  private let names: [String]
  /// The index of the thing with each name.
  private let owners: [Int]
  private let index: NameIndex

  /// - Parameter things: the names of each thing, the spoken one first.
  package init(_ things: [[String]]) {
    var names: [String] = []
    var owners: [Int] = []
    for (owner, thing) in things.enumerated() {
      for name in thing where !name.isEmpty {
        names.append(name)
        owners.append(owner)
      }
    }
    self.names = names
    self.owners = owners
    index = NameIndex(names)
  }

  /// Places by their name, and by their spoken name with its number.
  package init(_ places: [Place]) { self.init(places.map { [$0.name, $0.spokenName] }) }

  /// Programs by their name, and the classes and titles of their windows; the order counts only
  /// among equal matches.
  package init(_ programs: [(program: ProgramFacts, windows: [WindowFacts])]) {
    self.init(
      programs.map { program, windows in
        [program.name] + windows.map(\.className) + program.frames.map(\.title)
          + windows.map(\.title)
      })
  }

  /// For each of the names, how many words it shares with another, allowing for a letter or two
  /// wrong.
  package static func likeness(of names: [String], to name: String) -> [Int] {
    func words(_ text: String) -> [String] {
      text.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
    }
    let known = names.map { Set(words($0)) }
    let all = known.reduce(into: Set<String>()) { $0.formUnion($1) }
    let near = words(name).map { Set(Suggestions.names(to: $0, among: all, most: all.count)) }
    return known.map { words in near.count { !$0.isDisjoint(with: words) } }
  }

  /// Finds what is meant.
  ///
  /// - Parameter preferred: decides among several matches if exactly one is preferred, such as a
  ///   window's view.
  package func find(_ text: String, preferring preferred: Set<Int> = []) -> Result {
    guard let found = index.best(text) else {
      // "Thunar" and "thunar" sound the same.
      var heard: Set<[UInt8]> = []
      let told = names.filter { heard.insert(NameFolding.fold($0)).inserted }
      return .none(nearest: Suggestions.names(to: text, among: told, most: 3))
    }
    var seen: Set<Int> = []
    let things = found.rows.map { owners[$0] }.filter { seen.insert($0).inserted }
    if things.count == 1 { return .one(things[0]) }
    let views = things.filter(preferred.contains)
    return views.count == 1 ? .one(views[0]) : .several(things)
  }
}
