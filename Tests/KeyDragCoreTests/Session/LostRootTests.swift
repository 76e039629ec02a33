import Testing

@testable import KeyDragCore

@Suite("Folders given that go and come back")
struct LostRootTests {
  private let docs = Stage.container("Docs")

  @Test("K04: a folder given that vanishes is said wherever one is, and so is its return")
  func elsewhere() throws {
    var driver = SessionDriver.started()
    let listing = try #require(driver.stage.listings[docs])
    driver.change(.containerVanished(docs))
    #expect(driver.hear() == ["Docs is gone."])
    driver.press("tab")
    #expect(driver.hear("down") == ["Docs can't be opened. It is gone."])
    driver.change(.containerAppeared(listing))
    let first = try #require(listing.sources?.first)
    let count = driver.session.sources.count
    #expect(driver.hear() == ["Docs appeared.", "\(first.name), folder, 1 of \(count)"])
    #expect(driver.hear("end").first?.isEmpty == false)
    #expect(driver.session.sources.count == listing.sources?.count)
  }

  @Test("K18: a folder given that the person carries away, or takes back, is told by the outcome")
  func carriedAway() throws {
    var stage = Stage()
    stage.folder("Home", ["Docs/", "a.txt"])
    stage.folder("Docs", ["plan.pdf"])
    stage.folder("Music", [])
    stage.tasks = [Stage.trash]
    var driver = SessionDriver.started(stage)
    let listing = try #require(driver.stage.listings[docs])
    driver.press("space 'trash'")
    driver.announcements = []
    driver.stage.holdsDeliveries = true
    driver.press("enter")
    driver.change(.containerVanished(docs))
    #expect(driver.hear() == [])
    driver.change(.containerAppeared(listing))
    _ = driver.hear()
    let result = DeliveryResult(outcome: .delivered, route: .files, delivered: 1)
    driver.give(.report(.delivery(DeliveryID(1), .finished(result))))
    driver.announcements = []
    driver.change(.containerVanished(docs))
    #expect(driver.hear() == [], "the change may come behind the outcome")
    driver.stage.history = .done(
      HistoryEntry(
        number: 1, operation: .remove, names: ["Docs"], count: 1, place: "", time: 0,
        isUndone: true))
    driver.press("ctrl+z")
    driver.announcements = []
    driver.change(.containerAppeared(listing))
    #expect(driver.hear() == [])
  }

  @Test("K18: a folder one is in goes once, not also as an item of the folder around it")
  func entered() {
    var driver = SessionDriver.started()
    driver.press("enter")
    driver.announcements = []
    let sorted = Stage.container("Sorted")
    driver.change(
      .containerVanished(sorted),
      .sourceVanished(Stage.source("Sorted", in: "Inbox"), container: Stage.container("Inbox")))
    #expect(driver.hear() == ["Sorted is gone. Now at Inbox.", "a.txt, 1 of 3"])
  }

  @Test("K18: while adding, a folder one stood on goes once, not as an item and as a place")
  func whileAdding() {
    var driver = SessionDriver.started()
    driver.press("'b.txt' space 'sorted' ctrl+t")
    driver.announcements = []
    let inbox = Stage.container("Inbox")
    driver.change(
      .sourceVanished(Stage.source("Sorted", in: "Inbox"), container: inbox),
      .dropPointVanished(Stage.place("Sorted"), container: inbox))
    #expect(driver.hear() == ["Sorted is gone."])
  }

  @Test("K04: while carrying, a folder given that is back takes what is held")
  func carrying() throws {
    var driver = SessionDriver.started()
    let listing = try #require(driver.stage.listings[docs])
    driver.press("'notes' space")
    _ = driver.hear()
    driver.change(.containerVanished(docs))
    #expect(driver.hear().contains { $0.hasPrefix("Docs is gone.") })
    driver.change(.containerAppeared(listing))
    #expect(driver.hear().contains("Docs appeared."))
    #expect(driver.hear("'docs'").last?.hasPrefix("Docs: copy.") == true)
    driver.press("enter")
    #expect(driver.orders.count == 1)
  }

  @Test("H10: Right at a folder given goes to its first place inside, and says how many there are")
  func openAlready() {
    var stage = Stage.inboxAndDocs
    stage.listings[Stage.container("Inbox")]?.dropPoints?[0].canOpen = false
    var driver = SessionDriver.started(stage)
    driver.press("'notes' space 'inbox'")
    let said = driver.hear("right")
    #expect(said == ["Inbox opened: 1 place inside.", "Sorted: move. 1 of 3"])
  }

  @Test("K12: what may not be read stays, named, and what else is held is copied")
  func disallowed() {
    var stage = Stage.inboxAndDocs
    stage.allowed[Stage.source("a.txt", in: "Inbox")] = [.move, .link]
    var driver = SessionDriver.started(stage)
    driver.press("'a.txt' ctrl+t 'b.txt' ctrl+t f5 'docs'")
    #expect(driver.hear("ctrl+d").first?.contains("Refuses a.txt, not permitted.") == true)
    driver.press("enter down enter")
    #expect(driver.orders.first?.items.map(\.name) == ["b.txt"])
    #expect(driver.orders.first?.operation == .copy)
  }
}
