import Glibc
import KeyDragCore
import KeyDragThreads

/// The user's other running KeyDrag programs and their places. An actor on an event loop of its
/// own. Assigns unique ids to containers and places, and reports all changes to the session.
actor PeerDirectory: EventSource {
  private let loop: EventLoop
  /// The folder with the programs' sockets.
  private let folder: PeerFolder
  /// Our name, safe to speak.
  private let program: String
  /// Describes a program that falsely uses our name.
  private let impostor: PeerProgram.Impostor
  /// Timeouts for other programs.
  let patience: PeerPatience
  /// `nil` before the start, and if the folder can't be watched.
  private var events: FolderEvents?
  /// By number.
  private var peers: [UInt32: Peer] = [:]
  /// Counters of assigned ids.
  private var peerCount: UInt32 = 0
  private var containerCount: UInt32 = 0
  private var pointCount: UInt64 = 0
  /// The program of each container and drop point, with its number there.
  private var containers: [ContainerID: (peer: UInt32, number: UInt32)] = [:]
  private var points: [DropPointID: (peer: UInt32, number: UInt64)] = [:]
  /// The program of each delivery, with its number there.
  private var deliveries: [DeliveryID: (peer: UInt32, number: UInt32)] = [:]
  /// Receives changes; `nil` until set.
  private var observer: (@Sendable (WorldReport) -> Void)?
  /// Requests of a snapshot, each answered once, by its deadline with what is known.
  private var looks: [(deadline: Int64, reply: @Sendable (PeerSnapshot) -> Void)] = []
  /// Time of the next scan: a crowded program may have disconnected us.
  private var nextScan: Int64?
  /// Whether scanning has started.
  private var hasBegun = false
  /// Set on shutdown; nothing starts afterwards.
  private var isClosed = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Does not scan yet.
  init(
    in folder: PeerFolder, program: String, impostor: @escaping PeerProgram.Impostor,
    patience: PeerPatience
  ) throws(PeerError) {
    self.impostor = impostor
    guard let loop = EventLoop(), loop.start() else { throw .failed(.unknown) }
    self.loop = loop
    self.folder = folder
    self.program = SpokenName.clean(program)
    self.patience = patience
  }

  /// Queues work on the loop's thread, in order. Thread-safe; returns at once.
  nonisolated func post(_ work: @escaping @Sendable (isolated PeerDirectory) -> Void) {
    loop.post { self.assumeIsolated { work($0) } }
  }

  /// Starts scanning and reports changes from now on. Only the first observer counts.
  func start(_ observer: @escaping @Sendable (WorldReport) -> Void) {
    guard self.observer == nil, !isClosed else { return }
    self.observer = observer
    begin()
  }

  /// Watches the folder and connects to all its sockets.
  private func begin() {
    guard !hasBegun, !isClosed else { return }
    hasBegun = true
    // Watches before scanning, so that nothing is missed in between.
    events = FolderEvents(folder.path)
    loop.attach(self)
    scanFolder()
  }

  /// Answers once all programs have sent their places or timed out.
  func look(_ reply: @escaping @Sendable (PeerSnapshot) -> Void) {
    begin()
    looks.append((MonotonicClock.now + patience.look, reply))
    answerSnapshots()
  }

  /// Answers pending requests that are complete or timed out, naming the programs that did not
  /// respond.
  private func answerSnapshots() {
    guard !looks.isEmpty else { return }
    let isDone = isClosed || peers.values.allSatisfy(\.hasSentPlaces)
    let now = MonotonicClock.now
    let ended = looks.filter { isDone || $0.deadline <= now }
    guard !ended.isEmpty else { return }
    looks.removeAll { isDone || $0.deadline <= now }
    let all = peers.values.sorted { $0.number < $1.number }
    let sight = PeerSnapshot(
      listings: all.flatMap { peer in
        peer.shown.values.map(\.listing).sorted {
          $0.container.id.rawValue < $1.container.id.rawValue
        }
      }, silent: all.filter { !$0.hasSentPlaces }.map { $0.program ?? $0.name.programName })
    for look in ended { look.reply(sight) }
  }

  func shut() {
    isClosed = true
    loop.detach(self)
    for peer in Array(peers.values) {
      for delivery in peer.deliveries.keys {
        peer.channel.send(.cancel(PeerDelivery(delivery: delivery)))
      }
      peer.channel.send(.leave)
      lose(peer, .interrupted, .cancelled)
    }
    events = nil
    answerSnapshots()
  }

  // MARK: Programs

  /// Connects to every program in the folder, and removes leftovers.
  private func scanFolder() {
    let (sockets, unfinished) = folder.names()
    for name in unfinished { folder.removeUnfinished(name) }
    for name in sockets { connect(name) }
  }

  /// Connects to an unknown program and greets it without waiting for the reply.
  private func connect(_ name: PeerName) {
    guard name != folder.own, !peers.values.contains(where: { $0.name == name }) else { return }
    if peers.count >= PeerLimits.programs {
      // Evicts a program that shows nothing.
      let idle = peers.values.filter(\.isEvictable).min { $0.number < $1.number }
      guard let idle else { return }
      lose(idle)
    }
    switch PeerSocket.connect(to: name, in: folder) {
    case .failed: break
    // Its program ended without removing the socket.
    case .stale: folder.remove(name.text)
    case .made(let descriptor):
      peerCount &+= 1
      let peer = Peer(PeerChannel(descriptor), name: name, number: peerCount)
      peers[peer.number] = peer
      peer.channel.send(.hello(PeerHello(version: PeerHello.version, program: program)))
      // Subscribes to its places.
      peer.channel.send(.list)
    }
  }

  /// Forgets a program, and reports everything that ends with it.
  private func lose(
    _ peer: Peer, _ reason: Reason = .gone, _ outcome: DeliveryOutcome = .failed
  ) {
    guard !peer.isGone else { return }
    // The callbacks below may lose it again.
    peer.isGone = true
    peers[peer.number] = nil
    peer.channel.end()
    nextScan = nextScan ?? MonotonicClock.now + patience.silence
    for (number, run) in peer.deliveries {
      finish(run, number, of: peer, .failed(run.names, reason, outcome, by: .peer))
    }
    for run in peer.questions.values { settle(run, rest: reason, of: peer) }
    peer.questions = [:]
    let gone = peer.shown.keys.sorted()
    let changes = gone.compactMap { hide($0, of: peer) }
    if !changes.isEmpty { observer?(.changed(changes)) }
    answerSnapshots()
  }

  // MARK: Sockets

  nonisolated func waits() -> EventWait { assumeIsolated { $0.wait() } }

  nonisolated func ready(_ descriptors: [pollfd]) { assumeIsolated { $0.advance(descriptors) } }

  /// The folder's events, all programs' sockets, and the next deadline.
  private func wait() -> EventWait {
    var wait = EventWait()
    if let events {
      wait.descriptors.append(pollfd(fd: events.descriptor, events: Int16(POLLIN), revents: 0))
    }
    wait.descriptors += peers.values.map(\.channel.wait)
    let deadlines = peers.values.compactMap(\.deadline) + looks.map(\.deadline)
    wait.deadline = (deadlines + [nextScan].compactMap(\.self)).min()
    return wait
  }

  private func advance(_ descriptors: [pollfd]) {
    guard !isClosed else { return }
    let ready = Set(descriptors.map(\.fd))
    // Iterates over a copy, since programs may leave meanwhile.
    for peer in Array(peers.values) where ready.contains(peer.channel.descriptor) {
      peer.channel.flush()
      do {
        for frame in try peer.channel.receive() where !peer.isGone { take(frame, from: peer) }
      } catch {
        lose(peer)
      }
    }
    if let events, ready.contains(events.descriptor) {
      for event in events.read() {
        switch event {
        case .came(let text): if let name = PeerName(text) { connect(name) }
        // The missed names are unknown.
        case .overflowed: scanFolder()
        }
      }
    }
    let now = MonotonicClock.now
    for peer in Array(peers.values) { due(peer, now) }
    if let look = nextScan, look <= now {
      nextScan = nil
      scanFolder()
    }
    answerSnapshots()
  }

  /// Ends a faulty connection, and times out questions and deliveries.
  private func due(_ peer: Peer, _ now: Int64) {
    if peer.channel.fault != nil || peer.mistakes > PeerLimits.mistakes {
      lose(peer)
      return
    }
    for (number, run) in peer.questions where run.deadline <= now {
      peer.questions[number] = nil
      peer.isSilent = true
      settle(run, rest: .notResponding, of: peer)
    }
    for (number, run) in peer.deliveries where run.deadline <= now {
      peer.isSilent = true
      peer.channel.send(.cancel(PeerDelivery(delivery: number)))
      // It may continue later, so the outcome is unconfirmed.
      finish(run, number, of: peer, .failed(run.names, .notResponding, .unconfirmed, by: .peer))
    }
  }

  /// Gives up this program's part of a question.
  private func settle(_ run: PeerQuestionRun, rest reason: Reason, of peer: Peer) {
    let stops = run.open.filter { points[$0.point]?.peer == peer.number }
    run.settle(rest: reason, of: stops)
    settleVanished(run)
  }

  /// Answers for places that have vanished since the question.
  private func settleVanished(_ run: PeerQuestionRun) {
    run.settle(rest: .gone, of: run.open.filter { points[$0.point] == nil })
  }

  // MARK: Messages

  /// Handles one frame. Contents are never received here.
  private func take(_ frame: PeerFrame, from peer: Peer) {
    guard case .message(let body) = frame, let message = try? PeerCodec.message(body) else {
      peer.mistakes += 1
      return
    }
    // Any message ends the silence.
    peer.isSilent = false
    if case .hello(let hello) = message {
      greeted(hello, peer)
      return
    }
    // The greeting must come first.
    guard peer.program != nil else {
      peer.mistakes += 1
      return
    }
    let now = MonotonicClock.now
    let isChange =
      switch message {
      case .places, .gone: true
      default: false
      }
    // Each change is reported to the session: too many would block the user.
    if isChange, peer.isFlooding(at: now, within: patience.changes) { return lose(peer) }
    switch message {
    case .places(let places): show(places, of: peer)
    case .told:
      peer.hasSentPlaces = true
      answerSnapshots()
    case .gone(let gone):
      if let change = hide(gone.container, of: peer) { observer?(.changed([change])) }
    case .answers(let answers): answered(answers, peer)
    case .started(let progress):
      heard(progress.delivery, peer, now) { .started(progress.progress(items: $0)) }
    case .progressed(let progress):
      heard(progress.delivery, peer, now) { .progressed(progress.progress(items: $0)) }
    case .alive(let delivery): heard(delivery.delivery, peer, now) { _ in nil }
    case .finished(let result):
      guard let run = peer.deliveries[result.delivery] else { return }
      var ended = result.result(items: run.items.count)
      ended.isUnverified = !peer.isOurs
      finish(run, result.delivery, of: peer, ended)
    case .load(let load): open(load, for: peer)
    case .more(let more): read(more, for: peer)
    case .endLoad(let end): peer.loads.removeValue(forKey: end.load)?.task?.cancel()
    case .leave: lose(peer)
    // Needs no reply.
    case .sorry(let sorry):
      if sorry.why == .version { lose(peer) }
    case .hello, .list, .items, .ask, .deliver, .cancel, .loading, .making, .loadFailed:
      peer.mistakes += 1
    }
  }

  private func greeted(_ hello: PeerHello, _ peer: Peer) {
    guard hello.version == PeerHello.version, peer.program == nil else {
      // Another version may use unknown messages.
      peer.channel.send(.sorry(PeerRejection(why: .version)))
      if hello.version != PeerHello.version {
        let program = PeerProgram(hello.program, peer.channel.descriptor).told(impostor)
        observer?(.problem(.noPeers(.otherVersion(program: program))))
      }
      lose(peer)
      return
    }
    let program = PeerProgram(hello.program, peer.channel.descriptor)
    (peer.program, peer.isOurs) = (program.told(impostor), program.isOurs)
  }

  /// Handles answers to a question; ignores unknown places.
  private func answered(_ answers: PeerAnswers, _ peer: Peer) {
    guard let run = peer.questions[answers.question] else { return }
    let known = peer.shown.values.reduce(into: [:]) { all, shown in
      all.merge(shown.points) { one, _ in one }
    }
    for answer in answers.answers {
      guard let point = known[answer.stop.point] else { continue }
      run.set(
        answer.proposal(items: run.items),
        at: DropStop(point, answer.stop.stop(of: .peers).position))
    }
    let isOpen = run.open.contains { points[$0.point]?.peer == peer.number }
    // More answers may follow in another message.
    if !isOpen { peer.questions[answers.question] = nil }
    settleVanished(run)
  }

  // MARK: Places

  /// Applies a container's current state. Known places keep their ids.
  private func show(_ places: PeerPlaces, of peer: Peer) {
    let old = peer.shown[places.container]
    // Ignores containers above the limit.
    guard old != nil || peer.shown.count < PeerLimits.containers else { return }
    let container = old?.listing.container.id ?? nextContainer()
    containers[container] = (peer.number, places.container)
    var known: [UInt64: DropPointID] = [:]
    for point in places.points {
      let id = old?.points[point.id] ?? nextPoint()
      known[point.id] = id
      points[id] = (peer.number, point.id)
    }
    // A vanished place loses its id.
    for (number, id) in old?.points ?? [:] where known[number] == nil { points[id] = nil }
    let listing = listing(places, container, known, of: peer)
    peer.shown[places.container] = Peer.Shown(listing: listing, points: known)
    let changes =
      old.map { PeerDifference.changes(from: $0.listing, to: listing) }
      ?? [.containerAppeared(listing)]
    if !changes.isEmpty { observer?(.changed(changes)) }
  }

  /// Converts a container to our ids, leaving out references to unknown containers.
  private func listing(
    _ places: PeerPlaces, _ container: ContainerID, _ known: [UInt64: DropPointID], of peer: Peer
  ) -> Listing {
    func local(_ number: UInt32?) -> ContainerID? {
      guard let number else { return nil }
      return number == places.container ? container : peer.shown[number]?.listing.container.id
    }
    let descriptor = ContainerDescriptor(
      id: container, name: places.name, app: peer.program ?? "",
      enclosing: places.enclosing == places.container ? nil : local(places.enclosing),
      isOrdered: places.isOrdered)
    let points = places.points.compactMap { point in
      known[point.id].map {
        DropPointDescriptor(
          id: $0, name: point.name, container: container, leadsTo: local(point.leadsTo),
          positions: DropPositions(rawValue: point.positions))
      }
    }
    return Listing(container: descriptor, sources: nil, dropPoints: points)
  }

  /// Forgets a container; `nil` if it was not shown.
  private func hide(_ number: UInt32, of peer: Peer) -> RegistryChange? {
    guard let shown = peer.shown.removeValue(forKey: number) else { return nil }
    for id in shown.points.values { points[id] = nil }
    containers[shown.listing.container.id] = nil
    return .containerVanished(shown.listing.container.id)
  }

  /// Never reused, across all programs.
  private func nextContainer() -> ContainerID {
    containerCount += 1
    return ContainerID(containerCount, of: .peers)
  }

  /// Never reused, across all programs.
  private func nextPoint() -> DropPointID {
    pointCount += 1
    return DropPointID(pointCount, of: .peers)
  }

  // MARK: Queries of the session

  /// The latest state of a container; `nil` if it is gone.
  func listing(_ container: ContainerID) -> Listing? {
    guard let place = containers[container] else { return nil }
    return peers[place.peer]?.shown[place.number]?.listing
  }

  /// The name of the place that takes a drop there; empty if it is gone.
  func name(of stop: DropStop) -> String {
    let shown = points[stop.point].flatMap { peers[$0.peer] }?.shown.values.map(\.listing) ?? []
    for listing in shown {
      guard let point = listing.dropPoints?.first(where: { $0.id == stop.point }) else { continue }
      return stop.position == .on ? point.name : listing.container.name
    }
    return ""
  }

  /// The program of a place, with its number there; `nil` if it is gone.
  func peer(of point: DropPointID) -> (peer: Peer, number: UInt64)? {
    guard let place = points[point], let peer = peers[place.peer] else { return nil }
    return (peer, place.number)
  }

  /// The program of a delivery, with its number there; `nil` once it has ended.
  func peer(of delivery: DeliveryID) -> (peer: Peer, number: UInt32)? {
    guard let place = deliveries[delivery], let peer = peers[place.peer] else { return nil }
    return (peer, place.number)
  }

  func note(_ delivery: DeliveryID, _ number: UInt32, of peer: Peer) {
    deliveries[delivery] = (peer.number, number)
  }

  func forget(_ delivery: DeliveryID) { deliveries[delivery] = nil }

  /// `nil` once it has left.
  func peer(numbered number: UInt32) -> Peer? { peers[number] }

  func isHere(_ peer: Peer) -> Bool { !peer.isGone }
}
