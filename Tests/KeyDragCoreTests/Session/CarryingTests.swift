import KeyDragCore
import Testing

/// Picking up, holding, gathering and letting go.
struct CarryingTests {
  @Test("K05: nothing accepts, so that is said with what can be done instead, and nothing is held")
  func nothingAccepts() {
    var stage = Stage.inboxAndDocs
    for name in ["Inbox", "Sorted", "Docs", "Reports"] {
      stage.proposals[Stage.place(name)] = .refused(.readOnly)
    }
    stage.tasks = [Stage.trash, Stage.viewer]
    var driver = SessionDriver.started(stage)
    driver.press("'notes'")
    #expect(
      driver.hear("space") == [
        "No place here accepts this item. At 3 places: it is read-only. "
          + "F8 walks the places that refuse. F9 offers: trash, open with Viewer."
      ])
    #expect(driver.isBrowsing)
    #expect(driver.session.state.item == "notes.txt")
  }

  @Test("K05: with nothing to offer either, opening another folder is named")
  func nothingAtAll() {
    var stage = Stage()
    stage.folder("Alone", ["a.txt", "b.txt"])
    var driver = SessionDriver.started(stage)
    #expect(
      driver.hear("ctrl+a space").last
        == "No place here accepts these 2 items. Open another folder first.")
  }

  @Test("K06: the source vanishes, so carrying ends by itself and says why")
  func sourceVanishes() {
    var driver = SessionDriver.started()
    driver.press("'notes' space")
    driver.announcements = []
    driver.change(
      .sourceVanished(Stage.source("notes.txt", in: "Inbox"), container: Stage.container("Inbox")))
    #expect(driver.hear() == ["notes.txt is gone. Carrying ended.", "b.txt, 3 of 3"])
    #expect(driver.isBrowsing)
    #expect(driver.session.hasFailure)
  }

  @Test("K06: the container of everything held vanishes while a question is open")
  func containerVanishes() {
    var stage = Stage.inboxAndDocs
    stage.finalProposals[Stage.place("Docs")] = DropProposal(
      .all, predictions: [.nameClash(["a.txt"])])
    var driver = SessionDriver.started(stage)
    driver.press("'a.txt' space 'docs' enter")
    #expect(driver.session.phase.name == .confirming)
    driver.announcements = []
    driver.change(.containerVanished(Stage.container("Inbox")))
    #expect(driver.hear().first == "a.txt is gone. Carrying ended.")
    #expect(driver.isBrowsing)
  }

  @Test("K06: a place that never answers leaves the keys free")
  func hangs() {
    var driver = SessionDriver.started()
    driver.holdsAnswers = true
    driver.press("'notes' space")
    driver.answerNext()
    driver.announcements = []
    let timers = driver.effects.compactMap { effect in
      if case .startTimer(let timer, 300) = effect { timer } else { nil }
    }
    if let last = timers.last { driver.give(.timer(last)) }
    #expect(
      driver.hear() == [
        "Picked up notes.txt. Tab walks, Enter drops, Escape cancels.", "Inbox: asking.",
      ])
    driver.press("escape")
    #expect(driver.isBrowsing)
    driver.answerAll()
    #expect(driver.isBrowsing)
  }

  @Test("H11: keys pressed before the answers are there are carried out after them")
  func earlyKeys() {
    var driver = SessionDriver.started()
    driver.holdsAnswers = true
    driver.press("'notes' space tab")
    driver.holdsAnswers = false
    driver.answerAll()
    #expect(driver.session.state.dropPoint == "Docs")
  }

  @Test("H11: what is held can be asked for at any time, also before its types are known")
  func askWhatIsHeld() {
    var driver = SessionDriver.started()
    driver.press("'notes'")
    driver.holdsAnswers = true
    driver.press("space")
    #expect(driver.hear("space") == ["Holding notes.txt."])
    driver.holdsAnswers = false
    driver.answerAll()
    #expect(driver.hear("f2") == ["Sorted, in Inbox: move. Holding notes.txt."])
  }

  @Test("K14: Escape ends carrying, goes back to the source and says so once")
  func escape() {
    var driver = SessionDriver.started()
    driver.press("'notes' space tab tab")
    #expect(driver.hear("escape") == ["Cancelled. Back at notes.txt."])
    #expect(driver.isBrowsing)
    #expect(driver.session.state.item == "notes.txt")
    #expect(!driver.session.isWaiting)
  }

  @Test("K14: Escape while gathering goes back to what was picked up first")
  func escapeWhileAdding() {
    var driver = SessionDriver.started()
    driver.press("'notes' space ctrl+t tab")
    #expect(driver.hear("escape") == ["Cancelled. Back at notes.txt."])
    #expect(driver.session.state.container == "Inbox")
    #expect(driver.session.state.item == "notes.txt")
  }

  @Test("K15: coming back to the program says where one is, and nothing has ended")
  func resumed() {
    var driver = SessionDriver.started()
    driver.press("'notes' space")
    driver.announcements = []
    driver.give(.resized(rows: 3))
    driver.give(.resumed)
    #expect(driver.hear() == ["Sorted, in Inbox: move. Holding notes.txt."])
    #expect(driver.carried == ["notes.txt"])
    #expect(driver.effects.contains(.repaint))
  }

  @Test("K23: a second pick-up while carrying only says what is held")
  func secondPickUp() {
    var driver = SessionDriver.started()
    driver.press("'notes' space")
    driver.announcements = []
    driver.command(.pickUp)
    #expect(driver.ids() == ["holding"])
    #expect(driver.carried == ["notes.txt"])
  }

  @Test("K23: an ordered drop never replaces a drag that is held")
  func transferWhileCarrying() {
    var driver = SessionDriver.started()
    driver.press("'notes' space")
    driver.announcements = []
    driver.give(
      .transfer(
        Transfer(
          sources: [Stage.source("a.txt", in: "Inbox")], stop: DropStop(Stage.place("Docs")),
          operation: .copy, clash: .keepBoth)))
    #expect(driver.ids() == ["holding"])
    #expect(driver.carried == ["notes.txt"])
    #expect(driver.orders.isEmpty)
  }

  @Test("What an ordered drop leaves out is counted with what fails")
  func transferLeavingOut() {
    var stage = Stage.inboxAndDocs
    stage.refusedSources[Stage.source("b.txt", in: "Inbox")] = .specialFile
    var driver = SessionDriver.started(stage)
    _ = driver.hear()
    driver.give(
      .transfer(
        Transfer(
          sources: ["a.txt", "b.txt"].map { Stage.source($0, in: "Inbox") },
          stop: DropStop(Stage.place("Docs")), operation: .copy, clash: .keepBoth)))
    #expect(driver.orders.map(\.items.count) == [1])
    #expect(driver.ids().last == "partly-delivered")
    #expect(driver.session.hasFailure)
  }

  @Test("S17: Edit is turned on with something held, and the rows take it then")
  func editWhileCarrying() {
    var stage = Stage()
    stage.list("Places", ["Rome", "Oslo", "Lima"])
    let id = Stage.container("Places")
    stage.listings[id]?.container.isEditing = false
    var driver = SessionDriver.started(stage)
    driver.press("space")
    #expect(driver.hear("ctrl+e") == ["Edit on."])
    #expect(driver.carried == ["Rome"])
    #expect(driver.hear("ctrl+e") == ["Edit off."])
    // Where nothing has such a mode the key is answered.
    var files = SessionDriver.started()
    files.press("'notes' space")
    #expect(files.hear("ctrl+e").count == 1)
    #expect(files.carried == ["notes.txt"])
  }

  @Test("K25: Space never drops, however often it bounces")
  func bouncedSpace() {
    var driver = SessionDriver.started()
    driver.press("'notes' space space space space")
    #expect(driver.orders.isEmpty)
    #expect(driver.session.phase.name == .carrying)
  }

  @Test("K25: a second Enter while the place is asked drops nothing twice")
  func bouncedEnter() {
    var driver = SessionDriver.started()
    driver.press("'notes' space")
    driver.holdsAnswers = true
    driver.press("enter enter enter")
    driver.holdsAnswers = false
    driver.answerAll()
    #expect(driver.orders.count == 1)
  }

  @Test(
    "K25: a second Enter meets a question whose first choice loses nothing",
    arguments: [
      (DropProposal(.all, predictions: [.nameClash(["a.txt"])]), "Keep both", ClashPolicy.keepBoth),
      (DropProposal(.some(refused: [0: .tooLarge])), "Keep holding", nil),
      (DropProposal(.all, irreversible: .writeOnly), "Keep holding", nil),
    ] as [(DropProposal, String, ClashPolicy?)] as [(DropProposal, String, ClashPolicy?)])
  func firstChoice(proposal: DropProposal, name: String, clash: ClashPolicy?) {
    var stage = Stage.inboxAndDocs
    stage.finalProposals[Stage.place("Docs")] = proposal
    var driver = SessionDriver.started(stage)
    driver.press("'a.txt' ctrl+t 'b.txt' ctrl+t space 'docs'")
    let heard = driver.hear("enter")
    #expect(heard.last?.hasPrefix(name) == true)
    driver.press("enter")
    #expect(driver.orders.map(\.clash) == (clash.map { [$0] } ?? []))
  }

  @Test("H23: items are gathered from several folders, with a running count, and taken out again")
  func gathering() {
    var driver = SessionDriver.started()
    driver.press("'notes' space ctrl+t tab 'plan'")
    #expect(driver.hear("space").first == "plan.pdf added, 2 items held.")
    #expect(driver.carried == ["notes.txt", "plan.pdf"])
    driver.press("ctrl+t")
    #expect(driver.hear("space") == ["plan.pdf was not added. It is held already."])
    driver.press("ctrl+t")
    #expect(driver.hear("delete") == ["plan.pdf taken out, 1 item held."])
    #expect(driver.hear("delete") == ["Cancelled. Back at notes.txt."])
  }

  @Test("H13, H23: a place that takes what was taken out, and nothing else, is said again")
  func takenOut() {
    var driver = SessionDriver.started()
    driver.press("'notes' space ctrl+t tab 'plan' space 'inbox'")
    #expect(driver.session.state.verdict?.word == .accept)
    driver.announcements = []
    let words = driver.hear("delete")
    #expect(words.first == "plan.pdf taken out, 1 item held.")
    #expect(words.last?.hasPrefix("Inbox: refuses, it is there already.") == true, "\(words)")
  }

  @Test("H23: what cannot be added is refused in words and the rest is added")
  func refusedToAdd() {
    var stage = Stage.inboxAndDocs
    stage.refusedSources[Stage.source("a.txt", in: "Inbox")] = .specialFile
    var driver = SessionDriver.started(stage)
    driver.press("'a.txt' ctrl+t 'b.txt' ctrl+t 'notes' space ctrl+t 'a.txt'")
    #expect(
      driver.hear("space").prefix(2) == [
        "a.txt was not added. Devices and pipes can't be copied.",
        "b.txt added, 2 items held.",
      ])
  }

  @Test("H07: several items are carried in the order they were marked", arguments: [1, 2, 1_000])
  func order(count: Int) {
    var stage = Stage()
    let names = (1...count).map { "item \($0)" }
    stage.folder("Many", names)
    stage.folder("Docs", [])
    var driver = SessionDriver.started(stage)
    driver.press("ctrl+a")
    let said = driver.hear("space").first ?? ""
    #expect(driver.carried == names)
    let expected = count == 1 ? "Picked up item 1." : "Picked up \(count) text files."
    #expect(said.hasPrefix(expected))
    driver.press("enter")
    #expect(driver.orders.first?.items.map(\.name) == names)
  }

  @Test("H12: the make-up of a group is said at the pick-up")
  func makeUp() {
    var driver = SessionDriver.started()
    driver.press("ctrl+a")
    #expect(
      driver.hear("space").first?.hasPrefix(
        "Picked up 1 folder, 3 text files.") == true)
  }

  @Test("K11: a marked item brings all marked, an unmarked one only itself")
  func marks() {
    var driver = SessionDriver.started()
    driver.press("'a.txt' ctrl+t 'b.txt' ctrl+t 'notes' space")
    #expect(driver.carried == ["notes.txt"])
    driver.press("escape 'a.txt' space")
    #expect(driver.carried == ["a.txt", "b.txt"])
  }

  @Test("K11: a marked child of a marked folder is not taken twice, and not a word is said of it")
  func childOfMarkedFolder() {
    var stage = Stage.inboxAndDocs
    stage.refusedSources[Stage.source("Old", in: "Sorted")] = .heldWithFolder
    var driver = SessionDriver.started(stage)
    driver.press("home right 'old' ctrl+t left home ctrl+t")
    let heard = driver.hear("space")
    #expect(driver.carried == ["Sorted"])
    #expect(!heard.contains { $0.contains("Old was not") })
  }

  @Test("K11: marks that no longer exist are not counted")
  func vanishedMarks() {
    var driver = SessionDriver.started()
    driver.press("'a.txt' ctrl+t 'b.txt' ctrl+t")
    driver.change(
      .sourceVanished(Stage.source("a.txt", in: "Inbox"), container: Stage.container("Inbox")))
    #expect(driver.session.state.selected == ["b.txt"])
    #expect(driver.hear("'notes' ctrl+t").last == "notes.txt selected. 2 in all.")
  }

  @Test("K11: marks survive leaving a folder, as a basket")
  func basket() {
    var driver = SessionDriver.started()
    driver.press("home right 'old' ctrl+t left tab 'plan' ctrl+t space")
    #expect(driver.carried == ["Old", "plan.pdf"])
  }

  @Test("K04: whoever adds to a drag is not left on a place that a new listing has no more")
  func unlistedWhileAdding() {
    var driver = SessionDriver.started()
    driver.press("'a.txt' space 'sorted' right")
    #expect(driver.session.state.dropPoint == "Old")
    driver.press("ctrl+t")
    let sorted = Stage.container("Sorted")
    driver.stage.listings[sorted]?.dropPoints?.removeAll { $0.id == Stage.place("Old") }
    driver.press("home right")
    Invariants.check(driver, "entered")
    driver.press("left ctrl+t")
    #expect(driver.session.state.phase == .carrying)
    #expect(driver.session.state.dropPoint != "Old")
  }
}
