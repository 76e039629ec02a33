import Synchronization
import Testing
import ToldDesktop

@testable import KeyDragCore
@testable import KeyDragRuntime

/// A screen reader that takes the first messages by one way, and gives some back.
private final class FakeReader: Announcer {
  private struct State {
    var messages: [ReaderMessage] = []
    var texts: [String] { messages.map(\.text) }
    var change: (@Sendable (ReaderMessage, ReaderRoute?) -> Void)?
    var scene: DragScene?
    var withdrawn: [String] = []
  }

  private let state = Mutex(State())
  private let takes: Int
  private let next: ReaderRoute?
  private let journal: Journal?
  /// Whether it is Orca 48.
  let skipsMarkedText: Bool
  var readsInsertedText: Bool { skipsMarkedText }

  /// - Parameters:
  ///   - takes: how many messages it takes.
  ///   - next: the way that the last of these takes in the end.
  init(takes: Int, next: ReaderRoute?, _ journal: Journal? = nil, skipsMarkedText: Bool = false) {
    (self.takes, self.next, self.journal) = (takes, next, journal)
    self.skipsMarkedText = skipsMarkedText
  }

  var messages: [ReaderMessage] { state.withLock { $0.messages } }
  var texts: [String] { messages.map(\.text) }
  var scene: DragScene? { state.withLock { $0.scene } }
  var withdrawn: [String] { state.withLock { $0.withdrawn } }
  var rung: ReaderRoute? { takes > 0 ? .atspi : nil }

  func announce(_ message: ReaderMessage) -> ReaderRoute? {
    let count = state.withLock { state -> Int in
      guard state.texts.count < takes else { return 0 }
      state.messages.append(message)
      return state.texts.count
    }
    journal?.note("read " + message.text)
    let change = state.withLock { $0.change }
    if count == takes { change?(message, next) }
    return count > 0 ? rung : nil
  }

  func withdraw(_ message: ReaderMessage) {
    state.withLock { $0.withdrawn.append(message.text) }
  }

  func onChange(_ handler: @escaping @Sendable (ReaderMessage, ReaderRoute?) -> Void) {
    state.withLock { $0.change = handler }
  }

  func onCommand(_ handler: @escaping @Sendable (CommandName) -> Void) { handler(.nextItem) }
  func show(_ scene: @autoclosure () -> DragScene) {
    let scene = scene()
    state.withLock { $0.scene = scene }
  }
  func finish() {}
}

/// A voice that notes its sounds, and is ready for the next at once.
private final class SoundVoice: Voice {
  private let journal: Journal
  private let idle = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ journal: Journal) { self.journal = journal }

  func speak(_ utterance: Utterance) {
    journal.note("say \(utterance.text) with \(utterance.earcon?.rawValue ?? "nothing")")
    idle.withLock { $0 }?()
  }

  func silence() {}
  func finish(within deadline: Double) {}
  func onIdle(_ handler: @escaping @Sendable () -> Void) { idle.withLock { $0 = handler } }
  var problem: Problem? { nil }
}

/// What the loop gives to a screen reader.
struct ReaderTests {
  private let journal = Journal()
  private let sink = LineSink()

  /// Two messages: where the session begins, and the item that the reader itself asks for.
  private func run(_ reader: FakeReader) async throws -> [String] {
    var outputs = Outputs()
    outputs.transcript = sink
    outputs.voice = FakeVoice(journal)
    outputs.announcer = reader
    let runner = Runner(
      session: Session(roots: [FakeWorld.inbox, FakeWorld.docs]), world: FakeWorld(journal),
      outputs: outputs, phrases: Phrasebook(), script: try KeyScript.parse("@item"))
    _ = await runner.run([.start])
    await runner.finishSpeaking(within: 0)
    return journal.events.filter { $0.hasPrefix("say") }
  }

  private var ways: [String] {
    sink.lines.filter { $0.contains("\"kind\":\"announcement\"") }.map { line in
      let by = line.split(separator: "\"by\":\"")[1].prefix { $0 != "\"" }
      return by + (line.contains("\"again\":true") ? " again" : "")
    }
  }

  @Test("What the reader takes is not spoken", .timeLimit(.minutes(5)))
  func taken() async throws {
    let reader = FakeReader(takes: 10, next: nil)
    #expect(try await run(reader).isEmpty)
    #expect(reader.texts == ["Inbox, 2 files. a.txt. Space picks up.", "notes.txt, 2 of 2"])
    #expect(ways == ["atspi", "atspi"])
  }

  @Test("What the reader gives back is spoken, and the transcript says so", .timeLimit(.minutes(5)))
  func givenBack() async throws {
    let reader = FakeReader(takes: 1, next: nil)
    let said = try await run(reader)
    // The voice is still at the first of the two.
    #expect(said == ["say notes.txt, 2 of 2"])
    #expect(ways.sorted() == ["atspi", "speech", "speech again"])
    #expect(reader.withdrawn == reader.texts, "a reader that wakes up does not say it, too")
  }

  @Test("What takes the next rung is not spoken either", .timeLimit(.minutes(5)))
  func moved() async throws {
    let reader = FakeReader(takes: 2, next: .notification)
    #expect(try await run(reader).isEmpty)
    #expect(ways.sorted().prefix(2) == ["atspi", "atspi"])
    #expect(reader.withdrawn.isEmpty)
  }

  @Test(
    "While a reader listens, words are painted only after keys that it reads nothing after",
    .timeLimit(.minutes(5)),
    arguments: [
      ("@item", 10, nil), ("@item space @drop-point", 10, nil), ("@item space down", 10, true),
      ("@item down", 10, true), (":redraw", 10, true), ("@item space @drop-point", 0, false),
    ] as [(String, Int, Bool?)])
  func painting(keys: String, takes: Int, isHeard: Bool?) async throws {
    var outputs = Outputs()
    let screen = FakeScreen(journal)
    outputs.screen = screen
    outputs.announcer = FakeReader(takes: takes, next: .atspi)
    let runner = Runner(
      session: Session(roots: [FakeWorld.inbox, FakeWorld.docs]), world: FakeWorld(journal),
      outputs: outputs, phrases: Phrasebook(), script: try KeyScript.parse(keys))
    _ = await runner.run([.start])
    #expect(screen.contents?.isHeard == isHeard)
    #expect(journal.events.contains("hold") == (takes > 0))
    // What the reader has is not left in the terminal, where it would read it too.
    #expect(await runner.lastMessage.isEmpty == (takes > 0))
  }

  @Test("T11 Orca 48 reads the item that Down comes to from the line that a braille display keeps")
  func line() async throws {
    let reader = FakeReader(takes: 100, next: nil, skipsMarkedText: true)
    var outputs = Outputs()
    outputs.screen = FakeScreen(journal, tellsWhole: true)
    (outputs.transcript, outputs.announcer) = (sink, reader)
    let runner = Runner(
      session: Session(roots: [FakeWorld.inbox, FakeWorld.docs]), world: FakeWorld(journal),
      outputs: outputs, phrases: Phrasebook(),
      script: try KeyScript.parse("@item up down down ctrl+t"))
    _ = await runner.run([.start])
    let painted = reader.messages.filter(\.isPainted).map(\.text)
    #expect(painted == ["a.txt, 1 of 2", "notes.txt, 2 of 2"])
    #expect(reader.texts.suffix(2) == ["Last.", "notes.txt selected. 1 in all."])
    let changes = journal.events.filter { $0.hasPrefix("line") || $0.hasPrefix("clear") }
    #expect(
      changes == [
        "line a.txt, 1 of 2", "line notes.txt, 2 of 2", "clear except notes.txt",
        "clear except notes.txt",
      ])
    #expect(Set(ways) == ["atspi"])
  }

  @Test("T11 a braille display begins with the place, and with the line that is typed")
  func display() async throws {
    let reader = FakeReader(takes: 20, next: .atspi)
    var outputs = Outputs()
    outputs.announcer = reader
    let runner = Runner(
      session: Session(roots: [FakeWorld.inbox, FakeWorld.docs]), world: FakeWorld(journal),
      outputs: outputs, phrases: Phrasebook(),
      script: try KeyScript.parse("@item space @drop-point"))
    _ = await runner.run([.start])
    let pickUp = try #require(reader.messages.first { $0.text.hasPrefix("Picked up") })
    let shown = pickUp.shown.prefix(40)
    #expect(!pickUp.shown.hasPrefix("Picked up") && shown.contains("Docs: copy"), "\(pickUp.shown)")
    #expect(pickUp.shown.contains("Picked up"))
  }

  @Test("The words are the reader's, the sound is still the voice's", .timeLimit(.minutes(5)))
  func earcon() async throws {
    var outputs = Outputs()
    outputs.earcons = true
    outputs.voice = SoundVoice(journal)
    outputs.announcer = FakeReader(takes: 10, next: .atspi)
    let runner = Runner(
      session: Session(roots: [FakeWorld.inbox, FakeWorld.docs]), world: FakeWorld(journal),
      outputs: outputs, phrases: Phrasebook(), script: try KeyScript.parse("@item space"))
    _ = await runner.run([.start])
    let sounds = journal.events.filter { $0.hasPrefix("say") }
    #expect(sounds.contains("say  with pick-up"))
    #expect(sounds.allSatisfy { $0.hasPrefix("say  with ") })
  }

  /// A world in which a delivery gets on when it is told to.
  private func copying(
    _ reader: FakeReader, _ clock: ToldClock
  ) async throws -> (runner: Runner, result: Task<RunResult, Never>) {
    var outputs = Outputs()
    (outputs.transcript, outputs.announcer) = (sink, reader)
    let world = FakeWorld(journal) { if case .deliver = $0 { true } else { false } }
    let runner = Runner(
      session: Session(roots: [FakeWorld.inbox, FakeWorld.docs]), world: world, outputs: outputs,
      phrases: Phrasebook(), script: try KeyScript.parse("@item space @drop-point enter"),
      isScriptOpen: true, clock: clock)
    let result = Task { await runner.run([.start]) }
    await journal.wait(for: "ask deliver")
    return (runner, result)
  }

  private func progress(_ percent: Int) -> RunnerEvent {
    var progress = DeliveryProgress(bytesTotal: 1 << 30)
    progress.bytesDone = (1 << 30) / 100 * Int64(percent) + 100
    return .report(.delivery(DeliveryID(1), .progressed(progress)))
  }

  private var started: RunnerEvent {
    .report(.delivery(DeliveryID(1), .started(DeliveryProgress(bytesTotal: 1 << 30))))
  }

  private func end(_ outcome: DeliveryOutcome) -> RunnerEvent {
    .report(
      .delivery(
        DeliveryID(1),
        .finished(
          DeliveryResult(
            outcome: outcome, route: .files, delivered: 1, bytes: 1 << 30, totalBytes: 1 << 30,
            verified: true))))
  }

  @Test(
    "K01: a reader is given the pick-up with the first place, and a question with its first answer",
    .timeLimit(.minutes(5)))
  func joined() async throws {
    let reader = FakeReader(takes: 100, next: nil)
    var outputs = Outputs()
    (outputs.transcript, outputs.announcer) = (sink, reader)
    let runner = Runner(
      session: Session(roots: [FakeWorld.inbox, FakeWorld.docs]), world: FakeWorld(journal),
      outputs: outputs, phrases: Phrasebook(),
      script: try KeyScript.parse("@item space @drop-point escape f9 @choice"))
    _ = await runner.run([.start])
    let joint = reader.texts.filter { $0.hasPrefix("Picked up") || $0.contains("Actions for") }
    #expect(joint.count == 2 && joint[0].hasSuffix("Docs: copy. 1 of 1"), "\(reader.texts)")
    #expect(joint.last?.hasSuffix("Leave as it is. 1 of 4") == true, "\(reader.texts)")
    #expect(sink.summary.contains("drop-point") && sink.summary.contains("choice"))
  }

  @Test("What a reader gives back of two in one is spoken in one", .timeLimit(.minutes(5)))
  func jointGivenBack() async throws {
    let reader = FakeReader(takes: 3, next: nil)
    var outputs = Outputs()
    (outputs.voice, outputs.announcer) = (FakeVoice(journal), reader)
    let runner = Runner(
      session: Session(roots: [FakeWorld.inbox, FakeWorld.docs]), world: FakeWorld(journal),
      outputs: outputs, phrases: Phrasebook(),
      script: try KeyScript.parse("@item space @drop-point"), isScriptOpen: true)
    let result = Task { await runner.run([.start]) }
    await journal.wait(for: "say " + Self.pickUp)
    #expect(reader.texts.last == Self.pickUp)
    runner.send(.scriptEnded)
    _ = await result.value
  }

  private static let pickUp =
    "Picked up notes.txt. 1 place. Tab walks, Enter drops, Escape cancels. "
    + "Docs: copy. 1 of 1"

  @Test(
    "K16: keys are words for a reader, and what is printed on them on the screen",
    .timeLimit(.minutes(5)))
  func keyNames() async throws {
    let reader = FakeReader(takes: 100, next: nil)
    var outputs = Outputs()
    (outputs.transcript, outputs.announcer) = (sink, reader)
    let runner = Runner(
      session: Session(roots: [FakeWorld.inbox, FakeWorld.docs]), world: FakeWorld(journal),
      outputs: outputs, phrases: Phrasebook(), script: try KeyScript.parse("@item"),
      isScriptOpen: true)
    let result = Task { await runner.run([.start]) }
    for character in "+;" as String {
      runner.send(.stroke(KeyStroke(.character(character), .ctrl)))
    }
    runner.send(.scriptEnded)
    _ = await result.value
    let told = reader.texts.filter { $0.contains("does nothing") || $0.contains("nothing here") }
    #expect(
      told == [
        "Ctrl+plus does nothing here. question mark for help.",
        "Ctrl+semicolon does nothing here. question mark for help.",
      ], "\(reader.texts)")
    #expect(sink.lines.contains { $0.contains("Ctrl+; does nothing here. ? for help.") })
  }

  @Test(
    "H19 K18: a reader that is still speaking is given no progress, and none after the outcome",
    .timeLimit(.minutes(5)))
  func overtaken() async throws {
    let (reader, clock) = (FakeReader(takes: 100, next: nil), ToldClock())
    let (runner, result) = try await copying(reader, clock)
    for event in [started, progress(25), progress(50), end(.delivered)] { runner.send(event) }
    runner.send(.command(.quit))
    _ = await result.value
    let words = reader.texts.suffix(3).compactMap { $0.split(separator: " ").first }
    #expect(words == ["Copying", "Copied", "Goodbye."], "\(reader.texts)")
    #expect(sink.summary.filter { $0 == "progress" }.count == 2, "the transcript has all of it")
  }

  @Test(
    "H19: the newest progress is given to a reader when it has ended what it said",
    .timeLimit(.minutes(5)))
  func progressInTime() async throws {
    let (reader, clock) = (FakeReader(takes: 100, next: nil, journal), ToldClock())
    let (runner, result) = try await copying(reader, clock)
    for event in [started, progress(25), progress(50)] { runner.send(event) }
    let skipping = Task { await clock.skip() }
    await journal.wait(for: "read notes.txt: 50%.")
    skipping.cancel()
    #expect(!reader.texts.contains { $0.contains("25") }, "\(reader.texts)")
    #expect(clock.now.passed > .seconds(1) && clock.now.passed < .seconds(6), "\(clock.now)")
    runner.send(end(.delivered))
    runner.send(.command(.quit))
    _ = await result.value
    // Nobody waits for the end of "50%" to hear that it is over.
    #expect(reader.messages.filter(\.cutsOff).map { $0.text.prefix(6) } == ["Copied"])
  }

  @Test("An assistive technology finds the session as it stands", .timeLimit(.minutes(5)))
  func scene() async throws {
    let reader = FakeReader(takes: 10, next: nil)
    _ = try await run(reader)
    let scene = try #require(reader.scene)
    #expect(scene.phase == .browsing)
    #expect(scene.rows.map(\.name) == ["a.txt", "notes.txt"])
    #expect(scene.current == 1)
    #expect(scene.carried == nil)
  }
}
