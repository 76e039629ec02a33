import Testing

@testable import KeyDragCore

/// The reasons why places refuse, each within reach.
struct RefusalTests {
  private func full() -> SessionDriver {
    var stage = Stage()
    stage.folder("Inbox", ["a.txt", "b.txt"])
    stage.folder("tmp", [])
    stage.folder("Docs", ["Reports/"])
    stage.proposals[Stage.place("tmp")] = .refused(.noSpace)
    stage.proposals[Stage.place("Docs")] = .refused(.readOnly)
    stage.proposals[Stage.place("Reports")] = .refused(.readOnly)
    stage.tasks = [Stage.trash]
    return .started(stage)
  }

  @Test("K05: where nothing accepts, the reason that most places give is said with its place")
  func reason() {
    var driver = full()
    #expect(
      driver.hear("space") == [
        "No place here accepts this item. At 2 places: it is read-only. "
          + "F8 walks the places that refuse. F9 offers: trash."
      ])
    driver.stage.proposals[Stage.place("Docs")] = .refused(.samePlace)
    driver.stage.proposals[Stage.place("Reports")] = .refused(.samePlace)
    #expect(
      driver.hear("space") == [
        "No place here accepts this item. tmp: not enough space. "
          + "F8 walks the places that refuse. F9 offers: trash."
      ])
    #expect(driver.isBrowsing)
  }

  @Test("K05: F8 walks the places that refuse, each with its reason, and Enter drops on none")
  func walk() {
    var driver = full()
    driver.press("space")
    #expect(
      driver.hear("f8") == [
        "Picked up a.txt. No place here accepts this item. "
          + "Tab walks, Enter drops, Escape cancels.",
        "Inbox: refuses, it is there already. 1 of 4",
      ])
    #expect(driver.hear("tab") == ["tmp: refuses, not enough space. 2 of 4"])
    #expect(driver.hear("enter").count == 1)
    #expect(driver.session.state.phase == .carrying)
    #expect(driver.hear("tab") == ["Docs: refuses, it is read-only. 3 of 4"])
    #expect(driver.hear("tab tab").last == "Trash: move to the trash.")
    #expect(driver.hear("escape") == ["Cancelled. Back at a.txt."])
    #expect(driver.orders.isEmpty)
  }

  @Test("K05, S14: Ctrl+D again lists what is held, each item with what the place says to it")
  func list() {
    var stage = Stage.inboxAndDocs
    stage.proposals[Stage.place("Sorted")] = DropProposal(.some(refused: [1: .tooLarge]))
    var driver = SessionDriver.started(stage)
    driver.press("'a.txt' ctrl+t 'b.txt' ctrl+t space")
    _ = driver.hear()
    #expect(driver.hear("ctrl+d").first?.hasPrefix("Accepts a.txt. Refuses b.txt") == true)
    #expect(driver.hear("ctrl+d") == ["At Sorted, 2 items.", "a.txt, accepted. 1 of 2"])
    #expect(
      driver.hear("down") == ["b.txt, refused, it is too large for that disk. 2 of 2"])
    #expect(driver.hear("a") == ["a.txt, accepted. 1 of 2"])
    #expect(driver.hear("enter") == ["Still holding 2 items."])
    #expect(driver.session.state.phase == .carrying)
    #expect(driver.orders.isEmpty)
    #expect(driver.hear("shift+tab ctrl+d ctrl+d").last == "a.txt. 1 of 2")
    #expect(driver.hear("escape") == ["Still holding 2 items."])
  }

  @Test("S14, H11: of more than three items Ctrl+D lists all at once, and F2 at the second time")
  func listAtOnce() {
    var stage = Stage()
    stage.folder("Inbox", ["a.txt", "b.txt", "c.txt", "d.txt"])
    stage.folder("Docs", [])
    var driver = SessionDriver.started(stage)
    driver.press("ctrl+a space")
    #expect(driver.hear("ctrl+d") == ["At Docs, 4 items.", "a.txt, accepted. 1 of 4"])
    #expect(driver.hear("end") == ["d.txt, accepted. 4 of 4"])
    #expect(driver.hear("escape") == ["Still holding 4 items."])
    #expect(driver.hear("f2").first?.hasSuffix("Holding a.txt, b.txt and 2 more.") == true)
    #expect(driver.hear("f2").last == "a.txt, accepted. 1 of 4")
    #expect(driver.hear("enter") == ["Still holding 4 items."])
    #expect(driver.orders.isEmpty)
  }

  private func unreadable(_ names: String..., withholding operation: DragOperation = .copy)
    -> SessionDriver
  {
    var stage = Stage()
    stage.folder("Inbox", ["a.txt", "b.txt"])
    stage.folder("Docs", [])
    for name in names {
      stage.disallowed[Stage.source(name, in: "Inbox")] = [
        operation: operation == .copy ? .unreadable : .notRemovable
      ]
    }
    return .started(stage)
  }

  @Test("H02, H06: one file that can't be read leaves the copy of the others a copy")
  func copyStaysCopy() {
    var driver = unreadable("a.txt")
    #expect(driver.hear("ctrl+a space").last == "Docs: copy only 1 of 2. 1 of 1")
    #expect(driver.hear("ctrl+d") == ["Accepts b.txt. Refuses a.txt, you may not read it."])
    driver.press("enter down enter")
    #expect(driver.orders.map(\.operation) == [.copy])
    #expect(driver.orders.first?.items.map(\.name) == ["b.txt"])
  }

  @Test(
    "H06: a wish that no item allows is refused with its own reason, one that some allow is not")
  func wishes() {
    var none = unreadable("a.txt", withholding: .move)
    none.press("space")
    #expect(none.hear("f6") == ["Can't move here. It can't be removed from its folder."])
    var some = unreadable("a.txt")
    some.press("ctrl+a space f6 f6")
    #expect(some.hear("f5") == ["Copy."])
    #expect(some.hear("f2").last == "Docs: copy only 1 of 2. Holding a.txt and b.txt.")
  }

  @Test(
    "H06: what can't be copied is not moved instead, by default or by a wish that can't be had",
    arguments: ["space enter", "space f5 enter", "f5 enter", "space f8 tab f5 enter"])
  func noOtherOperation(keys: String) {
    var driver = unreadable("a.txt")
    let heard = driver.hear(keys)
    #expect(heard.contains { $0.contains("You may not read it.") }, "\(heard)")
    #expect(driver.orders.isEmpty)
    // Who wants a move can have it.
    driver.press("escape escape")
    driver.press("f6 enter")
    #expect(driver.orders.map(\.operation) == [.move])
  }

  @Test("K05: what can't be taken out of its folder is told so, and its own folder is not blamed")
  func notRemovable() {
    var driver = unreadable("a.txt", "b.txt", withholding: .move)
    driver.stage.proposals[Stage.place("Inbox")] = .refused(.notPermitted)
    #expect(
      driver.hear("f6") == [
        "No place here accepts this item. It can't be removed from its folder. "
          + "F8 walks the places that refuse. F5 copies instead."
      ])
  }

  @Test("K05: after a step Ctrl+D says what the next place takes, and lists nothing")
  func step() {
    var driver = full()
    driver.press("f8 tab ctrl+d tab")
    #expect(driver.hear("ctrl+d") == ["Accepts none. Refuses a.txt, it is read-only."])
    #expect(driver.session.state.phase == .carrying)
  }
}
