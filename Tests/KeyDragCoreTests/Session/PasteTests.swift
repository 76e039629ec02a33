import Testing

@testable import KeyDragCore

/// Files that are pasted by their paths.
struct PasteTests {
  private func driver() -> SessionDriver {
    var stage = Stage.inboxAndDocs
    stage.folder("Pasted", ["one.txt", "two.txt"])
    // It is a folder that nobody was given.
    stage.roots.removeLast()
    var settings = Session.Settings()
    settings.isInFolders = true
    return .started(stage, settings: settings)
  }

  @Test("H11: files that are pasted are held at once, and dropped like any other")
  func held() {
    var driver = driver()
    driver.give(.places(["one.txt", "two.txt"]))
    #expect(driver.hear().first?.hasPrefix("Picked up 2 ") == true)
    #expect(driver.session.state.carried == 2)
    driver.press("'docs'")
    #expect(driver.session.state.verdict?.operation == .copy)
    driver.press("enter")
    #expect(driver.hear().contains { $0.hasPrefix("Copied") })
  }

  @Test("K22: who cancels what was pasted is where they were, and hears that")
  func cancelled() {
    var driver = driver()
    driver.press("'notes'")
    driver.give(.places(["one.txt"]))
    #expect(driver.hear("escape") == ["Cancelled. Now at notes.txt."])
  }

  @Test("H11: Ctrl+V holds what was copied elsewhere; held down, it changes nothing more")
  func clipboard() {
    var driver = driver()
    driver.stage.clipboard = .success(["one.txt", "two.txt"])
    driver.press("ctrl+v")
    #expect(driver.hear().first?.hasPrefix("Picked up 2 ") == true)
    for _ in 0..<60 { driver.press("ctrl+v") }
    #expect(driver.session.state.carried == 2)
    #expect(driver.orders.isEmpty)
  }

  @Test(
    "H11: what was cut elsewhere is held to be moved, and that is said", arguments: [true, false])
  func cut(isCut: Bool) {
    var driver = driver()
    driver.stage.clipboard = .success(["one.txt"])
    driver.stage.isCut = isCut
    let said = driver.hear("ctrl+v").joined(separator: " ")
    #expect(said.contains(isCut ? "Inbox: move." : "Inbox: copy."), "\(said)")
    driver.press("'docs'")
    #expect(driver.session.state.verdict?.operation == (isCut ? .move : .copy))
  }

  @Test(
    "Ctrl+V says why there is nothing to paste, and what to do without a clipboard",
    arguments: [
      (Reason.emptyClipboard, "Nothing to pick up. The clipboard is empty."),
      (
        .noClipboard,
        "Nothing to pick up. The clipboard can't be reached. Paste with the keys of your terminal,"
          + " often Ctrl+Shift+V."
      ),
    ])
  func noClipboard(reason: Reason, said: String) {
    var driver = driver()
    driver.stage.clipboard = .failure(reason)
    #expect(driver.hear("ctrl+v") == [said])
    #expect(driver.isBrowsing)
    driver.press("'notes' space ctrl+t")
    #expect(driver.hear("ctrl+v") == [said])
    #expect(driver.carried == ["notes.txt"])
  }

  @Test("A clipboard that is read slowly is not said to be held")
  func slow() throws {
    var driver = driver()
    driver.holdsAnswers = true
    driver.press("ctrl+v")
    let id = try #require(driver.requests.first?.id)
    driver.give(.timer(.asking(id)))
    #expect(driver.hear() == ["Clipboard is being read."])
    driver.answerAll()
    #expect(driver.hear() == ["Nothing to pick up. The clipboard is empty."])
  }

  @Test("K16: outside folders Ctrl+V is an unknown key")
  func elsewhere() {
    var driver = SessionDriver.started()
    driver.press("ctrl+v")
    #expect(driver.ids() == ["unknown-key"])
  }

  @Test("A paste that is too long is not dropped in silence")
  func tooLong() {
    var driver = driver()
    driver.give(.tooLongPaste)
    #expect(driver.hear() == ["Nothing to pick up. It is too large."])
  }

  @Test("H20: what is held is put into the clipboard like any other place, and from the actions")
  func toClipboard() {
    var driver = driver()
    driver.stage.tasks = [Stage.trash, Stage.clipboardPlace]
    driver.press("'notes' space")
    #expect(driver.hear("'clip'") == ["Clipboard: copy."])
    #expect(driver.hear("enter") == ["Copied notes.txt to Clipboard. Now at b.txt."])
    driver.press("'a.txt' f9 'copy_to_the' enter")
    #expect(driver.orders.map(\.operation) == [.copy, .copy])
    #expect(driver.orders.map(\.stop.point) == [Stage.clipboardPlace.id, Stage.clipboardPlace.id])
  }

  @Test("K23: a paste while carrying begins no second drag, and adds while adding")
  func second() {
    var driver = driver()
    driver.press("'notes' space")
    _ = driver.hear()
    driver.give(.places(["one.txt"]))
    #expect(driver.hear().first?.hasSuffix("Holding notes.txt.") == true)
    #expect(driver.session.state.carried == 1)
    driver.press("ctrl+t")
    driver.give(.places(["one.txt"]))
    #expect(driver.session.state.carried == 2)
    #expect(driver.session.state.phase == .carrying)
  }

  @Test("K25: a paste answers no question")
  func question() {
    var driver = driver()
    driver.press("'notes' f9")
    let asked = driver.hear().last
    driver.give(.places(["one.txt"]))
    #expect(driver.hear() == [asked])
    #expect(driver.session.state.phase == .confirming)
  }

  @Test("What is pasted into a line is its text")
  func line() {
    var driver = driver()
    #expect(driver.session.acceptsPastedPaths)
    driver.press("ctrl+o")
    #expect(!driver.session.acceptsPastedPaths)
  }

  @Test("A path that leads to nothing is said by its name")
  func missing() {
    var driver = driver()
    driver.give(.places(["three.txt"]))
    #expect(driver.hear() == ["it can't be picked up. It is gone."])
    #expect(driver.isBrowsing)
  }
}
