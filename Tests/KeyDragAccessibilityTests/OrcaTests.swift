import Glibc
import KeyDragAccessibility
import KeyDragCore
import PrivateDesktop
import RealPrograms
import Synchronization
import Testing

@Suite(
  "Messages to the real Orca", .realPrograms(by: .suite), .serialized, .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { PrivateDesktop.obstacle == nil })
struct OrcaTests {
  @Test(
    "Quick messages are heard in order, each exactly once",
    arguments: [
      ["Inbox, 3 files.", "notes.txt, 2 of 4", "Picked up", "Docs: copy", "Copied."],
      ["Nothing to undo.", "Nothing to undo."],
      ["łódź & <b>żółw</b>, \"ŝ\" 日本", "50 %"],
    ])
  func order(texts: [String]) async throws {
    let stage = try await ReaderStage()
    await stage.reader.reaches(.notification)
    for text in texts { #expect(stage.say(text) == .notification) }
    await stage.reader.allHeard()
    let last = "That was all."
    stage.say(last)
    do {
      let heard = try await stage.desktop.speech.hear(last)
      #expect(heard == texts.map(HeardSpeech.asSaid))
    }
    #expect(stage.moves.isEmpty)
  }

  @Test("A message is heard at once among more events than Orca keeps", arguments: [true, false])
  func flood(isFirst: Bool) async throws {
    let stage = try await ReaderStage()
    await stage.reader.reaches(.notification)
    // All of it stands before Orca when it goes on.
    stage.desktop.reader?.signal(SIGSTOP)
    if isFirst { stage.say("Picked up.") }
    var scene = DragScene()
    scene.delivery = "Copying big.iso"
    for percent in 0...150 {
      scene.percent = percent
      stage.reader.show(scene)
    }
    if !isFirst { stage.say("Picked up.") }
    await stage.allSent()
    stage.desktop.reader?.signal(SIGCONT)
    await stage.reader.allHeard()
    // Behind all of it.
    stage.say("That was all.")
    #expect(try await stage.desktop.speech.hear("That was all.") == ["Picked up."])
  }

  @Test("A reader that is killed is let go, and found again when it is back")
  func restart() async throws {
    let stage = try await ReaderStage()
    await stage.reader.reaches(.notification)
    stage.say("Before.")
    try await stage.desktop.speech.hear("Before.")
    stage.desktop.killReader()
    await stage.reader.reaches(nil)
    #expect(stage.say("Meanwhile.") == nil)
    try await stage.desktop.startReader()
    await stage.reader.reaches(.notification)
    stage.say("After.")
    do {
      let heard = try await stage.desktop.speech.hear("After.")
      #expect(heard.isEmpty)
    }
  }

  @Test("What a stopped reader did not take comes back at once when that is noticed")
  func stopped() async throws {
    let stage = try await ReaderStage(patience: 400)
    await stage.reader.reaches(.notification)
    stage.desktop.reader?.signal(SIGSTOP)
    let start = ContinuousClock.now
    for text in ["Copied.", "Opened."] { #expect(stage.say(text) == .notification) }
    await stage.reader.reaches(nil)
    // The 400 ms of patience and what a busy machine adds, not the bus library's 25 seconds.
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(stage.moves == ["Copied. → none", "Opened. → none"])
    #expect(stage.say("Moved.") == nil)
    // The voice has said it.
    stage.reader.withdraw(ReaderMessage(number: 2, text: "Opened.", urgency: .polite))

    stage.desktop.reader?.signal(SIGCONT)
    await stage.reader.reaches(.notification)
    stage.say("Linked.")
    // What was sent before it stopped may be heard late; what was not sent must not be.
    do {
      let heard = try await stage.desktop.speech.hear("Linked.")
      #expect(heard == ["Copied."])
    }
  }

  @Test("A message on its way to a reader that dies comes back")
  func dies() async throws {
    let stage = try await ReaderStage(patience: 10_000)
    await stage.reader.reaches(.notification)
    stage.desktop.reader?.signal(SIGSTOP)
    stage.say("One.")
    stage.say("Two.")
    stage.desktop.killReader()
    await stage.reader.reaches(nil)
    await stage.moved(2)
    #expect(stage.moves == ["One. → none", "Two. → none"])
  }

  @Test("A bus that dies takes the reader away, and nothing else")
  func busDies() async throws {
    let stage = try await ReaderStage()
    await stage.reader.reaches(.notification)
    stage.desktop.killBus()
    await stage.reader.reaches(nil)
    #expect(stage.say("Copied.") == nil)
  }

  @Test("H14 a message is heard also where the service by which the reader speaks has ended")
  func speechEnds() async throws {
    let stage = try await ReaderStage()
    await stage.reader.reaches(.notification)
    stage.say("Before.")
    try await stage.desktop.speech.hear("Before.")
    // No key comes between, at which the reader would find out.
    for text in ["Copied.", "Moved."] {
      try stage.desktop.killSpeechService()
      #expect(stage.say(text) == .notification)
      #expect(try await stage.desktop.speech.hear(text).isEmpty)
    }
    stage.say("That was all.")
    #expect(try await stage.desktop.speech.hear("That was all.").isEmpty)
    #expect(stage.moves.isEmpty)
  }

  @Test("H14 of two Orcas one says each message, and the other those after its end")
  func twoReaders() async throws {
    let stage = try await ReaderStage()
    await stage.reader.reaches(.notification)
    let first = try #require(stage.desktop.reader)
    try await stage.desktop.startReader()
    let second = try #require(stage.desktop.reader)
    await stage.reader.hasListeners(2)
    for text in ["Picked up.", "Docs: copy.", "Copied."] { stage.say(text) }
    do {
      let heard = try await stage.desktop.speech.hear("Copied.")
      #expect(heard == ["Picked up.", "Docs: copy."])
    }
    first.end()
    await stage.reader.hasListeners(1)
    stage.say("Moved.")
    do {
      let heard = try await stage.desktop.speech.hear("Moved.")
      #expect(heard.isEmpty)
    }
    second.end()
    await stage.reader.reaches(nil)
    #expect(stage.moves.isEmpty)
  }

  @Test("H14 one whose speech is off takes messages, for braille, and nobody says them instead")
  func withoutSpeech() async throws {
    let stage = try await ReaderStage(hasOrca: false)
    try stage.desktop.launchReader(options: ["--disable", "speech"])
    await stage.reader.reaches(.notification)
    for text in ["Picked up.", "Copied."] {
      #expect(stage.say(text) == .notification)
      await stage.reader.allHeard()
    }
    stage.reader.finish()
    #expect(stage.moves.isEmpty)
    #expect(stage.desktop.speech.all.isEmpty)
  }

  @Test("Orca is not spoken to where another way is demanded")
  func forced() async throws {
    let stage = try await ReaderStage(rung: .atspi)
    stage.reader.settle(within: 5)
    #expect(stage.reader.rung == nil)
  }

  @Test("A reader has the time to ask about the last message before the program ends")
  func farewell() async throws {
    let stage = try await ReaderStage()
    await stage.reader.reaches(.notification)
    stage.say("Goodbye.")
    stage.reader.finish()
    do {
      let heard = try await stage.desktop.speech.next()
      #expect(heard == "Goodbye.")
    }
  }
}
