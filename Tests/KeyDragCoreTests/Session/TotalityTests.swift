import Testing
import Thorough

@testable import KeyDragCore

/// Every phase answers everything.
struct TotalityTests {
  /// Whether there are windows, which are asked as they are reached: the folders as well, or they
  /// alone.
  enum Windows: String, CaseIterable, CustomTestStringConvertible {
    case none, alone, beside

    var testDescription: String { rawValue }
  }

  /// A session brought to a phase.
  enum Start: String, CaseIterable, CustomTestStringConvertible {
    case unlisted, browsing, empty, adding, preparing, asking, carrying, atSource, onRefusing
    case dropping, clash, partial, irreversible, actions, deliveries, deliveriesWhileCarrying
    case listing, unanswered, position
    case inWindow, wishingInWindow, droppingInWindow
    case filtering, naming, namingNewFolder, goingTo, help

    var testDescription: String { rawValue }

    /// - Parameter windows: windows beside the folders, and who is asked as they are reached.
    func driver(_ windows: Windows = .none) -> SessionDriver {
      var stage = Stage.inboxAndDocs
      stage.tasks = [Stage.trash]
      switch self {
      case .clash:
        stage.finalProposals[Stage.place("Docs")] = DropProposal(
          .all, predictions: [.nameClash(["a.txt"])])
      case .partial:
        stage.finalProposals[Stage.place("Docs")] = DropProposal(.some(refused: [0: .tooLarge]))
      case .irreversible:
        stage.finalProposals[Stage.place("Docs")] = DropProposal(.all, irreversible: .writeOnly)
      case .position: stage.list("Places", ["Rome", "Oslo", "Lima"])
      default: break
      }
      stage.holdsDeliveries = self == .deliveries || self == .deliveriesWhileCarrying
      if windows != .none {
        stage.window("Mail", of: "Thunderbird", ["To", "Body"])
        stage.window("Hung", of: "Editor", [], answersWith: .notResponding)
      }
      var settings = Session.Settings()
      settings.hasHome = windows != .alone
      settings.reachesWindows = windows == .beside
      settings.isInFolders = isTyping
      var driver = SessionDriver(stage, settings: settings)
      if windows == .alone { for window in stage.windows { driver.register(window) } }
      driver.holdsAnswers = self == .unlisted
      driver.give(.start)
      reach(
        &driver, toFirst: windows == .alone ? "tab " : "",
        toWindow: windows == .beside ? "page-down page-down" : "page-down page-down page-down")
      driver.holdsAnswers = false
      driver.announcements = []
      driver.effects = []
      return driver
    }

    /// - Parameters:
    ///   - toFirst: the keys from where a pick-up leads to the first place that accepts.
    ///   - toWindow: those to the first place in a window.
    private func reach(_ driver: inout SessionDriver, toFirst: String, toWindow: String) {
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
      case .filtering: driver.press("/")
      case .naming: driver.press("'a.txt' f4")
      case .namingNewFolder: driver.press("ctrl+k")
      case .goingTo: driver.press("ctrl+o")
      case .help: driver.press("?")
      case .position: driver.press("shift+tab ctrl+n")
      case .deliveries: driver.press("'a.txt' space \(toFirst)enter ctrl+r")
      case .deliveriesWhileCarrying:
        driver.press("'a.txt' space \(toFirst)enter space ctrl+r")
      case .listing, .unanswered:
        driver.press("'a.txt' space page-down")
        driver.holdsAnswers = true
        driver.press("page-down")
        if self == .unanswered { driver.answerNext() }
      case .inWindow: driver.press("'a.txt' space \(toWindow)")
      case .wishingInWindow, .droppingInWindow:
        driver.press("'a.txt' space \(toWindow)")
        driver.holdsAnswers = true
        driver.press(self == .droppingInWindow ? "enter" : "f5")
      }
    }

    var phase: PhaseName {
      switch self {
      case .unlisted, .browsing, .empty, .adding: .browsing
      case .preparing, .asking, .carrying, .atSource, .onRefusing, .dropping, .listing, .unanswered,
        .inWindow, .wishingInWindow, .droppingInWindow:
        .carrying
      case .clash, .partial, .irreversible, .actions, .position, .deliveries,
        .deliveriesWhileCarrying, .filtering, .naming, .namingNewFolder, .goingTo, .help:
        .confirming
      }
    }

    /// Whether a line of text is open, which only folders have.
    private var isTyping: Bool {
      switch self {
      case .filtering, .naming, .namingNewFolder, .goingTo: true
      default: false
      }
    }
  }

  @Test(
    "Each starting point is in the phase it is named for", arguments: Start.allCases,
    Windows.allCases)
  func starts(start: Start, windows: Windows) {
    #expect(start.driver(windows).session.phase.name == start.phase)
  }

  @Test(
    "K16: every command is answered in every phase, never by silence", arguments: Start.allCases,
    Windows.allCases)
  func commandsAreAnswered(start: Start, windows: Windows) {
    let ready = start.driver(windows)
    for command in CommandName.allCases {
      var driver = ready
      driver.give(.command(command))
      #expect(!driver.effects.isEmpty || !driver.session.waiting.isEmpty, "\(command)")
      Invariants.check(driver, "\(start) \(command)")
      #expect(canLeave(driver), "\(start) \(command)")
    }
  }

  @Test(
    "K16: a command without a meaning here gets exactly one unknown-key", arguments: Start.allCases,
    Windows.allCases)
  func unmeaningCommands(start: Start, windows: Windows) {
    let meant = Set(
      Keymap.standard.bindings.flatMap { binding in
        binding.phases.contains(start.phase) ? [binding.command] : []
      })
    var ready = start.driver(windows)
    ready.holdsAnswers = true
    for command in CommandName.allCases where !meant.contains(command) {
      // Some commands of other phases are understood all the same: a script may give them.
      if start.phase == .carrying, [.pickUp].contains(command) { continue }
      if start.phase == .confirming, command == .cancel { continue }
      if [.preparing, .asking, .dropping, .droppingInWindow].contains(start) { continue }
      var driver = ready
      driver.give(.command(command))
      #expect(driver.ids() == ["unknown-key"], "\(command)")
    }
  }

  @Test(
    "Every report with the right, a stale or the wrong id leaves a way out",
    arguments: Start.allCases, Windows.allCases)
  func reports(start: Start, windows: Windows) {
    let ready = start.driver(windows)
    for isLate in [false, true] {
      let open = ready.session.outstanding.keys.map(\.rawValue).sorted()
      let ids = isLate ? [RequestID(9_999)] : open.map { RequestID($0) } + [RequestID(1)]
      let reports = ids.map { Samples.reports($0, DeliveryID(isLate ? 99 : 1)) }
      for index in reports[0].indices {
        var driver = ready
        for report in reports.map({ $0[index] }) {
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

  @Test("Every other input leaves a way out", arguments: Start.allCases, Windows.allCases)
  func otherInputs(start: Start, windows: Windows) {
    let ready = start.driver(windows)
    for input in Samples.inputs {
      var driver = ready
      driver.give(input)
      Invariants.check(driver, "\(start) \(input)")
      #expect(canLeave(driver), "\(start) \(input)")
    }
  }

  @Test(
    "K16: any key without a binding is answered by one unknown-key", arguments: Start.allCases,
    Windows.allCases)
  func unknownKeys(start: Start, windows: Windows) {
    var driver = start.driver(windows)
    driver.holdsAnswers = true
    driver.give(.unknownKey(KeyStroke(.function(11))))
    #expect(driver.ids() == ["unknown-key"])
  }

  @Test("K14: Escape, pressed often enough, leads to browsing with nothing held")
  func escapeLeads() {
    for start in Start.allCases {
      #expect(canLeave(start.driver()), "\(start)")
      #expect(canLeave(start.driver(.alone)), "\(start)")
      #expect(canLeave(start.driver(.beside)), "\(start)")
    }
  }

  @Test(
    "Twenty thousand inputs at random keep every invariant",
    arguments: Thorough.cases(ordinarily: 2, of: [1, 2, 3, 4]))
  func randomWalk(seed: UInt64) {
    var random = SeededRandom(seed)
    var player = RandomPlayer(&random)
    for step in 0..<20_000 {
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
    var player = RandomPlayer(&random, hasHome: false)
    for step in 0..<10_000 {
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

  @Test(
    "The same at random with windows beside one's own places", arguments: [1, 2])
  func randomWalkBeside(seed: UInt64) {
    var random = SeededRandom(seed)
    var player = RandomPlayer(&random, reachesWindows: true)
    var inWindows = 0
    for step in 0..<10_000 {
      player.step(&random)
      if let found = Invariants.violation(player.driver) {
        Issue.record("seed \(seed), step \(step): \(found)")
        return
      }
      if player.driver.isInWindow { inWindows += 1 }
      player.driver.announcements = []
      player.driver.effects = []
    }
    #expect(player.pickUps > 100)
    #expect(player.drops > 20)
    #expect(inWindows > 150)
  }

  private func canLeave(_ driver: SessionDriver) -> Bool {
    var driver = driver
    for _ in 0..<5 where !driver.isBrowsing || driver.session.phase.carry != nil {
      driver.press("escape")
    }
    return driver.isBrowsing && driver.session.phase.carry == nil
  }
}
