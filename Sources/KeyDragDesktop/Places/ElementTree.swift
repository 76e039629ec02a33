import KeyDragCore

/// The elements of a window, with what follows from their nesting.
///
/// A value, made once for each reading. Indices are those of the list of elements.
struct ElementTree {
  enum Visibility {
    /// At least partly visible: that part.
    case seen(ScreenRectangle)
    /// In the window, but scrolled out of view.
    case scrolledAway
    /// Not visible at all, such as the page of another tab.
    case hidden
  }

  /// In tree order, parents first.
  let elements: [ElementFacts]
  /// The parent of each, always at a lower index.
  let parents: [Int?]
  /// The children of each, in order.
  let children: [[Int]]
  /// The number of columns with a header, by table.
  private let columns: [Int: Int]
  /// The visible area of each element's contents; `nil` for none.
  private let openings: [ScreenRectangle?]
  /// All of it, or endless where its size is unknown.
  private let window: ScreenRectangle
  /// GTK 4 reports almost nothing as showing, while Qt, GTK 3 and Gecko do.
  private let reportsShowingState: Bool
  /// GTK 4 names and reports elements differently from GTK 3.
  let isGTK4: Bool
  let usesGTK: Bool
  let isOfQt: Bool

  init(_ elements: [ElementFacts], window: WindowFacts, program: ProgramFacts) {
    self.elements = elements
    // Untrusted input: a parent that is not at a lower index is ignored.
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
      // Rows scroll beneath the headers and are not visible there.
      if let header = element.rectangle, !header.isEmpty {
        headerEnds[parent] = max(headerEnds[parent] ?? Int.min, header.y + header.height)
      }
    }
    self.children = children
    self.columns = columns
    usesGTK = program.toolkit.lowercased() == "gtk"
    isOfQt = program.toolkit.lowercased() == "qt"
    isGTK4 = usesGTK && program.toolkitVersion.hasPrefix("4")
    reportsShowingState = !isGTK4
    // A window of unknown size hides nothing.
    let whole =
      window.rectangle.isEmpty
      ? ScreenRectangle(x: -100_000, y: -100_000, width: 200_000, height: 200_000)
      : window.rectangle
    self.window = whole
    var openings: [ScreenRectangle?] = []
    openings.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      // The parent's clipping applies to its contents, too.
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

  /// The parents of an element, innermost first.
  func ancestors(of index: Int) -> some Sequence<Int> { elements.ancestors(of: index) }

  /// The position of each element in reading order: siblings from top to bottom and left to right.
  /// Lists and documents keep the order in which they report their parts.
  ///
  /// - Parameter isMirrored: whether to read from right to left.
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

  /// More siblings are left in tree order.
  private static let mostSorted = 400
  /// The permitted overlap of two lines, in pixels.
  private static let overlap = 3

  /// Siblings in reading order; those without a position follow the one before them.
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

  /// The rectangle of an element, or else of something in it.
  private func area(of index: Int) -> ScreenRectangle? {
    if let own = elements[index].rectangle, !own.isEmpty { return own }
    return self.first(in: index) { elements[$0].rectangle?.isEmpty == false }
      .flatMap { elements[$0].rectangle }
  }

  /// Recursive XY cut: into lines, those into columns, and so on while anything can be cut.
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

  /// The number of a table's columns with headers; 0 also if unknown. Either way cells are then
  /// grouped by their positions.
  func columnCount(of table: Int) -> Int { columns[table] ?? 0 }

  /// The part of the window in which an element's contents are visible; `nil` for none.
  func opening(of index: Int) -> ScreenRectangle? { openings[index] }

  /// The visible part of an element. One that is showing but lies outside its parent's opening is
  /// scrolled away, not hidden.
  func sight(of index: Int) -> Visibility {
    let element = elements[index]
    guard element.states.contains(.showing) || !reportsShowingState else { return .hidden }
    guard let rectangle = rectangle(of: index) else {
      // Cells of a GTK 4 list claim to be showing wherever they are.
      return reportsShowingState ? .scrolledAway : .hidden
    }
    let opening = parents[index].map { openings[$0] } ?? window
    return opening.flatMap { $0.intersection(rectangle) }.map { .seen($0) } ?? .scrolledAway
  }

  /// The element's rectangle; Gecko reports none for a page that does not fill its view.
  func rectangle(of index: Int) -> ScreenRectangle? {
    if let own = elements[index].rectangle, !own.isEmpty { return own }
    guard AccessibleRoles.documents.contains(elements[index].role), let parent = parents[index],
      let around = elements[parent].rectangle, !around.isEmpty
    else { return nil }
    return around
  }

  /// The name of an element; a row without one has the first name in it.
  func name(of index: Int) -> String {
    let own = elements[index]
    guard own.name.isEmpty, AccessibleRoles.rows.contains(own.role) else { return own.name }
    return first(in: index) { !elements[$0].name.isEmpty }.map { elements[$0].name } ?? ""
  }

  /// The first descendant that fulfils a condition, among at most 100 in tree order.
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
  /// Mirrored for right-to-left reading order.
  var mirrored: ScreenRectangle {
    ScreenRectangle(x: -x - width, y: y, width: width, height: height)
  }
}

extension [ElementFacts] {
  /// The parents of an element, innermost first.
  func ancestors(of index: Int) -> some Sequence<Int> {
    sequence(state: index) { index in
      guard let parent = self[index].parent, (0..<index).contains(parent) else { return nil }
      index = parent
      return parent
    }
  }
}
