import Synchronization

/// The progress of one drop: the bytes loaded, and what loaders report.
///
/// Reports bytes at most ten times a second, and the rest in steps of a thousandth.
final class DropMeter: Sendable {
  private struct Count {
    var bytes: Int64 = 0
    var thousandths: Int?
    /// The time of the last report of bytes, since the meter was made.
    var told: Duration?
  }

  /// The expected number of bytes, if known.
  let total: Int64?
  private let tell: @Sendable (DeliveryProgress) -> Void
  /// The time since the meter was made.
  private let time: @Sendable () -> Duration
  private let state = Mutex(Count())

  init(
    total: Int64?, tell: @escaping @Sendable (DeliveryProgress) -> Void,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    (self.total, self.tell, time) = (total, tell, clock.stopwatch())
  }

  var progress: DeliveryProgress { state.withLock { progress(at: $0) } }

  func add(_ bytes: Int) {
    let now = time()
    let news = state.withLock { state -> DeliveryProgress? in
      state.bytes += Int64(bytes)
      if let told = state.told, now - told < .milliseconds(100) { return nil }
      state.told = now
      return progress(at: state)
    }
    if let news { tell(news) }
  }

  /// Notes a loader's progress, 0 to 1; it never decreases.
  func reach(_ fraction: Double) {
    let done = Int(fraction * 1000)
    let news = state.withLock { state -> DeliveryProgress? in
      guard done > state.thousandths ?? 0 else { return nil }
      state.thousandths = done
      return progress(at: state)
    }
    if let news { tell(news) }
  }

  private func progress(at state: Count) -> DeliveryProgress {
    // Bytes that are read twice count once.
    DeliveryProgress(
      bytesDone: total.map { min($0, state.bytes) } ?? state.bytes, bytesTotal: total,
      thousandths: state.thousandths)
  }
}

/// The number of bytes that a place will load of a drop; `nil` if unknown.
typealias DropMeasure =
  @Sendable ([(item: DragItem, provider: ItemProvider)], any ContentTypes) -> Int64?

extension DragHost.DropPoint {
  /// For a place that reads everything as one type. Objects handed over in process have no bytes.
  static func measure<Value: DropReadable>(as type: Value.Type) -> DropMeasure {
    { items, types in
      var choice = RepresentationChooser(accepted: Value.acceptedTypes, conforms: types.conforms)
      let read = items.filter { !$0.provider.holds(Value.self) }
      guard !read.isEmpty else { return nil }
      return read.map { item, provider in
        choice.choose(provider.contentTypes).flatMap { provider.byteCount($0.index, of: item) }
      }.byteTotal
    }
  }

  /// For a folder, in which each item becomes a file.
  static func measure(writtenTo folder: any ItemWriting) -> DropMeasure {
    { items, _ in
      items.map { item, provider in
        let type = folder.plan(for: provider)?.contentType
        return provider.representations.firstIndex { $0.contentType == type }
          .flatMap { provider.byteCount($0, of: item) }
      }.byteTotal
    }
  }
}

extension ItemProvider {
  /// The length of one form. An item from elsewhere has that of its best form only.
  fileprivate func byteCount(_ index: Int, of item: DragItem) -> Int64? {
    guard representations.indices.contains(index) else { return nil }
    return representations[index].byteCount ?? (index == 0 ? item.byteCount : nil)
  }
}
