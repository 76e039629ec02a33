import KeyDragCore
import Testing

/// H08: that a drop can't be undone is said before it, and once in a drag.
struct LastingTests {
  private static let lasting = DropProposal(
    .all, predictions: [.inProgram(isPasted: false, undo: .impossible)])

  /// A desktop with something held, where these places have no way back.
  private func carrying(_ names: String...) -> SessionDriver {
    var stage = Stage.desktop
    for name in names { stage.proposals[Stage.place(name)] = Self.lasting }
    return SessionDriver.carrying(stage)
  }

  /// How often it is said from now on, or since it was asked last.
  private func warnings(_ driver: inout SessionDriver, _ keys: String = "") -> Int {
    driver.press(keys)
    return driver.hear().count { $0.contains("Can't be undone.") }
  }

  @Test("H08: it is said at the first place where it holds, and at none after it")
  func once() {
    var driver = carrying("Sorted", "Docs", "Music", "To")
    #expect(driver.hear().last == "Sorted, in Files, Thunar: copy. Can't be undone. 1 of 6")
    #expect(driver.hear("tab") == ["Docs: copy. 2 of 6"])
    #expect(driver.hear("tab") == ["Music: copy. 3 of 6"])
    #expect(driver.hear("shift+tab") == ["Docs: copy. 2 of 6"])
  }

  @Test("H08: another window without Undo says it no more, and the next drag says it again")
  func nextDrag() {
    var driver = carrying(
      "Sorted", "Docs", "Music", "Photos", "Videos", "Work", "To", "Body", "Page")
    #expect(warnings(&driver) == 1)
    #expect(warnings(&driver, "tab tab page-down tab page-down") == 0)
    driver.press("escape")
    driver.announcements = []
    driver.command(.pickUp)
    #expect(warnings(&driver) == 1)
  }

  @Test("H08: it is said again where a place with a way back was said between")
  func changes() {
    var driver = carrying("Sorted", "Music")
    #expect(warnings(&driver) == 1)
    #expect(driver.hear("tab") == ["Docs: copy. 2 of 6"])
    #expect(driver.hear("tab") == ["Music: copy. Can't be undone. 3 of 6"])
    #expect(warnings(&driver, "tab shift+tab") == 1)
  }

  @Test("T07: a doubt about undo is said as one, and that there is none after it is news")
  func doubts() {
    var driver = carrying("Docs")
    let doubtful = DropProposal(.all, predictions: [.inProgram(isPasted: false, undo: .doubtful)])
    for name in ["Sorted", "Music"] { driver.stage.proposals[Stage.place(name)] = doubtful }
    driver.press("escape")
    driver.announcements = []
    driver.command(.pickUp)
    #expect(
      driver.hear().last == "Sorted, in Files, Thunar: copy. Perhaps can't be undone. 1 of 6")
    #expect(driver.hear("tab") == ["Docs: copy. Can't be undone. 2 of 6"])
    #expect(driver.hear("tab") == ["Music: copy. 3 of 6"])
    #expect(driver.hear("shift+tab shift+tab").last == "Sorted: copy. 1 of 6")
  }

  @Test("H08: a place that refuses has no part in it")
  func refusing() {
    var driver = carrying("Sorted", "Music")
    driver.stage.proposals[Stage.place("Docs")] = .refused(.notTaken)
    driver.press("escape")
    driver.announcements = []
    driver.command(.pickUp)
    #expect(warnings(&driver) == 1)
    #expect(warnings(&driver, "tab tab") == 0)
    #expect(driver.place == "Music")
  }

  @Test("H08: details and F2 say it at each place, and the transcript's result keeps it")
  func asked() {
    var driver = carrying("Sorted", "Docs")
    driver.press("tab")
    #expect(driver.hear("ctrl+d") == ["Accepts notes.txt. Can't be undone."])
    #expect(
      driver.hear("f2") == ["Docs, in Files, Thunar: copy. Can't be undone. Holding notes.txt."])
    #expect(driver.session.state.verdict.flatMap(Phrasebook().result) == "Can't be undone.")
    driver.press("tab")
    #expect(driver.hear("ctrl+d") == ["Accepts notes.txt."])
    #expect(driver.session.state.verdict.flatMap(Phrasebook().result) == nil)
  }

  @Test("H08: the arguments of a place keep it where the words leave it out")
  func arguments() throws {
    var driver = carrying("Sorted", "Docs")
    driver.announcements = []
    driver.press("tab")
    let place = try #require(driver.announcements.first)
    #expect(!Phrasebook().text(place).contains("undone"))
    let result = Phrasebook().arguments(place).first { $0.name == "result" }
    #expect(result?.value == .text("Can't be undone."))
  }

  @Test("H08: beside another prediction it is said too")
  func besideOthers() {
    var stage = Stage.desktop
    stage.proposals[Stage.place("Sorted")] = DropProposal(
      .all,
      predictions: [.becomes("notes.pdf"), .inProgram(isPasted: true, undo: .impossible)])
    var driver = SessionDriver.carrying(stage)
    #expect(
      driver.hear().last
        == "Sorted, in Files, Thunar: copy. Becomes notes.pdf. Can't be undone. 1 of 6")
  }

  @Test("K24 H08: cut off by a key, it is said again at the next such place")
  func cutOff() {
    var driver = carrying("Sorted", "Docs", "Music")
    driver.give(.unheard)
    #expect(driver.hear("tab") == ["Docs, in Files, Thunar: copy. Can't be undone. 2 of 6"])
    #expect(warnings(&driver, "tab") == 0)
  }

  @Test("K24 H08: cut off by the key that drops, it does not hold the drop up")
  func cutOffByTheDrop() {
    var driver = carrying("Sorted")
    driver.give(.unheard)
    driver.press("enter")
    #expect(driver.orders.count == 1)
  }

  @Test("H08: a drop without a walk says it, and is not held up by it")
  func withoutWalk() {
    var driver = SessionDriver.started()
    driver.stage.proposals[Stage.place("Docs")] = Self.lasting
    _ = driver.hear()
    driver.give(
      .transfer(
        Transfer(
          sources: [Stage.source("a.txt", in: "Inbox")], stop: DropStop(Stage.place("Docs")),
          operation: .copy, clash: .keepBoth)))
    #expect(driver.hear().first == "Docs: copy. Can't be undone.")
    #expect(driver.orders.count == 1)
  }

  @Test("H08: Enter before the answer drops nothing where there turns out to be no way back")
  func early() {
    var driver = SessionDriver.desktop()
    driver.stage.proposals[Stage.place("Sorted")] = Self.lasting
    driver.holdsAnswers = true
    driver.command(.pickUp)
    driver.answer("prepare", "list Files")
    driver.give(.command(.drop))
    driver.announcements = []
    driver.answer("finally Sorted")
    #expect(driver.hear() == ["Sorted, in Files, Thunar: copy. Can't be undone. 1 of 6"])
    #expect(driver.orders.isEmpty)
    #expect(driver.carried == ["notes.txt"])
    driver.give(.command(.drop))
    driver.answer("finally Sorted")
    #expect(driver.orders.count == 1)
  }

  @Test("H08: a place that loses its way back between verdict and drop says so, and keeps all held")
  func atTheDrop() {
    var driver = carrying()
    driver.stage.finalProposals[Stage.place("Sorted")] = Self.lasting
    #expect(
      driver.hear("enter") == ["Sorted: copy. Can't be undone. 1 of 6"])
    #expect(driver.orders.isEmpty)
    driver.press("enter")
    #expect(driver.orders.count == 1)
  }

  @Test(
    "T01 A place that has only another way in by the drop says so, and needs an Enter of its own")
  func otherRoute() {
    var driver = carrying()
    driver.stage.finalProposals[Stage.place("Sorted")] = DropProposal(
      .maybe, offers: .copy, predictions: [.inProgram(isPasted: true, undo: .certain)])
    let said = driver.hear("enter")
    #expect(said.count == 1 && said[0].contains("Paste"), "\(said)")
    #expect(driver.orders.isEmpty && driver.carried == ["notes.txt"])
    driver.press("enter")
    #expect(driver.orders.count == 1)
  }

  @Test("T04 A place that would remove now what it said to copy says so first")
  func otherOperation() {
    var driver = carrying()
    driver.stage.finalProposals[Stage.place("Sorted")] = DropProposal(.all, offers: .remove)
    #expect(driver.hear("enter").last?.contains("move to the trash") == true)
    #expect(driver.orders.isEmpty)
    driver.press("enter")
    #expect(driver.orders.first?.operation == .remove)
  }

  @Test("H18 H08: a wish that leaves no way back says so, once")
  func wish() {
    var driver = carrying()
    driver.stage.proposals[Stage.place("Sorted")] = Self.lasting
    #expect(driver.hear("f6") == ["Move. Can't be undone."])
    #expect(driver.hear("f5") == ["Copy."])
  }

  @Test("H08: said of a place that was left in the same moment, it is said where one is")
  func leftUnsaid() {
    var driver = SessionDriver.desktop()
    for name in ["Sorted", "Docs"] {
      driver.stage.proposals[Stage.place(name)] = Self.lasting
    }
    driver.holdsAnswers = true
    driver.command(.pickUp)
    driver.answer("prepare")
    driver.press("tab")
    driver.holdsAnswers = false
    driver.answerAll()
    let said = driver.hear()
    #expect(said.last == "Docs, in Files, Thunar: copy. Can't be undone. 2 of 6")
    #expect(said.count { $0.contains("Can't be undone.") } == 1)
    #expect(warnings(&driver, "shift+tab") == 0)
  }
}
