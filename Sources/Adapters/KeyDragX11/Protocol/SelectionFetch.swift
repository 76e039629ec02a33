import KeyDragCore
import KeyDragThreads

/// Reads one selection, form by form (ICCCM section 2): the list of targets, then each wanted form,
/// whole or in portions (INCR, section 2.7.2).
///
/// Without I/O: notices and values go in, conversions come out. An owner that lies, stalls, never
/// ends or disappears ends the reading with a reason.
///
/// Pure, single use. The caller calls ``tick(now:)`` at ``deadline``.
struct SelectionFetch: Sendable {
  /// Timeouts, in milliseconds.
  struct Timing: Hashable, Sendable {
    /// Without any progress.
    var silence: Milliseconds = 500
    /// For all forms together, whatever the progress.
    var whole: Milliseconds = 10_000
  }

  /// In bytes.
  struct Limits: Hashable, Sendable {
    /// All forms together: 64 MiB.
    var whole = 64 << 20
    /// A single text: 1 MiB.
    var text = 1 << 20
  }

  struct Value: Hashable, Sendable {
    var type: XAtom
    /// 8, 16 or 32 bits.
    var format: UInt8
    /// Whole units, in native byte order.
    var bytes: [UInt8]
    /// Nothing was cut off.
    var isWhole: Bool
  }

  struct Form: Hashable, Sendable {
    var target: XAtom
    /// As the owner gave it, possibly another.
    var type: XAtom
    var bytes: [UInt8]
  }

  enum Action: Hashable, Sendable {
    /// Request a form; its notice goes to ``SelectionFetch/notified(_:isThere:now:)``.
    case convert(XAtom)
    /// Read the property, and pass its value to ``SelectionFetch/took(_:now:)``.
    case take(most: Int)
    /// The last action. A success holds at least one form.
    case end(Result<[Form], Reason>)
  }

  /// Atoms with a fixed meaning.
  struct Vocabulary: Sendable {
    var targets, timestamp, incr: XAtom
    /// Requests rather than data, some with side effects: never read as a form.
    var commands: Set<XAtom>
    /// Targets limited to ``Limits/text`` bytes.
    var texts: Set<XAtom>
  }

  /// Forms are requested one at a time: an owner may have one property for all.
  private enum Step: Hashable, Sendable {
    case targets
    /// When the owner took the selection; asked before and after the forms.
    case timestamp(isLast: Bool)
    case form(XAtom)
  }

  private enum Wait: Hashable, Sendable {
    case notice
    case value
    /// Ended by an empty portion.
    case portions
    /// Before the start and after the end.
    case over
  }

  /// Limits on the forms read, and on the targets considered in an owner's list.
  private static let mostForms = 64
  private static let mostOffered = 256

  /// `nil` for everything offered.
  private let wanted: [XAtom]?
  private let words: Vocabulary
  private let limits: Limits
  private let timing: Timing
  private var step = Step.targets
  private var wait = Wait.over
  private var open: [XAtom] = []
  private var found: [Form] = []
  /// Bytes so far of a form that comes in portions, and its type.
  private var portions: [UInt8] = []
  private var portionType: XAtom?
  /// The owner's TIMESTAMP; `nil` when it has none.
  private var ownedSince: [UInt8]?
  private var isOffered = false
  private var started: Milliseconds = 0
  /// When the owner last did something.
  private var lastSign: Milliseconds = 0

  /// - Parameter wanted: in the order of the result; `nil` for all.
  init(
    wanted: [XAtom]?, vocabulary: Vocabulary, limits: Limits = Limits(), timing: Timing = Timing()
  ) {
    self.wanted = wanted?.filter { !vocabulary.commands.contains($0) }
    (words, self.limits, self.timing) = (vocabulary, limits, timing)
  }

  /// Call once, while the selection has an owner.
  mutating func start(now: Milliseconds) -> [Action] {
    (started, lastSign) = (now, now)
    return ask(.targets)
  }

  var deadline: Milliseconds? {
    wait == .over ? nil : min(lastSign + timing.silence, started + timing.whole)
  }

  // MARK: Events

  /// The owner has answered a conversion; late notices, and those of another form, are ignored.
  mutating func notified(
    _ target: XAtom, isThere: Bool, now: Milliseconds
  ) -> [Action] {
    guard wait == .notice, target == self.target else { return [] }
    lastSign = now
    guard isThere else { return refused() }
    wait = .value
    return [.take(most: limit)]
  }

  /// The owner has written a portion to the property (ICCCM 2.7.2): reading it deletes it, which
  /// requests the next.
  mutating func written(now: Milliseconds) -> [Action] {
    // A write before the notice does not count.
    guard case .portions = wait else { return [] }
    lastSign = now
    return [.take(most: limit)]
  }

  /// The property's value; `nil` when missing. Beyond the limit the reading fails as too big: a
  /// part is never taken for the whole.
  mutating func took(_ value: Value?, now: Milliseconds) -> [Action] {
    switch wait {
    case .notice, .over: return []
    case .value:
      guard let value else { return refused() }
      guard value.type != words.incr else {
        // The size that INCR announces is unreliable.
        (wait, portions, portionType) = (.portions, [], nil)
        return []
      }
      guard value.isWhole else { return end(.failure(.tooBig)) }
      return take(value)
    case .portions:
      guard let value else { return [] }
      guard !value.bytes.isEmpty else {
        defer { portions = [] }
        return take(
          Value(
            type: portionType ?? value.type, format: value.format, bytes: portions, isWhole: true))
      }
      guard value.isWhole, portions.count + value.bytes.count <= limit else {
        return end(.failure(.tooBig))
      }
      portions += value.bytes
      portionType = portionType ?? value.type
      return []
    }
  }

  mutating func ownerVanished() -> [Action] {
    wait == .over ? [] : end(.failure(.gone))
  }

  /// Call at ``deadline``; harmless when too early.
  mutating func tick(now: Milliseconds) -> [Action] {
    guard let deadline, now >= deadline else { return [] }
    return end(.failure(.notResponding))
  }

  // MARK: Steps

  private var target: XAtom {
    switch step {
    case .targets: words.targets
    case .timestamp: words.timestamp
    case .form(let form): form
    }
  }

  /// Most bytes of the current step; more are never read.
  private var limit: Int {
    switch step {
    case .targets: return SelectionFetch.mostOffered * 4
    case .timestamp: return 4
    case .form(let form):
      let left = limits.whole - found.reduce(0) { $0 + $1.bytes.count }
      return words.texts.contains(form) ? min(left, limits.text) : left
    }
  }

  private mutating func ask(_ next: Step) -> [Action] {
    (step, wait) = (next, .notice)
    return [.convert(target)]
  }

  private mutating func refused() -> [Action] {
    switch step {
    // Some old programs can give forms without listing them.
    case .targets: return begin(wanted ?? [])
    case .timestamp(let isLast): return isLast ? end(.success(found)) : next()
    case .form: return next()
    }
  }

  private mutating func take(_ value: Value) -> [Action] {
    switch step {
    case .targets:
      guard value.format == 32 else { return refused() }
      let numbers = value.bytes.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
      let offered = numbers.map(XAtom.init(rawValue:)).filter { $0 != .none }
      guard !offered.isEmpty else { return refused() }
      isOffered = true
      let known = Set(offered)
      var taken: Set<XAtom> = []
      let forms = (wanted ?? offered).filter {
        known.contains($0) && !words.commands.contains($0) && taken.insert($0).inserted
      }
      open = Array(forms.prefix(SelectionFetch.mostForms))
      if open.isEmpty { return end(.failure(.wrongType)) }
      return known.contains(words.timestamp) ? ask(.timestamp(isLast: false)) : next()
    // The owner's timestamp is when it took the selection (ICCCM 2.6.2): another one means other
    // content.
    case .timestamp(let isLast):
      if isLast { return end(value.bytes == ownedSince ? .success(found) : .failure(.changed)) }
      ownedSince = value.bytes
      return next()
    case .form(let form):
      // Numbers that only this display or its programs understand are no data.
      if value.format == 8 {
        found.append(Form(target: form, type: value.type, bytes: value.bytes))
      }
      return next()
    }
  }

  /// Without a list, requests the wanted forms one by one.
  private mutating func begin(_ forms: [XAtom]) -> [Action] {
    open = Array(forms.prefix(SelectionFetch.mostForms))
    return next()
  }

  /// The next form, or the end; an owner that listed forms and gave none has failed.
  private mutating func next() -> [Action] {
    guard open.isEmpty else { return ask(.form(open.removeFirst())) }
    guard !found.isEmpty else {
      return end(.failure(isOffered ? .programFailed : .wrongType))
    }
    // Forms of two contents must not be mixed.
    if found.count > 1, ownedSince != nil { return ask(.timestamp(isLast: true)) }
    return end(.success(found))
  }

  private mutating func end(_ result: Result<[Form], Reason>) -> [Action] {
    wait = .over
    return [.end(result)]
  }
}
