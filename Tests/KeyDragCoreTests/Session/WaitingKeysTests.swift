import KeyDragCore
import Testing

@Suite("Keys pressed while answers are outstanding")
struct WaitingKeysTests {
  /// A drag of a.txt whose items and places have not answered.
  private func asking() -> SessionDriver {
    var driver = SessionDriver.started()
    driver.press("'a.txt'")
    driver.holdsAnswers = true
    driver.press("space")
    driver.announcements = []
    return driver
  }

  /// Keys, and how many answers come between two of them.
  @Test(
    "K26: Enter drops where the keys before it led, however late the answers come",
    arguments: ["'docs'", "d o", "tab", "tab tab", "'reports' shift+tab"], 0...4)
  func order(keys: String, answers: Int) {
    var prompt = SessionDriver.started()
    prompt.press("'a.txt' space \(keys) enter")
    var driver = asking()
    for key in (keys + " enter").split(separator: " ") {
      driver.press(String(key))
      for _ in 0..<answers { driver.answerNext() }
    }
    driver.answerAll()
    #expect(driver.orders.map(\.stop) == prompt.orders.map(\.stop))
    #expect(driver.orders.map(\.operation) == prompt.orders.map(\.operation))
    #expect(driver.orders.count == 1)
  }

  @Test("K26: what is pressed behind a drop is done after it")
  func behindDrop() throws {
    var driver = asking()
    driver.press("'docs' enter")
    while driver.orders.isEmpty, driver.session.waiting.count > 0 { driver.answerNext() }
    driver.press("'notes' ctrl+z")
    #expect(driver.orders.isEmpty)
    driver.answerAll()
    #expect(driver.orders.map(\.stop.point) == [Stage.place("Docs")])
    let requests = driver.effects.compactMap { effect in
      if case .request(_, let request) = effect { request } else { nil }
    }
    let delivery = requests.firstIndex { if case .deliver = $0 { true } else { false } }
    let undo = requests.firstIndex { if case .undo = $0 { true } else { false } }
    #expect(try #require(delivery) < #require(undo))
    #expect(driver.session.state.item == "notes.txt")
  }

  @Test("K26: what is pressed behind letters that lead nowhere drops nothing, and that is heard")
  func nowhere() {
    var driver = asking()
    driver.press("'xyz' enter tab")
    driver.answerAll()
    #expect(driver.orders.isEmpty && driver.carried == ["a.txt"])
    let heard = driver.hear()
    #expect(heard.contains { $0.contains("xyz") })
    #expect(heard.contains { $0.hasPrefix("Holding a.txt.") }, "\(heard)")
    #expect(driver.session.state.dropPoint == "Sorted")
  }

  @Test("K26: where nothing takes it, the keys behind do nothing in the list")
  func nothingAccepts() {
    var driver = SessionDriver.started(
      {
        var stage = Stage()
        stage.folder("Inbox", ["a.txt", "b.txt"])
        return stage
      }())
    driver.press("'a.txt'")
    driver.holdsAnswers = true
    driver.press("space 'b' enter")
    driver.answerAll()
    #expect(driver.isBrowsing && driver.orders.isEmpty)
    #expect(driver.session.state.item == "a.txt")
  }

  @Test(
    "K26: Escape, silence and Ctrl+C empty the line of keys",
    arguments: [CommandName.cancel, .silence, .interrupt])
  func emptied(command: CommandName) {
    var driver = asking()
    driver.press("'docs' enter")
    driver.command(command)
    driver.answerAll()
    #expect(driver.orders.isEmpty)
    #expect(driver.isBrowsing == (command != .silence))
  }

  @Test("K25: Enter again while one waits is the same Enter, and answers no question asked since")
  func sameEnter() {
    var driver = SessionDriver.started()
    driver.press("'a.txt' space 'docs'")
    driver.stage.finalProposals[Stage.place("Docs")] = DropProposal(
      .all, predictions: [.nameClash(["a.txt"])])
    driver.holdsAnswers = true
    driver.press("enter enter enter")
    driver.answerAll()
    #expect(driver.session.phase.name == .confirming)
    #expect(driver.orders.isEmpty)
  }
}
