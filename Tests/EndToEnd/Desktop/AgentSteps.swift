import PrivateDesktop
import Testing

/// What sessions of the agent begin with.
protocol AgentSteps {}

extension AgentSteps {
  var chord: String { "ctrl+alt+space" }

  /// A list of files with the last one chosen, and the agent. More than one: a list of one does not
  /// select it for a key that moves nowhere.
  func begin(
    _ desktop: DesktopStage, at row: String, in folder: String, among most: Int = 100
  ) throws -> LiveRun {
    let agent = try desktop.agent()
    try desktop.activate(folder)
    try desktop.press("Home", "End")
    try desktop.wait(for: row, in: folder, isSelected: true, among: most)
    return agent
  }

  /// Presses the chord; once more when the agent, which has only just begun to look around, does not
  /// know yet what is in focus, or the program was too busy to answer.
  func pickUp(_ name: String, _ desktop: DesktopStage, _ agent: LiveRun) throws {
    let end = ContinuousClock.now + .seconds(30)
    var answer: Record
    repeat {
      answer = try pickUp(desktop, agent)
    } while answer.argument("reason") == "not-responding" && ContinuousClock.now < end
    #expect(answer.argument("names") == [.text(name)], "\(answer)")
  }

  @discardableResult
  func pickUp(_ desktop: DesktopStage, _ agent: LiveRun) throws -> Record {
    for _ in 0..<5 {
      try desktop.press(chord)
      let answer = try agent.wait("an answer to the chord") {
        $0.id == "picked-up" || $0.id == "nothing-to-pick-up"
      }
      if answer.argument("reason") != "nothing-there" { return answer }
    }
    throw ChildProcess.Hung(description: "nothing is in focus")
  }

  /// Goes on window by window to the first place of the one with this title, which takes what is held.
  @discardableResult
  func goOn(
    to window: String, _ desktop: DesktopStage, _ agent: LiveRun
  ) throws -> Record {
    while true {
      try desktop.press("Next")
      let place = try agent.wait("a window's first place, or the last window") {
        $0.id == "edge" || $0.id == "drop-point" && $0.argument("verdict") != "asking"
      }
      if place.id == "edge" { throw ChildProcess.Hung(description: "no \(window): \(place)") }
      // A window that is one place has its name in the place's.
      let isThere =
        place.argument("container") == .text(window)
        || place.argument("name") == .text(window + " window")
      guard isThere else { continue }
      #expect(place.argument("verdict") == "accept", "\(place)")
      return place
    }
  }

  /// Picks up the words in the line of the window that has the keyboard, with the agent in its usual
  /// state; returns at the first place.
  func pickUpWords(_ desktop: DesktopStage, _ agent: LiveRun) throws {
    try desktop.press("ctrl+a")
    try pickUp("some words to carry", desktop, agent)
    try agent.wait(at: "Body text field")
  }
}
