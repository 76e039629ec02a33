import KeyDragThreads

/// Serves the data of a drag or of the clipboard to the programs that ask for it (ICCCM section 2):
/// whole where it is small, in portions where it is large (INCR, section 2.7.2), one after the
/// other or several at once.
///
/// Without a connection: requests and property changes go in, property writes and notices come out.
///
/// Pure. Everything is bounded: loads, transfers and parts of a MULTIPLE. The same rules serve a
/// drag and the clipboard.
package struct SelectionServer: Sendable {
  /// A load that was asked for.
  package struct LoadID: Hashable, Sendable {
    package var rawValue: UInt64
  }

  package enum Action: Hashable, Sendable {
    /// Have this representation loaded, then call ``SelectionServer/loaded(_:_:)``.
    case load(XAtom, LoadID)
    /// Format is 8 or 32 bits; the value is replaced.
    case write(XWindow, property: XAtom, type: XAtom, format: UInt8, bytes: [UInt8])
    /// Tell the requestor that its property holds the data; `.none` says that there is none.
    case notify(XWindow, target: XAtom, property: XAtom, time: UInt32)
    /// Have property changes and the end of this window told.
    case watch(XWindow)
    /// A transfer that was watched is over.
    case unwatch(XWindow)
    /// The target has moved the data and asks for the source to be removed.
    case deleteSource
    /// This much of a transfer in portions has been taken. Bytes that the requestor has deleted, of
    /// all.
    case taken(bytes: Int, of: Int)
  }

  /// One conversion that was asked for.
  package struct Request: Hashable, Sendable {
    package var requestor: XWindow
    package var target: XAtom
    /// The property to put the data into; `.none` from clients of old conventions, who mean
    /// `target`.
    package var property: XAtom
    /// Of the server, milliseconds; 0 for "now".
    package var time: UInt32

    package init(requestor: XWindow, target: XAtom, property: XAtom, time: UInt32) {
      self.requestor = requestor
      self.target = target
      self.property = property == .none ? target : property
      self.time = time
    }
  }

  /// A transfer by INCR.
  private struct Portions: Sendable {
    var type: XAtom
    /// All of the data; it is kept until the end.
    var bytes: [UInt8]
    /// How much was written.
    var offset = 0
  }

  /// A transfer is known by it: one property takes one at a time.
  private struct Destination: Hashable, Sendable {
    var window: XWindow
    var property: XAtom
  }

  /// A MULTIPLE request: its notice waits for all its parts.
  private struct Group: Sendable {
    var request: Request
    /// A property of `none` stands for a refused part.
    var pairs: [(target: XAtom, property: XAtom)]
    /// Parts that are not answered yet.
    var open: Int
  }

  /// A conversion whose data is being loaded.
  private struct Waiting: Sendable {
    var request: Request
    /// Of the group; `nil` for a request by itself.
    var group: UInt64?
    /// Which part of the group it is.
    var index = 0
  }

  /// The most loads that may be open at once, and the most transfers in portions: a program that
  /// asks without end gets "no" instead.
  private static let most = 64

  /// How an owner says that a clipboard manager may be asked to keep what it has
  /// (freedesktop.org's clipboard manager specification).
  package struct Saving: Hashable, Sendable {
    /// SAVE_TARGETS.
    package var target: XAtom
    /// NULL, the type of an answer without data.
    package var null: XAtom

    package init(target: XAtom, null: XAtom) { (self.target, self.null) = (target, null) }
  }

  /// In the order of TARGETS.
  private let types: [XAtom]
  /// By target.
  private let answerTypes: [XAtom: XAtom]
  private let saving: Saving?
  /// Whether the target may ask for DELETE.
  private let isDrag: Bool
  private let atoms: XdndAtoms
  /// Milliseconds of the server; the answer to TIMESTAMP.
  private let ownedSince: UInt32
  /// In bytes.
  private let portion: Int
  /// Conversions whose data is being loaded.
  private var waiting: [LoadID: Waiting] = [:]
  /// Transfers by INCR.
  private var transfers: [Destination: Portions] = [:]
  /// By number.
  private var groups: [UInt64: Group] = [:]
  /// The number given last, to a load or a group.
  private var last: UInt64 = 0
  /// Whether anything has been given whole since ``forgetGiven()``.
  package private(set) var hasGiven = false

  /// - Parameters:
  ///   - types: what is offered.
  ///   - answerTypes: of the data, where it is not the type that is asked for ("TEXT").
  ///   - isDrag: only a drag's source can be asked to be removed.
  ///   - saving: `nil` for what is not to be kept by others.
  ///   - ownedSince: the server's time at which the selection was taken.
  ///   - portion: data above this many bytes goes in portions of it.
  package init(
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

  /// Whether any data is on its way.
  package var isBusy: Bool { !waiting.isEmpty || !transfers.isEmpty }

  /// Another target is asked now.
  package mutating func forgetGiven() { hasGiven = false }

  /// Gives up what is on its way: who waits for all of it is told that there is none, and no more
  /// portions come. Without the last, empty one nobody takes a part for the whole.
  package mutating func abandon() -> [Action] {
    var actions = waiting.values.filter { $0.group == nil }.map { refusal(of: $0.request) }
    actions += groups.values.map { refusal(of: $0.request) }
    actions += Set(transfers.keys.map(\.window)).map { .unwatch($0) }
    (waiting, groups, transfers) = ([:], [:], [:])
    return actions
  }

  /// Answers a SelectionRequest.
  ///
  /// Every request is answered with a notice, at once or when its data is there (ICCCM 2.2).
  package mutating func take(_ request: Request) -> [Action] {
    guard isTimely(request.time) else { return [refusal(of: request)] }
    switch begin(request, group: nil, index: 0) {
    case .done(let actions): return actions + [notice(of: request)]
    case .waits(let actions): return actions
    case .refused: return [refusal(of: request)]
    }
  }

  /// Answers a request for MULTIPLE, whose pairs were read from its property.
  ///
  /// ICCCM 2.6.2. Refused as a whole above 64 pairs.
  package mutating func take(
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

  /// A load has ended, `nil` when it failed.
  ///
  /// An unknown or forgotten load is dropped.
  package mutating func loaded(_ id: LoadID, _ bytes: [UInt8]?) -> [Action] {
    guard let waiting = waiting.removeValue(forKey: id) else { return [] }
    let request = waiting.request
    var actions: [Action] = []
    if let bytes { actions = give(bytes, to: request) }
    if let group = waiting.group {
      return actions + finishPart(of: group, waiting.index, isServed: bytes != nil)
    }
    return actions + [bytes == nil ? refusal(of: request) : notice(of: request)]
  }

  /// The requestor has deleted a property: it took what was there and waits for the next portion.
  package mutating func propertyDeleted(_ property: XAtom, of window: XWindow) -> [Action] {
    let place = Destination(window: window, property: property)
    guard var portions = transfers[place] else { return [] }
    let part = portions.bytes[portions.offset...].prefix(portion)
    portions.offset += part.count
    // The empty portion is the end (ICCCM 2.7.2).
    transfers[place] = part.isEmpty ? nil : portions
    let write = Action.write(
      window, property: property, type: portions.type, format: 8, bytes: Array(part))
    let isLast = part.isEmpty && !transfers.keys.contains { $0.window == window }
    if part.isEmpty { hasGiven = true }
    let taken = Action.taken(
      bytes: portions.offset - part.count, of: portions.bytes.count)
    return [write, taken] + (isLast ? [.unwatch(window)] : [])
  }

  /// A requestor is no more: what was for it is forgotten.
  ///
  /// Its loads may still end; nothing comes of them.
  package mutating func windowVanished(_ window: XWindow) {
    waiting = waiting.filter { $1.request.requestor != window }
    transfers = transfers.filter { $0.key.window != window }
    groups = groups.filter { $1.request.requestor != window }
  }

  // MARK: One conversion

  /// The beginning of one conversion.
  private enum Beginning {
    /// Answered: the notice may be sent.
    case done([Action])
    /// Data is being loaded.
    case waits([Action])
    case refused
  }

  /// Begins one conversion. TARGETS, TIMESTAMP and MULTIPLE are wanted of every owner (ICCCM
  /// 2.6.2).
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
    // An answer with no data: the target has done the rest of the move (ICCCM 2.6.3.1).
    case atoms.delete where isDrag:
      return .done([write([], as: atoms.delete, for: request), .deleteSource])
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

  /// Writes small data whole, and begins INCR for larger; the first portion comes when INCR's
  /// property is deleted.
  private mutating func give(_ bytes: [UInt8], to request: Request) -> [Action] {
    let type = answerTypes[request.target] ?? request.target
    guard bytes.count > portion else {
      hasGiven = true
      return [
        .write(
          request.requestor, property: request.property, type: type, format: 8,
          bytes: bytes)
      ]
    }
    let place = Destination(window: request.requestor, property: request.property)
    transfers[place] = Portions(type: type, bytes: bytes)
    // Watched before the property is there, so that its deletion is seen.
    return [
      .watch(request.requestor),
      write([UInt32(clamping: bytes.count)], as: atoms.incr, for: request),
      .taken(bytes: 0, of: bytes.count),
    ]
  }

  /// The group's notice goes out with its last part. A part that was refused has `none` for its
  /// property (ICCCM 2.6.2).
  private mutating func finishPart(of id: UInt64, _ index: Int, isServed: Bool) -> [Action] {
    guard var group = groups[id] else { return [] }
    if !isServed { group.pairs[index].property = .none }
    group.open -= 1
    groups[id] = group
    return group.open == 0 ? finish(id) : []
  }

  /// Writes the pairs back, which tells the requestor what it got.
  private mutating func finish(_ id: UInt64) -> [Action] {
    guard let group = groups.removeValue(forKey: id) else { return [] }
    let words = group.pairs.flatMap { [$0.target.rawValue, $0.property.rawValue] }
    return [
      write(words, as: atoms.atomPair, for: group.request), notice(of: group.request),
    ]
  }

  /// As format 32.
  private func write(_ words: [UInt32], as type: XAtom, for request: Request) -> Action {
    // The server swaps 32-bit values itself: they go in the order of this machine.
    let bytes = words.flatMap { word in withUnsafeBytes(of: word) { Array($0) } }
    return .write(
      request.requestor, property: request.property, type: type, format: 32, bytes: bytes)
  }

  /// Says that the property holds what was asked for.
  private func notice(of request: Request) -> Action {
    .notify(
      request.requestor, target: request.target, property: request.property, time: request.time)
  }

  /// The same with the property `none`.
  private func refusal(of request: Request) -> Action {
    .notify(request.requestor, target: request.target, property: .none, time: request.time)
  }

  /// A request from before this drag is for another one (ICCCM 2.2); 0 means "now".
  ///
  /// Times wrap after 49 days: the difference decides.
  private func isTimely(_ time: UInt32) -> Bool {
    time == 0 || Int32(bitPattern: time &- ownedSince) >= 0
  }
}
