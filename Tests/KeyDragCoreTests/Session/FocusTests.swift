import KeyDragCore
import Testing

/// Picking up what has the focus outside, where there is no list of our own.
struct FocusTests {
  private func driver(_ change: (inout Stage) -> Void = { _ in }) -> SessionDriver {
    var stage = Stage.desktop
    var listing = stage.listings[Stage.container("Files")]
    listing?.dropPoints = nil
    stage.focus = listing.map {
      FocusReport(
        listing: $0, marked: [Stage.source("a.txt", in: "Files")], windows: stage.windows)
    }
    change(&stage)
    var settings = Session.Settings()
    settings.hasHome = false
    settings.picksFocus = true
    return SessionDriver(stage, settings: settings)
  }

  @Test("The start tells by which key things are picked up")
  func start() {
    var driver = driver()
    driver.give(.start)
    #expect(driver.hear() == ["Ctrl+Alt+Space picks up what is in focus."])
  }

  @Test("A key that another program has is not promised")
  func startWithoutKey() {
    var settings = Session.Settings()
    settings.hasHome = false
    settings.picksFocus = true
    settings.isPickUpTaken = true
    var driver = SessionDriver(Stage.desktop, settings: settings)
    driver.give(.start)
    #expect(driver.hear().isEmpty)
    driver.give(.report(.problem(.takenKey(name: "Ctrl+Alt+Space"))))
    #expect(
      driver.hear() == [
        "Ctrl+Alt+Space belongs to another program. End that program or change its key. "
          + "Or give KeyDrag another key in config.yaml."
      ])
    driver.give(.pickUpKeyFree)
    #expect(driver.hear() == ["Ctrl+Alt+Space picks up what is in focus."])
  }

  @Test("H29: one command picks up what has the focus, and the windows are there to be walked")
  func pickUp() {
    var driver = driver()
    driver.command(.pickUp)
    #expect(driver.carried == ["a.txt"])
    #expect(driver.hear().last == "Sorted, in Files, Thunar: copy. 1 of 6")
    driver.press("page-down")
    #expect(driver.hear() == ["To, in Mail, Thunderbird: copy. 1 of 2"])
  }

  @Test(
    "H11, T10: a pick-up that takes its time is said at once, and what it tells nothing of is said")
  func slow() throws {
    var driver = driver { $0.focus = nil }
    driver.holdsAnswers = true
    driver.command(.pickUp)
    #expect(driver.hear().isEmpty)
    let request = try #require(driver.requests.last)
    driver.give(.timer(.asking(request.id)))
    #expect(driver.hear() == ["Picking up."])
    driver.give(.report(.unreadable(request.id, name: "AbiWord", .selectionUntold)))
    #expect(driver.hear() == ["AbiWord: it tells nothing of what is selected."])
    driver.give(.timer(.asking(request.id)))
    #expect(driver.hear().isEmpty)
  }

  @Test("H18: a pick-up with a wish carries it", arguments: [CommandName.moveTo, .linkTo])
  func wish(command: CommandName) {
    var driver = driver()
    driver.command(command)
    #expect(driver.session.state.verdict?.operation == (command == .moveTo ? .move : .link))
  }

  @Test("A chord that bounces asks once")
  func bounce() {
    var driver = driver()
    driver.holdsAnswers = true
    driver.command(.pickUp)
    driver.command(.pickUp)
    #expect(driver.pending.count == 1)
  }

  @Test("A key without a meaning does not lead to a help that can't be had on the desktop")
  func unknownKey() {
    var driver = driver { _ in }
    driver.give(.unknownKey(KeyStroke(.function(9))))
    #expect(driver.hear() == ["F9: nothing here."])
    driver.command(.toggleRefusing)
    #expect(driver.hear() == ["F8: nothing here."])
    var other = SessionDriver.started()
    other.give(.unknownKey(KeyStroke(.function(9))))
    #expect(other.hear() == ["F9 does nothing here. ? for help."])
  }

  @Test(
    "What can't be picked up is said with its reason, and nothing is held",
    arguments: [Reason.nothingThere, .password, .noAccessibility, .notDraggable])
  func nothing(reason: Reason) {
    var driver = driver {
      $0.focus = nil
      $0.focusRefusal = reason
    }
    driver.command(.pickUp)
    #expect(driver.announcements == [.nothingToPickUp(reason, name: nil)])
    #expect(driver.session.state.phase == .browsing)
  }

  @Test("K23 H23: the same command while carrying adds what has the focus now")
  func adds() {
    var driver = driver()
    driver.command(.pickUp)
    driver.stage.focus?.marked = [Stage.source("b.txt", in: "Files")]
    driver.command(.pickUp)
    #expect(driver.carried == ["a.txt", "b.txt"])
  }

  @Test("Between drags a window that goes, or what lies in it, is nobody's business")
  func goesBetweenDrags() {
    var driver = driver()
    driver.command(.pickUp)
    driver.press("escape")
    driver.announcements = []
    driver.change(
      .sourceVanished(Stage.source("a.txt", in: "Files"), container: Stage.container("Files")),
      .dropPointVanished(Stage.place("Docs"), container: Stage.container("Files")),
      .containerVanished(Stage.container("Mail")), .containerVanished(Stage.container("Files")))
    #expect(driver.hear().isEmpty)
  }

  // MARK: The list

  @Test("K25: an Enter meant for a list of nothing does not drop; it leads back to the place")
  func emptyList() {
    var driver = driver()
    driver.command(.pickUp)
    driver.announcements = []
    driver.command(.deliveries)
    #expect(driver.hear() == ["Nothing is being delivered.", "Keep holding, nothing is dropped."])
    let back = ["Still holding 1 item.", "Sorted: copy. 1 of 6"]
    #expect(driver.hear("enter") == back)
    #expect(driver.orders.isEmpty)
    driver.command(.deliveries)
    #expect(driver.hear("escape") == back)
    #expect(driver.carried == ["a.txt"])
  }

  @Test("H31: the list of what runs opens over a drag, and Escape leads back to the place")
  func listOverDrag() {
    var driver = driver { $0.holdsDeliveries = true }
    driver.command(.pickUp)
    driver.press("enter")
    driver.command(.pickUp)
    driver.announcements = []
    driver.command(.deliveries)
    let line = "Copying a.txt, Delete cancels it."
    #expect(driver.hear() == ["1 delivery runs.", line])
    // The consequence was said the first time.
    #expect(driver.hear("enter") == ["Copying a.txt."])
    #expect(
      driver.hear("escape") == [
        "Still holding 1 item.", "Sorted: copy. 1 of 6",
      ])
    #expect(driver.orders.count == 1)
  }

  @Test("A list of nothing takes no question away")
  func emptyListOverQuestion() {
    var driver = driver {
      $0.focus?.marked.append(Stage.source("b.txt", in: "Files"))
      $0.finalProposals[Stage.place("Sorted")] = DropProposal(.some(refused: [0: .wrongType]))
    }
    driver.command(.pickUp)
    driver.press("enter")
    #expect(driver.session.phase.name == .confirming)
    driver.announcements = []
    driver.command(.deliveries)
    #expect(driver.ids() == ["confirm", "choice"])
    #expect(driver.session.phase.name == .confirming)
  }

  @Test("Windows that have gone since the last pick-up are walked no more")
  func windowsGo() {
    var driver = driver()
    driver.command(.pickUp)
    driver.press("escape")
    driver.stage.focus?.windows.removeAll { $0.name == "Mail" }
    driver.command(.pickUp)
    driver.announcements = []
    driver.press("page-down")
    #expect(driver.hear() == ["Page, in Web, Firefox: copy. 1 of 1"])
  }

  @Test("Before a name is typed every window is read, and no place is asked")
  func find() {
    var driver = driver()
    driver.command(.pickUp)
    driver.announcements = []
    driver.effects = []
    driver.give(.finding)
    #expect(driver.asked == ["list Mail", "list Web"])
    #expect(driver.hear() == ["Type a name, then Enter."])
    driver.press("'page'")
    #expect(driver.hear() == ["Page, in Web, Firefox: copy. 1 of 1"])
  }

  @Test("K18: a letter that leads nowhere else is silent; a wrong name stays wrong up to its Enter")
  func letters() {
    var driver = driver()
    driver.command(.pickUp)
    driver.give(.finding)
    driver.announcements = []
    func hear(_ letter: String) -> [String] {
      driver.give(.typeAhead(letter))
      return driver.hear()
    }
    let page = "Page: copy. 1 of 1"
    #expect(hear("p") == ["Photos: copy. 4 of 6"])
    #expect(hear("a") == ["Page, in Web, Firefox: copy. 1 of 1"])
    #expect(hear("g").isEmpty)
    #expect(hear("z") == ["Nothing begins with pagz."])
    #expect(hear("e") == ["Nothing begins with pagze."])
    driver.announcements = []
    driver.press("backspace")
    #expect(driver.hear() == ["Nothing begins with pagz."])
    driver.press("backspace")
    // Now it is news again.
    #expect(driver.hear() == [page])
    #expect(hear("e").isEmpty)
    driver.give(.findingEnded)
    #expect(driver.hear() == ["Page: copy."])
    driver.give(.finding)
    driver.announcements = []
    // What is left of a wrong name leads nowhere.
    #expect(
      ["z", "p", "a"].flatMap(hear)
        == ["z", "zp", "zpa"].map { "Nothing begins with \($0)." })
    #expect(driver.session.state.dropPoint == "Page")
    // Text that is pasted, or comes from a script, is answered each time.
    driver.give(.findingEnded)
    driver.announcements = []
    #expect(driver.hear("'page' 'page'") == [page, page])
    #expect(driver.hear("'zz' 'zz'").count == 2)
  }

  @Test("H15: names that differ behind a blank or a sign are told apart while one is typed")
  func separators() {
    var driver = driver {
      $0.listings[Stage.container("Web")]?.dropPoints? += [
        "Holiday 2023", "Holiday 2024", "v1.0-rc_1", "v1.0-rc_2",
      ].enumerated().map { index, name in
        DropPointDescriptor(
          id: DropPointID(9_000 + UInt64(index)), name: name, container: Stage.container("Web"))
      }
    }
    driver.command(.pickUp)
    driver.give(.finding)
    driver.press("h o l i d a y space 2 0 2 4")
    #expect(driver.session.state.dropPoint == "Holiday 2024")
    #expect(!driver.ids().contains("holding"))
    driver.press("backspace 3")
    #expect(driver.session.state.dropPoint == "Holiday 2023")
    driver.give(.findingEnded)
    driver.give(.finding)
    driver.press("v 1 . 0 - r c _ 2")
    #expect(driver.session.state.dropPoint == "v1.0-rc_2")
    driver.give(.findingEnded)
    // Elsewhere the keys mean what they did.
    driver.announcements = []
    driver.press("space _")
    #expect(driver.ids() == ["holding", "unknown-key"])
  }

  @Test(
    "T09 A name with letters that repeat, commas and brackets is typed in full; only news is said")
  func wholeNames() {
    let names = ["aa", "ab", "a1", "a11", "notes, 11 (copy)", "notes, 11 [old]", "it's a+b"]
    var driver = driver {
      $0.listings[Stage.container("Web")]?.dropPoints? += names.enumerated().map { index, name in
        DropPointDescriptor(
          id: DropPointID(9_000 + UInt64(index)), name: name, container: Stage.container("Web"))
      }
    }
    driver.command(.pickUp)
    func type(_ name: String) -> [String] {
      driver.give(.finding)
      driver.announcements = []
      for letter in name { driver.give(.typeAhead(String(letter))) }
      let heard = driver.hear()
      #expect(driver.session.state.dropPoint == name)
      driver.announcements = []
      driver.give(.findingEnded)
      return heard
    }
    #expect(type("aa") == ["aa, in Web, Firefox: copy. 2 of 8"])
    // It is there already: nothing is news before the fifth sign from its end.
    #expect(type("a11").count == 2)
    for name in names { _ = type(name) }
    #expect(!driver.ids().contains("no-match"))
    #expect(type("aa").first == "aa: copy. 2 of 8")
    #expect(type("aa").isEmpty)
  }

  @Test("K16: the chord in the list is answered with its own name")
  func chord() {
    var driver = driver()
    driver.command(.deliveries)
    driver.announcements = []
    driver.command(.pickUp)
    #expect(driver.hear().map { $0.hasPrefix("Ctrl+Alt+Space: ") } == [true])
  }

  @Test("A blank with which nothing begins is not put into words")
  func blank() {
    var driver = driver()
    driver.command(.pickUp)
    driver.give(.finding)
    #expect(driver.hear("space") == ["No match."])
    #expect(driver.hear("b") == ["Nothing begins with b."])
    #expect(driver.carried == ["a.txt"])
  }

  @Test("K18: Enter after a name says what is new of the place: all of it, where it was not said")
  func endOfNameInFull() {
    var driver = driver()
    driver.command(.pickUp)
    func hearEnd() -> [String] {
      driver.announcements = []
      driver.give(.findingEnded)
      return driver.hear()
    }
    // Nothing was typed.
    driver.give(.finding)
    #expect(hearEnd() == ["Sorted: copy. 1 of 6"])
    // The wish was changed, and the place has not been said since.
    driver.give(.finding)
    driver.press("p a g")
    driver.press("f6")
    #expect(hearEnd() == ["Page: move. 1 of 1"])
    // What the letters led to has not answered yet.
    driver.give(.finding)
    driver.holdsAnswers = true
    driver.press("b")
    #expect(hearEnd().isEmpty)
    driver.holdsAnswers = false
    driver.answerAll()
    #expect(driver.hear() == ["Body, in Mail, Thunderbird: move. 2 of 2"])
  }

  @Test("K16: Enter after a name that was not found says so, and where one is")
  func endOfNoName() {
    var driver = driver()
    driver.command(.pickUp)
    driver.give(.finding)
    driver.announcements = []
    driver.press("u x p")
    #expect(driver.hear() == ["u", "ux", "uxp"].map { "Nothing begins with \($0)." })
    driver.give(.findingEnded)
    #expect(
      driver.hear() == ["Nothing begins with uxp.", "Sorted: copy. 1 of 6"])
    driver.give(.finding)
    driver.press("p a g x")
    driver.announcements = []
    driver.give(.findingEnded)
    #expect(driver.hear() == ["Nothing begins with pagx.", "Page: copy."])
    // Who has walked on meanwhile has given the name up.
    driver.give(.finding)
    driver.press("x page-up")
    driver.announcements = []
    driver.give(.findingEnded)
    #expect(driver.hear() == ["To: copy."])
  }

  @Test("K16: Enter after a name says the place that was reached, and what is typed next is new")
  func endOfName() {
    var driver = driver()
    driver.command(.pickUp)
    driver.give(.finding)
    for letter in ["p", "a", "g"] { driver.give(.typeAhead(letter)) }
    driver.announcements = []
    driver.give(.findingEnded)
    #expect(driver.hear() == ["Page: copy."])
    driver.give(.finding)
    driver.announcements = []
    driver.give(.typeAhead("b"))
    #expect(driver.hear() == ["Body, in Mail, Thunderbird: copy. 2 of 2"])
    driver.press("escape")
    driver.announcements = []
    driver.give(.findingEnded)
    #expect(driver.hear().isEmpty)
  }

  @Test("The end of a name is answered while a drop is asked for, and in a list")
  func endOfNameElsewhere() {
    var driver = driver()
    driver.command(.pickUp)
    driver.give(.finding)
    driver.command(.deliveries)
    driver.announcements = []
    driver.give(.findingEnded)
    #expect(driver.ids() == ["choice"])
    driver.press("escape")
    driver.holdsAnswers = true
    driver.press("enter")
    driver.announcements = []
    driver.give(.findingEnded)
    #expect(driver.ids() == ["holding"])
  }

  @Test("The screen shows that a name is typed, and its letters, until it has been")
  func nameOnScreen() {
    var driver = driver()
    func shown() -> String? {
      driver.session.screen(height: 1, top: 0, phrases: Phrasebook(), message: "").finding
    }
    driver.command(.pickUp)
    #expect(shown() == nil)
    driver.give(.finding)
    #expect(shown() == "Type a name, then Enter.")
    driver.give(.typeAhead("p"))
    driver.give(.typeAhead("a"))
    #expect(shown() == "Find: pa")
    driver.give(.findingEnded)
    #expect(shown() == nil)
    driver.give(.finding)
    driver.press("escape")
    driver.command(.pickUp)
    #expect(shown() == nil)
  }

  @Test("Where nothing is held there is nothing to be read for a name")
  func findNothing() {
    var driver = driver()
    driver.give(.finding)
    #expect(driver.asked.isEmpty)
  }
}
