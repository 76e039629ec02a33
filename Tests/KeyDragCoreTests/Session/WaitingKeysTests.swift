import KeyDragCore
import Testing

@Suite("Keys pressed while answers are outstanding")
struct WaitingKeysTests {
  /// A drag of a.txt whose items and places have not answered.
  private func asking() -> SessionDriver {
    var driver = SessionDriver.started()
    driver.press("'a.txt'")
    driver.holdsAnswers = true
    driver.press("space")
    driver.announcements = []
    return driver
  }

  /// Keys, and how many answers come between two of them.
  @Test(
    "K26: Enter drops where the keys before it led, however late the answers come",
    arguments: ["'docs'", "d o", "tab", "tab tab", "'reports' shift+tab"], 0...4)
  func order(keys: String, answers: Int) {
    var prompt = SessionDriver.started()
    prompt.press("'a.txt' space \(keys) enter")
    var driver = asking()
    for key in (keys + " enter").split(separator: " ") {
      driver.press(String(key))
      for _ in 0..<answers { driver.answerNext() }
    }
    driver.answerAll()
    #expect(driver.orders.map(\.stop) == prompt.orders.map(\.stop))
    #expect(driver.orders.map(\.operation) == prompt.orders.map(\.operation))
    #expect(driver.orders.count == 1)
  }

  @Test("K26: a new name asked for behind an undo or a redo is of what stands there after it")
  func behindUndo() {
    var stage = Stage.inboxAndDocs
    stage.history = .nothing
    var settings = Session.Settings()
    settings.isInFolders = true
    for key in ["ctrl+z", "ctrl+y"] {
      var driver = SessionDriver.started(stage, settings: settings)
      driver.press("'a.txt'")
      driver.holdsAnswers = true
      driver.press("\(key) f4")
      #expect(driver.isBrowsing)
      driver.answerAll()
      #expect(driver.hear().last == "a.txt, selected.")
    }
  }

  @Test("K26: what is pressed behind a drop is done after it")
  func behindDrop() throws {
    var driver = asking()
    driver.press("'docs' enter")
    while driver.orders.isEmpty, driver.session.waiting.count > 0 { driver.answerNext() }
    driver.press("'notes' ctrl+z")
    #expect(driver.orders.isEmpty)
    driver.answerAll()
    #expect(driver.orders.map(\.stop.point) == [Stage.place("Docs")])
    for id in driver.session.deliveries.keys {
      let result = DeliveryResult(outcome: .delivered, route: .files, delivered: 1)
      driver.give(.report(.delivery(id, .finished(result))))
    }
    let requests = driver.effects.compactMap { effect in
      if case .request(_, let request) = effect { request } else { nil }
    }
    let delivery = requests.firstIndex { if case .deliver = $0 { true } else { false } }
    let undo = requests.firstIndex { if case .undo = $0 { true } else { false } }
    #expect(try #require(delivery) < #require(undo))
    #expect(driver.session.state.item == "notes.txt")
  }

  @Test("K26: what is pressed behind letters that lead nowhere drops nothing, and that is heard")
  func nowhere() {
    var driver = asking()
    driver.press("'xyz' enter tab")
    driver.answerAll()
    #expect(driver.orders.isEmpty && driver.carried == ["a.txt"])
    let heard = driver.hear()
    #expect(heard.contains { $0.contains("xyz") })
    #expect(heard.contains { $0.hasSuffix("Holding a.txt.") }, "\(heard)")
    #expect(driver.session.state.dropPoint == "Sorted")
  }

  @Test("K26: where nothing takes it, the keys behind do nothing in the list")
  func nothingAccepts() {
    var driver = SessionDriver.started(
      {
        var stage = Stage()
        stage.folder("Inbox", ["a.txt", "b.txt"])
        return stage
      }())
    driver.press("'a.txt'")
    driver.holdsAnswers = true
    driver.press("space 'b' enter")
    driver.answerAll()
    #expect(driver.isBrowsing && driver.orders.isEmpty)
    #expect(driver.session.state.item == "a.txt")
  }

  @Test(
    "K26: Escape, silence and Ctrl+C empty the line of keys",
    arguments: [CommandName.cancel, .silence, .interrupt])
  func emptied(command: CommandName) {
    var driver = asking()
    driver.press("'docs' enter")
    driver.command(command)
    driver.answerAll()
    #expect(driver.orders.isEmpty)
    #expect(driver.isBrowsing == (command != .silence))
  }

  @Test("K25: Enter again while one waits is the same Enter, and answers no question asked since")
  func sameEnter() {
    var driver = SessionDriver.started()
    driver.press("'a.txt' space 'docs'")
    driver.stage.finalProposals[Stage.place("Docs")] = DropProposal(
      .all, predictions: [.nameClash(["a.txt"])])
    driver.holdsAnswers = true
    driver.press("enter enter enter")
    driver.answerAll()
    #expect(driver.session.phase.name == .confirming)
    #expect(driver.orders.isEmpty)
  }

  @Test("K26: keys lead where they lead when all answers come at once", arguments: 0..<150)
  func anyOrder(seed: Int) {
    var random = SeededRandom(UInt64(seed) << 32)
    let keys = (0..<12).map { _ in Self.keys.randomElement(using: &random) ?? "" }
    var prompt = SessionDriver.started()
    var refused = false
    for key in keys {
      prompt.press(key)
      refused = refused || prompt.session.phase.name == .confirming
      refused = refused || !Self.refusals.isDisjoint(with: prompt.ids())
    }
    // Keys behind one that led nowhere are dropped.
    if refused { return }
    var late = SessionDriver.started()
    late.holdsAnswers = true
    for key in keys {
      late.press(key)
      for _ in 0..<Int.random(in: 0...2, using: &random) { late.answerNext() }
    }
    late.answerAll()
    #expect(late.session.state == prompt.session.state, "\(keys)")
    #expect(late.orders == prompt.orders, "\(keys)")
  }

  @Test(
    "K26: keys lead where they lead when all places answer at once, in whatever order they do",
    arguments: 0..<150)
  func anyStream(seed: Int) {
    var random = SeededRandom(UInt64(seed) << 32 + 7)
    let keys = (0..<10).map { _ in Self.carryingKeys.randomElement(using: &random) ?? "" }
    var settings = Session.Settings()
    settings.asksPerson = true
    var prompt = SessionDriver.started(settings: settings)
    prompt.press("'a.txt' space")
    for key in keys {
      prompt.press(key)
      if !Self.refusals.isDisjoint(with: prompt.ids()) { return }
    }
    var late = SessionDriver.started(settings: settings)
    late.press("'a.txt'")
    late.holdsAnswers = true
    for key in ["space"] + keys {
      late.press(key)
      for _ in 0..<Int.random(in: 0...3, using: &random) { late.answerSome(using: &random) }
    }
    late.answerAll()
    #expect(late.session.state == prompt.session.state, "\(keys)")
    #expect(late.orders == prompt.orders, "\(keys)")
  }

  private static let carryingKeys = [
    "r", "d", "i", "tab", "shift+tab", "down", "up", "f5", "f6", "right", "left", "home", "end",
    "pagedown", "pageup", "enter",
  ]

  @Test("A drag begins when its first place has answered; how many accept is told when all have")
  func countLater() {
    var driver = SessionDriver.started(settings: Self.ofPerson)
    driver.press("'a.txt'")
    driver.holdsAnswers = true
    driver.announcements = []
    driver.press("space")
    driver.answerNext()
    driver.answerOnly(Stage.place("Docs"))
    driver.answerOnly(Stage.place("Sorted"))
    #expect(driver.hear().isEmpty)
    // The folder that it is in comes first, where it accepts.
    driver.answerOnly(Stage.place("Inbox"))
    #expect(driver.ids() == ["picked-up", "drop-point"])
    driver.answerAll()
    #expect(driver.hear() == ["3 places."])
  }

  /// A drag of a.txt that stands at Sorted; Docs and Reports have not answered.
  private func halfAnswered() -> SessionDriver {
    var driver = SessionDriver.started(settings: Self.ofPerson)
    driver.press("'a.txt'")
    driver.holdsAnswers = true
    driver.press("space")
    driver.answerNext()
    driver.answerOnly(Stage.place("Inbox"))
    driver.answerOnly(Stage.place("Sorted"))
    driver.announcements = []
    return driver
  }

  @Test("A folder that a pick-up has not waited for is not said to be asked when it is late again")
  func lateAgain() {
    var driver = SessionDriver(.inboxAndDocs, settings: Self.ofPerson)
    driver.holdsAnswers = true
    driver.give(.start)
    driver.answerNext()
    driver.press("'a.txt' space")
    let docs = driver.requests.removeFirst()
    driver.give(.timer(.asking(docs.id)))
    #expect(driver.effects.contains(.cancelTimer(.asking(docs.id))))
    driver.answerAll()
    #expect(driver.session.state.dropPoint == "Sorted")
    driver.announcements = []
    driver.give(.timer(.asking(docs.id)))
    #expect(driver.hear().isEmpty)
  }

  @Test("A step to a place that has not answered waits for it, and says so after a while")
  func stepWaits() throws {
    var driver = halfAnswered()
    let asked = try #require(driver.requests.first?.id)
    driver.press("tab enter")
    #expect(driver.hear().isEmpty && driver.session.state.dropPoint == "Sorted")
    driver.give(.timer(.asking(asked)))
    #expect(driver.hear() == ["Docs: asking."])
    driver.answerAll()
    #expect(driver.orders.map(\.stop.point) == [Stage.place("Docs")])
  }

  @Test(
    "K25: Enter twice behind a step that waits is one Enter, at the place that the step leads to")
  func twiceBehindStep() {
    var driver = halfAnswered()
    driver.press("tab enter enter")
    #expect(driver.orders.isEmpty)
    driver.answerAll()
    #expect(driver.orders.map(\.stop.point) == [Stage.place("Docs")])
  }

  @Test("K26: what is refused elsewhere meanwhile takes no key out of the line")
  func refusedElsewhere() {
    var driver = SessionDriver.started()
    driver.holdsAnswers = true
    driver.press("right down space")
    driver.change(
      .sourceVanished(
        Stage.source("b.txt", in: "Inbox"), container: Stage.container("Inbox")))
    #expect(driver.session.waiting.count == 2)
    driver.command(.repeatLast)
    #expect(driver.session.waiting.count == 2)
  }

  @Test("A folder that takes long is named, then said not to answer, and Escape goes back")
  func slowFolder() throws {
    var driver = SessionDriver.started()
    driver.holdsAnswers = true
    driver.press("right")
    driver.announcements = []
    let asked = try #require(driver.requests.first?.id)
    driver.press("down")
    driver.give(.timer(.asking(asked)))
    #expect(driver.hear() == ["Sorted is being read."])
    driver.give(.timer(.asking(asked)))
    #expect(driver.hear() == ["Sorted can't be opened. It is not responding. Try again later."])
    #expect(driver.session.waiting.count == 1)
    #expect(driver.hear("escape") == ["Sorted, folder, 1 of 4"])
    driver.answerAll()
    #expect(driver.hear().isEmpty && driver.session.state.container == "Inbox")
  }

  private static var ofPerson: Session.Settings {
    var settings = Session.Settings()
    settings.asksPerson = true
    return settings
  }

  private static let keys = [
    "n", "d", "a", "down", "up", "right", "left", "space", "tab", "shift+tab", "enter", "f5", "f6",
    "shift+down", "ctrl+tab", ".",
  ]

  private static let refusals: Set = [
    "no-match", "nothing-to-pick-up", "nothing-accepts", "cannot-open", "operation-unavailable",
    "refused", "failed", "unknown-key", "cancelled", "vanished",
  ]
}
