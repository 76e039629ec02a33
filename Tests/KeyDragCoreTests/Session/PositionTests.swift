import Testing

@testable import KeyDragCore

/// Moving an item to a position by its number.
struct PositionTests {
  private func driver(_ count: Int = 12) -> SessionDriver {
    var stage = Stage()
    stage.list("Places", (1...count).map { "Place_\($0)" })
    var driver = SessionDriver.started(stage)
    driver.press("down")
    _ = driver.hear()
    return driver
  }

  @Test("S16, H05: the position is asked for, typed, and said where the item is then")
  func typed() {
    var driver = driver()
    #expect(
      driver.hear("ctrl+n") == ["Type the new position of Place_2, 1 to 12.", "2 of 12."])
    #expect(driver.hear("1") == ["1 of 12."])
    #expect(driver.hear("2") == ["12 of 12."])
    #expect(driver.hear("enter") == ["Place_2 moved to 12 of 12."])
    #expect(driver.session.state.phase == .browsing)
    #expect(driver.session.state.index == 12)
    #expect(driver.session.state.item == "Place_2")
  }

  @Test("S16, H05: the actions menu offers it where there is an order, and nowhere else")
  func menu() {
    var driver = driver()
    driver.press("f9")
    let offered = driver.session.phase.choices
    #expect(offered.filter { $0 == .moveToPosition }.count == 1)
    for _ in offered.prefix(while: { $0 != .moveToPosition }) { driver.press("down") }
    #expect(driver.hear().last?.hasPrefix("Move to a position by number.") == true)
    #expect(driver.hear("enter").last == "2 of 12.")
    #expect(driver.hear("'3' enter").last == "Place_2 moved to 3 of 12.")
    var files = SessionDriver.started()
    files.press("'a.txt' f9")
    #expect(!files.session.phase.choices.contains(.moveToPosition))
    files.press("escape")
    _ = files.hear()
    #expect(files.hear("ctrl+n") == ["Can't move here. There is no order to change."])
  }

  @Test("S16: the arrows walk the positions and stop at both ends")
  func arrows() {
    var driver = driver(3)
    driver.press("ctrl+n")
    _ = driver.hear()
    #expect(driver.hear("up") == ["1 of 3."])
    #expect(driver.hear("up") == ["First."])
    #expect(driver.hear("down down") == ["2 of 3.", "3 of 3."])
    #expect(driver.hear("down") == ["Last."])
    #expect(driver.hear("enter") == ["Place_2 moved to 3 of 3."])
  }

  @Test(
    "S16: a number that is no position is said, and what was typed before it stays",
    arguments: [("0", "0"), ("13", "13"), ("999999999999", "999999999999"), ("x1", "x1")])
  func wrong(text: String, said: String) {
    var driver = driver()
    driver.press("ctrl+n")
    _ = driver.hear()
    #expect(driver.hear("'\(text)'") == ["Nothing begins with \(said)."])
    #expect(driver.hear("f2").last == "2 of 12.")
    #expect(driver.hear("enter") == ["Can't move here. It is there already."])
    #expect(driver.session.phase.name == .browsing)
  }

  @Test("S16: a digit too many is not taken, Backspace takes the last one back")
  func digits() {
    var driver = driver()
    driver.press("ctrl+n")
    _ = driver.hear()
    #expect(driver.hear("1 3") == ["1 of 12.", "Nothing begins with 13."])
    #expect(driver.hear("1") == ["11 of 12."])
    #expect(driver.hear("backspace") == ["1 of 12."])
    #expect(driver.hear("backspace") == ["1 of 12."])
    #expect(driver.hear("'٣'") == ["3 of 12."], "digits of any script count")
    #expect(driver.hear("enter") == ["Place_2 moved to 3 of 12."])
  }

  @Test("S16, H14: Escape leaves the order as it is")
  func escape() {
    var driver = driver()
    driver.press("ctrl+n 7")
    _ = driver.hear()
    #expect(driver.hear("escape") == ["Back."])
    #expect(driver.effects.allSatisfy { !$0.isReorder })
  }

  @Test("S16: a list that has changed meanwhile takes the last position it has, or says it is gone")
  func changed() {
    var driver = driver(4)
    driver.press("ctrl+n 4")
    driver.change(
      .sourceVanished(
        Stage.source("Place_4", in: "Places"), container: Stage.container("Places")))
    _ = driver.hear()
    #expect(driver.hear("enter") == ["Place_2 moved to 3 of 3."])
    driver.press("ctrl+n 1")
    driver.change(
      .sourceVanished(
        Stage.source("Place_2", in: "Places"), container: Stage.container("Places")))
    _ = driver.hear()
    #expect(driver.hear("enter") == ["Can't move here. It is gone.", "Place_3, 2 of 2"])
  }

  @Test("S16: a list that refuses says why")
  func refused() {
    var driver = driver()
    driver.stage.reordering = .readOnly
    #expect(driver.hear("ctrl+n 5 enter").last?.hasPrefix("Can't move here.") == true)
  }

  @Test("K16: digits mean nothing while another question stands", arguments: ["7", "'77'"])
  func otherQuestion(text: String) {
    var driver = SessionDriver.started()
    driver.press("'a.txt' f9")
    _ = driver.hear()
    #expect(driver.hear(text).count == 1)
    #expect(driver.session.phase.name == .confirming)
  }
}

extension Phase {
  fileprivate var choices: [Choice] {
    if case .confirming(let question, _) = self { question.choices } else { [] }
  }
}

extension Effect {
  fileprivate var isReorder: Bool {
    if case .request(_, .reorder) = self { true } else { false }
  }
}
