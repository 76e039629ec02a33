import Glibc
import KeyDragCore
import KeyDragThreads

/// Shows this program's places to the other programs of its user, and takes what they drop there.
///
/// An actor on a thread of its own, which waits for the sockets. Nothing that a visitor sends makes
/// it wait: all it does is bounded by ``PeerLimits`` and ``PeerPatience``.
package actor PeerService: EventSource {
  /// The thread that all of it runs on.
  private let loop: EventLoop
  /// The folder in which others find us.
  private let folder: PeerFolder
  /// Our name, safe to speak.
  private let program: String
  /// Words for a program that bears a name of ours, and is none.
  private let impostor: PeerProgram.Impostor
  /// How long visitors are waited for.
  let patience: PeerPatience
  /// Our places.
  let places: any PlaceOffering
  /// The socket that programs connect to; -1 after the end.
  private var listener: Int32
  /// Those that are connected, by their numbers.
  private var visitors: [UInt32: Visitor] = [:]
  /// Visitors are numbered and never get a number twice.
  private var visitorCount: UInt32 = 0
  /// How many items were ever shown here.
  private var sourceCount: UInt64 = 0
  /// Numbers of requests and deliveries, counted together.
  private var requestCount = 0
  /// Numbers of loads, from 1.
  private var loadCount: UInt32 = 0

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// Begins to listen in the folder.
  ///
  /// - Parameters:
  ///   - program: what this program is called, as a person in another one hears it.
  ///   - places: asked and given things from any thread; its numbers of deliveries are far
  ///     from those a session counts.
  /// - Throws: why nobody can be listened to here.
  package init(
    in folder: PeerFolder, program: String, places: any PlaceOffering,
    impostor: @escaping PeerProgram.Impostor = { $0 }, patience: PeerPatience = PeerPatience()
  ) throws(PeerError) {
    guard let loop = EventLoop(), loop.start() else { throw .failed(.unknown) }
    // Last of all that can fail: what listens is seen.
    listener = try PeerSocket.listen(in: folder, as: folder.own)
    self.loop = loop
    self.folder = folder
    self.program = SpokenName.clean(program)
    self.places = places
    self.impostor = impostor
    self.patience = patience
    loop.attach(self)
    places.onOfferChange { [weak self] in
      self?.post { $0.offerChanged() }
    }
  }

  /// The name of the socket in its folder.
  package nonisolated var socketName: String { folder.own.text }

  /// The owner of the numbers that visitors are told.
  var owner: IDOwner { places.owners.first ?? .app }

  /// Takes the socket away and lets go of every program; what they deliver is cancelled.
  ///
  /// Waits for that, two seconds at most.
  package nonisolated func close() {
    let done = LateAnswer<Void>()
    post {
      $0.shut()
      done.give()
    }
    // Nobody is kept from leaving.
    done.wait(within: .seconds(2))
  }

  /// The end, once. The socket goes first, so that nobody comes while the others are told.
  private func shut() {
    guard listener >= 0 else { return }
    folder.remove(folder.own.text)
    Glibc.close(listener)
    listener = -1
    for visitor in visitors.values {
      visitor.channel.send(.leave)
      drop(visitor)
    }
    loop.detach(self)
  }

  /// Does something here, behind all that was posted before.
  ///
  /// From any thread; returns at once.
  nonisolated func post(_ work: @escaping @Sendable (isolated PeerService) -> Void) {
    loop.post { self.assumeIsolated { work($0) } }
  }

  // MARK: The sockets

  package nonisolated func waits() -> EventWait { assumeIsolated { $0.wait() } }

  package nonisolated func ready(_ descriptors: [pollfd]) {
    assumeIsolated { $0.advance(descriptors) }
  }

  /// The socket for new programs, those of visitors, and the earliest time at which something is
  /// due.
  private func wait() -> EventWait {
    var wait = EventWait()
    if listener >= 0 {
      wait.descriptors.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
    }
    wait.descriptors += visitors.values.map(\.channel.wait)
    wait.deadline = visitors.values.compactMap(\.deadline).min()
    return wait
  }

  /// Takes what has arrived, lets new programs in, and does what is due.
  private func advance(_ descriptors: [pollfd]) {
    guard listener >= 0 else { return }
    let ready = Set(descriptors.map(\.fd))
    // A copy, since visitors may go while it is walked.
    for visitor in Array(visitors.values) where ready.contains(visitor.channel.descriptor) {
      visitor.channel.flush()
      do {
        for frame in try visitor.channel.receive() {
          // A message may have ended the connection.
          if visitors[visitor.number] != nil, !visitor.isLeaving { take(frame, from: visitor) }
        }
      } catch {
        drop(visitor)
      }
    }
    if ready.contains(listener) { acceptAll() }
    let now = MonotonicClock.now
    for visitor in Array(visitors.values) { due(visitor, now) }
  }

  /// Lets in all that wait. Of too many the longest idle gives way; where all are busy, who comes is
  /// turned away.
  private func acceptAll() {
    while let descriptor = PeerSocket.accept(listener, user: folder.user) {
      if visitors.count >= PeerLimits.programs {
        let idle = visitors.values.filter(\.mayGiveWay).min { $0.givesWay(before: $1) }
        guard let idle else {
          Glibc.close(descriptor)
          continue
        }
        drop(idle)
      }
      visitorCount += 1
      visitors[visitorCount] = Visitor(
        PeerChannel(descriptor), number: visitorCount,
        greetingDeadline: MonotonicClock.now + patience.silence)
    }
  }

  /// Does for a visitor what its time has come for: ends a connection with a fault, ends loads that
  /// are silent, tells places, and gives signs of life.
  private func due(_ visitor: Visitor, _ now: Int64) {
    if visitor.channel.fault != nil
      || visitor.mistakes > PeerLimits.mistakes
      || (visitor.isLeaving && visitor.channel.pending == 0)
      || visitor.greetingDeadline.map({ $0 <= now }) ?? false
    {
      drop(visitor)
      return
    }
    for (load, state) in visitor.loads where state.waiting != nil && state.deadline <= now {
      end(load, of: visitor, throwing: Reason.notResponding)
      // A visitor that hands over none of thousands of files would keep a place for days.
      visitor.mistakes += 1
    }
    if visitor.isOutdated, visitor.nextTelling <= now { tell(visitor) }
    guard !visitor.visits.isEmpty, visitor.nextBeat <= now else { return }
    visitor.nextBeat = now + patience.beat
    // One who does not read has no need of more.
    guard visitor.channel.pending == 0 else { return }
    for delivery in visitor.visits.keys {
      visitor.channel.send(.alive(PeerDelivery(delivery: delivery)))
    }
  }

  /// Forgets a program: what it was delivering is cancelled, what is loaded from it ends.
  private func drop(_ visitor: Visitor) {
    visitors[visitor.number] = nil
    visitor.channel.end()
    for load in visitor.loads.keys { end(load, of: visitor, throwing: Reason.gone) }
    for visit in visitor.visits.values where visit.hasBegun { cancel(visit.id) }
  }

  // MARK: What they say

  /// Takes one frame. One that can't be read is a mistake, and its sender is told.
  private func take(_ frame: PeerFrame, from visitor: Visitor) {
    switch frame {
    case .piece(let load, let bytes): took(bytes, load, from: visitor)
    case .message(let body):
      do {
        take(try PeerCodec.message(body), from: visitor)
      } catch {
        visitor.mistakes += 1
        let why: PeerSorry.Why = error == .unknownKind ? .unknownKind : .malformed
        visitor.channel.send(.sorry(PeerSorry(why: why)))
      }
    }
  }

  /// Takes one message. Before the greeting nothing else is understood.
  private func take(_ message: PeerMessage, from visitor: Visitor) {
    let now = MonotonicClock.now
    if visitor.isFlooding(at: now) { return drop(visitor) }
    if case .hello(let hello) = message {
      greet(hello, visitor)
      return
    }
    guard visitor.greetingDeadline == nil else {
      visitor.mistakes += 1
      return
    }
    switch message {
    case .list:
      // Changes are told by themselves.
      if visitor.isListening { visitor.mistakes += 1 }
      visitor.isListening = true
      tell(visitor)
      visitor.channel.send(.told)
    case .items(let items): take(items, from: visitor)
    case .ask(let question):
      visitor.act(at: now)
      ask(question, for: visitor)
    case .deliver(let order):
      visitor.act(at: now)
      deliver(order, from: visitor)
    case .cancel(let delivery):
      cancel(delivery.delivery, of: visitor)
    case .loading(let loading): opened(loading, from: visitor)
    case .making(let making): made(making, from: visitor)
    case .loadFailed(let failure):
      end(failure.load, of: visitor, throwing: Reason(rawValue: failure.reason) ?? .unknown)
    case .leave: drop(visitor)
    case .sorry: break
    // These are words of the one who is visited.
    case .hello, .places, .told, .gone, .answers, .started, .progressed, .alive, .finished, .load,
      .more,
      .endLoad:
      visitor.mistakes += 1
    }
  }

  /// Greets back. A program of another version is told so and let go.
  private func greet(_ hello: PeerHello, _ visitor: Visitor) {
    guard visitor.greetingDeadline != nil else {
      visitor.mistakes += 1
      return
    }
    visitor.channel.send(.hello(PeerHello(version: PeerHello.version, program: program)))
    guard hello.version == PeerHello.version else {
      visitor.channel.send(.sorry(PeerSorry(why: .version)))
      visitor.isLeaving = true
      return
    }
    visitor.greetingDeadline = nil
    visitor.program = PeerProgram(hello.program, visitor.channel.descriptor).told(impostor)
  }

  // MARK: Places

  /// Places may have changed.
  private func offerChanged() {
    let now = MonotonicClock.now
    for visitor in visitors.values where visitor.isListening {
      visitor.isOutdated = true
      // Places that change all the time are told now and then.
      if visitor.nextTelling <= now, visitor.channel.pending == 0 { tell(visitor) }
    }
  }

  /// Tells a visitor what is new since it was told last: containers that changed as a whole, and
  /// those that are gone.
  private func tell(_ visitor: Visitor) {
    guard visitor.isListening else { return }
    visitor.isOutdated = false
    visitor.nextTelling = MonotonicClock.now + Self.tellingPause
    let listings = places.offeredPlaces(
      containers: PeerLimits.containers, points: PeerLimits.points)
    var told: [UInt32: PeerPlaces] = [:]
    for listing in listings.prefix(PeerLimits.containers) {
      let places = PeerPlaces(listing)
      told[places.container] = places
      if visitor.told[places.container] != places { visitor.channel.send(.places(places)) }
    }
    for container in visitor.told.keys where told[container] == nil {
      visitor.channel.send(.gone(PeerContainer(container: container)))
    }
    visitor.told = told
  }

  /// In milliseconds.
  private static let tellingPause: Int64 = 250

  // MARK: Numbers

  /// A number far from those of the session that goes on here.
  func nextNumber() -> Int {
    requestCount += 1
    return 1 << 40 + requestCount
  }

  /// Numbers for so many items.
  func nextSources(_ count: Int) -> UInt64 {
    defer { sourceCount += UInt64(count) }
    return sourceCount
  }

  /// The number of a new load.
  func nextLoad() -> UInt32 {
    loadCount &+= 1
    return loadCount
  }

  /// The newest one that was given.
  var lastLoad: UInt32 { loadCount }

  /// `nil` for one that has gone.
  func visitor(_ number: UInt32) -> Visitor? { visitors[number] }

  /// Has our world cancel a delivery.
  func cancel(_ delivery: DeliveryID) { places.cancel(delivery) }
}
