import KeyDragCore
import Testing

/// Deliveries beside sessions.
struct DeliveryTests {
  func started(_ count: Int = 1) -> SessionDriver {
    var stage = Stage.inboxAndDocs
    stage.holdsDeliveries = true
    var driver = SessionDriver.started(stage)
    for _ in 0..<count { driver.press("'docs' home down space 'docs' enter") }
    driver.announcements = []
    return driver
  }

  private func finish(_ driver: inout SessionDriver, _ id: Int, _ name: String) {
    driver.give(
      .report(
        .delivery(
          DeliveryID(id),
          .finished(DeliveryResult(outcome: .delivered, route: .files, delivered: 1)))))
  }

  @Test(
    "H14: what was sent and not confirmed is told once more when its end is known, and once only")
  func late() {
    var driver = started()
    func end(_ outcome: DeliveryOutcome, failures: [DeliveryFailure] = []) {
      driver.give(
        .report(
          .delivery(
            DeliveryID(1),
            .finished(
              DeliveryResult(
                outcome: outcome, route: .xdnd, delivered: outcome == .delivered ? 1 : 0,
                failures: failures)))))
    }
    end(.unconfirmed)
    #expect(driver.hear() == ["a.txt sent to Docs; it did not confirm."])
    #expect(!driver.session.isWaiting)
    end(.unconfirmed)
    #expect(driver.hear().isEmpty)
    #expect(driver.session.delivery(DeliveryID(1)) != nil)
    end(.delivered)
    #expect(driver.hear() == ["Copied a.txt to Docs."])
    #expect(driver.session.delivery(DeliveryID(1)) == nil)
    end(.failed, failures: [DeliveryFailure(name: "a.txt", reason: .programFailed)])
    #expect(driver.hear().isEmpty)
    #expect(driver.session.hasFailure)
  }

  @Test(
    "H24: after a drop that came to nothing focus is on what was dropped",
    arguments: [DeliveryOutcome.failed, .refused, .cancelled])
  func focusReturns(outcome: DeliveryOutcome) {
    var driver = started()
    #expect(driver.session.state.item == "b.txt")
    func end() {
      let failures = [DeliveryFailure(name: "a.txt", reason: .malformed)]
      driver.give(
        .report(
          .delivery(
            DeliveryID(1),
            .finished(
              DeliveryResult(
                outcome: outcome, route: .process, delivered: 0, failures: failures)))))
    }
    end()
    #expect(driver.session.state.item == "a.txt")
    #expect(driver.hear().count == 1)
    // Whoever has come by it meanwhile hears where they are now.
    driver = started()
    driver.press("down up")
    _ = driver.hear()
    end()
    #expect(driver.session.state.item == "a.txt")
    #expect(driver.hear().last == "a.txt, 2 of 4")
    // Whoever has gone on stays there.
    driver = started()
    driver.press("down")
    end()
    #expect(driver.session.state.item == "notes.txt")
  }

  @Test("H01: what was replaced is told by its name, of many the first and how many")
  func replaced() {
    func told(_ names: [String]) -> String {
      var driver = started()
      var result = DeliveryResult(outcome: .delivered, route: .files, delivered: 1)
      result.replaced = names
      driver.give(.report(.delivery(DeliveryID(1), .finished(result))))
      return driver.hear().last ?? ""
    }
    #expect(told(["a.txt"]) == "Copied a.txt to Docs. Replaced a.txt. Now at b.txt.")
    #expect(
      told(["a", "b", "c", "d"])
        == "Copied a.txt to Docs. Replaced a, b and 2 more. Now at b.txt.")
  }

  @Test("H12: what is put into an ordered list is told with its position")
  func position() {
    var stage = Stage()
    stage.list("Places", ["Rome", "Oslo", "Lima"])
    stage.folder("Docs", ["plan.pdf"])
    stage.holdsDeliveries = true
    var driver = SessionDriver.started(stage)
    driver.press("tab space enter")
    driver.announcements = []
    let row = DragSourceDescriptor(
      id: DragSourceID(77), name: "plan.pdf", container: Stage.container("Places"), kind: .object)
    driver.give(.report(.changed([.sourceAppeared(row, index: 1)])))
    let result = DeliveryResult(
      outcome: .delivered, route: .process, delivered: 1,
      landings: [Landing(container: row.container, source: row.id, name: row.name)])
    driver.give(.report(.delivery(DeliveryID(1), .finished(result))))
    #expect(driver.hear() == ["Copied plan.pdf to Places. 2 of 4."])
  }

  @Test("H22: after a copy what was copied is no longer marked, what failed still is")
  func unmarked() {
    var stage = Stage.inboxAndDocs
    stage.outcome = .partly
    stage.failures = [DeliveryFailure(name: "b.txt", reason: .noSpace)]
    var driver = SessionDriver.started(stage)
    driver.press("'a.txt' ctrl+t 'b.txt' ctrl+t space 'docs' enter")
    #expect(driver.orders.map(\.operation) == [.copy])
    #expect(driver.session.state.selected == ["b.txt"])
  }

  @Test(
    "H08: the key of undo is told after the first drop of a run, to a person, where undo can be",
    arguments: [(true, Int64?(1), true), (true, nil, false), (false, 1, false)])
  func undoIsTold(asksPerson: Bool, entry: Int64?, isTold: Bool) {
    var stage = Stage.inboxAndDocs
    stage.holdsDeliveries = true
    var settings = Session.Settings()
    settings.asksPerson = asksPerson
    var driver = SessionDriver.started(stage, settings: settings)
    var result = DeliveryResult(outcome: .delivered, route: .files, delivered: 1)
    result.entry = entry
    for number in [1, 2] {
      driver.press("'notes' space 'docs' enter")
      _ = driver.hear()
      driver.give(.report(.delivery(DeliveryID(number), .finished(result))))
      #expect(driver.hear().last?.hasSuffix("Ctrl+Z to undo.") == (isTold && number == 1))
    }
  }

  @Test("H14: what a program asks is told at once, and what comes of it after the answer")
  func asks() {
    var driver = started()
    func give(_ event: DeliveryEvent) { driver.give(.report(.delivery(DeliveryID(1), event))) }
    give(.asks(.menu))
    #expect(
      driver.hear() == [
        "a.txt sent to Docs. A menu of the program is open and waits for your answer."
      ])
    driver.give(.timer(.delivery(DeliveryID(1))))
    #expect(driver.hear().isEmpty)
    var result = DeliveryResult(outcome: .unconfirmed, route: .xdnd, delivered: 0)
    result.question = .answered
    give(.finished(result))
    #expect(driver.hear() == ["Not seen in Docs: a.txt."])
    // Where nothing can be known, it is not said that there is nothing.
    give(.finished(DeliveryResult(outcome: .unconfirmed, route: .xdnd, delivered: 0)))
    #expect(driver.hear().isEmpty)
    // A program may wake up late, and ask only then.
    give(.asks(.window("Import")))
    #expect(driver.hear() == ["a.txt sent to Docs; it did not confirm. Import appeared."])
    give(.finished(result))
    #expect(driver.hear() == ["Not seen in Docs: a.txt."])
    give(.finished(DeliveryResult(outcome: .delivered, route: .xdnd, delivered: 1)))
    #expect(driver.hear() == ["Copied a.txt to Docs."])
  }

  @Test("H14: a question that comes after an end is followed by another, whatever is known by then")
  func asksLate() {
    var driver = started()
    func give(_ event: DeliveryEvent) { driver.give(.report(.delivery(DeliveryID(1), event))) }
    let unknown = DeliveryResult(outcome: .unconfirmed, route: .xdnd, delivered: 0)
    let sent = "a.txt sent to Docs; it did not confirm."
    give(.finished(unknown))
    #expect(driver.hear() == [sent])
    give(.asks(.dialog("Import", hasKeyboard: true)))
    _ = driver.hear()
    for told in [[sent], []] {
      give(.finished(unknown))
      #expect(driver.hear() == told)
    }
    // One that was seen only at the end is a question as well.
    var asking = unknown
    asking.question = .dialog("Import", hasKeyboard: true)
    driver = started()
    give(.finished(asking))
    #expect(driver.hear() == ["a.txt sent to Docs. Import is open and waits for your answer."])
    give(.finished(unknown))
    #expect(driver.hear() == [sent])
  }

  @Test("H14: a window that waits for an answer is said to, with its title where it has one")
  func waits() {
    var driver = started()
    func give(_ event: DeliveryEvent) { driver.give(.report(.delivery(DeliveryID(1), event))) }
    let sent = "a.txt sent to Docs."
    give(.asks(.dialog("Import", hasKeyboard: true)))
    #expect(driver.hear() == [sent + " Import is open and waits for your answer."])
    give(.asks(.dialog("", hasKeyboard: true)))
    #expect(driver.hear() == [sent + " The program waits for your answer."])
  }

  @Test("T06 A command that does one thing and ends has no list to go to the question by")
  func switchesToQuestion() {
    var driver = started()
    let question = ProgramQuestion.dialog("Conflict", hasKeyboard: false)
    driver.give(.report(.delivery(DeliveryID(1), .asks(question))))
    var phrases = Phrasebook()
    phrases.isOneShot = true
    for phrases in [phrases, phrases.spoken] {
      let told = driver.announcements.map { phrases.text($0) }
      let end = "It does not have the keyboard. Switch to it first."
      #expect(told.last?.hasSuffix(end) == true, "\(told)")
    }
  }

  @Test("T06 A question that has not got the keyboard says so; the list's first line goes there")
  func goesToQuestion() {
    var driver = started()
    func give(_ event: DeliveryEvent) { driver.give(.report(.delivery(DeliveryID(1), event))) }
    give(.asks(.dialog("Conflict", hasKeyboard: false)))
    #expect(
      driver.hear().last?.hasSuffix(
        "Conflict is open and waits for your answer. Go to the question first.") == true)
    let list = driver.hear("ctrl+r")
    #expect(list.last?.contains("Go to the question") == true, "\(list)")
    _ = driver.hear("enter")
    #expect(
      driver.effects.contains {
        if case .request(_, .show(DeliveryID(1))) = $0 { true } else { false }
      }, "\(driver.effects)")
  }

  @Test("T02, T05 What nobody can see is said to be so, and what was opened to be opened")
  func seen() {
    for (effect, outcome, words) in [
      (
        DeliveryEffect.taken, DeliveryOutcome.unconfirmed,
        "Docs took a.txt. What came of it can't be seen."
      ),
      (.opened(program: "Editor"), .delivered, "Opened a.txt with Editor."),
      (.performed(.move), .delivered, "Moved a.txt to Docs."),
      (.pathsWritten, .delivered, "Only the path of a.txt was written into Docs."),
      (.listed, .delivered, "Added a.txt to Docs."),
    ] {
      var driver = started()
      var result = DeliveryResult(outcome: outcome, route: .xdnd, delivered: 1)
      result.effect = effect
      driver.give(.report(.delivery(DeliveryID(1), .finished(result))))
      #expect(driver.hear().first?.hasPrefix(words) == true, "\(effect)")
    }
  }

  @Test("H19: a long delivery is said at its start with its size")
  func longStart() {
    var driver = started()
    driver.give(.report(.delivery(DeliveryID(1), .started(DeliveryProgress(bytesTotal: 2 << 30)))))
    #expect(driver.hear() == ["Copying a.txt, 2.1 gigabytes."])
  }

  @Test("H19: a short one is announced only when it takes long")
  func shortStart() {
    var driver = started()
    driver.give(.report(.delivery(DeliveryID(1), .started(DeliveryProgress(bytesTotal: 10)))))
    #expect(driver.hear().isEmpty)
    #expect(driver.effects.contains(.startTimer(.delivery(DeliveryID(1)), milliseconds: 1500)))
    driver.give(.timer(.delivery(DeliveryID(1))))
    #expect(driver.hear() == ["Copying a.txt, 10 bytes."])
  }

  @Test("H19: progress is said at a quarter, a half and three quarters, once each")
  func thresholds() {
    var driver = started()
    driver.give(.report(.delivery(DeliveryID(1), .started(DeliveryProgress(bytesTotal: 1 << 30)))))
    driver.announcements = []
    for percent in stride(from: Int64(0), through: 100, by: 1) {
      let done = (1 << 30) * percent / 100
      driver.give(
        .report(
          .delivery(
            DeliveryID(1), .progressed(DeliveryProgress(bytesDone: done, bytesTotal: 1 << 30)))))
    }
    #expect(
      driver.hear() == ["a.txt: 25%.", "a.txt: 50%.", "a.txt: 75%."])
  }

  @Test(
    "H19: of what nobody knows the length of, the bytes are said each time they are twice as many")
  func unknownLength() {
    var driver = started()
    driver.give(.report(.delivery(DeliveryID(1), .started(DeliveryProgress()))))
    func arrive(_ bytes: Int64) {
      driver.give(
        .report(.delivery(DeliveryID(1), .progressed(DeliveryProgress(bytesDone: bytes)))))
    }
    arrive(500_000)
    #expect(driver.hear().isEmpty, "nothing is said of what may be over at once")
    driver.give(.timer(.delivery(DeliveryID(1))))
    #expect(driver.hear() == ["Copying a.txt."])
    for bytes in stride(from: Int64(500_000), through: 8_000_000, by: 250_000) { arrive(bytes) }
    #expect(
      driver.hear() == [
        "a.txt: 1 megabyte.", "a.txt: 2 megabytes.", "a.txt: 4 megabytes.", "a.txt: 8 megabytes.",
      ])
    for bytes in [Int64.max / 2, .max, .max] { arrive(bytes) }
    #expect(driver.hear().count == 2)
  }

  @Test("H19: what nothing has come of yet is said once there is something to say")
  func unknownLengthSlow() {
    var driver = started()
    driver.give(.report(.delivery(DeliveryID(1), .started(DeliveryProgress()))))
    driver.give(.timer(.delivery(DeliveryID(1))))
    driver.announcements = []
    for bytes in [Int64(1), 65_535, 65_536, 100_000] {
      driver.give(
        .report(.delivery(DeliveryID(1), .progressed(DeliveryProgress(bytesDone: bytes)))))
    }
    #expect(driver.hear() == ["a.txt: 66 kilobytes."])
  }

  @Test("H19: where a loader tells how far it is and no bytes, no size is said")
  func thousandths() {
    var driver = started()
    driver.give(.report(.delivery(DeliveryID(1), .started(DeliveryProgress()))))
    driver.give(
      .report(.delivery(DeliveryID(1), .progressed(DeliveryProgress(thousandths: 100)))))
    driver.give(.timer(.delivery(DeliveryID(1))))
    driver.give(
      .report(.delivery(DeliveryID(1), .progressed(DeliveryProgress(thousandths: 500)))))
    #expect(driver.hear() == ["Copying a.txt.", "a.txt: 50%."])
  }

  @Test("Any number of bytes can be told by another program")
  func hugeNumbers() {
    var driver = started()
    driver.give(
      .report(
        .delivery(
          DeliveryID(1),
          .progressed(DeliveryProgress(bytesDone: .max / 2, bytesTotal: .max)))))
    #expect(driver.session.delivery(DeliveryID(1))?.percent == 49)
  }

  @Test("H19: meanwhile a placeholder stands at the target, and goes when it is done")
  func placeholder() {
    var driver = started()
    driver.press("tab")
    let phrases = Phrasebook()
    let rows = driver.session.screen(height: 9, top: 0, phrases: phrases, message: "").rows
    #expect(rows.last == ScreenRow(name: "a.txt", note: "copying", isDimmed: true))
    driver.announcements = []
    driver.give(
      .report(
        .delivery(DeliveryID(1), .progressed(DeliveryProgress(bytesDone: 4, bytesTotal: 10)))))
    #expect(driver.hear("end") == ["a.txt, copying, 40%, 3 of 3"])
    #expect(driver.hear("space") == ["a.txt can't be picked up. It can't be dragged."])
    for key in ["enter", "f9"] { #expect(driver.hear(key) == ["a.txt, copying, 40%, 3 of 3"]) }
    #expect(driver.hear("up") == ["plan.pdf, 2 of 3"])
    driver.press("down")
    finish(&driver, 1, "a.txt")
    #expect(driver.session.state.item == "plan.pdf")
    let after = driver.session.screen(height: 9, top: 0, phrases: phrases, message: "").rows
    #expect(!after.contains { $0.note == "copying" })
  }

  @Test(
    "H12: another name is told as that of what was dropped only where it is",
    arguments: [true, false])
  func otherName(isItself: Bool) {
    var driver = started()
    var result = DeliveryResult(outcome: .delivered, route: .files, delivered: 1)
    let name = isItself ? "x (2).txt" : "a.txt"
    let docs = Stage.container("Docs")
    result.landings = [
      Landing(container: docs, source: Stage.source(name, in: "Docs"), name: name)
    ]
    result.renamed = ["x (2).txt"]
    driver.give(.report(.delivery(DeliveryID(1), .finished(result))))
    let said = driver.hear().joined(separator: " ")
    #expect(said.contains("It is named x (2).txt there.") == isItself, "\(said)")
    #expect(said.contains("1 got another name: x (2).txt.") == !isItself, "\(said)")
  }

  @Test("H19: whoever stands on a placeholder stands on the file once that is there")
  func arrived() {
    var driver = started()
    driver.press("tab end")
    #expect(driver.session.state.item == "a.txt")
    let docs = Stage.container("Docs")
    let file = DragSourceDescriptor(
      id: Stage.source("a.txt", in: "Docs"), name: "a.txt", container: docs, kind: .file)
    driver.change(.sourceAppeared(file, index: 1))
    #expect(driver.hear("up") == ["Reports, folder, 1 of 3"])
    #expect(driver.hear("down") == ["a.txt, 2 of 3"])
    driver.press("end")
    #expect(driver.session.state.item == "plan.pdf")
  }

  @Test("H31: a second drag is begun while a delivery runs; both are listed and cancelled by name")
  func severalAtOnce() {
    var driver = started(2)
    #expect(driver.session.deliveries.count == 2)
    #expect(
      driver.hear("ctrl+r") == [
        "2 deliveries run.", "Copying a.txt, Delete cancels it. 1 of 2",
      ])
    driver.press("down delete")
    let cancelled = driver.effects.contains { effect in
      if case .request(_, .cancelDelivery(DeliveryID(2))) = effect { true } else { false }
    }
    #expect(cancelled)
    #expect(driver.session.deliveries.count == 2, "it goes on until it says that it has ended")
    func title() -> String {
      driver.session.screen(height: 9, top: 0, phrases: Phrasebook(), message: "").title
    }
    finish(&driver, 2, "b.txt")
    #expect(title() == "1 delivery runs.")
    driver.announcements = []
    finish(&driver, 1, "a.txt")
    #expect(driver.hear().last == "Nothing is being delivered.")
    #expect(title() == "Nothing is being delivered.")
    driver.announcements = []
    #expect(driver.hear("enter") == ["Back.", "b.txt, 3 of 4"])
    #expect(driver.isBrowsing)
  }

  @Test("H19: what can't be cancelled any more says so, and goes on to its end")
  func tooLate() {
    var driver = started()
    driver.give(.report(.delivery(DeliveryID(1), .goesOn)))
    #expect(driver.hear() == ["Too late to cancel a.txt: the program has it."])
    #expect(driver.session.deliveries.count == 1)
    finish(&driver, 1, "a.txt")
    #expect(driver.hear() == ["Copied a.txt to Docs. Now at b.txt."])
    driver.give(.report(.delivery(DeliveryID(1), .goesOn)))
    #expect(driver.hear().isEmpty)
  }

  @Test("H31: each outcome is said by name, also while something else is carried")
  func outcomesByName() {
    var driver = started()
    driver.press("'b.txt' space")
    driver.announcements = []
    finish(&driver, 1, "a.txt")
    #expect(driver.hear() == ["Copied a.txt to Docs."])
    #expect(driver.carried == ["b.txt"])
    finish(&driver, 1, "a.txt")
    #expect(driver.hear().isEmpty)
  }

  @Test("H31: the list of deliveries waits while an answer is outstanding that leads on")
  func listWhileAsking() {
    var driver = SessionDriver.started()
    driver.press("'a.txt'")
    driver.holdsAnswers = true
    driver.press("space")
    #expect(driver.hear("ctrl+r").isEmpty)
    driver.holdsAnswers = false
    driver.answerAll()
    #expect(driver.session.state.dropPoint == "Sorted")
    #expect(driver.hear().last == "Nothing is being delivered.")
  }

  @Test("H20: a task is heard when it starts and when it ends")
  func tasks() {
    var stage = Stage.inboxAndDocs
    stage.tasks = [Stage.trash, Stage.printer]
    var driver = SessionDriver.started(stage)
    driver.press("'a.txt' space 'printer'")
    #expect(
      driver.hear("enter") == [
        "Print: started.", "Print: done.", "Sent a.txt to the printer. Now at b.txt.",
      ])
  }

  @Test("H05: an item is reordered by key, up, down, to the top and to the bottom")
  func reorderByKey() {
    var stage = Stage()
    stage.list("Places", ["Rome", "Oslo", "Lima"])
    var driver = SessionDriver.started(stage)
    #expect(driver.hear("alt+down") == ["Rome moved to 2 of 3."])
    #expect(driver.hear("alt+end") == ["Rome moved to 3 of 3."])
    #expect(driver.hear("alt+end") == ["Last."])
    #expect(driver.hear("alt+up") == ["Rome moved to 2 of 3."])
    #expect(driver.hear("alt+home") == ["Rome moved to 1 of 3."])
    #expect(driver.hear("alt+up") == ["First."])
    #expect(driver.session.state.item == "Rome")
  }

  @Test(
    "H05: an item is reordered by the actions menu",
    arguments: [
      ("Move up", "1 of 3"), ("Move down", "3 of 3"), ("Move to the top", "1 of 3"),
      ("Move to the bottom", "3 of 3"),
    ])
  func reorderByMenu(choice: String, place: String) {
    var stage = Stage()
    stage.list("Places", ["Rome", "Oslo", "Lima"])
    var driver = SessionDriver.started(stage)
    driver.press("'oslo' f9")
    var heard = driver.hear().last ?? ""
    for _ in 0..<10 {
      if heard.hasPrefix(choice + ".") { break }
      heard = driver.hear("down").last ?? ""
    }
    #expect(driver.hear("enter") == ["Oslo moved to \(place)."])
  }

  @Test("H05: what has no order says so", arguments: ["alt+up", "alt+end"])
  func noOrder(key: String) {
    var driver = SessionDriver.started()
    driver.press("'a.txt'")
    #expect(driver.hear(key) == ["Can't move here. There is no order to change."])
  }

  @Test(
    "H05: copy to, move to and link to are a pick-up with that wish",
    arguments: [
      ("f5", DragOperation.copy), ("f6", .move), ("f7", .link),
    ])
  func withWish(key: String, operation: DragOperation) {
    var driver = SessionDriver.started()
    driver.press("'a.txt' \(key) 'docs' enter")
    #expect(driver.orders.map(\.operation) == [operation])
  }

  @Test("H05: the menu's trash goes straight to the trash")
  func trashByMenu() {
    var stage = Stage.inboxAndDocs
    stage.tasks = [Stage.trash]
    var driver = SessionDriver.started(stage)
    driver.press("'a.txt' f9 end down down down enter")
    #expect(driver.orders.map(\.operation) == [.remove])
    #expect(driver.isBrowsing)
  }

  @Test("H08: what a disk undoes or redoes after it was said not to answer is named as that")
  func undoneLate() {
    var driver = started()
    let entry = HistoryEntry(
      number: 5, operation: .copy, names: ["a.txt"], count: 1, place: "Docs", time: 0,
      isUndone: false)
    driver.give(.report(.undoneLate(.done(entry))))
    #expect(driver.hear() == ["Undone after all: copied a.txt to Docs."])
    driver.give(.report(.redoneLate(.done(entry))))
    #expect(driver.hear() == ["Redone after all: copied a.txt to Docs."])
    driver.give(.report(.undoneLate(.refused(entry, .changed))))
    #expect(driver.hear().first?.hasPrefix("Can't undo: copied a.txt to Docs.") == true)
  }

  @Test("H08: what is undone and redone is named, a partial one honestly")
  func history() {
    var driver = SessionDriver.started()
    let entry = HistoryEntry(
      number: 4, operation: .move, names: ["a.txt", "b.txt"], count: 2, place: "Docs", time: 0,
      isUndone: false)
    driver.stage.history = .done(entry)
    #expect(driver.hear("ctrl+z") == ["Undone: moved 2 items to Docs."])
    driver.stage.history = .partly(
      entry, done: 1, failures: [DeliveryFailure(name: "b.txt", reason: .changed)])
    #expect(
      driver.hear("ctrl+y") == [
        "Redone for 1 of 2: moved 2 items to Docs.",
        "Not redone: b.txt. It has changed. Look at it before trying again.",
      ])
    driver.stage.history = .nothing
    #expect(driver.hear("ctrl+z ctrl+y") == ["Nothing to undo.", "Nothing to redo."])
  }
}
