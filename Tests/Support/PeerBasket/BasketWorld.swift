import KeyDragCore
import Synchronization

/// A world with one container that takes everything dropped in it, byte by byte.
package final class BasketWorld: PlaceProvider {
  package static let container = ContainerID(3)
  package static let basket = DropPointID(7)
  package static let full = DropPointID(8)

  private struct State {
    var listings: [Listing]
    var changed: (@Sendable () -> Void)?
    var running: [DeliveryID: Task<Void, Never>] = [:]
    var received: [String: [UInt8]] = [:]
    var inquiries: [ProposalRequest] = []
    var files: [[UInt8]] = []
    var ended: (@Sendable (DeliveryResult) -> Void)?
    var asked: (@Sendable () async -> Void)?
  }

  private let state: Mutex<State>
  private let answers: Bool
  private let keeps: Bool
  /// Told of what arrives: the bytes of an item until now.
  private let arrived: @Sendable (Int64) -> Void

  /// - Parameters:
  ///   - answers: whether it says what it takes; else it keeps silent.
  ///   - keeps: whether what arrives is kept.
  package init(
    answers: Bool = true, keeps: Bool = true,
    arrived: @escaping @Sendable (Int64) -> Void = { _ in }
  ) {
    self.answers = answers
    self.keeps = keeps
    self.arrived = arrived
    state = Mutex(State(listings: [Self.listing(["Basket", "Full"])]))
  }

  package static func listing(_ names: [String]) -> Listing {
    Listing(
      container: ContainerDescriptor(id: container, name: "Far", tree: container), sources: nil,
      dropPoints: names.enumerated().map { index, name in
        DropPointDescriptor(
          id: DropPointID(7 + UInt64(index)), name: name, container: container,
          leadsTo: index == 0 ? container : nil, positions: index == 0 ? .on : .all)
      })
  }

  package var received: [String: [UInt8]] { state.withLock { $0.received } }
  package var inquiries: [ProposalRequest] { state.withLock { $0.inquiries } }
  package var files: [[UInt8]] { state.withLock { $0.files } }

  /// Calls the handler with the result of each delivery.
  package func onEnd(_ handler: @escaping @Sendable (DeliveryResult) -> Void) {
    state.withLock { $0.ended = handler }
  }

  /// Calls the handler before each question is answered.
  package func onAsk(_ handler: @escaping @Sendable () async -> Void) {
    state.withLock { $0.asked = handler }
  }

  package func show(_ listings: [Listing]) {
    let changed = state.withLock { state in
      state.listings = listings
      return state.changed
    }
    changed?()
  }

  package func offeredPlaces(containers: Int, points: Int) -> [Listing] {
    state.withLock { $0.listings }
  }

  package func onOfferChange(_ handler: @escaping @Sendable () -> Void) {
    state.withLock { $0.changed = handler }
  }

  package func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) {}

  package func close() {}

  package func list(
    _ subject: ListingSubject, includingHidden: Bool,
    told: @escaping @Sendable (ListingEvent) -> Void
  ) async throws(ListingError) { throw ListingError(.nothingThere) }

  package func cancel(_ delivery: DeliveryID) {
    state.withLock { $0.running[delivery] }?.cancel()
  }

  package func answers(to inquiry: ProposalRequest, from loading: (any ItemLoading)?) async
    -> [Answer]
  {
    state.withLock { state in
      state.inquiries.append(inquiry)
      state.files = inquiry.items.compactMap { loading?.fileName(of: $0.source) }
    }
    await state.withLock { $0.asked }?()
    guard answers else { return await silence() }
    return inquiry.stops.map { stop in
      stop.point == Self.basket
        ? Answer(stop, DropProposal(.all, predictions: [.nameClash(["old"])]))
        : Answer(stop, .refused(.noSpace))
    }
  }

  /// Never returns.
  private func silence() async -> [Answer] { await withUnsafeContinuation { _ in } }

  package func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: (any ItemLoading)?,
    told: @escaping DeliveryReceiver
  ) {
    let task = Task {
      var result = DeliveryResult(
        outcome: .delivered, route: .process, delivered: order.items.count, verified: true)
      do {
        guard let loading else { throw Reason.gone }
        told(.started(DeliveryProgress()))
        for item in order.items {
          let count = try await load(item, from: loading)
          result.bytes += count
          told(.progressed(DeliveryProgress(bytesDone: result.bytes)))
        }
      } catch {
        result.outcome = error is CancellationError ? .cancelled : .failed
        result.delivered = 0
        result.failures = order.items.map {
          DeliveryFailure(name: $0.name, reason: error as? Reason ?? .interrupted)
        }
      }
      told(.finished(result))
      state.withLock { $0.ended }?(result)
    }
    state.withLock { $0.running[id] = task }
  }

  private func load(_ item: DragItem, from loading: any ItemLoading) async throws -> Int64 {
    let stream = try await loading.open(item.source, as: item.types[0], progress: LoadProgress())
    var kept: [UInt8] = []
    var count: Int64 = 0
    while true {
      let bytes = try await stream.next(64 << 10)
      if bytes.isEmpty { break }
      count += Int64(bytes.count)
      arrived(count)
      if keeps { kept += bytes }
    }
    let whole = kept
    state.withLock { $0.received[item.name] = whole }
    return count
  }
}

/// Items that are made of bytes when they are asked for.
package final class MadeItems: ItemLoading {
  package typealias Maker = @Sendable (DragSourceID) async throws -> ItemStream

  private let make: Maker

  package init(_ make: @escaping Maker) { self.make = make }

  package func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream { try await make(source) }

  package func filePath(of source: DragSourceID) -> [UInt8]? {
    source.rawValue == 2 ? Array("/tmp/odd".utf8) + [0xFF] : nil
  }

  package static func item(_ number: UInt64, _ name: String = "note") -> DragItem {
    DragItem(
      source: DragSourceID(number), name: name, kind: .object, types: ["text/plain"],
      typeName: "text", container: ContainerID(1), tree: nil)
  }

  /// As many zeros as wanted, made as they are read.
  package static func zeros(_ count: Int64) -> ItemStream {
    let box = RestBox(count)
    return ItemStream(byteCount: count) { most in
      [UInt8](repeating: 0, count: box.take(most))
    }
  }
}

private final class RestBox: Sendable {
  private let rest: Mutex<Int64>

  init(_ rest: Int64) { self.rest = Mutex(rest) }

  func take(_ most: Int) -> Int {
    rest.withLock { rest in
      let count = min(Int64(most), rest)
      rest -= count
      return Int(count)
    }
  }
}

/// Everything a world says, in order, for one who waits for something in particular.
package final class ReportBox: Sendable {
  private let stream: AsyncStream<WorldReport>
  private let continuation: AsyncStream<WorldReport>.Continuation

  package init() { (stream, continuation) = AsyncStream.makeStream(of: WorldReport.self) }

  package func add(_ report: WorldReport) { continuation.yield(report) }

  /// Has what a world tells of a drop of these items added.
  package func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, to world: any World, from loading: any ItemLoading
  ) {
    world.deliver(id, order, from: loading) { self.add(.delivery(id, $0)) }
  }

  /// The first report that is meant; those before it are passed over.
  package func next<Part>(_ match: (WorldReport) -> Part?) async -> Part? {
    for await report in stream {
      if let part = match(report) { return part }
    }
    return nil
  }

  package func appearance() async -> Listing? {
    await next { report in
      guard case .changed(let changes) = report else { return nil }
      for case .containerAppeared(let listing) in changes { return listing }
      return nil
    }
  }

  package func vanished() async -> ContainerID? {
    await next { report in
      guard case .changed(let changes) = report else { return nil }
      for case .containerVanished(let id) in changes { return id }
      return nil
    }
  }

  package func result() async -> DeliveryResult? {
    await next { report in
      if case .delivery(_, .finished(let result)) = report { result } else { nil }
    }
  }
}
