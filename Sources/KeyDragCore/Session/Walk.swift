/// The stops a person walks while carrying, in the order they are walked.
package struct Walk: Sendable {
  /// Every drop point in registry order, tasks last: type-ahead finds refusing ones too.
  package var points: [DropPointDescriptor] = []
  /// The stops that Tab and the arrows visit.
  package var stops: [DropStop] = []
  /// What Tab goes through: one stop for a plain place, all stops of a list for a list.
  package var blocks: [Range<Int>] = []
  /// How many blocks are places; the blocks behind them are tasks.
  package var placeCount = 0
  /// Index of each drop point in ``points``.
  package var ordinals: [DropPointID: Int] = [:]
  /// Index of each stop in ``stops``, and of its block.
  private var stopIndex: [DropStop: Int] = [:]
  private var blockOfStop: [Int32] = []
  /// Built at the first type-ahead.
  private var names: NameIndex?

  package init() {}

  /// - Parameters:
  ///   - places: the drop points in registry order.
  ///   - tasks: the task points, walked after the places.
  ///   - start: the index in `places` that the walk begins with.
  ///   - visits: whether the walk visits a stop.
  package init(
    places: [DropPointDescriptor], tasks: [DropPointDescriptor], start: Int,
    visits: (DropStop) -> Bool
  ) {
    points = places + tasks
    ordinals.reserveCapacity(points.count)
    for (index, point) in points.enumerated() { ordinals[point.id] = index }
    let start = places.indices.contains(start) ? start : 0
    append(places[start...], visits)
    append(places[..<start], visits)
    placeCount = blocks.count
    append(tasks[...], visits)
    blockOfStop.reserveCapacity(stops.count)
    for (block, range) in blocks.enumerated() {
      for _ in range { blockOfStop.append(Int32(block)) }
    }
    stopIndex.reserveCapacity(stops.count)
    for (index, stop) in stops.enumerated() { stopIndex[stop] = index }
  }

  private mutating func append(
    _ points: ArraySlice<DropPointDescriptor>, _ visits: (DropStop) -> Bool
  ) {
    var index = points.startIndex
    while index < points.endIndex {
      let point = points[index]
      let first = stops.count
      if point.positions == .on {
        index += 1
        if visits(DropStop(point.id)) { stops.append(DropStop(point.id)) }
      } else {
        // A list is the run of elements of one container that have places between them.
        let end =
          points[index...].firstIndex { $0.container != point.container || $0.positions == .on }
          ?? points.endIndex
        for stop in Walk.stops(of: points[index..<end]) where visits(stop) { stops.append(stop) }
        index = end
      }
      if stops.count > first { blocks.append(first..<stops.count) }
    }
  }

  /// Before the first, on, between, after the last; "after A" and "before B" are one stop.
  package static func stops(of rows: ArraySlice<DropPointDescriptor>) -> [DropStop] {
    var result: [DropStop] = []
    for (index, row) in zip(rows.indices, rows) {
      let follows = index > rows.startIndex && rows[index - 1].positions.contains(.after)
      if row.positions.contains(.before), !follows { result.append(DropStop(row.id, .before)) }
      if row.positions.contains(.on) { result.append(DropStop(row.id, .on)) }
      if row.positions.contains(.after) { result.append(DropStop(row.id, .after)) }
    }
    return result
  }

  package func index(of stop: DropStop) -> Int? { stopIndex[stop] }

  package func block(of index: Int) -> Int { Int(blockOfStop[index]) }

  package func point(_ id: DropPointID) -> DropPointDescriptor? {
    ordinals[id].map { points[$0] }
  }

  /// The drop point before or behind this one in the same list, in registry order.
  package func neighbour(of point: DropPointDescriptor, by step: Int) -> DropPointDescriptor? {
    guard let ordinal = ordinals[point.id], points.indices.contains(ordinal + step) else {
      return nil
    }
    let other = points[ordinal + step]
    return other.container == point.container && other.positions != .on ? other : nil
  }

  /// The drop point that a person means who types this.
  package mutating func match(
    _ text: String, current: DropPointID?, movesOn: Bool
  ) -> DropPointDescriptor? {
    if names == nil { names = NameIndex(points.lazy.map(\.name)) }
    let row = names?.match(text, current: current.flatMap { ordinals[$0] }, movesOn: movesOn)
    return row.map { points[$0] }
  }
}
