import KeyDragCore

/// A row or cell of a list that makes its rows as they are looked at.
struct ShownRow: Hashable, Sendable {
  var id: ElementID
  var index: Int?
  var total: Int?
}

/// Where the rows of a long list are that can be seen: a pure value.
struct RowWindow: Hashable, Sendable {
  /// How many elements are in the list, its headers included.
  var count: Int
  var rows: Int?
  var columns: Int?

  /// More cells than this are never looked at.
  static let most = 600

  /// The cells that can be seen, by the indices of some of them.
  ///
  /// - Parameter reachesEnd: whether one of them is at the lower edge of the list.
  func range(seen: [Int], reachesEnd: Bool) -> Range<Int> {
    guard let first = seen.min(), let last = seen.max() else { return 0..<min(count, Self.most) }
    let width = min(max(columns ?? 1, 1), 64)
    let start = max(first - width, 0)
    // A list that ends above its lower edge is seen to its end.
    let end = reachesEnd ? min(last + width + 1, count) : count
    return start..<max(min(end, start + Self.most), start)
  }

  /// Cells that are no part of a row: the headers, which come first.
  private var headers: Int? {
    guard let rows, let columns, rows > 0, columns > 0 else { return nil }
    let (cells, isTooMany) = rows.multipliedReportingOverflow(by: columns)
    let headers = count - cells
    return !isTooMany && (0...columns).contains(headers) ? headers : nil
  }

  /// Which row a cell is in, from 1, and of how many.
  func position(_ index: Int) -> (index: Int, total: Int)? {
    guard let headers, let rows, let columns, index >= headers else { return nil }
    return ((index - headers) / columns + 1, rows)
  }
}

extension RowWindow {
  /// What is asked of a list; those that are no tables have the first only.
  static func questions(of list: ElementID) -> [BusQuestion] {
    [list.property("ChildCount")] + ["NRows", "NColumns"].map { list.property($0, of: "Table") }
  }

  /// Reads the answers.
  init(_ answers: [[BusValue]?]) {
    let numbers = answers.prefix(3).map { AccessibleAnswers.number($0) }
    self.init(
      count: numbers.first.flatMap { $0 } ?? 0, rows: numbers.count > 1 ? numbers[1] : nil,
      columns: numbers.count > 2 ? numbers[2] : nil)
  }
}

extension ProgramBus {
  /// Shorter lists are read as a whole.
  private static let shortList = 100
  /// Where rows are looked for, in pixels from the upper and from the lower edge: below the headers,
  /// however high they are, and above a scroll bar.
  private static let upper = [2, 14, 26, 38, 50, 62]
  private static let lower = [2, 14, 26, 40]

  /// The rows that can be seen in a list that makes its rows as they are looked at, found by asking
  /// what is at its edges: it does not matter how many rows it has. `nil` for a list that is to be
  /// read as any other element.
  func shownRows(
    of list: ElementOutline.Node, _ toolkit: Toolkit
  ) async throws(Reason) -> [ShownRow]? {
    guard let told = list.told else { return [] }
    let place = list.clip?.common(told) ?? told
    let columns = [place.x + 5, place.x + place.width / 2]
    let (upper, lower) = (
      Self.upper.map { place.y + $0 }, Self.lower.map { place.y + place.height - 1 - $0 }
    )
    let points = (upper + lower).flatMap { y in columns.map { ($0, y) } }
    // Only GTK 3 is sure to answer with an error when it is asked for what it has not.
    let known = toolkit.reading == .levels ? nil : try await rowWindow(of: list.id)
    let sizes = known == nil ? RowWindow.questions(of: list.id) : []
    let answers = try await ask(
      sizes
        + points.map { x, y in
          list.id.ask(
            "Component", "GetAccessibleAtPoint", .int32(Int32(clamping: x)),
            .int32(Int32(clamping: y)), .uint32(toolkit.coordinates))
        })
    let window = known ?? RowWindow(answers)
    guard window.count > Self.shortList else {
      return window.count > 0 ? try await rows(of: list.id, window, 0..<window.count) : []
    }
    let hits = answers.dropFirst(sizes.count).map { AccessibleAnswers.element($0) }
    let indices = try await indices(of: Set(hits.compactMap { $0 }), in: list.id)
    let atEnd = hits.suffix(lower.count * columns.count).compactMap { $0 }
    return try await rows(
      of: list.id, window,
      window.range(
        seen: Array(indices.values), reachesEnd: atEnd.contains { indices[$0] != nil }))
  }

  /// What an element can be asked, by the last parts of the names of its interfaces.
  func interfaces(of element: ElementID) async throws(Reason) -> Set<String> {
    let answer = try await ask(element.ask("Accessible", "GetInterfaces"))
    return Set(
      (answer?.first?.elements ?? []).compactMap { value in
        value.text?.split(separator: ".").last.map(String.init)
      })
  }

  func rowWindow(of list: ElementID) async throws(Reason) -> RowWindow {
    let isTable = try await interfaces(of: list).contains("Table")
    return RowWindow(try await ask(Array(RowWindow.questions(of: list).prefix(isTable ? 3 : 1))))
  }

  private func rows(
    of list: ElementID, _ window: RowWindow, _ range: Range<Int>
  ) async throws(Reason) -> [ShownRow] {
    let answers = try await ask(range.map { list.child($0) })
    return zip(range, answers).compactMap { index, answer in
      guard let id = AccessibleAnswers.element(answer) else { return nil }
      let position = window.position(index)
      return ShownRow(id: id, index: position?.index, total: position?.total)
    }
  }

  /// The indices of elements in a list, or of what is around them there.
  private func indices(
    of elements: Set<ElementID>, in list: ElementID
  ) async throws(Reason) -> [ElementID: Int] {
    var result: [ElementID: Int] = [:]
    var open = elements.map { (hit: $0, at: $0) }
    // What is hit may be a part of a cell, and that one of another.
    for _ in 0..<4 where !open.isEmpty {
      let answers = try await ask(open.flatMap { [$0.at.parent, $0.at.indexInParent] })
      var next: [(hit: ElementID, at: ElementID)] = []
      for (place, pair) in open.enumerated() {
        guard let parent = AccessibleAnswers.element(answers[place * 2]) else { continue }
        if parent != list {
          next.append((pair.hit, parent))
        } else if let index = AccessibleAnswers.number(answers[place * 2 + 1]), index >= 0 {
          result[pair.hit] = index
        }
      }
      open = next
    }
    return result
  }
}
