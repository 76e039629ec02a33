import Testing

@testable import KeyDragCore

@Suite("What a person is asked before more is undone or left than they mean")
struct AskedFirstTests {
  private static func line(
    _ number: Int64, isOlder: Bool, isUndone: Bool = false
  ) -> HistoryLine {
    HistoryLine(
      HistoryEntry(
        number: number, operation: .move, names: ["a.txt"], count: 1, place: "Docs", time: 0,
        isUndone: isUndone), when: "21:31", isOlder: isOlder)
  }

  private static func driver(_ lines: [HistoryLine], asks: Bool = true) -> SessionDriver {
    var stage = Stage.inboxAndDocs
    stage.historyLines = .success(lines)
    if let entry = lines.first(where: { !$0.entry.isUndone })?.entry {
      stage.history = .done(entry)
    }
    var settings = Session.Settings()
    settings.asksPerson = asks
    return SessionDriver.started(stage, settings: settings)
  }

  @Test("H08: the question tells the day, and several things by their number")
  func day() {
    var entry = HistoryEntry(
      number: 3, operation: .move, names: ["a", "b", "c"], count: 3, place: "Docs", time: 0,
      isUndone: false)
    entry.things = .files
    let line = HistoryLine(entry, when: "2026-11-17 14:05", weekday: 2, isOlder: true)
    #expect(
      Phrasebook().text(.confirm(.olderUndo(line), choices: []))
        == "On Tuesday: moved 3 files to Docs. Undo it?")
    entry.origin = "Downloads"
    #expect(Phrasebook().text(.undone(entry, done: 3)) == "3 files are back in Downloads.")
    #expect(Phrasebook().historyLine(entry) == "moved a, b and c to Docs")
  }

  @Test("H14: what was cancelled before anything was done says so")
  func untouched() {
    let book = Phrasebook()
    #expect(
      book.text(
        .deliveryCancelled(names: ["big.bin"], done: 0, remaining: 1, untouched: .copy))
        == "Cancelled: big.bin, nothing was copied.")
    #expect(
      book.text(.deliveryCancelled(names: ["a", "b"], done: 1, remaining: 1))
        == "Cancelled a and b: 1 done, 1 not.")
  }

  @Test("H22: a long name is cut for the ear the second time, and two that sound alike never are")
  func longNames() {
    let name = String(repeating: "meeting minutes ", count: 5) + "final.pdf"
    let repeated = String(repeating: "meeting minutes ", count: 2)
    let other = repeated + "MEETING MINUTES " + repeated + "final.pdf"
    var names = LongNames()
    func cuts(_ name: String) -> [String: String] {
      names.cuts(in: [AnnouncementArgument(name: "name", value: .text(name))])
    }
    #expect(cuts(name).isEmpty)
    let cut = LongNames.apply(cuts(name), to: "\(name), 1 of 2")
    #expect(cut == "meeting minutes meeting minute… nutes final.pdf, 1 of 2")
    #expect(cuts(other).isEmpty)
    #expect(cuts(name).isEmpty)
    #expect(cuts("short.txt").isEmpty && cuts("short.txt").isEmpty)
  }

  @Test("H08: Ctrl+Z undoes what this session did, and asks before it goes further back")
  func older() {
    var own = Self.driver([Self.line(2, isOlder: false), Self.line(1, isOlder: true)])
    #expect(own.hear("ctrl+z") == ["Undone: moved a.txt to Docs."])
    var older = Self.driver([
      Self.line(2, isOlder: false, isUndone: true), Self.line(1, isOlder: true),
    ])
    #expect(
      older.hear("ctrl+z") == [
        "21:31: moved a.txt to Docs. Undo it?", "Leave as it is. 1 of 2",
      ])
    #expect(older.hear("enter") == ["Back."])
    older.press("ctrl+z")
    _ = older.hear()
    #expect(older.hear("down enter").last == "Undone: moved a.txt to Docs.")
  }

  @Test("H08: what an undo brings back is not told once more as it appears, up to the next key")
  func settling() {
    var driver = Self.driver([Self.line(2, isOlder: false)])
    driver.press("ctrl+z")
    _ = driver.hear()
    func appear(_ name: String) {
      let file = DragSourceDescriptor(
        id: DragSourceID(Stage.id("new " + name)), name: name, container: Stage.container("Inbox"),
        kind: .file)
      driver.change(.sourceAppeared(file, index: 1))
    }
    appear("a.txt")
    #expect(driver.hear().isEmpty)
    appear("other.txt")
    driver.give(.timer(.appearing))
    #expect(driver.hear() == ["other.txt appeared."])
    driver.give(.timer(.appearing))
    driver.press("home")
    driver.announcements = []
    driver.change(
      .sourceVanished(Stage.source("b.txt", in: "Inbox"), container: Stage.container("Inbox")))
    #expect(driver.hear() == ["b.txt is gone."])
  }

  @Test("H08: a script is never asked before undo")
  func script() {
    var driver = Self.driver([Self.line(1, isOlder: true)], asks: false)
    #expect(driver.hear("ctrl+z") == ["Undone: moved a.txt to Docs."])
  }

  @Test(
    "H08: nothing is undone or redone while a question is open", arguments: ["ctrl+z", "ctrl+y"])
  func question(key: String) {
    var driver = Self.driver([Self.line(1, isOlder: false)])
    driver.press("f9")
    _ = driver.hear()
    let said = driver.hear(key)
    #expect(said == ["Leave as it is. 1 of \(driver.choiceCount)"])
  }

  @Test("K14: Ctrl+Q while something is copied asks, and the first answer goes on")
  func quitting() throws {
    var driver = Self.copying()
    #expect(
      driver.hear("ctrl+q") == ["1 delivery still runs.", "Leave as it is. 1 of 3"])
    #expect(driver.hear("enter") == ["Back."])
    driver.press("ctrl+q down enter")
    _ = driver.hear()
    let id = try #require(driver.session.deliveries.keys.first)
    driver.give(.report(.delivery(id, .finished(Self.result(.delivered)))))
    #expect(driver.hear().last == "Goodbye.")
  }

  @Test("K14: stopped with the session, a copy is cancelled and what it did is taken back")
  func takenBack() throws {
    var driver = Self.copying()
    let id = try #require(driver.session.deliveries.keys.first)
    driver.press("ctrl+q end")
    _ = driver.hear()
    let effects = driver.apply(.command(.take))
    #expect(
      effects.contains { if case .request(_, .cancelDelivery(id)) = $0 { true } else { false } })
    driver.holdsAnswers = true
    var result = Self.result(.cancelled)
    result.entry = 7
    let last = driver.apply(.report(.delivery(id, .finished(result))))
    #expect(last.contains { if case .request(_, .undo(entry: 7)) = $0 { true } else { false } })
    #expect(!last.contains(.quit))
    driver.answerAll()
    #expect(driver.hear().last == "Goodbye.")
  }

  @Test("K14: what was done of a folder that was stopped in the middle is told and taken back")
  func partTakenBack() throws {
    var driver = Self.copying()
    let id = try #require(driver.session.deliveries.keys.first)
    driver.press("ctrl+q end")
    _ = driver.hear()
    driver.apply(.command(.take))
    driver.holdsAnswers = true
    var result = DeliveryResult(outcome: .cancelled, route: .files, delivered: 0)
    result.pieces = 300
    result.entry = 7
    let last = driver.apply(.report(.delivery(id, .finished(result))))
    #expect(last.contains { if case .request(_, .undo(entry: 7)) = $0 { true } else { false } })
    driver.answerAll()
    #expect(driver.hear().contains("Cancelled notes.txt: only part of it is done."))
  }

  private static func result(_ outcome: DeliveryOutcome) -> DeliveryResult {
    DeliveryResult(outcome: outcome, route: .files, delivered: 1)
  }

  private static func copying() -> SessionDriver {
    var stage = Stage.inboxAndDocs
    stage.holdsDeliveries = true
    var settings = Session.Settings()
    settings.asksPerson = true
    var driver = SessionDriver.started(stage, settings: settings)
    driver.press("'notes' space 'docs' enter")
    _ = driver.hear()
    return driver
  }
}

extension SessionDriver {
  fileprivate var choiceCount: Int {
    if case .confirming(let question, _) = session.phase { question.choices.count } else { 0 }
  }
}
