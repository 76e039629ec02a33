import Glibc
import KeyDragCore
import KeyDragThreads

/// The other programs of this user that are running, and what they show.
///
/// An actor on a thread of its own. It numbers containers and places anew, so that no two programs
/// share a number, and tells the session of every change.
actor PeerDirectory: EventSource {
  /// The thread that all of it runs on.
  private let loop: EventLoop
  /// The folder in which others listen.
  private let folder: PeerFolder
  /// Our name, safe to speak.
  private let program: String
  /// Words for a program that bears a name of ours, and is none.
  private let impostor: PeerProgram.Impostor
  /// How long others are waited for.
  let patience: PeerPatience
  /// `nil` before it begins, and where the folder can't be watched.
  private var events: FolderEvents?
  /// Those that are connected, by their numbers.
  private var peers: [UInt32: Peer] = [:]
  /// Numbers given to programs, containers and places.
  private var peerCount: UInt32 = 0
  private var containerCount: UInt32 = 0
  private var pointCount: UInt64 = 0
  /// Which program's a container or a drop point is, and its own number there.
  private var containers: [ContainerID: (peer: UInt32, number: UInt32)] = [:]
  private var points: [DropPointID: (peer: UInt32, number: UInt64)] = [:]
  /// The program of a delivery, and its number there.
  private var deliveries: [DeliveryID: (peer: UInt32, number: UInt32)] = [:]
  /// `nil` until somebody wants to hear of changes.
  private var observer: (@Sendable (WorldReport) -> Void)?
  /// Those who wait for a look.
  private var looks: [PeerLook] = []
  /// When programs are looked for once more: one that was crowded may have let us go.
  private var nextLook: Int64?
  /// Whether programs are looked for.
  private var hasBegun = false
  /// The end; nothing begins after it.
  private var isClosed = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Looks for nobody yet.
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

  /// Does something here, behind all that was posted before.
  ///
  /// From any thread; returns at once.
  nonisolated func post(_ work: @escaping @Sendable (isolated PeerDirectory) -> Void) {
    loop.post { self.assumeIsolated { work($0) } }
  }

  /// Begins to look for programs; what comes and goes is told from now on.
  ///
  /// Once; other observers are not taken.
  func start(_ observer: @escaping @Sendable (WorldReport) -> Void) {
    guard self.observer == nil, !isClosed else { return }
    self.observer = observer
    begin()
  }

  /// Watches the folder and connects to all that listen there.
  private func begin() {
    guard !hasBegun, !isClosed else { return }
    hasBegun = true
    // First the watch, then the look: nothing comes between them unseen.
    events = FolderEvents(folder.path)
    loop.attach(self)
    lookAround()
  }

  /// Answers when all programs that are there have shown what they have, or have had the time for
  /// it.
  func look(_ reply: @escaping @Sendable (PeerSight) -> Void) {
    begin()
    looks.append(PeerLook(deadline: MonotonicClock.now + patience.look, reply: reply))
    endLooks()
  }

  /// Answers those who wait, where all programs have told or their time is over. Programs that have
  /// not are named.
  private func endLooks() {
    guard !looks.isEmpty else { return }
    let isDone = isClosed || peers.values.allSatisfy(\.hasTold)
    let now = MonotonicClock.now
    let ended = looks.filter { isDone || $0.deadline <= now }
    guard !ended.isEmpty else { return }
    looks.removeAll { isDone || $0.deadline <= now }
    let all = peers.values.sorted { $0.number < $1.number }
    let sight = PeerSight(
      listings: all.flatMap { peer in
        peer.shown.values.map(\.listing).sorted {
          $0.container.id.rawValue < $1.container.id.rawValue
        }
      }, silent: all.filter { !$0.hasTold }.map { $0.program ?? $0.name.programName })
    for look in ended { look.reply(sight) }
  }

  /// Cancels what is delivered, lets go of all programs, and looks for none.
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
    endLooks()
  }

  // MARK: Programs

  /// Connects to every program in the folder, and tidies up what others left.
  private func lookAround() {
    let (sockets, unfinished) = folder.names()
    for name in unfinished { folder.removeUnfinished(name) }
    for name in sockets { connect(name) }
  }

  /// Connects to a program that is not known yet, and greets. Nobody waits for its answer.
  private func connect(_ name: PeerName) {
    guard name != folder.own, !peers.values.contains(where: { $0.name == name }) else { return }
    if peers.count >= PeerLimits.programs {
      // One that shows nothing is missed by nobody.
      let idle = peers.values.filter(\.mayGiveWay).min { $0.number < $1.number }
      guard let idle else { return }
      lose(idle)
    }
    switch PeerSocket.connect(to: name, in: folder) {
    case .failed: break
    // Its program ended without taking it away.
    case .stale: folder.remove(name.text)
    case .made(let descriptor):
      peerCount &+= 1
      let peer = Peer(PeerChannel(descriptor), name: name, number: peerCount)
      peers[peer.number] = peer
      peer.channel.send(.hello(PeerHello(version: PeerHello.version, program: program)))
      // From now on it tells of its places by itself.
      peer.channel.send(.list)
    }
  }

  /// Forgets a program, and tells of everything that ends with it.
  private func lose(
    _ peer: Peer, _ reason: Reason = .gone, _ outcome: DeliveryOutcome = .failed
  ) {
    guard !peer.isGone else { return }
    // It may be lost again by what is told below.
    peer.isGone = true
    peers[peer.number] = nil
    peer.channel.end()
    nextLook = nextLook ?? MonotonicClock.now + patience.silence
    for (number, run) in peer.deliveries {
      finish(run, number, of: peer, .lost(run.names, reason, outcome))
    }
    for run in peer.questions.values { settle(run, rest: reason, of: peer) }
    peer.questions = [:]
    let gone = peer.shown.keys.sorted()
    let changes = gone.compactMap { hide($0, of: peer) }
    if !changes.isEmpty { observer?(.changed(changes)) }
    endLooks()
  }

  // MARK: The sockets

  nonisolated func waits() -> EventWait { assumeIsolated { $0.wait() } }

  nonisolated func ready(_ descriptors: [pollfd]) { assumeIsolated { $0.advance(descriptors) } }

  /// The folder, all programs, and the earliest time at which something is due.
  private func wait() -> EventWait {
    var wait = EventWait()
    if let events {
      wait.descriptors.append(pollfd(fd: events.descriptor, events: Int16(POLLIN), revents: 0))
    }
    wait.descriptors += peers.values.map(\.channel.wait)
    let deadlines = peers.values.compactMap(\.deadline) + looks.map(\.deadline)
    wait.deadline = (deadlines + [nextLook].compactMap(\.self)).min()
    return wait
  }

  /// Takes what has arrived and does what is due.
  private func advance(_ descriptors: [pollfd]) {
    guard !isClosed else { return }
    let ready = Set(descriptors.map(\.fd))
    // A copy, since programs may go while it is walked.
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
        // Which names were missed is not known.
        case .overflowed: lookAround()
        }
      }
    }
    let now = MonotonicClock.now
    for peer in Array(peers.values) { due(peer, now) }
    if let look = nextLook, look <= now {
      nextLook = nil
      lookAround()
    }
    endLooks()
  }

  /// Ends a connection with a fault, and answers for what is silent.
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
      // It may go on when it wakes up.
      finish(run, number, of: peer, .lost(run.names, .notResponding, .unconfirmed))
    }
  }

  /// Gives up the part of a question that is this program's.
  private func settle(_ run: PeerQuestionRun, rest reason: Reason, of peer: Peer) {
    let stops = run.open.filter { points[$0.point]?.peer == peer.number }
    run.settle(rest: reason, of: stops)
    settleVanished(run)
  }

  /// Of places that have vanished since they were asked nobody says anything any more.
  private func settleVanished(_ run: PeerQuestionRun) {
    run.settle(rest: .gone, of: run.open.filter { points[$0.point] == nil })
  }

  // MARK: What they say

  /// Takes one frame. Pieces of contents come from nobody here.
  private func take(_ frame: PeerFrame, from peer: Peer) {
    guard case .message(let body) = frame, let message = try? PeerCodec.message(body) else {
      peer.mistakes += 1
      return
    }
    // Whatever it says, it is there again.
    peer.isSilent = false
    if case .hello(let hello) = message {
      greeted(hello, peer)
      return
    }
    // Nothing counts before the greeting.
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
    // Each change is told to the session: too many would keep it from the person.
    if isChange, peer.isFlooding(at: now, within: patience.changes) { return lose(peer) }
    switch message {
    case .places(let places): show(places, of: peer)
    case .told:
      peer.hasTold = true
      endLooks()
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
      ended.isWordOfProgram = !peer.isOurs
      finish(run, result.delivery, of: peer, ended)
    case .load(let load): open(load, for: peer)
    case .more(let more): read(more, for: peer)
    case .endLoad(let end): peer.loads.removeValue(forKey: end.load)?.task?.cancel()
    case .leave: lose(peer)
    // Whatever it was, it has no answer.
    case .sorry(let sorry):
      if sorry.why == .version { lose(peer) }
    case .hello, .list, .items, .ask, .deliver, .cancel, .loading, .making, .loadFailed:
      peer.mistakes += 1
    }
  }

  /// Takes a greeting, once.
  private func greeted(_ hello: PeerHello, _ peer: Peer) {
    guard hello.version == PeerHello.version, peer.program == nil else {
      // An older or newer one has words that are not known here.
      peer.channel.send(.sorry(PeerSorry(why: .version)))
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

  /// Takes answers to a question. Those about places that it does not show are left out.
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
    // More of them may follow in another message.
    if !isOpen { peer.questions[answers.question] = nil }
    settleVanished(run)
  }

  // MARK: Places

  /// Takes a container as it is now. Known places keep their numbers.
  private func show(_ places: PeerPlaces, of peer: Peer) {
    let old = peer.shown[places.container]
    // Of one that shows too many the rest is left out.
    guard old != nil || peer.shown.count < PeerLimits.containers else { return }
    let container = old?.listing.container.id ?? nextContainer()
    containers[container] = (peer.number, places.container)
    var known: [UInt64: DropPointID] = [:]
    for point in places.points {
      let id = old?.points[point.id] ?? nextPoint()
      known[point.id] = id
      points[id] = (peer.number, point.id)
    }
    // A place that is gone loses its number.
    for (number, id) in old?.points ?? [:] where known[number] == nil { points[id] = nil }
    let listing = listing(places, container, known, of: peer)
    peer.shown[places.container] = Peer.Shown(listing: listing, points: known)
    let changes =
      old.map { PeerDifference.changes(from: $0.listing, to: listing) }
      ?? [.containerAppeared(listing)]
    if !changes.isEmpty { observer?(.changed(changes)) }
  }

  /// A container in our numbers. Containers that are not known here are left out of it.
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

  /// Forgets a container; `nil` for one that was not shown.
  private func hide(_ number: UInt32, of peer: Peer) -> RegistryChange? {
    guard let shown = peer.shown.removeValue(forKey: number) else { return nil }
    for id in shown.points.values { points[id] = nil }
    containers[shown.listing.container.id] = nil
    return .containerVanished(shown.listing.container.id)
  }

  /// A number that no program's container has had.
  private func nextContainer() -> ContainerID {
    containerCount += 1
    return ContainerID(containerCount, of: .peers)
  }

  /// A number that no program's place has had.
  private func nextPoint() -> DropPointID {
    pointCount += 1
    return DropPointID(pointCount, of: .peers)
  }

  // MARK: What the session wants to know

  /// A container as it was told last; `nil` for one that is gone.
  func listing(_ container: ContainerID) -> Listing? {
    guard let place = containers[container] else { return nil }
    return peers[place.peer]?.shown[place.number]?.listing
  }

  /// The name of the thing that contains a drop made there.
  ///
  /// Empty where it is gone.
  func name(of stop: DropStop) -> String {
    let shown = points[stop.point].flatMap { peers[$0.peer] }?.shown.values.map(\.listing) ?? []
    for listing in shown {
      guard let point = listing.dropPoints?.first(where: { $0.id == stop.point }) else { continue }
      return stop.position == .on ? point.name : listing.container.name
    }
    return ""
  }

  /// The program of a place, with the number there; `nil` where it is gone.
  func peer(of point: DropPointID) -> (peer: Peer, number: UInt64)? {
    guard let place = points[point], let peer = peers[place.peer] else { return nil }
    return (peer, place.number)
  }

  /// The program of a delivery, with the number there; `nil` when it has ended.
  func peer(of delivery: DeliveryID) -> (peer: Peer, number: UInt32)? {
    guard let place = deliveries[delivery], let peer = peers[place.peer] else { return nil }
    return (peer, place.number)
  }

  /// Remembers where a delivery is.
  func note(_ delivery: DeliveryID, _ number: UInt32, of peer: Peer) {
    deliveries[delivery] = (peer.number, number)
  }

  func forget(_ delivery: DeliveryID) { deliveries[delivery] = nil }

  /// `nil` for one that has gone.
  func peer(numbered number: UInt32) -> Peer? { peers[number] }

  /// Whether it is still connected.
  func isHere(_ peer: Peer) -> Bool { !peer.isGone }
}
