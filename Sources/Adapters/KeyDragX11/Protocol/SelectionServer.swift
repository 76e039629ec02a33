import KeyDragThreads

/// Serves a drag's or a clipboard's data to requestors (ICCCM section 2): whole when small, in
/// portions when large (INCR, section 2.7.2), several at once if needed.
///
/// Without I/O: requests and property changes go in, property writes and notices come out.
///
/// Pure. Loads, transfers and parts of a MULTIPLE are all bounded.
struct SelectionServer: Sendable {
  struct LoadID: Hashable, Sendable {
    var rawValue: UInt64
  }

  enum Action: Hashable, Sendable {
    /// Load this representation, then call ``SelectionServer/loaded(_:_:)``.
    case load(XAtom, LoadID)
    /// Replace the value; format is 8 or 32 bits.
    case write(XWindow, property: XAtom, type: XAtom, format: UInt8, bytes: [UInt8])
    /// Tell the requestor that its property holds the data; `.none` means that there is none.
    case notify(XWindow, target: XAtom, property: XAtom, time: UInt32)
    /// Watch this window's property changes and destruction.
    case watch(XWindow)
    /// A watched transfer is over.
    case unwatch(XWindow)
    /// Progress of a transfer in portions: bytes that the requestor has deleted, of all.
    case taken(bytes: Int, of: Int)
  }

  struct Request: Hashable, Sendable {
    var requestor: XWindow
    var target: XAtom
    /// The property for the data; `.none` from clients of old conventions, who mean `target`.
    var property: XAtom
    /// Server time in milliseconds; 0 for "now".
    var time: UInt32

    init(requestor: XWindow, target: XAtom, property: XAtom, time: UInt32) {
      self.requestor = requestor
      self.target = target
      self.property = property == .none ? target : property
      self.time = time
    }
  }

  private struct Portions: Sendable {
    var type: XAtom
    /// All of the data, kept until the end.
    var bytes: [UInt8]
    var offset = 0
  }

  /// Identifies a transfer: a property takes one at a time.
  private struct Destination: Hashable, Sendable {
    var window: XWindow
    var property: XAtom
  }

  /// A MULTIPLE request: its notice waits for all parts.
  private struct Group: Sendable {
    var request: Request
    /// A property of `none` marks a refused part.
    var pairs: [(target: XAtom, property: XAtom)]
    var open: Int
  }

  private struct Waiting: Sendable {
    var request: Request
    /// The group; `nil` for a single request.
    var group: UInt64?
    var index = 0
  }

  /// Limit on open loads, and on transfers in portions: further requests are refused.
  private static let most = 64

  /// The atoms by which an owner lets a clipboard manager keep its content (freedesktop.org's
  /// clipboard manager specification).
  struct Saving: Hashable, Sendable {
    var target: XAtom
    /// NULL, the type of an answer without data.
    var null: XAtom
  }

  /// In the order of TARGETS.
  private let types: [XAtom]
  /// Result types, by target.
  private let answerTypes: [XAtom: XAtom]
  private let saving: Saving?
  /// Whether targets may ask for DELETE.
  private let isDrag: Bool
  private let atoms: XdndAtoms
  /// Server time in milliseconds; the answer to TIMESTAMP.
  private let ownedSince: UInt32
  /// In bytes.
  private let portion: Int
  private var waiting: [LoadID: Waiting] = [:]
  private var transfers: [Destination: Portions] = [:]
  private var groups: [UInt64: Group] = [:]
  private var last: UInt64 = 0
  /// Whether a form was given whole since ``resetServedForm()``.
  private(set) var hasServedForm = false

  /// - Parameters:
  ///   - answerTypes: result types other than the target ("TEXT").
  ///   - isDrag: only a drag's source can be asked to be removed.
  ///   - saving: `nil` when others must not keep it.
  ///   - ownedSince: server time at which the selection was taken.
  ///   - portion: larger data goes in portions of this many bytes.
  init(
    types: [XAtom], answerTypes: [XAtom: XAtom] = [:], isDrag: Bool = true,
    saving: Saving? = nil, atoms: XdndAtoms, ownedSince: UInt32, portion: Int = 256 * 1024
  ) {
    self.types = types
    self.answerTypes = answerTypes
    self.isDrag = isDrag
    self.saving = saving
    self.atoms = atoms
    self.ownedSince = ownedSince
    self.portion = max(portion, 1)
  }

  var isBusy: Bool { !waiting.isEmpty || !transfers.isEmpty }

  /// Call when another target is asked.
  mutating func resetServedForm() { hasServedForm = false }

  /// Abandons everything in progress: waiting requests are refused and portions stop. Without the
  /// last, empty one nobody takes a part for the whole.
  mutating func abandon() -> [Action] {
    var actions = waiting.values.filter { $0.group == nil }.map { refusal(of: $0.request) }
    actions += groups.values.map { refusal(of: $0.request) }
    actions += Set(transfers.keys.map(\.window)).map { .unwatch($0) }
    (waiting, groups, transfers) = ([:], [:], [:])
    return actions
  }

  /// Answers a SelectionRequest with a notice, at once or when its data is loaded (ICCCM 2.2).
  mutating func take(_ request: Request) -> [Action] {
    guard isTimely(request.time) else { return [refusal(of: request)] }
    switch begin(request, group: nil, index: 0) {
    case .done(let actions): return actions + [notice(of: request)]
    case .waits(let actions): return actions
    case .refused: return [refusal(of: request)]
    }
  }

  /// Answers a MULTIPLE request, whose pairs were read from its property (ICCCM 2.6.2); refused
  /// above 64 pairs.
  mutating func take(
    _ request: Request, pairs: [(target: XAtom, property: XAtom)]
  ) -> [Action] {
    guard isTimely(request.time), pairs.count <= SelectionServer.most else {
      return [refusal(of: request)]
    }
    last += 1
    let group = last
    groups[group] = Group(request: request, pairs: pairs, open: pairs.count)
    var actions: [Action] = []
    for (index, pair) in pairs.enumerated() {
      let part = Request(
        requestor: request.requestor, target: pair.target, property: pair.property,
        time: request.time)
      switch begin(part, group: group, index: index) {
      case .done(let more): actions += more + finishPart(of: group, index, isServed: true)
      case .waits(let more): actions += more
      case .refused: actions += finishPart(of: group, index, isServed: false)
      }
    }
    return actions + (pairs.isEmpty ? finish(group) : [])
  }

  /// Takes a load's result, `nil` when it failed; an unknown or forgotten load is ignored.
  mutating func loaded(_ id: LoadID, _ bytes: [UInt8]?) -> [Action] {
    guard let waiting = waiting.removeValue(forKey: id) else { return [] }
    let request = waiting.request
    var actions: [Action] = []
    if let bytes { actions = give(bytes, to: request) }
    if let group = waiting.group {
      return actions + finishPart(of: group, waiting.index, isServed: bytes != nil)
    }
    return actions + [bytes == nil ? refusal(of: request) : notice(of: request)]
  }

  /// The requestor has deleted a property: it waits for the next portion.
  mutating func propertyDeleted(_ property: XAtom, of window: XWindow) -> [Action] {
    let place = Destination(window: window, property: property)
    guard var portions = transfers[place] else { return [] }
    let part = portions.bytes[portions.offset...].prefix(portion)
    portions.offset += part.count
    // The empty portion ends the transfer (ICCCM 2.7.2).
    transfers[place] = part.isEmpty ? nil : portions
    let write = Action.write(
      window, property: property, type: portions.type, format: 8, bytes: Array(part))
    let isLast = part.isEmpty && !transfers.keys.contains { $0.window == window }
    if part.isEmpty { hasServedForm = true }
    let taken = Action.taken(
      bytes: portions.offset - part.count, of: portions.bytes.count)
    return [write, taken] + (isLast ? [.unwatch(window)] : [])
  }

  /// Forgets everything for a destroyed requestor; results of its loads are ignored.
  mutating func windowVanished(_ window: XWindow) {
    waiting = waiting.filter { $1.request.requestor != window }
    transfers = transfers.filter { $0.key.window != window }
    groups = groups.filter { $1.request.requestor != window }
  }

  // MARK: One conversion

  private enum Beginning {
    case done([Action])
    case waits([Action])
    case refused
  }

  /// Every owner must support TARGETS, TIMESTAMP and MULTIPLE (ICCCM 2.6.2).
  private mutating func begin(_ request: Request, group: UInt64?, index: Int) -> Beginning {
    switch request.target {
    case atoms.targets:
      let common = [atoms.targets, atoms.multiple, atoms.timestamp]
      let requests = common + (isDrag ? [atoms.delete] : []) + (saving.map { [$0.target] } ?? [])
      let offered = requests + types
      return .done([
        write(offered.map(\.rawValue), as: .atom, for: request)
      ])
    case atoms.timestamp:
      return .done([write([ownedSince], as: .integer, for: request)])
    // An answer without data: the target has done the rest of the move (ICCCM 2.6.3.1).
    case atoms.delete where isDrag:
      return .done([write([], as: atoms.delete, for: request)])
    case saving?.target:
      return .done([write([], as: saving?.null ?? .none, for: request)])
    default:
      guard types.contains(request.target), waiting.count < SelectionServer.most,
        transfers.count < SelectionServer.most
      else { return .refused }
      last += 1
      let id = LoadID(rawValue: last)
      waiting[id] = Waiting(request: request, group: group, index: index)
      return .waits([.load(request.target, id)])
    }
  }

  /// Writes small data whole, and starts INCR for larger; the first portion follows when the INCR
  /// property is deleted.
  private mutating func give(_ bytes: [UInt8], to request: Request) -> [Action] {
    let type = answerTypes[request.target] ?? request.target
    guard bytes.count > portion else {
      hasServedForm = true
      return [
        .write(
          request.requestor, property: request.property, type: type, format: 8,
          bytes: bytes)
      ]
    }
    let place = Destination(window: request.requestor, property: request.property)
    transfers[place] = Portions(type: type, bytes: bytes)
    // Watched before the property is written, so that its deletion is not missed.
    return [
      .watch(request.requestor),
      write([UInt32(clamping: bytes.count)], as: atoms.incr, for: request),
      .taken(bytes: 0, of: bytes.count),
    ]
  }

  /// The group's notice goes out with its last part; a refused part has `none` as its property
  /// (ICCCM 2.6.2).
  private mutating func finishPart(of id: UInt64, _ index: Int, isServed: Bool) -> [Action] {
    guard var group = groups[id] else { return [] }
    if !isServed { group.pairs[index].property = .none }
    group.open -= 1
    groups[id] = group
    return group.open == 0 ? finish(id) : []
  }

  /// Writes the pairs back, which tells the requestor the result.
  private mutating func finish(_ id: UInt64) -> [Action] {
    guard let group = groups.removeValue(forKey: id) else { return [] }
    let words = group.pairs.flatMap { [$0.target.rawValue, $0.property.rawValue] }
    return [
      write(words, as: atoms.atomPair, for: group.request), notice(of: group.request),
    ]
  }

  private func write(_ words: [UInt32], as type: XAtom, for request: Request) -> Action {
    // Native byte order: the server swaps 32-bit values.
    let bytes = words.flatMap { word in withUnsafeBytes(of: word) { Array($0) } }
    return .write(
      request.requestor, property: request.property, type: type, format: 32, bytes: bytes)
  }

  private func notice(of request: Request) -> Action {
    .notify(
      request.requestor, target: request.target, property: request.property, time: request.time)
  }

  private func refusal(of request: Request) -> Action {
    .notify(request.requestor, target: request.target, property: .none, time: request.time)
  }

  /// A request from before this ownership is meant for another owner (ICCCM 2.2); 0 means "now".
  /// Times wrap after 49 days, so the difference decides.
  private func isTimely(_ time: UInt32) -> Bool {
    time == 0 || Int32(bitPattern: time &- ownedSince) >= 0
  }
}
