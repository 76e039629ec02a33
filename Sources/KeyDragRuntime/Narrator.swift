import KeyDragCore

/// Tells a run's announcements: through the screen reader where one listens, else by the voice; and
/// in any case on paper, as text, transcript and recording.
///
/// Owned by the runner, which gives it what the session says and what the voice and the reader
/// report.
struct Narrator {
  private var outputs: Outputs
  private let phrases: Phrasebook
  private let clock: any Clock<Duration>
  /// Everything that is said and done, as long as it can be written.
  var transcript: Transcript
  private var queue = AnnouncementQueue()
  private var readerMessages = ReaderMessages()
  private var longNames = LongNames()
  /// The message that the screen shows.
  private(set) var message = ""
  /// The messages before the first key: where the person is and what to press, the item in focus where
  /// it comes later, and the rest.
  private var firstWords = (greeting: "", item: "", lesson: "", remarks: "")
  /// Whether any key or command has come.
  private var hasBeenPressed = false
  /// The screen reader has taken ``message``.
  private var isMessageRead = false
  /// Whether the screen reader is likely to be saying still that a drop can't be undone: it does not
  /// tell what it has said.
  private var readerWarning: (@Sendable () -> Bool)?
  /// The last message that the screen reader was given is one that an outcome makes pointless.
  private var isProgressRead = false
  /// How long the screen reader goes on speaking at most; nothing where it has been cut off since.
  private var readerTime: (@Sendable () -> Duration)?
  /// What waits for its end, the newest of each kind.
  private var overtakable: [(announcement: Announcement, text: String)] = []
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

  /// Whether a key would cut off a warning that a drop can't be undone, or one has been.
  var isWarningAtRisk: Bool { queue.isWarningAtRisk || readerWarning?() ?? false }

  /// Stops the voice, for a key.
  ///
  /// - Returns: whether a warning has not been heard to its end.
  mutating func cutOff() -> Bool {
    hasBeenPressed = true
    silence()
    defer { readerWarning = nil }
    return queue.takeLostWarning() || readerWarning?() ?? false
  }

  /// Lets what is being said go on, though a key was pressed: a screen reader is cut off by any.
  mutating func goOn() {
    hasBeenPressed = true
    outputs.announcer?.sayAgain()
  }

  mutating func silence() {
    (readerTime, overtakable) = (nil, [])
    perform(queue.keyPressed())
  }

  // MARK: Announcements

  /// Tells what one input has led to, in its order.
  ///
  /// - Parameter place: the words with which a braille display is to begin.
  mutating func tell(_ all: [Announcement], at place: String = "") {
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
        shown: shown.joined(separator: "  "))
      batch += words.compactMap { tell($0.announcement, $0.cuts, by: rung) }
    }
    // Words first: nothing on the way from key to speech waits for the rest.
    if !batch.isEmpty { perform(queue.add(batch)) }
  }

  /// - Returns: what the voice is to say of it.
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
    // The words are the reader's, the sound is not.
    guard utterance.earcon != nil else { return nil }
    var sound = utterance
    sound.text = ""
    var entry = entry(announcement, sound)
    entry?.warns = false
    return entry
  }

  /// Hands words to the screen reader; what an outcome or a newer message of its kind makes pointless waits
  /// until it has said what it was given: nothing can be taken back from it.
  ///
  /// - Parameters:
  ///   - announcements: said as one.
  ///   - shown: what stays on a braille display.
  private mutating func hand(
    _ announcements: [Announcement], _ text: String, shown: String? = nil
  ) -> ReaderRoute? {
    let id = announcements[0].id
    if AnnouncementQueue.outcomes.contains(id) { overtakable = [] }
    if AnnouncementQueue.underWay.contains(id), readerWait != nil,
      let rung = outputs.announcer?.rung
    {
      overtakable.removeAll { $0.announcement.id == id }
      overtakable.append((announcements[0], text))
      return rung
    }
    let cutsOff = isProgressRead && readerWait != nil && AnnouncementQueue.outcomes.contains(id)
    let rung = readerMessages.hand(
      announcements, text, shown: shown ?? text, cutsOff: cutsOff, to: outputs.announcer)
    isProgressRead = AnnouncementQueue.underWay.contains(id)
    if rung != nil {
      let end = (cutsOff ? .zero : readerWait ?? .zero) + duration(text)
      readerTime = { [time = clock.stopwatch()] in end - time() }
    }
    return rung
  }

  /// How long a screen reader takes for a text at most.
  private func duration(_ text: String) -> Duration {
    .seconds(Double(text.count) / (outputs.announcer?.charactersPerSecond ?? 1))
  }

  /// How long it goes on speaking; `nil` where it is silent.
  private var readerWait: Duration? { readerTime.map { $0() }.flatMap { $0 > .zero ? $0 : nil } }

  /// When ``readerSilent()`` is to be called.
  var nextReading: Duration? { overtakable.isEmpty ? nil : readerWait ?? .zero }

  /// The screen reader has said what it was given.
  mutating func readerSilent() {
    let waiting = overtakable
    overtakable = []
    for (announcement, text) in waiting where hand([announcement], text) == nil {
      move([announcement], to: nil)
    }
  }

  /// The message on the screen: before the first key nothing covers what to press, nor that covers what
  /// else there is to know at the start.
  private mutating func shown(_ announcement: Announcement, _ text: String) -> String {
    switch announcement {
    case .ready where !hasBeenPressed: firstWords.greeting = text
    case .item where !hasBeenPressed: firstWords.item = phrases.closed(text)
    case .problem where !hasBeenPressed, .recovered where !hasBeenPressed,
      .lesson(.mention) where !hasBeenPressed:
      firstWords.remarks = phrases.join(firstWords.remarks, text)
    case .lesson where !hasBeenPressed: firstWords.lesson = text
    // The next lesson stands behind the outcome of the last step.
    case .lesson: return phrases.join(message, text)
    default: return text
    }
    return phrases.join(
      firstWords.greeting, firstWords.item, firstWords.lesson, firstWords.remarks)
  }

  /// - Parameter cuts: names that are not said in full.
  private func utterance(
    _ announcement: Announcement, _ cuts: [String: String] = [:]
  ) -> Utterance {
    Utterance(
      text: LongNames.apply(cuts, to: phrases.spoken.text(announcement)),
      language: phrases.catalogue.language,
      urgency: announcement.urgency, earcon: outputs.earcons ? announcement.earcon : nil)
  }

  /// The entry that the voice is to say; `nil` without a voice.
  private func entry(
    _ announcement: Announcement, _ utterance: Utterance
  ) -> AnnouncementQueue.Entry? {
    guard outputs.voice != nil else { return nil }
    return AnnouncementQueue.Entry(
      id: announcement.id, utterance: utterance, mayBeDropped: announcement.mayBeDropped,
      warns: announcement.warns)
  }

  /// Tells a line that is no announcement of the session, after all of those.
  ///
  /// - Parameters:
  ///   - id: what kind of line it is, for the transcript.
  ///   - seconds: the longest wait for the voice.
  ///   - line: the line in the wording that it is given.
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

  /// The voice has said something to its end.
  mutating func hearVoice() { perform(queue.finished()) }

  /// Whether the voice has nothing to say, or there is none.
  var isSilent: Bool { outputs.voice == nil || queue.isEmpty }

  /// The part of the voice that does not work, once: everything goes on as text.
  mutating func newTrouble() -> Problem? {
    guard !hasToldOfVoice, let problem = outputs.voice?.problem else { return nil }
    hasToldOfVoice = true
    return problem
  }

  /// The screen reader did not take a message: it is told in another way, and the transcript says so.
  mutating func move(_ message: ReaderMessage, to rung: ReaderRoute?) {
    if move(readerMessages.announcements(message), to: rung), outputs.voice?.problem == nil {
      outputs.announcer?.withdraw(message)
    }
  }

  /// - Returns: whether the voice says them now.
  @discardableResult
  private mutating func move(_ announcements: [Announcement], to rung: ReaderRoute?) -> Bool {
    var entries: [AnnouncementQueue.Entry] = []
    for announcement in announcements {
      var utterance = utterance(announcement)
      // It was played when the reader was given the words.
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

  /// The transcript can't be written any more, told once.
  mutating func takeLostTranscript() -> Bool {
    guard transcript.isBroken, outputs.transcript != nil else { return false }
    outputs.transcript = nil
    return true
  }

  /// Waits for the recording.
  ///
  /// - Returns: what did not work about it.
  mutating func finishRecording() -> Problem? {
    outputs.recorder?.finish(within: 120)
    guard let problem = outputs.recorder?.problem else { return nil }
    hasLostRecording = [.outputClosed, .noSynthesizer].contains(problem)
    return problem
  }

  /// Whether text, the recording or the transcript could not be written to its end.
  var hasLostOutput: Bool { hasLostText || hasLostRecording || transcript.isBroken }

  /// The message said last, to be left behind on the screen; empty where a screen reader, which
  /// reads that too, has it.
  var lastMessage: String { isMessageRead ? "" : message }
}
