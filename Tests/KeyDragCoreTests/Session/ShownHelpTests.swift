import KeyDragCore
import Testing

/// How long the help is to be seen: who does not hear it reads it at leisure.
struct ShownHelpTests {
  private func driver() -> SessionDriver {
    var settings = Session.Settings()
    settings.asksOnArrival = true
    settings.finderKey = KeyStroke(.function(4))
    var driver = SessionDriver(.desktop, settings: settings)
    for window in driver.stage.windows { driver.register(window) }
    driver.give(.start)
    driver.focus("Files", marked: "notes.txt")
    driver.command(.pickUp)
    driver.announcements = []
    return driver
  }

  private func shown(_ driver: SessionDriver) -> [String] {
    driver.session.screen(height: 1, top: 0, phrases: Phrasebook(), message: "").help
  }

  @Test("F1: a line for each key is to be seen, the same as is said")
  func lines() {
    var driver = driver()
    #expect(shown(driver) == [])
    driver.press("f1")
    let lines = shown(driver)
    #expect(lines.first == "Tab: next place.")
    #expect(lines.last == "F4: go to a place by its name.")
    #expect(driver.hear() == [lines.joined(separator: " ")])
  }

  @Test(
    "It goes with the next key, whether or not that says something",
    arguments: [
      .command(.silence), .command(.nextDropPoint), .command(.cancel), .typeAhead("x"),
      .unknownKey(KeyStroke(.function(11))), .finding,
    ] as [SessionInput])
  func nextKey(input: SessionInput) {
    var driver = driver()
    driver.press("f1")
    driver.give(input)
    #expect(shown(driver) == [])
  }

  @Test("It is to be seen again when it is said again, and stays where nothing is told")
  func again() {
    var driver = driver()
    driver.press("f1")
    let lines = shown(driver)
    driver.give(.resized(rows: 5))
    #expect(shown(driver) == lines)
    driver.press("f3")
    #expect(shown(driver) == lines)
    driver.press("f12 f3")
    #expect(shown(driver) == lines)
  }

  @Test("It goes as soon as something else is told")
  func news() {
    var driver = driver()
    driver.press("f1")
    driver.give(.report(.problem(.noSoundDevice)))
    #expect(shown(driver) == [])
  }
}
