import Glibc
import KeyDragCore
import Testing

@testable import KeyDragSpeech

/// What an output was told, seen by the test.
final class OutputLog: Sendable {
  struct State {
    var samples: [Int16] = []
    var finished = 0
    var drops = 0
    var opened = 0
    var closed = 0
    /// Whether sound stands still, as if the device were slow.
    var isHeld = false
    var isLost = false
    /// When the first samples arrived, in seconds.
    var firstWrite: Double?
  }
  let state = Monitor(State())

  var opener: SoundOpener {
    { [self] (_, bell) throws(SoundError) in
      if state.read(\.isLost) { throw SoundError(code: ENODEV) }
      state.change { $0.opened += 1 }
      return LoggedOutput(log: self, bell: bell)
    }
  }

  /// Waits for the event; ends the test rather than hang.
  func wait(
    sourceLocation: SourceLocation = #_sourceLocation, for isTrue: @Sendable (State) -> Bool
  ) throws {
    let happened = state.wait(atMost: 60, until: isTrue)
    try #require(happened, sourceLocation: sourceLocation)
  }
}

/// An output in memory.
final class LoggedOutput: SoundOutput {
  let log: OutputLog
  let bell: WakePipe

  init(log: OutputLog, bell: WakePipe) {
    self.log = log
    self.bell = bell
  }

  deinit { log.state.change { $0.closed += 1 } }

  func write(_ samples: [Int16], unless isStopped: () -> Bool) throws(SoundError) {
    let isLost = log.state.change { state in
      if state.firstWrite == nil { state.firstWrite = Monotonic.now }
      state.samples += samples
      return state.isLost
    }
    if isLost { throw SoundError(code: ENODEV) }
    while log.state.read(\.isHeld), !isStopped() { _ = bell.wait(milliseconds: -1) }
  }

  func finish(unless isStopped: () -> Bool) throws(SoundError) {
    log.state.change { $0.finished += 1 }
  }

  func drop() {
    log.state.change { state in
      state.drops += 1
    }
  }
}

@Suite struct SpokenVoiceTests {
  private let log = OutputLog()

  private func voice(_ settings: SpeechSettings = SpeechSettings()) -> SpokenVoice {
    SpokenVoice(settings: settings, language: "en", opening: log.opener)
  }

  @Test("utterances are said in order, whole, and each is told when it has been heard")
  func order() async throws {
    let voice = voice()
    let idle = Monitor(0)
    voice.onIdle { idle.change { $0 += 1 } }
    let texts = ["One.", "Two and three.", "", "Four."]
    for text in texts { voice.speak(Utterance(text)) }
    voice.finish(within: 60)
    #expect(idle.wait(atMost: 60) { $0 == 4 })
    var expected = 0
    for text in texts where !text.isEmpty { expected += try await bareSamples(text).count }
    let heard = log.state.read(\.samples).count
    #expect((0.9...1.1).contains(Double(heard) / Double(expected)))
    #expect(voice.problem == nil)
  }

  @Test("K24: silence stops the sound, forgets what waits, and what comes next is said")
  func silence() throws {
    log.state.change { $0.isHeld = true }
    let voice = voice()
    let idle = Monitor(0)
    voice.onIdle { idle.change { $0 += 1 } }
    let long = String(repeating: "one two three four five, ", count: 30)
    for _ in 0..<3 { voice.speak(Utterance(long)) }
    try log.wait { $0.firstWrite != nil }
    voice.silence()
    try log.wait { $0.drops == 1 }
    voice.finish(within: 0)
    #expect(idle.read { $0 } == 0)
    log.state.change { state in
      state.isHeld = false
      state.samples = []
    }
    voice.speak(Utterance("Two."))
    #expect(idle.wait(atMost: 60) { $0 == 1 })
    let heard = log.state.read(\.samples).count
    #expect((2000..<30_000).contains(heard))
  }

  @Test("K24: of many quick steps only the last is heard to its end")
  func quickSteps() {
    let voice = voice()
    let idle = Monitor(0)
    voice.onIdle { idle.change { $0 += 1 } }
    log.state.change { $0.isHeld = true }
    for index in 0..<50 {
      voice.silence()
      voice.speak(Utterance("Place \(index) accepts."))
    }
    log.state.change { $0.isHeld = false }
    voice.silence()
    voice.speak(Utterance("Done."))
    voice.finish(within: 30)
    #expect(idle.wait(atMost: 60) { $0 == 1 })
    #expect(log.state.read(\.finished) == 1)
  }

  @Test("without a sound device every utterance is done at once, and it is told")
  func noDevice() {
    log.state.change { $0.isLost = true }
    let voice = voice()
    let idle = Monitor(0)
    voice.onIdle { idle.change { $0 += 1 } }
    for _ in 0..<20 { voice.speak(Utterance("Three places accept.")) }
    voice.finish(within: 30)
    #expect(idle.wait(atMost: 60) { $0 == 20 })
    #expect(voice.problem == .noSoundDevice)
    #expect(log.state.read(\.samples).isEmpty)
  }

  @Test("a device lost in the middle ends the sound, not the program")
  func lostDevice() {
    let voice = voice()
    let idle = Monitor(0)
    voice.onIdle { idle.change { $0 += 1 } }
    voice.speak(Utterance("One."))
    #expect(idle.wait(atMost: 60) { $0 == 1 })
    #expect(voice.problem == nil)
    log.state.change { $0.isLost = true }
    for _ in 0..<3 { voice.speak(Utterance("Two.")) }
    voice.finish(within: 30)
    #expect(idle.wait(atMost: 60) { $0 == 4 })
    #expect(voice.problem == .noSoundDevice)
  }

  @Test("a quiet device is closed once, and opened again for the next words")
  func closesWhenQuiet() throws {
    let voice = voice()
    voice.speak(Utterance("One."))
    voice.finish(within: 30)
    try log.wait { $0.closed == 1 }
    voice.speak(Utterance("Two."))
    voice.finish(within: 30)
    #expect(log.state.read(\.opened) == 2)
    #expect(voice.problem == nil)
  }

  @Test("a voice that goes away stops the sound and gives the device back")
  func goesAway() throws {
    log.state.change { $0.isHeld = true }
    do {
      let voice = voice()
      voice.speak(Utterance("One two three."))
      try log.wait { $0.firstWrite != nil }
    }
    try log.wait { $0.closed == 1 && $0.drops >= 1 }
  }

  @Test("finish returns at its deadline although the device stands still")
  func deadline() {
    log.state.change { $0.isHeld = true }
    let voice = voice()
    voice.speak(Utterance("One two three."))
    let start = Monotonic.now
    voice.finish(within: 0.05)
    #expect((0.05..<5).contains(Monotonic.now - start))
    voice.silence()
  }

  @Test("H28: the earcon is heard before the words")
  func earcon() {
    let voice = voice(SpeechSettings(earcons: true))
    voice.speak(Utterance("Copied.", earcon: .copy))
    voice.finish(within: 30)
    let sound = EarconSamples.samples(for: .copy, rate: 22_050)
    let heard = log.state.read(\.samples)
    #expect(heard.starts(with: sound))
    #expect(heard.count > sound.count + 5000)
  }

  @Test("a language without a voice is spoken in English and told")
  func noVoice() {
    let voice = voice()
    voice.speak(Utterance("Moved.", language: "qq"))
    voice.finish(within: 30)
    #expect(voice.problem == .noVoice(language: "qq"))
    #expect(log.state.read(\.samples).count > 5000)
  }
}
