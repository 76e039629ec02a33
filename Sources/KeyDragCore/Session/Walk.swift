/// The stops of a walk, in order: the places asked at the pick-up, the windows, which are asked on
/// arrival, and the tasks.
///
/// Dense arrays by ordinal: among 100,000 places, a dictionary for each kind of lookup would take
/// more memory than the places themselves.
package struct Walk: Sendable {
  /// A container asked on arrival; its points are `nil` until it has been listed.
  package typealias Window = (id: ContainerID, points: [DropPointDescriptor]?)

  /// Every drop point in registry order, tasks last: type-ahead finds refusing ones too.
  package private(set) var points: [DropPointDescriptor] = []
  /// The number of blocks with places asked at the pick-up; those of the windows follow.
  package private(set) var placeCount = 0
  /// The blocks of all windows, and the ordinals of their points; tasks follow.
  package private(set) var windowBlocks = 0..<0
  package private(set) var windowPoints = 0..<0
  /// Ordinals of the points, sorted by id.
  private var byID: [UInt32] = []
  /// The stops that Tab and the arrows visit, each encoded as four times the ordinal of the point
  /// plus the position; for an unlisted window, four times its index plus ``Walk/unlisted``.
  private var stops: [UInt32] = []
  /// The index in ``stops`` of each point's first stop; its stops are contiguous.
  private var firstStop: [UInt32] = []
  /// The start of each block in ``stops``, and the end of the last one.
  private var blockStarts: [UInt32] = [0]
  /// The number of points asked at the pick-up, and the one that the walk begins with.
  private var placePoints = 0
  private var start = 0
  /// The windows, with the ordinal of the first point and the first block of each.
  private var windows: [(id: ContainerID, point: Int, block: Int)] = []
  /// Built at the first type-ahead.
  private var names: NameIndex?

  private static let none = UInt32.max
  private static let unlisted: UInt32 = 3

  package init() {}

  /// - Parameters:
  ///   - places: the drop points in registry order.
  ///   - windows: walked after the places.
  ///   - tasks: walked last.
  ///   - start: the index in `places` that the walk begins with.
  ///   - old: the previous walk, whose name index is kept if the points are the same.
  ///   - visits: whether the walk includes a stop.
  package init(
    places: [DropPointDescriptor], windows: [Window] = [], tasks: [DropPointDescriptor], start: Int,
    after old: Walk? = nil, visits: (DropStop, DropPointDescriptor) -> Bool
  ) {
    points = places
    for window in windows {
      self.windows.append((window.id, points.count, 0))
      points += window.points ?? []
    }
    windowPoints = places.count..<points.count
    points += tasks
    placePoints = places.count
    self.start = places.indices.contains(start) ? start : 0
    if let old, old.names != nil, old.points == points { names = old.names }
    indexByID()
    firstStop = Array(repeating: Walk.none, count: points.count)
    append(self.start..<placePoints, visits)
    append(0..<self.start, visits)
    placeCount = blockCount
    for (index, window) in windows.enumerated() {
      self.windows[index].block = blockCount
      let first = self.windows[index].point
      if let points = window.points {
        append(first..<first + points.count, visits)
      } else {
        stops.append(UInt32(index) * 4 + Walk.unlisted)
        blockStarts.append(UInt32(stops.count))
      }
    }
    windowBlocks = placeCount..<blockCount
    append(windowPoints.upperBound..<points.count, visits)
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
        // A list is a run of elements of one container that have positions between them.
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

  /// The number of blocks, which Tab moves by: one stop of a plain place, all stops of a list.
  package var blockCount: Int { blockStarts.count - 1 }

  /// The number that a filter tells: the places, as they are numbered; where there is none, what Tab
  /// reaches behind them, such as the trash; else what refuses.
  package var filteredCount: Int {
    if placeCount > 0 { return placeCount }
    let tasks = blockCount - windowBlocks.upperBound
    return tasks > 0 ? tasks : points.count - windowPoints.count
  }

  package func block(_ index: Int) -> Range<Int> {
    Int(blockStarts[index])..<Int(blockStarts[index + 1])
  }

  package func block(of stop: Int) -> Int {
    max((0..<blockCount).partition { Int(blockStarts[$0]) <= stop } - 1, 0)
  }

  /// `nil` for an unlisted window.
  package func stop(_ index: Int) -> DropStop? {
    if stops[index] & 3 == Walk.unlisted { return nil }
    return DropStop(points[ordinal(ofStop: index)].id, position(ofStop: index))
  }

  package func place(_ index: Int) -> DragState.WalkLocation {
    stop(index).map { .stop($0) } ?? .container(container(ofStop: index))
  }

  package func visits(_ place: DragState.WalkLocation) -> Bool {
    switch place {
    case .source: false
    case .stop(let stop): index(of: stop) != nil
    case .container(let id):
      blocks(of: id)?.first.map { self.stop(block($0).lowerBound) == nil } ?? false
    }
  }

  /// The container of a stop, or the unlisted window itself.
  package func container(ofStop index: Int) -> ContainerID {
    let item = ordinal(ofStop: index)
    return stops[index] & 3 == Walk.unlisted ? windows[item].id : points[item].container
  }

  /// `nil` for an unlisted window.
  package func point(ofStop index: Int) -> DropPointDescriptor? {
    stops[index] & 3 == Walk.unlisted ? nil : points[ordinal(ofStop: index)]
  }

  /// The blocks of a window, empty if no stop in it is included; `nil` if it is not a window.
  package func blocks(of window: ContainerID) -> Range<Int>? {
    guard let index = windows.firstIndex(where: { $0.id == window }) else { return nil }
    let next =
      windows.indices.contains(index + 1) ? windows[index + 1].block : windowBlocks.upperBound
    return windows[index].block..<next
  }

  package func position(ofStop index: Int) -> DropPosition {
    DropPosition(rawValue: UInt8(stops[index] & 3)) ?? .on
  }

  package func ordinal(ofStop index: Int) -> Int { Int(stops[index] / 4) }

  /// The index of a stop; `nil` if it is not included.
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

  /// Whether the walk includes any position of a point.
  package func visits(_ id: DropPointID) -> Bool {
    ordinal(of: id).map { firstStop[$0] != Walk.none } ?? false
  }

  /// The index of the first stop after a point, in the order of the walk.
  package func firstStop(behind id: DropPointID) -> Int {
    Int(blockStarts[min(block(behind: id), blockCount)])
  }

  // MARK: Points

  package func ordinal(of id: DropPointID) -> Int? {
    let low = byID.indices.partition { DropPointID.precedes(points[Int(byID[$0])].id, id) }
    guard low < byID.count, points[Int(byID[low])].id == id else { return nil }
    return Int(byID[low])
  }

  package func point(_ id: DropPointID) -> DropPointDescriptor? {
    ordinal(of: id).map { points[$0] }
  }

  /// The previous or next drop point in the same list, in registry order.
  package func neighbour(of point: DropPointDescriptor, by step: Int) -> DropPointDescriptor? {
    guard let ordinal = ordinal(of: point.id), points.indices.contains(ordinal + step) else {
      return nil
    }
    let other = points[ordinal + step]
    return other.container == point.container && other.positions != .on ? other : nil
  }

  /// The first block after a point that is not included, in the order of the walk; the number of
  /// blocks if there is none.
  package func block(behind id: DropPointID) -> Int {
    guard let ordinal = ordinal(of: id) else { return 0 }
    let wanted = turn(of: ordinal)
    return (0..<blockCount).partition { turn(ofStop: Int(blockStarts[$0])) <= wanted }
  }

  private func turn(ofStop index: Int) -> Int {
    let item = ordinal(ofStop: index)
    return stops[index] & 3 == Walk.unlisted ? windows[item].point : turn(of: item)
  }

  /// The position of a point in the order of the walk: registry order, with the places rotated.
  private func turn(of ordinal: Int) -> Int {
    guard ordinal < placePoints else { return ordinal }
    return ordinal >= start ? ordinal - start : ordinal - start + placePoints
  }

  /// The drop point meant by typed text; `heard` gives the announced name of a place.
  package mutating func match(
    _ text: String, current: DropPointID?, movesOn: Bool,
    heard: (DropPointDescriptor) -> String = \.name
  ) -> DropPointDescriptor? {
    if names == nil { names = NameIndex(points.map(heard)) }
    let row = names?.match(text, current: current.flatMap(ordinal), movesOn: movesOn)
    return row.map { points[$0] }
  }
}
