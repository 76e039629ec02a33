import Testing

@testable import KeyDragCore

/// The ordered set of descriptors.
struct RegistryTests {
  private let inbox = ContainerDescriptor(id: ContainerID(1), name: "Inbox")

  private func source(_ id: UInt64, _ name: String = "x", kind: ItemKind = .file)
    -> DragSourceDescriptor
  {
    DragSourceDescriptor(id: DragSourceID(id), name: name, container: inbox.id, kind: kind)
  }

  private func point(_ id: UInt64) -> DropPointDescriptor {
    DropPointDescriptor(id: DropPointID(id), name: "p\(id)", container: inbox.id)
  }

  private func registry(
    _ sources: [DragSourceDescriptor]?, _ points: [DropPointDescriptor]? = []
  ) -> Registry {
    var registry = Registry()
    registry.insert(Listing(container: inbox, sources: sources, dropPoints: points))
    return registry
  }

  private func ids(_ registry: Registry) -> [UInt64]? {
    registry[inbox.id]?.sources?.map(\.id.rawValue)
  }

  @Test("Not known is not the same as nothing there, and one change does not make it known")
  func unknownIsNotEmpty() {
    var unknown = registry(nil, nil)
    #expect(ids(unknown) == nil)
    let applied1 = unknown.apply(.sourceAppeared(source(1), index: 0))
    #expect(!applied1)
    let applied2 = unknown.apply(.dropPointAppeared(point(1), index: 0))
    #expect(!applied2)
    #expect(ids(unknown) == nil)
    var empty = registry([])
    #expect(ids(empty) == [])
    let applied3 = empty.apply(.sourceAppeared(source(1), index: 0))
    #expect(applied3)
    #expect(ids(empty) == [1])
  }

  @Test("Before its listing has come, a container is being read; after it, it is empty")
  func sayings() {
    var stage = Stage()
    stage.folder("Inbox", [])
    var driver = SessionDriver(stage)
    driver.holdsAnswers = true
    driver.give(.start)
    #expect(driver.hear("down").isEmpty, "a quick key is kept for the listing")
    driver.announcements = []
    driver.give(.timer(.asking(RequestID(1))))
    #expect(driver.announcements.map(Phrasebook().text) == ["Inbox is being read."])
    driver.holdsAnswers = false
    driver.answerAll()
    #expect(driver.hear("down") == ["Inbox is empty."])
  }

  @Test("A container that can't be read says why, each time")
  func unreadable() {
    var driver = SessionDriver(.inboxAndDocs)
    driver.stage.listings[Stage.container("Inbox")] = nil
    driver.give(.start)
    driver.announcements = []
    #expect(
      driver.hear("down") == ["Inbox can't be opened. Not permitted. Its owner can change that."])
    #expect(driver.session.fatalReason == .notPermitted)
    #expect(!driver.session.hasNoContainer, "the other one can be read")
  }

  @Test(
    "Sources keep their order as they appear, change and vanish",
    arguments: [
      (-4, [9, 1, 2, 3]), (0, [9, 1, 2, 3]), (2, [1, 2, 9, 3]), (3, [1, 2, 3, 9]),
      (99, [1, 2, 3, 9]),
    ] as [(Int, [UInt64])])
  func appears(index: Int, expected: [UInt64]) {
    var registry = registry([source(1), source(2), source(3)])
    let applied4 = registry.apply(.sourceAppeared(source(9), index: index))
    #expect(applied4)
    #expect(ids(registry) == expected)
  }

  @Test("One that appears again is moved, not doubled")
  func appearsAgain() {
    var registry = registry([source(1), source(2), source(3)])
    let applied5 = registry.apply(.sourceAppeared(source(1, "new name"), index: 2))
    #expect(applied5)
    #expect(ids(registry) == [2, 3, 1])
    #expect(registry[inbox.id]?.sources?.last?.name == "new name")
    let applied6 = registry.apply(.dropPointAppeared(point(5), index: 0))
    #expect(applied6)
    let applied7 = registry.apply(.dropPointAppeared(point(5), index: 0))
    #expect(applied7)
    #expect(registry[inbox.id]?.dropPoints?.count == 1)
  }

  @Test("Changes of what is not registered change nothing")
  func unknownChanges() {
    var registry = registry([source(1)])
    let elsewhere = ContainerID(7)
    let applied8 = registry.apply(.sourceVanished(DragSourceID(5), container: inbox.id))
    #expect(!applied8)
    let applied9 = registry.apply(.sourceVanished(DragSourceID(1), container: elsewhere))
    #expect(!applied9)
    let applied10 = registry.apply(.dropPointVanished(DropPointID(1), container: inbox.id))
    #expect(!applied10)
    let applied11 = registry.apply(.containerVanished(elsewhere))
    #expect(!applied11)
    let other = ContainerDescriptor(id: elsewhere, name: "Other")
    let applied12 = registry.apply(
      .replaced(Listing(container: other, sources: [], dropPoints: [])))
    #expect(!applied12)
    #expect(ids(registry) == [1])
    #expect(registry.entries.count == 1)
  }

  @Test("A container that appears stands behind all others; one that is there is filled anew")
  func containerAppears() {
    var registry = registry([source(1)])
    let other = ContainerDescriptor(id: ContainerID(7), name: "Other", app: "Elsewhere")
    registry.apply(.containerAppeared(Listing(container: other, sources: nil, dropPoints: [])))
    #expect(registry.entries.keys.last == ContainerID(7))
    registry.apply(
      .containerAppeared(Listing(container: other, sources: nil, dropPoints: [point(9)])))
    #expect(registry.entries.keys.last == ContainerID(7))
    #expect(registry[ContainerID(7)]?.dropPoints?.map(\.id) == [DropPointID(9)])
  }

  @Test("Counts follow every change")
  func counts() {
    var registry = registry([source(1), source(2, kind: .folder)])
    #expect(registry[inbox.id]?.counts == ItemCounts(files: 1, folders: 1))
    registry.apply(.sourceAppeared(source(3, kind: .folderLink), index: 0))
    registry.apply(.sourceAppeared(source(1, kind: .folder), index: 0))
    #expect(registry[inbox.id]?.counts == ItemCounts(files: 0, folders: 3))
    registry.apply(.sourceVanished(DragSourceID(2), container: inbox.id))
    #expect(registry[inbox.id]?.counts == ItemCounts(files: 0, folders: 2))
  }

  @Test("A container keeps its place when it is listed anew, and stands behind another when asked")
  func containerOrder() {
    var registry = Registry()
    for id in [1, 2, 3] as [UInt32] {
      registry.insert(listing(id))
    }
    registry.insert(listing(4), after: ContainerID(1))
    registry.insert(listing(3), after: ContainerID(1))
    #expect(registry.entries.keys.map(\.rawValue) == [1, 4, 2, 3])
  }

  @Test("Containers that enclose one another in a circle are listed once each")
  func enclosingCircle() {
    var registry = Registry()
    registry.insert(listing(1, in: 2))
    registry.insert(listing(2, in: 1))
    #expect(registry.enclosing(ContainerID(1)).map(\.rawValue) == [1, 2])
  }

  @Test("K04: focus stays on its item while others come and go, and goes to the next when it goes")
  func focusFollows() {
    var driver = SessionDriver.started()
    driver.press("'b.txt'")
    let inbox = Stage.container("Inbox")
    driver.change(.sourceVanished(Stage.source("Sorted", in: "Inbox"), container: inbox))
    #expect(driver.session.state.item == "b.txt")
    let new = DragSourceDescriptor(
      id: DragSourceID(77), name: "0.txt", container: inbox, kind: .file)
    driver.change(.sourceAppeared(new, index: 0))
    #expect(driver.session.state.item == "b.txt")
    driver.announcements = []
    driver.change(.sourceVanished(Stage.source("b.txt", in: "Inbox"), container: inbox))
    #expect(driver.hear() == ["b.txt is gone. Now at notes.txt."])
    for name in ["notes.txt", "a.txt"] {
      driver.change(.sourceVanished(Stage.source(name, in: "Inbox"), container: inbox))
    }
    driver.change(.sourceVanished(DragSourceID(77), container: inbox))
    #expect(driver.session.state.item == nil)
    #expect(driver.hear("down") == ["Inbox is empty."])
  }

  @Test("K04: a folder that vanishes while one is in it leaves one in the folder around it")
  func enteredFolderVanishes() {
    var driver = SessionDriver.started()
    driver.press("home right")
    #expect(driver.session.state.container == "Sorted")
    driver.announcements = []
    driver.change(.containerVanished(Stage.container("Sorted")))
    #expect(driver.hear() == ["Sorted is gone. Now at Inbox."])
    // What is gone is not where one is now.
    driver.change(.containerVanished(Stage.container("Inbox")))
    #expect(driver.hear() == ["Inbox is gone."])
    #expect(driver.session.state.container == "Inbox")
  }

  @Test("A folder that leads back to one around it goes back there instead of deeper")
  func loop() {
    var stage = Stage.inboxAndDocs
    stage.insides[Stage.source("Old", in: "Sorted")] = Stage.container("Inbox")
    var driver = SessionDriver.started(stage)
    driver.press("home right right")
    #expect(driver.session.state.container == "Inbox")
    #expect(driver.hear("left") == ["This is the top folder."])
  }

  private func listing(_ id: UInt32, in enclosing: UInt32? = nil) -> Listing {
    Listing(
      container: ContainerDescriptor(
        id: ContainerID(id), name: "\(id)", enclosing: enclosing.map { ContainerID($0) }),
      sources: [], dropPoints: [])
  }
}
