import Glibc
import KeyDragCore
import KeyDragThreads

/// Publishes this program's places to the user's other KeyDrag programs, and accepts their drops.
///
/// An actor on an event loop of its own, which polls the sockets. Visitors can't block it:
/// everything is bounded by ``PeerLimits`` and ``PeerPatience``.
package actor PeerService: EventSource {
  private let loop: EventLoop
  /// The folder with the programs' sockets.
  private let folder: PeerFolder
  /// Our name, safe to speak.
  private let program: String
  /// Describes a program that falsely uses our name.
  private let impostor: PeerProgram.Impostor
  /// Timeouts for visitors.
  let patience: PeerPatience
  let places: any PlaceProvider
  /// Listening socket; -1 once closed.
  private var listener: Int32
  /// By number.
  private var visitors: [UInt32: Visitor] = [:]
  /// Visitor numbers are never reused.
  private var visitorCount: UInt32 = 0
  private var sourceCount: UInt64 = 0
  /// Counts requests and deliveries together.
  private var requestCount = 0
  /// Load numbers count from 1.
  private var loadCount: UInt32 = 0

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// Starts listening in the folder.
  ///
  /// - Parameters:
  ///   - program: this program's name as spoken in others.
  ///   - places: called on any thread; gets delivery ids far from the session's.
  /// - Throws: why listening failed.
  package init(
    in folder: PeerFolder, program: String, places: any PlaceProvider,
    impostor: @escaping PeerProgram.Impostor = { $0 }, patience: PeerPatience = PeerPatience()
  ) throws(PeerError) {
    guard let loop = EventLoop(), loop.start() else { throw .failed(.unknown) }
    // The last step that can fail, because a listening socket is visible.
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

  /// The socket's name in its folder.
  package nonisolated var socketName: String { folder.own.text }

  /// The owner of the ids sent to visitors.
  var owner: IDOwner { places.owners.first ?? .app }

  /// Removes the socket, disconnects all programs and cancels their deliveries. Waits for at most
  /// two seconds.
  package nonisolated func close() {
    let done = BlockingResult<Void>()
    post {
      $0.shut()
      done.give()
    }
    // Shutdown must not hang.
    done.wait(within: .seconds(2))
  }

  /// Removes the socket first, so that nobody connects meanwhile. Idempotent.
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

  /// Queues work on the loop's thread, in order. Thread-safe; returns at once.
  nonisolated func post(_ work: @escaping @Sendable (isolated PeerService) -> Void) {
    loop.post { self.assumeIsolated { work($0) } }
  }

  // MARK: Sockets

  package nonisolated func waits() -> EventWait { assumeIsolated { $0.wait() } }

  package nonisolated func ready(_ descriptors: [pollfd]) {
    assumeIsolated { $0.advance(descriptors) }
  }

  /// The listening socket, the visitors' sockets, and the next deadline.
  private func wait() -> EventWait {
    var wait = EventWait()
    if listener >= 0 {
      wait.descriptors.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
    }
    wait.descriptors += visitors.values.map(\.channel.wait)
    wait.deadline = visitors.values.compactMap(\.deadline).min()
    return wait
  }

  private func advance(_ descriptors: [pollfd]) {
    guard listener >= 0 else { return }
    let ready = Set(descriptors.map(\.fd))
    // Iterates over a copy, since visitors may leave meanwhile.
    for visitor in Array(visitors.values) where ready.contains(visitor.channel.descriptor) {
      visitor.channel.flush()
      do {
        for frame in try visitor.channel.receive() {
          // A message may have ended the connection.
          if visitors[visitor.number] != nil, !visitor.isHalfClosed { take(frame, from: visitor) }
        }
      } catch {
        drop(visitor)
      }
    }
    if ready.contains(listener) { acceptAll() }
    let now = MonotonicClock.now
    for visitor in Array(visitors.values) { due(visitor, now) }
  }

  /// Accepts all pending connections. At the limit, evicts the longest idle visitor, or rejects the
  /// new one if all are busy.
  private func acceptAll() {
    while let descriptor = PeerSocket.accept(listener, user: folder.user) {
      if visitors.count >= PeerLimits.programs {
        let idle = visitors.values.filter(\.isEvictable).min { $0.precedesInEviction(before: $1) }
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

  /// Handles a visitor's timers: ends faulty connections and stalled loads, sends places and
  /// heartbeats.
  private func due(_ visitor: Visitor, _ now: Int64) {
    if visitor.channel.fault != nil
      || visitor.mistakes > PeerLimits.mistakes
      || (visitor.isHalfClosed && visitor.channel.pending == 0)
      || visitor.greetingDeadline.map({ $0 <= now }) ?? false
    {
      drop(visitor)
      return
    }
    for (load, state) in visitor.loads where state.waiting != nil && state.deadline <= now {
      end(load, of: visitor, throwing: Reason.notResponding)
      // Otherwise a visitor that never sends thousands of files would occupy a place for days.
      visitor.mistakes += 1
    }
    if visitor.isOutdated, visitor.nextUpdate <= now { tell(visitor) }
    guard !visitor.visits.isEmpty, visitor.nextBeat <= now else { return }
    visitor.nextBeat = now + patience.beat
    // Skipped for a visitor that does not read.
    guard visitor.channel.pending == 0 else { return }
    for delivery in visitor.visits.keys {
      visitor.channel.send(.alive(PeerDelivery(delivery: delivery)))
    }
  }

  /// Forgets a program, cancels its deliveries and ends its loads.
  private func drop(_ visitor: Visitor) {
    visitors[visitor.number] = nil
    visitor.channel.end()
    for load in visitor.loads.keys { end(load, of: visitor, throwing: Reason.gone) }
    for visit in visitor.visits.values where visit.hasBegun { cancel(visit.id) }
  }

  // MARK: Messages

  /// Handles one frame. An unreadable one counts as a violation and is reported to the sender.
  private func take(_ frame: PeerFrame, from visitor: Visitor) {
    switch frame {
    case .piece(let load, let bytes): took(bytes, load, from: visitor)
    case .message(let body):
      do {
        take(try PeerCodec.message(body), from: visitor)
      } catch {
        visitor.mistakes += 1
        let why: PeerRejection.Why = error == .unknownKind ? .unknownKind : .malformed
        visitor.channel.send(.sorry(PeerRejection(why: why)))
      }
    }
  }

  /// Handles one message. Only a greeting is accepted first.
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
      // Changes are sent unasked, so one request is enough.
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
      end(failure.load, of: visitor, throwing: failure.reason)
    case .leave: drop(visitor)
    case .sorry: break
    // Only the visited side sends these.
    case .hello, .places, .told, .gone, .answers, .started, .progressed, .alive, .finished, .load,
      .more,
      .endLoad:
      visitor.mistakes += 1
    }
  }

  /// Replies to a greeting. A program of another version is told so and disconnected.
  private func greet(_ hello: PeerHello, _ visitor: Visitor) {
    guard visitor.greetingDeadline != nil else {
      visitor.mistakes += 1
      return
    }
    visitor.channel.send(.hello(PeerHello(version: PeerHello.version, program: program)))
    guard hello.version == PeerHello.version else {
      visitor.channel.send(.sorry(PeerRejection(why: .version)))
      visitor.isHalfClosed = true
      return
    }
    visitor.greetingDeadline = nil
    visitor.program = PeerProgram(hello.program, visitor.channel.descriptor).told(impostor)
  }

  // MARK: Places

  private func offerChanged() {
    let now = MonotonicClock.now
    for visitor in visitors.values where visitor.isListening {
      visitor.isOutdated = true
      // Throttled for places that change all the time.
      if visitor.nextUpdate <= now, visitor.channel.pending == 0 { tell(visitor) }
    }
  }

  /// Sends what has changed since the last update: complete containers, and vanished ones.
  private func tell(_ visitor: Visitor) {
    guard visitor.isListening else { return }
    visitor.isOutdated = false
    visitor.nextUpdate = MonotonicClock.now + Self.updateInterval
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
  private static let updateInterval: Int64 = 250

  // MARK: Numbers

  /// A delivery id far from those of the local session.
  func nextNumber() -> Int {
    requestCount += 1
    return 1 << 40 + requestCount
  }

  /// Reserves ids for this many items.
  func nextSources(_ count: Int) -> UInt64 {
    defer { sourceCount += UInt64(count) }
    return sourceCount
  }

  func nextLoad() -> UInt32 {
    loadCount &+= 1
    return loadCount
  }

  var lastLoad: UInt32 { loadCount }

  /// `nil` once it has left.
  func visitor(_ number: UInt32) -> Visitor? { visitors[number] }

  func cancel(_ delivery: DeliveryID) { places.cancel(delivery) }
}
