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
    try choose(row, in: folder, among: most, desktop)
    return agent
  }

  /// Goes to the last row of a list of files, which is this one.
  func choose(
    _ row: String, in folder: String, among most: Int = 100, _ desktop: DesktopStage
  ) throws {
    try desktop.press("Home", "End")
    try desktop.wait(for: row, in: folder, isSelected: true, among: most)
  }

  /// A window with a line of words that has the keyboard, and the agent.
  func begin(
    _ desktop: DesktopStage, withWordsIn title: String
  ) throws -> (window: TextWindow, agent: LiveRun) {
    let window = try desktop.window(.gtk3, title)
    try desktop.activate(title)
    try window.lines(upTo: "focus line")
    return (window, try desktop.agent())
  }

  /// Picks up a file; returns at the folder that shows it, which stands first and has it already.
  @discardableResult
  func pickUp(
    _ name: String, in folder: String, _ desktop: DesktopStage, _ agent: LiveRun
  ) throws -> Record {
    try pickUp(name, desktop, agent)
    return try agent.wait(at: folder + " folder view", "refuse")
  }

  /// Presses the chord; once more when the agent, which has only just begun to look around, does not
  /// know yet what is in focus, or the program was too busy to answer.
  func pickUp(_ name: String, _ desktop: DesktopStage, _ agent: LiveRun) throws {
    let end = ContinuousClock.now + .seconds(30)
    var answer: Record
    repeat {
      answer = try pickUp(desktop, agent)
    } while answer.argument("reason") == "not-responding" && ContinuousClock.now < end
    try #require(answer.argument("names") == [.text(name)], "\(answer)")
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

  /// Presses a key that leads to this place; returns with its answer.
  @discardableResult
  func step(
    _ key: String, to place: String, answering verdict: Value = "accept", _ desktop: DesktopStage,
    _ agent: LiveRun
  ) throws -> Record {
    try desktop.press(key)
    return try agent.wait(at: place, verdict)
  }

  /// Drops at the place that was reached; returns once that is said to have taken it.
  @discardableResult
  func drop(
    at place: Value, _ desktop: DesktopStage, _ agent: LiveRun, told id: String = "delivered"
  ) throws -> Record {
    try desktop.press("Return")
    return try agent.wait(for: id, "place", place)
  }

  /// Ends the drag of this one thing.
  func cancel(_ name: Value, _ desktop: DesktopStage, _ agent: LiveRun) throws {
    try desktop.press("Escape")
    try agent.wait(for: "cancelled", "names", [name])
  }

  /// Opens the list of deliveries, undo and the like; returns at its first line.
  @discardableResult
  func openList(_ desktop: DesktopStage, _ agent: LiveRun) throws -> Record {
    try desktop.press("ctrl+alt+shift+space")
    return try agent.wait(for: "choice", "index", 1)
  }

  /// Goes on window by window to the first place of the one with this title, which takes what is held.
  @discardableResult
  func goOn(
    to window: String, _ desktop: DesktopStage, _ agent: LiveRun
  ) throws -> Record {
    let end = ContinuousClock.now + .seconds(30)
    var key = "Next"
    while true {
      try desktop.press(key)
      let place = try agent.wait("a window's first place, or the end of the windows") {
        $0.id == "edge" || $0.id == "drop-point" && $0.argument("verdict") != "asking"
      }
      // The agent may not have been told yet of a window that has just come, nor that it comes before
      // the trash that is stood at: the way is gone back, and on again.
      if place.id == "edge" {
        key = key == "Next" ? "Prior" : "Next"
        guard ContinuousClock.now < end else {
          throw ChildProcess.Hung(description: "no \(window): \(place)")
        }
        continue
      }
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
