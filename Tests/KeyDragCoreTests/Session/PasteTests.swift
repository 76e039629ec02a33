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
    #expect(driver.session.state.operation == .copy)
    driver.press("enter")
    #expect(driver.hear().contains { $0.hasPrefix("Copied") })
  }

  @Test("K22: who cancels what was pasted is where they were, and hears that")
  func cancelled() {
    var driver = driver()
    driver.press("'notes'")
    driver.give(.places(["one.txt"]))
    #expect(driver.hear("escape") == ["Cancelled.", "notes.txt, 4 of 4"])
  }

  @Test("K23: a paste while carrying begins no second drag, and adds while adding")
  func second() {
    var driver = driver()
    driver.press("'notes' space")
    _ = driver.hear()
    driver.give(.places(["one.txt"]))
    #expect(driver.hear().first?.hasPrefix("Holding notes.txt.") == true)
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
    #expect(driver.session.takesPlaces)
    driver.press("ctrl+o")
    #expect(!driver.session.takesPlaces)
  }

  @Test("A path that leads to nothing is said by its name")
  func missing() {
    var driver = driver()
    driver.give(.places(["three.txt"]))
    #expect(driver.hear() == ["it can't be picked up. It is gone."])
    #expect(driver.isBrowsing)
  }
}
