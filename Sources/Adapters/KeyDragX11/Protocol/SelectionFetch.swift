import KeyDragCore
import KeyDragThreads

/// Reads one selection, form by form (ICCCM section 2): what there is, then each form that is
/// wanted, whole or in portions (INCR, section 2.7.2).
///
/// Without a connection: notices and values go in, conversions come out. An owner that lies about
/// what it has, never answers, never ends or goes away ends the reading with a reason.
///
/// Pure; used once. The caller calls ``tick(now:)`` at ``deadline``.
package struct SelectionFetch: Sendable {
  /// How long things take; milliseconds.
  package struct Timing: Hashable, Sendable {
    /// Without any progress.
    package var silence: Milliseconds = 500
    /// For all forms together, whatever the progress.
    package var whole: Milliseconds = 10_000

    package init() {}
  }

  /// How much is taken; bytes.
  package struct Limits: Hashable, Sendable {
    /// All forms together: 64 MiB.
    package var whole = 64 << 20
    /// A single text: 1 MiB.
    package var text = 1 << 20

    package init() {}
  }

  /// A property's value.
  package struct Value: Hashable, Sendable {
    /// As GetProperty gives it.
    package var type: XAtom
    /// 8, 16 or 32 bits.
    package var format: UInt8
    /// Whole units, in this machine's order.
    package var bytes: [UInt8]
    /// There was no more than this.
    package var isWhole: Bool
  }

  /// One form as it was read.
  package struct Form: Hashable, Sendable {
    /// The form that was asked for.
    package var target: XAtom
    /// The type in which the owner gave it, which may be another.
    package var type: XAtom
    package var bytes: [UInt8]
  }

  package enum Action: Hashable, Sendable {
    /// Ask for a form; its notice goes to ``SelectionFetch/notified(_:isThere:now:)``.
    case convert(XAtom)
    /// Take the value out of the property, and hand it to ``SelectionFetch/took(_:now:)``.
    case take(most: Int)
    /// Once, last. A success holds at least one form.
    case end(Result<[Form], Reason>)
  }

  /// The atoms whose meaning is known beforehand.
  package struct Vocabulary: Sendable {
    /// TARGETS, TIMESTAMP and INCR.
    package var targets, timestamp, incr: XAtom
    /// Not data but requests, some of which change something: never asked for as a form.
    package var commands: Set<XAtom>
    /// Targets that are cut at ``Limits/text``.
    package var texts: Set<XAtom>

    package init(
      targets: XAtom, timestamp: XAtom, incr: XAtom, commands: Set<XAtom>, texts: Set<XAtom>
    ) {
      (self.targets, self.timestamp, self.incr) = (targets, timestamp, incr)
      (self.commands, self.texts) = (commands, texts)
    }
  }

  /// Forms are asked for one after the other: an owner may have one property for all.
  private enum Step: Hashable, Sendable {
    case targets
    /// When the owner took the selection, asked before the forms and after them.
    case timestamp(isLast: Bool)
    case form(XAtom)
  }

  private enum Wait: Hashable, Sendable {
    /// For the SelectionNotify.
    case notice
    /// For the property's value.
    case value
    /// The end is told by an empty portion.
    case portions
    /// Before the start and after the end.
    case over
  }

  /// The most forms that are read, and the most that are looked at in an owner's offer.
  private static let mostForms = 64
  private static let mostOffered = 256

  /// `nil` for all that is offered.
  private let wanted: [XAtom]?
  private let words: Vocabulary
  private let limits: Limits
  private let timing: Timing
  private var step = Step.targets
  private var wait = Wait.over
  /// Forms still to be asked for, in order.
  private var open: [XAtom] = []
  private var found: [Form] = []
  /// The bytes so far of a form that comes in portions, and its type.
  private var portions: [UInt8] = []
  private var portionType: XAtom?
  /// The bytes of TIMESTAMP; `nil` where the owner has none.
  private var ownedSince: [UInt8]?
  /// Whether the owner has listed forms.
  private var isOffered = false
  /// Milliseconds.
  private var started: Milliseconds = 0
  /// When the owner last did something; milliseconds.
  private var lastSign: Milliseconds = 0

  /// - Parameter wanted: in the order in which they are to be given; `nil` for all.
  package init(
    wanted: [XAtom]?, vocabulary: Vocabulary, limits: Limits = Limits(), timing: Timing = Timing()
  ) {
    self.wanted = wanted?.filter { !vocabulary.commands.contains($0) }
    (words, self.limits, self.timing) = (vocabulary, limits, timing)
  }

  /// To be called once, with the selection owned by somebody.
  package mutating func start(now: Milliseconds) -> [Action] {
    (started, lastSign) = (now, now)
    return ask(.targets)
  }

  /// When something is to be done though nothing happens.
  package var deadline: Milliseconds? {
    wait == .over ? nil : min(lastSign + timing.silence, started + timing.whole)
  }

  // MARK: What happens

  /// The owner has answered a conversion.
  ///
  /// Late notices, and those of another form, are dropped.
  package mutating func notified(
    _ target: XAtom, isThere: Bool, now: Milliseconds
  ) -> [Action] {
    guard wait == .notice, target == self.target else { return [] }
    lastSign = now
    guard isThere else { return refused() }
    wait = .value
    return [.take(most: limit)]
  }

  /// The owner has written to the property.
  ///
  /// Portions come by it (ICCCM 2.7.2): each is taken, and its deletion asks for the next.
  package mutating func written(now: Milliseconds) -> [Action] {
    // The property is also written before the notice, which alone counts then.
    guard case .portions = wait else { return [] }
    lastSign = now
    return [.take(most: limit)]
  }

  /// The value that was taken out of the property; `nil` when there was none.
  ///
  /// More than the limit ends the reading as too big: a part is never taken for the whole.
  package mutating func took(_ value: Value?, now: Milliseconds) -> [Action] {
    switch wait {
    case .notice, .over: return []
    case .value:
      guard let value else { return refused() }
      guard value.type != words.incr else {
        // The size that INCR announces cannot be relied on.
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

  /// The owner's window is no more.
  package mutating func ownerVanished() -> [Action] {
    wait == .over ? [] : end(.failure(.gone))
  }

  /// Time has passed; to be called at ``deadline``.
  ///
  /// Harmless when it is called too early.
  package mutating func tick(now: Milliseconds) -> [Action] {
    guard let deadline, now >= deadline else { return [] }
    return end(.failure(.notResponding))
  }

  // MARK: One step after the other

  private var target: XAtom {
    switch step {
    case .targets: words.targets
    case .timestamp: words.timestamp
    case .form(let form): form
    }
  }

  /// How many bytes the step of the moment may bring.
  ///
  /// Bytes beyond it are never read.
  private var limit: Int {
    switch step {
    case .targets: return SelectionFetch.mostOffered * 4
    case .timestamp: return 4
    case .form(let form):
      let left = limits.whole - found.reduce(0) { $0 + $1.bytes.count }
      return words.texts.contains(form) ? min(left, limits.text) : left
    }
  }

  /// One conversion at a time.
  private mutating func ask(_ next: Step) -> [Action] {
    (step, wait) = (next, .notice)
    return [.convert(target)]
  }

  /// The owner does not give this form.
  private mutating func refused() -> [Action] {
    switch step {
    // Some programs of old times can give what they can't list.
    case .targets: return begin(wanted ?? [])
    case .timestamp(let isLast): return isLast ? end(.success(found)) : next()
    case .form: return next()
    }
  }

  /// Takes a value that is whole.
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
    // The owner's timestamp is that of its taking the selection (ICCCM 2.6.2): another one is
    // another content.
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

  /// Without a list: asks for what is wanted, one by one.
  private mutating func begin(_ forms: [XAtom]) -> [Action] {
    open = Array(forms.prefix(SelectionFetch.mostForms))
    return next()
  }

  /// The next form, or the end. An owner that offered forms and gave none has failed.
  private mutating func next() -> [Action] {
    guard open.isEmpty else { return ask(.form(open.removeFirst())) }
    guard !found.isEmpty else {
      return end(.failure(isOffered ? .programFailed : .wrongType))
    }
    // Forms of two contents must not be taken for one.
    if found.count > 1, ownedSince != nil { return ask(.timestamp(isLast: true)) }
    return end(.success(found))
  }

  private mutating func end(_ result: Result<[Form], Reason>) -> [Action] {
    wait = .over
    return [.end(result)]
  }
}
