import Glibc
import PrivateDesktop
import RealPrograms
import Testing
import Thorough

/// A whole session by key script, with the real Orca of the distribution listening.
@Suite(
  "Sessions through the screen reader", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { PrivateDesktop.obstacle == nil })
struct ReaderSessionTests {
  private let keys = #""notes" space "docs" enter ctrl+z"#

  private func stage(_ desktop: PrivateDesktop) throws -> Stage {
    let stage = try Stage("Inbox/notes.txt", "Inbox/Sorted/", "Docs/")
    for name in ["DBUS_SESSION_BUS_ADDRESS", "DISPLAY"] {
      stage.variables[name] = desktop.environment[name]
    }
    return stage
  }

  /// What the transcript says that the reader was given, as it says it.
  private func given(_ run: KeydragRun) -> [String] {
    run.records.all.filter { $0.kind == "announcement" && $0["by"] == "notification" }
      .map { HeardSpeech.asSaid($0.text) }
  }

  @Test(
    "Orca says every announcement once, in order, and nothing else does",
    arguments: Thorough.cases(ordinarily: 1, of: ["ru", "en", "pl"]))
  func wholeSession(language: String) async throws {
    let desktop = try PrivateDesktop()
    try await desktop.startReader()
    let stage = try stage(desktop)
    let run = try stage.files(
      "Inbox", "Docs", keys: keys, options: ["--announce", "notification", "--lang", language])
    #expect(run.status == 0, "\(run)")
    #expect(run.first("ready")?["lang"] == .text(language))
    #expect(given(run).count == run.said.count, "\(run)")
    var heard: [String] = []
    for text in given(run) { heard += try await desktop.speech.hear(text) + [text] }
    #expect(heard == given(run))
  }

  @Test("A command without a session tells the reader what came of it, and says if none is there")
  func oneShot() async throws {
    let desktop = try PrivateDesktop()
    let stage = try stage(desktop)
    let copy = ["copy", "Inbox/notes.txt", "--to", "Docs", "--announce", "notification"]
    let unheard = try stage.run(copy)
    #expect(unheard.status == 0, "\(unheard)")
    #expect(
      unheard.first("problem")?.text == "--announce notification: No screen reader is running. "
        + "KeyDrag speaks itself. --announce speech, --announce text", "\(unheard)")
    try await desktop.startReader()
    let undo = try stage.run(["undo", "--announce", "notification"])
    #expect(undo.status == 0, "\(undo)")
    #expect(given(undo) == [HeardSpeech.asSaid("Took back: notes.txt out of Docs.")], "\(undo)")
    #expect(try await desktop.speech.next(1) == given(undo))
  }

  @Test("Without being asked, a script is told to nobody")
  func script() async throws {
    let desktop = try PrivateDesktop()
    try await desktop.startReader()
    let stage = try stage(desktop)
    let run = try stage.files("Inbox", "Docs", keys: keys)
    #expect(given(run).isEmpty)
    #expect(desktop.speech.all == ["Screen reader on."])
  }

  @Test(
    "A way that leads to no reader is said at once, with the way that there is",
    arguments: [
      ("orca", "It has no service of its own for messages."),
      ("atspi", "It does not listen for announcements."),
    ])
  func wrongWay(way: String, reason: String) async throws {
    let desktop = try PrivateDesktop()
    try await desktop.startReader()
    let stage = try stage(desktop)
    let run = try stage.files("Inbox", "Docs", keys: keys, options: ["--announce", way])
    #expect(run.status == 0, "\(run)")
    let version = try desktop.start(["/usr/bin/orca", "--version"]).line()
    let first = run.records.all.first { $0.kind == "announcement" }
    #expect(first?.id == "problem", "\(run)")
    #expect(
      first?.text == "--announce \(way): Orca \(version) is running. \(reason) "
        + "Messages are shown as text. --announce notification", "\(run)")
    #expect(given(run).isEmpty)
    #expect(desktop.speech.all == ["Screen reader on."])
  }

  @Test(
    "A way to a reader says so where none runs, and who speaks then, if anybody does",
    arguments: [
      ("off", "Messages are shown as text. --speech on, --announce text"),
      ("auto", "KeyDrag speaks itself. --announce speech, --announce text"),
      ("said.wav", "Messages are shown as text. --speech on, --announce text"),
    ])
  func noReader(speech: String, rest: String) throws {
    let desktop = try PrivateDesktop()
    let stage = try stage(desktop)
    let options = ["--announce", "notification", "--speech", speech]
    let told = "--announce notification: No screen reader is running. " + rest
    let files = try stage.files("Inbox", "Docs", keys: keys, options: options)
    #expect(files.first("problem")?.text == told, "\(files)")
    let agent = try stage.run(["desktop", "--keys", ":quit"] + options)
    #expect(agent.first("problem")?.text == told, "\(agent)")
  }

  @Test("A reader that is killed in the middle loses nothing but the rest of the session")
  func killed() async throws {
    let desktop = try PrivateDesktop()
    try await desktop.startReader()
    let stage = try stage(desktop)
    let run = try stage.live("Inbox", "Docs", options: ["--announce", "notification"])
    run.type(#""notes" space"#)
    try run.wait(for: "drop-point")
    desktop.killReader()
    // Time for the bus to say so is not given: a message that is on its way comes back.
    run.type(#""docs" enter @delivered"#)
    try run.wait("a message by text") { $0["by"] == "text" }
    let end = try run.finish()
    #expect(end.status == 0, "\(end)")
    let delivered = end.records.all.filter { $0.id == "delivered" }
    #expect(delivered.last?["by"] == "text", "\(end)")
  }

  // Its words are caught here before they come to speech-dispatcher, which does not run.
  @Test("The doctor names the reader, its version, the way to it and why, and its absence")
  func doctor() async throws {
    let desktop = try PrivateDesktop()
    try await desktop.startReader()
    let with = try stage(desktop).run("doctor", transcript: false)
    let version = try desktop.start(["/usr/bin/orca", "--version"]).line()
    #expect(
      with.output.contains(
        "Screen reader: works in part. Orca \(version) is running. Messages go to it as notifications. "
          + "It does not listen for announcements. No answer from speech-dispatcher."), "\(with)")
    let without = try Stage("Inbox/").run("doctor", transcript: false)
    #expect(without.output.contains("Screen reader: not there, and not needed."), "\(without)")
  }
}
