/// When a screen reader has done with a key that we have taken, so that words of ours are neither cut
/// off by it nor queue behind what it reads because of the key: a pure value.
///
/// For as long as a key of ours is down the server takes the focus from the program that had it, and
/// toolkits tell so: `window:deactivate` at the press, `window:activate` at the release. At the first
/// Orca stops what is being said. Where it has seen a key within the last second, as the modifiers of a
/// chord, it also forgets where it was, and at the second reads the window and what is in focus anew
/// (Orca 43: `onWindowDeactivated`, `eventIsUserTriggered`, `onWindowActivated` in its default script).
///
/// Orca 46 and newer forget at every loss. An earlier one reads anew where a program tells at the return of
/// another object than before, as Nemo does, and GTK 4's programs let it see every key.
///
/// GTK 3 tells at the return what is in focus twice: at once, and again when it has nothing else to do.
/// Orca skips the first where it knows of the second (`skipObjectEvent`), and reads at the second.
///
/// Qt tells of it only when the key is down for a tenth of a second, and of two windows that swap the
/// focus, the one that gets it first; Orca reads anew then whatever it has seen.
struct FocusReturn: Hashable, Sendable {
  typealias Instant = ContinuousClock.Instant

  /// The key that the words are about.
  private struct Key: Hashable {
    var pressed: Instant
    /// The reader reads anew when the focus comes back.
    var isReadAnew: Bool
    var back: Instant?
    /// The program that has the focus again.
    var program = ""
    /// When it told last what is in focus now.
    var settled: Instant?
    /// How often it has told that since it has the focus again.
    var tellings = 0
    /// The first of its words is still to come.
    var isFirst = true
    /// Words of it went out while the focus was away, and what is read anew comes after them.
    var isEarly = false
    /// When words of it were cut off, by a loss that was told of after they went out.
    var cut: Instant?
    /// When its words are over, as far as we know.
    var end: Instant?
    /// When its words went out for the last time, if not for the first.
    var again: Instant?
  }

  private var key: Key?

  /// When the last key was taken.
  var pressed: Instant? { key?.pressed }

  /// Since when the focus is away.
  private var lost: Instant?
  /// How many keys were taken whose loss was not told of: of two that are pressed in a row the first may
  /// come back before the second goes.
  private var owed = 0
  /// When the reader has seen a key of the person's, as far as we know.
  private var seen: Instant?
  /// The reader forgets at every loss where it was.
  var readsAlways = false
  /// At the last return the reader had to read anew, whatever keys it had seen.
  private var hasRead = false
  /// The object that was told last to be in focus.
  private var object: String?
  /// Programs that tell once at a return.
  private var onceTellers: Set<String>
  /// Keys in a row at which no program told that it has lost the focus.
  private var silentKeys = 0

  /// A program tells of the loss within this, or the words don't wait for it.
  private static let lossPatience = Duration.milliseconds(150)
  /// A loss that is told of later has another reason, and matters while the words are being said only.
  private static let longestLoss = Duration.milliseconds(600)
  /// A chord is let go within this, or the words don't wait for it.
  private static let returnPatience = Duration.milliseconds(400)
  /// After its window a program tells within this what is in focus, some of them more than once.
  private static let settlingPatience = Duration.milliseconds(100)
  private static let settling = Duration.milliseconds(30)
  /// A program that is busy tells within this for the second time, or it tells once.
  private static let secondPatience = Duration.milliseconds(500)
  private static let mostOnceTellers = 100
  private static let mostOwed = 20
  /// Orca's second, and what a busy machine adds.
  private static let readerMemory = Duration.milliseconds(1300)
  /// Words that come later than this are about something else than the key.
  private static let longestAnswer = Duration.seconds(2)
  /// Nor are words said again that were cut off longer ago.
  private static let longestReturn = Duration.seconds(4)
  /// A program that has told of no loss so often is not waited for.
  private static let mostSilentKeys = 2

  init(onceTellers: Set<String> = []) { self.onceTellers = onceTellers }

  /// A key was taken.
  ///
  /// - Parameter isSeen: whether the reader has seen a part of it: modifiers are nobody's.
  mutating func take(isSeen: Bool, at now: Instant) {
    learn(at: now)
    if isWaitingForLoss { silentKeys += 1 }
    if isSeen { seen = now }
    // A window that was left long ago is not away because of this key.
    if let lost, now - lost > Self.longestAnswer, key.map({ $0.back != nil }) ?? true {
      self.lost = nil
    }
    // A key that is held down goes on with one loss.
    let isLongAgo = key.map { now - $0.pressed > Self.longestReturn } ?? true
    owed = isLongAgo || lost != nil ? 1 : min(owed + 1, Self.mostOwed)
    let isReadAnew =
      readsAlways || hasRead || seen.map { now - $0 < Self.readerMemory } ?? false
    key = Key(pressed: now, isReadAnew: isReadAnew)
  }

  /// A program has lost the focus.
  ///
  /// - Parameter isUnsaid: whether the reader is known to have words of ours before it that it has not said.
  mutating func lose(at now: Instant, isUnsaid: Bool = false) {
    if let key, !key.isFirst, owed > 0,
      isUnsaid || now - key.pressed < Self.longestLoss || key.end.map({ now < $0 }) ?? false
    {
      self.key?.cut = now
      self.key?.isReadAnew = true
    }
    learn(at: now)
    (lost, silentKeys, owed) = (now, 0, max(owed - 1, 0))
    key?.back = nil
    key?.settled = nil
    key?.tellings = 0
  }

  /// Notes of a program that it told once only.
  private mutating func learn(at now: Instant) {
    guard let key, let back = key.back, key.tellings == 1, now - back > Self.secondPatience else {
      return
    }
    if onceTellers.count > Self.mostOnceTellers { onceTellers = [] }
    onceTellers.insert(key.program)
  }

  /// A program has the focus again.
  ///
  /// - Parameters:
  ///   - program: its name on the bus.
  ///   - isReadAnew: the reader has seen the key, which nothing else tells of.
  mutating func comeBack(_ program: String = "", at now: Instant, isReadAnew: Bool = false) {
    hasRead = isReadAnew
    if isReadAnew, let key, key.back == nil, lost != nil {
      if !key.isFirst, !key.isReadAnew { self.key?.isEarly = true }
      self.key?.isReadAnew = true
    }
    guard let key, key.back == nil else {
      lost = nil
      return
    }
    guard lost != nil else {
      if now - key.pressed < Self.longestLoss { self.key?.isReadAnew = true }
      return
    }
    lost = nil
    self.key?.back = now
    self.key?.program = program
    // The modifiers go up about now, which the reader sees as well.
    if key.isReadAnew, seen == key.pressed { seen = now }
  }

  /// A program tells what is in focus.
  ///
  /// - Parameter program: its name on the bus.
  mutating func settle(_ object: String? = nil, of program: String = "", at now: Instant) {
    let isOther = object != nil && self.object != nil && object != self.object
    if object != nil { self.object = object }
    guard let key else { return }
    if isOther {
      // The reader falls silent, and reads what has the focus now.
      if key.back != nil { hasRead = true }
      self.key?.isReadAnew = true
      if isBeingSaid(at: now) { self.key?.cut = now }
    }
    if key.back != nil || isOther { self.key?.settled = now }
    guard key.back != nil, program == key.program else { return }
    self.key?.tellings += 1
    guard key.tellings == 1 else { return }
    onceTellers.remove(program)
    guard key.isReadAnew, !key.isFirst, isAnswer(at: now) else { return }
    // What is read now comes after the words that went out, and before the next.
    if isBeingSaid(at: now) { self.key?.cut = now } else { self.key?.isFirst = true }
  }

  /// Whether words of the key are being said, as far as we know, so that they can be cut off.
  private func isBeingSaid(at now: Instant) -> Bool {
    isAnswer(at: now) && key?.end.map { now < $0 } ?? false
  }

  private var isWaitingForLoss: Bool { key.map { lost == nil && $0.back == nil } ?? false }

  /// Until when words have to wait; `nil` when they can go.
  func wait(at now: Instant) -> Instant? {
    guard let key else { return nil }
    var end: Instant
    if let back = key.back {
      let isLossDue = owed > 0 && silentKeys < Self.mostSilentKeys
      let next = isLossDue ? key.pressed + Self.lossPatience : now
      guard key.isReadAnew else { return next > now ? next : nil }
      let isComplete = key.tellings != 1 || onceTellers.contains(key.program)
      let last = back + (isComplete ? Self.settlingPatience : Self.secondPatience)
      // A menu that was opened and closed since then has a settling of its own.
      end =
        !isComplete
        ? last
        : key.settled.map { $0 > last ? $0 + Self.settling : min($0 + Self.settling, last) }
          ?? last
      end = max(end, next)
    } else if lost == nil {
      end = silentKeys < Self.mostSilentKeys ? key.pressed + Self.lossPatience : key.pressed
    } else {
      end = key.isReadAnew ? key.pressed + Self.returnPatience : now
    }
    return end > now ? end : nil
  }

  /// Words go out; whether they are the first that a key has led to, before which is cut off what the
  /// reader reads because of the key.
  ///
  /// - Parameter duration: how long it takes to say them.
  mutating func go(at now: Instant, for duration: Duration = .zero) -> Bool {
    guard let key else { return false }
    if isAnswer(at: now) { self.key?.end = max(key.end ?? now, now) + duration }
    if key.isReadAnew, lost != nil { self.key?.isEarly = true }
    self.key?.isFirst = false
    return key.isFirst && isAnswer(at: now)
  }

  /// Whether the reader reads anew because of a key whose first words are still to come: nobody misses that
  /// reading.
  func isReadInVain(at now: Instant) -> Bool {
    guard let key, let back = key.back else { return false }
    return key.isReadAnew && key.isFirst && isAnswer(at: now) && now - back < Self.vainReading
  }

  private static let vainReading = Duration.seconds(1)

  /// The reader has come to words of the key, which last so long from now on.
  mutating func begin(at now: Instant, for duration: Duration) {
    if let end = key?.end { key?.end = max(end, now + duration) }
  }

  /// Whether words of the key are still to be heard whole, as far as we know.
  func isUnfinished(at now: Instant) -> Bool {
    key.map { $0.cut != nil || $0.isEarly || $0.end.map { now < $0 } ?? false } ?? false
  }

  /// Whether words that go out now are about the last key.
  func isAnswer(at now: Instant) -> Bool {
    key.map { now - ($0.again ?? $0.pressed) < Self.longestAnswer } ?? false
  }

  /// Whether the words of the key have to go out again, because they were cut off or what was read
  /// anew came after them.
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
