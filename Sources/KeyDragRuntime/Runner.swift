import KeyDragCore

package enum RunnerEvent: Sendable {
  case stroke(KeyStroke)
  /// A command from a menu or an assistive technology.
  case command(CommandName)
  /// Pasted text: searched for, never taken as keys.
  case text(String)
  /// Pasted files and folders, as absolute paths or "file:" addresses.
  case places([String])
  case tooLongPaste
  case script([ScriptWord])
  case scriptEnded
  case scriptFailed(ScriptError)
  case input(SessionInput)
  case report(WorldReport)
  case timer(SessionTimer)
  case voiceIdle
  /// The screen reader has had time to say what it was given.
  case readerIdle
  /// A message moves to another route to the screen reader, or to none.
  case readerMoved(ReaderMessage, ReaderRoute?)
  /// The time limit for waiting has passed.
  case drained
  case resized(rows: Int)
  case resumed
  /// The person's window or connection is gone, or the system asks the program to end.
  case terminate(signal: Int32)
}

package struct RunResult: Hashable, Sendable {
  package var hasFailure: Bool
  /// Set when nothing could be done at all.
  package var fatalReason: Reason?
  /// The signal that ended the run; 2 for an interruption by key.
  package var signal: Int32?
  package var scriptError: ScriptError?
  /// Whether a name in the script was not found, so that the rest was skipped.
  package var hasMissed = false
  /// The announcement that the script waited for and that can no longer come.
  package var unmetWait: String?
}

/// The main loop: take an input, apply it, carry out the effects, paint.
package actor Runner {
  private var session: Session
  private let world: any World
  private let outputs: Outputs
  private var narrator: Narrator
  private let phrases: Phrasebook
  private var resolver: KeymapResolver
  private var script: ScriptFeed
  private var timers: [SessionTimer: Task<Void, Never>] = [:]
  private var readerTimer: Task<Void, Never>?
  private var lastStroke: KeyStroke?
  /// A repaint was asked for with ``CommandName/redraw``.
  private var mustPaint = false
  private var top = 0
  private var needsPaint = false
  private var isEnding = false
  private var result = RunResult(hasFailure: false)
  /// The grace period for cancelled deliveries at an interruption: a disk may hang.
  private static let cancelPatience = Duration.milliseconds(1500)
  private let clock: any Clock<Duration>
  private let isScriptAlone: Bool
  private let events: AsyncStream<RunnerEvent>
  /// Sends an event to the loop, from any thread.
  package nonisolated let send: @Sendable (RunnerEvent) -> Void

  /// - Parameters:
  ///   - isScriptAlone: whether only the script gives commands.
  ///   - clock: measures every wait and the time since something was said.
  package init(
    session: Session, world: any World, outputs: Outputs, phrases: Phrasebook,
    script: [ScriptWord]? = nil, isScriptOpen: Bool = false, isScriptAlone: Bool = false,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.clock = clock
    self.isScriptAlone = isScriptAlone
    self.session = session
    self.session.phrases = phrases
    self.world = world
    self.outputs = outputs
    self.phrases = phrases
    narrator = Narrator(outputs, phrases, on: clock)
    resolver = KeymapResolver(session.keymap)
    self.script = ScriptFeed(words: script, isOpen: isScriptOpen)
    let (stream, continuation) = AsyncStream.makeStream(of: RunnerEvent.self)
    events = stream
    send = { continuation.yield($0) }
  }

  /// Runs until the session has ended; `inputs` come before anything else.
  package func run(_ inputs: [SessionInput]) async -> RunResult {
    let send = send
    world.observe { send(.report($0)) }
    outputs.voice?.onIdle { send(.voiceIdle) }
    outputs.announcer?.onChange { send(.readerMoved($0, $1)) }
    outputs.announcer?.onCommand { send(.command($0)) }
    for input in inputs { apply(input) }
    afterEvent()
    if !isEnding {
      for await event in events {
        handle(event)
        afterEvent()
        if isEnding, session.deliveries.isEmpty,
          !session.isTakingBack || result.signal == nil
        {
          break
        }
        if case .drained = event { break }
      }
    }
    for timer in timers.values { timer.cancel() }
    readerTimer?.cancel()
    result.hasFailure = session.hasFailure
    result.fatalReason = session.fatalReason
    return result
  }

  /// Lets the reader and the voice finish what is pending, up to a time limit.
  ///
  /// - Parameters:
  ///   - seconds: the limit; a person who has quit should not wait long.
  ///   - isTold: finish even after a signal, which stands for something that the person has to
  ///     hear.
  package func finishSpeaking(within seconds: Double, isTold: Bool = false) async {
    guard isTold || result.signal == nil else { return }
    await finishReading()
    guard let voice = outputs.voice, !narrator.isSilent else { return }
    let deadline = Task { [send, clock] in
      try? await clock.sleep(for: .seconds(seconds))
      send(.drained)
    }
    for await event in events {
      if case .drained = event { break }
      if case .voiceIdle = event { voiceFinished() }
      if narrator.isSilent { break }
    }
    deadline.cancel()
    voice.finish(within: 1)
    // A session may end before its first word, with which a voice notices that it has no sound.
    checkVoice()
  }

  /// Collects what the screen reader did not accept, and delivers that in another way.
  private func finishReading() async {
    guard let announcer = outputs.announcer else { return }
    announcer.finish()
    // Messages that came back were sent before this event.
    send(.drained)
    for await event in events {
      if case .drained = event { break }
      if case .readerMoved(let message, let rung) = event { narrator.move(message, to: rung) }
      if case .voiceIdle = event { voiceFinished() }
    }
  }

  private func voiceFinished() {
    narrator.voiceFinished()
    checkVoice()
  }

  private func checkVoice() {
    guard let problem = narrator.newTrouble() else { return }
    apply(.report(.problem(problem)))
  }

  /// Delivers a line outside the session, after its announcements; `id` is its kind in the
  /// transcript.
  package func tell(id: String, within seconds: Double, _ line: (Phrasebook) -> String) {
    narrator.tell(id: id, within: seconds, line)
  }

  package func finishRecording() {
    guard let problem = narrator.finishRecording() else { return }
    say(problem)
  }

  package var hasLostOutput: Bool { narrator.hasLostOutput }

  package func end(status: Int32) { narrator.transcript.end(status: status) }

  /// The last message, for the screen; empty if a screen reader, which reads that too, has it.
  package var lastMessage: String { narrator.lastMessage }

  /// Whether none of the given folders could be listed.
  package var hasNoContainer: Bool { session.hasNoContainer }

  package func say(_ problem: Problem) { apply(.report(.problem(problem))) }

  // MARK: Events

  private func handle(_ event: RunnerEvent) {
    switch event {
    case .stroke(let stroke):
      outputs.announcer?.keyPressed()
      press(stroke)
    case .command(let command):
      keyPressed()
      run(command, key: ":" + command.rawValue)
    case .text(let text): search(text)
    case .places(let places): take(places)
    case .tooLongPaste:
      keyPressed()
      narrator.transcript.command("paste", key: "")
      apply(.tooLongPaste)
    case .script(let words): script.append(words)
    case .scriptEnded: script.close()
    case .scriptFailed(let error):
      result.scriptError = error
      script.close(dropping: true)
    case .input(let input):
      switch input {
      // These follow a key that was handled elsewhere.
      case .finding, .findingEnded: keyPressed()
      default: break
      }
      apply(input)
    case .report(let report): take(report)
    case .timer(let timer):
      timers[timer] = nil
      apply(.timer(timer))
    case .voiceIdle: voiceFinished()
    case .readerIdle: narrator.readerSilent()
    case .readerMoved(let message, let rung): narrator.move(message, to: rung)
    case .drained: break
    case .resized(let rows):
      apply(.resized(rows: rows))
      needsPaint = true
    case .resumed:
      // The last key was pressed in the shell.
      lastStroke = nil
      outputs.screen?.repaint()
      apply(.resumed)
    case .terminate(let signal):
      // A sender that addresses the process group reaches this process twice.
      if result.signal != nil { return }
      result.signal = signal
      apply(.command(.interrupt))
    }
  }

  /// Feeds the script, then paints at most once for each event.
  private func afterEvent() {
    feedScript()
    readerTimer?.cancel()
    readerTimer = narrator.nextReading.map { wait in sendLater(.readerIdle, after: wait) }
    if needsPaint { paint() }
  }

  /// Stops the voice; a warning that a drop can't be undone will be repeated if it was cut off.
  private func keyPressed() { if narrator.cutOff() { apply(.unheard) } }

  private func press(_ stroke: KeyStroke) {
    lastStroke = stroke
    clearCursorLine(for: stroke)
    let key = stroke.name
    // The last stroke of a longer chord means nothing by itself.
    let single = resolver.isInChord ? nil : stroke
    let resolution = resolver.resolve(
      stroke, in: session.phase.name, isFinding: session.search.isFinding,
      isNaming: session.search.isOpen, isTyping: session.isTyping)
    if case .typed(let character) = resolution { return type(String(character), by: single) }
    keyPressed()
    switch resolution {
    case .matched(let command): run(command, key: key, by: single)
    case .typed, .pending: break
    case .unbound, .abandoned:
      note("unknown", key: key, .unknownKey(stroke), by: single)
      apply(.unknownKey(stroke), by: single)
    }
  }

  /// Writes the key into the transcript; a deferred key is written when it is carried out.
  private func note(
    _ command: String, key: String, _ input: SessionInput, by stroke: KeyStroke? = nil
  ) {
    if !session.holds(input, by: stroke) { narrator.transcript.command(command, key: key) }
  }

  /// Types a letter. A letter that announces nothing and leaves the place unchanged does not cut
  /// off the speech about the place, which would not be repeated.
  private func type(_ letter: String, by stroke: KeyStroke?) {
    let input = SessionInput.typeAhead(letter, cutsWarning: narrator.isWarningAtRisk)
    note("type-ahead", key: letter, input, by: stroke)
    let place = session.phase.carry?.place
    apply(input, by: stroke) { effects in
      let isSaid = effects.contains { $0.announcement != nil }
      if isSaid || session.phase.carry?.place != place {
        _ = narrator.cutOff()
      } else {
        narrator.goOn()
      }
    }
  }

  /// Clears the text at the cursor before the words of a key after which it can't be updated, since
  /// a braille display returns to it after those words.
  private func clearCursorLine(for stroke: KeyStroke) {
    guard let screen = outputs.screen, isHeard, ReaderScreen.hidesCursorLine(after: stroke),
      !ReaderScreen.isQuiet(after: lastStroke, ways(screen)), !ways(screen).isMarked
    else { return }
    if screen.clearCursorLine(except: nil) { outputs.announcer?.waitForScreen() }
  }

  /// Leaves it to the reader to say the answer to a key after which it reads what comes to the line at the
  /// cursor: a braille display keeps that line, and loses a message after seconds. Where the answer does not
  /// belong there the line is cleared, unless the person is still at what it says.
  ///
  /// - Returns: whether the reader reads it.
  private func paintsMessage(of announcements: [Announcement]) -> Bool {
    guard !announcements.isEmpty, let screen = outputs.screen, isHeard, let stroke = lastStroke,
      case let ways = ways(screen), ways.isMarked, !ReaderScreen.isQuiet(after: stroke, ways)
    else { return false }
    let text = announcements.count == 1 ? phrases.read.text(announcements[0]) : ""
    var contents = session.screen(height: 1, top: top, phrases: phrases, message: text)
    (contents.isHeard, contents.isMarked) = (true, true)
    if ReaderScreen.readsNewLine(after: stroke), screen.showMessage(of: contents) { return true }
    let name = contents.current.map { contents.rows[$0].name }
    if ReaderScreen.hidesCursorLine(after: stroke), screen.clearCursorLine(except: name) {
      outputs.announcer?.waitForScreen()
    }
    return false
  }

  /// Whether the screen reader reads the screen.
  private var isHeard: Bool {
    outputs.screen?.isRead ?? false && outputs.announcer?.isListening ?? false
  }

  /// The ways in which words can be painted unread.
  private func ways(_ screen: any Screen) -> ReaderScreen.Ways {
    ReaderScreen.Ways(
      readsInsertedText: outputs.announcer?.readsInsertedText ?? false, scrolls: screen.scrolls,
      isMarked: screen.tellsWhole && outputs.announcer?.skipsMarkedText ?? false)
  }

  private func run(_ command: CommandName, key: String, by stroke: KeyStroke? = nil) {
    note(command.rawValue, key: key, .command(command), by: stroke)
    if command == .redraw { mustPaint = true }
    apply(.command(command), by: stroke)
  }

  /// Returns whether the name was found.
  @discardableResult
  private func search(_ text: String) -> Bool {
    keyPressed()
    let text = SpokenName.clean(text)
    note("type-ahead", key: text, .typeAhead(text))
    return !apply(.typeAhead(text)).contains {
      switch $0 {
      case .announce(.noMatch), .announce(.filtered(_, 0, _, _)): true
      default: false
      }
    }
  }

  /// Paths pasted into a line are text; elsewhere the files are picked up.
  private func take(_ places: [String]) {
    guard session.acceptsPastedPaths else {
      search(places.joined(separator: " "))
      return
    }
    keyPressed()
    note("paste", key: "", .places(places))
    apply(.places(places))
  }

  private func take(_ report: WorldReport) {
    outputs.reports?(report)
    if case .delivery(let id, let event) = report, let running = session.delivery(id) {
      narrator.transcript.delivery(id, event, running)
    }
    apply(.report(report))
  }

  // MARK: The script

  private func feedScript() {
    while !isEnding, let word = script.next(isWaiting: session.isWaiting) {
      switch word {
      case .stroke(let stroke, _): press(stroke)
      case .text(let text, let mayMiss): if !search(text), !mayMiss { endScript() }
      case .command(let command):
        keyPressed()
        run(command, key: ":" + command.rawValue)
      case .wait: break
      }
    }
    if !isEnding, script.isFinished, !session.isWaiting {
      apply(.ended)
    }
    if !isEnding, isScriptAlone, timers.isEmpty,
      let id = script.waitsInVain(isWaiting: session.isWaiting)
    {
      result.unmetWait = id
      endScript()
      apply(.ended)
    }
  }

  /// Ends the script and cancels the drag, so that nothing happens at another place or with another
  /// item than the one named.
  private func endScript() {
    result.hasMissed = true
    script.close(dropping: true)
    if session.phase.carry != nil { apply(.command(.cancel)) }
  }

  // MARK: Effects

  /// - Parameter decided: called with the effects before any is carried out.
  @discardableResult
  private func apply(
    _ input: SessionInput, by stroke: KeyStroke? = nil,
    _ decided: ([Effect]) -> Void = { _ in }
  ) -> [Effect] {
    let before = session.keysPhase
    let effects = session.apply(input, by: stroke)
    decided(effects)
    if session.keysPhase != before { outputs.phases?(session.keysPhase) }
    let announcements = effects.compactMap(\.announcement)
    // What is painted after a message ends it on a braille display.
    if let screen = outputs.screen, !announcements.isEmpty, !session.isTyping, isHeard,
      ReaderScreen.isQuiet(after: lastStroke, ways(screen)),
      !ReaderScreen.isQuiet(after: lastStroke)
    {
      outputs.announcer?.waitForScreen()
    }
    tell(effects, isPainted: paintsMessage(of: announcements))
    for announcement in announcements { script.announced(announcement.id) }
    for effect in effects { perform(effect) }
    narrator.transcript.state(session.state, phrases: phrases)
    if narrator.takeLostTranscript() { apply(.report(.problem(.transcriptClosed))) }
    if let teacher = outputs.teacher {
      for announcement in announcements {
        if let lesson = teacher(announcement) { apply(.report(.lesson(lesson))) }
      }
    }
    needsPaint = true
    return effects
  }

  /// Delivers announcements; a deferred key goes into the transcript before what it led to.
  private func tell(_ effects: [Effect], isPainted: Bool) {
    var announcements: [Announcement] = []
    for effect in effects {
      switch effect {
      case .announce(let announcement): announcements.append(announcement)
      case .took(let command, let key):
        narrator.tell(announcements, isPainted: isPainted)
        announcements = []
        narrator.transcript.command(command, key: key)
      default: break
      }
    }
    narrator.tell(announcements, at: session.standing, isPainted: isPainted)
  }

  private func perform(_ effect: Effect) {
    switch effect {
    case .announce, .took: break
    case .request(let id, let request):
      let send = send
      outputs.requests?(request)
      world.perform(request, id: id) { send(.report($0)) }
    case .startTimer(let timer, let milliseconds): start(timer, milliseconds)
    case .cancelTimer(let timer): timers.removeValue(forKey: timer)?.cancel()
    case .silence: narrator.silence()
    case .repaint: needsPaint = true
    case .quit: isEnding = true
    case .interrupt:
      // What runs is cancelled and reports its own end, but a hung disk may not.
      isEnding = true
      world.cancelHistory()
      result.signal = result.signal ?? 2
      Task { [send, clock] in
        try? await clock.sleep(for: Self.cancelPatience)
        send(.drained)
      }
    }
  }

  private func start(_ timer: SessionTimer, _ milliseconds: Int) {
    timers[timer]?.cancel()
    timers[timer] = sendLater(.timer(timer), after: .milliseconds(milliseconds))
  }

  private func sendLater(_ event: RunnerEvent, after wait: Duration) -> Task<Void, Never> {
    Task { [send, clock] in
      do {
        try await clock.sleep(for: wait)
        send(event)
      } catch {
        // Cancelled: the event that it guarded has come.
      }
    }
  }

  private func paint() {
    needsPaint = false
    outputs.announcer?.show(session.scene(phrases.spoken))
    guard let screen = outputs.screen else { return }
    let isHeard = isHeard
    var frame = session.screen(height: 1, top: top, phrases: phrases, message: narrator.message)
    let ways = ways(screen)
    frame.isHeard = isHeard
    frame.isMarked = ways.isMarked
    let height = screen.visibleRows(for: frame)
    var contents = session.screen(
      height: height, top: top, phrases: phrases, message: narrator.message)
    contents.isHeard = isHeard
    contents.isMarked = ways.isMarked
    contents.keepsCursor = ReaderScreen.readsLine(after: lastStroke)
    contents.mayAdd = lastStroke.map { [.backspace, .delete].contains($0.key) } ?? false
    guard !isHeard || mustPaint || ReaderScreen.isQuiet(after: lastStroke, ways) else {
      return screen.hold(contents)
    }
    mustPaint = false
    top = contents.firstRow
    screen.show(contents)
    // A reader would read the columns with every line.
    if isHeard { return }
    let shown = SessionInput.shown(
      contents.rows.compactMap(\.source), showsPreview: screen.hasPreview)
    for effect in session.apply(shown) { perform(effect) }
  }
}
