import KeyDragCore
import Testing

/// The one line beside the place or the choice that is reached: what is said, to be seen.
struct LabelTests {
  private func label(_ driver: SessionDriver, _ verbosity: Verbosity = .full) -> String? {
    let phrases = Phrasebook(verbosity: verbosity)
    return driver.session.screen(height: 1, top: 0, phrases: phrases, message: "").label
  }

  @Test("A place is shown in the order in which it is said, with its number")
  func place() {
    var driver = SessionDriver.carrying()
    #expect(driver.hear().last == "Sorted, in Files, Thunar: copy. 1 of 6")
    #expect(label(driver) == "Sorted, in Files: copy. 1 of 6")
    #expect(label(driver, .brief) == "Sorted: copy.")
    #expect(driver.hear("tab") == ["Docs: copy. 2 of 6"])
    #expect(label(driver) == "Docs, in Files: copy. 2 of 6")
  }

  @Test("What a drop would change is shown with the place, at each that it is true of")
  func result() {
    var stage = Stage.desktop
    for name in ["Sorted", "Docs"] {
      stage.proposals[Stage.place(name)] = DropProposal(
        .all, predictions: [.inProgram(isPasted: true, undo: .impossible)])
    }
    var driver = SessionDriver.carrying(stage)
    #expect(driver.hear().last?.contains("Through Paste. Can't be undone.") == true)
    #expect(
      label(driver)
        == "Sorted, in Files: copy. Through Paste. Can't be undone. 1 of 6")
    #expect(driver.hear("tab").last?.contains("Can't be undone.") == false)
    #expect(label(driver)?.contains("Can't be undone.") == true)
  }

  @Test("Back at the source that is shown; before anything is held there is nothing to show")
  func source() {
    var driver = SessionDriver.desktop()
    #expect(label(driver) == nil)
    driver.command(.pickUp)
    while driver.session.state.verdict?.word != .cancel { driver.press("tab") }
    #expect(label(driver) == "Back at notes.txt: a drop here cancels.")
    driver.press("escape")
    #expect(label(driver) == nil)
  }

  @Test("A line of the list between two drags is shown with its number, as it is said")
  func list() {
    var driver = SessionDriver.desktop()
    driver.command(.deliveries)
    #expect(driver.hear().last == "Go to what landed. 1 of 5")
    #expect(label(driver) == "Go to what landed. 1 of 5")
    for line in ["Undo. 2 of 5", "Redo. 3 of 5", "History. 4 of 5", "Quit. 5 of 5"] {
      #expect(driver.hear("down") == [line])
      #expect(label(driver) == line)
    }
  }
}
