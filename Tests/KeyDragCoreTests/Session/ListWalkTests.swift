import KeyDragCore
import Testing

/// Before, on and after the rows of a list.
struct ListWalkTests {
  private func carrying(_ keys: String, _ change: (inout Stage) -> Void = { _ in }) -> SessionDriver
  {
    var stage = Stage()
    stage.list("Places", ["Rome", "Oslo", "Lima"])
    stage.folder("Docs", ["plan.pdf"])
    change(&stage)
    var driver = SessionDriver.started(stage)
    driver.press(keys)
    return driver
  }

  private func names(_ driver: inout SessionDriver, _ key: String, _ count: Int) -> [String] {
    (0..<count).map { _ in
      driver.announcements = []
      driver.press(key)
      return driver.hear().first?.split(separator: ":").first.map(String.init) ?? ""
    }
  }

  @Test("K07: before the first, on, between and after the last, each once")
  func stopsOfAList() {
    var driver = carrying("tab space 'rome' home up up")
    #expect(driver.session.state.position == .before)
    #expect(
      names(&driver, "down", 6) == [
        "Rome", "between Rome and Oslo", "Oslo", "between Oslo and Lima", "Lima", "after Lima",
      ])
    #expect(driver.hear("down") == ["Last."])
  }

  @Test("K07: up is the exact reverse of down")
  func reverse() {
    var driver = carrying("tab space 'rome' home up up")
    var there = [driver.session.phase.carry?.currentStop]
    for _ in 0..<6 {
      driver.press("down")
      there.append(driver.session.phase.carry?.currentStop)
    }
    for expected in there.dropLast().reversed() {
      driver.press("up")
      #expect(driver.session.phase.carry?.currentStop == expected)
    }
    #expect(driver.hear("up") == ["First."])
  }

  @Test("K07: Home and End keep the kind of stop", arguments: [false, true])
  func endsKeepTheKind(isOn: Bool) {
    var driver = carrying("tab space 'oslo'")
    if !isOn { driver.press("down") }
    driver.press("end")
    #expect(driver.session.state.position == (isOn ? .on : .after))
    #expect(driver.session.phase.carry?.currentStop?.point == Stage.place("Lima"))
    driver.press("home")
    #expect(driver.session.state.position == (isOn ? .on : .before))
    #expect(driver.session.phase.carry?.currentStop?.point == Stage.place("Rome"))
  }

  @Test("K07: pages keep the kind of stop from list to list", arguments: [false, true])
  func pagesKeepTheKind(isOn: Bool) {
    var driver = carrying("tab space 'oslo'") { $0.list("More", ["Bern", "Kyiv"]) }
    if !isOn { driver.press("down") }
    driver.press("page-up")
    #expect(driver.session.state.container == "More")
    #expect((driver.session.state.position == .on) == isOn)
    driver.press("page-down")
    #expect(driver.session.state.container == "Places")
    #expect((driver.session.state.position == .on) == isOn)
  }

  @Test("K07: Tab goes through a list as one place, numbered by its stops")
  func listIsOnePlace() {
    var driver = carrying("tab space")
    #expect(driver.walk(by: "tab").count == 1)
    driver.press("tab")
    #expect(driver.session.state.total == 7)
  }

  @Test("K07: stops that refuse are skipped")
  func refusingStops() {
    var driver = carrying("tab space 'rome' home up up") { stage in
      for name in ["Rome", "Oslo", "Lima"] {
        stage.stopProposals[DropStop(Stage.place(name), .on)] = .refused(.wrongType)
      }
    }
    driver.press("home")
    let heard = names(&driver, "down", 3)
    #expect(heard.first == "between Rome and Oslo")
    #expect(heard.last == "after Lima")
  }

  @Test("K09: next to a disabled row one can still insert, and typing its name goes beside it")
  func besideADisabledRow() {
    var driver = carrying("tab space") { stage in
      stage.stopProposals[DropStop(Stage.place("Oslo"), .on)] = .refused(.notPermitted)
    }
    driver.press("'oslo'")
    #expect(driver.session.state.position == .after)
    #expect(driver.session.state.verdict?.word == .accept)
  }

  @Test("H11: F2 names the place between two items, before the first and after the last")
  func whereAmI() {
    var driver = carrying("'oslo' tab space")
    #expect(
      driver.hear("f2").first
        == "Between Oslo and Lima, in Places: copy. Holding plan.pdf.")
    driver.press("end")
    #expect(driver.hear("f2").first == "After Lima, in Places: copy. Holding plan.pdf.")
    driver.press("home")
    #expect(driver.hear("f2").first == "Before Rome, in Places: copy. Holding plan.pdf.")
    driver.press("down")
    #expect(driver.hear("f2").first == "Rome, in Places: copy. Holding plan.pdf.")
  }

  @Test("K08: the first stop in a list follows the item in focus")
  func followsFocus() {
    var driver = carrying("'oslo' tab space")
    #expect(driver.hear().last?.hasPrefix("between Oslo and Lima") == true)
  }

  @Test("K08: the first stop in a list follows the end of the selection of another list's items")
  func followsSelection() {
    // Oslo is marked and focus is elsewhere: in the list, the marked row is the anchor.
    var driver = carrying("'rome' ctrl+t 'oslo' ctrl+t tab 'plan' space")
    #expect(driver.hear().last?.hasPrefix("between Oslo and Lima") == true)
  }

  @Test("K08: where the stop behind the item in focus refuses, the next one is entered")
  func followsFocusPastRefusals() {
    var driver = carrying("'rome' space") { stage in
      for position in DropPosition.allCases {
        stage.stopProposals[DropStop(Stage.place("Rome"), position)] = .refused(.samePlace)
      }
    }
    #expect(driver.hear().last?.hasPrefix("Oslo, in Places") == true)
  }
}
