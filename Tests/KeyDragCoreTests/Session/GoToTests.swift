import Testing

@testable import KeyDragCore

/// Above the first folder, to any path, and other names.
struct GoToTests {
  private func driver() -> SessionDriver {
    var stage = Stage.inboxAndDocs
    stage.folder("Home", ["Inbox/", "Docs/", "Far/", "top.txt"])
    stage.roots.removeLast()
    stage.folder("Far", in: "Home", ["Deep/", "far.txt"])
    stage.parents = ["Inbox": "Home", "Docs": "Home"]
    stage.paths = ["../Far": "Far", "/root": nil]
    var settings = Session.Settings()
    settings.isInFolders = true
    return .started(stage, settings: settings)
  }

  @Test(
    "H10: Left in the first folder goes up, onto the folder that was left, and Right comes back")
  func up() {
    var driver = driver()
    #expect(
      driver.hear("left") == ["Home, 4 items.", "Inbox, folder, 1 of 4"])
    #expect(driver.session.state.container == "Home")
    #expect(driver.hear("left") == ["This is the top folder."])
    #expect(driver.hear("right").first?.hasPrefix("Inbox, 4 items") == true)
    #expect(driver.hear("left").first == "Left Inbox.")
    driver.press("end space")
    #expect(driver.carried == ["top.txt"])
  }

  @Test("K02: the folders given stay places when one has gone above them")
  func places() {
    var driver = driver()
    driver.press("left end space")
    var names: Set<String> = []
    for _ in 0..<12 {
      if let name = driver.session.state.dropPoint { names.insert(name) }
      driver.press("tab")
    }
    #expect(names.isSuperset(of: ["Inbox", "Docs", "Sorted", "Far"]), "\(names)")
  }

  @Test("H10: Ctrl+O goes to the folder at a path; Escape and an empty line go nowhere")
  func path() {
    var driver = driver()
    #expect(driver.hear("ctrl+o") == ["Go to: type a path. Tab completes it."])
    #expect(driver.hear("'../Far'") == ["../Far"])
    #expect(driver.hear("enter") == ["Far, 2 items.", "Deep, folder, 1 of 2"])
    #expect(driver.session.state.phase == .browsing)
    #expect(driver.hear("ctrl+o x escape").last == "Back.")
    #expect(driver.hear("ctrl+o enter").last == "Back.")
    #expect(driver.session.state.container == "Far")
  }

  @Test("K05: a path that leads nowhere is said, and the line stays with what was typed")
  func nowhere() {
    var driver = driver()
    driver.press("ctrl+o 'nowhere'")
    _ = driver.hear()
    #expect(driver.hear("enter") == ["nowhere can't be opened. There is nothing."])
    #expect(driver.session.state.phase == .confirming)
    #expect(driver.hear("f2") == ["Go to: type a path. Tab completes it.", "nowhere."])
    #expect(driver.hear("backspace") == ["e"])
  }

  @Test("H10: Tab completes a path as far as it is certain, and says what it can become")
  func completion() {
    var driver = driver()
    driver.stage.completion = PathCompletion(text: "Do", names: ["Docs", "Downloads"], count: 2)
    driver.press("ctrl+o d")
    _ = driver.hear()
    #expect(driver.hear("tab") == ["2 folders begin so: Docs and Downloads."])
    driver.stage.completion = PathCompletion(text: "Docs/", names: ["Docs"], count: 1)
    #expect(driver.hear("c tab") == ["c", "Docs."])
    #expect(driver.session.line?.text == "Docs/")
    driver.stage.completion = PathCompletion(text: "Docs/", names: [], count: 0)
    #expect(driver.hear("tab") == ["No match."])
  }

  @Test("H13: while carrying a path is a place like any other, with its verdict before any drop")
  func dropToPath() {
    var driver = driver()
    driver.press("'a.txt' space ctrl+o '../Far'")
    #expect(driver.hear("enter") == ["Far: copy. 4 of 5"])
    #expect(driver.orders.isEmpty)
    #expect(driver.session.state.phase == .carrying)
    driver.press("enter")
    #expect(driver.orders.first?.stop.point == Stage.place("Far"))
    driver.stage.proposals[Stage.place("Far")] = .refused(.readOnly)
    driver.press("'b.txt' space ctrl+o '../Far'")
    #expect(driver.hear("enter") == ["Far: refuses, it is read-only."])
    driver.press("escape")
    #expect(driver.orders.count == 1)
  }

  @Test("H05: F4 gives another name, Enter takes it, and focus stays with the item")
  func rename() {
    var driver = driver()
    driver.press("'a.txt'")
    _ = driver.hear()
    #expect(driver.hear("f4") == ["New name of a.txt.", "a.txt, selected."])
    driver.press("'c.txt'")
    _ = driver.hear()
    #expect(driver.hear("enter") == ["a.txt is now c.txt."])
    #expect(driver.session.state.phase == .browsing)
    #expect(driver.hear("f4 enter").last == "Back.")
  }

  @Test(
    "H05, H08: after an undo or a redo of a new name one stands on the same item, whichever comes first",
    arguments: [true, false], [true, false])
  func undoneRename(isNews: Bool, comesFirst: Bool) {
    var driver = driver()
    driver.press("'a.txt'")
    _ = driver.hear()
    var entry = HistoryEntry(
      number: 1, operation: .move, names: ["a.txt"], count: 1, place: "Inbox", time: 0,
      isUndone: false)
    entry.formerName = "zz.txt"
    driver.stage.history = .done(entry)
    let inbox = driver.session.browse.container!
    let old = driver.session.focused!.id
    let restored = DragSourceDescriptor(
      id: DragSourceID(999), name: "zz.txt", container: inbox, kind: .file)
    let changes: [RegistryChange] =
      comesFirst
      ? [.sourceAppeared(restored, index: 3), .sourceVanished(old, container: inbox)]
      : [.sourceVanished(old, container: inbox), .sourceAppeared(restored, index: 2)]
    driver.holdsAnswers = true
    driver.press("ctrl+z")
    driver.answerNext()
    if !isNews { driver.answerNext() }
    driver.change(contentsOf: changes)
    if isNews { driver.answerNext() }
    #expect(driver.hear() == ["Undone: renamed zz.txt to a.txt."])
    #expect(driver.session.focused?.name == "zz.txt")
  }

  @Test("H08: where an undo takes away what one stands on, one hears where one stands")
  func undoneHere() {
    var driver = driver()
    driver.press("'a.txt'")
    _ = driver.hear()
    driver.stage.history = .done(
      HistoryEntry(
        number: 1, operation: .copy, names: ["a.txt"], count: 1, place: "Inbox", time: 0,
        isUndone: false))
    let old = driver.session.focused!.id
    #expect(driver.hear("ctrl+z") == ["Took back: a.txt out of Inbox."])
    driver.change(.sourceVanished(old, container: driver.session.browse.container!))
    #expect(driver.hear() == ["b.txt, 2 of 3"])
  }

  @Test("H05: a filter that would hide the new name is taken off, said, and one stays on the item")
  func renamedOutOfFilter() {
    var driver = driver()
    driver.press("/ 'txt' enter f4 'plan'")
    let old = driver.session.state.item
    _ = driver.hear()
    #expect(driver.hear("enter") == ["\(old ?? "") is now plan.", "Filter off, all 4 shown."])
    #expect(driver.session.browse.view?.top.narrowing?.text == nil)
  }

  @Test("H05: where the folder tells of a new name before its outcome, one stays on the item, too")
  func renamedFirst() {
    var driver = driver()
    driver.press("'a.txt' f4 'c.txt'")
    let old = driver.session.focused!.id
    let inbox = driver.session.browse.container!
    driver.holdsAnswers = true
    driver.press("enter")
    driver.give(.report(.changed([.sourceVanished(old, container: inbox)])))
    driver.answerNext()
    driver.change(
      .sourceAppeared(
        DragSourceDescriptor(
          id: driver.session.landed.items[0].source, name: "c.txt", container: inbox, kind: .file),
        index: 2))
    #expect(driver.session.focused?.name == "c.txt")
  }

  @Test(
    "H05: a name that is none is said, and the line stays",
    arguments: ["a/b", "..", String(repeating: "x", count: 256)])
  func badName(name: String) {
    var driver = driver()
    driver.press("'a.txt' f4")
    _ = driver.hear()
    driver.press("'\(name)'")
    let said = driver.hear("enter").first
    #expect(said?.contains("can't be the name") == true)
    #expect(said?.contains("slash") == name.contains("/"))
    #expect(said?.contains("Dots alone stand for a folder.") == (name == ".."))
    #expect(driver.session.line?.text == name)
    #expect(driver.hear("escape") == ["Back."])
    driver.stage.renaming = .nameExists
    driver.press("f4 'b.txt'")
    #expect(
      driver.hear("enter") == [
        "b.txt can't be the name. The name already exists. Rename one of them."
      ])
    #expect(driver.session.state.phase == .confirming)
    driver.stage.renaming = .notPermitted
    #expect(
      driver.hear("enter") == ["Inbox refuses. Not permitted. Its owner can change that."])
  }

  @Test("H05: a folder is blamed for what it refuses, and not for a file that is gone")
  func blame() throws {
    var driver = driver()
    driver.stage.renaming = .gone
    driver.press("'a.txt' f4 'c.txt'")
    _ = driver.hear()
    #expect(driver.hear("enter") == ["Failed: a.txt. It is gone."])
    driver.press("escape")
    driver.stage.renaming = .readOnly
    driver.press("ctrl+k 'New'")
    _ = driver.hear()
    #expect(driver.hear("enter").first?.hasPrefix("Inbox refuses.") == true)
  }

  @Test("H05: Ctrl+K makes a folder in the one shown, and says it")
  func newFolder() {
    var driver = driver()
    #expect(driver.hear("ctrl+k") == ["Name of the new folder in Inbox."])
    #expect(driver.hear("enter") == ["A name can't be empty or have a slash in it."])
    #expect(driver.hear("'New_one' enter") == ["New one", "New folder New one in Inbox."])
    #expect(driver.session.state.phase == .browsing)
    driver.change(
      .sourceAppeared(
        DragSourceDescriptor(
          id: DragSourceID(Stage.id("new New one")), name: "New one",
          container: Stage.container("Inbox"), kind: .folder), index: 0))
    #expect(driver.hear() == [])
    #expect(driver.session.state.item == "New one")
  }
}
