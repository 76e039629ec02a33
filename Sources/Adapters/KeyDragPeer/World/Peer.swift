import KeyDragCore

/// Another program with its places. Belongs to the directory.
final class Peer {
  /// One of its containers, in this program's numbers.
  struct Shown {
    var listing: Listing
    /// By its own numbers.
    var points: [UInt64: DropPointID]
  }

  /// Contents that it fetches.
  struct Load {
    var delivery: UInt32
    var stream: ItemStream?
    /// Opening, or reading the next piece.
    var task: Task<Void, Never>?
    var isBusy: Bool { task != nil }
  }

  let number: UInt32
  let name: PeerName
  let channel: PeerChannel
  /// Set when it has greeted.
  var program: String?
  /// It owes an answer; until it says something, it is not waited for again.
  var isSilent = false
  /// Whether it has shown all that it had when it was met.
  var hasTold = false
  var isGone = false
  var shown: [UInt32: Shown] = [:]
  /// The items last shown to it as carried, and the number of their drag.
  var drag: (number: UInt32, items: [DragItem])?
  var questions: [UInt32: PeerQuestionRun] = [:]
  var deliveries: [UInt32: PeerDropRun] = [:]
  var loads: [UInt32: Load] = [:]
  var mistakes = 0
  private var dragCount: UInt32 = 0
  private var questionCount: UInt32 = 0
  private var deliveryCount: UInt32 = 0
  private var changes = 0
  private var changesSince: Int64 = 0

  init(_ channel: PeerChannel, name: PeerName, number: UInt32) {
    self.channel = channel
    self.name = name
    self.number = number
  }

  func nextDrag() -> UInt32 {
    dragCount &+= 1
    return dragCount
  }

  func nextQuestion() -> UInt32 {
    questionCount &+= 1
    return questionCount
  }

  func nextDelivery() -> UInt32 {
    deliveryCount &+= 1
    return deliveryCount
  }

  /// Whether it tells of more changes in a time, in milliseconds, than any program would.
  func isFlooding(at now: Int64, within time: Int64) -> Bool {
    if now - changesSince >= time {
      changesSince = now
      changes = 0
    }
    changes += 1
    return changes > PeerLimits.changes
  }

  /// When something is due for it.
  var deadline: Int64? {
    (questions.values.map(\.deadline) + deliveries.values.map(\.deadline)).min()
  }
}

/// A question of the session, put to one or several programs.
final class PeerQuestionRun {
  let deadline: Int64
  let items: Int
  private let id: RequestID
  private let stops: [DropStop]
  private var proposals: [DropStop: Proposal] = [:]
  private var reply: (@Sendable (WorldReport) -> Void)?

  init(
    _ inquiry: Inquiry, id: RequestID, deadline: Int64,
    reply: @escaping @Sendable (WorldReport) -> Void
  ) {
    self.id = id
    self.deadline = deadline
    self.reply = reply
    stops = inquiry.stops
    items = inquiry.items.count
  }

  /// Notes an answer; the first one counts.
  func set(_ proposal: Proposal, at stop: DropStop) {
    if proposals[stop] == nil { proposals[stop] = proposal }
  }

  /// The stops that nobody has answered for yet.
  var open: [DropStop] { stops.filter { proposals[$0] == nil } }

  /// Answers the session when all is known.
  func settle() {
    guard let reply, stops.allSatisfy({ proposals[$0] != nil }) else { return }
    self.reply = nil
    reply(.answered(id, stops.compactMap { stop in proposals[stop].map { Answer(stop, $0) } }))
  }

  /// Answers for those who do not.
  func settle(rest reason: Reason, of stops: [DropStop]) {
    for stop in stops { set(.refused(reason), at: stop) }
    settle()
  }
}

/// A delivery to another program.
final class PeerDropRun {
  let id: DeliveryID
  let items: [DragItem]
  let loading: any ItemLoading
  let reply: @Sendable (WorldReport) -> Void
  /// It ends by itself when it is silent until then.
  private(set) var deadline: Int64
  private var isCancelled = false
  private var progressed: Int64 = 0

  init(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: any ItemLoading, deadline: Int64,
    reply: @escaping @Sendable (WorldReport) -> Void
  ) {
    self.id = id
    items = order.items
    self.loading = loading
    self.deadline = deadline
    self.reply = reply
  }

  /// A sign of life; one who has been told to stop has no more time than that.
  func heard(until deadline: Int64) {
    if !isCancelled { self.deadline = deadline }
  }

  func cancel(until deadline: Int64) {
    guard !isCancelled else { return }
    self.deadline = deadline
    isCancelled = true
  }

  /// Tells how far it is, as often as a person could want to know.
  func tell(_ event: DeliveryEvent, at now: Int64) {
    if case .progressed = event {
      guard now - progressed >= 50 else { return }
      progressed = now
    }
    reply(.delivery(id, event))
  }

  var names: [String] { items.map(\.name) }
}
