import FoundationEssentials
import RealPrograms
import Testing

/// A sound file: what its header says, and its samples.
struct Sound {
  let rate: Int
  let channels: Int
  let samples: [Int16]

  init(_ path: String) throws {
    let bytes = Array(try #require(FileManager.default.contents(atPath: path)))
    func number(_ offset: Int, _ size: Int) -> Int {
      (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    try #require(bytes.count > 72)
    #expect(bytes.prefix(4) == Array("RIFF".utf8)[...])
    #expect(number(4, 4) == bytes.count - 8)
    channels = number(22, 2)
    rate = number(24, 4)
    #expect(number(68, 4) == bytes.count - 72)
    samples = stride(from: 72, to: bytes.count - 1, by: 2).map {
      Int16(truncatingIfNeeded: number($0, 2))
    }
  }

  var seconds: Double { Double(samples.count) / Double(rate * channels) }

  /// The part of the samples that can be heard.
  var loudness: Double { Double(samples.count { abs(Int($0)) > 500 }) / Double(samples.count) }
}

@Suite("Speech into a file", .realPrograms(by: .test))
struct SpeechTests {
  private let keys = #""notes" space "docs" enter ctrl+z"#

  private func record(_ options: String...) throws -> (run: KeydragRun, sound: Sound) {
    let stage = try Stage("Inbox/notes.txt", "Inbox/Sorted/", "Docs/")
    let file = stage.base + "/out.wav"
    let run = try stage.files("Inbox", "Docs", keys: keys, options: ["--speech", file] + options)
    #expect(run.status == 0, "\(run)")
    return (run, try Sound(file))
  }

  @Test("--speech FILE.wav holds the whole session: long enough, audible, at espeak-ng's rate")
  func wholeSession() throws {
    let (run, sound) = try record()
    #expect(sound.rate == 22050)
    #expect(sound.channels == 1)
    // Nobody says a letter in less than a fortieth of a second at 175 words a minute.
    let letters = run.said.joined().count
    #expect(sound.seconds > Double(letters) / 40)
    #expect(sound.seconds < Double(letters) / 4)
    #expect(sound.loudness > 0.2)
  }

  @Test("K21: brief takes less time than full")
  func briefIsShorter() throws {
    let (full, brief) = (try record().sound, try record("--verbosity", "brief").sound)
    #expect(brief.seconds < full.seconds * 0.9)
  }

  @Test("The file holds every announcement: more of them make it longer")
  func everyAnnouncement() throws {
    let stage = try Stage("Inbox/notes.txt", "Docs/")
    func seconds(_ keys: String) throws -> Double {
      let file = stage.base + "/out.wav"
      _ = try stage.files("Inbox", "Docs", keys: keys, options: ["--speech", file])
      return try Sound(file).seconds
    }
    let once = try seconds("f2")
    // Keys that come at once cut nothing off.
    let thrice = try seconds("f2 !f2 !f2")
    #expect(thrice - once > 2)
  }

  @Test("H28: earcons are heard where they are on, one for each operation")
  func earcons() throws {
    let stage = try Stage("Inbox/notes.txt", "Docs/")
    func sound(_ isOn: Bool) throws -> Sound {
      try stage.configure("earcons: \(isOn)\n")
      let file = stage.base + "/out.wav"
      let run = try stage.files(
        "Inbox", "Docs", keys: "space f7 f7 f6 tab shift+tab escape", options: ["--speech", file])
      #expect(run.status == 0, "\(run)")
      return try Sound(file)
    }
    let (without, with) = (try sound(false), try sound(true))
    #expect(with.seconds > without.seconds + 0.15)
  }

  @Test(
    "A sound file that can't be made ends the run before it begins",
    arguments: ["no/out.wav", "Docs.wav"])
  func noFile(name: String) throws {
    let stage = try Stage("Inbox/notes.txt", "Docs.wav/")
    let run = try stage.files("Inbox", keys: "", options: ["--speech", name])
    #expect(run.status == 74, "\(run)")
    #expect(run.errors.hasPrefix("keydrag: "))
    #expect(run.records.all.isEmpty)
  }

  @Test("say records one text")
  func say() throws {
    let stage = try Stage()
    let file = stage.base + "/say.wav"
    let run = try stage.run(["say", "Good morning", "--speech", file], transcript: false)
    #expect(run.status == 0, "\(run)")
    let sound = try Sound(file)
    #expect((0.4...4).contains(sound.seconds))
  }
}
