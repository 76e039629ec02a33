import Testing

@testable import KeyDragCore

/// Which line of the screen stands out, and for how long.
struct HighlightTests {
  private func highlighted(_ driver: SessionDriver) -> String? {
    let screen = driver.session.screen(height: 20, top: 0, phrases: Phrasebook(), message: "")
    return screen.current.map { screen.rows[$0].name }
  }

  private func point(_ driver: SessionDriver) -> DropPointID? {
    driver.session.screen(height: 20, top: 0, phrases: Phrasebook(), message: "").dropPoint
  }

  @Test("S12: while it is walked, the place that is current stands out, and no other")
  func walk() {
    var driver = SessionDriver.started()
    driver.press("'a.txt' space")
    var seen: Set<String> = []
    for _ in 0..<6 {
      let state = driver.session.state
      #expect(highlighted(driver) == state.dropPoint)
      #expect((point(driver) == nil) == (state.verdict?.word == .cancel), "\(state)")
      seen.insert(state.dropPoint ?? "")
      driver.press("tab")
    }
    #expect(seen.count > 2)
  }

  @Test(
    "S12: after the drop, after a cancel, and once the source is gone, no place stands out",
    arguments: ["enter", "escape", "ctrl+q", "vanish"])
  func after(end: String) {
    var driver = SessionDriver.started()
    driver.press("'a.txt' space 'docs'")
    #expect(highlighted(driver) == "Docs")
    #expect(point(driver) == Stage.place("Docs"))
    if end == "vanish" {
      driver.change(
        .sourceVanished(
          Stage.source("a.txt", in: "Inbox"), container: Stage.container("Inbox")))
    } else {
      driver.press(end)
    }
    #expect(driver.session.phase.name == .browsing)
    #expect(point(driver) == nil)
    #expect(highlighted(driver) == driver.session.state.item)
  }

  @Test("S12: a place that vanishes under the person hands on to the next")
  func placeVanishes() {
    var driver = SessionDriver.started()
    driver.press("'a.txt' space 'reports'")
    #expect(highlighted(driver) == "Reports")
    driver.change(
      .dropPointVanished(Stage.place("Reports"), container: Stage.container("Docs")))
    #expect(highlighted(driver) != "Reports")
    #expect(highlighted(driver) == driver.session.state.dropPoint)
  }

  @Test("S12: while a question stands the line that stands out is an answer")
  func question() {
    var stage = Stage.inboxAndDocs
    stage.finalProposals[Stage.place("Docs")] = DropProposal(
      .all, predictions: [.nameClash(["a.txt"])])
    var driver = SessionDriver.started(stage)
    driver.press("'a.txt' space 'docs' enter")
    #expect(highlighted(driver) == "Keep both")
    #expect(point(driver) == nil)
  }
}
