import Testing

@testable import KeyDragCore

/// Narrowing what is shown and walked.
struct FilterTests {
  private func driver() -> SessionDriver {
    var stage = Stage()
    stage.folder("Inbox", ["Old reports/", "a.txt", "Réport.txt", "my report.pdf", "z.txt"])
    stage.folder("Docs", ["Reports/", "Pictures/", "Music/"])
    stage.folder("Music", in: "Docs", [])
    stage.tasks = [Stage.trash]
    var settings = Session.Settings()
    settings.isInFolders = true
    return .started(stage, settings: settings)
  }

  @Test(
    "K24: / narrows the items to those with the text anywhere in their names, and says how many")
  func items() {
    var driver = driver()
    #expect(driver.hear("/") == ["Filter: type part of a name."])
    #expect(driver.hear("r") == ["r", "3 matches."])
    #expect(driver.hear("e p o r t .").last == "2 matches.")
    #expect(driver.hear("enter") == ["Réport.txt, 1 of 2"])
    #expect(driver.hear("down") == ["my report.pdf, 2 of 2"])
    #expect(driver.hear("down") == ["Last."])
    #expect(driver.session.state.total == 2)
    #expect(driver.hear("f2").contains("Filter report.: 2 matches."))
    #expect(
      driver.session.screen(height: 9, top: 0, phrases: Phrasebook(), message: "").rows.map(\.name)
        == ["Réport.txt", "my report.pdf"])
  }

  @Test("K22: after a cancel focus is on what was picked up, among those that a filter leaves too")
  func cancelled() {
    var driver = driver()
    driver.press("/ 'report.' enter down space")
    #expect(driver.carried == ["my report.pdf"])
    #expect(driver.hear("escape") == ["Cancelled. Back at my report.pdf."])
    #expect(driver.session.state.item == "my report.pdf")
    #expect(driver.session.state.total == 2)
  }

  @Test("K24: one match is counted as one")
  func oneMatch() {
    var driver = driver()
    #expect(driver.hear("/ z").last == "1 match.")
  }

  @Test("K14: Escape clears an open filter line first; with none open it means what it means")
  func escape() {
    var driver = driver()
    driver.press("'z.txt' / z enter")
    _ = driver.hear()
    #expect(driver.hear("/") == ["Filter: type part of a name.", "z, selected."])
    #expect(driver.hear("escape") == ["Filter off, all 5 shown."])
    #expect(driver.hear("f2").last == "z.txt, 5 of 5")
    driver.press("/ z enter space")
    #expect(driver.session.state.phase == .carrying)
    driver.press("/ 'doc'")
    #expect(driver.hear("escape").last == "Filter off, all 5 shown.", "as Tab walks")
    #expect(driver.session.state.phase == .carrying)
    driver.press("/ 'doc' enter")
    #expect(driver.hear("escape") == ["Cancelled. Back at z.txt."])
    #expect(driver.isBrowsing)
  }

  @Test("K14: Escape while browsing takes off the filter, then the selection")
  func escapeBrowsing() {
    var driver = driver()
    driver.press("ctrl+a / z enter")
    _ = driver.hear()
    #expect(driver.hear("escape").first == "Filter off, all 5 shown.")
    #expect(driver.session.state.selected.count == 5)
    #expect(driver.hear("escape") == ["0 selected.", "z.txt, 5 of 5"])
    #expect(driver.hear("escape") == ["z.txt, 5 of 5"])
  }

  @Test(
    "K02: the walk goes by the places that are left, and nothing drops by the Enter of the line")
  func places() {
    var driver = driver()
    driver.press("'a.txt' space / 'rep'")
    _ = driver.hear()
    #expect(driver.hear("enter") == ["Old reports: move. 1 of 2"])
    #expect(driver.hear("tab") == ["Reports, in Docs: copy. 2 of 2"])
    #expect(driver.hear("tab") == ["Back at a.txt: a drop here cancels."])
    #expect(driver.hear("tab") == ["Old reports, in Inbox: move. 1 of 2"])
    #expect(driver.orders.isEmpty)
    driver.press("enter")
    #expect(driver.orders.first?.stop.point == Stage.place("Old reports"))
  }

  @Test("K24: as many match as the walk counts, and the trash only where no folder does")
  func counts() {
    var driver = driver()
    driver.press("'a.txt' space")
    #expect(driver.hear("/ r").last == "3 matches.", "the trash has an r, too, and is not counted")
    #expect(driver.hear("enter") == ["Old reports: move. 1 of 3"])
    #expect(driver.hear("/ 'tras'").last == "1 match.")
    #expect(driver.hear("enter") == ["Trash: move to the trash."])
    #expect(driver.hear("f2").last == "Filter tras: 1 match.")
  }

  @Test("K24: where only the last stops of the walk match, what refuses is not counted with them")
  func refusingCounts() {
    var driver = driver()
    driver.stage.tasks = [Stage.newFolder]
    driver.stage.proposals[Stage.place("Docs")] = .refused(.readOnly)
    driver.press("'a.txt' space")
    #expect(driver.hear("/ 'docs'").last == "1 match.")
    #expect(driver.hear("enter") == ["New folder in Docs…: copy."])
  }

  @Test("K05: what matches nothing is said, the line stays, and nothing is picked up")
  func nothing() {
    var driver = driver()
    #expect(driver.hear("/ q").last == "Nothing has q in its name.")
    #expect(driver.hear("enter") == ["Nothing has q in its name."])
    #expect(driver.session.state.phase == .confirming)
    driver.press("space")
    #expect(driver.session.state.phase == .confirming)
    #expect(driver.hear("backspace backspace").last == "Filter off, all 5 shown.")
    #expect(driver.hear("enter").last == "Old reports, folder, 1 of 5")
  }

  @Test("K11: all that is shown is selected, and what the filter hides is not")
  func selection() {
    var driver = driver()
    driver.press("/ 'report' enter ctrl+a space")
    #expect(driver.carried == ["Old reports", "Réport.txt", "my report.pdf"])
  }

  @Test("K04: what appears and what vanishes is narrowed as well, and focus follows its item")
  func changes() {
    var driver = driver()
    driver.press("/ 'report' enter end")
    let inbox = Stage.container("Inbox")
    driver.change(
      .sourceAppeared(
        DragSourceDescriptor(
          id: Stage.source("b report", in: "Inbox"), name: "b report", container: inbox,
          kind: .file), index: 2),
      .sourceVanished(Stage.source("a.txt", in: "Inbox"), container: inbox))
    #expect(driver.session.state.item == "my report.pdf")
    #expect(driver.session.state.total == 4)
  }

  @Test("K16: where there are no folders the key has no meaning")
  func elsewhere() {
    var driver = SessionDriver.started()
    #expect(driver.ids() == [])
    #expect(driver.hear("/").first?.hasPrefix("Slash does nothing here.") == true)
    driver.press("space")
    #expect(driver.hear("/").first?.hasPrefix("Slash does nothing here.") == true)
  }
}
