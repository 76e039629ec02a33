import Synchronization

extension DragHost {
  /// A question to a drop point, at a time when nothing can be loaded yet.
  public struct DropInfo: Sendable {
    /// The items carried, in the order of pick-up.
    public var items: [DragItem]
    /// The position of the drop at the place.
    public var position: DropPosition
    /// The operation that the person asked for; `nil` leaves it to the default.
    public var wish: DragOperation?
    /// Whether everything comes from the drop point's own container.
    public var isInside: Bool
    /// Whether the drop point's container is in its edit mode; `nil` if it has none.
    public var isEditing: Bool?
    var providers: [DragSourceID: ItemProvider]
    let types: any ContentTypes

    /// The provider of an item. Loading from it throws ``ItemProvider/Mistake/tooEarly``.
    public func provider(of item: DragItem) -> ItemProvider? { providers[item.source] }

    /// The answer of a place that accepts values of one type: which items it can read, and whether
    /// they arrive in less than their best form.
    ///
    /// - Parameters:
    ///   - type: the type made of the data, whose accepted types and limit of bytes apply.
    ///   - limit: more items than these are refused with ``Reason/tooMany``.
    ///   - offers: the operations that the place supports.
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

  /// A drop, as a drop point receives it. Data can be loaded until ``DropPoint/performDrop``
  /// returns.
  public struct DropSession: Sendable {
    /// The accepted items in the order of pick-up, each with its provider.
    public var items: [(item: DragItem, provider: ItemProvider)]
    /// The operation to perform, one that the proposal offered.
    public var operation: DragOperation
    /// The position of the drop at the place.
    public var position: DropPosition
    /// Reports the progress of the drop, 0 to 1.
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

    /// Loads everything dropped as values of one type, in order: all of it, or an error and
    /// nothing.
    ///
    /// Change the model after this call, not during it.
    ///
    /// - Throws: ``Reason/wrongType`` if no form fits, ``Reason/tooBig`` beyond
    ///   ``DropReadable/mostBytes``, any error of a loader or the type, `CancellationError` when
    ///   the person cancels, ``ItemProvider/Mistake/tooLate`` after ``DropPoint/performDrop`` has
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

    /// Throws if a loader answered twice meanwhile, or the person cancelled.
    func check() throws {
      try gate.check()
      try Task.checkCancellation()
    }

    /// Loads one of the items as a value; see ``load(_:)``.
    ///
    /// - Throws: ``Reason/gone`` for an item that is not part of the drop, and any error of
    ///   ``load(_:)``.
    public func load<Value: DropReadable>(
      _ type: Value.Type, from item: DragItem
    ) async throws -> Value {
      guard let provider = items.first(where: { $0.item == item })?.provider else {
        throw Reason.gone
      }
      return try await provider.load(type, progress: progress)
    }

    /// Reports where something that was dropped is now: it is selected there, and one key leads to
    /// it.
    ///
    /// - Parameter registration: of the source that shows it.
    public func landed(_ registration: Registration) {
      if case .source(let id) = registration.subject { record.note { $0.landed.append(id) } }
    }

    /// Reports a part of an item, by the item's index, that was left out while the rest has
    /// arrived. The outcome names the part, or gives the item's name with the part's number.
    public func leaveOut(_ part: UnreadPart, of index: Int) {
      guard items.indices.contains(index) else { return }
      let item = items[index].item
      let name =
        part.name.isEmpty ? "\(item.name) (\(part.number))" : SpokenName.clean(part.name)
      record.note { $0.leftOut.append(DeliveryFailure(name: name, reason: part.reason)) }
    }

    /// Reports that this drop changes nothing, because everything is there already. The person
    /// hears that, and there is nothing to undo.
    public func changesNothing() { record.note { $0.isUnchanged = true } }

    /// Reports that one item, by its index, has not arrived, while others have. The outcome names
    /// it.
    public func fail(_ index: Int, _ reason: Reason) {
      guard items.indices.contains(index) else { return }
      record.note { $0.failures[index] = reason }
    }
  }

  /// Gives items to a drop point without a drag, as a paste command does, with the same proposal,
  /// accepted types and loading.
  ///
  /// - Returns: the reasons of the items that were refused or failed while others arrived, by
  ///   index.
  /// - Throws: the ``Reason`` for accepting none, or the error of its drop.
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
    let failed = drop.record.results.failures.map { (accepted[$0.key], $0.value) }
    return (refused, Dictionary(uniqueKeysWithValues: failed))
  }
}

/// The report of a place about a drop.
final class DropRecord: Sendable {
  struct Results: Sendable {
    /// By the index of the item.
    var failures: [Int: Reason] = [:]
    /// Names that differ from the requested ones.
    var renamed: [String] = []
    var arrived = 0
    var landed: [DragSourceID] = []
    var way: UndoRedoActions?
    var isUnchanged = false
    var leftOut: [DeliveryFailure] = []
  }

  private let state = Mutex(Results())

  var results: Results { state.withLock { $0 } }

  func note(_ report: (inout Results) -> Void) { state.withLock { report(&$0) } }
}

/// Finds the items that a type can be read from, without loading them.
private struct FormReader {
  private var choice: RepresentationChooser
  private let mostBytes: Int64
  private let isHeld: (ItemProvider) -> Bool
  /// Types of items that arrive in less than their best form, without duplicates.
  private(set) var lesser: [String] = []

  init<Value: DropReadable>(_ type: Value.Type, _ types: any ContentTypes) {
    choice = RepresentationChooser(accepted: Value.acceptedTypes, conforms: types.conforms)
    mostBytes = Value.mostBytes
    isHeld = { $0.holds(Value.self) }
  }

  mutating func refusal(of item: DragItem, _ provider: ItemProvider?) -> Reason? {
    guard let provider else { return .gone }
    // The object itself is handed over, not a form of it.
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
