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
    /// How many items it has.
    var count: Int
  }

  /// Contents that come from there.
  struct Load {
    /// The answer to a question about contents.
    enum Answer: Sendable {
      /// They are open; their bytes, where that is known.
      case opened(Int64?)
      /// The next bytes; none at the end.
      case piece([UInt8])
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
    /// How many bytes were announced.
    var byteCount: Int64?
    /// How many have come.
    var received: Int64 = 0
  }

  /// Never used again for another.
  let number: UInt32
  /// Its connection.
  let channel: PeerChannel
  /// Until when it has to greet; `nil` when it has.
  var greetingDeadline: Int64?
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
  private let visitor: UInt32
  /// The delivery in which contents may be loaded; `nil` before.
  private let delivery: UInt32?
  /// The number of the first item.
  private let firstSource: UInt64
  /// The path of each, where it is a file.
  private let paths: [[UInt8]?]
  /// The name that each would have as a file.
  private let names: [String?]

  init(_ service: PeerService, _ visitor: UInt32, _ drag: Visitor.Drag, delivery: UInt32?) {
    self.service = service
    self.visitor = visitor
    self.delivery = delivery
    firstSource = drag.firstSource
    names = drag.items.map(\.suggested)
    paths = drag.items.map { $0.path.flatMap { HexPath.bytes($0) } }
  }

  func filePath(of source: DragSourceID) -> [UInt8]? { index(of: source).flatMap { paths[$0] } }

  func suggestedName(of item: DragItem) -> String {
    index(of: item.source).flatMap { names[$0] } ?? item.name
  }

  func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream {
    guard let index = index(of: source) else { throw Reason.gone }
    guard let delivery else { throw Reason.notPermitted }
    let (load, size) = try await service.open(
      visitor, delivery, item: index, as: contentType, progress: progress)
    return ItemStream(byteCount: size) { [service, visitor] most in
      try await service.next(visitor, load, most: most)
    }
  }

  /// Which of the drag's items it is; `nil` for one of another drag.
  private func index(of source: DragSourceID) -> Int? {
    guard source.owner == .visitors, source.rawValue >= firstSource,
      source.rawValue - firstSource < UInt64(paths.count)
    else { return nil }
    return Int(source.rawValue - firstSource)
  }
}
