import KeyDragCore
import Testing

@testable import KeyDragSpeech

@Suite(.serialized) struct SpeechTimingTests {
  /// The middle one of many measured times.
  private func median(_ times: [Double]) -> Double {
    times.sorted()[times.count / 2]
  }

  @Test("the first sample is at the device hardly later than a bare espeak-ng call gives one")
  func firstSample() throws {
    let text = "Sorted, in Inbox: move. 1 of 3"
    let log = OutputLog()
    let voice = SpokenVoice(settings: SpeechSettings(), language: "en", opening: log.opener)
    voice.speak(Utterance("Ready."))
    voice.finish(within: 30)
    var bare: [Double] = []
    var handed: [Double] = []
    for _ in 0..<60 {
      bare.append(firstBareSample(text))
      log.state.change { $0.firstWrite = nil }
      let start = Monotonic.now
      voice.speak(Utterance(text))
      voice.finish(within: 30)
      handed.append((log.state.read(\.firstWrite) ?? .infinity) - start)
    }
    #expect(median(handed) / median(bare) <= 3)
  }

  /// Seconds until another thread has the first sample of a call that does nothing else.
  private func firstBareSample(_ text: String) -> Double {
    let first = Monitor(false)
    let start = Monotonic.now
    EspeakThread.shared.submit { library in
      library?.synthesize(text) { _ in
        first.change { $0 = true }
        return false
      }
    }
    _ = first.wait(atMost: 30) { $0 }
    return Monotonic.now - start
  }

  @Test("K24: a key press ends the sound within a few milliseconds")
  func silence() throws {
    let log = OutputLog()
    let voice = SpokenVoice(settings: SpeechSettings(), language: "en", opening: log.opener)
    let text = String(repeating: "one two three four five, ", count: 40)
    var times: [Double] = []
    for _ in 0..<20 {
      log.state.change { state in
        state.isHeld = true
        state.firstWrite = nil
        state.dropped = nil
      }
      voice.speak(Utterance(text))
      try log.wait { $0.firstWrite != nil }
      let start = Monotonic.now
      voice.silence()
      try log.wait { $0.dropped != nil }
      times.append((log.state.read(\.dropped) ?? .infinity) - start)
    }
    #expect(median(times) < 0.005)
  }
}
