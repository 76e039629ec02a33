import KeyDragCore
import Testing

/// H08: between two drags of the desktop, what was done is a list that is walked by key.
struct HistoryListTests {
  private static func line(
    _ number: Int64, _ name: String, _ when: String, isUndone: Bool = false
  ) -> HistoryLine {
    HistoryLine(
      HistoryEntry(
        number: number, operation: .move, names: [name], count: 1, place: "Docs", time: 0,
        isUndone: isUndone), when: when)
  }

  private static let lines = [
    line(3, "c.txt", "21:31"), line(2, "b.txt", "09:05", isUndone: true),
    line(1, "a.txt", "2026-11-20 18:00"),
  ]

  private func driver(
    _ lines: Result<[HistoryLine], Reason> = .success(lines)
  ) -> SessionDriver {
    var stage = Stage.desktop
    stage.historyLines = lines
    return SessionDriver.desktop(stage)
  }

  /// In the list of deliveries, on the line that opens the history.
  private func atHistory(_ driver: inout SessionDriver) {
    driver.command(.deliveries)
    driver.press("down down down")
  }

  private var undone: (SessionDriver) -> [Int64?] {
    { driver in
      driver.effects.compactMap { effect in
        if case .request(_, .undo(let entry)) = effect { entry } else { nil }
      }
    }
  }

  @Test("H08: the list of deliveries leads to the history, which says what and when")
  func walk() {
    var driver = driver()
    atHistory(&driver)
    #expect(driver.hear().last == "History. 4 of 5")
    #expect(
      driver.hear("enter") == ["History.", "moved c.txt to Docs, 21:31, Enter undoes it. 1 of 3"])
    #expect(driver.hear("down") == ["moved b.txt to Docs, undone, 09:05. 2 of 3"])
    #expect(
      driver.hear("down") == ["moved a.txt to Docs, 2026-11-20 18:00. 3 of 3"])
    #expect(driver.hear("down") == ["Last."])
    #expect(driver.hear("home").last?.hasSuffix("1 of 3") == true)
    #expect(driver.hear("end").last?.hasSuffix("3 of 3") == true)
    #expect(driver.hear("escape") == ["Back."])
    #expect(driver.isBrowsing)
    #expect(undone(driver).isEmpty)
  }

  private var shown: (SessionDriver) -> [DeliveryID] {
    { driver in
      driver.effects.compactMap { effect in
        if case .request(_, .show(let delivery)) = effect { delivery } else { nil }
      }
    }
  }

  @Test("H22: what landed in a window is the first line to go to, until it is taken back")
  func landed() {
    var stage = Stage.desktop
    stage.holdsDeliveries = true
    stage.history = .done(Self.lines[0].entry)
    var driver = SessionDriver.carrying(stage)
    driver.press("enter")
    let result = DeliveryResult(outcome: .delivered, route: .xdnd, delivered: 1)
    driver.give(.report(.delivery(DeliveryID(1), .finished(result))))
    driver.announcements = []
    driver.command(.deliveries)
    #expect(driver.hear().last == "Go to what landed. 1 of 5")
    #expect(driver.hear("enter") == ["a.txt, in Docs, Files."])
    #expect(shown(driver) == [DeliveryID(1)])
    #expect(driver.isBrowsing)
    driver.command(.deliveries)
    driver.press("down enter")
    driver.announcements = []
    driver.command(.deliveries)
    // The line stays where it is, for those who count.
    #expect(driver.hear().last == "Go to what landed. 1 of 5")
    #expect(driver.hear("enter") == ["Nothing has landed yet."])
  }

  @Test("K16: a delivery that ends is a line of the list no more, and what is there is said")
  func ended() {
    var driver = SessionDriver.atDeliveries()
    #expect(driver.hear().last?.hasSuffix("1 of 6") == true)
    let progress = DeliveryProgress(bytesDone: 30, bytesTotal: 100)
    driver.give(.report(.delivery(DeliveryID(1), .progressed(progress))))
    driver.press("down")
    driver.announcements = []
    #expect(driver.hear("up").last?.contains("30%") == true)
    let result = DeliveryResult(outcome: .delivered, route: .xdnd, delivered: 1)
    driver.give(.report(.delivery(DeliveryID(1), .finished(result))))
    #expect(driver.hear().last == "Go to what landed. 1 of 5")
  }

  @Test(
    "H08: a line that can't be undone here says so, and Enter does not promise it",
    arguments: [
      (WayBack.programs, "moved d.txt to Docs, can't be undone here, 21:40."),
      (.taken, "Docs took d.txt, can't be undone here, 21:40."),
      (.unconfirmed, "sent d.txt to Docs, not confirmed, can't be undone here, 21:40."),
    ])
  func foreign(wayBack: WayBack, words: String) {
    var line = Self.line(4, "d.txt", "21:40")
    line.entry.wayBack = wayBack
    var driver = driver(.success([line]))
    atHistory(&driver)
    #expect(driver.hear("enter").last == words)
  }

  @Test("H08: Enter undoes the line one is on, and no other")
  func undo() {
    var driver = driver()
    driver.stage.history = .done(Self.lines[2].entry)
    atHistory(&driver)
    driver.press("enter down down")
    #expect(driver.hear("enter") == ["Undone: moved a.txt to Docs."])
    #expect(undone(driver) == [1])
    #expect(driver.isBrowsing)
  }

  @Test("H08: what can't be undone says why, and so does what is undone")
  func refused() {
    var driver = driver()
    driver.stage.history = .refused(Self.lines[0].entry, .changed)
    atHistory(&driver)
    driver.press("enter")
    #expect(driver.hear("enter").first?.hasPrefix("Can't undo: moved c.txt to Docs.") == true)
    driver.stage.history = .nothing
    atHistory(&driver)
    driver.press("enter down")
    #expect(driver.hear("enter") == ["Nothing to undo."])
    #expect(undone(driver) == [3, 2])
  }

  @Test("Where nothing has been done, or the journal can't be read, that is said in the list")
  func nothing() {
    var driver = driver(.success([]))
    atHistory(&driver)
    #expect(driver.hear("enter") == ["Nothing has been done yet."])
    #expect(driver.hear("down") == ["Quit. 5 of 5"])
    driver.stage.historyLines = .failure(.journalNewer)
    driver.press("up")
    driver.announcements = []
    driver.press("enter")
    #expect(driver.ids() == ["problem"])
    #expect(driver.session.phase.name == .confirming)
  }

  @Test("More lines than a person walks are not taken, whoever sends them")
  func bounded() {
    let many = (1...500).map { Self.line($0, "x", "10:00") }
    var driver = driver(.success(many))
    atHistory(&driver)
    #expect(driver.hear("enter").last?.hasSuffix("1 of 20") == true)
  }

  @Test("Who has left the list hears nothing of the history that comes late")
  func late() {
    var driver = driver()
    atHistory(&driver)
    driver.holdsAnswers = true
    driver.press("enter")
    #expect(driver.session.isWaiting)
    driver.press("escape")
    driver.announcements = []
    driver.answerAll()
    #expect(driver.hear().isEmpty)
    #expect(driver.isBrowsing)
  }

  @Test("K16: in the history every command is answered")
  func total() {
    for command in CommandName.allCases {
      var driver = driver()
      atHistory(&driver)
      driver.press("enter")
      driver.effects = []
      driver.give(.command(command))
      #expect(!driver.effects.isEmpty, "\(command)")
    }
  }

  @Test("Help says what Backspace does in each phase")
  func backspace() {
    var driver = driver()
    driver.press("?")
    let lines = driver.session.screen(height: 1, top: 0, phrases: Phrasebook(), message: "").help
    #expect(lines.contains { $0.hasPrefix("Backspace: take back the last letter, or leave") })
    driver.press("escape")
    driver.command(.deliveries)
    let help = driver.hear("?").joined()
    #expect(help.contains("Backspace: take back the last letter or digit."), "\(help)")
  }
}
