import KeyDragCore

/// A connected program that may drop something here. Belongs to the service. All its state is
/// bounded, so that it can't fill our memory.
final class Visitor {
  /// The items of one drag, received in parts.
  struct Drag {
    /// Assigned by the visitor.
    var number: UInt32
    /// Id of the first item, unique among all ever received here.
    var firstSource: UInt64
    /// Items received so far.
    var items: [PeerItem] = []
  }

  struct Visit {
    /// Our world's id for it.
    var id: DeliveryID
    /// Whether our world has it; the place is queried first.
    var hasBegun = false
  }

  struct Load {
    enum Answer: Sendable {
      /// Contents are open; size in bytes, if known.
      case opened(Int64?)
      /// The next chunk; empty at the end.
      case piece([UInt8])
      /// An open file, which the receiver must close.
      case file(Int32)
    }

    var delivery: UInt32
    /// Receives the progress of producing the contents.
    var progress: LoadProgress
    /// The reader waiting for the next reply, with its deadline and the bytes it asked for
    /// (`most`). The first reply has the total size.
    var waiting: CheckedContinuation<Answer, any Error>?
    var deadline: Int64 = 0
    var most = 0
    var isOpen = false
    var isFile = false
    /// Announced size in bytes.
    var byteCount: Int64?
    var received: Int64 = 0
  }

  /// Never reused.
  let number: UInt32
  let channel: PeerChannel
  /// The spoken name; empty before the greeting.
  var program = ""
  /// Deadline of the greeting; `nil` afterwards.
  var greetingDeadline: Int64?
  /// Time of the last user action; 0 for none.
  private(set) var lastActivity: Int64 = 0
  private var messages = 0
  private var messagesSince: Int64 = 0
  /// Whether it has subscribed to places.
  var isListening = false
  /// Places last sent.
  var told: [UInt32: PeerPlaces] = [:]
  /// Set when places may have changed; they are sent at ``nextUpdate``.
  var isOutdated = false
  var nextUpdate: Int64 = 0
  /// The newest drags, oldest first.
  var drags: [Drag] = []
  /// Questions in flight.
  var questions = 0
  /// By the visitor's numbers.
  var visits: [UInt32: Visit] = [:]
  /// By our numbers.
  var loads: [UInt32: Load] = [:]
  /// Time of the next heartbeat, during deliveries.
  var nextBeat: Int64 = 0
  /// Protocol violations; too many end the connection.
  var mistakes = 0
  /// Half-closed: its messages are ignored, and the connection ends once everything has been sent.
  var isHalfClosed = false

  init(_ channel: PeerChannel, number: UInt32, greetingDeadline: Int64) {
    self.channel = channel
    self.number = number
    self.greetingDeadline = greetingDeadline
  }

  func act(at now: Int64) { lastActivity = now }

  /// Whether ending the connection would lose nothing.
  var isEvictable: Bool { visits.isEmpty && questions == 0 }

  /// Eviction order: first visitors without a greeting, then those that never asked anything, then
  /// the longest idle.
  func precedesInEviction(before other: Visitor) -> Bool {
    let (one, two) = (greetingDeadline == nil, other.greetingDeadline == nil)
    return (one ? 1 : 0, lastActivity, Int64(number)) < (
      two ? 1 : 0, other.lastActivity, Int64(other.number)
    )
  }

  /// Whether it exceeds the message rate.
  func isFlooding(at now: Int64) -> Bool {
    if now - messagesSince >= 1_000 { (messagesSince, messages) = (now, 0) }
    messages += 1
    return messages > PeerLimits.messages
  }

  /// `nil` if unknown or expired.
  func drag(_ number: UInt32) -> Drag? { drags.first { $0.number == number } }

  /// Time of the next due action; `nil` for none.
  var deadline: Int64? {
    var due = loads.values.compactMap { $0.waiting == nil ? nil : $0.deadline }
    if let greetingDeadline { due.append(greetingDeadline) }
    if isOutdated, isListening, channel.pending == 0 { due.append(nextUpdate) }
    if !visits.isEmpty { due.append(nextBeat) }
    return due.min()
  }
}

/// A visitor's items for the world that they are dropped in. Holds only ids and looks up the
/// visitor each time, since it may have left.
final class VisitorItems: ItemLoading {
  private let service: PeerService
  private let number: UInt32
  /// The delivery for which contents may be loaded; `nil` before a drop.
  private let delivery: UInt32?
  /// Id of the first item.
  private let firstSource: UInt64
  /// Raw file names; `nil` for items that are no files.
  private let files: [[UInt8]?]
  let visitor: String?
  /// Suggested file names.
  private let names: [String?]

  init(
    _ service: PeerService, _ number: UInt32, _ visitor: String, _ drag: Visitor.Drag,
    delivery: UInt32?
  ) {
    self.service = service
    self.number = number
    self.visitor = visitor
    self.delivery = delivery
    firstSource = drag.firstSource
    names = drag.items.map(\.suggested)
    files = drag.items.map { $0.file.flatMap { HexName.bytes($0) } }
  }

  /// Always `nil`: a visitor's files are opened with its own rights.
  func filePath(of source: DragSourceID) -> [UInt8]? { nil }

  func fileName(of source: DragSourceID) -> [UInt8]? { index(of: source).flatMap { files[$0] } }

  func openFile(_ source: DragSourceID) async throws -> Int32 {
    guard let index = index(of: source) else { throw Reason.gone }
    guard let delivery else { throw Reason.notPermitted }
    return try await service.openFile(number, delivery, item: index)
  }

  func suggestedName(of item: DragItem) -> String {
    index(of: item.source).flatMap { names[$0] } ?? item.name
  }

  func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream {
    guard let index = index(of: source) else { throw Reason.gone }
    guard let delivery else { throw Reason.notPermitted }
    let (load, size) = try await service.open(
      number, delivery, item: index, as: contentType, progress: progress)
    return ItemStream(byteCount: size) { [service, number] most in
      try await service.next(number, load, most: most)
    }
  }

  /// The item's index in the drag; `nil` for another drag's item.
  private func index(of source: DragSourceID) -> Int? {
    guard source.owner == .visitors, source.rawValue >= firstSource,
      source.rawValue - firstSource < UInt64(files.count)
    else { return nil }
    return Int(source.rawValue - firstSource)
  }
}
