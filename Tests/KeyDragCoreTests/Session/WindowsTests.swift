import KeyDragCore
import Testing

/// Windows of programs beside one's own places, which say beforehand who accepts.
struct WindowsTests {
  private static var stage: Stage {
    var stage = Stage.inboxAndDocs
    stage.window("Mail", of: "Thunderbird", ["To", "Body"])
    stage.window("Web", of: "Firefox", ["Page"])
    return stage
  }

  private func driver(_ stage: Stage = stage) -> SessionDriver {
    var settings = Session.Settings()
    settings.reachesWindows = true
    return SessionDriver.started(stage, settings: settings)
  }

  /// With a.txt held, and everything answered.
  private func carrying(_ stage: Stage = stage) -> SessionDriver {
    var driver = driver(stage)
    driver.press("'a.txt' space")
    driver.announcements = []
    driver.effects = []
    return driver
  }

  private static let own = ["Docs", "Reports", "Sorted"]

  @Test("One's own places are counted at the pick-up, and no window is listed or asked")
  func pickUp() {
    var driver = driver()
    driver.press("'a.txt'")
    driver.effects = []
    #expect(
      driver.hear("space").first == "Picked up a.txt. 3 places. Tab walks, Enter drops, "
        + "Escape cancels.")
    #expect(driver.asked.count == 3, "\(driver.asked)")
    #expect(driver.asked.contains("windows"))
    #expect(!driver.asked.contains { $0.hasPrefix("list") })
  }

  @Test("Nothing is looked for before something is picked up, nor where windows are not reached")
  func looksAtPickUp() {
    let driver = driver()
    #expect(!driver.asked.contains("windows"))
    var alone = SessionDriver.started(Self.stage)
    alone.press("'a.txt' space")
    #expect(!alone.asked.contains("windows"))
    #expect(alone.walk(by: "tab").count == 3)
    #expect(alone.session.phase.carry?.place == .source)
  }

  @Test("Tab goes on from the last of one's own places to the windows, and then to the source")
  func walk() {
    var driver = carrying()
    let places = driver.walk(by: "tab")
    #expect(Set(places.prefix(3)) == Set(Self.own))
    #expect(places.dropFirst(3) == ["To", "Body", "Page"])
    #expect(driver.session.state.verdict?.word == .cancel)
    driver.press("shift+tab")
    #expect(driver.walk(by: "shift+tab") == places.reversed())
    #expect(driver.session.phase.carry?.place == .source)
  }

  @Test("Tasks stay where they are: just before the source, behind the windows")
  func tasks() {
    var stage = Self.stage
    stage.tasks = [Stage.trash]
    var driver = carrying(stage)
    let places = driver.walk(by: "tab")
    #expect(places.dropFirst(3) == ["To", "Body", "Page", "Trash"])
    driver.press("shift+tab")
    #expect(driver.walk(by: "shift+tab") == places.reversed())
  }

  @Test("A window is listed and asked when it is reached, its place said as on the desktop")
  func reached() {
    var driver = carrying()
    driver.press("end")
    driver.effects = []
    driver.announcements = []
    driver.holdsAnswers = true
    driver.press("tab")
    #expect(driver.pending == ["list Mail"])
    driver.answer("list Mail")
    #expect(driver.pending == ["To", "Body"])
    #expect(driver.hear().isEmpty)
    driver.answer("To")
    #expect(driver.hear() == ["To, in Mail, Thunderbird: copy. 1 of 2"])
  }

  @Test("Back at one's own places nothing is asked again, and they keep their numbers")
  func back() {
    var driver = carrying()
    driver.press("end")
    let last = driver.session.state
    driver.press("tab")
    driver.effects = []
    driver.press("shift+tab")
    #expect(driver.session.state == last)
    #expect(driver.asked.isEmpty)
    driver.press("tab")
    #expect(driver.place == "To")
    #expect(driver.asked.isEmpty)
  }

  @Test("The keys for the next container lead into the windows and back")
  func containers() {
    var driver = carrying()
    driver.press("end page-down")
    #expect(driver.place == "To")
    driver.press("page-down")
    #expect(driver.place == "Page")
    #expect(driver.hear("page-down").count == 1)
    driver.press("page-up page-up")
    #expect(driver.session.state.container == "Inbox" || driver.session.state.container == "Docs")
    driver.press("shift+tab shift+tab shift+tab")
  }

  @Test("A wish among the windows is asked of the place stood on, and of all at home")
  func wish() {
    var driver = carrying()
    driver.press("end tab")
    driver.effects = []
    driver.press("f7")
    #expect(driver.session.state.verdict?.operation == .link)
    #expect(driver.asked.contains("To"))
    #expect(driver.asked.contains { $0.contains("+") })
    driver.press("shift+tab")
    #expect(driver.session.state.verdict?.operation == .link)
  }

  @Test("A wish at home is asked of the windows anew when they are reached")
  func wishAtHome() {
    var driver = carrying()
    driver.press("end tab shift+tab f5")
    driver.effects = []
    driver.press("tab")
    #expect(driver.asked.contains("To"))
  }

  @Test("Where nothing at home accepts, the first window is gone to, and only then is it the end")
  func nothingAtHome() {
    var stage = Self.stage.answersRefusal(Self.own + ["Inbox"])
    var driver = driver(stage)
    #expect(
      driver.hear("'a.txt' space").suffix(2) == [
        "Picked up a.txt. Tab walks, Enter drops, Escape cancels.",
        "To, in Mail, Thunderbird: copy. 1 of 2",
      ])
    stage = stage.answersRefusal(["To", "Body", "Page"])
    driver = self.driver(stage)
    driver.press("'a.txt' space tab tab")
    #expect(driver.isBrowsing)
    #expect(driver.ids().last == "nothing-accepts")
    stage.windows = []
    driver = self.driver(stage)
    driver.press("'a.txt' space")
    #expect(driver.isBrowsing)
    #expect(driver.ids().last == "nothing-accepts")
  }

  @Test("The windows may be late: the walk at home goes on without them")
  func late() {
    var driver = driver()
    driver.press("'a.txt'")
    driver.holdsAnswers = true
    driver.press("space")
    driver.answer("prepare")
    while let word = driver.pending.first(where: { $0.contains("+") }) { driver.answer(word) }
    #expect(driver.pending == ["windows"])
    #expect(driver.session.isWaiting)
    driver.announcements = []
    driver.press("end tab")
    #expect(driver.ids().last == "back-at-source")
    driver.answer("windows")
    #expect(driver.ids().isEmpty)
    driver.holdsAnswers = false
    driver.press("shift+tab")
    #expect(driver.place == "Page")
  }

  @Test("A window that closes under the person is said, and leads to the next, then home")
  func vanished() {
    var driver = carrying()
    driver.press("end tab")
    driver.change(.containerVanished(Stage.container("Mail")))
    #expect(driver.place == "Page")
    #expect(driver.ids().contains("vanished"))
    driver.change(.containerVanished(Stage.container("Web")))
    #expect(Self.own.contains(driver.place ?? ""))
    #expect(!driver.isInWindow)
  }

  @Test("H10, K26: a folder that opens late leads nobody back who has gone to a window")
  func opensLate() {
    var driver = carrying()
    driver.press("'sorted'")
    driver.holdsAnswers = true
    driver.press("right")
    driver.isLate("open Sorted")
    #expect(driver.ids().last == "opening")
    while !driver.isInWindow {
      driver.press("page-down")
      driver.answer("list Mail", "To")
    }
    #expect(driver.place == "To")
    driver.answer("open Sorted")
    driver.press("enter")
    driver.holdsAnswers = false
    driver.answerAll()
    #expect(driver.orders.map(\.stop.point) == [Stage.place("To")])
  }

  @Test("No number of places is said on the way into the windows")
  func noCount() {
    var driver = driver(Self.stage.answersRefusal(Self.own + ["Inbox"]))
    driver.press("'a.txt'")
    driver.holdsAnswers = true
    driver.press("space")
    driver.answer("prepare", "windows")
    for word in driver.pending { driver.isLate(word) }
    driver.holdsAnswers = false
    driver.answerAll()
    #expect(driver.place == "To")
    #expect(!driver.ids().contains("points"))
  }

  @Test("Walking backward, a window that closes leads on to the beginning of the next one")
  func vanishedBackward() {
    var stage = Self.stage
    stage.window("Chat", of: "Dino", ["Ann", "Bob"])
    var driver = carrying(stage)
    driver.press("shift+tab shift+tab")
    #expect(driver.place == "Bob")
    driver.press("shift+tab shift+tab")
    driver.change(.containerVanished(Stage.container("Web")))
    #expect(driver.place == "Ann")
  }

  @Test(
    "A wish that is answered while one stands in a window says nothing of it before it has answered"
  )
  func wishLeft() {
    var driver = carrying()
    driver.press("end")
    driver.holdsAnswers = true
    driver.press("f7")
    let home = driver.pending
    driver.press("tab")
    driver.answer("list Mail")
    driver.announcements = []
    for word in home { driver.answer(word) }
    #expect(driver.ids().allSatisfy { $0 != "operation-unavailable" })
  }

  @Test("A place at home is found by its name from a window, and one of a window from home")
  func typing() {
    var driver = carrying()
    driver.press("end tab 'docs'")
    #expect(driver.place == "Docs")
    driver.press("'bod'")
    #expect(driver.place == "Body")
  }

  @Test("A drop on a window leaves the focus on the next item at home")
  func drop() {
    var driver = carrying()
    driver.press("end tab enter")
    #expect(driver.orders.map(\.stop.point) == [Stage.place("To")])
    #expect(driver.isBrowsing)
    #expect(driver.session.state.item == "b.txt")
  }

  @Test("K04: a place that was said to be gone, and that its program lists anew, is told as back")
  func listedAnew() throws {
    var driver = SessionDriver.carrying()
    driver.press("tab")
    let files = Stage.container("Files")
    var listing = try #require(driver.stage.listings[files])
    let docs = try #require(listing.dropPoints?.firstIndex { $0.name == "Docs" })
    driver.change(.dropPointVanished(Stage.place("Docs"), container: files))
    driver.announcements = []
    let anew = DropPointDescriptor(id: Stage.place("Docs again"), name: "Docs", container: files)
    listing.dropPoints?[docs] = anew
    driver.change(.replaced(listing))
    #expect(driver.hear() == ["Docs appeared."])
    driver.change(.replaced(listing))
    #expect(driver.hear().isEmpty)
    #expect(driver.hear("shift+tab").first?.hasPrefix("Docs: copy.") == true)
  }
}
