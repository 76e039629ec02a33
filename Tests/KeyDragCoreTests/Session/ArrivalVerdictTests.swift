import Testing

@testable import KeyDragCore

/// What is asked, when, and what is said of the answers.
struct ArrivalVerdictTests {
  // MARK: Saying

  @Test("H13 K24: who passes over places quickly hears the last one only")
  func onlyTheLast() {
    var driver = SessionDriver.desktop()
    driver.command(.pickUp)
    driver.press("escape")
    driver.holdsAnswers = true
    driver.command(.pickUp)
    driver.answer("prepare")
    driver.announcements = []
    driver.press("tab tab")
    driver.answer("Sorted", "Docs")
    #expect(driver.hear().isEmpty)
    driver.answer("Music", "Photos", "Videos", "Work")
    #expect(driver.hear() == ["Music, in Files, Thunar: copy. 3 of 6"])
  }

  @Test(
    "H13: a place that has not answered is said to be asked after 300 ms, once, then its answer")
  func asking() {
    var driver = SessionDriver.carrying()
    driver.holdsAnswers = true
    driver.press("page-down")
    driver.answer("list Mail")
    #expect(driver.hasTimer("To"))
    #expect(!driver.hasTimer("Body"), "what is asked ahead is not worth a word")
    #expect(driver.effects.contains { if case .startTimer(_, 300) = $0 { true } else { false } })
    driver.announcements = []
    driver.isLate("To")
    #expect(driver.session.state.verdict?.word == .asking)
    #expect(driver.hear() == ["To, in Mail, Thunderbird: asking. 1 of 2"])
    driver.answer("To")
    #expect(driver.hear() == ["To: copy. 1 of 2"])
    #expect(!driver.hasTimer("To"))
  }

  @Test("H13: the lateness of a place that was left is not said, nor its answer")
  func leftPlace() {
    var driver = SessionDriver.carrying()
    driver.holdsAnswers = true
    driver.press("page-down")
    driver.answer("list Mail")
    driver.press("tab")
    #expect(!driver.hasTimer("To"))
    #expect(driver.hasTimer("Body"))
    driver.announcements = []
    driver.isLate("To")
    driver.answer("To")
    #expect(driver.hear().isEmpty)
    driver.press("shift+tab")
    #expect(driver.hear() == ["To, in Mail, Thunderbird: copy. 1 of 2"])
  }

  @Test("The place where the person is is asked for before all others, and its answer said once")
  func askedOnce() {
    var driver = SessionDriver.carrying()
    driver.holdsAnswers = true
    driver.press("page-down")
    driver.answer("list Mail")
    driver.press("tab shift+tab tab")
    #expect(driver.pending == ["To", "Body", "Body", "To", "Body"])
    driver.announcements = []
    driver.answer("Body")
    #expect(driver.hear() == ["Body, in Mail, Thunderbird: copy. 2 of 2"])
    driver.announcements = []
    driver.answer("Body")
    #expect(driver.hear().isEmpty)
  }

  @Test("A place that says yes to everything may accept, and a drop there is made")
  func maybe() {
    var stage = Stage.desktop
    stage.proposals[Stage.place("Page")] = DropProposal(.maybe)
    var driver = SessionDriver.carrying(stage)
    driver.press("page-down")
    #expect(driver.hear("page-down") == ["Page, in Web, Firefox: may accept. 1 of 1"])
    #expect(driver.hear("f2") == ["Page, in Web, Firefox: may accept. Holding notes.txt."])
    driver.press("enter")
    #expect(driver.orders.map(\.stop) == [DropStop(Stage.place("Page"))])
    #expect(driver.orders.map(\.operation) == [.copy])
  }

  @Test(
    "H13, H27 Where some are refused for certain, a yes to everything is no more than a perhaps"
  )
  func maybeSome() {
    var stage = Stage.desktop
    var proposal = DropProposal(.some(refused: [1: .samePlace]))
    proposal.isUncertain = true
    stage.proposals[Stage.place("Page")] = proposal
    var driver = SessionDriver.desktop(stage)
    driver.focus("Files", marked: "notes.txt", "a.txt")
    driver.command(.pickUp)
    driver.press("page-down")
    #expect(
      driver.hear("page-down") == ["Page, in Web, Firefox: may accept only 1 of 2. 1 of 1"])
    #expect(driver.hear("f2").last?.contains("Firefox: may accept only 1 of 2. ") == true)
    let details = driver.hear("ctrl+d").last ?? ""
    #expect(details.hasPrefix("May accept notes.txt. Refuses a.txt"), "\(details)")
    #expect(driver.hear("enter").first == "Page may take 1 of 2.")
    driver.press("down enter")
    #expect(driver.orders.map { $0.items.map(\.name) } == [["notes.txt"]])
  }

  @Test("A question that fails, or an answer about something else, refuses in words")
  func failedQuestion() throws {
    var driver = SessionDriver.carrying()
    driver.holdsAnswers = true
    driver.press("page-down")
    driver.answer("list Mail")
    driver.announcements = []
    let id = try #require(driver.requests.first?.id)
    driver.give(.report(.unreadable(id, name: "", .gone)))
    #expect(driver.hear() == ["To, in Mail, Thunderbird: refuses, it is gone. 1 of 2"])
    let ahead = try #require(driver.requests.last?.id)
    driver.give(.report(.answered(ahead, [])))
    // Nobody was asked ahead after all.
    #expect(driver.hear("tab").isEmpty)
    let here = try #require(driver.requests.last?.id)
    #expect(here != ahead)
    driver.give(.report(.answered(here, [])))
    #expect(driver.hear() == ["Body: refuses, it is not responding. 2 of 2"])
  }

  @Test("Details of a place that has not answered say what is held, not that it refuses")
  func details() {
    var driver = SessionDriver.carrying()
    driver.holdsAnswers = true
    driver.press("page-down")
    driver.answer("list Mail")
    #expect(
      driver.hear("ctrl+d") == ["To, in Mail, Thunderbird: asking. Holding notes.txt."])
    driver.holdsAnswers = false
    driver.answerAll()
    #expect(driver.hear("ctrl+d") == ["Accepts notes.txt."])
  }

  // MARK: Refusals

  @Test("A refusing place is visited and says why; later walks leave it out, and F8 brings it back")
  func refusing() {
    var driver = SessionDriver.carrying(.desktop.answersRefusal(["Docs", "Body"]))
    #expect(
      driver.hear("tab") == [
        "Docs: refuses, the program does not take it here. 2 of 6"
      ])
    driver.press("tab shift+tab")
    #expect(driver.place == "Docs", "one can go back to it on the same walk")
    #expect(driver.walk(by: "tab").suffix(3) == ["To", "Body", "Page"])
    driver.press("tab")
    let later = driver.walk(by: "tab")
    #expect(later == ["Sorted", "Music", "Photos", "Videos", "Work", "To", "Page"])
    driver.press("f8 tab")
    #expect(driver.walk(by: "tab") == Stage.filesPlaces + ["To", "Body", "Page"])
    driver.press("f8 tab")
    #expect(driver.walk(by: "tab") == later)
  }

  @Test("A refusing place that is left out is found by name, and keeps the others' numbers")
  func refusingByName() {
    var driver = SessionDriver.carrying(.desktop.answersRefusal(["Docs"]))
    _ = driver.walk(by: "tab")
    driver.press("tab tab")
    #expect(driver.place == "Music")
    #expect(driver.session.state.index == 3)
    #expect(driver.session.state.total == 6)
    driver.press("'docs'")
    #expect(driver.session.state.verdict?.word == .refuse)
    driver.press("shift+tab")
    #expect(driver.place == "Sorted")
    driver.press("'docs' tab")
    #expect(driver.place == "Music")
  }

  @Test("K05: nothing accepts is said after the last answer of the last window, never earlier")
  func nothingAccepts() {
    let all = Stage.filesPlaces + ["To", "Body", "Page"]
    var driver = SessionDriver.carrying(.desktop.answersRefusal(all))
    for _ in 1..<8 { driver.press("tab") }
    #expect(driver.place == "Body")
    #expect(!driver.announcements.map(\.id).contains("nothing-accepts"))
    #expect(
      driver.hear("tab") == [
        "Page, in Web, Firefox: refuses, the program does not take it here. 1 of 1",
        "No place here accepts this item. Open another window first.",
      ])
    #expect(driver.isBrowsing)
    #expect(!driver.session.isWaiting)
  }

  @Test("K05: a window that was not reached may still accept, so the drag goes on")
  func unreachedWindow() {
    let all = Stage.filesPlaces + ["Page"]
    var driver = SessionDriver.carrying(.desktop.answersRefusal(all))
    driver.press("end shift+tab page-down")
    driver.press("'page'")
    #expect(driver.session.phase.name == .carrying)
    #expect(!driver.announcements.map(\.id).contains("nothing-accepts"))
  }

  @Test("K05: windows that can't be listed and windows without places accept nothing either")
  func nothingThere() {
    var stage = Stage()
    stage.window("Files", of: "Thunar", [], items: ["notes.txt"])
    stage.window("Hung", of: "Editor", [], answersWith: .notResponding)
    var driver = SessionDriver.desktop(stage)
    driver.command(.pickUp)
    #expect(driver.ids() == ["picked-up", "refused", "nothing-accepts"])
    #expect(driver.isBrowsing)
    #expect(driver.session.state.item == "notes.txt")
  }

  @Test("K05: without any window nothing accepts, and the pick-up ends")
  func noWindow() {
    var driver = SessionDriver.desktop()
    for window in driver.stage.windows { driver.change(.containerVanished(window.id)) }
    let listing = Listing(
      container: ContainerDescriptor(id: ContainerID(7), name: "List", app: "Thunar"),
      sources: [
        DragSourceDescriptor(
          id: Stage.source("notes.txt", in: "Files"), name: "notes.txt", container: ContainerID(7),
          kind: .file)
      ], dropPoints: [])
    driver.stage.listings[ContainerID(7)] = listing
    driver.give(.focus(listing, marked: []))
    driver.announcements = []
    driver.command(.pickUp)
    #expect(driver.ids() == ["nothing-accepts"])
    #expect(driver.isBrowsing)
  }

  @Test("K05: where a task is left to drop on, or a wish to take back, the drag goes on")
  func somethingLeft() {
    var stage = Stage()
    stage.window("Files", of: "Thunar", ["Sorted"], items: ["notes.txt"])
    stage.tasks = [Stage.trash]
    stage.proposals[Stage.place("Sorted")] = DropProposal(.all, offers: .copy)
    var driver = SessionDriver.carrying(stage)
    #expect(driver.hear("f7").contains("Can't link here."))
    #expect(driver.session.phase.name == .carrying)
    driver.stage.proposals[Stage.place("Sorted")] = .refused(.notTaken)
    #expect(driver.hear("f7").last == "No place here accepts this item.")
    #expect(driver.hear("tab tab tab").filter { $0.hasPrefix("No place") }.isEmpty)
    driver.press("'trash' enter")
    #expect(driver.orders.map(\.operation) == [.remove])
  }

  // MARK: Wishes and items

  @Test("H18: a wish drops what was answered and asks the place stood on and the next few anew")
  func wish() {
    var driver = SessionDriver.carrying()
    driver.press("tab")
    driver.effects = []
    #expect(driver.hear("f6") == ["Move."])
    #expect(driver.asked == ["Docs", "Music", "Photos", "Videos", "Work"])
    #expect(driver.hear("f6") == ["As usual here: copy."])
    driver.press("f6 enter")
    #expect(driver.orders.map(\.operation) == [.move])
  }

  @Test("K12: a wish that the place does not offer is answered, also when the place is slow")
  func impossibleWish() {
    var stage = Stage.desktop
    stage.proposals[Stage.place("Sorted")] = DropProposal(.all, offers: .copy)
    var driver = SessionDriver.carrying(stage)
    driver.holdsAnswers = true
    driver.press("f7")
    #expect(driver.hasTimer("Sorted"))
    driver.announcements = []
    driver.isLate("Sorted")
    #expect(driver.hear() == ["Sorted: asking. 1 of 6"])
    driver.answer("Sorted")
    #expect(driver.hear() == ["Can't link here."])
  }

  @Test("H18: an answer to an older wish is not taken for one to the newer")
  func staleWish() {
    var driver = SessionDriver.carrying()
    driver.holdsAnswers = true
    driver.press("f7 f6")
    driver.announcements = []
    driver.answer("Sorted")
    #expect(driver.hear().isEmpty)
    driver.answer("Sorted")
    #expect(driver.hear() == ["Move."])
  }

  @Test("H18: a wish at the source, or while a window is listed, is said at once")
  func wishElsewhere() {
    var driver = SessionDriver.carrying()
    driver.press("shift+tab")
    driver.effects = []
    #expect(driver.hear("f5") == ["Copy."])
    #expect(driver.asked.isEmpty)
    driver.holdsAnswers = true
    driver.press("page-up")
    #expect(driver.hear("f5") == ["As usual."])
    driver.holdsAnswers = false
    driver.answerAll()
    #expect(driver.place == "Page")
  }

  @Test("H23: taking an item out is said at once, and only the places around are asked anew")
  func removeLast() {
    var driver = SessionDriver.desktop()
    driver.focus("Files", marked: "notes.txt", "a.txt")
    driver.command(.pickUp)
    driver.effects = []
    #expect(driver.hear("delete") == ["a.txt taken out, 1 item held."])
    #expect(driver.asked == ["Sorted", "Docs", "Music", "Photos", "Videos"])
    #expect(driver.session.state.verdict?.word == .accept)
  }

  // MARK: Dropping

  @Test("K13: at the drop that place alone is asked once more, then it is delivered")
  func drop() {
    var driver = SessionDriver.carrying()
    driver.press("tab")
    driver.effects = []
    #expect(driver.hear("enter") == ["Copied notes.txt to Docs, in Thunar."])
    #expect(driver.asked == ["finally Docs", "deliver"])
    #expect(driver.isBrowsing)
    #expect(!driver.session.isWaiting)
  }

  @Test("K16 H19: a drop of which nothing has come for 400 ms is said to be under way, once a key")
  func dropping() {
    var driver = SessionDriver.carrying()
    driver.press("tab")
    driver.holdsAnswers = true
    driver.effects = []
    #expect(driver.hear("enter").isEmpty)
    #expect(driver.effects.contains(.startTimer(.drop, milliseconds: 400)))
    driver.give(.timer(.drop))
    #expect(driver.hear() == ["Dropping."])
    #expect(driver.hear("enter") == ["Dropping."], "a second Enter is the same")
    driver.answer("finally Docs")
    driver.answer("deliver")
    #expect(driver.hear() == ["Copied notes.txt to Docs, in Thunar."])
    driver.give(.timer(.drop))
    #expect(driver.hear().isEmpty)
  }

  @Test("K16 H19: a program that has not answered the drop for 400 ms is being dropped on")
  func programDropping() {
    var driver = SessionDriver.carrying()
    driver.press("tab")
    driver.holdsAnswers = true
    driver.press("enter")
    driver.answer("finally Docs")
    _ = driver.hear()
    driver.give(.timer(.drop))
    #expect(driver.hear() == ["Dropping."])
    driver.answer("deliver")
    #expect(driver.hear() == ["Copied notes.txt to Docs, in Thunar."])
  }

  @Test("K13: a place may be dropped on before it has answered; its refusal keeps everything held")
  func earlyDrop() {
    var driver = SessionDriver.carrying(.desktop.answersRefusal(["To"], .wrongType))
    driver.holdsAnswers = true
    driver.press("page-down")
    driver.answer("list Mail")
    driver.press("enter")
    driver.announcements = []
    driver.answer("To", "Body")
    #expect(driver.hear().isEmpty, "the last question decides")
    driver.answer("finally To")
    #expect(driver.hear() == ["To refuses. Wrong type. Still held."])
    #expect(driver.carried == ["notes.txt"])
    #expect(driver.orders.isEmpty)
  }

  @Test("H22: after a drop it is not claimed that focus has moved: it is the program's own")
  func noFocusMoved() {
    var driver = SessionDriver.carrying()
    #expect(driver.hear("enter") == ["Copied notes.txt to Sorted, in Thunar."])
    #expect(driver.session.state.item == "notes.txt")
  }

  // MARK: Waiting

  @Test("A script waits for the place stood on and for listings, not for what is asked ahead")
  func waiting() {
    var driver = SessionDriver.carrying()
    driver.holdsAnswers = true
    driver.press("page-down")
    #expect(driver.session.isWaiting)
    driver.answer("list Mail")
    #expect(driver.session.isWaiting)
    driver.answer("To")
    #expect(driver.pending == ["Body"])
    #expect(!driver.session.isWaiting)
    driver.press("tab")
    #expect(driver.session.isWaiting)
    driver.press("shift+tab")
    #expect(!driver.session.isWaiting)
    driver.press("f6")
    #expect(driver.session.isWaiting)
    driver.press("shift+tab")
    #expect(driver.session.isWaiting)
  }
}
