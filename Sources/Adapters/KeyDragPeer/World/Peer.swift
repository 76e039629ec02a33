import KeyDragCore

/// Another program with its places. Belongs to the directory. Its numbers for places map to unique
/// ones here.
final class Peer {
  /// A container, in this program's ids.
  struct Shown {
    var listing: Listing
    /// By the peer's numbers.
    var points: [UInt64: DropPointID]
  }

  /// Contents that the peer loads from us.
  struct Load {
    var delivery: UInt32
    /// `nil` until opened.
    var stream: ItemStream?
    /// Opens the contents or reads the next chunk.
    var task: Task<Void, Never>?
    var isBusy: Bool { task != nil }
  }

  /// In discovery order.
  let number: UInt32
  let name: PeerName
  let channel: PeerChannel
  /// The spoken name; set by the greeting.
  var program: String?
  /// Whether it is another run of this program.
  var isOurs = false
  /// A reply is overdue; no further questions are sent until it responds.
  var isSilent = false
  /// Whether it has sent all places it had on discovery.
  var hasSentPlaces = false
  /// Whether the connection has ended, for late work to check.
  var isGone = false
  /// By the peer's numbers.
  var shown: [UInt32: Shown] = [:]
  /// The items last sent to it, with their drag number.
  var drag: (number: UInt32, items: [DragItem], isDropped: Bool)?
  /// Questions in flight, by the peer's numbers.
  var questions: [UInt32: PeerQuestionRun] = [:]
  /// Deliveries in progress, by the peer's numbers.
  var deliveries: [UInt32: PeerDropRun] = [:]
  /// By the peer's numbers.
  var loads: [UInt32: Load] = [:]
  var mistakes = 0
  /// The last number sent to it, for a drag, a question or a delivery.
  private var lastNumber: UInt32 = 0
  /// Changes received since ``changesSince``.
  private var changes = 0
  private var changesSince: Int64 = 0

  init(_ channel: PeerChannel, name: PeerName, number: UInt32) {
    self.channel = channel
    self.name = name
    self.number = number
  }

  /// Whether ending the connection would lose nothing.
  var isEvictable: Bool { shown.isEmpty && deliveries.isEmpty }

  func nextNumber() -> UInt32 {
    lastNumber &+= 1
    return lastNumber
  }

  /// Whether it exceeds the rate of changes per `time` in milliseconds.
  func isFlooding(at now: Int64, within time: Int64) -> Bool {
    if now - changesSince >= time {
      changesSince = now
      changes = 0
    }
    changes += 1
    return changes > PeerLimits.changes
  }

  /// Time of the next deadline; `nil` for none.
  var deadline: Int64? {
    (questions.values.map(\.deadline) + deliveries.values.map(\.deadline)).min()
  }
}

/// A question of the session, possibly split among several programs and answered once all parts are
/// there.
final class PeerQuestionRun {
  /// Missing answers are given up then.
  let deadline: Int64
  let items: Int
  /// In answer order.
  private let stops: [DropStop]
  private var proposals: [DropStop: DropProposal] = [:]
  /// `nil` once answered.
  private var reply: (@Sendable ([Answer]) -> Void)?

  init(
    _ inquiry: ProposalRequest, deadline: Int64, reply: @escaping @Sendable ([Answer]) -> Void
  ) {
    self.deadline = deadline
    self.reply = reply
    stops = inquiry.stops
    items = inquiry.items.count
  }

  /// Records an answer; the first one counts.
  func set(_ proposal: DropProposal, at stop: DropStop) {
    if proposals[stop] == nil { proposals[stop] = proposal }
  }

  /// Stops without an answer.
  var open: [DropStop] { stops.filter { proposals[$0] == nil } }

  /// Answers the session once everything is known. Idempotent.
  func settle() {
    guard let reply, stops.allSatisfy({ proposals[$0] != nil }) else { return }
    self.reply = nil
    reply(stops.compactMap { stop in proposals[stop].map { Answer(stop, $0) } })
  }

  /// Fills in missing answers.
  ///
  /// - Parameter stops: those that already have an answer keep it.
  func settle(rest reason: Reason, of stops: [DropStop]) {
    for stop in stops { set(.refused(reason), at: stop) }
    settle()
  }
}

/// A delivery to another program, which ends with that program's report or its silence.
final class PeerDropRun {
  let id: DeliveryID
  let items: [DragItem]
  let loading: any ItemLoading
  let told: @Sendable (DeliveryEvent) -> Void
  /// The delivery fails if it is silent until then.
  private(set) var deadline: Int64
  private var isCancelled = false
  private var progressed: Int64 = 0

  init(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: any ItemLoading, deadline: Int64,
    told: @escaping @Sendable (DeliveryEvent) -> Void
  ) {
    self.id = id
    items = order.items
    self.loading = loading
    self.deadline = deadline
    self.told = told
  }

  /// Extends the deadline; cancelled deliveries keep theirs.
  func heard(until deadline: Int64) {
    if !isCancelled { self.deadline = deadline }
  }

  /// Sets the final deadline.
  func cancel(until deadline: Int64) {
    guard !isCancelled else { return }
    self.deadline = deadline
    isCancelled = true
  }

  /// Forwards an event; progress at most every 50 ms.
  func tell(_ event: DeliveryEvent, at now: Int64) {
    if case .progressed = event {
      guard now - progressed >= 50 else { return }
      progressed = now
    }
    told(event)
  }

  /// Item names for a result without a report.
  var names: [String] { items.map(\.name) }
}
