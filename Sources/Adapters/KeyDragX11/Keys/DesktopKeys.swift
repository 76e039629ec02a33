import Glibc
import KeyDragCore
import KeyDragThreads
import Synchronization

/// Grabs KeyDrag's keys: the chords always, the strokes of the walk while something is carried.
///
/// Letters pass, except while a name is typed. While a screen reader key is down or a password is
/// typed, every stroke goes to its owner. Keys are answered on a dedicated thread and reported on
/// another, so that a slow handler cannot block the keyboard. If the process dies, the server
/// releases all grabs.
///
/// A process stopped (SIGTSTP) while it carries would freeze the keyboard at the next stroke of the
/// walk: call ``rest(then:)`` first.
final class DesktopKeys: KeyGrabbing {
  private let thread: WorkerThread<KeyGrabber>
  private let teller: KeyEventReporter

  /// Connects and grabs the chords, blocking for both.
  ///
  /// - Parameters:
  ///   - chords: the first 32 are used.
  ///   - handler: called in order on its own thread; may block.
  init(
    display: String? = nil, chords: [KeyStroke] = DesktopChords.standard.all,
    handler: @escaping @Sendable (KeyGrabEvent) -> Void
  ) throws(Reason) {
    guard let teller = KeyEventReporter(handler) else { throw .noDisplay }
    self.teller = teller
    // At its end the connection is closed, which releases all grabs, including a frozen keyboard.
    thread = try WorkerThread { _ throws(Reason) in
      try KeyGrabber(display: display, chords: Array(chords.prefix(32)), teller: teller)
    } run: {
      $0.run(on: $1)
    }
  }

  func carry(
    _ strokes: [KeyStroke] = DesktopChords.walk, finder: KeyStroke? = nil,
    then: @escaping @Sendable () -> Void = {}
  ) {
    onThread(then) { $0.carry(Array(strokes.prefix(64)), finder: finder) }
  }

  func rest(then: @escaping @Sendable () -> Void = {}) {
    onThread(then) { $0.carry(nil, finder: nil) }
  }

  func passStrokes(_ isOn: Bool) { teller.isPassing.store(isOn, ordering: .relaxed) }

  func isHeld(_ reply: @escaping @Sendable (Bool) -> Void) {
    let isTaken = thread.post { [teller] in
      let isHeld = $0.isHeld
      teller.run { reply(isHeld) }
    }
    if !isTaken { reply(false) }
  }

  func end() { thread.stop() }

  /// Calls `then` even when the display is lost.
  private func onThread(
    _ then: @escaping @Sendable () -> Void, _ body: @escaping @Sendable (KeyGrabber) -> Void
  ) {
    let isTaken = thread.post { [teller] in
      body($0)
      teller.run(then)
    }
    if !isTaken { then() }
  }
}

/// Reports keys on a thread that the handler may block; the key thread never waits for it.
private final class KeyEventReporter: Sendable {
  /// Strokes go to their owners while set; set from any thread.
  let isPassing = Atomic(false)
  private let waiting = Atomic(0)
  private let thread: EventLoop
  private let handler: @Sendable (KeyGrabEvent) -> Void

  /// With this many events unhandled, strokes are passed to their owner.
  private static let most = 16

  init?(_ handler: @escaping @Sendable (KeyGrabEvent) -> Void) {
    guard let thread = EventLoop(), thread.start() else { return nil }
    self.thread = thread
    self.handler = handler
  }

  /// Whether the handler has stalled: keys are then better passed to their owners.
  var isBehind: Bool { waiting.load(ordering: .relaxed) >= KeyEventReporter.most }

  func tell(_ event: KeyGrabEvent) {
    // Chords and notices are few; strokes beyond the limit were passed on before.
    guard waiting.load(ordering: .relaxed) < 4 * KeyEventReporter.most else { return }
    waiting.add(1, ordering: .relaxed)
    thread.post { [self] in
      handler(event)
      waiting.subtract(1, ordering: .relaxed)
    }
  }

  /// Runs a callback after the events reported before it.
  func run(_ answer: @escaping @Sendable () -> Void) { thread.post(answer) }

  func end() { thread.stop() }
}

/// The state of the keys, confined to their thread. The keyboard may be frozen until this thread
/// answers (XGrabModeSync): every event is answered, and nothing here waits for anything but the
/// server.
private final class KeyGrabber {
  private let server: XServer
  private let layouts: LayoutReader
  private let teller: KeyEventReporter
  private let chords: [KeyStroke]
  /// The current layout; read again when the server reports a change.
  private var map: KeyboardMap
  /// A changed layout could not be read yet.
  private var isMapStale = false
  private var plan = KeyGrabPlan()
  private var locks: Set<UInt16> = []
  private var judge = KeyOwnershipResolver()
  /// The strokes of the walk; `nil` while nothing is carried.
  private var carrying: [KeyStroke]?
  private var finder: KeyStroke?
  private var isFinding = false
  /// As last reported.
  private var taken: [KeyStroke] = []
  /// As last reported.
  private var missing: [KeyStroke] = []
  private var screenReaderKeys: Set<Keycode> = []
  /// Finds menus, over the same connection.
  private let windows: DesktopWindows
  private var menuPresses = MenuChordMonitor()
  /// XInput's extension number, for raw keys; `nil` when the server lacks it.
  private let input: UInt8?
  /// When to retry a chord that another program holds, or an unread layout, in milliseconds; `nil`
  /// when neither is pending.
  private var nextTry: Milliseconds?
  private static let pause: Milliseconds = 2_000

  init(display: String?, chords: [KeyStroke], teller: KeyEventReporter) throws(Reason) {
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
    server.disableTimeout()
  }

  func run(on thread: EventLoop) {
    thread.run(reading: server.descriptor, deadline: { self.nextTry }, handle: step)
    teller.end()
  }

  func carry(_ strokes: [KeyStroke]?, finder: KeyStroke?) {
    carrying = strokes
    self.finder = finder
    if strokes == nil { isFinding = false }
    apply()
  }

  /// Grabs the typing keys too while a name is typed.
  private func find(_ isOn: Bool) {
    guard isFinding != isOn else { return }
    isFinding = isOn
    apply()
  }

  /// Whether a modifier or button is down; `false` when the server does not answer.
  var isHeld: Bool {
    guard let state = server.modifiersDown() else { return false }
    let buttons: UInt16 = 0x1F00
    let modifiers = KeyboardMap.Mask.shift | KeyboardMap.Mask.control | map.alt
    return state & (buttons | modifiers) != 0
  }

  // MARK: Grabs

  private func apply() {
    let wanted = KeyGrabPlan(chords: chords, carrying: carrying, isFinding: isFinding, on: map)
    let before = plan
    if locks != map.lockMasks {
      give(Set(before.chords.keys))
      give(before.stopping)
      plan = KeyGrabPlan()
    } else {
      give(Set(before.chords.keys).subtracting(wanted.chords.keys))
      give(before.stopping.subtracting(wanted.stopping))
    }
    locks = map.lockMasks
    screenReaderKeys = map.screenReaderKeys
    plan = wanted
    // Our own keys are grabbed again: the server refuses only what other programs hold, which shows
    // when one of them has released a key.
    let lost = server.grab(Set(wanted.chords.keys), locks: locks, isStopping: false)
      .union(server.grab(wanted.stopping, locks: locks, isStopping: true))
    server.flush()
    // Clashing chords can be changed; a letter that another program holds is not worth reporting.
    tell(
      taken: (chords + (carrying ?? [])).filter { stroke in
        lost.contains { wanted.chords[$0] == stroke || wanted.strokes[$0] == stroke }
      }, missing: wanted.missing)
  }

  private func readMap() {
    let new = try? layouts.map()
    guard isMapStale || new != map else { return }
    isMapStale = new == nil
    if let new { map = new }
    apply()
  }

  private func give(_ presses: Set<KeyboardMap.Press>) { server.ungrab(presses, locks: locks) }

  private func tell(taken: [KeyStroke], missing: [KeyStroke]) {
    let isOpen = isMapStale || chords.contains(where: taken.contains)
    nextTry = isOpen ? MonotonicClock.now + Self.pause : nil
    if taken != self.taken { teller.tell(.taken(taken)) }
    if missing != self.missing { teller.tell(.missing(missing)) }
    (self.taken, self.missing) = (taken, missing)
  }

  // MARK: Events

  private func step() -> Bool {
    if let nextTry, MonotonicClock.now >= nextTry { isMapStale ? readMap() : apply() }
    var isSynced = false
    while true {
      var keys: [KeyOwnershipResolver.Input] = []
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
      // Before anything else: the keyboard may be frozen.
      answer(keys)
      menuPresses.deliver(keys)
      for window in shown where windows.isMenu(window) { open(window) }
      if isMapChanged { readMap() }
      // Waiting for a reply may have brought further events.
      guard keys.isEmpty, !isMapChanged, shown.isEmpty else {
        isSynced = false
        continue
      }
      guard menuPresses.isAwaiting, !server.isLost else { break }
      if isSynced, menuPresses.settle() { teller.tell(.blockedByMenu) }
      // After a round trip a delivered chord has arrived, even one held back until our answer to an
      // earlier key.
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

  private func open(_ menu: XWindow) {
    change { $0.open(menu, down: server.keysDown) }
  }

  /// Enables raw key events only while a menu is open: ordinary typing does not wake this thread.
  private func change(_ body: (inout MenuChordMonitor) -> Void) {
    let wasWatching = menuPresses.isWatching
    body(&menuPresses)
    guard menuPresses.isWatching != wasWatching else { return }
    server.watchRawKeys(menuPresses.isWatching)
    // The next key may follow at once, by way of another connection.
    server.sync()
  }

  /// Answers the server first, then the handler.
  private func answer(_ inputs: [KeyOwnershipResolver.Input]) {
    guard !inputs.isEmpty else { return }
    var told: [KeyGrabEvent] = []
    // The keyboard is frozen meanwhile: the layout is still the one in which the key was pressed.
    let actions = judge.take(
      inputs, plan, map, layout: { server.layout(input) }, isPassing: isPassing)
    // Before the keyboard resumes: its next key may be a letter of the name.
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

  private func follow(_ stroke: KeyStroke) {
    guard let finder else { return }
    if isFinding {
      find(stroke != KeyStroke(.enter) && stroke != KeyStroke(.escape))
    } else {
      find(stroke == finder)
    }
  }

  /// One round trip at most, and only when it matters: see ``KeyOwnershipResolver``.
  private func isPassing() -> Bool {
    teller.isPassing.load(ordering: .relaxed) || teller.isBehind
      || !server.keysDown().isDisjoint(with: screenReaderKeys)
  }
}
