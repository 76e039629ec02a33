import KeyDragCore

/// The elements of a window with what can be worked out from how they lie in each other.
///
/// A value: made once for each reading. Indices are those of the list of elements.
struct ElementTree {
  /// Whether something of an element can be seen.
  enum Sight {
    /// Some of it is seen: that part.
    case seen(ScreenRectangle)
    /// In the window, but scrolled out of view.
    case scrolledAway
    /// Not there for anybody, such as the page of another tab.
    case hidden
  }

  /// In the order of the tree, each after the one around it.
  let elements: [ElementFacts]
  /// The element around each, always an earlier one.
  let parents: [Int?]
  /// The elements in each, in their order.
  let children: [[Int]]
  /// How many columns with a header each table has.
  private let columns: [Int: Int]
  /// The visible part of whatever lies in each element; `nil` for nothing.
  private let openings: [ScreenRectangle?]
  /// All of it, or endless where its size is not known.
  private let window: ScreenRectangle
  /// GTK 4 says of almost nothing that it is showing, and Qt, GTK 3 and Gecko of what is.
  private let saysWhatShows: Bool
  /// GTK 4 names and shows elements otherwise than GTK 3.
  let isGTK4: Bool
  /// Any version of it.
  let isOfGTK: Bool
  /// Of any version.
  let isOfQt: Bool

  /// Works everything out at once.
  init(_ elements: [ElementFacts], window: WindowFacts, program: ProgramFacts) {
    self.elements = elements
    // A list from outside: what points forwards or beyond has no parent.
    let parents = elements.enumerated().map { index, element in
      element.parent.flatMap { (0..<index).contains($0) ? $0 : nil }
    }
    self.parents = parents
    var children: [[Int]] = Array(repeating: [], count: elements.count)
    var columns: [Int: Int] = [:]
    var headerEnds: [Int: Int] = [:]
    for (index, element) in elements.enumerated() {
      guard let parent = parents[index] else { continue }
      children[parent].append(index)
      guard element.role == AccessibleRoles.columnHeader else { continue }
      columns[parent, default: 0] += 1
      // Rows scroll under the headers and are not seen there.
      if let header = element.rectangle, !header.isEmpty {
        headerEnds[parent] = max(headerEnds[parent] ?? Int.min, header.y + header.height)
      }
    }
    self.children = children
    self.columns = columns
    isOfGTK = program.toolkit.lowercased() == "gtk"
    isOfQt = program.toolkit.lowercased() == "qt"
    isGTK4 = isOfGTK && program.toolkitVersion.hasPrefix("4")
    saysWhatShows = !isGTK4
    // A window of unknown size hides nothing.
    let whole =
      window.rectangle.isEmpty
      ? ScreenRectangle(x: -100_000, y: -100_000, width: 200_000, height: 200_000)
      : window.rectangle
    self.window = whole
    var openings: [ScreenRectangle?] = []
    openings.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      // Everything hidden by the one around it is hidden in it too.
      var opening = parents[index].map { openings[$0] } ?? whole
      if AccessibleRoles.edges.contains(element.role), let edge = element.rectangle, !edge.isEmpty {
        opening = opening.flatMap { $0.intersection(edge) }
        if let end = headerEnds[index], let left = opening, end > left.y {
          opening = ScreenRectangle(
            x: left.x, y: end, width: left.width, height: left.y + left.height - end)
        }
      }
      openings.append(opening)
    }
    self.openings = openings
  }

  /// The elements around one, from the inside out.
  func ancestors(of index: Int) -> some Sequence<Int> {
    sequence(state: index) { [parents] index in
      guard let parent = parents[index] else { return nil }
      index = parent
      return parent
    }
  }

  /// Where each element stands as one reads a window: what lies in an element with it, from top to
  /// bottom, and left to right. Lists and documents keep the order in which they tell their parts.
  ///
  /// - Parameter isMirrored: whether one reads from right to left.
  func readingOrder(isMirrored: Bool) -> [Int] {
    var order = Array(repeating: 0, count: elements.count)
    var stack = sorted(elements.indices.filter { parents[$0] == nil }, isMirrored)
    stack.reverse()
    var count = 0
    while let index = stack.popLast() {
      order[index] = count
      count += 1
      let isTold = AccessibleRoles.ordered.contains(elements[index].role)
      stack += (isTold ? children[index] : sorted(children[index], isMirrored)).reversed()
    }
    return order
  }

  /// More are left in the order of the tree.
  private static let mostSorted = 400
  /// How far two lines may overlap, in pixels.
  private static let overlap = 3

  /// Elements that lie in one as they are read; what is nowhere follows what it stood behind.
  private func sorted(_ indices: [Int], _ isMirrored: Bool) -> [Int] {
    guard indices.count > 1, indices.count <= Self.mostSorted else { return indices }
    var parts: [(area: ScreenRectangle, indices: [Int])] = []
    var first: [Int] = []
    for index in indices {
      if let area = area(of: index) {
        parts.append((isMirrored ? area.mirrored : area, [index]))
      } else if parts.isEmpty {
        first.append(index)
      } else {
        parts[parts.count - 1].indices.append(index)
      }
    }
    return first + Self.read(parts, byLines: true).flatMap(\.indices)
  }

  /// Where an element is seen, or else something in it.
  private func area(of index: Int) -> ScreenRectangle? {
    if let own = elements[index].rectangle, !own.isEmpty { return own }
    return self.first(in: index) { elements[$0].rectangle?.isEmpty == false }
      .flatMap { elements[$0].rectangle }
  }

  /// Cut between lines, each of these between columns, and so on, as long as something can be cut.
  private static func read(
    _ parts: [(area: ScreenRectangle, indices: [Int])], byLines: Bool, isLast: Bool = false
  ) -> [(area: ScreenRectangle, indices: [Int])] {
    func start(_ area: ScreenRectangle) -> Int { byLines ? area.y : area.x }
    let sorted = parts.enumerated().sorted {
      (start($0.element.area), $0.offset) < (start($1.element.area), $1.offset)
    }.map(\.element)
    var groups: [[(area: ScreenRectangle, indices: [Int])]] = []
    var end = Int.min
    for part in sorted {
      if start(part.area) >= end { groups.append([]) }
      groups[groups.count - 1].append(part)
      end = max(end, start(part.area) + (byLines ? part.area.height : part.area.width) - overlap)
    }
    if groups.count == 1, isLast {
      return byLines ? sorted : read(parts, byLines: true, isLast: true)
    }
    return groups.flatMap { group in
      group.count == 1 ? group : read(group, byLines: !byLines, isLast: groups.count == 1)
    }
  }

  /// Whether one of these roles is around an element.
  func isInside(_ index: Int, _ roles: Set<String>) -> Bool {
    ancestors(of: index).contains { roles.contains(elements[$0].role) }
  }

  /// How many columns with headers a table has; 0 also when the headers are not known.
  ///
  /// Both mean that cells are told apart by where they lie.
  func columnCount(of table: Int) -> Int { columns[table] ?? 0 }

  /// The window's part within which everything in an element is seen.
  ///
  /// `nil` where nothing of it is seen.
  func opening(of index: Int) -> ScreenRectangle? { openings[index] }

  /// The visible part of an element. Something that is shown in a list and lies outside its opening
  /// is scrolled away, not gone.
  func sight(of index: Int) -> Sight {
    let element = elements[index]
    guard element.states.contains(.showing) || !saysWhatShows else { return .hidden }
    guard let rectangle = rectangle(of: index) else {
      // The cells of a GTK 3 list claim to be showing wherever they are.
      return saysWhatShows ? .scrolledAway : .hidden
    }
    let opening = parents[index].map { openings[$0] } ?? window
    return opening.flatMap { $0.intersection(rectangle) }.map { .seen($0) } ?? .scrolledAway
  }

  /// The element's rectangle; Gecko gives none for a page that has room for more than it fills.
  func rectangle(of index: Int) -> ScreenRectangle? {
    if let own = elements[index].rectangle, !own.isEmpty { return own }
    guard AccessibleRoles.documents.contains(elements[index].role), let parent = parents[index],
      let around = elements[parent].rectangle, !around.isEmpty
    else { return nil }
    return around
  }

  /// The name of an element; a row without a name of its own gets that of the first thing in it
  /// that has one.
  func name(of index: Int) -> String {
    let own = elements[index]
    guard own.name.isEmpty, AccessibleRoles.rows.contains(own.role) else { return own.name }
    return first(in: index) { !elements[$0].name.isEmpty }.map { elements[$0].name } ?? ""
  }

  /// The first of the elements in this one, itself left out, for which something holds; only so far
  /// down as names of rows lie.
  ///
  /// At most 100 are looked at, in the order of the tree.
  func first(in index: Int, where holds: (Int) -> Bool) -> Int? {
    var left = 100
    var stack = Array(children[index].reversed())
    while let next = stack.popLast(), left > 0 {
      if holds(next) { return next }
      left -= 1
      stack.append(contentsOf: children[next].reversed())
    }
    return nil
  }
}

extension ScreenRectangle {
  /// As it lies in a window that is read from right to left.
  var mirrored: ScreenRectangle {
    ScreenRectangle(x: -x - width, y: y, width: width, height: height)
  }
}
