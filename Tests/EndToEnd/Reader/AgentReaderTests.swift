import Glibc
import PrivateDesktop
import RealPrograms
import Testing
import Thorough

private struct ReaderScene {
  var desktop: DesktopStage
  var thunar: KeptProcess
  var agent: LiveRun
}

/// Steps beside the real Orca of the distribution, whose words take the time that a voice takes.
private protocol ReaderSteps: AgentSteps {}

extension ReaderSteps {
  /// Slow enough that what a reader says between is not over before the next thing comes.
  fileprivate static var pace: Int { 40 }

  fileprivate func begin() async throws -> ReaderScene {
    let desktop = try DesktopStage("Inbox/Sorted/", "Inbox/a.txt", "Inbox/b.txt", pace: Self.pace)
    // The service by which Orca speaks has its socket there.
    desktop.stage.variables["XDG_RUNTIME_DIR"] = desktop.desktop.environment["XDG_RUNTIME_DIR"]
    let thunar = try desktop.thunar(("Inbox", "b.txt"))
    try await desktop.desktop.startReader()
    let agent = try begin(desktop, at: "b.txt", in: "Inbox")
    // Orca has read where the person is.
    try await desktop.desktop.speech.hear("b.txt.")
    return ReaderScene(desktop: desktop, thunar: thunar, agent: agent)
  }

  /// What is said up to this.
  fileprivate func heard(_ last: String, _ scene: ReaderScene) async throws -> [String] {
    let last = HeardSpeech.asSaid(last)
    return try await scene.desktop.desktop.speech.hear(last) + [last]
  }

  /// The same, without what was cut off.
  fileprivate func heardWhole(_ last: String, _ scene: ReaderScene) async throws -> [String] {
    try await heard(last, scene).filter { !$0.hasPrefix(HeardSpeech.cutOff) }
  }

  /// Nothing is heard whole from one of our messages to another but what we have told: on a busy machine more
  /// is told, such as that a place is being asked.
  ///
  /// - Parameter first: everything counts from the last look on where it is left out.
  fileprivate func expectOnlyOurs(
    from first: Record? = nil, to last: Record, _ scene: ReaderScene
  ) async throws {
    let words = try await heardWhole(last.text, scene)
    let start = first.map { HeardSpeech.asSaid($0.text) }
    let ours = scene.agent.records.all.filter { $0.kind == "announcement" }
      .map { HeardSpeech.asSaid($0.text) }
    let counted = words.drop { start != nil && $0 != start }
    #expect(!counted.isEmpty && counted.allSatisfy(ours.contains), "\(words)")
  }

  /// Holds a key for a tenth of a second, as a person does.
  fileprivate func hold(_ key: String, _ desktop: DesktopStage) throws {
    try desktop.hand("keydown", key, "sleep", "0.1", "keyup", key)
  }
}

@Suite(
  "The first word of the agent, heard", .realPrograms(by: .alone), .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct AgentFirstWordTests: ReaderSteps {
  @Test("T11 The chord is answered before what the reader reads because of it, and so is each key")
  func chord() async throws {
    let scene = try await begin()
    defer { withExtendedLifetime(scene) {} }
    try hold(chord, scene.desktop)
    let picked = try scene.agent.wait(for: "picked-up")
    #expect(picked["by"] == "notification", "\(picked)")
    let first = try scene.agent.wait(at: "Inbox folder view", "refuse")
    // A busy reader may have begun before it hears of the answer.
    try await expectOnlyOurs(from: picked, to: first, scene)
    try hold("Tab", scene.desktop)
    let place = try scene.agent.wait(at: "Sorted")
    try await expectOnlyOurs(to: place, scene)
    try hold("Escape", scene.desktop)
    try await expectOnlyOurs(to: try scene.agent.wait(for: "cancelled"), scene)
  }
}

@Suite(
  "What is heard of the agent", .realPrograms(by: .suite), .serialized, .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct AgentReaderTests: ReaderSteps {
  @Test("Each line of the list is heard whole, and nothing else")
  func list() async throws {
    let scene = try await begin()
    defer { withExtendedLifetime(scene) {} }
    try hold("ctrl+alt+shift+space", scene.desktop)
    let question = try scene.agent.wait(for: "confirm")
    let first = try scene.agent.wait(for: "choice")
    try await expectOnlyOurs(from: question, to: first, scene)
    for key in ["Down", "Down", "Up"] {
      try scene.desktop.press(key)
      let line = try scene.agent.wait(for: "choice")
      try await expectOnlyOurs(to: line, scene)
    }
  }

  @Test("A letter that leads to the same place leaves nothing of it unheard", .thorough)
  func letters() async throws {
    let scene = try await begin()
    defer { withExtendedLifetime(scene) {} }
    try scene.desktop.press(chord)
    _ = try await heard(try scene.agent.wait(for: "drop-point").text, scene)
    try scene.desktop.press("F4")
    // Both before the first word of the place is over.
    try scene.desktop.press("s", "o")
    let place = try scene.agent.wait(at: "Sorted")
    #expect(try await heardWhole(place.text, scene).last == HeardSpeech.asSaid(place.text))
    try scene.desktop.press("Return", "Escape")
    try scene.agent.wait(for: "cancelled")
  }

  @Test(
    "A program that is late to tell that it lost the keyboard cuts nothing off for good", .thorough)
  func late() async throws {
    let scene = try await begin()
    defer { withExtendedLifetime(scene) {} }
    try hold("ctrl+alt+shift+space", scene.desktop)
    try scene.agent.wait(for: "confirm")
    _ = try await heard(try scene.agent.wait(for: "choice").text, scene)
    for pause in ["0.04", "0.22"] {
      scene.thunar.signal(SIGSTOP)
      try scene.desktop.hand(
        "keydown", "Down", "sleep", pause, "exec", "--sync", "--terminator", ";", "kill", "-CONT",
        "\(scene.thunar.id)", ";", "sleep", "0.1", "keyup", "Down")
      let line = try scene.agent.wait(for: "choice")
      #expect(try await heardWhole(line.text, scene) == [HeardSpeech.asSaid(line.text)])
    }
  }

  @Test("H14 when the service by which the reader speaks ends, the next line is heard all the same")
  func speechEnds() async throws {
    let scene = try await begin()
    defer { withExtendedLifetime(scene) {} }
    try hold("ctrl+alt+shift+space", scene.desktop)
    _ = try await heard(try scene.agent.wait(for: "choice").text, scene)
    for key in ["Down", "Up"] {
      try scene.desktop.desktop.killSpeechService()
      try scene.desktop.press(key)
      let line = try scene.agent.wait(for: "choice")
      do { try await expectOnlyOurs(to: line, scene) } catch let silence as HeardSpeech.Silence {
        // A reader that takes long to begin anew is given up: it is told once more, another way.
        let isToldAgain = scene.agent.records.all.contains {
          $0["again"] == true && $0.text == line.text
        }
        #expect(isToldAgain, "\(silence)")
      }
    }
  }
}
