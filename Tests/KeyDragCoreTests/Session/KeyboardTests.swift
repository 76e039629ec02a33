import KeyDragCore
import Testing

/// The keyboard of a desktop while something is held, and at each end of a drag.
struct KeyboardTests {
  private static let files = "Files"

  /// What a person, a program or the world does with what is held.
  enum End: CaseIterable, Sendable {
    case escape, atSource, adding, taken, inQuestion, quitting
    case dropped, refused, unconfirmed
    case vanished, closed

    var leaves: KeyboardReturn.Leave {
      switch self {
      case .escape, .atSource, .adding, .taken, .inQuestion, .quitting: .any
      case .dropped, .refused, .unconfirmed: .told
      case .vanished, .closed: .none
      }
    }

    /// The words for it without one of where the keyboard is.
    var words: [String] {
      switch self {
      case .escape, .atSource, .adding, .taken, .inQuestion, .quitting: ["Cancelled."]
      case .dropped: ["Copied a.txt to Sorted, in Thunar."]
      case .refused:
        ["Failed: a.txt. Not permitted. Its owner can change that. Nothing is lost."]
      case .unconfirmed: ["a.txt sent to Sorted, in Thunar; it did not confirm."]
      case .vanished: ["a.txt is gone. Carrying ended."]
      case .closed: ["Thunar is gone. Carrying ended."]
      }
    }
  }

  private func driver(_ change: (inout Stage) -> Void = { _ in }) -> SessionDriver {
    var stage = Stage.desktop
    var listing = stage.listings[Stage.container(Self.files)]
    listing?.dropPoints = nil
    stage.focus = listing.map {
      FocusReport(
        listing: $0, marked: [Stage.source("a.txt", in: Self.files)], windows: stage.windows)
    }
    change(&stage)
    var settings = Session.Settings()
    settings.hasHome = false
    settings.picksFocus = true
    var driver = SessionDriver(stage, settings: settings)
    driver.command(.pickUp)
    driver.announcements = []
    return driver
  }

  private func window(_ name: String, in driver: SessionDriver) -> ContainerDescriptor? {
    driver.stage.windows.first { $0.name == name }
  }

  private func goTo(_ name: String, _ driver: inout SessionDriver) {
    if let window = window(name, in: driver) { driver.give(.report(.keyboard(window))) }
  }

  private func end(_ end: End, _ driver: inout SessionDriver) {
    switch end {
    case .escape: driver.press("escape")
    case .atSource: driver.press("shift+tab enter")
    case .adding: driver.press("ctrl+t escape")
    case .taken: driver.press("delete")
    case .inQuestion:
      driver.command(.deliveries)
      driver.command(.back)
      driver.press("escape")
    case .quitting: driver.command(.quit)
    case .dropped: driver.press("enter")
    case .refused:
      driver.stage.outcome = .failed
      driver.stage.failures = [DeliveryFailure(name: "a.txt", reason: .notPermitted)]
      driver.press("enter")
    case .unconfirmed:
      driver.stage.outcome = .unconfirmed
      driver.press("enter")
    case .vanished:
      driver.change(
        .sourceVanished(
          Stage.source("a.txt", in: Self.files), container: Stage.container(Self.files)))
    case .closed: driver.change(.containerVanished(Stage.container(Self.files)))
    }
  }

  private func wish(_ driver: SessionDriver) -> KeyboardReturn? {
    for case .request(_, .restoreKeyboard(let wish)) in driver.effects.reversed() { return wish }
    return nil
  }

  // MARK: While it is asked what has the focus

  /// The chord was pressed, and nobody has answered yet what has the focus.
  private func asking() -> SessionDriver {
    var driver = driver()
    driver.press("escape")
    driver.holdsAnswers = true
    driver.command(.pickUp)
    driver.announcements = []
    return driver
  }

  @Test(
    "K26: what is pressed behind the chord is for the walk, whenever the focus is known",
    arguments: ["tab", "tab tab", "down enter", "f5", "tab enter"])
  func behindChord(keys: String) {
    var prompt = driver()
    prompt.press(keys)
    var late = asking()
    #expect(late.session.keysPhase == .carrying)
    late.press(keys)
    #expect(late.hear().isEmpty)
    late.answerAll()
    #expect(late.session.state == prompt.session.state)
    #expect(late.orders.map(\.stop) == prompt.orders.map(\.stop))
  }

  @Test("K14: Escape behind the chord ends the pick-up before there is one")
  func escapeBehindChord() {
    var driver = asking()
    #expect(driver.hear("tab escape") == ["Cancelled."])
    #expect(driver.session.keysPhase == .browsing)
    driver.answerAll()
    #expect(driver.hear().isEmpty && driver.isBrowsing)
  }

  @Test("K26: where nothing can be picked up, what is pressed behind the chord does nothing")
  func nothingBehindChord() {
    var driver = driver()
    driver.press("escape")
    driver.stage.focus = nil
    driver.holdsAnswers = true
    driver.command(.pickUp)
    driver.press("tab enter")
    driver.announcements = []
    driver.answerAll()
    #expect(driver.ids() == ["nothing-to-pick-up"])
    #expect(driver.isBrowsing && driver.session.waiting.isEmpty && driver.orders.isEmpty)
  }

  // MARK: While something is held

  @Test("K15 Who goes to another window hears which one has the keyboard and what is held still")
  func moves() {
    var driver = driver()
    goTo("Files", &driver)
    #expect(driver.hear().isEmpty)
    let here = "Holding a.txt."
    goTo("Mail", &driver)
    #expect(driver.hear() == ["The keyboard is in Mail, Thunderbird. " + here])
    goTo("Mail", &driver)
    #expect(driver.hear().isEmpty)
    goTo("Files", &driver)
    #expect(driver.hear() == ["The keyboard is in Files, Thunar. " + here])
    driver.press("ctrl+t")
    driver.announcements = []
    goTo("Web", &driver)
    #expect(driver.hear() == ["The keyboard is in Web, Firefox. Holding a.txt."])
    #expect(driver.carried == ["a.txt"])
  }

  @Test("K15 While nothing is held, and where no desktop is, nobody is told")
  func nobody() {
    var idle = driver()
    idle.press("escape")
    idle.announcements = []
    goTo("Mail", &idle)
    #expect(idle.hear().isEmpty)
    var files = SessionDriver.started()
    files.press("space")
    files.announcements = []
    files.give(.report(.keyboard(ContainerDescriptor(id: ContainerID(9), name: "Mail"))))
    #expect(files.hear().isEmpty)
  }

  // MARK: Ends

  @Test(
    "K14, K22 Each end with each window in front says where the keyboard is, and what it may leave",
    arguments: End.allCases, ["Files", "Mail", "Web"])
  func ends(end: End, front: String) throws {
    for seen in ["Files", "Mail", "Web", nil] {
      var driver = driver()
      goTo(front, &driver)
      let place = KeyboardLocation(window: seen.flatMap { window($0, in: driver) })
      driver.stage.keyboard = place
      driver.announcements = []
      driver.effects = []
      self.end(end, &driver)
      let wish = try #require(self.wish(driver))
      #expect(wish.window == Stage.container(Self.files))
      #expect(wish.told == Stage.container(front) && wish.leaves == end.leaves)
      #expect(wish.items.isEmpty == (end.leaves != .any))
      // Whoever has neither left the source nor been taken from it has no need of the word.
      let isKnown = end.leaves != .any && front == Self.files && seen == Self.files
      let keyboard = place.window.map { "The keyboard is in \($0.name), \($0.app ?? "")." }
      let said = driver.hear().filter { $0 != "Goodbye." }
      let ending = said.suffix(isKnown || seen == nil ? 1 : 2)
      #expect(Array(ending) == end.words + (isKnown ? [] : [keyboard].compactMap(\.self)))
      #expect(said.allSatisfy { !$0.contains("Back at a.txt.") }, "\(said)")
      #expect(driver.isBrowsing)
    }
  }

  @Test("K14 Back at what was carried is said of what is seen to be in focus, and of nothing else")
  func seen() {
    var driver = driver()
    goTo("Mail", &driver)
    #expect(driver.hear("escape") == ["Cancelled. Back at a.txt."])
    #expect(driver.session.keysPhase == .browsing)
  }

  @Test("K14 Until it is known where the keyboard is, the keys of the drag are nobody else's")
  func keys() {
    var driver = driver()
    driver.holdsAnswers = true
    #expect(driver.hear("escape").isEmpty)
    #expect(driver.session.phase.name == .browsing && driver.session.keysPhase == .carrying)
    #expect(driver.hear("delete enter f9 escape").isEmpty)
    #expect(driver.pending == ["come back"])
    driver.answerAll()
    #expect(driver.hear() == ["Cancelled. Back at a.txt."])
    #expect(driver.session.keysPhase == .browsing)
  }

  @Test("K06 An end is told without the keyboard where that takes its time, and the keys are free")
  func late() {
    var driver = driver()
    driver.holdsAnswers = true
    driver.press("escape")
    #expect(driver.hasTimer("come back"))
    driver.isLate("come back")
    #expect(driver.hear() == ["Cancelled."])
    #expect(driver.session.keysPhase == .browsing)
    driver.stage.keyboard = KeyboardLocation(window: window("Mail", in: driver))
    driver.answerAll()
    #expect(driver.hear() == ["The keyboard is in Mail, Thunderbird."])
  }

  @Test("K22 After a long drop, or a question, no window is left, and of a dialog all is said")
  func laterEnds() throws {
    for isLong in [true, false] {
      var driver = driver { $0.holdsDeliveries = true }
      driver.press("enter")
      let id = DeliveryID(1)
      if isLong { driver.give(.timer(.delivery(id))) }
      driver.effects = []
      var result = DeliveryResult(
        outcome: isLong ? .delivered : .unconfirmed, route: .xdnd, delivered: isLong ? 1 : 0)
      if !isLong { result.question = .dialog("Import", hasKeyboard: true) }
      driver.give(.report(.delivery(id, .finished(result))))
      #expect(wish(driver)?.leaves == (isLong ? KeyboardReturn.Leave.none : nil))
      guard !isLong else { continue }
      result = DeliveryResult(outcome: .delivered, route: .xdnd, delivered: 1)
      driver.give(.report(.delivery(id, .finished(result))))
      #expect(try #require(wish(driver)).leaves == .none)
    }
  }

  @Test("K22 A drop that ends while something else is held leaves the keyboard alone")
  func nextDrag() {
    var driver = driver { $0.holdsDeliveries = true }
    driver.press("enter")
    driver.command(.pickUp)
    driver.effects = []
    driver.give(
      .report(
        .delivery(
          DeliveryID(1),
          .finished(DeliveryResult(outcome: .delivered, route: .xdnd, delivered: 1)))))
    #expect(wish(driver) == nil)
    #expect(driver.carried == ["a.txt"])
  }

  @Test("K14 Quit says goodbye after the word of the drag, and an interruption that word at once")
  func quits() {
    for command in [CommandName.quit, .interrupt] {
      var driver = driver()
      driver.holdsAnswers = true
      driver.command(command)
      #expect(driver.hear() == (command == .quit ? [] : ["Cancelled."]))
      #expect(driver.effects.contains(.quit) == false)
      driver.answerAll()
      #expect(driver.hear() == (command == .quit ? ["Cancelled. Back at a.txt.", "Goodbye."] : []))
      #expect(driver.effects.contains(command == .quit ? .quit : .interrupt))
    }
  }
}
