import KeyDragCore

/// Delivers a run's announcements: to the screen reader if one is listening, otherwise to the
/// voice, and always as text, transcript and recording.
///
/// Owned by the runner, which passes it the session's announcements and the reports of the voice
/// and the reader.
struct Narrator {
  private var outputs: Outputs
  private let phrases: Phrasebook
  private let clock: any Clock<Duration>
  /// Everything said and done, for as long as it can be written.
  var transcript: Transcript
  private var queue = AnnouncementQueue()
  private var readerMessages = ReaderMessages()
  private var longNames = LongNames()
  private(set) var message = ""
  /// The parts of ``message`` before the first key; the focused item may arrive later.
  private var firstWords = (greeting: "", item: "", lesson: "", remarks: "")
  private var hasBeenPressed = false
  /// The screen reader has accepted ``message``.
  private var isMessageRead = false
  /// Whether the screen reader is probably still saying that a drop can't be undone: it does not
  /// report what it has said.
  private var readerWarning: (@Sendable () -> Bool)?
  /// The last message that the screen reader was given is one that an outcome makes pointless.
  private var isProgressRead = false
  /// The longest time that the screen reader still speaks; `nil` once cut off.
  private var readerTime: (@Sendable () -> Duration)?
  /// Progress messages that wait until the reader is silent, the newest of each kind.
  private var deferredProgress: [(announcement: Announcement, text: String)] = []
  private var hasToldOfVoice = false
  private var hasLostText = false
  private var hasLostRecording = false

  init(_ outputs: Outputs, _ phrases: Phrasebook, on clock: any Clock<Duration>) {
    self.outputs = outputs
    self.phrases = phrases
    self.clock = clock
    transcript = Transcript(sink: outputs.transcript)
  }

  // MARK: Keys

  /// Whether a key would cut off the warning that a drop can't be undone, or has.
  var isWarningAtRisk: Bool { queue.isWarningAtRisk || readerWarning?() ?? false }

  /// Stops the voice for a key; returns whether a warning was not heard to its end.
  mutating func cutOff() -> Bool {
    hasBeenPressed = true
    silence()
    defer { readerWarning = nil }
    return queue.takeLostWarning() || readerWarning?() ?? false
  }

  /// Lets speech continue after a key. A screen reader is cut off by any key, so it says it again.
  mutating func goOn() {
    hasBeenPressed = true
    outputs.announcer?.sayAgain()
  }

  mutating func silence() {
    (readerTime, deferredProgress) = (nil, [])
    perform(queue.keyPressed())
  }

  // MARK: Announcements

  /// Tells what one input has led to, in its order.
  ///
  /// - Parameters:
  ///   - place: the words with which a braille display is to begin.
  ///   - isPainted: the screen reader reads them from the screen.
  mutating func tell(_ all: [Announcement], at place: String = "", isPainted: Bool = false) {
    let announcements = all.filter {
      if phrases.verbosity == .brief, case .points = $0 { false } else { true }
    }
    var batch: [AnnouncementQueue.Entry] = []
    var rest = announcements[...]
    while let first = rest.popFirst() {
      let isPair = rest.first.map { AnnouncementQueue.isOne(first.id, $0.id) } ?? false
      let words = ([first] + (isPair ? [rest.removeFirst()] : [])).map { announcement in
        let cuts = longNames.cuts(in: phrases.arguments(announcement))
        return (announcement: announcement, cuts: cuts)
      }
      let texts = words.map { LongNames.apply($0.cuts, to: phrases.read.text($0.announcement)) }
      // The cells of a braille display are few: the place comes before what was picked up.
      let isPlaceLast = if case .dropPoint = words.last?.announcement { true } else { false }
      let isTyped = if case .echo = words[0].announcement { true } else { false }
      let named = !isTyped && texts.contains { $0.contains(place) } ? [] : [place]
      let shown = named + (isPlaceLast ? texts.reversed() : texts)
      let rung = hand(
        words.map(\.announcement), texts.joined(separator: " "),
        shown: shown.joined(separator: "  "), isPainted: isPainted)
      batch += words.compactMap { tell($0.announcement, $0.cuts, by: rung) }
    }
    // Words first: nothing on the way from key to speech waits for the rest.
    if !batch.isEmpty { perform(queue.add(batch)) }
  }

  /// Returns what is left for the voice.
  private mutating func tell(
    _ announcement: Announcement, _ cuts: [String: String], by rung: ReaderRoute?
  ) -> AnnouncementQueue.Entry? {
    let text = phrases.text(announcement)
    let utterance = utterance(announcement, cuts)
    transcript.announcement(
      announcement, text: text, spoken: utterance.text,
      by: rung.map(Channel.init) ?? outputs.channel, phrases: phrases)
    if !text.isEmpty {
      message = shown(announcement, text)
      isMessageRead = rung != nil
    }
    write(text)
    outputs.recorder?.speak(utterance)
    outputs.listener?(announcement, text)
    guard rung != nil else { return entry(announcement, utterance) }
    if announcement.warns {
      readerWarning = { [time = clock.stopwatch(), length = duration(text)] in time() < length }
    }
    // The reader speaks the words but not the sound.
    guard utterance.earcon != nil else { return nil }
    var sound = utterance
    sound.text = ""
    var entry = entry(announcement, sound)
    entry?.warns = false
    return entry
  }

  /// Hands words to the screen reader, which takes nothing back: progress messages wait until it is
  /// silent, since a newer one or the outcome makes them pointless.
  ///
  /// - Parameters:
  ///   - announcements: said as one.
  ///   - shown: what stays on a braille display.
  private mutating func hand(
    _ announcements: [Announcement], _ text: String, shown: String? = nil, isPainted: Bool = false
  ) -> ReaderRoute? {
    let id = announcements[0].id
    if AnnouncementQueue.outcomes.contains(id) { deferredProgress = [] }
    if AnnouncementQueue.underWay.contains(id), readerWait != nil,
      let rung = outputs.announcer?.rung
    {
      deferredProgress.removeAll { $0.announcement.id == id }
      deferredProgress.append((announcements[0], text))
      return rung
    }
    let cutsOff = isProgressRead && readerWait != nil && AnnouncementQueue.outcomes.contains(id)
    let rung = readerMessages.hand(
      announcements, text, shown: shown ?? text, cutsOff: cutsOff, isPainted: isPainted,
      to: outputs.announcer)
    isProgressRead = AnnouncementQueue.underWay.contains(id)
    if rung != nil {
      let end = (cutsOff ? .zero : readerWait ?? .zero) + duration(text)
      readerTime = { [time = clock.stopwatch()] in end - time() }
    }
    return rung
  }

  /// The longest time that a screen reader takes for a text.
  private func duration(_ text: String) -> Duration {
    .seconds(Double(text.count) / (outputs.announcer?.charactersPerSecond ?? 1))
  }

  /// The longest time that it still speaks; `nil` when silent.
  private var readerWait: Duration? { readerTime.map { $0() }.flatMap { $0 > .zero ? $0 : nil } }

  /// The delay until ``readerSilent()`` is due.
  var nextReading: Duration? { deferredProgress.isEmpty ? nil : readerWait ?? .zero }

  /// Called when the screen reader has said what it was given.
  mutating func readerSilent() {
    let waiting = deferredProgress
    deferredProgress = []
    for (announcement, text) in waiting where hand([announcement], text) == nil {
      move([announcement], to: nil)
    }
  }

  /// The message on the screen. Before the first key, later messages are joined to the greeting and
  /// the keys to press rather than hiding them.
  private mutating func shown(_ announcement: Announcement, _ text: String) -> String {
    switch announcement {
    case .ready where !hasBeenPressed: firstWords.greeting = text
    case .item where !hasBeenPressed: firstWords.item = phrases.closed(text)
    case .problem where !hasBeenPressed, .recovered where !hasBeenPressed,
      .lesson(.mention) where !hasBeenPressed:
      firstWords.remarks = phrases.join(firstWords.remarks, text)
    case .lesson where !hasBeenPressed: firstWords.lesson = text
    // The next lesson follows the outcome of the last step.
    case .lesson: return phrases.join(message, text)
    default: return text
    }
    return phrases.join(
      firstWords.greeting, firstWords.item, firstWords.lesson, firstWords.remarks)
  }

  /// - Parameter cuts: names to shorten.
  private func utterance(
    _ announcement: Announcement, _ cuts: [String: String] = [:]
  ) -> Utterance {
    Utterance(
      text: LongNames.apply(cuts, to: phrases.spoken.text(announcement)),
      language: phrases.catalogue.language,
      urgency: announcement.urgency, earcon: outputs.earcons ? announcement.earcon : nil)
  }

  private func entry(
    _ announcement: Announcement, _ utterance: Utterance
  ) -> AnnouncementQueue.Entry? {
    guard outputs.voice != nil else { return nil }
    return AnnouncementQueue.Entry(
      id: AnnouncementQueue.kind(of: announcement), utterance: utterance,
      mayBeDropped: announcement.mayBeDropped, warns: announcement.warns)
  }

  /// Delivers a line outside the session, after its announcements; `id` is its kind in the
  /// transcript, `seconds` the longest wait for the voice.
  mutating func tell(id: String, within seconds: Double, _ line: (Phrasebook) -> String) {
    let (text, words) = (line(phrases), line(phrases.spoken))
    write(text)
    transcript.message(id: id, text: text, spoken: words, by: outputs.channel, phrases: phrases)
    let utterance = Utterance(text: words, language: phrases.catalogue.language)
    outputs.voice?.speak(utterance)
    outputs.recorder?.speak(utterance)
    outputs.voice?.finish(within: seconds)
  }

  // MARK: What comes back

  mutating func voiceFinished() { perform(queue.finished()) }

  var isSilent: Bool { outputs.voice == nil || queue.isEmpty }

  /// A failure of the voice, returned once; everything goes on as text.
  mutating func newTrouble() -> Problem? {
    guard !hasToldOfVoice, let problem = outputs.voice?.problem else { return nil }
    hasToldOfVoice = true
    return problem
  }

  /// Reroutes a message that the screen reader did not accept, and says so in the transcript.
  mutating func move(_ message: ReaderMessage, to rung: ReaderRoute?) {
    if move(readerMessages.announcements(message), to: rung), outputs.voice?.problem == nil {
      outputs.announcer?.withdraw(message)
    }
  }

  /// Returns whether the voice says them now.
  @discardableResult
  private mutating func move(_ announcements: [Announcement], to rung: ReaderRoute?) -> Bool {
    var entries: [AnnouncementQueue.Entry] = []
    for announcement in announcements {
      var utterance = utterance(announcement)
      // The sound was played when the reader got the words.
      utterance.earcon = nil
      transcript.announcement(
        announcement, text: phrases.text(announcement), spoken: utterance.text,
        by: rung.map(Channel.init) ?? outputs.channel, phrases: phrases, isAgain: true)
      if let entry = entry(announcement, utterance) { entries.append(entry) }
    }
    guard rung == nil, !announcements.isEmpty else { return false }
    isMessageRead = false
    perform(queue.add(entries))
    return !entries.isEmpty
  }

  private func perform(_ actions: [AnnouncementQueue.Action]) {
    for action in actions {
      switch action {
      case .silence: outputs.voice?.silence()
      case .speak(let utterance): outputs.voice?.speak(utterance)
      }
    }
  }

  // MARK: On paper

  private mutating func write(_ text: String) {
    guard let output = outputs.text, !output.write(text) else { return }
    outputs.text = nil
    hasLostText = true
  }

  /// Whether the transcript can't be written any more; `true` once.
  mutating func takeLostTranscript() -> Bool {
    guard transcript.isBroken, outputs.transcript != nil else { return false }
    outputs.transcript = nil
    return true
  }

  mutating func finishRecording() -> Problem? {
    outputs.recorder?.finish(within: 120)
    guard let problem = outputs.recorder?.problem else { return nil }
    hasLostRecording = [.outputClosed, .noSynthesizer].contains(problem)
    return problem
  }

  /// Whether the text, the recording or the transcript is incomplete.
  var hasLostOutput: Bool { hasLostText || hasLostRecording || transcript.isBroken }

  /// The last message, for the screen; empty if a screen reader, which reads that too, has it.
  var lastMessage: String { isMessageRead ? "" : message }
}
