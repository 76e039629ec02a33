import KeyDragCore

/// Another program with its places. Belongs to the directory.
///
/// Its numbers for places are its own; here each has a number that no other program's place has.
final class Peer {
  /// One of its containers, in this program's numbers.
  struct Shown {
    /// As the session sees it.
    var listing: Listing
    /// By its own numbers.
    var points: [UInt64: DropPointID]
  }

  /// Contents that it fetches.
  struct Load {
    /// The delivery that they are for.
    var delivery: UInt32
    /// `nil` until they are open.
    var stream: ItemStream?
    /// Opening, or reading the next piece.
    var task: Task<Void, Never>?
    var isBusy: Bool { task != nil }
  }

  /// In the order in which programs were met.
  let number: UInt32
  /// The name of its socket.
  let name: PeerName
  /// The connection to it.
  let channel: PeerChannel
  /// The name that a person is told; set when it has greeted.
  var program: String?
  /// Whether it is another run of this program.
  var isOurs = false
  /// It owes an answer; until it says something, it is not waited for again.
  var isSilent = false
  /// Whether it has shown all that it had when it was met.
  var hasTold = false
  /// Whether the connection has been given up; late work looks for it.
  var isGone = false
  /// By its own numbers.
  var shown: [UInt32: Shown] = [:]
  /// The items last shown to it as carried, and the number of their drag.
  var drag: (number: UInt32, items: [DragItem], isDropped: Bool)?
  /// Those without an answer, by their numbers there.
  var questions: [UInt32: PeerQuestionRun] = [:]
  /// Deliveries that it takes, by its numbers there.
  var deliveries: [UInt32: PeerDropRun] = [:]
  /// By its own numbers.
  var loads: [UInt32: Load] = [:]
  /// Messages that break the rules.
  var mistakes = 0
  /// Numbers given to it, each counted by itself.
  private var dragCount: UInt32 = 0
  private var questionCount: UInt32 = 0
  private var deliveryCount: UInt32 = 0
  /// How many changes it has told of since ``changesSince``.
  private var changes = 0
  private var changesSince: Int64 = 0

  init(_ channel: PeerChannel, name: PeerName, number: UInt32) {
    self.channel = channel
    self.name = name
    self.number = number
  }

  /// Whether nothing would be lost with the connection.
  var mayGiveWay: Bool { shown.isEmpty && deliveries.isEmpty }

  /// The number of a new drag, as it is told there.
  func nextDrag() -> UInt32 {
    dragCount &+= 1
    return dragCount
  }

  /// The number of a new question.
  func nextQuestion() -> UInt32 {
    questionCount &+= 1
    return questionCount
  }

  /// The number of a new delivery.
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
  ///
  /// `nil` where nothing is.
  var deadline: Int64? {
    (questions.values.map(\.deadline) + deliveries.values.map(\.deadline)).min()
  }
}

/// A question of the session, put to one or several programs.
///
/// Several programs may have parts of it; the session gets one answer, when the last part is there.
final class PeerQuestionRun {
  /// When those who have not answered are given up.
  let deadline: Int64
  /// How many items it is about.
  let items: Int
  /// In the order in which answers are given.
  private let stops: [DropStop]
  /// The answers so far.
  private var proposals: [DropStop: DropProposal] = [:]
  /// `nil` once it has answered.
  private var reply: (@Sendable ([Answer]) -> Void)?

  init(
    _ inquiry: Inquiry, deadline: Int64, reply: @escaping @Sendable ([Answer]) -> Void
  ) {
    self.deadline = deadline
    self.reply = reply
    stops = inquiry.stops
    items = inquiry.items.count
  }

  /// Notes an answer; the first one counts.
  func set(_ proposal: DropProposal, at stop: DropStop) {
    if proposals[stop] == nil { proposals[stop] = proposal }
  }

  /// The stops that nobody has answered for yet.
  var open: [DropStop] { stops.filter { proposals[$0] == nil } }

  /// Answers the session when all is known.
  ///
  /// Once only.
  func settle() {
    guard let reply, stops.allSatisfy({ proposals[$0] != nil }) else { return }
    self.reply = nil
    reply(stops.compactMap { stop in proposals[stop].map { Answer(stop, $0) } })
  }

  /// Answers for those who do not.
  ///
  /// - Parameter stops: where nobody answers; those that have an answer keep it.
  func settle(rest reason: Reason, of stops: [DropStop]) {
    for stop in stops { set(.refused(reason), at: stop) }
    settle()
  }
}

/// A delivery to another program.
///
/// Its end comes from the other program, or from its silence.
final class PeerDropRun {
  /// The session's number for it.
  let id: DeliveryID
  /// The items delivered.
  let items: [DragItem]
  /// Gives their contents.
  let loading: any ItemLoading
  /// Told of every event.
  let told: @Sendable (DeliveryEvent) -> Void
  /// It ends by itself when it is silent until then.
  private(set) var deadline: Int64
  /// Whether it has been told to stop.
  private var isCancelled = false
  /// When it told last how far it is.
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

  /// A sign of life; one who has been told to stop has no more time than that.
  func heard(until deadline: Int64) {
    if !isCancelled { self.deadline = deadline }
  }

  /// Has no more time than this from now on.
  func cancel(until deadline: Int64) {
    guard !isCancelled else { return }
    self.deadline = deadline
    isCancelled = true
  }

  /// Tells how far it is, as often as a person could want to know.
  ///
  /// At most each 50 ms.
  func tell(_ event: DeliveryEvent, at now: Int64) {
    if case .progressed = event {
      guard now - progressed >= 50 else { return }
      progressed = now
    }
    told(event)
  }

  /// Of all items, for a result that nobody tells.
  var names: [String] { items.map(\.name) }
}
