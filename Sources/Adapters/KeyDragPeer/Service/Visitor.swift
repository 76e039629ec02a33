import KeyDragCore

/// Another program that has connected because its person may drop something here. Belongs to the
/// service.
///
/// All of it is bounded: what a program sends must not fill our memory.
final class Visitor {
  /// The items of one drag, as they come in.
  struct Drag {
    /// Its own number for it.
    var number: UInt32
    /// The number of its first item among all that were ever shown here.
    var firstSource: UInt64
    /// Those that have come so far.
    var items: [PeerItem] = []
  }

  /// A delivery to one of our places.
  struct Visit {
    /// The number by which our world knows it.
    var id: DeliveryID
    /// Whether our world has been given it; it is asked first.
    var hasBegun = false
  }

  /// Contents that come from there.
  struct Load {
    /// The answer to a question about contents.
    enum Answer: Sendable {
      /// They are open; their bytes, where that is known.
      case opened(Int64?)
      /// The next bytes; none at the end.
      case piece([UInt8])
      /// An open file, which whoever takes this closes.
      case file(Int32)
    }

    /// The delivery that they are for.
    var delivery: UInt32
    /// Told how much of them is made.
    var progress: LoadProgress
    /// The reader that waits for the next answer, until when (`deadline`), and how much it asked
    /// for (`most`, in bytes); the first answer says how much there is in all.
    var waiting: CheckedContinuation<Answer, any Error>?
    var deadline: Int64 = 0
    var most = 0
    /// Whether they are open.
    var isOpen = false
    /// Whether the file itself was asked for.
    var isFile = false
    /// How many bytes were announced.
    var byteCount: Int64?
    /// How many have come.
    var received: Int64 = 0
  }

  /// Never used again for another.
  let number: UInt32
  /// Its connection.
  let channel: PeerChannel
  /// The name that a person is told; empty before it has greeted.
  var program = ""
  /// Until when it has to greet; `nil` when it has.
  var greetingDeadline: Int64?
  /// When it last did what a person makes it do; 0 where it never has.
  private(set) var lastAct: Int64 = 0
  /// How many messages have come since ``messagesSince``.
  private var messages = 0
  private var messagesSince: Int64 = 0
  /// Whether it wants to hear of places.
  var isListening = false
  /// The places that the visitor was told of.
  var told: [UInt32: PeerPlaces] = [:]
  /// Places may have changed since; they are told at this time.
  var isOutdated = false
  var nextTelling: Int64 = 0
  /// The newest ones, oldest first.
  var drags: [Drag] = []
  /// How many are being answered.
  var questions = 0
  /// By its own numbers.
  var visits: [UInt32: Visit] = [:]
  /// By the numbers they were given here.
  var loads: [UInt32: Load] = [:]
  /// When the next sign of life is due, while something is delivered.
  var nextBeat: Int64 = 0
  /// Messages that break the rules; too many end the connection.
  var mistakes = 0
  /// Half-closed: its messages are ignored, and the connection ends once everything has been sent.
  var isLeaving = false

  init(_ channel: PeerChannel, number: UInt32, greetingDeadline: Int64) {
    self.channel = channel
    self.number = number
    self.greetingDeadline = greetingDeadline
  }

  /// Takes that it asks or drops something.
  func act(at now: Int64) { lastAct = now }

  /// Whether it does nothing that would be lost with the connection.
  var mayGiveWay: Bool { visits.isEmpty && questions == 0 }

  /// Whether it gives way before another: first who has not greeted, then who has never asked anything,
  /// then who has not for the longest time.
  func givesWay(before other: Visitor) -> Bool {
    let (one, two) = (greetingDeadline == nil, other.greetingDeadline == nil)
    return (one ? 1 : 0, lastAct, Int64(number)) < (two ? 1 : 0, other.lastAct, Int64(other.number))
  }

  /// Whether it says more in a second than any program would.
  func isFlooding(at now: Int64) -> Bool {
    if now - messagesSince >= 1_000 { (messagesSince, messages) = (now, 0) }
    messages += 1
    return messages > PeerLimits.messages
  }

  /// `nil` for one that is not known, or not any more.
  func drag(_ number: UInt32) -> Drag? { drags.first { $0.number == number } }

  /// When something is due for it.
  ///
  /// `nil` where nothing is.
  var deadline: Int64? {
    var due = loads.values.compactMap { $0.waiting == nil ? nil : $0.deadline }
    if let greetingDeadline { due.append(greetingDeadline) }
    if isOutdated, isListening, channel.pending == 0 { due.append(nextTelling) }
    if !visits.isEmpty { due.append(nextBeat) }
    return due.min()
  }
}

/// The items of a visitor, for the world that is asked about them or takes them.
///
/// Keeps the numbers alone, and finds the visitor anew each time: it may have left.
final class VisitorItems: ItemLoading {
  /// Asked for the contents.
  private let service: PeerService
  /// The number of the visitor.
  private let number: UInt32
  /// The delivery in which contents may be loaded; `nil` before.
  private let delivery: UInt32?
  /// The number of the first item.
  private let firstSource: UInt64
  /// The name of each in its own bytes, where it is a file.
  private let files: [[UInt8]?]
  let visitor: String?
  /// The name that each would have as a file.
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

  /// Always `nil`: what a visitor has is opened with its rights.
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

  /// Which of the drag's items it is; `nil` for one of another drag.
  private func index(of source: DragSourceID) -> Int? {
    guard source.owner == .visitors, source.rawValue >= firstSource,
      source.rawValue - firstSource < UInt64(files.count)
    else { return nil }
    return Int(source.rawValue - firstSource)
  }
}
