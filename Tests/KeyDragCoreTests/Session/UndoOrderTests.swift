import Testing

@testable import KeyDragCore

@Suite("Undo while something is still delivered or taken back")
struct UndoOrderTests {
  private static let file = Stage.source("notes.txt", in: "Inbox")

  private static func driver(isCopying: Bool) -> SessionDriver {
    var stage = Stage.inboxAndDocs
    stage.holdsDeliveries = isCopying
    stage.history = .nothing
    var settings = Session.Settings()
    settings.asksPerson = true
    settings.isInFolders = true
    var driver = SessionDriver.started(stage, settings: settings)
    if isCopying { driver.press("'notes' space 'docs' enter") }
    _ = driver.hear()
    return driver
  }

  private static func undoes(_ driver: SessionDriver) -> Int {
    driver.effects.count { if case .request(_, .undo) = $0 { true } else { false } }
  }

  private func end(_ outcome: DeliveryOutcome, _ driver: inout SessionDriver) throws {
    let id = try #require(driver.session.deliveries.keys.first)
    var result = DeliveryResult(
      outcome: outcome, route: .files, delivered: outcome == .delivered ? 1 : 0)
    if outcome == .failed {
      result.failures = [DeliveryFailure(name: "notes.txt", reason: .noSpace)]
    }
    driver.give(.report(.delivery(id, .finished(result))))
  }

  @Test("H08, K26: Ctrl+Z behind a drop waits for its end, and takes back nothing older meanwhile")
  func waits() throws {
    var driver = Self.driver(isCopying: true)
    driver.press("ctrl+z ctrl+z")
    #expect(Self.undoes(driver) == 0 && driver.session.waiting.count == 2)
    try end(.delivered, &driver)
    #expect(Self.undoes(driver) == 2)
  }

  @Test(
    "H08, K26: where nothing came of the drop, the Ctrl+Z behind it takes back nothing",
    arguments: [DeliveryOutcome.failed, .cancelled, .refused, .partly])
  func nothingDone(outcome: DeliveryOutcome) throws {
    var driver = Self.driver(isCopying: true)
    driver.press("ctrl+z")
    try end(outcome, &driver)
    #expect(Self.undoes(driver) == 0 && driver.session.waiting.isEmpty)
  }

  @Test(
    "H08, K26: while a copy goes on for longer, Ctrl+Z opens the list in which it can be cancelled")
  func long() throws {
    var driver = Self.driver(isCopying: true)
    driver.press("ctrl+z")
    let timer = try #require(
      driver.effects.compactMap { effect in
        if case .startTimer(let timer, _) = effect, case .asking = timer { timer } else { nil }
      }.last)
    driver.give(.timer(timer))
    #expect(driver.hear().first == "1 delivery runs.", "\(driver.hear())")
    #expect(Self.undoes(driver) == 0)
    driver.press("escape")
    try end(.delivered, &driver)
    #expect(Self.undoes(driver) == 0)
  }

  @Test("K26: Ctrl+Z behind a drop that is still asked about opens no list over it")
  func behindQuestion() {
    var driver = Self.driver(isCopying: true)
    driver.press("'a.txt' space 'docs'")
    driver.holdsAnswers = true
    driver.press("enter ctrl+z")
    for effect in driver.effects {
      guard case .startTimer(let timer, _) = effect, case .asking = timer else { continue }
      driver.give(.timer(timer))
    }
    driver.answerAll()
    #expect(driver.orders.map(\.items.count) == [1, 1])
  }

  @Test("H08: an undo that takes long is told, a second one waits for it, and Ctrl+Q ends after it")
  func longUndo() throws {
    var driver = Self.driver(isCopying: false)
    driver.stage.historyLines = .success([])
    driver.press("ctrl+z")
    driver.holdsAnswers = true
    driver.press("ctrl+z")
    _ = driver.hear()
    driver.answerNext()
    let timer = try #require(
      driver.effects.compactMap { effect in
        if case .startTimer(let timer, _) = effect, case .asking = timer { timer } else { nil }
      }.last)
    driver.give(.timer(timer))
    #expect(driver.hear() == ["Undoing."])
    let sent = Self.undoes(driver)
    driver.press("ctrl+z")
    #expect(driver.hear() == ["Undoing."])
    #expect(Self.undoes(driver) == sent)
    let last = driver.apply(.command(.quit))
    #expect(driver.hear() == ["Undoing."])
    #expect(!last.contains(.quit))
    driver.answerAll()
    #expect(driver.hear().last == "Goodbye.")
  }

  @Test("H14: a name with a dot is told as hidden, and one of blanks is none")
  func names() {
    #expect(TypedLine.fault(ofName: "   ") == .badName)
    #expect(TypedLine.fault(ofName: " a") == nil)
  }

  private func entry(_ number: Int64, _ name: String) -> HistoryEntry {
    HistoryEntry(number: number, operation: .move, names: [name], count: 1, place: "B")
  }

  @Test("H08: behind what can't be undone the next Ctrl+Z asks about what was done before it")
  func blocked() {
    var driver = Self.driver(isCopying: false)
    driver.stage.historyLines = .success(
      [entry(2, "b"), entry(1, "a")].map { HistoryLine($0, when: "21:31") })
    driver.stage.history = .refused(entry(2, "b"), .gone)
    #expect(driver.hear("ctrl+z") == ["Can't undo: moved b to B. It is gone."])
    #expect(
      driver.hear("ctrl+z") == ["21:31: moved a to B. Undo it?", "Leave as it is. 1 of 2"])
    driver.stage.history = .done(entry(1, "a"))
    #expect(driver.hear("down enter").last == "Undone: moved a to B.")
  }

  @Test(
    "H08: after a drop that did nothing Ctrl+Z asks before it takes back an older one, however late"
  )
  func afterNothing() throws {
    var driver = Self.driver(isCopying: true)
    driver.stage.historyLines = .success([HistoryLine(entry(1, "a"), when: "21:31")])
    driver.stage.history = .done(entry(1, "a"))
    try end(.failed, &driver)
    _ = driver.hear()
    #expect(
      driver.hear("ctrl+z") == ["21:31: moved a to B. Undo it?", "Leave as it is. 1 of 2"])
    #expect(driver.hear("down enter").last == "Undone: moved a to B.")
    #expect(driver.hear("ctrl+z") == ["Undone: moved a to B."])
  }

  @Test("H08: what is done behind a blocked undo is taken back without a question")
  func behindBlocked() {
    var driver = Self.driver(isCopying: false)
    driver.stage.historyLines = .success([HistoryLine(entry(2, "b"), when: "21:31")])
    driver.stage.history = .refused(entry(2, "b"), .gone)
    driver.press("ctrl+z")
    _ = driver.hear()
    driver.stage.historyLines = .success(
      [entry(3, "c"), entry(2, "b")].map { HistoryLine($0, when: "21:31") })
    driver.stage.history = .done(entry(3, "c"))
    #expect(driver.hear("ctrl+z") == ["Undone: moved c to B."])
    #expect(
      driver.effects.contains {
        if case .request(_, .undo(entry: 3)) = $0 { true } else { false }
      })
  }

  @Test("H08: of several that an undo leaves each hears its own reason")
  func partly() {
    var driver = Self.driver(isCopying: false)
    driver.stage.history = .partly(
      entry(1, "f"), done: 1,
      failures: [
        DeliveryFailure(name: "g", reason: .changed), DeliveryFailure(name: "h", reason: .gone),
      ])
    let said = driver.hear("ctrl+z")
    #expect(said.count == 3)
    #expect(said.dropFirst().first?.hasPrefix("Not undone: g.") == true)
    #expect(said.last == "Not undone: h. It is gone.")
  }

  @Test("H08: what an undo has left is told in the history")
  func remaining() {
    var entry = HistoryEntry(
      operation: .move, names: ["f", "g", "h"], count: 3, place: "B", isUndone: true)
    #expect(Phrasebook().historyLine(entry) == "moved f, g and h to B, undone")
    entry.isPartlyUndone = true
    #expect(Phrasebook().historyLine(entry) == "moved f, g and h to B, undone in part")
  }

  @Test("H14: of several that fail each hears its own reason, and new names are told all the same")
  func reasons() {
    var result = DeliveryResult(outcome: .partly, route: .files, delivered: 1)
    result.failures = [
      DeliveryFailure(name: "imm", reason: .notPermitted),
      DeliveryFailure(name: "pipe", reason: .specialFile),
    ]
    result.renamed = ["f (2)"]
    let text = Phrasebook().text(
      .partlyDelivered(
        DeliveredReport(
          operation: .copy, names: ["f"], place: "B", result: result, things: .files, task: nil)))
    #expect(text.hasPrefix("Copied 1 of 3 to B. It is named f (2) there. imm: "))
    #expect(text.contains(" pipe: "))
  }
}
