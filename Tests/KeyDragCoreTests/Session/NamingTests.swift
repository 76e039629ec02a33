import Testing

@testable import KeyDragCore

/// Names that are typed for a drop, and the places behind those that are shown.
struct NamingTests {
  private var settings: Session.Settings {
    var settings = Session.Settings()
    settings.isInFolders = true
    return settings
  }

  private func started(_ stage: Stage) -> SessionDriver {
    SessionDriver.started(stage, settings: settings)
  }

  /// Carries a.txt, where a new folder and the trash take things, too.
  private func carrying() -> SessionDriver {
    var stage = Stage.inboxAndDocs
    stage.tasks = [Stage.newFolder, Stage.trash]
    var driver = started(stage)
    driver.press("'a.txt' space")
    _ = driver.hear()
    return driver
  }

  @Test("H05: a new folder is a place behind the others; its name is typed, then all goes into it")
  func intoNew() {
    var driver = carrying()
    #expect(driver.hear("'new'").last == "New folder in Docs…: copy.")
    #expect(driver.hear("enter") == ["Name of the new folder in Docs."])
    #expect(driver.orders.isEmpty)
    driver.press("'Trip' enter")
    #expect(driver.orders.map(\.newName) == ["Trip"])
    #expect(driver.hear().last?.hasPrefix("Copied a.txt to Trip.") == true)
  }

  @Test(
    "K18: a folder that a drop makes is not said to have appeared, one that somebody makes is",
    arguments: ["Trip", "Trip\t"])
  func madeFolder(name: String) {
    var driver = carrying()
    driver.press("'new' enter '\(name)' enter")
    _ = driver.hear()
    func appear(_ name: String, _ number: UInt64) -> [String] {
      driver.change(
        .sourceAppeared(
          DragSourceDescriptor(
            id: DragSourceID(number), name: name, container: Stage.container("Inbox"), kind: .folder
          ), index: 0))
      for _ in 0..<3 { driver.give(.timer(.appearing)) }
      return driver.hear()
    }
    #expect(appear(SpokenName.file(name), 7001).isEmpty)
    #expect(appear("Trap", 7002) == ["Trap appeared."])
  }

  @Test("K02: in a name that is typed, keys for lines read it", arguments: ["up", "down"])
  func line(key: String) {
    var driver = carrying()
    driver.press("'new' enter")
    _ = driver.hear()
    #expect(driver.hear(key) == ["Nothing is here."])
    driver.press("'Trip'")
    _ = driver.hear()
    #expect(driver.hear(key) == ["Trip."])
  }

  @Test(
    "H08: undo while a name is typed says what is typed, or what is asked", arguments: ["z", "y"])
  func undoInLine(key: String) {
    var driver = carrying()
    driver.press("'new' enter")
    _ = driver.hear()
    #expect(driver.hear("ctrl+\(key)") == ["Name of the new folder in Docs."])
    driver.press("'Trip'")
    _ = driver.hear()
    #expect(driver.hear("ctrl+\(key)") == ["Trip."])
  }

  @Test("K02: Tab reaches a new folder behind all places, and none of them counts it")
  func walked() {
    var driver = carrying()
    let walk = (0..<4).map { _ in driver.hear("tab").last ?? "" }
    #expect(walk[0].hasSuffix("2 of 3") && walk[1].hasSuffix("3 of 3"), "\(walk)")
    #expect(walk.dropFirst(2) == ["New folder in Docs…: copy.", "Trash: move to the trash."])
    // From the other side nothing is farther away than without it.
    #expect(driver.hear("tab").last?.hasPrefix("Back at a.txt") == true)
    #expect(driver.hear("shift+tab") == ["Trash: move to the trash."])
  }

  @Test("K02: the key of new folders goes to the one of the container at hand")
  func key() {
    var stage = Stage.inboxAndDocs
    stage.tasks = [Stage.newFolder, Stage.trash]
    var driver = started(stage)
    driver.press("'a.txt' space")
    driver.press("'reports'")
    #expect(driver.hear("ctrl+k") == ["Name of the new folder in Docs."])
    driver.press("'Trip' enter")
    #expect(driver.orders.map(\.newName) == ["Trip"])
  }

  @Test("K02: its key is of the folder that was opened while carrying, and of no other")
  func keyElsewhere() {
    var stage = Stage.inboxAndDocs
    stage.folder("Far", in: "Away", [])
    stage.folder("Near", in: "Away", [])
    stage.paths = ["/far": "Far", "/near": "Near"]
    let far = Stage.container("Far")
    stage.listings[far]?.newFolder = DropPointDescriptor(
      id: DropPointID(6), name: "New folder in Far…", container: far, leadsTo: far,
      task: .newFolder)
    stage.tasks = [Stage.newFolder, Stage.trash]
    var driver = started(stage)
    driver.press("'a.txt' space ctrl+o '/far' enter")
    _ = driver.hear()
    #expect(driver.hear("ctrl+k") == ["Name of the new folder in Far."])
    driver.press("escape ctrl+o '/near' enter")
    _ = driver.hear()
    #expect(driver.hear("ctrl+k").first?.contains("New folder in") == false)
    #expect(driver.session.state.dropPoint == "Near")
    #expect(driver.carried == ["a.txt"])
  }

  @Test("K14: Escape at a new folder's name leads back to where its key was pressed")
  func keyLeft() {
    var stage = Stage.inboxAndDocs
    stage.tasks = [Stage.newFolder, Stage.trash]
    stage.finalProposals[Stage.newFolder.id] = .refused(.nameExists)
    var driver = started(stage)
    driver.press("'a.txt' space 'reports' ctrl+k escape")
    #expect(driver.session.state.dropPoint == "Reports")
    driver.press("ctrl+k 'Trip' enter")
    #expect(driver.hear().contains { $0.hasPrefix("Trip can't be the name.") })
    driver.press("escape")
    #expect(driver.session.state.dropPoint == "Reports")
  }

  @Test("H05: the key of new folders works where a filter hides their places")
  func keyFiltered() {
    var stage = Stage.inboxAndDocs
    stage.tasks = [Stage.newFolder, Stage.trash]
    stage.finalProposals[Stage.newFolder.id] = .refused(.nameExists)
    var driver = started(stage)
    driver.press("'a.txt' space / 'reports' enter")
    _ = driver.hear()
    #expect(driver.hear("ctrl+k") == ["Name of the new folder in Docs."])
    driver.press("'Trip' enter")
    #expect(driver.hear().contains { $0.hasPrefix("Trip can't be the name.") })
    driver.stage.finalProposals = [:]
    driver.press("'Tour' enter")
    #expect(driver.orders.map(\.newName) == ["Tour"])
    driver.stage.proposals[Stage.newFolder.id] = .refused(.readOnly)
    driver.press("'b.txt' space / 'reports' enter")
    _ = driver.hear()
    #expect(driver.hear("ctrl+k").last?.hasPrefix("New folder in Docs…: refuses") == true)
  }

  @Test("H05: a folder's name that is taken is said, and asked for again; Escape holds everything")
  func takenFolder() {
    var stage = Stage.inboxAndDocs
    stage.tasks = [Stage.newFolder]
    stage.finalProposals[Stage.newFolder.id] = .refused(.nameExists)
    var driver = started(stage)
    driver.press("'a.txt' space 'new' enter 'Trip' enter")
    #expect(driver.hear().contains { $0.hasPrefix("Trip can't be the name.") })
    #expect(driver.session.isTyping)
    #expect(driver.hear("escape") == ["Still holding 1 item."])
    #expect(driver.orders.isEmpty)
  }

  @Test("K25: sixty Enters at a new folder make none")
  func held() {
    var stage = Stage.inboxAndDocs
    stage.tasks = [Stage.newFolder]
    var driver = started(stage)
    driver.press("'a.txt' space 'new'")
    for _ in 0..<60 { driver.press("enter") }
    #expect(driver.orders.isEmpty)
  }

  @Test("H08: a name that exists can be answered with another one, which must be free")
  func anotherName() {
    var stage = Stage.inboxAndDocs
    let clash = DropProposal(.all, predictions: [.nameClash(["a.txt"])])
    stage.finalProposals[Stage.place("Docs")] = clash
    var driver = started(stage)
    driver.press("'a.txt' space f5 'docs' enter")
    _ = driver.hear()
    #expect(driver.hear("'rename'").last == "Rename…, you type its name. 4 of 5")
    #expect(driver.hear("enter").first == "New name of a.txt.")
    driver.press("'b.txt' enter")
    #expect(driver.hear().contains { $0.hasPrefix("b.txt can't be the name.") })
    driver.stage.finalProposals = [:]
    driver.press("'c.txt' enter")
    #expect(driver.orders.map(\.newName) == ["c.txt"])
    #expect(driver.orders.map(\.clash) == [.fail])
  }

  @Test("K12: shortcuts come behind all places, after a word, and count nowhere")
  func shortcuts() {
    var stage = Stage.inboxAndDocs
    stage.tasks = [Stage.trash, Stage.music]
    var driver = started(stage)
    #expect(driver.hear("'a.txt' space").contains { $0.contains("3 places.") })
    #expect(driver.hear("'music'").last == "Other places. Music: copy.")
    #expect(driver.session.state.index == nil)
    #expect(driver.hear("shift+tab").last?.hasPrefix("Reports") == true)
    #expect(driver.hear("tab").last == "Other places. Music: copy.")
    #expect(driver.hear("tab").last?.hasPrefix("Trash") == true)
    #expect(driver.hear("tab").last?.hasPrefix("Back at a.txt") == true)
    driver.press("shift+tab shift+tab enter")
    #expect(driver.orders.map(\.stop.point) == [Stage.music.id])
  }

  @Test("K05: where only other folders accept, they are counted, and walked before the trash")
  func onlyOtherFolders() {
    var stage = Stage()
    stage.folder("Inbox", ["a.txt"])
    stage.tasks = [Stage.trash, Stage.newFolder, Stage.music]
    var driver = started(stage)
    let heard = driver.hear("'a.txt' space")
    #expect(heard[heard.count - 2].contains("2 places."), "\(heard)")
    #expect(heard.last?.hasPrefix("New folder in Docs…") == true, "\(heard)")
    #expect(driver.walk(by: "tab") == ["New folder in Docs…", "Music", "Trash"])
  }

  @Test("K05: where there is the trash alone, nothing accepts, and nothing is held")
  func nothingAccepts() {
    var stage = Stage()
    stage.folder("Inbox", ["a.txt"])
    stage.tasks = [Stage.trash]
    var driver = started(stage)
    #expect(driver.hear("'a.txt' space").last?.contains("F9 offers: trash.") == true)
    #expect(driver.isBrowsing)
  }

  @Test("H08: the new folder in one that is gone goes with it")
  func newFolderGoes() {
    var stage = Stage.inboxAndDocs
    stage.tasks = [Stage.newFolder, Stage.trash]
    var driver = started(stage)
    driver.press("'a.txt' space 'new'")
    #expect(driver.session.state.dropPoint == "New folder in Docs…")
    driver.announcements = []
    driver.change(.containerVanished(Stage.container("Docs")))
    #expect(driver.hear().contains { $0.contains("gone") })
    #expect(driver.session.state.dropPoint == "Sorted")
    #expect(!driver.walk(by: "tab").contains("New folder in Docs…"))
  }

  @Test("H02: what can't be moved out of its folder is told to be copied by F5")
  func copiesInstead() {
    var stage = Stage.inboxAndDocs
    let source = Stage.source("a.txt", in: "Inbox")
    stage.allowed[source] = [.copy, .link]
    stage.disallowed[source] = [.move: .notPermitted]
    var driver = started(stage)
    #expect(driver.hear("'a.txt' f6").last?.hasSuffix("F5 copies instead.") == true)
    #expect(driver.hear("f5").contains { $0.hasPrefix("Picked up a.txt.") })
  }

  @Test("Size and date stand beside what is in sight, and are asked for again after a change")
  func columns() {
    var driver = started(.inboxAndDocs)
    let rows = driver.session.screen(height: 5, top: 0, phrases: Phrasebook(), message: "").rows
    #expect(rows.map(\.columns) == ["", "", "", ""])
    driver.give(.shown(rows.compactMap(\.source)))
    let shown = driver.session.screen(height: 5, top: 0, phrases: Phrasebook(), message: "").rows
    #expect(shown.map(\.columns) == Array(repeating: "  1.5 kB  2026-11-21 21:31", count: 4))
    driver.give(.shown(rows.compactMap(\.source)))
    let asked = driver.effects.count { effect in
      if case .request(_, .folders(.measure)) = effect { true } else { false }
    }
    #expect(asked == 1)
  }
}
