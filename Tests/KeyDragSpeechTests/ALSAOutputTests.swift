import CALSA
import Glibc
import KeyDragCore
import Testing

@testable import KeyDragSpeech

/// Real ALSA devices that need no hardware: `file` writes what is played, `null` forgets it.
@Suite(.serialized) struct ALSAOutputTests {
  @Test("what is said reaches the sound device, word for word")
  func file() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/played.raw"
    let texts = ["One.", "Two and three."]
    do {
      let voice = SpokenVoice(device: "file:'\(path)',raw")
      for text in texts { voice.speak(Utterance(text)) }
      voice.finish(within: 60)
      #expect(voice.problem == nil)
    }
    let played = decodedSamples(contents(path)).drop { $0 == 0 }
    var alone: [[Int16]] = []
    for text in texts { alone.append(try await bareSamples(text)) }
    // espeak-ng's pitch flutters a little, never twice the same: as loud in all, and as long.
    let length = alone.reduce(0) { $0 + $1.count }
    #expect((0.9...1.2).contains(Double(played.count) / Double(length)))
    #expect((0.9...1.1).contains(energy(played) / energy(alone.joined())))
  }

  private func energy(_ samples: some Sequence<Int16>) -> Double {
    samples.reduce(0) { $0 + abs(Double($1)) }
  }

  @Test("utterances one after the other go through a real device without an end")
  func null() {
    let voice = SpokenVoice(device: "null")
    let idle = Monitor(0)
    voice.onIdle { idle.change { $0 += 1 } }
    for index in 0..<10 { voice.speak(Utterance("Place \(index).")) }
    voice.finish(within: 60)
    #expect(idle.wait(atMost: 60) { $0 == 10 })
    #expect(voice.problem == nil)
  }

  @Test("a device that does not exist is a problem, and nothing is printed about it")
  func missing() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/stderr"
    let saved = dup(STDERR_FILENO)
    let capture = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    dup2(capture, STDERR_FILENO)
    let voice = SpokenVoice(device: "hw:31")
    voice.speak(Utterance("One."))
    voice.finish(within: 60)
    dup2(saved, STDERR_FILENO)
    close(saved)
    close(capture)
    let printed = contents(path)
    // Another test may have printed meanwhile: that goes where it belongs.
    _ = printed.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    #expect(voice.problem == .noSoundDevice)
    #expect(!String(decoding: printed, as: UTF8.self).contains("ALSA"))
  }

  @Test("what was dropped is not waited for, and the next samples are taken")
  func drop() throws {
    let output = try ALSAOutput(name: "null", rate: 22_050, bell: WakePipe())
    try output.write([Int16](repeating: 0, count: 2000)) { false }
    output.drop()
    try output.write([1, 2, 3]) { false }
    try output.finish { false }
  }

  @Test("a device that ran dry goes on with the next samples")
  func ranDry() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/played.raw"
    do {
      let output = try ALSAOutput(name: "file:'\(path)',raw", rate: 22_050, bell: WakePipe())
      for value in 1...3 {
        try output.write([Int16](repeating: Int16(value), count: 500)) { false }
        try output.finish { false }
      }
    }
    let values = decodedSamples(contents(path)).filter { $0 != 0 }
    #expect(Set(values) == [1, 2, 3])
    #expect(values == values.sorted())
    #expect(values.count == 1500)
  }
}
