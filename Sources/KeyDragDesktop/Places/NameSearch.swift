import KeyDragCore

/// Finds what a person means by a name on the command line: the whole name first, then its
/// beginning, then the beginning of a word in it, ignoring case and accents.
///
/// Made for one search: all names are folded at its beginning.
package struct NameSearch {
  /// The result of a search.
  package enum Result: Hashable, Sendable {
    /// The one thing that matches, by its index.
    case one(Int)
    /// Several match equally well, in their order.
    case several([Int])
    /// Names that may have been meant, the nearest first.
    case none(nearest: [String])
  }

  /// All names of all things, without empty ones.
  private let names: [String]
  /// Which thing each name belongs to.
  private let owners: [Int]
  /// Over those names.
  private let index: NameIndex

  /// - Parameter things: the names of each thing; the first is the one people are told.
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

  /// Places by their name and by how they are told.
  ///
  /// A place is found by what the person has heard, number and all.
  package init(_ places: [Place]) { self.init(places.map { [$0.name, $0.spokenName] }) }

  /// Programs by their name, the classes of their windows and the titles of those.
  ///
  /// In this order, which counts only among equals.
  package init(_ programs: [(program: ProgramFacts, windows: [WindowFacts])]) {
    self.init(
      programs.map { program, windows in
        [program.name] + windows.map(\.className) + program.frames.map(\.title)
          + windows.map(\.title)
      })
  }

  /// How many words of a name each of the others has, or has nearly.
  ///
  /// By whole words, with a letter or two wrong.
  package static func likeness(of names: [String], to name: String) -> [Int] {
    func words(_ text: String) -> [String] {
      text.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
    }
    let known = names.map { Set(words($0)) }
    let all = known.reduce(into: Set<String>()) { $0.formUnion($1) }
    let near = words(name).map { Set(Nearest.names(to: $0, among: all, most: all.count)) }
    return known.map { words in near.count { !$0.isDisjoint(with: words) } }
  }

  /// Finds what is meant.
  ///
  /// - Parameter preferred: taken when it is the only one of them among several, as a window's view
  ///   is.
  package func find(_ text: String, preferring preferred: Set<Int> = []) -> Result {
    guard let found = index.best(text) else {
      // "Thunar" and "thunar" are one word to whoever hears them.
      var heard: Set<[UInt8]> = []
      let told = names.filter { heard.insert(NameFolding.fold($0)).inserted }
      return .none(nearest: Nearest.names(to: text, among: told, most: 3))
    }
    var seen: Set<Int> = []
    let things = found.rows.map { owners[$0] }.filter { seen.insert($0).inserted }
    if things.count == 1 { return .one(things[0]) }
    let views = things.filter(preferred.contains)
    return views.count == 1 ? .one(views[0]) : .several(things)
  }
}
