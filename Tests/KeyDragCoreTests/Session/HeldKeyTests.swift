import Testing

@testable import KeyDragCore

/// A key that is held down, or bounces: no clock tells it from one that is pressed.
@Suite("A key that is held down")
struct HeldKeyTests {
  private static let keys = [
    "enter", "space", "tab", "delete", "backspace", "up", "down", "left", "right", "home", "end",
  ]

  @Test(
    "K25: sixty presses of one key change at most one thing, and from browsing nothing",
    arguments: TotalityTests.Start.allCases, Self.keys)
  func sixty(start: TotalityTests.Start, key: String) {
    var driver = start.driver()
    for _ in 0..<60 { driver.press(key) }
    let changes = driver.effects.count { effect in
      guard case .request(_, let request) = effect else { return false }
      return switch request {
      case .deliver, .cancelDelivery, .undo, .redo, .reorder: true
      default: false
      }
    }
    #expect(changes <= (start.phase == .browsing ? 0 : 1))
  }

  @Test("K25: Enter on a file opens its actions at a line that does nothing")
  func actions() {
    var driver = SessionDriver.started()
    driver.press("'a.txt'")
    #expect(driver.hear("enter").last?.hasPrefix("Leave as it is. 1 of ") == true)
    driver.press("enter")
    #expect(driver.session.phase.name == .browsing)
  }

  @Test("K25: what an Enter has picked up another one drops only after any other key")
  func menu() {
    var driver = SessionDriver.started()
    driver.press("'a.txt' enter down enter")
    #expect(driver.session.state.verdict?.operation == .copy)
    _ = driver.hear()
    #expect(driver.hear("enter").last?.hasSuffix("Press another key first, then drop it.") == true)
    #expect(driver.hear("enter").last?.hasSuffix("Press another key first, then drop it.") == true)
    #expect(driver.orders.isEmpty)
    driver.press("f2 enter")
    #expect(driver.orders.count == 1)
  }

  @Test("K13: an Enter meant for a place that has just vanished drops at no other one")
  func vanished() {
    var driver = SessionDriver.started()
    driver.press("'a.txt' space tab")
    let meant = driver.session.state.dropPoint
    #expect(meant == "Docs")
    driver.change(.dropPointVanished(Stage.place("Docs"), container: Stage.container("Docs")))
    #expect(driver.session.state.dropPoint != meant)
    _ = driver.hear()
    for _ in 0..<2 {
      #expect(
        driver.hear("enter").last?.hasSuffix("Press another key first, then drop it.") == true)
    }
    #expect(driver.orders.isEmpty)
    driver.press("'sorted' enter")
    #expect(driver.orders.count == 1)
  }

  @Test("K25: a letter counts as another key")
  func letter() {
    var driver = SessionDriver.started()
    driver.press("'a.txt' enter down enter 'docs' enter")
    #expect(driver.orders.count == 1)
  }

  @Test("K02: Copy to never begins at the folder that the file lies in", arguments: ["f5", "f9"])
  func ownFolder(key: String) {
    var stage = Stage.inboxAndDocs
    stage.proposals[Stage.place("Inbox")] = DropProposal(.all, offers: .copy)
    var driver = SessionDriver.started(stage)
    driver.press(key == "f9" ? "'a.txt' f9 down enter" : "'a.txt' f5")
    #expect(driver.session.state.dropPoint == "Sorted")
    // It is a place like any other, after all of them.
    let walked = driver.hear("shift+tab shift+tab")
    #expect(walked.last?.hasPrefix("Inbox: copy") == true, "\(walked)")
  }
}
