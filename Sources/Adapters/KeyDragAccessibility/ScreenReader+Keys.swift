import KeyDragBus
import KeyDragCore
import Synchronization

/// Holds messages until the reader has finished with a key, and puts them before what it reads
/// because of the key. On the thread of the buses, unless stated otherwise.
extension ScreenReader {
  /// Makes messages wait for the aftermath of grabbed keys, which ``keyTaken(isSeen:)`` reports
  /// from now on.
  package func followKeys() {
    let application = state.withLock { state in
      state.followsKeys = true
      return state.application
    }
    if let application { thread.run { [weak self] in self?.followFocus(application) } }
  }

  /// Reports a key grabbed from the focused program; from any thread, before its result is
  /// announced.
  ///
  /// - Parameter isSeen: whether the reader has seen a part of it, such as the modifiers of a
  ///   chord.
  package func keyTaken(isSeen: Bool) {
    let now = ContinuousClock.now
    thread.run { [weak self] in
      guard let self else { return }
      // Messages still held are about an earlier key.
      release(isForced: true)
      learnPace()
      let service = state.withLock { $0.ladder.rung == .orca ? $0.ladder.service : nil }
      if let service { knock(service) }
      state.withLock { state in
        // Only Orcas that take no announcements look at the keys they have seen.
        state.focus.readsAlways = state.ladder.rung.map { $0 < .notification } ?? false
        if !state.told.isEmpty {
          let isUnfinished = !state.unasked.isEmpty || state.focus.isUnfinished(at: now)
          state.toldBefore = isUnfinished ? state.told : []
        }
        state.focus.take(isSeen: isSeen, at: now)
        state.told = []
      }
    }
  }

  /// Learns the speech rate of a reader that has come since the last key.
  func learnPace() {
    let (reader, known) = state.withLock { ($0.ladder.reader, $0.pace.reader) }
    guard let reader, reader != known else { return }
    let pace = Int32(reader).flatMap(OrcaProcess.pace)
    let (session, service) = state.withLock { state in
      state.pace = (reader, pace ?? Self.slowPace)
      return (state.session, state.ladder.service)
    }
    guard pace == nil, let session, let service else { return }
    session.call(service.rawValue, service.rate, within: Self.pacePatience) { [weak self] reply in
      guard let rate = reply?.first?.number, let pace = OrcaProcess.pace(rate: Double(rate))
      else { return }
      self?.state.withLock { state in
        if state.pace.reader == reader { state.pace.charactersPerSecond = pace }
      }
    }
  }

  /// In milliseconds; nobody waits for it.
  private static let pacePatience: Int32 = 5000

  package func sayAgain() {
    thread.run { [weak self] in
      guard let self else { return }
      pass(
        state.withLock { state in
          // Nothing was cut off if messages went out, or wait, since the last key was grabbed.
          state.told.isEmpty && state.held.isEmpty ? state.toldBefore : []
        })
    }
  }

  /// Follows windows that lose and regain the focus, and the focused object. Programs emit these
  /// events because the reader has subscribed.
  func followFocus(_ application: BusConnection) {
    let prefix = ProgramChanges.prefix
    // GTK 4 writes them in lowercase, and lets the reader see every key.
    for (loss, gain, isSeen) in [
      ("Deactivate", "Activate", false), ("deactivate", "activate", true),
    ] {
      application.hear(prefix + "Window", loss, from: nil) { [weak self] _ in
        self?.follow { $0.focus.lose(at: .now, isUnsaid: !$0.unasked.isEmpty) }
      }
      application.hear(prefix + "Window", gain, from: nil) { [weak self] signal in
        self?.follow { $0.focus.restoreKeyboard(signal.sender, at: .now, isRereading: isSeen) }
        self?.cutVainReading()
      }
    }
    application.hear(prefix + "Object", "StateChanged", from: nil, about: "focused") {
      [weak self] signal in
      guard signal.arguments.count > 1, signal.arguments[1].number == 1 else { return }
      self?.follow { $0.focus.settle(signal.sender + signal.path, of: signal.sender, at: .now) }
    }
  }

  private func follow(_ change: (inout Conversation) -> Void) {
    state.withLock { change(&$0) }
    release()
  }

  /// Queues the actions of a message, and sends them when it is time.
  func pass(_ actions: [AnnouncementRouter.Action]) {
    state.withLock { $0.held.append(actions) }
    release()
  }

  /// Sends what waits, if it is time; else tries again when it is.
  private func release(isForced: Bool = false) {
    let now = ContinuousClock.now
    if !isForced, let end = state.withLock({ $0.wait(at: now) }) {
      thread.run(after: UInt32((end - now) / .milliseconds(1)) + 1) { [weak self] in
        self?.release()
      }
      return
    }
    let due = state.withLock { state in
      var due = state.held
      if state.focus.takeAgain(at: now) {
        due.insert(state.told, at: 0)
        state.told = []
      }
      state.held = []
      return due
    }
    for actions in due { perform(actions) }
  }

  // MARK: The reader's own reading

  /// A message with priority: recognises by the reader's calls that it has reached it.
  struct MessageReceipt: Sendable {
    let path: String
    let isLabel: Bool
    /// Labels of later messages, which the reader asks for if it has dropped this one.
    var later: Set<String> = []
    /// The member of the last call to the path.
    var last = ""

    /// Notifications are queried for their labels, announcements twice in a row for their state:
    /// Orca 46 to 51 ask so right before they handle the event, and at most once when they queue
    /// it.
    mutating func isHere(_ call: BusCall) -> Bool {
      if isLabel, later.contains(call.path) { return call.member == "GetRelationSet" }
      guard call.path == path else { return false }
      defer { last = call.member }
      return isLabel
        ? call.member == "GetRelationSet" : call.member == "GetState" && last == "GetState"
    }
  }

  /// A message for the reader's service, held until the reader has reached it.
  struct QueuedMessage: Sendable {
    let action: AnnouncementRouter.Action
    let key: ContinuousClock.Instant?

    /// Whether a newer key cut it off before it was spoken: the service would speak it all the
    /// same.
    func isOutOfDate(at newest: ContinuousClock.Instant?) -> Bool {
      key != newest && action.message?.mayBeDropped == true
    }
  }

  /// A notification whose text the reader has not queried.
  struct Unasked: Sendable {
    let action: AnnouncementRouter.Action
    let slot: Int
    let key: ContinuousClock.Instant?
  }

  /// Tracks a notification until its text is queried.
  func watch(_ action: AnnouncementRouter.Action, in slot: Int) {
    state.withLock { state in
      guard state.followsKeys else { return }
      state.unasked.append(Unasked(action: action, slot: slot, key: state.focus.pressed))
    }
    thread.run(after: Self.askingPatience) { [weak self] in
      self?.state.withLock { state in
        if let index = state.unasked.firstIndex(where: { $0.slot == slot }) {
          state.unasked.remove(at: index)
        }
      }
    }
  }

  /// In milliseconds; readers other than Orca may never ask.
  private static let askingPatience: UInt32 = 3000

  /// Records the reader's queries of notifications. From the thread that answers.
  func follow(_ call: BusCall) {
    state.withLock { state in
      guard call.member == "GetRelationSet",
        let index = state.unasked.lastIndex(where: { call.path == AccessibleTree.label($0.slot) })
      else { return }
      let entry = state.unasked.remove(at: index)
      if entry.key == state.focus.pressed {
        state.focus.begin(at: .now, for: state.duration(entry.action.message))
      }
    }
  }

  /// Records an outgoing message; returns whether it goes before what the reader reads. The first
  /// that a key has led to does, and an assertive one while none of ours is being spoken.
  func mark(_ action: AnnouncementRouter.Action) -> Bool {
    guard let message = action.message else { return false }
    let now = ContinuousClock.now
    return state.withLock { state in
      guard state.followsKeys else { return false }
      let duration = state.duration(message)
      let isIdle = state.end.map { $0 <= now } ?? true
      let isFirst = state.focus.go(at: now, for: duration)
      state.end = max(isFirst ? now : state.end ?? now, now) + duration
      if state.focus.isAnswer(at: now) { state.told.append(action) }
      return isFirst || message.urgency == .assertive && isIdle
    }
  }

  /// Orca's default rate, with a margin.
  static let slowPace = 12.0
  /// Timeout for the reader to reach a message, in milliseconds; a slower one is busy with
  /// something else.
  private static let turnPatience: UInt32 = 600

  /// Hands a message to the reader's service after what the reader has received before: the service
  /// is answered out of turn.
  func presentInTurn(_ action: AnnouncementRouter.Action) {
    let isWaiting = state.withLock { state in
      guard !state.waitingForTurn.isEmpty else { return false }
      // May be called again before it was handed over.
      if !state.waitingForTurn.contains(where: { $0.action == action }) {
        state.waitingForTurn.append(QueuedMessage(action: action, key: state.focus.pressed))
      }
      return true
    }
    if isWaiting { return }
    guard mark(action) || action.message?.cutsOff == true else { return present(action) }
    let path = state.withLock { state in
      let path = AccessibleTree.notification(state.tree.tell(""))
      state.turn = MessageReceipt(path: path, isLabel: false)
      state.waitingForTurn = [QueuedMessage(action: action, key: state.focus.pressed)]
      return path
    }
    guard emit(.emptyAnnouncement(path), isMessage: true) else { return takeTurn() }
    cutUntilTurn(path)
    thread.run(after: Self.turnPatience) { [weak self] in
      guard let self else { return }
      guard state.withLock({ $0.turn?.path == path }) else { return }
      silenceSpeech()
      takeTurn()
    }
  }

  /// Silences the reader's own reading until it has reached the message with priority: a busy one
  /// would read to the end.
  func cutUntilTurn(_ path: String, looks: Int = mostCuts) {
    thread.run(after: Self.cut) { [weak self] in
      guard let self, looks > 0, state.withLock({ $0.turn?.path == path }) else { return }
      silenceSpeech()
      cutUntilTurn(path, looks: looks - 1)
    }
  }

  /// Silences it until there is such a message.
  private func cutVainReading() {
    guard
      let key = state.withLock({ $0.focus.isReadingRedundant(at: .now) ? $0.focus.pressed : nil })
    else { return }
    thread.run(after: Self.cut) { [weak self] in
      guard let self,
        state.withLock({ $0.focus.pressed == key && $0.focus.isReadingRedundant(at: .now) })
      else { return }
      silenceSpeech()
      cutVainReading()
    }
  }

  /// Silences the speech service of the reader. Without a reader the speech there is others', and
  /// may be our own voice's.
  private func silenceSpeech() {
    guard state.withLock({ $0.ladder.rung != nil }) else { return }
    speech?.silence()
  }

  /// Silences for a while what a waking reader speaks of messages that were spoken otherwise
  /// meanwhile: text that it has can't be withdrawn, and it may begin one after the last cut. Its
  /// next message ends this.
  func hushWaking(looks: Int = mostCuts) {
    let last = state.withLock(\.lastSent)
    speech?.silence()
    thread.run(after: Self.cut) { [weak self] in
      guard let self, looks > 0, state.withLock({ $0.lastSent == last }) else { return }
      hushWaking(looks: looks - 1)
    }
  }

  private static let cut: UInt32 = 80
  private static let mostCuts = 12

  private func takeTurn() {
    let due = state.withLock { state in
      state.turn = nil
      defer { state.waitingForTurn = [] }
      return state.waitingForTurn
    }
    let newest = due.last?.key
    for (index, waiting) in due.enumerated() {
      let action = waiting.action
      if waiting.isOutOfDate(at: newest), case .present(_, _, let question) = action {
        apply(.dropped(question))
        continue
      }
      // The first was recorded when it began to wait.
      if index > 0 { _ = mark(action) }
      present(action)
    }
  }

  /// Silences the reader before it speaks a message with priority: when it queries the message, its
  /// earlier reading has been given to the speech service, and nothing else will be until we
  /// answer. From the thread that answers.
  func makeWay(for call: BusCall) {
    follow(call)
    let isHere = state.withLock { state in
      state.backlog.take(call, at: .now)
      guard state.turn?.isHere(call) == true else { return false }
      // Messages that wait for it clear it.
      if state.waitingForTurn.isEmpty { state.turn = nil }
      return true
    }
    guard isHere else { return }
    silenceSpeech()
    thread.run { [weak self] in
      guard let self else { return }
      if state.withLock({ !$0.waitingForTurn.isEmpty }) { takeTurn() }
    }
  }
}

extension ScreenReader.Conversation {
  /// Until when messages must wait; `nil` when they can go.
  fileprivate func wait(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    [focus.wait(at: now), screenSeen.flatMap { $0 > now ? $0 : nil }].compactMap(\.self).max()
  }

  func isKnocking(_ question: Int) -> Bool {
    awaitingPing.contains { action in
      if case .present(_, _, let number) = action { number == question } else { false }
    }
  }

  /// Records a message that is spoken in another way.
  mutating func tellElsewhere(_ message: ReaderMessage) {
    let now = ContinuousClock.now
    saidElsewhere =
      max(saidElsewhere ?? now, now) + .seconds(Double(message.text.count) / ScreenReader.slowPace)
  }

  /// Estimated longest duration of a message.
  fileprivate func duration(_ message: ReaderMessage?) -> Duration {
    .seconds(Double(message?.text.count ?? 0) / pace.charactersPerSecond)
  }
}

extension AnnouncementRouter.Action {
  var message: ReaderMessage? {
    switch self {
    case .present(let message, _, _), .announce(let message), .notify(let message): message
    case .ping, .moved: nil
    }
  }
}
