import OrderedCollections

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
  /// Where the walk goes on with what stands before its start in registry order.
  private var wrap = 0
  /// The index in ``points`` that the walk begins with, and where its tasks begin.
  private var start = 0
  private var placesEnd = 0
  /// The ids of ``points``, for their indices.
  private var ids: OrderedSet<DropPointID> = []
  /// Index in ``stops`` of each position of each point, three for a point; -1 where none is visited.
  private var stopIndex: [Int32] = []
  private var blockOfStop: [Int32] = []
  /// Built at the first type-ahead.
  private var names: NameIndex?

  package init() {}

  /// A walk that visits nothing yet.
  ///
  /// - Parameters:
  ///   - places: the drop points in registry order, each once.
  ///   - tasks: the task points, walked after the places.
  package init(places: [DropPointDescriptor], tasks: [DropPointDescriptor]) {
    ids.reserveCapacity(places.count + tasks.count)
    points.reserveCapacity(places.count + tasks.count)
    for point in places + tasks where ids.append(point.id).inserted { points.append(point) }
    placesEnd = min(places.count, points.count)
  }

  /// Chooses what is visited.
  ///
  /// - Parameters:
  ///   - start: the index among the places that the walk begins with.
  ///   - visits: whether the walk visits a stop.
  package mutating func layOut(from start: Int, visits: (DropStop) -> Bool) {
    let start = (0..<placesEnd).contains(start) ? start : 0
    append(points[start..<placesEnd], visits)
    wrap = blocks.count
    append(points[..<start], visits)
    placeCount = blocks.count
    append(points[placesEnd...], visits)
    blockOfStop.reserveCapacity(stops.count)
    for (block, range) in blocks.enumerated() {
      for _ in range { blockOfStop.append(Int32(block)) }
    }
    stopIndex = Array(repeating: -1, count: points.count * 3)
    for (index, stop) in stops.enumerated() {
      if let slot = slot(of: stop) { stopIndex[slot] = Int32(index) }
    }
    self.start = start
  }

  private func slot(of stop: DropStop) -> Int? {
    ids.firstIndex(of: stop.point).map { $0 * 3 + Int(stop.position.rawValue) }
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

  package func index(of stop: DropStop) -> Int? {
    guard let slot = slot(of: stop), stopIndex.indices.contains(slot), stopIndex[slot] >= 0 else {
      return nil
    }
    return Int(stopIndex[slot])
  }

  /// The index of a drop point in ``points``.
  package func ordinal(of id: DropPointID) -> Int? { ids.firstIndex(of: id) }

  /// The first block of the walk that stands behind a place which is not visited; the end of the walk
  /// where there is none.
  package func block(behind ordinal: Int) -> Int {
    let run =
      ordinal >= placesEnd
      ? placeCount..<blocks.count : ordinal >= start ? 0..<wrap : wrap..<placeCount
    var low = run.lowerBound
    var high = run.upperBound
    while low < high {
      let middle = (low + high) / 2
      let first = ids.firstIndex(of: stops[blocks[middle].lowerBound].point) ?? 0
      if first <= ordinal { low = middle + 1 } else { high = middle }
    }
    return low
  }

  package func block(of index: Int) -> Int { Int(blockOfStop[index]) }

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

  /// The drop point that a person means who types this.
  package mutating func match(
    _ text: String, current: DropPointID?, movesOn: Bool
  ) -> DropPointDescriptor? {
    if names == nil { names = NameIndex(points.lazy.map(\.name)) }
    let row = names?.match(text, current: current.flatMap { ordinal(of: $0) }, movesOn: movesOn)
    return row.map { points[$0] }
  }
}
