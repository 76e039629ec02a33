import KeyDragCore
import Testing

/// Walking where places are asked one by one, as the person reaches them.
struct ArrivalTests {
  // MARK: Picking up

  @Test(
    "K01 H11: the pick-up is said before anything is asked, the first place once it has answered")
  func pickUpThenPlace() {
    var driver = SessionDriver.desktop()
    driver.holdsAnswers = true
    driver.command(.pickUp)
    #expect(driver.pending == ["prepare"])
    driver.answerNext()
    #expect(
      driver.hear() == ["Picked up notes.txt. Tab walks, Enter drops, Escape cancels."])
    #expect(driver.pending == ["list Files"])
    driver.answerNext()
    #expect(driver.hear().isEmpty)
    driver.answer("Sorted")
    #expect(driver.hear() == ["Sorted, in Files, Thunar: copy. 1 of 6"])
    driver.holdsAnswers = false
    driver.answerAll()
    #expect(driver.hear().isEmpty)
  }

  @Test("K21: the keys are explained at the first pick-up only")
  func explainedOnce() {
    var driver = SessionDriver.carrying()
    driver.press("escape")
    driver.announcements = []
    driver.command(.pickUp)
    #expect(driver.hear().first == "Picked up notes.txt.")
  }

  @Test("picked-up leaves out how many places accept: nobody has been asked")
  func noPoints() throws {
    var driver = SessionDriver.desktop()
    driver.command(.pickUp)
    let picked = try #require(driver.announcements.first)
    #expect(picked.id == "picked-up")
    #expect(!Phrasebook().arguments(picked).contains { $0.name == "points" })
  }

  @Test("One question a place, the one stood on first, and the next four; no other window is asked")
  func onePlaceAQuestion() {
    var driver = SessionDriver.desktop()
    driver.command(.pickUp)
    #expect(
      driver.asked == ["prepare", "list Files", "Sorted", "Docs", "Music", "Photos", "Videos"])
    driver.effects = []
    driver.press("tab")
    #expect(driver.asked == ["Work"])
    driver.effects = []
    driver.press("tab tab")
    #expect(driver.asked.isEmpty)
  }

  @Test("H11: keys pressed before the types are fixed are carried out when there is a place")
  func earlyKeys() {
    var driver = SessionDriver.desktop()
    driver.holdsAnswers = true
    driver.command(.pickUp)
    driver.press("tab tab")
    driver.answerNext()
    driver.press("tab")
    driver.answerNext()
    driver.announcements = []
    driver.holdsAnswers = false
    driver.answerAll()
    #expect(driver.hear() == ["Photos, in Files, Thunar: copy. 4 of 6"])
  }

  // MARK: Walking

  @Test("Tab visits every place of a window, then the next window, and past the end the source")
  func wholeWalk() {
    var driver = SessionDriver.carrying()
    #expect(driver.walk(by: "tab") == Stage.filesPlaces + ["To", "Body", "Page"])
    #expect(driver.session.state.verdict?.word == .cancel)
    driver.press("shift+tab")
    #expect(driver.walk(by: "shift+tab") == ["Page", "Body", "To"] + Stage.filesPlaces.reversed())
  }

  @Test("K03: a drop at the source cancels")
  func dropAtSource() {
    var driver = SessionDriver.carrying()
    driver.press("shift+tab")
    #expect(driver.hear("enter") == ["Cancelled. Back at notes.txt."])
    #expect(driver.isBrowsing)
  }

  @Test("K03: the walk goes round when the source is gone")
  func goesRound() {
    var driver = SessionDriver.desktop()
    driver.focus("Files", marked: "notes.txt", "a.txt")
    driver.command(.pickUp)
    driver.change(
      .sourceVanished(Stage.source("notes.txt", in: "Files"), container: Stage.container("Files")))
    driver.press("shift+tab")
    #expect(driver.place == "Page")
    driver.press("tab")
    #expect(driver.place == "Sorted")
  }

  @Test("H15: a place is numbered among all places of its window")
  func numbers() {
    var driver = SessionDriver.carrying()
    driver.press("page-down tab")
    #expect(driver.session.state.index == 2)
    #expect(driver.session.state.total == 2)
    #expect(driver.session.state.app == "Thunderbird")
    #expect(driver.session.state.container == "Mail")
  }

  @Test("A window is listed when it is reached, and once")
  func listedOnce() {
    var driver = SessionDriver.carrying()
    #expect(driver.asked.isEmpty)
    driver.press("page-down page-down page-up page-up page-down")
    #expect(driver.asked == ["list Mail", "To", "Body", "list Web", "Page"])
  }

  @Test("Page Down and Page Up go window by window, and say where there is none")
  func windowByWindow() {
    var driver = SessionDriver.carrying()
    driver.press("tab tab")
    #expect(driver.hear("page-down") == ["To, in Mail, Thunderbird: copy. 1 of 2"])
    #expect(driver.hear("page-down") == ["Page, in Web, Firefox: copy. 1 of 1"])
    #expect(driver.hear("page-down") == ["Last."])
    #expect(driver.hear("page-up") == ["To, in Mail, Thunderbird: copy. 1 of 2"])
    #expect(driver.hear("page-up") == ["Sorted, in Files, Thunar: copy. 1 of 6"])
    #expect(driver.hear("page-up") == ["First."])
  }

  @Test("H15: Home and End go to the first and last place of the window")
  func ends() {
    var driver = SessionDriver.carrying()
    driver.press("end")
    #expect(driver.place == "Work")
    driver.press("home")
    #expect(driver.place == "Sorted")
    driver.press("shift+tab end")
    #expect(driver.place == "Page")
  }

  @Test("Walking back, the places before are asked ahead, not those behind")
  func asksBackward() {
    var driver = SessionDriver.carrying()
    driver.press("shift+tab")
    driver.effects = []
    driver.press("shift+tab shift+tab")
    #expect(driver.asked == ["list Web", "Page", "list Mail", "Body", "To"])
  }

  @Test("K02: trash stands behind all windows, without a number, and is asked at the pick-up")
  func tasks() {
    var stage = Stage.desktop
    stage.tasks = [Stage.trash]
    var driver = SessionDriver.carrying(stage)
    driver.press("shift+tab shift+tab")
    #expect(driver.place == "Trash")
    #expect(driver.session.state.verdict?.operation == .remove)
    #expect(driver.session.state.index == nil)
    #expect(driver.asked.isEmpty)
    driver.press("page-up")
    #expect(driver.place == "Page")
  }

  @Test("K02: the order of the windows is the order in which they were registered last")
  func registeredAnew() {
    var driver = SessionDriver.carrying()
    driver.press("escape")
    for index in [1, 2, 0] { driver.register(driver.stage.windows[index]) }
    driver.focus("Files", marked: "notes.txt")
    driver.command(.pickUp)
    #expect(driver.place == "To")
    #expect(driver.walk(by: "tab") == ["To", "Body", "Page"] + Stage.filesPlaces)
  }

  @Test("A window that is registered while something is held is reachable, and nobody is moved")
  func registeredWhileCarrying() {
    var driver = SessionDriver.carrying()
    driver.press("tab")
    driver.announcements = []
    driver.stage.window("Chat", of: "Dino", ["Ann"])
    for window in driver.stage.windows { driver.register(window) }
    #expect(driver.hear().isEmpty)
    #expect(driver.place == "Docs")
    driver.press("shift+tab shift+tab shift+tab")
    #expect(driver.place == "Ann")
  }

  @Test("H15: what is typed is looked for in all windows listed, and the place is asked")
  func typeAhead() {
    var driver = SessionDriver.carrying()
    #expect(driver.hear("'body'") == ["Nothing begins with body."])
    driver.press("page-down")
    #expect(driver.hear("'work'") == ["Work, in Files, Thunar: copy. 6 of 6"])
    #expect(driver.hear("'body'") == ["Body, in Mail, Thunderbird: copy. 2 of 2"])
  }

  @Test("K07: before, on and between the rows of a list are stops of their own there too")
  func lists() {
    var stage = Stage()
    stage.list("Rows", ["one", "two"])
    stage.windows = stage.roots
    stage.roots = []
    stage.window("Files", of: "Thunar", [], items: ["notes.txt"])
    var driver = SessionDriver.carrying(stage)
    driver.press("home")
    let first = driver.session.state.position
    #expect(first == .before)
    #expect(driver.session.state.total == 5)
    driver.press("down")
    #expect(driver.session.state.position == .on)
    #expect(driver.hear("end").last?.hasPrefix("two: copy.") == true)
  }

  @Test("A window without places is passed by without a word")
  func emptyWindow() {
    var stage = Stage.desktop
    stage.window("Blank", of: "Viewer", [])
    stage.window("Chat", of: "Dino", ["Ann"])
    var driver = SessionDriver.carrying(stage)
    driver.press("page-down page-down")
    driver.announcements = []
    driver.press("tab")
    #expect(driver.hear() == ["Ann, in Chat, Dino: copy. 1 of 1"])
  }

  // MARK: Late and hung windows

  @Test("A window that can't be listed refuses once, with the reason, and the walk goes on")
  func hungWindow() {
    var stage = Stage.desktop
    stage.window("Hung", of: "Editor", [], answersWith: .notResponding)
    stage.window("Chat", of: "Dino", ["Ann"])
    var driver = SessionDriver.carrying(stage)
    driver.press("page-down page-down")
    #expect(
      driver.hear("tab") == [
        "Hung refuses. It is not responding. Try again later. Still held.",
        "Ann, in Chat, Dino: copy. 1 of 1",
      ])
    #expect(driver.hear("shift+tab") == ["Page, in Web, Firefox: copy. 1 of 1"])
    #expect(driver.hear("page-down") == ["Ann, in Chat, Dino: copy. 1 of 1"])
  }

  @Test("Walking back past a window that can't be listed leads to the end of the one before")
  func hungWindowBackward() {
    var stage = Stage.desktop
    stage.window("Hung", of: "Editor", [], answersWith: .notResponding)
    var driver = SessionDriver.carrying(stage)
    driver.press("shift+tab shift+tab")
    #expect(driver.place == "Page")
  }

  @Test("K06: the window in front hangs, so the pick-up leads to the next one")
  func hungAtPickUp() {
    var stage = Stage()
    stage.window("Hung", of: "Editor", [], answersWith: .notResponding)
    stage.window("Files", of: "Thunar", ["Sorted"], items: ["notes.txt"])
    var driver = SessionDriver.desktop(stage)
    driver.command(.pickUp)
    #expect(driver.ids() == ["picked-up", "refused", "drop-point"])
    #expect(driver.place == "Sorted")
  }

  @Test("A window that comes late, when the person has gone on, is kept without a word")
  func lateListing() {
    var driver = SessionDriver.carrying()
    driver.holdsAnswers = true
    driver.press("page-down page-down")
    driver.answer("list Web", "Page")
    driver.announcements = []
    driver.answer("list Mail")
    #expect(driver.hear().isEmpty)
    #expect(driver.place == "Page")
    #expect(driver.pending.isEmpty, "nothing is asked in a window that was left")
    driver.press("shift+tab")
    #expect(driver.pending == ["Body", "To"])
  }

  @Test("A window that fails late, when the person has gone on, is kept without a word")
  func lateFailure() {
    var stage = Stage.desktop
    stage.unreadable[Stage.container("Mail")] = .notResponding
    stage.listings[Stage.container("Mail")] = nil
    var driver = SessionDriver.carrying(stage)
    driver.holdsAnswers = true
    driver.press("page-down page-down")
    driver.announcements = []
    driver.answer("list Mail")
    #expect(driver.hear().isEmpty)
    driver.answer("list Web", "Page")
    driver.press("shift+tab")
    #expect(driver.place == "Work")
  }

  @Test("A window being listed is named when that takes long; Page Down leaves it")
  func slowWindow() {
    var driver = SessionDriver.carrying()
    driver.holdsAnswers = true
    driver.press("page-down")
    #expect(driver.hasTimer("list Mail"))
    driver.announcements = []
    driver.isLate("list Mail")
    #expect(driver.hear() == ["Mail is being read."])
    driver.press("page-down")
    #expect(driver.pending == ["list Mail", "list Web"])
    #expect(!driver.hasTimer("list Mail"))
    driver.isLate("list Mail")
    #expect(driver.hear().isEmpty)
  }

  @Test("A quick hand is not led past a window that is being listed")
  func quickHand() {
    var driver = SessionDriver.carrying()
    driver.holdsAnswers = true
    driver.press("page-down tab")
    driver.isLate("list Mail")
    driver.answer("list Mail")
    #expect(driver.place == "Body")
    driver.announcements = []
    driver.answer("To")
    #expect(driver.hear().isEmpty)
    driver.answer("Body")
    #expect(driver.hear() == ["Body, in Mail, Thunderbird: copy. 2 of 2"])
  }

  @Test("A step kept for a window that was left is not made in the next one")
  func keptStep() {
    var driver = SessionDriver.carrying()
    driver.holdsAnswers = true
    driver.press("page-down tab page-up")
    driver.answer("list Mail")
    #expect(driver.place == "Sorted")
    driver.press("page-down")
    #expect(driver.place == "To")
  }

  @Test("K25: Enter while a window is being listed neither drops nor cancels")
  func enterWhileListing() {
    var driver = SessionDriver.carrying()
    driver.holdsAnswers = true
    driver.press("page-down")
    #expect(
      driver.hear("enter") == ["Mail, Thunderbird: asking. Holding notes.txt."])
    #expect(driver.carried == ["notes.txt"])
    #expect(driver.hear("f2") == ["Mail, Thunderbird: asking. Holding notes.txt."])
    #expect(driver.session.state.verdict?.word == .asking)
    #expect(driver.session.state.container == "Mail")
  }

  @Test("K14: Escape ends carrying while a window hangs, and its late answer changes nothing")
  func escapeWhileListing() {
    var driver = SessionDriver.carrying()
    driver.holdsAnswers = true
    driver.press("page-down")
    #expect(driver.hear("escape") == ["Cancelled. Back at notes.txt."])
    #expect(!driver.session.isWaiting)
    driver.answer("list Mail")
    #expect(driver.hear().isEmpty)
    #expect(driver.isBrowsing)
  }

  @Test("K15: coming back to the desktop says where one is, also before the place has answered")
  func resumed() {
    var driver = SessionDriver.carrying()
    driver.holdsAnswers = true
    driver.press("page-down")
    driver.answer("list Mail")
    driver.announcements = []
    driver.give(.resumed)
    #expect(driver.hear() == ["To, in Mail, Thunderbird: asking. Holding notes.txt."])
    #expect(driver.carried == ["notes.txt"])
  }

  @Test("The screen is headed by the window the person has reached")
  func screenTitle() {
    var driver = SessionDriver.carrying()
    func title() -> String {
      driver.session.screen(height: 5, top: 0, phrases: Phrasebook(), message: "").title
    }
    #expect(title() == "Files, Thunar")
    driver.holdsAnswers = true
    driver.press("page-down")
    #expect(title() == "Mail, Thunderbird")
    driver.press("escape")
    driver.holdsAnswers = false
    driver.command(.pickUp)
    driver.press("shift+tab")
    #expect(title() == "notes.txt")
  }
}
