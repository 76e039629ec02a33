import Glibc
import KeyDragCore
import KeyDragThreads
import Synchronization

/// The keys that are taken from other programs for KeyDrag: the chords always, and the strokes of
/// the walk while something is carried.
///
/// Letters pass, except while a name is typed. While a key of the screen reader is down, and while
/// a password is typed, every stroke goes to its owner. Whatever becomes of the handler, the
/// keyboard goes on: keys are answered on a thread that does nothing else, and told on another. If
/// the program ends, the server gives all keys back by itself.
///
/// A program that is stopped (SIGTSTP) while it carries would stop the keyboard at the next key of
/// the walk: ``rest(then:)`` comes first.
package final class DesktopKeys: Sendable {
  package enum Event: Hashable, Sendable {
    /// A chord was pressed; holding it down tells it once.
    case chord(KeyStroke)
    /// A stroke of the walk; holding it down repeats it.
    case stroke(KeyStroke)
    /// Another program has these; the rest work. Told at the start and whenever it changes: what
    /// that program lets go is taken.
    case taken([KeyStroke])
    /// No key of this keyboard gives these. Told at the start and whenever it changes.
    case missing([KeyStroke])
    /// A chord was pressed while a menu is open whose program has grabbed the keyboard.
    case keptByMenu
    /// The last: all keys are other programs' again.
    case connectionLost
  }

  /// The strokes that are taken while something is carried.
  package static let standardStrokes: [KeyStroke] =
    [
      KeyStroke(.tab), KeyStroke(.tab, .shift), KeyStroke(.up), KeyStroke(.down), KeyStroke(.left),
      KeyStroke(.right), KeyStroke(.home), KeyStroke(.end), KeyStroke(.pageUp),
      KeyStroke(.pageDown), KeyStroke(.enter), KeyStroke(.escape), KeyStroke(.delete),
    ] + ((1...9) + [12]).map { KeyStroke(.function($0)) }

  private let thread: EventLoop
  private let teller: KeyTeller
  private let keeper: ThreadConfined<KeyKeeper?>

  /// Connects and takes the chords.
  ///
  /// Blocks for connecting and the first grabs.
  ///
  /// - Parameters:
  ///   - display: `nil` for the one that DISPLAY names.
  ///   - chords: more than 32 are not taken.
  ///   - handler: called in order on a thread of its own; it may take its time.
  package init(
    display: String? = nil, chords: [KeyStroke] = DesktopChords.standard.all,
    handler: @escaping @Sendable (Event) -> Void
  ) throws(XError) {
    guard let thread = EventLoop(), let teller = KeyTeller(handler) else {
      throw .unreachable(display: display)
    }
    let keeper = ThreadConfined<KeyKeeper?>(
      try KeyKeeper(display: display, chords: Array(chords.prefix(32)), teller: teller))
    let isStarted = BackgroundThread.start {
      keeper.value?.run(on: thread)
      // The connection ends here, and with it what is held: also a keyboard that waits for an answer.
      keeper.value = nil
    }
    guard isStarted else {
      teller.end()
      throw .unreachable(display: display)
    }
    (self.thread, self.teller, self.keeper) = (thread, teller, keeper)
  }

  /// Returns at once; the keys are given back by the thread.
  deinit { thread.stop() }

  /// Takes these strokes from now on; others are given back.
  ///
  /// At most 64.
  ///
  /// - Parameters:
  ///   - finder: the stroke after which a name is typed, up to Enter or Escape. The next key after
  ///     it is ours already, however quickly it comes.
  ///   - then: called when it is so.
  package func carry(
    _ strokes: [KeyStroke] = DesktopKeys.standardStrokes, finder: KeyStroke? = nil,
    then: @escaping @Sendable () -> Void = {}
  ) {
    onThread(then) { $0.carry(Array(strokes.prefix(64)), finder: finder) }
  }

  /// Gives all strokes back; the chords stay.
  ///
  /// Returns at once, as all calls here.
  package func rest(then: @escaping @Sendable () -> Void = {}) {
    onThread(then) { $0.carry(nil, finder: nil) }
  }

  /// While on, every stroke goes to its owner: a password is typed, say. Holds from the next key.
  package func passStrokes(_ isOn: Bool) { teller.isPassing.store(isOn, ordering: .relaxed) }

  /// Answers whether Ctrl, Alt, Shift or a button is still down: it would reach a program with the
  /// drop.
  ///
  /// Answered on the handler's thread; `false` where the display has ended.
  package func isHeld(_ reply: @escaping @Sendable (Bool) -> Void) {
    let (keeper, teller) = (keeper, teller)
    let isTaken = thread.post {
      let isHeld = keeper.value?.isHeld ?? false
      teller.run { reply(isHeld) }
    }
    if !isTaken { reply(false) }
  }

  /// Gives everything back and ends.
  package func end() { thread.stop() }

  /// `then` is called also where the display has ended.
  private func onThread(
    _ then: @escaping @Sendable () -> Void, _ body: @escaping @Sendable (KeyKeeper) -> Void
  ) {
    let (keeper, teller) = (keeper, teller)
    let isTaken = thread.post {
      if let value = keeper.value { body(value) }
      teller.run(then)
    }
    if !isTaken { then() }
  }
}

/// Tells of keys on a thread that may be held up.
///
/// The handler may take its time; the thread of the keys never waits for it.
private final class KeyTeller: Sendable {
  /// Whether strokes go to their owners, set from any thread.
  let isPassing = Atomic(false)
  /// How many events were told and not taken.
  private let waiting = Atomic(0)
  private let thread: EventLoop
  private let handler: @Sendable (DesktopKeys.Event) -> Void

  /// More strokes than this are not kept from their owner while nobody takes them.
  private static let most = 16

  /// `nil` where there is no thread to be had.
  init?(_ handler: @escaping @Sendable (DesktopKeys.Event) -> Void) {
    guard let thread = EventLoop(), thread.start() else { return nil }
    self.thread = thread
    self.handler = handler
  }

  /// Whether nobody takes what is told: then the keys are better left to their owners.
  var isBehind: Bool { waiting.load(ordering: .relaxed) >= KeyTeller.most }

  func tell(_ event: DesktopKeys.Event) {
    // Chords and news are few; strokes beyond the bound were handed over before.
    guard waiting.load(ordering: .relaxed) < 4 * KeyTeller.most else { return }
    waiting.add(1, ordering: .relaxed)
    thread.post { [self] in
      handler(event)
      waiting.subtract(1, ordering: .relaxed)
    }
  }

  /// Runs an answer that was asked for.
  ///
  /// After the events that were told before.
  func run(_ answer: @escaping @Sendable () -> Void) { thread.post(answer) }

  func end() { thread.stop() }
}

/// Everything about the keys that belongs to their thread.
///
/// The keyboard may wait for this thread (XGrabModeSync): every event is answered, and nothing here
/// asks anybody but the server.
private final class KeyKeeper {
  private let server: XServer
  private let layouts: LayoutReader
  private let teller: KeyTeller
  /// Held always.
  private let chords: [KeyStroke]
  /// The present layout; asked anew when the server tells of a change.
  private var map: KeyboardMap
  /// It has changed and could not be asked for since.
  private var isMapStale = false
  /// The presses that are grabbed now.
  private var plan = KeyPlan()
  /// The locks under which they are grabbed.
  private var locks: Set<UInt16> = []
  private var judge = KeyJudge()
  /// The strokes of the walk; `nil` while nothing is carried.
  private var carrying: [KeyStroke]?
  /// The stroke after which a name is typed.
  private var finder: KeyStroke?
  private var isFinding = false
  /// As they were told last.
  private var taken: [KeyStroke] = []
  /// As they were told last.
  private var missing: [KeyStroke] = []
  /// Of the present layout.
  private var screenReaderKeys: Set<Keycode> = []
  /// For menus, over the same connection.
  private let windows: DesktopWindows
  private var menuPresses = MenuPresses()
  /// The number of the extension that tells raw keys.
  ///
  /// XInput; `nil` where the server has none.
  private let input: UInt8?
  /// When a chord that another program has, or a layout that was not told, is tried again.
  ///
  /// Milliseconds; `nil` where all are ours.
  private var nextTry: Milliseconds?
  /// 2 s.
  private static let pause: Milliseconds = 2_000

  init(display: String?, chords: [KeyStroke], teller: KeyTeller) throws(XError) {
    server = try XServer(display: display)
    layouts = try LayoutReader(display: display)
    map = try layouts.map()
    self.chords = chords
    self.teller = teller
    windows = DesktopWindows(server: server)
    input = server.watchShownWindows()
    apply()
    if input != nil {
      for menu in try windows.menus() { open(XWindow(rawValue: menu.id.rawValue)) }
    }
    if server.isLost { throw server.loss }
    server.waitOn()
  }

  /// Blocks until the thread is ended or the display is lost.
  func run(on thread: EventLoop) {
    thread.run(reading: server.descriptor, deadline: { self.nextTry }, handle: step)
    teller.end()
  }

  /// `nil` gives all strokes back.
  func carry(_ strokes: [KeyStroke]?, finder: KeyStroke?) {
    carrying = strokes
    self.finder = finder
    if strokes == nil { isFinding = false }
    apply()
  }

  /// Takes every key that types something as well, while a name is typed.
  private func find(_ isOn: Bool) {
    guard isFinding != isOn else { return }
    isFinding = isOn
    apply()
  }

  /// Whether a hand is on a modifier or button; `false` where the server does not say.
  var isHeld: Bool {
    guard let state = server.modifiersDown() else { return false }
    let buttons: UInt16 = 0x1F00
    let modifiers = KeyboardMap.Mask.shift | KeyboardMap.Mask.control | map.alt
    return state & (buttons | modifiers) != 0
  }

  // MARK: What is taken

  /// Makes what is taken what it should be now.
  private func apply() {
    let wanted = KeyPlan(chords: chords, carrying: carrying, isFinding: isFinding, on: map)
    let before = plan
    if locks != map.lockMasks {
      give(Set(before.chords.keys))
      give(before.stopping)
      plan = KeyPlan()
    } else {
      give(Set(before.chords.keys).subtracting(wanted.chords.keys))
      give(before.stopping.subtracting(wanted.stopping))
    }
    locks = map.lockMasks
    screenReaderKeys = map.screenReaderKeys
    plan = wanted
    // A key that is held already may be grabbed again: the server refuses only what other programs
    // hold, and a program that has let a key go in the meantime is noticed.
    let lost = server.grab(Set(wanted.chords.keys), locks: locks, isStopping: false)
      .union(server.grab(wanted.stopping, locks: locks, isStopping: true))
    server.flush()
    // Chords that clash can be changed; a letter that another program has is not worth a word.
    tell(
      taken: (chords + (carrying ?? [])).filter { stroke in
        lost.contains { wanted.chords[$0] == stroke || wanted.strokes[$0] == stroke }
      }, missing: wanted.missing)
  }

  /// Asks for the layout, and makes what is taken what it should be.
  private func readMap() {
    let new = try? layouts.map()
    guard isMapStale || new != map else { return }
    isMapStale = new == nil
    if let new { map = new }
    apply()
  }

  /// Ungrabs, under the same locks.
  private func give(_ presses: Set<KeyboardMap.Press>) { server.ungrab(presses, locks: locks) }

  /// Tells what has changed, and sets the time of the next try.
  private func tell(taken: [KeyStroke], missing: [KeyStroke]) {
    let isOpen = isMapStale || chords.contains(where: taken.contains)
    nextTry = isOpen ? MonotonicClock.now + Self.pause : nil
    if taken != self.taken { teller.tell(.taken(taken)) }
    if missing != self.missing { teller.tell(.missing(missing)) }
    (self.taken, self.missing) = (taken, missing)
  }

  // MARK: What happens

  /// Takes all events that are there; `false` when the connection is gone.
  private func step() -> Bool {
    if let nextTry, MonotonicClock.now >= nextTry { isMapStale ? readMap() : apply() }
    var isSynced = false
    while true {
      var keys: [KeyJudge.Input] = []
      var isMapChanged = false
      var shown: [XWindow] = []
      while let event = server.nextKeyEvent(input) {
        switch event {
        case .key(let input): keys.append(input)
        case .mapChanged: isMapChanged = true
        case .raw(let key):
          menuPresses.take(key, plan, map) { server.modifiersDown() ?? 0 }
        case .shown(let window): shown.append(window)
        case .hidden(let window):
          shown.removeAll { $0 == window }
          change { $0.close(window) }
        }
      }
      // The keyboard may be waiting: before anything else.
      answer(keys)
      menuPresses.deliver(keys)
      for window in shown where windows.isMenu(window) { open(window) }
      if isMapChanged { readMap() }
      // Waiting for an answer of the server may have brought further events.
      guard keys.isEmpty, !isMapChanged, shown.isEmpty else {
        isSynced = false
        continue
      }
      guard menuPresses.isAwaiting, !server.isLost else { break }
      if isSynced, menuPresses.settle() { teller.tell(.keptByMenu) }
      // A chord that is delivered is here after an answer of the server, also one that had to wait
      // for our answer to a key before it.
      server.sync()
      isSynced = true
    }
    guard !server.isLost else {
      teller.tell(.connectionLost)
      return false
    }
    return true
  }

  // MARK: Menus

  /// Notes that a menu is open, and has raw keys told from the first one on.
  private func open(_ menu: XWindow) {
    change { $0.open(menu, down: server.keysDown) }
  }

  /// Has raw keys told while a menu is open, and at no other time: nobody's typing wakes this
  /// thread.
  private func change(_ body: (inout MenuPresses) -> Void) {
    let wasWatching = menuPresses.isWatching
    body(&menuPresses)
    guard menuPresses.isWatching != wasWatching else { return }
    server.watchRawKeys(menuPresses.isWatching)
    // The next key may follow at once, by way of another connection.
    server.sync()
  }

  /// Answers the server first, then tells the handler.
  private func answer(_ inputs: [KeyJudge.Input]) {
    guard !inputs.isEmpty else { return }
    var told: [DesktopKeys.Event] = []
    // The keyboard waits meanwhile: the layout is still the one in which the key was pressed.
    let actions = judge.take(
      inputs, plan, map, layout: { server.layout(input) }, isPassing: isPassing)
    // Before the keyboard goes on: its next key may be a letter of the name.
    for case .stroke(let stroke) in actions { follow(stroke) }
    for action in actions {
      switch action {
      case .keep(let time): server.answerKey(isKept: true, time: time)
      case .replay(let time): server.answerKey(isKept: false, time: time)
      case .chord(let stroke): told.append(.chord(stroke))
      case .stroke(let stroke): told.append(.stroke(stroke))
      }
    }
    server.flush()
    told.forEach(teller.tell)
  }

  /// Follows whether a name is typed: from the finder to Enter or Escape.
  private func follow(_ stroke: KeyStroke) {
    guard let finder else { return }
    if isFinding {
      find(stroke != KeyStroke(.enter) && stroke != KeyStroke(.escape))
    } else {
      find(stroke == finder)
    }
  }

  /// One round trip at most, and only where it matters: see ``KeyJudge``.
  private func isPassing() -> Bool {
    teller.isPassing.load(ordering: .relaxed) || teller.isBehind
      || !server.keysDown().isDisjoint(with: screenReaderKeys)
  }
}
