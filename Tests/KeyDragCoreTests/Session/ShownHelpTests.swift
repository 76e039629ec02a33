import KeyDragCore
import Testing

/// The help as a list: a line at a time for the ear, all of it for who reads at leisure.
struct ShownHelpTests {
  private func driver() -> SessionDriver {
    var settings = Session.Settings()
    settings.hasHome = false
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

  @Test("F1: a line for each key is to be seen, the first one is said, and the arrows walk them")
  func lines() throws {
    var driver = driver()
    #expect(shown(driver) == [])
    driver.press("f1")
    let lines = shown(driver)
    #expect(lines.first == "Tab: next place.")
    #expect(lines.contains("F4: go to a place by its name."))
    let total = lines.count
    #expect(driver.hear() == ["Help.", "\(lines[0]) 1 of \(total)"])
    driver.press("down")
    #expect(driver.hear() == ["\(lines[1]) 2 of \(total)"])
    #expect(shown(driver) == lines)
  }

  @Test("A sentence of help is long enough without its position, and a key's line has it")
  func sentence() {
    let (key, way) = (
      HelpLine.key(KeyStroke(.function(2)), .whereAmI), HelpLine.howTo(.nameClash, keys: [])
    )
    let said = [key, way].map { Phrasebook().text(.choice(.help($0), index: 3, total: 9)) }
    #expect(said[0].hasSuffix(" 3 of 9"))
    #expect(said[1].hasSuffix(".") && !said[1].contains("9"))
  }

  @Test(
    "It goes with the key that leaves it, which does nothing else and says the place again",
    arguments: ["escape", "enter", "f1"])
  func left(key: String) {
    var driver = driver()
    let place = driver.session.phase.carry?.currentStop
    driver.press("f1 down")
    driver.announcements = []
    driver.press(key)
    #expect(shown(driver) == [])
    #expect(driver.session.phase.name == .carrying)
    #expect(driver.session.phase.carry?.currentStop == place)
    #expect(driver.hear().count == 2)
    #expect(driver.session.deliveries.isEmpty)
  }

  @Test("It stays while it is walked and while something is told beside it")
  func stays() {
    var driver = driver()
    driver.press("f1")
    let lines = shown(driver)
    driver.give(.resized(rows: 5))
    driver.press("f3 end f12")
    driver.give(.report(.problem(.noSoundDevice)))
    #expect(shown(driver) == lines)
  }

  @Test("Over a question its keys are said at once, and the question stays")
  func overQuestion() {
    var driver = SessionDriver(.inboxAndDocs)
    driver.give(.start)
    driver.press("f9")
    driver.announcements = []
    driver.press("f1")
    let heard = driver.hear()
    #expect(heard.count == 1 && !heard[0].contains("Ctrl+Z"), "undo only repeats the question")
    #expect(driver.session.phase.name == .confirming)
    driver.press("escape")
    #expect(driver.session.phase.name == .browsing)
  }

  @Test("In a terminal the ways follow that take several keys, with the keys as they are set")
  func ways() {
    var driver = SessionDriver(.inboxAndDocs)
    driver.give(.start)
    driver.press("?")
    let lines = shown(driver)
    #expect(
      lines.suffix(HowTo.allCases.count).first
        == "To sort many files: Space picks up, Tab walks the places, Enter drops, and you are at the next file."
    )
    #expect(lines.contains { $0.contains("Ctrl+Z") })
    // What can be said in eight seconds.
    #expect(lines.allSatisfy { $0.split(separator: " ").count <= 22 })
  }
}
