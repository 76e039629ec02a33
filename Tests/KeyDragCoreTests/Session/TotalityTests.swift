import Testing

@testable import KeyDragCore

/// Every phase answers everything.
struct TotalityTests {
  /// A session brought to a phase.
  enum Start: String, CaseIterable, CustomTestStringConvertible {
    case unlisted, browsing, empty, adding, preparing, asking, carrying, atSource, onRefusing
    case dropping, clash, partial, irreversible, actions, deliveries, deliveriesWhileCarrying
    case listing, unanswered, position

    var testDescription: String { rawValue }

    /// - Parameter asksOnArrival: with windows beside the folders, asked as they are reached.
    func driver(asksOnArrival: Bool = false) -> SessionDriver {
      var stage = Stage.inboxAndDocs
      stage.tasks = [Stage.trash]
      switch self {
      case .clash:
        stage.finalProposals[Stage.place("Docs")] = Proposal(
          .all, predictions: [.nameClash(["a.txt"])])
      case .partial:
        stage.finalProposals[Stage.place("Docs")] = Proposal(.some(refused: [0: .tooLarge]))
      case .irreversible:
        stage.finalProposals[Stage.place("Docs")] = Proposal(.all, irreversible: .writeOnly)
      case .position: stage.list("Places", ["Rome", "Oslo", "Lima"])
      default: break
      }
      stage.holdsDeliveries = self == .deliveries || self == .deliveriesWhileCarrying
      if asksOnArrival {
        stage.window("Mail", of: "Thunderbird", ["To", "Body"])
        stage.window("Hung", of: "Editor", [], answersWith: .notResponding)
      }
      var settings = Session.Settings()
      settings.asksOnArrival = asksOnArrival
      var driver = SessionDriver(stage, settings: settings)
      for window in stage.windows { driver.register(window) }
      driver.holdsAnswers = self == .unlisted
      driver.give(.start)
      reach(&driver, toFirst: asksOnArrival ? "tab " : "")
      driver.holdsAnswers = false
      driver.announcements = []
      driver.effects = []
      return driver
    }

    /// - Parameter toFirst: the keys from where a pick-up leads to the first place that accepts.
    private func reach(_ driver: inout SessionDriver, toFirst: String) {
      switch self {
      case .unlisted, .browsing: break
      case .empty: driver.press("tab 'reports' right")
      case .adding: driver.press("'a.txt' space ctrl+t")
      case .preparing:
        driver.holdsAnswers = true
        driver.press("space")
      case .asking:
        driver.holdsAnswers = true
        driver.press("space")
        driver.answerNext()
      case .carrying: driver.press("'a.txt' space")
      case .atSource: driver.press("'a.txt' space shift+tab")
      case .onRefusing: driver.press("'a.txt' space 'inbox'")
      case .dropping:
        driver.press("'a.txt' space")
        driver.holdsAnswers = true
        driver.press("enter")
      case .clash, .partial, .irreversible:
        driver.press("'a.txt' ctrl+t 'b.txt' ctrl+t space 'docs' enter")
      case .actions: driver.press("f9")
      case .position: driver.press("shift+tab ctrl+n")
      case .deliveries: driver.press("'a.txt' space \(toFirst)enter ctrl+r")
      case .deliveriesWhileCarrying:
        driver.press("'a.txt' space \(toFirst)enter space ctrl+r")
      case .listing, .unanswered:
        driver.press("'a.txt' space page-down")
        driver.holdsAnswers = true
        driver.press("page-down")
        if self == .unanswered { driver.answerNext() }
      }
    }

    var phase: PhaseName {
      switch self {
      case .unlisted, .browsing, .empty, .adding: .browsing
      case .preparing, .asking, .carrying, .atSource, .onRefusing, .dropping, .listing, .unanswered:
        .carrying
      case .clash, .partial, .irreversible, .actions, .position, .deliveries,
        .deliveriesWhileCarrying:
        .confirming
      }
    }
  }

  @Test(
    "Each starting point is in the phase it is named for", arguments: Start.allCases, [false, true])
  func starts(start: Start, asksOnArrival: Bool) {
    #expect(start.driver(asksOnArrival: asksOnArrival).session.phase.name == start.phase)
  }

  @Test(
    "K16: every command is answered in every phase, never by silence", arguments: Start.allCases,
    [false, true])
  func commandsAreAnswered(start: Start, asksOnArrival: Bool) {
    for command in CommandName.allCases {
      var driver = start.driver(asksOnArrival: asksOnArrival)
      driver.give(.command(command))
      let isDeferred = driver.session.phase.carry?.deferred.last == command
      #expect(!driver.effects.isEmpty || isDeferred, "\(command)")
      Invariants.check(driver, "\(start) \(command)")
      #expect(canLeave(driver), "\(start) \(command)")
    }
  }

  @Test(
    "K16: a command without a meaning here gets exactly one unknown-key", arguments: Start.allCases,
    [false, true])
  func unmeaningCommands(start: Start, asksOnArrival: Bool) {
    let meant = Set(
      Keymap.standard.bindings.flatMap { binding in
        binding.phases.contains(start.phase) ? [binding.command] : []
      })
    for command in CommandName.allCases where !meant.contains(command) {
      // Some commands of other phases are understood all the same: a script may give them.
      if start.phase == .carrying, [.pickUp].contains(command) { continue }
      if start.phase == .confirming, command == .cancel { continue }
      if [.preparing, .asking, .dropping].contains(start) { continue }
      var driver = start.driver(asksOnArrival: asksOnArrival)
      driver.holdsAnswers = true
      driver.give(.command(command))
      #expect(driver.ids() == ["unknown-key"], "\(command)")
    }
  }

  @Test(
    "Every report with the right, a stale or the wrong id leaves a way out",
    arguments: Start.allCases, [false, true])
  func reports(start: Start, asksOnArrival: Bool) {
    for isLate in [false, true] {
      let count = Samples.reports(RequestID(1), DeliveryID(1)).count
      for index in 0..<count {
        var driver = start.driver(asksOnArrival: asksOnArrival)
        let open = driver.session.outstanding.keys.map(\.rawValue).sorted()
        let ids = isLate ? [RequestID(9_999)] : open.map { RequestID($0) } + [RequestID(1)]
        for id in ids {
          let report = Samples.reports(id, DeliveryID(isLate ? 99 : 1))[index]
          driver.give(.report(report))
          Invariants.check(driver, "\(start) \(report)")
        }
        #expect(canLeave(driver), "\(start) \(index)")
      }
    }
  }

  @Test(
    "An answer of the wrong kind ends what waited for it in words",
    arguments: [
      Start.preparing, .asking, .dropping,
    ])
  func wrongKind(start: Start) throws {
    var driver = start.driver()
    let id = try #require(driver.session.outstanding.keys.first)
    driver.requests = []
    driver.give(.report(.undone(id, .nothing)))
    #expect(!driver.hear().isEmpty)
    #expect(!driver.session.isWaiting)
  }

  @Test("Every other input leaves a way out", arguments: Start.allCases, [false, true])
  func otherInputs(start: Start, asksOnArrival: Bool) {
    for input in Samples.inputs {
      var driver = start.driver(asksOnArrival: asksOnArrival)
      driver.give(input)
      Invariants.check(driver, "\(start) \(input)")
      #expect(canLeave(driver), "\(start) \(input)")
    }
  }

  @Test(
    "K16: any key without a binding is answered by one unknown-key", arguments: Start.allCases,
    [false, true])
  func unknownKeys(start: Start, asksOnArrival: Bool) {
    var driver = start.driver(asksOnArrival: asksOnArrival)
    driver.holdsAnswers = true
    driver.give(.unknownKey(KeyStroke(.function(11))))
    #expect(driver.ids() == ["unknown-key"])
  }

  @Test("K14: Escape, pressed often enough, leads to browsing with nothing held")
  func escapeLeads() {
    for start in Start.allCases {
      #expect(canLeave(start.driver()), "\(start)")
      #expect(canLeave(start.driver(asksOnArrival: true)), "\(start)")
    }
  }

  @Test("Two hundred thousand inputs at random keep every invariant", arguments: [1, 2, 3, 4])
  func randomWalk(seed: UInt64) {
    var random = SeededRandom(seed)
    var player = RandomPlayer(&random)
    for step in 0..<50_000 {
      player.step(&random)
      let found = Invariants.violation(player.driver)
      if let found {
        Issue.record("seed \(seed), step \(step): \(found)")
        return
      }
      player.driver.announcements = []
      player.driver.effects = []
    }
    #expect(player.pickUps > 100)
    #expect(player.drops > 20)
  }

  @Test(
    "The same at random on a desktop: focus is never lost, and nothing is said of a place left",
    arguments: [1, 2])
  func randomWalkOnArrival(seed: UInt64) {
    var random = SeededRandom(seed)
    var player = RandomPlayer(&random, asksOnArrival: true)
    for step in 0..<20_000 {
      player.step(&random)
      if let found = Invariants.violation(player.driver) {
        Issue.record("seed \(seed), step \(step): \(found)")
        return
      }
      player.driver.announcements = []
      player.driver.effects = []
    }
    #expect(player.pickUps > 100)
    #expect(player.drops > 20)
  }

  private func canLeave(_ driver: SessionDriver) -> Bool {
    var driver = driver
    for _ in 0..<5 where !driver.isBrowsing || driver.session.phase.carry != nil {
      driver.press("escape")
    }
    return driver.isBrowsing && driver.session.phase.carry == nil
  }
}
