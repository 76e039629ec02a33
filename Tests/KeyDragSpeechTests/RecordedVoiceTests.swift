import Glibc
import KeyDragCore
import Testing

@testable import KeyDragSpeech

@Suite struct RecordedVoiceTests {
  @Test("utterances are recorded whole, in order, a quarter of a second apart")
  func order() async throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/out.wav"
    // Earcons are the same samples each time, so they show where each utterance begins.
    let voice = try RecordedVoice(path: path, settings: SpeechSettings(earcons: true))
    let utterances = [
      Utterance("Picked up notes.txt.", earcon: .pickUp), Utterance(""),
      Utterance("Sorted: move.", earcon: .move),
      Utterance("Moved notes.txt to Sorted.", earcon: .delivered),
    ]
    for utterance in utterances {
      voice.speak(utterance)
      voice.silence()
    }
    voice.finish(within: patience)
    let recording = try Recording(path)
    #expect(recording.rate == 22_050)
    #expect(voice.problem == nil)
    var rest = recording.samples[...]
    for utterance in utterances.reversed() {
      guard let earcon = utterance.earcon else { continue }
      let sound = EarconSamples.samples(for: earcon, rate: 22_050)
      let start = try #require(lastStart(of: sound, in: rest))
      let words = Double(rest.count - start - sound.count)
      let alone = Double(try await bareSamples(utterance.text).count)
      #expect((0.9...1.1).contains(words / alone), "\(utterance.text)")
      rest = rest.prefix(start)
      guard earcon != .pickUp else { continue }
      #expect(rest.suffix(5512).allSatisfy { $0 == 0 })
      rest = rest.dropLast(5512)
    }
    #expect(rest.isEmpty)
  }

  private func lastStart(of sound: [Int16], in samples: ArraySlice<Int16>) -> Int? {
    guard samples.count >= sound.count else { return nil }
    return (0...samples.count - sound.count).last { start in
      samples[start] == sound[0] && samples[start + 1] == sound[1]
        && samples[start..<start + sound.count].elementsEqual(sound)
    }
  }

  @Test("the file is a whole recording after each utterance")
  func headerAfterEach() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/out.wav"
    let voice = try RecordedVoice(path: path)
    #expect(try Recording(path).samples.isEmpty)
    var lengths: [Int] = []
    for text in ["One.", "Two.", "Three."] {
      voice.speak(Utterance(text))
      voice.finish(within: patience)
      lengths.append(try Recording(path).samples.count)
    }
    #expect(lengths == lengths.sorted())
    #expect(Set(lengths).count == 3)
  }

  @Test("every utterance counts as done once, an empty one too")
  func idle() throws {
    let folder = try TemporaryFolder()
    let voice = try RecordedVoice(path: "\(folder.path)/out.wav")
    let count = Monitor(0)
    voice.onIdle { count.change { $0 += 1 } }
    for text in ["One.", "", "Two."] { voice.speak(Utterance(text)) }
    #expect(count.wait(atMost: patience) { $0 == 3 })
  }

  @Test("what was handed over is recorded although the voice is gone")
  func outlives() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/out.wav"
    let count = Monitor(0)
    do {
      let voice = try RecordedVoice(path: path)
      voice.onIdle { count.change { $0 += 1 } }
      for _ in 0..<5 { voice.speak(Utterance("Moved.")) }
    }
    #expect(count.wait(atMost: patience) { $0 == 5 })
    #expect(try Recording(path).samples.count > 5 * 8000)
  }

  @Test("H28: an earcon comes before the words where they are on, and not where they are off")
  func earcons() throws {
    let folder = try TemporaryFolder()
    func record(_ name: String, earcons: Bool) throws -> [Int16] {
      let path = "\(folder.path)/\(name)"
      let voice = try RecordedVoice(path: path, settings: SpeechSettings(earcons: earcons))
      voice.speak(Utterance("Moved.", earcon: .move))
      voice.finish(within: patience)
      return try Recording(path).samples
    }
    let sound = EarconSamples.samples(for: .move, rate: 22_050)
    #expect(try record("on.wav", earcons: true).starts(with: sound))
    #expect(try !record("off.wav", earcons: false).starts(with: sound))
  }

  @Test("a language without a voice is recorded in English and told")
  func noVoice() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/out.wav"
    let voice = try RecordedVoice(path: path)
    voice.speak(Utterance("Moved.", language: "qq"))
    voice.finish(within: patience)
    #expect(voice.problem == .noVoice(language: "qq"))
    #expect(try Recording(path).samples.count > 5000)
  }

  @Test("two voices speaking at the same time each record their own words")
  func concurrent() async throws {
    let folder = try TemporaryFolder()
    let texts = ["en": "one two three", "pl": "jeden dwa trzy"]
    let paths = texts.mapValues { "\(folder.path)/\($0.first ?? "x").wav" }
    try await withThrowingTaskGroup { group in
      for (language, text) in texts {
        let voice = try RecordedVoice(path: try #require(paths[language]))
        group.addTask {
          for _ in 0..<10 { voice.speak(Utterance(text, language: language)) }
          voice.finish(within: patience)
        }
      }
      try await group.waitForAll()
    }
    for (language, text) in texts {
      let alone = try await bareSamples(text, language: language).count
      let all = try Recording(try #require(paths[language])).samples.count
      let words = Double(all - 9 * 5512) / Double(10 * alone)
      #expect((0.9...1.1).contains(words))
    }
  }
}

@Suite struct RecordingErrorTests {
  @Test("a path that cannot be a recording is refused with the reason")
  func refused() throws {
    let folder = try TemporaryFolder()
    put(Array("my only notes".utf8), into: "\(folder.path)/notes.txt")
    mkfifo("\(folder.path)/fifo", 0o600)
    let cases: [(String, Reason)] = [
      ("missing/out.wav", .gone), ("notes.txt/out.wav", .notAFolder), ("", .isAFolder),
      ("notes.txt", .wrongType), ("fifo", .specialFile),
    ]
    for (name, reason) in cases {
      #expect {
        try RecordedVoice(path: "\(folder.path)/\(name)")
      } throws: {
        ($0 as? RecordingError)?.reason == reason
      }
    }
    #expect(contents("\(folder.path)/notes.txt") == Array("my only notes".utf8))
    #expect {
      try RecordedVoice(path: "/dev/full")
    } throws: {
      ($0 as? RecordingError) == RecordingError(name: "full", reason: .specialFile)
    }
  }

  @Test("an older recording is replaced")
  func replaced() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/out.wav"
    put(WaveHeader.bytes(rate: 8000, dataBytes: 4) + [1, 2, 3, 4], into: path)
    _ = try RecordedVoice(path: path)
    #expect(try Recording(path).samples.isEmpty)
  }

  @Test("a sound that somebody else made is no recording, and is left as it is")
  func foreignSound() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/song.wav"
    let ours = WaveHeader.bytes(rate: 8000, dataBytes: 4)
    // The smallest header that there is, and one of ours under another name.
    for software in [[], Array(ours[36..<56]) + Array("Somebody".utf8)] {
      let song = Array(ours[..<36]) + software + Array(ours[64...]) + [1, 2, 3, 4]
      put(song, into: path)
      #expect {
        try RecordedVoice(path: path)
      } throws: {
        ($0 as? RecordingError)?.reason == .wrongType
      }
      #expect(contents(path) == song)
    }
  }

  @Test("a recording is its owner's alone, and no link leads it elsewhere")
  func owned() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/out.wav"
    put(WaveHeader.bytes(rate: 8000, dataBytes: 0), into: path)
    symlink(path, "\(folder.path)/link.wav")
    #expect {
      try RecordedVoice(path: "\(folder.path)/link.wav")
    } throws: {
      ($0 as? RecordingError)?.reason == .wrongType
    }
    _ = try RecordedVoice(path: path)
    var status = stat()
    try #require(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test("the message names the file, the reason and the remedy")
  func message() throws {
    #expect {
      try RecordedVoice(path: "/nowhere/at\u{1B}all.wav")
    } throws: { error in
      (error as? RecordingError)?.words(in: Phrasebook())
        == "Can't record speech to at\u{FFFD}all.wav. Its folder does not exist. "
        + "Make the folder, or choose another one."
    }
  }

  @Test("a recording that cannot grow keeps what it has, all goes on, and it is told")
  func full() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/out.wav"
    let voice = try RecordedVoice(path: path, settings: SpeechSettings(), longest: 60_000)
    let count = Monitor(0)
    voice.onIdle { count.change { $0 += 1 } }
    voice.speak(Utterance("One."))
    voice.finish(within: patience)
    let before = contents(path)
    for text in ["Two and twenty and two hundred.", "Three."] { voice.speak(Utterance(text)) }
    voice.finish(within: patience)
    #expect(voice.problem == .outputClosed)
    #expect(voice.failure == RecordingError(name: "out.wav", reason: .tooLarge))
    #expect(contents(path) == before)
    #expect(try Recording(path).samples.count > 5000)
    #expect(count.wait(atMost: patience) { $0 == 3 })
  }

  @Test("sizes in the header never exceed what the format can tell")
  func header() {
    let bytes = WaveHeader.bytes(rate: 22_050, dataBytes: .max)
    #expect(bytes.count == WaveHeader.length)
    #expect(bytes[4..<8].allSatisfy { $0 >= 0xF0 })
  }
}
