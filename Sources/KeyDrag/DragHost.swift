import KeyDragRuntime
import Synchronization

/// The drag sources and drop points of an app, and its whole interface to drag and drop.
///
/// An app registers containers, and in them sources and drop points. Keys, speech and sessions are
/// not its concern: they come with ``DragHost/begin(in:announcing:)``.
public final class DragHost: Sendable {
  /// A drag source, as an app describes it.
  public struct Source: Sendable {
    /// The spoken name, which is also typed to find it.
    public var name: String
    /// The kind; ``ItemKind/object`` for most apps.
    public var kind: ItemKind
    /// Whether it can be picked up now; if not, it is still walked over and announced.
    public var isEnabled: Bool
    /// The operations that receivers may choose from.
    public var allowed: DragOperations
    /// Supplies the item at pick-up; `nil` means that it can't be dragged, which is announced. A
    /// thrown ``Reason`` is announced instead; any other error means that it can't be dragged.
    /// Called on any thread, concurrently, with a timeout of three seconds.
    public var itemForBeginning: @Sendable () async throws -> ItemProvider?

    /// Creates a source that supplies any item.
    ///
    /// - Parameters:
    ///   - name: the spoken name. Control characters are replaced, and it is truncated to
    ///     ``SpokenName/longest`` Unicode scalars.
    ///   - kind: the kind of item; most apps have objects only.
    ///   - isEnabled: whether it can be picked up now.
    ///   - allowed: the operations that receivers may choose from.
    ///   - item: supplies the item at pick-up; see ``itemForBeginning``.
    public init(
      _ name: String, kind: ItemKind = .object, isEnabled: Bool = true,
      allowed: DragOperations = .transfer,
      item: @escaping @Sendable () async throws -> ItemProvider?
    ) {
      self.name = name
      self.kind = kind
      self.isEnabled = isEnabled
      self.allowed = allowed
      self.itemForBeginning = item
    }

    /// Creates a source that supplies a value in its own forms, as it is at pick-up.
    ///
    /// - Parameters:
    ///   - name: the spoken name, as in ``init(_:kind:isEnabled:allowed:item:)``.
    ///   - kind: the kind of item; most apps have objects only.
    ///   - isEnabled: whether it can be picked up now.
    ///   - allowed: the operations that receivers may choose from.
    ///   - value: supplies the value at pick-up, on any thread; `nil` if it can't be dragged.
    public init<Value: DragRepresentable>(
      _ name: String, kind: ItemKind = .object, isEnabled: Bool = true,
      allowed: DragOperations = .transfer, value: @escaping @Sendable () async -> Value?
    ) {
      self.init(name, kind: kind, isEnabled: isEnabled, allowed: allowed) {
        try await value().map { value throws(ItemProvider.Mistake) in try ItemProvider(value) }
      }
    }
  }

  /// A drop point, as an app describes it.
  public struct DropPoint: Sendable {
    /// The spoken name, which is also typed to find it.
    public var name: String
    /// The positions that accept a drop: `.on` for most places, before and after for rows.
    public var positions: DropPositions
    /// Whether it stands for its container, as the empty area of a list does: the container is then
    /// not named beside it.
    public var isContainer = false
    /// Whether the progress of a long drop is announced. With `false` an app reports it in its own
    /// way; the start and the outcome are announced all the same.
    public var tellsProgress = true
    /// Answers whether it accepts the items; asked again at the moment of the drop. Called on any
    /// thread, concurrently even for one place, with a timeout of three seconds.
    public var proposal: @Sendable (DropInfo) async -> DropProposal
    /// Receives a drop, while data can be loaded. A thrown ``Reason`` is announced, any other error
    /// as unknown; when cancelled it throws `CancellationError`.
    public var performDrop: @Sendable (DropSession) async throws -> Void
    var measure: DropMeasure?

    /// Creates a place that answers and receives by itself; for values of one type see
    /// ``init(_:accepting:atMost:offers:positions:performDrop:)``.
    public init(
      _ name: String, positions: DropPositions = .on,
      proposal: @escaping @Sendable (DropInfo) async -> DropProposal,
      performDrop: @escaping @Sendable (DropSession) async throws -> Void
    ) {
      self.name = name
      self.positions = positions
      self.proposal = proposal
      self.performDrop = performDrop
    }
  }

  /// A handle that removes a registration.
  public struct Registration: Sendable {
    enum Subject: Sendable {
      case source(DragSourceID)
      case point(DropPointID)
      case observer
    }

    let subject: Subject
    fileprivate let removal: @Sendable () -> Void

    /// Removes the descriptor from the registry; further calls are no-ops.
    public func remove() { removal() }
  }

  struct Contents: Sendable {
    var registry = Registry()
    var sources: [DragSourceID: (source: Source, container: ContainerID)] = [:]
    var points: [DropPointID: (point: DropPoint, container: ContainerID)] = [:]
    var items: [DragSourceID: ItemProvider] = [:]
    var reorder: [ContainerID: @Sendable (Int, Int) -> Reason?] = [:]
    var observers: [Int: @Sendable (RegistryChange) -> Void] = [:]
    /// Changes that the observers have not been given, and whether a thread is doing so.
    var untold: [RegistryChange] = []
    var isTelling = false
    var running: [DeliveryID: Task<Void, Never>] = [:]
    var history = SessionHistory()
    var last: UInt64 = 0

    /// Marks a container as filled by a registration.
    mutating func fill(_ container: ContainerID, sources: Bool) {
      guard let entry = registry[container],
        sources ? entry.sources == nil : entry.dropPoints == nil
      else { return }
      registry.insert(
        Listing(
          container: entry.container, sources: sources ? entry.sources ?? [] : entry.sources,
          dropPoints: sources ? entry.dropPoints : entry.dropPoints ?? []))
    }

    mutating func next() -> UInt64 {
      last += 1
      return last
    }
  }

  let state = Mutex(Contents())
  let types: any ContentTypes

  /// Creates an empty host.
  ///
  /// - Parameter types: the names and the hierarchy of content types; by default types are compared
  ///   by name.
  public init(types: any ContentTypes = PlainContentTypes()) { self.types = types }

  // MARK: Registering

  /// Adds a container at the end of the order.
  ///
  /// - Parameters:
  ///   - name: the spoken name: "Ada, in Lent".
  ///   - isEditing: set for a container whose items are moved in an edit mode only: whether it is
  ///     on at first. A person turns it on and off by key; see ``DropInfo/isEditing``.
  ///   - reorder: set for a container whose items have an order: moves the item at the first index
  ///     to the second, or returns the reason why not.
  public func addContainer(
    _ name: String, isEditing: Bool? = nil, reorder: (@Sendable (Int, Int) -> Reason?)? = nil
  ) -> ContainerID {
    state.withLock { state in
      let id = ContainerID(UInt32(truncatingIfNeeded: state.next()))
      let container = ContainerDescriptor(
        id: id, name: SpokenName.clean(name), tree: id, isOrdered: reorder != nil,
        isEditing: isEditing)
      state.registry.insert(Listing(container: container, sources: nil, dropPoints: nil))
      state.reorder[id] = reorder
      return id
    }
  }

  /// Adds a source to a container, at an index among its sources or at the end.
  ///
  /// A running session includes it at once. A container of another host accepts nothing.
  @discardableResult
  public func register(
    _ source: Source, in container: ContainerID, at index: Int? = nil
  ) -> Registration {
    let id = DragSourceID(state.withLock { $0.next() })
    change(isNew: true) { state in
      state.sources[id] = (source, container)
      state.fill(container, sources: true)
      let place = index ?? state.registry[container]?.sources?.count ?? 0
      return .sourceAppeared(descriptor(of: source, id, in: container), index: place)
    }
    return Registration(subject: .source(id)) { [weak self] in
      self?.change { _ in .sourceVanished(id, container: container) }
    }
  }

  /// Adds a drop point to a container, at an index among its drop points or at the end.
  ///
  /// A person who carries something hears of a new place that accepts it. A container of another
  /// host accepts nothing.
  @discardableResult
  public func register(
    _ point: DropPoint, in container: ContainerID, at index: Int? = nil
  ) -> Registration {
    let id = DropPointID(state.withLock { $0.next() })
    change(isNew: true) { state in
      state.points[id] = (point, container)
      state.fill(container, sources: false)
      let place = index ?? state.registry[container]?.dropPoints?.count ?? 0
      return .dropPointAppeared(descriptor(of: point, id, in: container), index: place)
    }
    return Registration(subject: .point(id)) { [weak self] in
      self?.change { _ in .dropPointVanished(id, container: container) }
    }
  }

  /// Replaces a registered source: its name, its kind and its item.
  ///
  /// It keeps its position, and an item picked up there stays carried. A registration that was
  /// removed, or is no source, is left alone.
  public func update(_ registration: Registration, to source: Source) {
    change { state in
      guard case .source(let id) = registration.subject,
        let container = state.sources[id]?.container,
        let index = state.registry.index(of: id, in: container)
      else { return nil }
      state.sources[id] = (source, container)
      return .sourceAppeared(descriptor(of: source, id, in: container), index: index)
    }
  }

  /// Replaces a registered drop point: its name, its answers and its actions.
  ///
  /// It keeps its position, and is asked again if a session of this app carries something; other
  /// programs ask it at the drop at the latest. A registration that was removed, or is no drop
  /// point, is left alone.
  public func update(_ registration: Registration, to point: DropPoint) {
    change { state in
      guard case .point(let id) = registration.subject,
        let container = state.points[id]?.container,
        let entry = state.registry[container],
        let index = entry.dropPoints?.firstIndex(where: { $0.id == id })
      else { return nil }
      state.points[id] = (point, container)
      var listing = Listing(
        container: entry.container, sources: entry.sources, dropPoints: entry.dropPoints)
      listing.dropPoints?[index] = descriptor(of: point, id, in: container)
      return .replaced(listing)
    }
  }

  /// Adds rows, each a source with a drop point, at an index among the sources of a container and
  /// one among its drop points.
  ///
  /// They are one change, so that everything is asked again only once.
  func register(
    rows: [(source: Source, point: DropPoint)], in container: ContainerID, at index: Int,
    points pointIndex: Int, registered: ([(source: Registration, point: Registration)]) -> Void
  ) {
    if rows.isEmpty { return registered([]) }
    change { state in
      var ids: [(source: DragSourceID, point: DropPointID)] = []
      guard let entry = state.registry[container] else { return nil }
      var (sources, points) = (entry.sources ?? [], entry.dropPoints ?? [])
      var new: (sources: [DragSourceDescriptor], points: [DropPointDescriptor]) = ([], [])
      for row in rows {
        let id = (source: DragSourceID(state.next()), point: DropPointID(state.next()))
        ids.append(id)
        state.sources[id.source] = (row.source, container)
        state.points[id.point] = (row.point, container)
        new.sources.append(descriptor(of: row.source, id.source, in: container))
        new.points.append(descriptor(of: row.point, id.point, in: container))
      }
      sources.insert(contentsOf: new.sources, at: min(max(index, 0), sources.count))
      points.insert(contentsOf: new.points, at: min(max(pointIndex, 0), points.count))
      let registrations = ids.map { id in
        (
          Registration(subject: .source(id.source)) { [weak self] in
            self?.change { _ in .sourceVanished(id.source, container: container) }
          },
          Registration(subject: .point(id.point)) { [weak self] in
            self?.change { _ in .dropPointVanished(id.point, container: container) }
          }
        )
      }
      registered(registrations)
      return .replaced(Listing(container: entry.container, sources: sources, dropPoints: points))
    }
  }

  /// Removes rows as one change.
  func remove(_ registrations: [Registration], from container: ContainerID) {
    if registrations.isEmpty { return }
    var (sources, points): (Set<DragSourceID>, Set<DropPointID>) = ([], [])
    for registration in registrations {
      switch registration.subject {
      case .source(let id): sources.insert(id)
      case .point(let id): points.insert(id)
      case .observer: break
      }
    }
    change { state in
      guard let entry = state.registry[container] else { return nil }
      for id in sources { (state.sources[id], state.items[id]) = (nil, nil) }
      for id in points { state.points[id] = nil }
      return .replaced(
        Listing(
          container: entry.container, sources: entry.sources?.filter { !sources.contains($0.id) },
          dropPoints: entry.dropPoints?.filter { !points.contains($0.id) }))
    }
  }

  private func descriptor(
    of source: Source, _ id: DragSourceID, in container: ContainerID
  ) -> DragSourceDescriptor {
    DragSourceDescriptor(
      id: id, name: SpokenName.clean(source.name), container: container, kind: source.kind,
      isEnabled: source.isEnabled)
  }

  private func descriptor(
    of point: DropPoint, _ id: DropPointID, in container: ContainerID
  ) -> DropPointDescriptor {
    DropPointDescriptor(
      id: id, name: SpokenName.clean(point.name), container: container,
      leadsTo: point.isContainer ? container : nil, positions: point.positions)
  }

  /// Moves a registered item to another index of its container, with its identity.
  func move(_ registration: Registration, to index: Int) {
    move(registration.subject, to: index)
  }

  func move(_ subject: Registration.Subject, to index: Int) {
    change { state in
      switch subject {
      case .source(let id):
        guard let container = state.sources[id]?.container,
          let old = state.registry.index(of: id, in: container),
          let descriptor = state.registry[container]?.sources?[old]
        else { return nil }
        return .sourceAppeared(descriptor, index: index)
      case .point(let id):
        guard let container = state.points[id]?.container,
          let descriptor = state.registry[container]?.dropPoints?.first(where: { $0.id == id })
        else { return nil }
        return .dropPointAppeared(descriptor, index: index)
      case .observer: return nil
      }
    }
  }

  /// Declares a container empty, as opposed to not filled yet.
  public func declareEmpty(_ container: ContainerID) {
    change { state in
      state.registry[container].map {
        .replaced(
          Listing(
            container: $0.container, sources: $0.sources ?? [], dropPoints: $0.dropPoints ?? []))
      }
    }
  }

  /// Calls the observer for each change of the registry, until the registration is removed.
  package func observe(
    changes observer: @escaping @Sendable (RegistryChange) -> Void
  ) -> Registration {
    let id = state.withLock { state in
      let id = Int(state.next())
      state.observers[id] = observer
      return id
    }
    return Registration(subject: .observer) { [weak self] in
      self?.state.withLock { state in state.observers[id] = nil }
    }
  }

  package var registry: Registry { state.withLock { $0.registry } }

  /// Changes the registry, and calls observers outside the lock, in the order of the changes.
  ///
  /// - Parameters:
  ///   - isNew: whether something is registered.
  ///   - make: returns the change to the present contents; `nil` for none.
  private func change(isNew: Bool = false, _ make: (inout Contents) -> RegistryChange?) {
    let tells = state.withLock { state in
      guard let change = make(&state), state.registry.apply(change, isNew: isNew) else {
        return false
      }
      switch change {
      case .sourceVanished(let id, _):
        state.sources[id] = nil
        state.items[id] = nil
      case .dropPointVanished(let id, _): state.points[id] = nil
      case .sourceAppeared, .dropPointAppeared, .containerAppeared, .containerVanished, .replaced:
        break
      }
      state.untold.append(change)
      defer { state.isTelling = true }
      return !state.isTelling
    }
    while tells {
      let next = state.withLock { state in
        state.isTelling = !state.untold.isEmpty
        return state.isTelling ? (state.untold.removeFirst(), Array(state.observers.values)) : nil
      }
      guard let (change, observers) = next else { return }
      for observer in observers { observer(change) }
    }
  }
}

/// Content types compared by name alone, for apps without a type database.
public struct PlainContentTypes: ContentTypes {
  /// Creates content types that are compared by name.
  public init() {}

  /// Always `application/octet-stream`: nothing is known.
  public func type(forName name: String, head: [UInt8]?) -> String { "application/octet-stream" }

  /// Whether both are equal, or the second is a wildcard ("image/*") or arbitrary data.
  public func conforms(_ type: String, to other: String) -> Bool {
    type == other || other == "*/*"
      || other == "application/octet-stream"
      || (other.hasSuffix("/*") && type.hasPrefix(other.dropLast()))
  }

  /// The MIME name itself.
  public func name(of type: String) -> String { type }
}
