import Testing

@testable import KeyDragCore

@Suite("A line that is typed")
struct TypingTests {
  private static let phrases = Phrasebook().spoken

  /// Renaming a.txt, whose name is offered.
  private func renaming() -> SessionDriver {
    var settings = Session.Settings()
    settings.isInFolders = true
    var driver = SessionDriver.started(.inboxAndDocs, settings: settings)
    driver.press("'a.txt' f4")
    return driver
  }

  private func heard(_ driver: inout SessionDriver, _ keys: String) -> [String] {
    driver.announcements = []
    for key in keys.split(separator: " ") { driver.press(String(key)) }
    return driver.announcements.map(Self.phrases.text)
  }

  private func text(_ driver: SessionDriver) -> String? { driver.session.line?.text }

  @Test("K27 What is offered is said with that it is selected, and the first sign replaces it")
  func offered() {
    var driver = renaming()
    #expect(driver.announcements.map(Self.phrases.text).last == "a.txt, selected.")
    #expect(heard(&driver, "n") == ["n"])
    #expect(text(driver) == "n")
  }

  @Test(
    "K27 Each sign is heard by its name, and a word when a blank has ended it",
    arguments: [
      ("n e w", ["n", "e", "w"]), ("n space", ["n", "n"]), ("a b space", ["a", "b", "ab"]),
      ("space", ["space"]), ("a space space", ["a", "a", "space"]),
      (
        ". _ - ( )", ["full stop", "underscore", "hyphen", "left paren", "right paren"]
      ),
      ("shift+n n", ["capital N", "n"]), ("ä", ["ä"]),
    ])
  func typed(keys: String, words: [String]) {
    var driver = renaming()
    #expect(heard(&driver, keys) == words)
  }

  @Test(
    "K27 What is deleted is heard, and that nothing is left",
    arguments: [
      ("n e backspace", "n", ["n", "e", "e"]),
      ("n backspace", "", ["n", "n", "Nothing is here."]),
      ("n backspace backspace", "", ["n", "n", "Nothing is here.", "Nothing is here."]),
      ("n e home delete", "e", ["n", "e", "n", "n"]),
      ("n delete", "n", ["n", "blank"]),
      ("backspace", "", ["a.txt", "Nothing is here."]),
      ("delete", "", ["a.txt", "Nothing is here."]),
    ])
  func deleted(keys: String, left: String, words: [String]) {
    var driver = renaming()
    #expect(heard(&driver, keys) == words)
    #expect(text(driver) == left)
  }

  @Test(
    "K27 The text is gone through by character, and signs go in where the cursor is",
    arguments: [
      ("home x", "xa.txt", ["a", "x"]), ("left x", "xa.txt", ["a", "x"]),
      ("right x", "a.txtx", ["blank", "x"]), ("end left x", "a.txxt", ["blank", "t", "x"]),
      ("left left right right", "a.txt", ["a", "a", "full stop", "t"]),
      ("end right", "a.txt", ["blank", "blank"]),
      ("home right backspace", ".txt", ["a", "full stop", "a"]),
    ])
  func caret(keys: String, text: String, words: [String]) {
    var driver = renaming()
    #expect(heard(&driver, keys) == words)
    #expect(self.text(driver) == text)
  }

  @Test("K27 An accent that is typed joins its letter, and what follows it stays behind it")
  func accent() {
    var driver = renaming()
    _ = heard(&driver, "a b left left")
    driver.give(.typeAhead("e"))
    driver.give(.typeAhead("\u{301}"))
    driver.give(.typeAhead("x"))
    #expect(text(driver) == "e\u{301}xab")
  }

  @Test(
    "K27 A line that is read tells the signs at its ends",
    arguments: [
      ("todo", "todo."), ("todo.", "todo full stop."), (".profile", "full stop profile."),
      ("(2)", "left paren 2 right paren."), ("...", "full stop full stop full stop."),
      ("a b", "a b."), ("a ", "a space."),
    ])
  func whole(name: String, words: String) {
    var driver = renaming()
    for sign in name { driver.give(.typeAhead(String(sign))) }
    #expect(heard(&driver, "up") == [words])
  }

  @Test("K27 A filter tells the sign before it tells how many names have it")
  func filter() {
    var settings = Session.Settings()
    settings.isInFolders = true
    var driver = SessionDriver.started(.inboxAndDocs, settings: settings)
    _ = heard(&driver, "/")
    let words = heard(&driver, "a")
    #expect(words.count == 2 && words.first == "a", "\(words)")
  }

  @Test("K27 The cursor on the screen stands where the next sign comes")
  func cursor() {
    var driver = renaming()
    _ = heard(&driver, "n e w left")
    let contents = driver.session.screen(height: 10, top: 0, phrases: Phrasebook(), message: "")
    #expect(contents.rows.first?.name == "new")
    #expect(contents.rows.first?.beforeCursor == "ne")
  }

  @Test("K27 The help of a line names its keys, and none that would be typed into it")
  func help() {
    var driver = renaming()
    let words = heard(&driver, "f1").joined()
    #expect(words.contains("Enter: take what is typed.") && words.contains("F1: "), "\(words)")
    #expect(words.contains("Backspace: delete the previous character."), "\(words)")
    #expect(!words.contains("choice") && !words.contains("question mark:"), "\(words)")
    #expect(
      driver.session.screen(height: 10, top: 0, phrases: Phrasebook(), message: "").keys.first
        == "Enter: take what is typed.")
  }
}
