import KeyDragCore
import Testing

/// What changes by itself, is opened, and comes in focus, where places are asked as they are reached.
struct ArrivalChangesTests {
  private func point(_ name: String, in window: String) -> DropPointDescriptor {
    DropPointDescriptor(id: Stage.place(name), name: name, container: Stage.container(window))
  }

  // MARK: Places that come and go

  @Test("K04: a place that appears is reachable without being asked, and not a word is said of it")
  func appears() {
    var driver = SessionDriver.carrying()
    driver.announcements = []
    driver.change(.dropPointAppeared(point("Later", in: "Files"), index: 1))
    #expect(driver.hear().isEmpty)
    #expect(driver.asked.isEmpty)
    #expect(driver.hear("tab") == ["Later: copy. 2 of 7"])
  }

  @Test("K04: a window that appears is reachable, and its places are asked when it is reached")
  func windowAppears() {
    var driver = SessionDriver.carrying()
    driver.announcements = []
    driver.stage.window("Chat", of: "Dino", ["Ann", "Bob"])
    guard let listing = driver.stage.listings[Stage.container("Chat")] else { return }
    driver.give(.report(.changed([.containerAppeared(listing)])))
    #expect(driver.asked.isEmpty)
    #expect(driver.announcements.isEmpty)
    driver.press("shift+tab")
    #expect(driver.hear("shift+tab") == ["Bob, in Chat, Dino: copy. 2 of 2"])
    #expect(driver.asked == ["Bob", "Ann"])
  }

  @Test("K04: who stands on a place that vanishes goes on to the next of the window, with a word")
  func vanishes() {
    var driver = SessionDriver.carrying()
    driver.press("tab")
    driver.announcements = []
    driver.change(.dropPointVanished(Stage.place("Docs"), container: Stage.container("Files")))
    #expect(driver.hear() == ["Docs is gone.", "Music: copy. 2 of 5"])
    // It may have been meant for the place before.
    #expect(driver.hear("enter").last?.hasSuffix("then drop it.") == true)
    #expect(driver.orders.isEmpty)
    driver.press("tab shift+tab enter")
    #expect(driver.orders.count == 1)
  }

  @Test("K13: an Enter meant for a program that ends reaches neither the trash nor another")
  func endsBeforeEnter() {
    var driver = SessionDriver.carrying()
    for window in ["Files", "Mail", "Web"] {
      driver.change(.containerVanished(Stage.container(window)))
      driver.press("enter enter")
    }
    #expect(driver.orders.isEmpty)
  }

  @Test("K04: of places that vanish together each is told, and where one is once, when it answers")
  func severalVanish() {
    var driver = SessionDriver.carrying()
    driver.announcements = []
    // The last one is too far away to have been asked.
    let gone = Stage.filesPlaces.dropLast().map { name in
      RegistryChange.dropPointVanished(Stage.place(name), container: Stage.container("Files"))
    }
    driver.give(.report(.changed(gone)))
    let rest = driver.hear().filter { !$0.hasSuffix(" is gone.") }
    #expect(rest == ["Work: copy. 1 of 1"])
  }

  @Test("K04: from the last place of a window one goes back, not into a window nobody has entered")
  func lastVanishes() {
    var driver = SessionDriver.carrying()
    driver.press("end")
    driver.announcements = []
    driver.change(.dropPointVanished(Stage.place("Work"), container: Stage.container("Files")))
    #expect(driver.place == "Videos")
    #expect(!driver.asked.contains("list Mail"))
  }

  @Test("K04: with the only place of the last window gone, one goes back to the window before")
  func onlyPlaceVanishes() {
    var driver = SessionDriver.carrying()
    driver.press("page-down page-down")
    driver.announcements = []
    driver.change(.dropPointVanished(Stage.place("Page"), container: Stage.container("Web")))
    #expect(driver.hear() == ["Page is gone.", "Body, in Mail, Thunderbird: copy. 2 of 2"])
  }

  @Test("K13: a place that vanishes while it is asked for the last time gets nothing")
  func vanishesAtTheDrop() {
    var driver = SessionDriver.carrying()
    driver.holdsAnswers = true
    driver.press("enter")
    driver.change(.dropPointVanished(Stage.place("Sorted"), container: Stage.container("Files")))
    driver.holdsAnswers = false
    driver.answerAll()
    #expect(driver.orders.isEmpty)
    #expect(driver.place == "Docs")
  }

  @Test("Other places of a window that is told anew keep where one stands and what was answered")
  func replaced() throws {
    var driver = SessionDriver.carrying()
    driver.press("tab")
    driver.announcements = []
    driver.effects = []
    var listing = try #require(driver.stage.listings[Stage.container("Files")])
    listing.dropPoints?.removeFirst()
    driver.change(.replaced(listing))
    #expect(driver.hear().isEmpty)
    #expect(driver.asked.isEmpty)
    #expect(driver.place == "Docs")
    #expect(driver.session.state.index == 1)
  }

  @Test("A window whose places have to be worked out anew is listed anew where one stands in it")
  func workedOutAnew() throws {
    var driver = SessionDriver.carrying()
    let whole = try #require(driver.stage.listings[Stage.container("Files")])
    var listing = whole
    listing.dropPoints = nil
    driver.holdsAnswers = true
    driver.effects = []
    driver.give(.report(.changed([.replaced(listing)])))
    #expect(driver.asked == ["list Files"])
    driver.holdsAnswers = false
    driver.answerAll()
    #expect(driver.place == "Sorted")
  }

  // MARK: Programs that end

  @Test("K04: the window one is in goes with its program: that is said, and the walk goes on")
  func programEnds() {
    var driver = SessionDriver.carrying()
    driver.press("page-down tab")
    driver.announcements = []
    driver.change(.containerVanished(Stage.container("Mail")))
    #expect(driver.hear() == ["Thunderbird is gone.", "Page, in Web, Firefox: copy. 1 of 1"])
    #expect(driver.carried == ["notes.txt"])
  }

  @Test("K04: from the last window one goes back to the one before")
  func lastProgramEnds() {
    var driver = SessionDriver.carrying()
    driver.press("page-down page-down")
    driver.change(.containerVanished(Stage.container("Web")))
    #expect(driver.place == "Body")
  }

  @Test("K06: a program that ends while its window is being listed leads on to the next")
  func endsWhileListing() {
    var driver = SessionDriver.carrying()
    driver.holdsAnswers = true
    driver.press("page-down")
    driver.change(.containerVanished(Stage.container("Mail")))
    #expect(driver.pending == ["list Mail", "list Web"])
    driver.holdsAnswers = false
    driver.answerAll()
    #expect(driver.place == "Page")
    #expect(driver.session.registry[Stage.container("Mail")] == nil, "a late listing wakes nothing")
  }

  @Test("A program that ends where nobody is, is left out of the walk without a word")
  func otherProgramEnds() {
    var driver = SessionDriver.carrying()
    driver.announcements = []
    driver.change(.containerVanished(Stage.container("Mail")))
    #expect(driver.hear().isEmpty)
    driver.press("end tab")
    #expect(driver.place == "Page")
  }

  @Test("K06: the program of what is held ends, so carrying ends and names the program")
  func sourceEnds() {
    var driver = SessionDriver.carrying()
    driver.press("page-down")
    driver.announcements = []
    driver.change(.containerVanished(Stage.container("Files")))
    #expect(driver.ids() == ["session-ended"])
    #expect(driver.isBrowsing)
    #expect(driver.session.hasFailure)
    #expect(!driver.session.isWaiting)
  }

  @Test("K06: a list goes with the window it lies in, and what is held with it")
  func sourceWindowEnds() {
    var driver = SessionDriver.desktop()
    let list = ContainerDescriptor(
      id: ContainerID(7), name: "List", app: "Thunar", enclosing: Stage.container("Files"))
    let id = DragSourceID(70)
    let listing = Listing(
      container: list,
      sources: [DragSourceDescriptor(id: id, name: "deep.txt", container: list.id, kind: .file)],
      dropPoints: [])
    driver.stage.listings[list.id] = listing
    driver.give(.focus(listing, marked: [id]))
    driver.command(.pickUp)
    #expect(driver.carried == ["deep.txt"])
    driver.announcements = []
    driver.change(.containerVanished(Stage.container("Files")))
    #expect(driver.hear() == ["Thunar is gone. Carrying ended."])
    #expect(driver.isBrowsing)
  }

  // MARK: Opening

  private var withTabs: Stage {
    var stage = Stage.desktop
    stage.window("Inner", of: "Thunar", ["Deep", "Deeper"])
    stage.windows.removeLast()
    stage.openings[Stage.place("Docs")] = Stage.container("Inner")
    return stage
  }

  @Test("H10: a place opens by key; how many places it holds is said, and the first is asked")
  func opens() {
    var driver = SessionDriver.carrying(withTabs)
    driver.press("tab")
    driver.effects = []
    let heard = driver.hear("right")
    #expect(heard == ["Inner opened: 2 places inside.", "Deep, in Inner, Thunar: copy. 1 of 2"])
    #expect(driver.asked == ["open Docs", "Deep", "Deeper"])
    driver.press("escape")
    #expect(driver.session.registry[Stage.container("Inner")] == nil)
  }

  @Test("H10: a window that shows other places after opening one leads to the first new one")
  func opensInPlace() throws {
    var driver = SessionDriver.carrying()
    var listing = try #require(driver.stage.listings[Stage.container("Files")])
    listing.dropPoints = [point("Sorted", in: "Files"), point("Fresh", in: "Files")]
    driver.stage.listings[Stage.container("Files")] = listing
    driver.stage.openings[Stage.place("Docs")] = Stage.container("Files")
    driver.press("tab")
    #expect(
      driver.hear("right") == [
        "Docs opened: 1 place inside.", "Fresh: copy. 2 of 2",
      ])
    #expect(driver.walk(by: "shift+tab") == ["Fresh", "Sorted"])
  }

  @Test("H10: a view that shows another folder is another place, and is asked anew")
  func opensUnderOneView() throws {
    var driver = SessionDriver.carrying()
    var listing = try #require(driver.stage.listings[Stage.container("Files")])
    let view = DropPointDescriptor(
      id: Stage.place("Sorted"), name: "Docs, folder", container: Stage.container("Files"))
    listing.dropPoints = [view]
    driver.stage.listings[Stage.container("Files")] = listing
    driver.stage.openings[Stage.place("Docs")] = Stage.container("Files")
    driver.press("tab")
    driver.effects = []
    #expect(
      driver.hear("right") == [
        "Docs opened: 1 place inside.", "Docs, folder: copy. 1 of 1",
      ])
    #expect(driver.asked.contains { $0 == "Docs, folder" })
  }

  @Test("H10: who has gone on from a place that opens hears nothing of it, and finds its places")
  func opensLate() {
    var driver = SessionDriver.carrying(withTabs)
    driver.press("tab")
    driver.holdsAnswers = true
    driver.press("right")
    openingIsLate(&driver)
    driver.press("page-down")
    driver.announcements = []
    driver.answer("open Docs")
    #expect(driver.hear().isEmpty)
    driver.holdsAnswers = false
    driver.answerAll()
    driver.press("'deeper'")
    #expect(driver.place == "Deeper")
  }

  @Test(
    "K26: what is pressed while a place opens is for what it shows, however long that takes"
  )
  func opensBehindKeys() {
    var driver = SessionDriver.carrying(withTabs)
    driver.press("tab")
    driver.holdsAnswers = true
    driver.press("right tab")
    driver.answerAll()
    #expect(driver.place == "Deeper")
    var slow = SessionDriver.carrying(withTabs)
    slow.press("tab")
    slow.holdsAnswers = true
    slow.press("right tab")
    openingIsLate(&slow)
    #expect(slow.place == "Docs")
    slow.answerAll()
    #expect(slow.place == "Deeper")
  }

  /// The place that was asked to open last takes its time.
  private func openingIsLate(_ driver: inout SessionDriver) {
    let opening = driver.requests.last { $0.request.isOpening }
    if let opening { driver.give(.timer(.asking(opening.id))) }
  }

  @Test("H10: what does not open says so, unless the person has gone on")
  func opensNot() {
    var driver = SessionDriver.carrying()
    #expect(driver.hear("right").first?.hasPrefix("that folder can't be opened.") == true)
    driver.holdsAnswers = true
    driver.press("right")
    openingIsLate(&driver)
    driver.press("page-down")
    driver.announcements = []
    driver.answer("open Sorted")
    #expect(driver.hear().isEmpty)
  }

  @Test("H10, H11: what takes its time to open is said to be opening, once, while one is there")
  func opensSlowly() throws {
    var driver = SessionDriver.carrying(withTabs)
    driver.press("tab")
    driver.holdsAnswers = true
    func late() throws {
      let request = try #require(driver.requests.last)
      driver.give(.timer(.asking(request.id)))
    }
    driver.effects = []
    #expect(driver.hear("right").isEmpty)
    let id = try #require(driver.requests.last?.id)
    #expect(driver.effects.contains(.startTimer(.asking(id), milliseconds: 300)))
    driver.press("right")
    // Of two presses one is answered.
    #expect(driver.effects.contains(.cancelTimer(.asking(id))))
    try late()
    #expect(driver.hear() == ["Opening Docs."])
    driver.effects = []
    driver.answer("open Docs")
    #expect(driver.hear().first == "Inner opened: 2 places inside.")
    #expect(driver.effects.contains { if case .cancelTimer = $0 { true } else { false } })
  }

  @Test("H10: who has gone on is not told that a place is opening")
  func opensSlowlyElsewhere() throws {
    var driver = SessionDriver.carrying(withTabs)
    driver.press("tab")
    driver.holdsAnswers = true
    driver.press("right")
    let id = try #require(driver.requests.last?.id)
    driver.give(.timer(.asking(id)))
    driver.press("page-down")
    driver.announcements = []
    driver.give(.timer(.asking(id)))
    #expect(driver.hear().isEmpty)
    driver.press("escape")
    driver.announcements = []
    driver.give(.timer(.asking(id)))
    #expect(driver.hear().isEmpty)
  }

  // MARK: Focus

  @Test("What is in focus is browsed instead of what was, and nothing is said")
  func focus() {
    var driver = SessionDriver.desktop()
    driver.focus("Files", marked: "b.txt", "a.txt")
    #expect(driver.announcements.isEmpty)
    #expect(driver.asked.isEmpty)
    #expect(driver.session.state.selected == ["b.txt", "a.txt"])
    driver.command(.pickUp)
    #expect(driver.carried == ["b.txt", "a.txt"])
    driver.press("escape")
    driver.focus("Files", marked: "a.txt")
    driver.command(.pickUp)
    #expect(driver.carried == ["a.txt"])
  }

  @Test("What landed last is not picked up with what is in focus")
  func focusAfterLanding() {
    var stage = Stage.desktop
    let files = Stage.container("Files")
    stage.listings[files]?.dropPoints?[0].leadsTo = files
    stage.proposals[Stage.place("Sorted")] = DropProposal(.all)
    var driver = SessionDriver.desktop(stage)
    driver.focus("Files", marked: "a.txt", "b.txt")
    driver.command(.pickUp)
    driver.press("enter")
    #expect(driver.session.state.selected.contains("b.txt"))
    driver.focus("Files", marked: "a.txt")
    driver.command(.pickUp)
    #expect(driver.carried == ["a.txt"])
  }

  @Test("A window's view is told without its window, and what is dropped there lands in the window")
  func view() {
    var stage = Stage.desktop
    let files = Stage.container("Files")
    stage.listings[files]?.dropPoints?[0].leadsTo = files
    let view = stage.listings[files]?.dropPoints?[0].id ?? Stage.place("Sorted")
    stage.proposals[view] = DropProposal(.all)
    var driver = SessionDriver.desktop(stage)
    driver.focus("Files", marked: "a.txt")
    driver.command(.pickUp)
    let reports = driver.announcements.compactMap { announcement in
      if case .dropPoint(let report) = announcement { report } else { nil }
    }
    #expect(reports.map(\.container) == [nil])
    driver.announcements = []
    driver.press("enter")
    let places = driver.announcements.compactMap { announcement in
      if case .delivered(let report) = announcement { report.place } else { nil }
    }
    #expect(places == ["Files"])
  }

  @Test("What is selected and not among the items is not replaced by something else")
  func focusOnUnknown() {
    var driver = SessionDriver.desktop()
    driver.focus("Files", marked: "gone.txt")
    driver.announcements = []
    driver.command(.pickUp)
    #expect(driver.hear() == ["Nothing to pick up."])
  }

  @Test("A list that was known from browsing alone is forgotten when another is in focus")
  func lentContainers() {
    var driver = SessionDriver.desktop()
    for number in UInt32(1)...3 {
      let container = ContainerDescriptor(id: ContainerID(number), name: "List \(number)")
      driver.give(.focus(Listing(container: container, sources: [], dropPoints: []), marked: []))
    }
    let known = driver.session.registry.entries.keys
    #expect(!known.contains(ContainerID(1)))
    #expect(known.contains(ContainerID(3)))
    #expect(known.count == 4, "three windows and the list in focus")
  }

  @Test("K23 H23: a pick-up while carrying adds what is in focus, and says the place again")
  func adds() {
    var driver = SessionDriver.carrying()
    driver.press("tab")
    driver.announcements = []
    driver.focus("Files", marked: "a.txt", "b.txt")
    #expect(driver.announcements.isEmpty)
    #expect(driver.session.phase.name == .browsing)
    driver.effects = []
    driver.command(.pickUp)
    #expect(
      driver.hear() == [
        "a.txt and b.txt added, 3 items held.", "Docs: copy. 2 of 6",
      ])
    #expect(driver.asked == ["prepare", "Docs", "Music", "Photos", "Videos", "Work"])
    #expect(driver.carried == ["notes.txt", "a.txt", "b.txt"])
  }

  @Test("K23: what is held already is refused in words, and the drag goes on where it was")
  func addsNothing() {
    var driver = SessionDriver.carrying()
    driver.press("tab")
    driver.focus("Files", marked: "notes.txt")
    driver.announcements = []
    driver.command(.pickUp)
    #expect(driver.hear() == ["notes.txt was not added. It is held already."])
    #expect(driver.session.phase.name == .carrying)
    #expect(driver.place == "Docs")
  }

  @Test("K23: of several that are held already one sentence is said")
  func addsNothingOfSeveral() {
    var driver = SessionDriver.desktop()
    driver.focus("Files", marked: "notes.txt", "a.txt")
    driver.command(.pickUp)
    driver.focus("Files", marked: "notes.txt", "a.txt")
    driver.announcements = []
    driver.command(.pickUp)
    #expect(driver.hear() == ["2 items are held already."])
    #expect(driver.carried == ["notes.txt", "a.txt"])
    driver.focus("Files", marked: "notes.txt", "a.txt", "b.txt")
    driver.announcements = []
    driver.command(.pickUp)
    #expect(
      driver.hear().prefix(2) == ["2 items are held already.", "b.txt added, 3 items held."])
  }

  @Test("H13: an answer that comes while adding is said on the way back, not in between")
  func answerWhileAdding() {
    var driver = SessionDriver.carrying()
    driver.holdsAnswers = true
    driver.press("page-down")
    driver.answer("list Mail")
    driver.focus("Files", marked: "notes.txt")
    driver.announcements = []
    driver.answer("To")
    #expect(driver.hear().isEmpty)
    driver.command(.pickUp)
    driver.answer("prepare")
    #expect(
      driver.hear() == [
        "notes.txt was not added. It is held already.", "To, in Mail, Thunderbird: copy. 1 of 2",
      ])
  }

  @Test("Focus that comes while the types are fixed or a drop is asked for changes nothing")
  func focusTooEarly() {
    var driver = SessionDriver.desktop()
    driver.holdsAnswers = true
    driver.command(.pickUp)
    driver.focus("Files", marked: "a.txt")
    #expect(driver.session.phase.name == .carrying)
    driver.announcements = []
    driver.command(.pickUp)
    #expect(driver.ids() == ["holding"])
    driver.holdsAnswers = false
    driver.answerAll()
    #expect(driver.carried == ["notes.txt"])
  }

  @Test("In files, what is in focus elsewhere is nobody's business")
  func focusInFiles() throws {
    var driver = SessionDriver.started()
    let listing = try #require(driver.stage.listings[Stage.container("Docs")])
    driver.give(.focus(listing, marked: []))
    #expect(driver.session.state.container == "Inbox")
    #expect(driver.announcements.isEmpty)
  }

  // MARK: The list between sessions

  @Test("Between sessions the list of deliveries offers undo, redo, the history and quit")
  func menu() {
    var driver = SessionDriver.desktop()
    driver.command(.deliveries)
    #expect(driver.hear() == ["Nothing is being delivered.", "Go to what landed. 1 of 5"])
    #expect(driver.hear("down") == ["Undo. 2 of 5"])
    #expect(driver.hear("down") == ["Redo. 3 of 5"])
    #expect(driver.hear("down") == ["History. 4 of 5"])
    #expect(driver.hear("down") == ["Quit. 5 of 5"])
    #expect(driver.hear("enter") == ["Goodbye."])
    #expect(driver.effects.contains(.quit))
  }

  @Test("H08: undo and redo are carried out from the list, once the running deliveries are over")
  func menuLines() throws {
    var driver = SessionDriver.atDeliveries()
    #expect(
      driver.hear() == ["1 delivery runs.", "Copying notes.txt, Delete cancels it. 1 of 6"])
    #expect(driver.hear("down down enter").last == "Undo. 3 of 6")
    #expect(driver.isBrowsing)
    let id = try #require(driver.session.deliveries.keys.first)
    let result = DeliveryResult(outcome: .delivered, route: .files, delivered: 1)
    driver.give(.report(.delivery(id, .finished(result))))
    #expect(driver.hear().last == "Nothing to undo.")
    driver.command(.deliveries)
    #expect(driver.hear("down down enter").last == "Nothing to redo.")
  }

  @Test("While something is held the list has deliveries only")
  func menuWhileCarrying() {
    var driver = SessionDriver.carrying()
    driver.announcements = []
    driver.command(.deliveries)
    #expect(driver.hear() == ["Nothing is being delivered."])
    #expect(driver.carried == ["notes.txt"])
  }

  @Test("H13: an answer that comes while a list is open is said when it is left")
  func answerUnderList() {
    var stage = Stage.desktop
    stage.holdsDeliveries = true
    var driver = SessionDriver.carrying(stage)
    driver.press("enter")
    driver.command(.pickUp)
    driver.holdsAnswers = true
    driver.press("page-down")
    driver.answer("list Mail")
    driver.command(.deliveries)
    driver.announcements = []
    driver.isLate("To")
    driver.answer("To")
    #expect(driver.hear().isEmpty)
    #expect(
      driver.hear("escape") == [
        "Still holding 1 item.", "To, in Mail, Thunderbird: copy. 1 of 2",
      ])
  }
}

extension WorldRequest {
  fileprivate var isOpening: Bool { if case .list(.opened, _) = self { true } else { false } }
}
