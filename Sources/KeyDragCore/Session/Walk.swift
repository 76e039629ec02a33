/// The stops a person walks while carrying, in the order they are walked.
///
/// Dense arrays by ordinal instead of dictionaries: among 100,000 places a dictionary for each
/// question that is asked of a walk would cost more memory than the places themselves.
package struct Walk: Sendable {
  /// Every drop point in registry order, tasks last: type-ahead finds refusing ones too.
  package private(set) var points: [DropPointDescriptor] = []
  /// How many blocks are places; the blocks behind them are tasks.
  package private(set) var placeCount = 0
  /// Ordinals of the points in the order of their ids.
  private var byID: [UInt32] = []
  /// The stops that Tab and the arrows visit, each as four times the ordinal of the point, plus the
  /// position.
  private var stops: [UInt32] = []
  /// The index in ``stops`` of each point's first stop; its stops follow one another.
  private var firstStop: [UInt32] = []
  /// The start of each block in ``stops``, and the end of the last one.
  private var blockStarts: [UInt32] = [0]
  /// How many points are places, and which of them the walk begins with.
  private var placePoints = 0
  private var start = 0
  /// Built at the first type-ahead.
  private var names: NameIndex?

  private static let none = UInt32.max

  package init() {}

  /// - Parameters:
  ///   - places: the drop points in registry order.
  ///   - tasks: the task points, walked after the places.
  ///   - start: the index in `places` that the walk begins with.
  ///   - old: the walk before, whose name index is kept while the names are the same.
  ///   - visits: whether the walk visits a stop.
  package init(
    places: [DropPointDescriptor], tasks: [DropPointDescriptor], start: Int, after old: Walk? = nil,
    visits: (DropStop, DropPointDescriptor) -> Bool
  ) {
    points = tasks.isEmpty ? places : places + tasks
    placePoints = places.count
    self.start = places.indices.contains(start) ? start : 0
    if let old, old.names != nil, old.points == points { names = old.names }
    indexByID()
    firstStop = Array(repeating: Walk.none, count: points.count)
    append(self.start..<placePoints, visits)
    append(0..<self.start, visits)
    placeCount = blockCount
    append(placePoints..<points.count, visits)
  }

  private mutating func indexByID() {
    byID = Array(0..<UInt32(points.count))
    let isAscending = zip(points, points.dropFirst()).allSatisfy {
      DropPointID.precedes($0.id, $1.id)
    }
    if isAscending { return }
    let points = points
    byID.sort { DropPointID.precedes(points[Int($0)].id, points[Int($1)].id) }
  }

  private mutating func append(
    _ range: Range<Int>, _ visits: (DropStop, DropPointDescriptor) -> Bool
  ) {
    var index = range.lowerBound
    while index < range.upperBound {
      let first = stops.count
      if points[index].positions == .on {
        append(DropPosition.on, at: index, visits)
        index += 1
      } else {
        // A list is the run of elements of one container that have places between them.
        let container = points[index].container
        let head = index
        while index < range.upperBound, points[index].container == container,
          points[index].positions != .on
        {
          appendRow(index, isFirst: index == head, visits)
          index += 1
        }
      }
      if stops.count > first { blockStarts.append(UInt32(stops.count)) }
    }
  }

  /// Before the first, on, between, after the last; "after A" and "before B" are one stop.
  private mutating func appendRow(
    _ index: Int, isFirst: Bool, _ visits: (DropStop, DropPointDescriptor) -> Bool
  ) {
    let positions = points[index].positions
    let follows = !isFirst && points[index - 1].positions.contains(.after)
    if positions.contains(.before), !follows { append(.before, at: index, visits) }
    if positions.contains(.on) { append(.on, at: index, visits) }
    if positions.contains(.after) { append(.after, at: index, visits) }
  }

  private mutating func append(
    _ position: DropPosition, at index: Int, _ visits: (DropStop, DropPointDescriptor) -> Bool
  ) {
    guard visits(DropStop(points[index].id, position), points[index]) else { return }
    if firstStop[index] == Walk.none { firstStop[index] = UInt32(stops.count) }
    stops.append(UInt32(index) * 4 + UInt32(position.rawValue))
  }

  // MARK: Stops and blocks

  package var stopCount: Int { stops.count }

  /// The number of blocks, which Tab goes through: one stop for a plain place, all stops of a list.
  package var blockCount: Int { blockStarts.count - 1 }

  package func block(_ index: Int) -> Range<Int> {
    Int(blockStarts[index])..<Int(blockStarts[index + 1])
  }

  /// The block that a stop belongs to.
  package func block(of stop: Int) -> Int {
    var low = 0
    var high = blockCount - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if Int(blockStarts[middle]) <= stop { low = middle } else { high = middle - 1 }
    }
    return low
  }

  package func stop(_ index: Int) -> DropStop {
    DropStop(point(ofStop: index).id, position(ofStop: index))
  }

  package func position(ofStop index: Int) -> DropPosition {
    DropPosition(rawValue: UInt8(stops[index] & 3)) ?? .on
  }

  package func point(ofStop index: Int) -> DropPointDescriptor { points[ordinal(ofStop: index)] }

  package func ordinal(ofStop index: Int) -> Int { Int(stops[index] / 4) }

  /// The index of a stop among those visited; `nil` when it is not visited.
  package func index(of stop: DropStop) -> Int? {
    guard let ordinal = ordinal(of: stop.point), firstStop[ordinal] != Walk.none else { return nil }
    let code = UInt32(ordinal) * 4 + UInt32(stop.position.rawValue)
    var index = Int(firstStop[ordinal])
    while index < stops.count, Int(stops[index] / 4) == ordinal {
      if stops[index] == code { return index }
      index += 1
    }
    return nil
  }

  /// Whether the walk comes by a point at any of its positions.
  package func visits(_ id: DropPointID) -> Bool {
    ordinal(of: id).map { firstStop[$0] != Walk.none } ?? false
  }

  /// The index of the first stop behind a point, in the order of the walk.
  package func firstStop(behind id: DropPointID) -> Int {
    Int(blockStarts[min(block(behind: id), blockCount)])
  }

  // MARK: Points

  /// The index of a drop point in ``points``.
  package func ordinal(of id: DropPointID) -> Int? {
    var low = 0
    var high = byID.count
    while low < high {
      let middle = (low + high) / 2
      if DropPointID.precedes(points[Int(byID[middle])].id, id) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < byID.count, points[Int(byID[low])].id == id else { return nil }
    return Int(byID[low])
  }

  package func point(_ id: DropPointID) -> DropPointDescriptor? {
    ordinal(of: id).map { points[$0] }
  }

  /// The drop point before or behind this one in the same list, in registry order.
  package func neighbour(of point: DropPointDescriptor, by step: Int) -> DropPointDescriptor? {
    guard let ordinal = ordinal(of: point.id), points.indices.contains(ordinal + step) else {
      return nil
    }
    let other = points[ordinal + step]
    return other.container == point.container && other.positions != .on ? other : nil
  }

  /// The first block behind a place that is not visited, in the order of the walk; the number of
  /// blocks when none is.
  package func block(behind id: DropPointID) -> Int {
    guard let ordinal = ordinal(of: id) else { return 0 }
    let wanted = turn(of: ordinal)
    var low = 0
    var high = blockCount
    while low < high {
      let middle = (low + high) / 2
      let here = turn(of: self.ordinal(ofStop: Int(blockStarts[middle])))
      if here <= wanted { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// When the walk comes by a point: registry order, rotated, with the tasks behind the places.
  private func turn(of ordinal: Int) -> Int {
    guard ordinal < placePoints else { return ordinal }
    return ordinal >= start ? ordinal - start : ordinal - start + placePoints
  }

  /// The drop point that a person means who types this.
  ///
  /// - Parameter heard: the words by which a place is known.
  package mutating func match(
    _ text: String, current: DropPointID?, movesOn: Bool,
    heard: (DropPointDescriptor) -> String = \.name
  ) -> DropPointDescriptor? {
    if names == nil { names = NameIndex(points.map(heard)) }
    let row = names?.match(text, current: current.flatMap(ordinal), movesOn: movesOn)
    return row.map { points[$0] }
  }
}
