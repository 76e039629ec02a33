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

  private func appear(_ name: String, in driver: inout SessionDriver) {
    let source = DragSourceDescriptor(
      id: Stage.source(name, in: "Inbox"), name: name, container: inbox, kind: .file)
    driver.change(.sourceAppeared(source, index: 0))
  }

  @Test("K22: the last of a folder leaves it empty, and what comes into an empty one is stood on")
  func emptied() {
    var driver = driver()
    for name in ["Sorted", "a.txt", "c.txt"] { vanish(name, in: &driver) }
    driver.announcements = []
    vanish("b.txt", in: &driver)
    #expect(driver.hear() == ["b.txt is gone.", "Inbox is empty."])
    for name in ["5", "4", "3", "2", "1"] { appear(name, in: &driver) }
    #expect(driver.hear() == [])
    for _ in 1...3 { driver.give(.timer(.appearing)) }
    #expect(driver.hear() == ["5 items appeared.", "5, 5 of 5"])
    #expect(driver.session.state.item == "5")
  }

  @Test("K22: of two that come into an empty folder one hears on which one stands")
  func twoAppear() {
    var driver = driver()
    for name in ["Sorted", "a.txt", "c.txt", "b.txt"] { vanish(name, in: &driver) }
    driver.announcements = []
    appear("y", in: &driver)
    driver.give(.timer(.appearing))
    #expect(driver.hear() == ["y appeared."])
    vanish("y", in: &driver)
    #expect(driver.hear() == ["y is gone.", "Inbox is empty."])
    for name in ["z", "y"] { appear(name, in: &driver) }
    #expect(driver.hear() == [])
    for _ in 1...3 { driver.give(.timer(.appearing)) }
    #expect(driver.hear() == ["z appeared.", "y appeared.", "z, 2 of 2"])
  }

  @Test("K22: where a move takes one item after the other away, one hears once where one stands")
  func movedAway() {
    var driver = driver()
    driver.stage.holdsDeliveries = true
    driver.press("ctrl+a f6 'docs' enter")
    driver.announcements = []
    for name in ["Sorted", "a.txt", "b.txt", "c.txt"] { vanish(name, in: &driver) }
    #expect(driver.hear() == [])
    let result = DeliveryResult(outcome: .delivered, route: .files, delivered: 4)
    driver.give(.report(.delivery(DeliveryID(1), .finished(result))))
    #expect(driver.hear() == ["Moved 4 items to Docs.", "Inbox is empty."])
  }

  @Test("K22: where the outcome comes before the changes, one hears once where one stands, too")
  func movedAwayLate() {
    var driver = driver()
    driver.stage.holdsDeliveries = true
    driver.press("ctrl+a f6 'docs' enter")
    driver.announcements = []
    let result = DeliveryResult(outcome: .delivered, route: .files, delivered: 4)
    driver.give(.report(.delivery(DeliveryID(1), .finished(result))))
    for name in ["Sorted", "a.txt", "b.txt", "c.txt"] { vanish(name, in: &driver) }
    #expect(driver.hear() == ["Moved 4 items to Docs.", "Inbox is empty."])
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

  @Test("K22: a new name may hide the item; one hears where one is", arguments: ["f4", "ctrl+k"])
  func hiddenName(key: String) {
    var driver = driver()
    driver.press("\(key) '.new' enter")
    driver.announcements = []
    if key == "f4" { vanish("b.txt", in: &driver) }
    #expect(driver.hear() == (key == "f4" ? ["c.txt, 3 of 3"] : []))
    #expect(driver.hear("down") == [key == "f4" ? "Last." : "c.txt, 4 of 4"])
  }

  private func moved(_ number: Int64, _ count: Int = 1) -> HistoryEntry {
    HistoryEntry(
      number: number, operation: .move, names: ["\(number)"], count: count, place: "Docs", time: 0,
      isUndone: false)
  }

  /// Ends a delivery with a landing in Docs.
  private func land(_ names: [String], of entry: Int64, in driver: inout SessionDriver) {
    driver.press("space 'docs'")
    driver.stage.holdsDeliveries = true
    driver.press("enter")
    var result = DeliveryResult(outcome: .delivered, route: .files, delivered: 1)
    result.entry = entry
    result.landings = names.map {
      Landing(
        container: Stage.container("Docs"), source: Stage.source($0, in: "Docs"), name: $0)
    }
    driver.give(.report(.delivery(DeliveryID(Int(entry)), .finished(result))))
  }

  @Test("H22: Ctrl+G goes to what stands: what a redo brought, else the drop before the one undone")
  func severalLandings() {
    var stage = Stage()
    stage.folder("Inbox", ["a.txt", "b.txt", "c.txt"])
    stage.folder("Docs", ["1", "2", "3"])
    var driver = SessionDriver.started(stage)
    land(["1"], of: 1, in: &driver)
    land(["2", "3"], of: 2, in: &driver)
    driver.stage.history = .done(moved(2))
    driver.press("ctrl+z")
    driver.announcements = []
    #expect(driver.hear("ctrl+g").last == "1, 1 of 3")
    driver.stage.history = .done(moved(1))
    driver.press("ctrl+z")
    driver.announcements = []
    #expect(driver.hear("ctrl+g") == ["Nothing has landed yet."])
    driver.press("ctrl+y")
    driver.announcements = []
    #expect(driver.hear("ctrl+g").last == "1, selected, 1 of 3")
    let gone = DeliveryFailure(name: "2", reason: .changed)
    driver.stage.history = .partly(moved(2, 2), done: 1, failures: [gone])
    driver.press("ctrl+y")
    driver.announcements = []
    #expect(driver.hear("ctrl+g").last == "3, selected, 3 of 3")
    // Of what an earlier run did it is not known where it lies.
    driver.stage.history = .done(moved(9))
    driver.press("ctrl+y")
    driver.announcements = []
    #expect(driver.hear("ctrl+g") == ["Nothing has landed yet."])
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
    #expect(
      phrases.text(.cannotUndo(entry, .replacedGone, remaining: ["a.txt"], isRedo: false))
        == "Not back: the old a.txt. It is no longer in the trash.")
  }

  @Test("K22: an undo that the next run finishes is not told as the copy that it took back")
  func finishedUndo() {
    var entry = moved(4)
    func text() -> String {
      Phrasebook().text(.recovered(Recovery(entry: entry, result: .finished)))
    }
    #expect(text() == "A run ended in the middle. Now finished: moved 4 to Docs.")
    entry.isUndone = true
    #expect(text() == "A run ended in the middle. Now finished: moved 4 to Docs, undone.")
  }

  @Test("H08: the folder that another one was merged into stays, so it is not said to be taken out")
  func merged() {
    var entry = moved(4, 1)
    entry.isMerge = true
    let phrases = Phrasebook()
    #expect(phrases.text(.undone(entry, done: 1)) == "Undone: merged \(entry.names[0]) in Docs.")
    #expect(
      phrases.text(.redone(entry, done: 1)) == "Done again: merged \(entry.names[0]) in Docs.")
  }
}
