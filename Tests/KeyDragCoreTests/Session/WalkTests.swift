import KeyDragCore
import Testing

/// The order of places, and moving among them.
struct WalkTests {
  @Test("K01: the pick-up is said first, the first drop point after it, in one input")
  func pickUpThenPlace() {
    var driver = SessionDriver.started()
    driver.press("'notes'")
    #expect(
      driver.hear("space") == [
        "Picked up notes.txt. 3 places. Tab walks, Enter drops, Escape cancels.",
        "Sorted, in Inbox: move. 1 of 3",
      ])
    #expect(driver.session.state.dropPoint == "Sorted")
  }

  @Test("H01: the container is said where it changes, and again where its name was cut off")
  func containerIsNews() {
    var stage = Stage.inboxAndDocs
    stage.folder("Inbox", ["Sorted/", "Fresh/", "notes.txt"])
    stage.folder("Fresh", in: "Inbox", [])
    var driver = SessionDriver.started(stage)
    driver.press("'notes'")
    #expect(driver.hear("space").last == "Sorted, in Inbox: move. 1 of 4")
    #expect(driver.hear("tab") == ["Fresh: move. 2 of 4"])
    // Words that did not name it take no knowledge away with them.
    driver.give(.unheard)
    #expect(driver.hear("shift+tab") == ["Sorted: move. 1 of 4"])
    #expect(driver.hear("tab tab").last == "Docs: copy. 3 of 4")
    // Docs has just been named.
    #expect(driver.hear("tab") == ["Reports: copy. 4 of 4"])
    driver.press("shift+tab shift+tab")
    driver.give(.unheard)
    #expect(driver.hear("shift+tab").last == "Sorted, in Inbox: move. 1 of 4")
    #expect(driver.hear("f2").last?.contains("Sorted, in Inbox") == true)
  }

  @Test(
    "K02: the walk begins behind the source's folder, keeps registry order, and is the same each time"
  )
  func rotation() {
    var driver = SessionDriver.started()
    driver.press("tab 'plan' space")
    let first = driver.walk(by: "tab")
    #expect(first == ["Reports", "Inbox", "Sorted"])
    driver.press("tab")
    #expect(driver.walk(by: "tab") == first)
  }

  @Test("K02: a folder around the source that accepts comes first")
  func enclosingFirst() {
    var driver = SessionDriver.started()
    driver.press("home right space")
    #expect(driver.carried == ["Old"])
    #expect(driver.walk(by: "tab").first == "Inbox")
  }

  @Test("K05: the heading of the list counts those that accept, whatever Tab visits")
  func heading() {
    var driver = SessionDriver.started()
    func title() -> String {
      driver.session.screen(height: 9, top: 0, phrases: Phrasebook(), message: "").title
    }
    driver.press("'notes' space")
    #expect(title() == "3 places accept")
    driver.press("f8")
    #expect(title() == "3 places accept")
  }

  @Test("K02: trash, print and open stand behind all places and are not counted")
  func tasksOutside() {
    var stage = Stage.inboxAndDocs
    stage.tasks = [Stage.trash, Stage.printer, Stage.viewer]
    var driver = SessionDriver.started(stage)
    driver.press("'notes'")
    #expect(driver.hear("space").first?.contains("3 places.") == true)
    #expect(
      driver.walk(by: "tab") == ["Sorted", "Docs", "Reports", "Trash", "Printer", "Viewer"])
    driver.press("shift+tab")
    #expect(driver.session.state.index == nil)
    #expect(driver.session.state.verdict?.operation == .open)
  }

  @Test("K03: the source comes past the last and before the first, and a drop there cancels")
  func pastTheEnds() {
    var driver = SessionDriver.started()
    driver.press("'notes' space shift+tab")
    #expect(driver.session.state.verdict?.word == .cancel)
    #expect(driver.hear("shift+tab").first?.hasPrefix("Reports, in Docs") == true)
    #expect(driver.hear("tab") == ["Back at notes.txt: a drop here cancels."])
    #expect(driver.hear("enter") == ["Cancelled. Back at notes.txt."])
    #expect(driver.isBrowsing)
    #expect(driver.orders.isEmpty)
  }

  @Test("K03: the walk goes round when the source is gone")
  func sourceGone() {
    var driver = SessionDriver.started()
    driver.press("'a.txt' ctrl+t 'b.txt' ctrl+t space")
    #expect(driver.carried == ["a.txt", "b.txt"])
    driver.change(
      .sourceVanished(Stage.source("a.txt", in: "Inbox"), container: Stage.container("Inbox")))
    #expect(driver.carried == ["b.txt"])
    driver.press("shift+tab")
    #expect(driver.session.state.dropPoint == "Reports")
    driver.press("tab")
    #expect(driver.session.state.dropPoint == "Sorted")
  }

  @Test("K04: a place that appears is reachable at once, and is named")
  func placeAppears() {
    var driver = SessionDriver.started()
    driver.press("'notes' space")
    driver.announcements = []
    driver.change(.dropPointAppeared(point("Later", in: "Docs"), index: 1))
    #expect(driver.hear() == ["Later appeared."])
    #expect(driver.walk(by: "tab") == ["Sorted", "Docs", "Later", "Reports"])
  }

  @Test("K04: a place that appears while the first answers are outstanding is asked as well")
  func placeAppearsEarly() {
    var driver = SessionDriver.started()
    driver.press("'notes'")
    driver.holdsAnswers = true
    driver.press("space")
    driver.answerNext()
    driver.change(.dropPointAppeared(point("Later", in: "Docs"), index: 1))
    driver.holdsAnswers = false
    driver.answerAll()
    #expect(driver.walk(by: "tab") == ["Sorted", "Docs", "Later", "Reports"])
  }

  @Test(
    "K04: who stands on a place that vanishes goes on to the next with a word said",
    arguments: [("Sorted", "Docs"), ("Reports", "Docs")])
  func placeVanishes(name: String, next: String) {
    var driver = SessionDriver.started()
    driver.press("'notes' space '\(name)'")
    driver.announcements = []
    let container = name == "Sorted" ? "Inbox" : "Docs"
    driver.change(
      .dropPointVanished(Stage.place(name), container: Stage.container(container)))
    let heard = driver.hear()
    #expect(heard.first == "\(name) is gone.")
    #expect(heard.last?.hasPrefix("\(next): copy.") == true)
    #expect(driver.session.state.dropPoint == next)
  }

  @Test(
    "K04: the places of another program that appears are reachable at once, and always copied to")
  func containerAppears() {
    var driver = SessionDriver.started()
    driver.press("'notes' space")
    let far = ContainerDescriptor(id: ContainerID(1, of: .peers), name: "Far", app: "Other")
    let point = DropPointDescriptor(
      id: DropPointID(1, of: .peers), name: "Basket", container: far.id)
    driver.announcements = []
    driver.change(.containerAppeared(Listing(container: far, sources: nil, dropPoints: [point])))
    driver.press("'basket'")
    #expect(driver.session.state.dropPoint == "Basket")
    #expect(driver.session.state.verdict?.operation == .copy)
    driver.change(.containerVanished(far.id))
    #expect(driver.session.state.dropPoint != "Basket")
  }

  @Test("K04: a whole container that vanishes leaves focus on a place that is there")
  func containerVanishes() {
    var driver = SessionDriver.started()
    driver.press("'notes' space 'reports'")
    driver.change(.containerVanished(Stage.container("Docs")))
    #expect(driver.session.state.dropPoint == "Sorted")
    #expect(driver.walk(by: "tab") == ["Sorted"])
  }

  @Test("H13: a place that refuses is found by name and says why; walking goes on from there")
  func refusingPlace() {
    var stage = Stage.inboxAndDocs
    stage.proposals[Stage.place("Docs")] = .refused(.readOnly)
    var driver = SessionDriver.started(stage)
    driver.press("'notes' space")
    #expect(driver.hear("'docs'") == ["Docs: refuses, it is read-only."])
    #expect(driver.session.state.verdict?.reason == .readOnly)
    driver.press("tab")
    #expect(driver.session.state.dropPoint == "Reports")
    driver.press("'docs' shift+tab")
    #expect(driver.session.state.dropPoint == "Sorted")
  }

  @Test("H13: a refusing place before the beginning of the walk is left for its neighbours")
  func refusingBeforeTheStart() {
    var stage = Stage.inboxAndDocs
    stage.tasks = [Stage.trash]
    var driver = SessionDriver.started(stage)
    driver.press("tab 'plan' space")
    #expect(driver.walk(by: "tab") == ["Reports", "Inbox", "Sorted", "Trash"])
    driver.press("'docs' tab")
    #expect(driver.session.state.dropPoint == "Reports")
    driver.press("'docs' shift+tab")
    #expect(driver.session.state.verdict?.word == .cancel)
  }

  @Test("H17, H30: a place that opens with a program is found by each word that is heard of it")
  func opensByName() {
    var stage = Stage.inboxAndDocs
    stage.tasks = [Stage.viewer, Stage.trash]
    var driver = SessionDriver.started(stage)
    driver.press("'notes' space")
    for typed in ["'open'", "'viewer'", "'with'", "'open_with_v'"] {
      driver.press("tab")
      #expect(driver.hear(typed) == ["Open with Viewer: accepts."], "\(typed)")
    }
    #expect(driver.hear("'trash'") == ["Trash: move to the trash."])
  }

  @Test("K04: hundreds of files made elsewhere are one message, and a few are told by their names")
  func manyAppear() {
    var driver = SessionDriver.started()
    func appear(_ numbers: Range<Int>) {
      let inbox = Stage.container("Inbox")
      driver.change(
        contentsOf: numbers.map { number in
          let source = DragSourceDescriptor(
            id: DragSourceID(UInt64(5000 + number)), name: "new \(number)", container: inbox,
            kind: .file)
          return .sourceAppeared(source, index: 0)
        })
    }
    func tick() -> [String] {
      driver.give(.timer(.appearing))
      return driver.hear()
    }
    appear(0..<1)
    for number in 1..<300 { appear(number..<(number + 1)) }
    #expect(driver.hear().isEmpty)
    // They may be the first of more.
    #expect(tick().isEmpty)
    #expect(tick() == ["300 items appeared."])
    #expect(tick().isEmpty)
    appear(300..<303)
    driver.change(
      .sourceVanished(DragSourceID(UInt64(5302)), container: Stage.container("Inbox")))
    #expect(tick().isEmpty)
    #expect(tick() == ["new 300 appeared.", "new 301 appeared."])
    driver.give(.timer(.appearing))
    appear(302..<303)
    // Whoever has left the folder hears nothing of it.
    driver.press("tab")
    _ = driver.hear()
    driver.give(.timer(.appearing))
    #expect(driver.hear().isEmpty)
    driver.press("shift+tab")
    _ = driver.hear()
    appear(303..<304)
    driver.give(.timer(.appearing))
    #expect(driver.hear() == ["new 303 appeared."])
    #expect(driver.session.state.item == "Sorted")
  }

  @Test("K04: of hundreds of files two messages come at most, however slowly they are made")
  func slowStream() {
    func messages(betweenTicks pace: Int, first: Int = 1) -> [String] {
      var driver = SessionDriver.started()
      var (said, number) = ([String](), 0)
      func appear(_ count: Int) {
        let inbox = Stage.container("Inbox")
        driver.change(
          contentsOf: (number..<(number + count)).map { number in
            let source = DragSourceDescriptor(
              id: DragSourceID(UInt64(5000 + number)), name: "new \(number)", container: inbox,
              kind: .file)
            return .sourceAppeared(source, index: 0)
          })
        number += count
      }
      appear(first)
      while number < 300 {
        driver.give(.timer(.appearing))
        appear(min(pace, 300 - number))
        said += driver.hear()
      }
      for _ in 0..<4 {
        driver.give(.timer(.appearing))
        said += driver.hear()
      }
      return said
    }
    #expect(messages(betweenTicks: 1) == ["new 0 appeared.", "300 items appeared in all."])
    #expect(messages(betweenTicks: 7) == ["new 0 appeared.", "300 items appeared in all."])
    #expect(
      messages(betweenTicks: 5, first: 2)
        == ["42 items appeared.", "300 items appeared in all."])
    #expect(messages(betweenTicks: 298, first: 2) == ["300 items appeared."])
    #expect(messages(betweenTicks: 1, first: 299) == ["300 items appeared."])
  }

  @Test("K04: a single file is told when the first delay is over, one that follows it by its name")
  func singleFiles() {
    var driver = SessionDriver.started()
    func appear(_ name: String) {
      driver.change(
        .sourceAppeared(
          DragSourceDescriptor(
            id: Stage.source(name, in: "Inbox"), name: name,
            container: Stage.container("Inbox"), kind: .file), index: 0))
    }
    func tick() -> [String] {
      driver.give(.timer(.appearing))
      return driver.hear()
    }
    appear("one")
    #expect(tick() == ["one appeared."])
    appear("two")
    #expect(tick().isEmpty)
    #expect(tick() == ["two appeared."])
    appear("three")
    #expect(tick() == ["three appeared."])
  }

  @Test("H13: refusing places are visited with their reasons when that is switched on")
  func visitsRefusing() {
    var driver = SessionDriver.started()
    driver.press("'notes' space f8")
    #expect(driver.walk(by: "shift+tab") == ["Sorted", "Inbox"])
    driver.press("f8 tab")
    #expect(driver.walk(by: "shift+tab") == ["Sorted"])
  }

  @Test("K10: a folder is refused by itself, and a place that changes nothing says so")
  func nothingChanges() {
    var driver = SessionDriver.started()
    driver.press("'sorted' space")
    #expect(
      driver.hear("'sorted'") == ["Sorted, in Inbox: refuses, it is part of what is carried."])
    #expect(driver.hear("'inbox'") == ["Inbox: refuses, it is there already."])
  }

  private func point(_ name: String, in container: String) -> DropPointDescriptor {
    DropPointDescriptor(
      id: Stage.place(name), name: name, container: Stage.container(container),
      leadsTo: Stage.container(name))
  }
}
