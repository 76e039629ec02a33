import KeyDragCore

/// An event that reaches the loop from outside.
package enum RunnerEvent: Sendable {
  case stroke(KeyStroke)
  /// A command from a menu or an assistive technology.
  case command(CommandName)
  /// Text that was pasted: searched for, never taken as keys.
  case text(String)
  /// Files and folders were pasted, by their absolute paths or "file:" addresses.
  case places([String])
  /// Something was pasted that is too long to be taken.
  case tooLongPaste
  case script([ScriptWord])
  case scriptEnded
  case scriptFailed(ScriptError)
  case input(SessionInput)
  case report(WorldReport)
  case timer(SessionTimer)
  case voiceIdle
  /// The screen reader has had the time to say what it was given.
  case readerIdle
  /// A message takes another way to the screen reader, or none.
  case readerMoved(ReaderMessage, ReaderRoute?)
  /// Waiting for the voice has taken long enough.
  case drained
  case resized(rows: Int)
  case resumed
  /// The person's window or connection is gone, or the system asks us to end.
  case terminate(signal: Int32)
}

/// How a run ended.
package struct RunResult: Hashable, Sendable {
  package var hasFailure: Bool
  /// Set when nothing could be done at all.
  package var fatalReason: Reason?
  /// The signal, or 2 for an interruption by key, that ended the run.
  package var signal: Int32?
  package var scriptError: ScriptError?
  /// Whether a name in the script was not found, so that what came after it was not done.
  package var hasMissed = false
  /// The announcement that the script waited for and that could not come any more.
  package var waitedInVain: String?
}

/// The only loop: take an input, apply it, run the effects, show what came of it.
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
  /// The person asked for the screen itself.
  private var mustPaint = false
  private var top = 0
  private var needsPaint = false
  private var isEnding = false
  private var result = RunResult(hasFailure: false)
  /// How long what runs may take to end after it was cancelled with the whole run: a disk may hang.
  private static let cancelPatience = Duration.milliseconds(1500)
  private let clock: any Clock<Duration>
  private let isScriptAlone: Bool
  private let events: AsyncStream<RunnerEvent>
  /// Sends events to the loop, from any thread.
  package nonisolated let send: @Sendable (RunnerEvent) -> Void

  /// - Parameters:
  ///   - isScriptAlone: whether nobody but the script gives commands.
  ///   - clock: what every wait, and the time since something was said, is measured on.
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

  /// Runs until the session has ended; `inputs` are given before anything else.
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
        if isEnding, session.deliveries.isEmpty { break }
        if case .drained = event { break }
      }
    }
    for timer in timers.values { timer.cancel() }
    readerTimer?.cancel()
    result.hasFailure = session.hasFailure
    result.fatalReason = session.fatalReason
    return result
  }

  /// Lets the reader and the voice say what still waits, and returns when it has or the time is over.
  ///
  /// - Parameters:
  ///   - seconds: the longest wait; a person who has quit should not wait long.
  ///   - isTold: also after a signal, which stands for something that the person has to hear.
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
      if case .voiceIdle = event { hearVoice() }
      if narrator.isSilent { break }
    }
    deadline.cancel()
    voice.finish(within: 1)
    // A session may be over before its first word is, by which a voice notices that it has no sound.
    checkVoice()
  }

  /// Lets the screen reader ask about what it was given; what it did not take is told after all.
  private func finishReading() async {
    guard let announcer = outputs.announcer else { return }
    announcer.finish()
    // Messages that came back were sent before this event.
    send(.drained)
    for await event in events {
      if case .drained = event { break }
      if case .readerMoved(let message, let rung) = event { narrator.move(message, to: rung) }
      if case .voiceIdle = event { hearVoice() }
    }
  }

  /// The voice has said something to its end.
  private func hearVoice() {
    narrator.hearVoice()
    checkVoice()
  }

  /// A part of the voice that does not work is said once; everything goes on as text.
  private func checkVoice() {
    guard let problem = narrator.newTrouble() else { return }
    apply(.report(.problem(problem)))
  }

  /// Tells a line that is no announcement of the session, after all of those.
  ///
  /// - Parameters:
  ///   - id: what kind of line it is, for the transcript.
  ///   - line: the line in the wording that it is given.
  package func tell(id: String, within seconds: Double, _ line: (Phrasebook) -> String) {
    narrator.tell(id: id, within: seconds, line)
  }

  /// Waits for the recording, and tells what did not work about it.
  package func finishRecording() {
    guard let problem = narrator.finishRecording() else { return }
    say(problem)
  }

  /// Whether text, the recording or the transcript could not be written to its end.
  package var hasLostOutput: Bool { narrator.hasLostOutput }

  /// Writes the last line of the transcript.
  package func end(status: Int32) { narrator.transcript.end(status: status) }

  /// The message said last, to be left behind on the screen; empty where a screen reader, which
  /// reads that too, has it.
  package var lastMessage: String { narrator.lastMessage }

  /// Whether no folder that was given could be listed.
  package var hasNoContainer: Bool { session.hasNoContainer }

  /// Says a problem that was found outside the session.
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
      // These are told of by a key of their own.
      case .finding, .findingEnded: keyPressed()
      default: break
      }
      apply(input)
    case .report(let report): take(report)
    case .timer(let timer):
      timers[timer] = nil
      apply(.timer(timer))
    case .voiceIdle: hearVoice()
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
      result.signal = signal
      apply(.command(.interrupt))
    }
  }

  /// Everything an event leads to has been applied: feed the script, then paint once.
  private func afterEvent() {
    feedScript()
    readerTimer?.cancel()
    readerTimer = narrator.nextReading.map { wait in sendLater(.readerIdle, after: wait) }
    if needsPaint { paint() }
  }

  /// Stops the voice; a person who has not heard that a drop can't be undone will hear it again.
  private func keyPressed() { if narrator.cutOff() { apply(.unheard) } }

  private func press(_ stroke: KeyStroke, name: String? = nil) {
    lastStroke = stroke
    clearCursorLine(for: stroke)
    let key = name ?? stroke.name
    // Of a longer chord the last stroke alone means nothing.
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

  /// Writes the key into the transcript; one that has to wait is written when it is carried out.
  private func note(
    _ command: String, key: String, _ input: SessionInput, by stroke: KeyStroke? = nil
  ) {
    if !session.holds(input, by: stroke) { narrator.transcript.command(command, key: key) }
  }

  /// Takes a letter. One of a name that has nothing said and leads nowhere else does not cut off what
  /// is being said of the place, which is not said again.
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

  /// Takes what stood at the cursor away before the words of a key after which it can't be brought up to
  /// date: a braille display that has shown those shows it again.
  private func clearCursorLine(for stroke: KeyStroke) {
    guard let screen = outputs.screen, isHeard, ReaderScreen.hidesCursorLine(after: stroke),
      !ReaderScreen.isQuiet(after: lastStroke, ways(screen))
    else { return }
    if screen.clearCursorLine() { outputs.announcer?.waitForScreen() }
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

  /// - Returns: whether something is called so.
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

  /// What is pasted into a line is its text; elsewhere files are picked up.
  private func take(_ places: [String]) {
    guard session.takesPlaces else {
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
      result.waitedInVain = id
      endScript()
      apply(.ended)
    }
  }

  /// Nothing is done at another place than the one that was named, nor with another item.
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
    tell(effects)
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

  /// Says what is to be said, with each key that had waited before what it led to.
  private func tell(_ effects: [Effect]) {
    var announcements: [Announcement] = []
    for effect in effects {
      switch effect {
      case .announce(let announcement): announcements.append(announcement)
      case .took(let command, let key):
        narrator.tell(announcements)
        announcements = []
        narrator.transcript.command(command, key: key)
      default: break
      }
    }
    narrator.tell(announcements, at: session.standing)
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
      // Running deliveries are cancelled and end by themselves, so that their end is told; a hung
      // disk may not.
      isEnding = true
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
        // Cancelled: what it waited for has come.
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
    // A reader would read the columns out with every line.
    if isHeard { return }
    for effect in session.apply(.shown(contents.rows.compactMap(\.source))) { perform(effect) }
  }
}
