import Synchronization

extension DragHost {
  /// A question to a drop point. Nothing can be loaded yet.
  public struct DropInfo: Sendable {
    /// The items carried, in the order in which they were picked up.
    public var items: [DragItem]
    /// The position at the place at which they would be dropped.
    public var position: DropPosition
    /// The operation the person asked for; `nil` lets the default decide.
    public var wish: DragOperation?
    /// Whether everything comes from the container that the drop point lies in.
    public var isInside: Bool
    /// Whether the container that the drop point lies in is in its edit mode; `nil` where it has none.
    public var isEditing: Bool?
    var providers: [DragSourceID: ItemProvider]
    let types: any ContentTypes

    /// The provider of an item. A load from it throws ``ItemProvider/Mistake/tooEarly``.
    public func provider(of item: DragItem) -> ItemProvider? { providers[item.source] }

    /// The answer of a place that takes values of one type: which items it can read, and whether
    /// they arrive in less than their best form.
    ///
    /// - Parameters:
    ///   - type: what the place makes of the data; its accept list and its limit of bytes count.
    ///   - limit: more items than these are refused with ``Reason/tooMany``.
    ///   - offers: what the place could do with them.
    public func proposal<Value: DropReadable>(
      accepting type: Value.Type, atMost limit: Int = .max,
      offers: DragOperations = [.copy, .move]
    ) -> DropProposal {
      var reader = FormReader(Value.self, types)
      var refused: [Int: Reason] = [:]
      for (index, item) in items.enumerated() {
        refused[index] = reader.refusal(of: item, providers[item.source])
      }
      if !items.isEmpty, refused.count == items.count {
        return .refused(refused[0] ?? .wrongType)
      }
      guard items.count <= limit else { return .refused(.tooMany) }
      let names = reader.lesser.map(types.name(of:))
      return DropProposal(
        refused.isEmpty ? .all : .some(refused: refused), offers: offers,
        predictions: names.isEmpty ? [] : [.stepsDown(to: names)])
    }
  }

  /// A drop, as a drop point receives it. Data can be asked for until ``DropPoint/performDrop``
  /// returns.
  public struct DropSession: Sendable {
    /// The items that the place accepted, in the order of pick-up, each with its provider.
    public var items: [(item: DragItem, provider: ItemProvider)]
    /// The operation to carry out, one that the proposal offered.
    public var operation: DragOperation
    /// The position at the place at which it was dropped.
    public var position: DropPosition
    /// Tells how much has arrived, 0 to 1.
    public var progress: LoadProgress
    let record = DropRecord()
    let gate: LoadGate

    init(
      items: [(item: DragItem, provider: ItemProvider)], operation: DragOperation,
      position: DropPosition, progress: LoadProgress, gate: LoadGate
    ) {
      self.items = items.map { ($0.item, $0.provider.opened(by: gate)) }
      self.operation = operation
      self.position = position
      self.progress = progress
      self.gate = gate
    }

    /// Everything dropped as values of one type, in order: all of it, or an error and nothing.
    ///
    /// Change the model after this, not while it runs.
    ///
    /// - Throws: ``Reason/wrongType`` where no form fits, ``Reason/tooBig`` beyond
    ///   ``DropReadable/mostBytes``, what a loader or the type throws, `CancellationError` when the
    ///   person cancels, ``ItemProvider/Mistake/tooLate`` after ``DropPoint/performDrop`` has
    ///   returned.
    public func load<Value: DropReadable>(_ type: Value.Type) async throws -> [Value] {
      var values: [Value] = []
      values.reserveCapacity(items.count)
      for (index, (_, provider)) in items.enumerated() {
        let part = progress.part(index, of: items.count)
        values.append(try await provider.load(type, progress: part))
      }
      try check()
      return values
    }

    /// Throws where a loader answered twice meanwhile, or the person cancelled.
    func check() throws {
      try gate.check()
      try Task.checkCancellation()
    }

    /// One of the items as a value; see ``load(_:)``.
    ///
    /// - Throws: ``Reason/gone`` for an item that is none of these, and what ``load(_:)`` throws.
    public func load<Value: DropReadable>(
      _ type: Value.Type, from item: DragItem
    ) async throws -> Value {
      guard let provider = items.first(where: { $0.item == item })?.provider else {
        throw Reason.gone
      }
      return try await provider.load(type, progress: progress)
    }

    /// Says what has become of something that was dropped: it is selected where it is now, and one key
    /// goes there.
    ///
    /// - Parameter registration: of the source that shows it.
    public func landed(_ registration: Registration) {
      if case .source(let id) = registration.subject { record.land(id) }
    }

    /// Says what of an item, by its index, was left out while the rest has arrived: the outcome tells it
    /// by its name, or by the item's name and its number.
    public func leaveOut(_ part: UnreadPart, of index: Int) {
      guard items.indices.contains(index) else { return }
      let item = items[index].item
      let name =
        part.name.isEmpty ? "\(item.name) (\(part.number))" : SpokenName.clean(part.name)
      record.leaveOut(DeliveryFailure(name: name, reason: part.reason))
    }

    /// Says that this drop changes nothing, because all of it is there already: the person hears that,
    /// and nothing is there to be undone.
    public func changesNothing() { record.leaveUnchanged() }

    /// Says that one item, by its index, has not arrived, while others have: the outcome names it.
    public func fail(_ index: Int, _ reason: Reason) {
      guard items.indices.contains(index) else { return }
      record.fail(index, reason)
    }
  }

  /// Gives items to a drop point without a drag, as a paste command does: the same proposal, the same
  /// accept list, the same way to take them.
  ///
  /// - Returns: the items it refused while it took others, by index.
  /// - Throws: the ``Reason`` why it takes none, or what its taking throws.
  @discardableResult
  public func paste(
    _ providers: [ItemProvider], into point: DropPoint, at position: DropPosition = .on
  ) async throws -> [Int: Reason] {
    guard !providers.isEmpty else { throw Reason.nothingThere }
    let items = providers.enumerated().map { index, provider in
      DragItem(
        source: DragSourceID(UInt64(index)), name: provider.suggestedName, kind: .object,
        types: provider.contentTypes, typeName: types.name(of: provider.contentTypes[0]),
        container: ContainerID(0), tree: nil,
        byteCount: provider.representations.first?.byteCount)
    }
    let known = Dictionary(uniqueKeysWithValues: zip(items.map(\.source), providers))
    let info = DropInfo(
      items: items, position: position, wish: .copy, isInside: false, providers: known,
      types: types)
    let (refused, failed) = try await take(info, by: point, Array(zip(items, providers)))
    return refused.merging(failed) { $1 }
  }

  private func take(
    _ info: DropInfo, by point: DropPoint, _ items: [(item: DragItem, provider: ItemProvider)]
  ) async throws -> (refused: [Int: Reason], failed: [Int: Reason]) {
    let proposal = await point.proposal(info)
    var refused: [Int: Reason] = [:]
    switch proposal.acceptance {
    case .all, .maybe: break
    case .some(let some): refused = some
    case .none(let reason), .forbidden(let reason): throw reason
    case .cancels: throw Reason.operationNotOffered
    }
    guard proposal.offers.contains(.copy) else { throw Reason.operationNotOffered }
    let accepted = items.indices.filter { refused[$0] == nil }
    let gate = LoadGate(types: types)
    defer { gate.close() }
    let drop = DropSession(
      items: accepted.map { items[$0] }, operation: .copy, position: info.position,
      progress: LoadProgress(), gate: gate)
    try await point.performDrop(drop)
    let failed = drop.record.failures.map { (accepted[$0.key], $0.value) }
    return (refused, Dictionary(uniqueKeysWithValues: failed))
  }
}

/// The outcome of a drop for each of its items.
final class DropRecord: Sendable {
  private struct Results {
    var failures: [Int: Reason] = [:]
    var renamed: [String] = []
    var arrived = 0
    var landed: [DragSourceID] = []
    var way: WayBackAndForth?
    var isUnchanged = false
    var leftOut: [DeliveryFailure] = []
  }

  private let state = Mutex(Results())

  var failures: [Int: Reason] { state.withLock { $0.failures } }
  var renamed: [String] { state.withLock { $0.renamed } }
  var arrived: Int { state.withLock { $0.arrived } }

  var landed: [DragSourceID] { state.withLock { $0.landed } }

  var isUnchanged: Bool { state.withLock { $0.isUnchanged } }
  var leftOut: [DeliveryFailure] { state.withLock { $0.leftOut } }

  func leaveUnchanged() { state.withLock { $0.isUnchanged = true } }

  func leaveOut(_ part: DeliveryFailure) { state.withLock { $0.leftOut.append(part) } }

  var way: WayBackAndForth? { state.withLock { $0.way } }

  func remember(_ way: WayBackAndForth) { state.withLock { $0.way = way } }

  func land(_ id: DragSourceID) { state.withLock { $0.landed.append(id) } }

  func fail(_ index: Int, _ reason: Reason) { state.withLock { $0.failures[index] = reason } }

  /// One more is there; `name` where it is called otherwise than was wished.
  func arrive(as name: String?) {
    state.withLock { state in
      state.arrived += 1
      if let name { state.renamed.append(name) }
    }
  }
}

/// Finds out which items a type can be made from, without loading them.
private struct FormReader {
  private var choice: FormChoice
  private let mostBytes: Int64
  private let isHeld: (ItemProvider) -> Bool
  /// Types that items arrive in though they have a better form, each once.
  private(set) var lesser: [String] = []

  init<Value: DropReadable>(_ type: Value.Type, _ types: any ContentTypes) {
    choice = FormChoice(accepted: Value.acceptedTypes, conforms: types.conforms)
    mostBytes = Value.mostBytes
    isHeld = { $0.holds(Value.self) }
  }

  mutating func refusal(of item: DragItem, _ provider: ItemProvider?) -> Reason? {
    guard let provider else { return .gone }
    // The object itself is handed over, in no form at all.
    if isHeld(provider) { return nil }
    guard !provider.representations.isEmpty, let chosen = choice.choose(item.types) else {
      return .wrongType
    }
    let forms = provider.representations
    if let count = forms[chosen.index].byteCount, count > mostBytes { return .tooBig }
    let hasBetter = forms[..<chosen.index].contains { $0.visibility == .everyone }
    let type = forms[chosen.index].contentType
    if hasBetter, !lesser.contains(type) { lesser.append(type) }
    return nil
  }
}
