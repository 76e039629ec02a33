import Synchronization
import Testing
import ToldDesktop

@testable import KeyDragCore
@testable import KeyDragRuntime

/// The loop.
struct RunnerTests {
  private let journal = Journal()
  private let clock = ToldClock()

  private func runner(
    _ script: String?, world: FakeWorld? = nil, sink: LineSink? = nil, speaks: Bool = false,
    screen: FakeScreen? = nil
  ) throws -> Runner {
    var outputs = Outputs()
    outputs.transcript = sink
    outputs.screen = screen
    if speaks { outputs.voice = FakeVoice(journal) }
    return Runner(
      session: Session(roots: [FakeWorld.inbox, FakeWorld.docs]),
      world: world ?? FakeWorld(journal), outputs: outputs, phrases: Phrasebook(),
      script: try script.map { try KeyScript.parse($0) }, clock: clock)
  }

  @Test(
    "A scripted drag is written as command, announcement, state, and ends with its status",
    .timeLimit(.minutes(5)))
  func wholeDrag() async throws {
    let sink = LineSink()
    let runner = try runner("\"notes\" space enter", sink: sink)
    let result = await runner.run([.start])
    await runner.end(status: 0)
    #expect(result == RunResult(hasFailure: false))
    #expect(
      sink.summary.filter { $0 != "state" } == [
        "ready", ":type-ahead", "item", ":pick-up", "picked-up", "drop-point", ":drop", "delivery",
        "delivery", "delivered", "end",
      ])
    let dropPoint = try #require(sink.summary.firstIndex(of: "drop-point"))
    #expect(sink.summary[dropPoint + 1] == "state")
  }

  @Test("H11: words are handed over before anything is asked of the world", .timeLimit(.minutes(5)))
  func wordsFirst() async throws {
    let runner = try runner("f9 @confirm escape", speaks: true)
    _ = await runner.run([.start])
    let events = journal.events
    let said = try #require(events.firstIndex { $0.hasPrefix("say Actions for a.txt.") })
    let asked = try #require(events.firstIndex(of: "ask prepare"))
    #expect(asked < said, "the menu needs the answer")

    let other = RunnerTests()
    let toggling = try other.runner(".", speaks: true)
    _ = await toggling.run([.start])
    let spoken = try #require(other.journal.events.firstIndex(of: "say Hidden files shown."))
    let relisted = try #require(other.journal.events.lastIndex(of: "ask list"))
    #expect(spoken < relisted)
  }

  @Test(
    "K24: a letter of a name that leads nowhere else does not cut off what is said of the place",
    .timeLimit(.minutes(5)))
  func quietLetter() async throws {
    var outputs = Outputs()
    outputs.voice = FakeVoice(journal)
    let runner = Runner(
      session: Self.carrying(), world: FakeWorld(journal), outputs: outputs, phrases: Phrasebook())
    runner.send(.input(.finding))
    runner.send(.stroke(KeyStroke(.character("d"))))
    // Waits its turn while something is being said.
    runner.send(.input(.resumed))
    runner.send(.command(.quit))
    _ = await runner.run([])
    #expect(journal.events.prefix(2) == ["say Type a name, then Enter.", "silence"])
    #expect(!journal.events.contains { $0.hasPrefix("say Holding") }, "\(journal.events)")
  }

  /// A session in which a file is carried, at Docs.
  private static func carrying() -> Session {
    var session = Session(roots: [FakeWorld.inbox, FakeWorld.docs])
    let world = FakeWorld(Journal())
    var inputs: [SessionInput] = [.start, .command(.pickUp)]
    while !inputs.isEmpty {
      for case .request(let id, let request) in session.apply(inputs.removeFirst()) {
        let reports = Mutex<[WorldReport]>([])
        world.perform(request, id: id) { report in reports.withLock { $0.append(report) } }
        inputs = reports.withLock { $0 }.map(SessionInput.report) + inputs
      }
    }
    return session
  }

  @Test("K24: a key silences what is being said", .timeLimit(.minutes(5)))
  func keySilences() async throws {
    let runner = try runner("down", speaks: true)
    _ = await runner.run([.start])
    #expect(
      journal.events.filter { !$0.hasPrefix("ask") } == [
        "say Inbox, 2 files. a.txt. Space picks up.", "silence", "say notes.txt, 2 of 2",
      ])
  }

  @Test(
    "A voice that finds itself without sound only after the session is over is told of all the same",
    .timeLimit(.minutes(5)))
  func lateProblem() async throws {
    let sink = LineSink()
    let voice = LateVoice()
    var outputs = Outputs()
    outputs.transcript = sink
    outputs.voice = voice
    let runner = Runner(
      session: Session(roots: [FakeWorld.inbox, FakeWorld.docs]), world: FakeWorld(journal),
      outputs: outputs, phrases: Phrasebook(), script: try KeyScript.parse("down"))
    _ = await runner.run([.start])
    #expect(!sink.summary.contains("problem"))
    voice.loseSound()
    await runner.finishSpeaking(within: 30)
    await runner.end(status: 0)
    #expect(sink.summary.suffix(2) == ["problem", "end"], "\(sink.summary)")
  }

  /// Begins to speak, and notices only then that nothing can be heard; from then on it is done with
  /// everything at once.
  private final class LateVoice: Voice {
    private let state = Mutex((isLost: false, idle: nil as (@Sendable () -> Void)?))

    func speak(_ utterance: Utterance) {
      state.withLock { $0.isLost ? $0.idle : nil }?()
    }

    func loseSound() {
      let idle = state.withLock { state in
        state.isLost = true
        return state.idle
      }
      idle?()
    }

    func silence() {}
    func finish(within deadline: Double) {}
    func onIdle(_ handler: @escaping @Sendable () -> Void) { state.withLock { $0.idle = handler } }
    var problem: Problem? { state.withLock { $0.isLost ? .noSoundDevice : nil } }
  }

  @Test(
    "K22: that there is no sound stands behind what to press first, and alone once a key was pressed",
    .timeLimit(.minutes(5)))
  func noSoundAtFirst() async throws {
    for (keys, isFirst) in [("", true), ("down", false)] {
      let voice = LateVoice()
      var outputs = Outputs()
      outputs.voice = voice
      let runner = Runner(
        session: Session(roots: [FakeWorld.inbox, FakeWorld.docs]), world: FakeWorld(journal),
        outputs: outputs, phrases: Phrasebook(), script: try KeyScript.parse(keys))
      _ = await runner.run([.start])
      voice.loseSound()
      await runner.finishSpeaking(within: 30)
      let message = await runner.lastMessage
      #expect(message.contains("No sound device"), "\(keys): \(message)")
      #expect(message.contains("Space picks up.") == isFirst, "\(keys): \(message)")
    }
  }

  @Test(
    "K22: what is wrong at the start stands behind what to press, whichever is said first",
    .timeLimit(.minutes(5)))
  func problemsAtFirst() async throws {
    let screen = FakeScreen(journal)
    let runner = try runner("", screen: screen)
    _ = await runner.run([
      .start, .report(.problem(.catalogue(language: "German"))),
      .report(.problem(.unknownLanguage("tlh"))),
    ])
    #expect(
      screen.contents?.message
        == "Inbox, 2 files. a.txt. Space picks up. The messages in German can't be read. "
        + "English is used. Install KeyDrag again. Language tlh is not known. English is used.")
  }

  @Test(
    "The first step of the tour stays while what is wrong at the start is told",
    .timeLimit(.minutes(5)))
  func lessonAtFirst() async throws {
    let screen = FakeScreen(journal)
    let runner = try runner("", screen: screen)
    let step = Lesson.step(
      .key(KeyStroke(.space), .pickUp), index: 1, total: 5, leaving: KeyStroke(.escape))
    _ = await runner.run([
      .start, .report(.lesson(step)), .report(.problem(.unknownLanguage("tlh"))),
    ])
    let message = try #require(screen.contents?.message)
    #expect(message.hasPrefix("Inbox, 2 files. a.txt. Space picks up."), "\(message)")
    #expect(message.contains("Step 1 of 5."), "\(message)")
    #expect(message.hasSuffix("Language tlh is not known. English is used."), "\(message)")
  }

  @Test(
    "A script that ends while carrying cancels, and nothing is delivered", .timeLimit(.minutes(5)))
  func scriptEnds() async throws {
    let sink = LineSink()
    let world = FakeWorld(journal)
    let result = await (try runner("space", world: world, sink: sink)).run([.start])
    #expect(sink.summary.contains("cancelled"))
    #expect(!result.hasFailure)
    #expect(!journal.events.contains("ask deliver"))
  }

  @Test("H11: an answer that is late is bridged by what is held and asked", .timeLimit(.minutes(5)))
  func lateAnswer() async throws {
    let sink = LineSink()
    let world = FakeWorld(journal) { if case .ask = $0 { true } else { false } }
    let runner = try runner("space @drop-point !escape", world: world, sink: sink)
    async let _: Void = clock.skip()
    let result = await runner.run([.start])
    #expect(sink.summary.contains("picked-up"))
    #expect(sink.summary.contains("cancelled"))
    #expect(result.signal == nil)
  }

  @Test(
    "A transcript that can't be written any more is said once, and the run goes on",
    .timeLimit(.minutes(5)))
  func brokenTranscript() async throws {
    let sink = LineSink(limit: 3)
    let runner = try runner("down up down space enter", sink: sink, speaks: true)
    let result = await runner.run([.start])
    #expect(sink.attempts == 4)
    let problems = journal.events.filter { $0.contains("The transcript can't be written") }
    #expect(problems.count == 1)
    #expect(journal.events.contains("ask deliver"))
    #expect(!result.hasFailure)
  }

  @Test(
    "A signal cancels what is held and what runs, and ends the run when that has ended",
    .timeLimit(.minutes(5)))
  func terminate() async throws {
    let sink = LineSink()
    let world = FakeWorld(journal) { if case .deliver = $0 { true } else { false } }
    let runner = try runner("space enter", world: world, sink: sink)
    let run = Task { await runner.run([.start]) }
    await journal.wait(for: "ask deliver")
    runner.send(.terminate(signal: 15))
    await journal.wait(for: "ask cancel")
    runner.send(
      .report(
        .delivery(
          DeliveryID(1), .finished(DeliveryResult(outcome: .cancelled, route: .files, delivered: 0))
        )))
    let result = await run.value
    #expect(result.signal == 15)
    #expect(sink.summary.contains("delivery-cancelled"), "\(sink.summary)")
  }

  @Test(
    "H08 An undo ends at a signal, says what it has not taken back, and a second signal changes nothing",
    .timeLimit(.minutes(5)))
  func terminateUndo() async throws {
    let sink = LineSink()
    let world = FakeWorld(journal) { if case .undo = $0 { true } else { false } }
    let runner = try runner("ctrl+z", world: world, sink: sink)
    let run = Task { await runner.run([.start]) }
    await journal.wait(for: "ask undo")
    for _ in 0..<2 { runner.send(.terminate(signal: 15)) }
    #expect(await run.value.signal == 15)
    #expect(sink.summary.contains("cannot-undo"), "\(sink.summary)")
    #expect(journal.events.filter { $0 == "cancel history" }.count == 1)
  }

  @Test(
    "After a signal nobody waits for ever for what does not end, as on a disk that hangs",
    .timeLimit(.minutes(5)))
  func terminateHung() async throws {
    let world = FakeWorld(journal) { if case .deliver = $0 { true } else { false } }
    let runner = try runner("space enter", world: world)
    let run = Task { await runner.run([.start]) }
    await journal.wait(for: "ask deliver")
    runner.send(.terminate(signal: 15))
    async let _: Void = clock.skip()
    #expect(await run.value.signal == 15)
    #expect(journal.events.contains("ask cancel"))
    #expect(clock.now.passed < .seconds(3))
  }

  @Test("Quitting waits for what is being delivered", .timeLimit(.minutes(5)))
  func quitWaits() async throws {
    let world = FakeWorld(journal) { if case .deliver = $0 { true } else { false } }
    let runner = try runner("space enter", world: world)
    let run = Task { await runner.run([.start]) }
    await journal.wait(for: "ask deliver")
    runner.send(.stroke(KeyStroke(.character("q"), .ctrl)))
    runner.send(
      .report(
        .delivery(
          DeliveryID(1),
          .finished(DeliveryResult(outcome: .delivered, route: .files, delivered: 1)))))
    let result = await run.value
    #expect(result == RunResult(hasFailure: false))
  }

  @Test("A script with an unknown word ends the run with that word", .timeLimit(.minutes(5)))
  func badScript() async throws {
    let error = ScriptError(word: "spcae", nearest: "space", position: 2)
    let runner = Runner(
      session: Session(roots: [FakeWorld.inbox]), world: FakeWorld(journal), outputs: Outputs(),
      phrases: Phrasebook(), script: [], isScriptOpen: true)
    runner.send(.script([.stroke(KeyStroke(.down), isImmediate: false)]))
    runner.send(.scriptFailed(error))
    let result = await runner.run([.start])
    #expect(result.scriptError == error)
  }

  @Test("A delivery nobody ordered leaves no line in the transcript", .timeLimit(.minutes(5)))
  func unknownDelivery() async throws {
    let sink = LineSink()
    let runner = try runner(nil, sink: sink)
    runner.send(.report(.delivery(DeliveryID(9), .started(DeliveryProgress()))))
    runner.send(.input(.ended))
    _ = await runner.run([.start])
    #expect(!sink.summary.contains("delivery"))
  }

  @Test("K16: a key without a meaning is written and answered", .timeLimit(.minutes(5)))
  func unknownKey() async throws {
    let sink = LineSink()
    _ = await (try runner("f11", sink: sink)).run([.start])
    #expect(sink.summary.filter { $0 != "state" } == ["ready", ":unknown", "unknown-key"])
  }

  @Test(
    "The screen shows the session's list, its current row and the last message",
    .timeLimit(.minutes(5)))
  func screen() async throws {
    let screen = FakeScreen(journal)
    _ = await (try runner("down", screen: screen)).run([.start])
    let contents = try #require(screen.contents)
    #expect(contents.rows.map(\.name) == ["a.txt", "notes.txt"])
    #expect(contents.current == 1)
    #expect(contents.message == "notes.txt, 2 of 2")
  }
}
