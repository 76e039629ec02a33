import Testing

@testable import KeyDragCore
@testable import KeyDragRuntime

/// Key scripts as `--keys` takes them.
struct KeyScriptTests {
  private func stroke(_ name: String) throws -> KeyStroke {
    try #require(KeyStroke(name: name))
  }

  @Test("Every kind of word is read, across any blanks")
  func words() throws {
    let script = "\"two words\"  space\n!ctrl+c\t:pick-up @delivered shift+tab \"\""
    #expect(
      try KeyScript.parse(script) == [
        .text("two words"), .stroke(stroke("space"), isImmediate: false),
        .stroke(stroke("ctrl+c"), isImmediate: true), .command(.pickUp), .wait(id: "delivered"),
        .stroke(stroke("shift+tab"), isImmediate: false), .text(""),
      ])
    #expect(try KeyScript.parse("") == [])
    #expect(try KeyScript.parse("  \n ") == [])
  }

  @Test(
    "Signs that begin words are keys when they stand alone", arguments: ["!", ":", "@", "?", "."])
  func loneSigns(sign: String) throws {
    #expect(try KeyScript.parse(sign) == [.stroke(stroke(sign), isImmediate: false)])
  }

  @Test(
    "An unknown word is named with its place and the nearest known one",
    arguments: [
      ("space spcae", "spcae", "space", 2), (":pikc-up", ":pikc-up", ":pick-up", 1),
      ("@deliverd", "@deliverd", "@delivered", 1), ("!esacpe", "!esacpe", "!escape", 1),
      ("xyzzyplugh", "xyzzyplugh", nil, 1), ("tab \"open", "\"open", nil, 2),
      ("\"", "\"", nil, 1), ("a\u{1B}[2Jb", "a�[2Jb", nil, 1),
    ] as [(String, String, String?, Int)])
  func errors(script: String, word: String, nearest: String?, position: Int) {
    #expect(throws: ScriptError(word: word, nearest: nearest, position: position)) {
      try KeyScript.parse(script)
    }
  }

  @Test("A name may miss where it says so")
  func missing() throws {
    #expect(
      try KeyScript.parse("\"a\" ?\"b c\" ?") == [
        .text("a"), .text("b c", mayMiss: true), .stroke(stroke("?"), isImmediate: false),
      ])
  }

  @Test("A script that arrives in pieces gives the same words as the whole")
  func pieces() throws {
    let script = "\"a b\" space @item :undo \"c\" f5"
    var reader = KeyScript()
    var words: [ScriptWord] = []
    for character in script { words += try reader.read(String(character)) }
    words += try reader.finish()
    #expect(try words == KeyScript.parse(script))
  }

  @Test("A word is taken when nothing is outstanding, an immediate one at once")
  func waitsForAnswers() throws {
    var feed = ScriptFeed(words: try KeyScript.parse("!escape space"), isOpen: false)
    let taken = [true, true, false].map { feed.next(isWaiting: $0) }
    let escape = ScriptWord.stroke(try stroke("escape"), isImmediate: true)
    let space = ScriptWord.stroke(try stroke("space"), isImmediate: false)
    #expect(taken == [escape, nil, space])
    #expect(feed.isFinished)
  }

  @Test("A wait goes on until its announcement, which may have come since the word before it")
  func waitsForAnnouncements() throws {
    var feed = ScriptFeed(words: try KeyScript.parse("space @delivered tab @item"), isOpen: false)
    feed.announced("delivered")
    _ = feed.next(isWaiting: false)
    let before = feed.next(isWaiting: false)
    #expect(before == nil, "what came before the word does not count")
    feed.announced("item")
    let other = feed.next(isWaiting: false)
    #expect(other == nil)
    feed.announced("delivered")
    let taken = [true, true, false].map { feed.next(isWaiting: $0) }
    #expect(
      taken == [
        .wait(id: "delivered"), nil, .stroke(try stroke("tab"), isImmediate: false),
      ])
    #expect(!feed.isFinished)
  }

  @Test("A script is finished when it is closed and every word is taken, or dropped")
  func finishing() throws {
    var feed = ScriptFeed(words: nil, isOpen: true)
    #expect(!feed.isFinished)
    feed.append(try KeyScript.parse("space tab"))
    feed.close()
    #expect(!feed.isFinished)
    feed.close(dropping: true)
    #expect(feed.isFinished)
    #expect(!ScriptFeed(words: nil, isOpen: false).isFinished, "there is no script at all")
  }
}
