import Testing

@testable import KeyDragCore

@Suite("Whatever moves focus, a person who browses hears where they stand before the next key")
struct StandingTests {
  private let inbox = Stage.container("Inbox")

  private func driver() -> SessionDriver {
    var stage = Stage()
    stage.folder("Inbox", ["Sorted/", "a.txt", "b.txt", "c.txt"])
    stage.folder("Docs", ["Reports/"])
    stage.tasks = [Stage.trash]
    var settings = Session.Settings()
    settings.isInFolders = true
    var driver = SessionDriver.started(stage, settings: settings)
    driver.press("'b.txt' up down")
    driver.announcements = []
    return driver
  }

  private func vanish(_ name: String, in driver: inout SessionDriver) {
    driver.change(.sourceVanished(Stage.source(name, in: "Inbox"), container: inbox))
  }

  @Test(
    "K22: what goes behind a question is said with its answer",
    arguments: [
      ("f9", "escape", ["Back.", "c.txt, 3 of 3"]),
      ("f9", "down enter", ["it can't be picked up. It is gone.", "c.txt, 3 of 3"]),
      ("f4", "escape", ["Back.", "c.txt, 3 of 3"]),
      ("f4", "'new' enter", ["b.txt is gone. Now at c.txt."]),
      ("?", "escape", ["Back.", "c.txt, 3 of 3"]),
    ])
  func behindQuestion(key: String, answer: String, words: [String]) {
    var driver = driver()
    driver.press(key)
    vanish("b.txt", in: &driver)
    driver.announcements = []
    #expect(driver.hear(answer).suffix(words.count) == words[...])
    #expect(driver.session.state.item == "c.txt")
  }

  @Test("K06, K22: where what is held goes, one hears where one is")
  func held() {
    var driver = driver()
    driver.press("space")
    driver.announcements = []
    vanish("b.txt", in: &driver)
    #expect(driver.hear() == ["b.txt is gone. Carrying ended.", "c.txt, 3 of 3"])
  }

  @Test("K22: where the item in focus is hidden, or missing from a new list, that is told")
  func relisted() throws {
    var driver = driver()
    var listing = try #require(driver.stage.listings[inbox])
    listing.sources?.removeAll { $0.name == "b.txt" }
    driver.change(.replaced(listing))
    #expect(driver.hear() == ["c.txt, 3 of 3"])
    listing.sources?.removeAll { $0.name == "c.txt" }
    driver.stage.listings[inbox] = listing
    #expect(driver.hear(".") == ["Hidden files shown.", "a.txt, 2 of 2"])
  }

  @Test("K04: what was moved away, came back and goes is said, as anything else")
  func cameBack() {
    var driver = driver()
    let source = driver.session.focused
    driver.press("space 'sorted' enter")
    vanish("b.txt", in: &driver)
    driver.change(.sourceAppeared(source!, index: 2))
    driver.give(.timer(.appearing))
    driver.press("'b.txt'")
    driver.announcements = []
    vanish("b.txt", in: &driver)
    #expect(driver.hear() == ["b.txt is gone. Now at c.txt."])
  }

  @Test("K16: a folder whose items a filter hides is not said to be empty")
  func filtered() {
    var driver = driver()
    driver.press("/ 'b.t' enter")
    vanish("b.txt", in: &driver)
    driver.announcements = []
    #expect(driver.hear("down") == ["Nothing has b.t in its name."])
  }

  @Test("H22: Ctrl+G goes to what a redo has brought again")
  func redone() throws {
    var driver = driver()
    driver.press("space 'sorted'")
    driver.stage.holdsDeliveries = true
    driver.press("enter")
    var result = DeliveryResult(outcome: .delivered, route: .files, delivered: 1)
    result.entry = 7
    result.landings = [
      Landing(
        container: Stage.container("Docs"), source: Stage.source("Reports", in: "Docs"),
        name: "Reports")
    ]
    driver.give(.report(.delivery(DeliveryID(1), .finished(result))))
    driver.stage.history = .done(
      HistoryEntry(
        number: 7, operation: .move, names: ["Reports"], count: 1, place: "Docs", time: 0,
        isUndone: false))
    driver.press("ctrl+z")
    driver.announcements = []
    #expect(driver.hear("ctrl+g") == ["Nothing has landed yet."])
    driver.press("ctrl+y")
    #expect(driver.hear("ctrl+g").last == "Reports, folder, selected, 1 of 1")
  }

  @Test("H11: F2 tells what a drop would do, as the walk does")
  func whatWouldHappen() {
    var driver = driver()
    driver.stage.proposals[Stage.place("Docs")] = DropProposal(
      .all, predictions: [.nameClash(["b.txt"])])
    driver.press("space 'docs'")
    driver.announcements = []
    #expect(driver.hear("f2") == ["Docs: copy. b.txt exists there. Holding b.txt."])
  }

  @Test("H07: two held items of one name are told apart by their folders")
  func sameNames() {
    var stage = Stage()
    stage.folder("Inbox", ["n.txt", "z.txt"])
    stage.folder("Docs", ["n.txt"])
    stage.folder("Music", [])
    stage.proposals[Stage.place("Music")] = DropProposal(.some(refused: [0: .tooBig]))
    var driver = SessionDriver.started(stage)
    driver.press("ctrl+t tab ctrl+t space 'music'")
    driver.announcements = []
    #expect(
      driver.hear("f2") == ["Music: copy only 1 of 2. Holding Inbox/n.txt and Docs/n.txt."])
    #expect(
      driver.hear("ctrl+d") == ["Accepts Docs/n.txt. Refuses Inbox/n.txt, it is too large."])
    #expect(driver.hear("delete") == ["Docs/n.txt taken out, 1 item held."])
    #expect(driver.hear("f2").last?.hasSuffix("Holding n.txt.") == true)
    driver.press("ctrl+t down")
    driver.announcements = []
    #expect(driver.hear("space").contains("Docs/n.txt added, 2 items held."))
  }

  private func moved(_ number: Int64, _ count: Int = 1) -> HistoryEntry {
    HistoryEntry(
      number: number, operation: .move, names: ["\(number)"], count: count, place: "Docs", time: 0,
      isUndone: false)
  }

  @Test("H08: with a drop into a new folder the folder goes as well, which is said")
  func newFolder() {
    var entry = moved(4, 2)
    (entry.origin, entry.removedFolder) = ("Inbox", "New")
    #expect(
      Phrasebook().text(.undone(entry, done: 2)) == "2 items are back in Inbox. New is gone.")
  }

  @Test("H08: what was replaced is named as well where it comes back, and where it goes again")
  func replaced() {
    var entry = HistoryEntry(
      number: 4, operation: .copy, names: ["a.txt"], count: 1, place: "Docs", time: 0,
      isUndone: true)
    (entry.replaced, entry.replacedCount) = (["a.txt"], 1)
    let phrases = Phrasebook()
    #expect(
      phrases.text(.undone(entry, done: 1)) == "Undone: copied a.txt to Docs, replaced a.txt.")
    #expect(
      phrases.text(.redone(entry, done: 1)) == "Done again: copied a.txt to Docs, replaced a.txt.")
  }
}
