/// Decides when a screen reader has finished with a key that we grabbed, so that our speech is
/// neither cut off by it nor queued behind what it reads because of the key: a pure value.
///
/// While a grabbed key is down, the server takes the focus from the program that had it, and
/// toolkits report that: `window:deactivate` at the press, `window:activate` at the release. At the
/// first, Orca stops speaking. If it has seen a key within the last second, such as the modifiers
/// of a chord, it also forgets its position, and at the second reads the window and the focus anew
/// (Orca 43: `onWindowDeactivated`, `eventIsUserTriggered`, `onWindowActivated` in its default
/// script).
///
/// Orca 46 and newer forget at every loss. Earlier versions read anew when a program reports
/// another object at the return than before, as Nemo does, and GTK 4 programs let them see every
/// key.
///
/// GTK 3 reports the focused object twice at the return: at once, and again when idle. Orca skips
/// the first if it knows of the second (`skipObjectEvent`), and reads at the second.
///
/// Qt reports the loss only when the key is down for a tenth of a second, and of two windows that
/// swap the focus, the one that gets it first; Orca then reads anew, whatever keys it has seen.
struct GrabbedKeyTracker: Hashable, Sendable {
  typealias Instant = ContinuousClock.Instant

  /// The key that our speech is about.
  private struct Key: Hashable {
    var pressed: Instant
    /// The reader reads anew when the focus returns.
    var isRereading: Bool
    var back: Instant?
    var program = ""
    /// When it last reported the focused object.
    var settled: Instant?
    /// The number of such reports since the return.
    var reportCount = 0
    /// No speech about it has gone out yet.
    var isFirst = true
    /// Speech went out while the focus was away, and the reader's reading follows it.
    var isEarly = false
    /// When its speech was cut off by a loss that was reported after it went out.
    var cut: Instant?
    /// Estimated end of its speech.
    var end: Instant?
    /// When its speech was last repeated.
    var again: Instant?
  }

  private var key: Key?

  var pressed: Instant? { key?.pressed }

  private var lost: Instant?
  /// Number of grabbed keys whose loss was not reported: of two pressed in a row the first may
  /// return before the second is lost.
  private var owed = 0
  /// When the reader last saw a key of the user's, as far as we know.
  private var seen: Instant?
  /// The reader forgets its position at every loss.
  var readsAlways = false
  /// At the last return the reader had to read anew, whatever keys it had seen.
  private var hasRead = false
  /// The object last reported as focused.
  private var object: String?
  /// Programs that report once per return.
  private var singleReporters: Set<String>
  /// Consecutive keys without a reported loss.
  private var silentKeys = 0

  private static let lossPatience = Duration.milliseconds(150)
  /// A loss reported later has another cause, and matters only during our speech.
  private static let longestLoss = Duration.milliseconds(600)
  private static let returnPatience = Duration.milliseconds(400)
  /// Timeout for the reports of the focused object after the window's; some programs send several.
  private static let settlingPatience = Duration.milliseconds(100)
  private static let settling = Duration.milliseconds(30)
  /// Timeout for a busy program's second report.
  private static let secondPatience = Duration.milliseconds(500)
  private static let mostOnceTellers = 100
  private static let mostOwed = 20
  /// Orca's second, plus what a busy machine adds.
  private static let readerMemory = Duration.milliseconds(1300)
  /// Later speech is about something else than the key.
  private static let longestAnswer = Duration.seconds(2)
  /// Speech that was cut off longer ago is not repeated.
  private static let longestReturn = Duration.seconds(4)
  /// After this many keys without a reported loss, none is waited for.
  private static let mostSilentKeys = 2

  init(singleReporters: Set<String> = []) { self.singleReporters = singleReporters }

  /// Records a grabbed key.
  ///
  /// - Parameter isSeen: whether the reader has seen a part of it, such as modifiers, which are not
  ///   grabbed.
  mutating func take(isSeen: Bool, at now: Instant) {
    learn(at: now)
    if isWaitingForLoss { silentKeys += 1 }
    if isSeen { seen = now }
    // A window left long ago is not away because of this key.
    if let lost, now - lost > Self.longestAnswer, key.map({ $0.back != nil }) ?? true {
      self.lost = nil
    }
    // A held key repeats within one loss.
    let isLongAgo = key.map { now - $0.pressed > Self.longestReturn } ?? true
    owed = isLongAgo || lost != nil ? 1 : min(owed + 1, Self.mostOwed)
    let isRereading =
      readsAlways || hasRead || seen.map { now - $0 < Self.readerMemory } ?? false
    key = Key(pressed: now, isRereading: isRereading)
  }

  /// Records that a program has lost the focus.
  ///
  /// - Parameter isUnsaid: whether the reader is known to have speech of ours that it has not
  ///   spoken.
  mutating func lose(at now: Instant, isUnsaid: Bool = false) {
    if let key, !key.isFirst, owed > 0,
      isUnsaid || now - key.pressed < Self.longestLoss || key.end.map({ now < $0 }) ?? false
    {
      self.key?.cut = now
      self.key?.isRereading = true
    }
    learn(at: now)
    (lost, silentKeys, owed) = (now, 0, max(owed - 1, 0))
    key?.back = nil
    key?.settled = nil
    key?.reportCount = 0
  }

  private mutating func learn(at now: Instant) {
    guard let key, let back = key.back, key.reportCount == 1, now - back > Self.secondPatience
    else {
      return
    }
    if singleReporters.count > Self.mostOnceTellers { singleReporters = [] }
    singleReporters.insert(key.program)
  }

  /// Records that a program has the focus again.
  ///
  /// - Parameters:
  ///   - program: its bus name.
  ///   - isRereading: the reader has seen the key, of which there is no other sign.
  mutating func restoreKeyboard(_ program: String = "", at now: Instant, isRereading: Bool = false)
  {
    hasRead = isRereading
    if isRereading, let key, key.back == nil, lost != nil {
      if !key.isFirst, !key.isRereading { self.key?.isEarly = true }
      self.key?.isRereading = true
    }
    guard let key, key.back == nil else {
      lost = nil
      return
    }
    guard lost != nil else {
      if now - key.pressed < Self.longestLoss { self.key?.isRereading = true }
      return
    }
    lost = nil
    self.key?.back = now
    self.key?.program = program
    // The modifiers go up about now, which the reader sees as well.
    if key.isRereading, seen == key.pressed { seen = now }
  }

  /// Records a report of the focused object.
  ///
  /// - Parameter program: its bus name.
  mutating func settle(_ object: String? = nil, of program: String = "", at now: Instant) {
    let isOther = object != nil && self.object != nil && object != self.object
    if object != nil { self.object = object }
    guard let key else { return }
    if isOther {
      // The reader falls silent, and reads the newly focused object.
      if key.back != nil { hasRead = true }
      self.key?.isRereading = true
      if isBeingSaid(at: now) { self.key?.cut = now }
    }
    if key.back != nil || isOther { self.key?.settled = now }
    guard key.back != nil, program == key.program else { return }
    self.key?.reportCount += 1
    guard key.reportCount == 1 else { return }
    singleReporters.remove(program)
    guard key.isRereading, !key.isFirst, isAnswer(at: now) else { return }
    // The reader's reading comes after speech that has gone out, and before the next.
    if isBeingSaid(at: now) { self.key?.cut = now } else { self.key?.isFirst = true }
  }

  /// Whether speech about the key is in progress, as far as we know, and can be cut off.
  private func isBeingSaid(at now: Instant) -> Bool {
    isAnswer(at: now) && key?.end.map { now < $0 } ?? false
  }

  private var isWaitingForLoss: Bool { key.map { lost == nil && $0.back == nil } ?? false }

  /// Until when speech must wait; `nil` when it can go.
  func wait(at now: Instant) -> Instant? {
    guard let key else { return nil }
    var end: Instant
    if let back = key.back {
      let isLossDue = owed > 0 && silentKeys < Self.mostSilentKeys
      let next = isLossDue ? key.pressed + Self.lossPatience : now
      guard key.isRereading else { return next > now ? next : nil }
      let isComplete = key.reportCount != 1 || singleReporters.contains(key.program)
      let last = back + (isComplete ? Self.settlingPatience : Self.secondPatience)
      // A menu opened and closed since then settles on its own.
      end =
        !isComplete
        ? last
        : key.settled.map { $0 > last ? $0 + Self.settling : min($0 + Self.settling, last) }
          ?? last
      end = max(end, next)
    } else if lost == nil {
      end = silentKeys < Self.mostSilentKeys ? key.pressed + Self.lossPatience : key.pressed
    } else {
      end = key.isRereading ? key.pressed + Self.returnPatience : now
    }
    return end > now ? end : nil
  }

  /// Records outgoing speech. `true` for the first that a key has led to, before which the reader's
  /// own reading is cut off.
  ///
  /// - Parameter duration: of the speech.
  mutating func go(at now: Instant, for duration: Duration = .zero) -> Bool {
    guard let key else { return false }
    if isAnswer(at: now) { self.key?.end = max(key.end ?? now, now) + duration }
    if key.isRereading, lost != nil { self.key?.isEarly = true }
    self.key?.isFirst = false
    return key.isFirst && isAnswer(at: now)
  }

  /// Whether the reader is reading because of a key whose first speech is still to come: nobody
  /// misses that reading.
  func isReadingRedundant(at now: Instant) -> Bool {
    guard let key, let back = key.back else { return false }
    return key.isRereading && key.isFirst && isAnswer(at: now) && now - back < Self.vainReading
  }

  private static let vainReading = Duration.seconds(1)

  /// The reader has reached speech about the key, which lasts this long from now on.
  mutating func begin(at now: Instant, for duration: Duration) {
    if let end = key?.end { key?.end = max(end, now + duration) }
  }

  /// Whether speech about the key was not heard completely, as far as we know.
  func isUnfinished(at now: Instant) -> Bool {
    key.map { $0.cut != nil || $0.isEarly || $0.end.map { now < $0 } ?? false } ?? false
  }

  /// Whether speech that goes out now is about the last key.
  func isAnswer(at now: Instant) -> Bool {
    key.map { now - ($0.again ?? $0.pressed) < Self.longestAnswer } ?? false
  }

  /// Whether to repeat the speech about the key, because it was cut off or followed by the reader's
  /// reading; asked once.
  mutating func takeAgain(at now: Instant) -> Bool {
    guard let key, key.isEarly || key.cut != nil, key.back != nil, wait(at: now) == nil else {
      return false
    }
    self.key?.isEarly = false
    self.key?.cut = nil
    self.key?.isFirst = true
    self.key?.end = nil
    self.key?.again = now
    return now - (key.cut ?? key.pressed) < Self.longestReturn
  }
}
