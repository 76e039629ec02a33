import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("What a drop did is seen in the window that it went into")
struct DropEffectTests {
  typealias ContentSnapshot = DropEffect.ContentSnapshot

  private func place(_ role: PlaceRole, isCovered: Bool = false) -> Place {
    var place = Place(
      element: element("/place"), name: "Notes", spokenName: "Notes", role: role,
      traits: PlaceTraits(isDropPoint: true), origin: .generic(0))
    place.isCovered = isCovered
    return place
  }

  private func element(_ path: String) -> ElementID { ElementID(program: ":1.7", path: path) }

  private static let file = DropEffect.ExpectedEffect(
    names: ["a.txt"], ways: [DropEffect.ExpectedForm(.path, [["file:///tmp/a.txt"]])])

  /// Names of elements: those in the place are written in brackets.
  private func things(_ names: String...) -> ContentSnapshot {
    ContentSnapshot(
      things: Set(
        names.map { name in
          let isInside = name.hasPrefix("[")
          let plain = name.filter { !"[]".contains($0) }
          return DropEffect.Thing(element: element(plain), name: plain, isInside: isInside)
        }))
  }

  @Test(
    "text that has come is found, however it is broken into lines",
    arguments: [
      ("", "see file:///tmp/a.txt", Evidence.Kind?.some(.paths)),
      ("", "'/tmp/long/pa\nth/a.txt'", .paths),
      // A name is not the thing.
      ("see a.txt", "see a.txt a.txt", nil),
      ("", "two\n  words\n", .wholeText),
      ("one", "one two", nil),
      ("a.txt", "a.txt is here", nil),
      ("one", "one", .sameView),
    ])
  func text(before: String, after: String, effect: Evidence.Kind?) {
    let seen = DropEffect.evidence(
      from: ContentSnapshot(text: before), to: ContentSnapshot(text: after), at: place(.textField),
      wanted: DropEffect.ExpectedEffect(
        names: ["a.txt"],
        ways: [
          DropEffect.ExpectedForm(.path, [["file:///tmp/a.txt", "/tmp/long/path/a.txt"]]),
          DropEffect.ExpectedForm(.item, [["two words"]]),
        ]))
    #expect(seen == effect)
  }

  private func effect(
    _ before: String, _ after: String, _ ways: [DropEffect.ExpectedForm], names: [String] = []
  ) -> Evidence.Kind? {
    DropEffect.evidence(
      from: ContentSnapshot(text: before), to: ContentSnapshot(text: after), at: place(.textField),
      wanted: DropEffect.ExpectedEffect(names: names, ways: ways))
  }

  @Test(
    "T04 a text that is the file's alone, with what was there gone, was opened in its place",
    arguments: [
      ("Milk", "Call the baker", Evidence.Kind?.some(.replacedText)),
      ("Milk", "Call the baker\nMilk", .text),
      ("Milk", "Call the baker today", .text), ("", "Call the baker", .wholeText),
    ])
  func replaced(before: String, after: String, effect: Evidence.Kind?) {
    let content = DropEffect.ExpectedForm(.item, [["Call the baker\n"]])
    let path = DropEffect.ExpectedForm(.path, [["/tmp/a.txt"]])
    #expect(self.effect(before, after, [content, path]) == effect)
    // A text that was carried alone is no file.
    if !before.isEmpty { #expect(self.effect(before, after, [content]) == .text) }
  }

  @Test(
    "T02 of several files each has to be written, and each for itself",
    arguments: [
      ("/tmp/a /tmp/a.txt /tmp/b", Evidence.Kind?.some(.paths)),
      ("/tmp/a /tmp/a.txt file:///tmp/b", .paths), ("/tmp/a /tmp/b", nil),
      // The path of the folder stands in that of the file.
      ("/tmp/a.txt /tmp/b", nil), ("/tmp/b", nil), ("", .sameView),
    ])
  func severalPaths(text: String, effect: Evidence.Kind?) {
    let groups = ["/tmp/a", "/tmp/a.txt", "/tmp/b"].map { [$0, "file://" + $0] }
    #expect(self.effect("", text, [DropEffect.ExpectedForm(.path, groups)]) == effect)
  }

  @Test(
    "T02 of several texts each has to have come, as often as it is carried",
    arguments: [
      ("first one second one", Evidence.Kind?.some(.text)), ("second one", nil),
      ("first one", nil),
    ])
  func severalTexts(text: String, effect: Evidence.Kind?) {
    let groups = [["first one"], ["second one"]]
    #expect(self.effect("", text, [DropEffect.ExpectedForm(.item, groups)]) == effect)
    let twice = [DropEffect.ExpectedForm(.item, [["the same"], ["the same"]])]
    #expect(self.effect("", "the same", twice) == nil)
    #expect(self.effect("", "the same, the same", twice) == .text)
  }

  @Test("T02 a field that cuts a long text has not got it", arguments: [600, 899, 900])
  func cutText(length: Int) {
    let text = (0..<300).map { String($0 + 100) }.joined()
    let effect = effect("", String(text.prefix(length)), [DropEffect.ExpectedForm(.item, [[text]])])
    #expect(effect == (length == text.count ? .text : nil))
  }

  @Test(
    "T02 a sign or two is there only where nothing else has come",
    arguments: [
      ("", "1", Evidence.Kind?.some(.text)), ("one", "one 1", .text),
      ("11", "111", .text), ("", "at 12:01", nil), ("one", "1", nil),
    ])
  func short(before: String, after: String, effect: Evidence.Kind?) {
    #expect(self.effect(before, after, [DropEffect.ExpectedForm(.item, [["1"]])]) == effect)
  }

  @Test("T02 a row that a short text is called after proves nothing beside others")
  func shortRow() {
    let wanted = DropEffect.ExpectedEffect(
      names: ["1"], ways: [DropEffect.ExpectedForm(.item, [["1"]])])
    for (after, effect) in [
      (things("[z]", "[1]"), Evidence.Kind?.some(.row)), (things("[z]", "[1]", "[b]"), nil),
    ] {
      let seen = DropEffect.evidence(
        from: things("[z]"), to: after, at: place(.list), wanted: wanted)
      #expect(seen == effect)
    }
  }

  @Test("Forms of one thing are ways to write it, what is in several files is needed whole")
  func ways() {
    let list = DragForm("text/uri-list", bytes: [])
    var paths = DragForm("text/plain", bytes: [])
    var content = paths
    (paths.isPaths, content.isContent) = (true, true)
    let files: [(form: DragForm, text: String)] = [
      (list, "file:///a%20b\r\nfile:///c\r\n"), (paths, "/a b\n/c"), (paths, "/a b\n/c"),
      (content, "first"), (content, "second"),
    ]
    let ways = DropExecutor.ways(files, of: 2)
    #expect(ways.map(\.form) == [.item, .path])
    #expect(ways[0].groups == [["first"], ["second"]])
    #expect(ways[1].groups.map(Set.init) == [["file:///a%20b", "/a b"], ["file:///c", "/c"]])
    #expect(DropExecutor.ways(Array(files.dropLast()), of: 2).map(\.form) == [.path])
    let text = DragForm("UTF8_STRING", bytes: [])
    let link: [(form: DragForm, text: String)] = [
      (list, "# it\r\nhttps://a.example/\r\n"), (text, "The page"),
    ]
    let one = DropExecutor.ways(link, of: 1)
    #expect(one == [.init(.item, [["https://a.example/"]]), .init(.item, [["The page"]])])
  }

  @Test(
    "a document that was read whole and stays as it was shows that nothing came, one cut short does not"
  )
  func document() {
    for (length, effect) in [(10, Evidence.Kind?.some(.sameText)), (DropEffect.maxTextLength, nil)]
    {
      var sight = things("Slide 1")
      sight.text = String(repeating: "x", count: length)
      let seen = DropEffect.evidence(
        from: sight, to: sight, at: place(.document), wanted: Self.file)
      #expect(seen == effect)
    }
  }

  @Test("a document or a list of which not all was read shows nothing by staying the same")
  func cut() {
    for (role, isCut, effect) in [
      (PlaceRole.document, false, Evidence.Kind?.some(.sameText)), (.document, true, nil),
      (.list, false, .sameView), (.list, true, nil), (.textField, true, .sameView),
    ] {
      var sight = things("[one]")
      sight.text = role == .list ? nil : "one"
      sight.isCut = isCut
      #expect(DropEffect.canShow(sight, at: place(role)) == (effect != nil))
      #expect(
        DropEffect.evidence(from: sight, to: sight, at: place(role), wanted: Self.file) == effect)
    }
  }

  @Test(
    "T02 A row beside the place bears a file's name also where its ending stands apart, or its size",
    arguments: [
      ("a .txt 15 bytes", true), ("a.txt 15 bytes", true), ("a.txt (15)", true), ("a", true),
      ("a .txt", true), ("a.txt copy", false), ("aa .txt", false), ("a.txt2", false),
      ("a.txt - new", true), ("• a.txt (15 bytes)", true), ("• aa.txt", false),
    ])
  func row(name: String, isIt: Bool) {
    var before = things("[one]")
    before.things = [DropEffect.Thing(element: element("/1"), name: "b.txt", isInside: false)]
    var after = before
    after.things?.insert(
      DropEffect.Thing(element: element("/2"), name: name, isInside: false, kind: .row))
    let effect = DropEffect.evidence(from: before, to: after, at: place(.page), wanted: Self.file)
    #expect(effect == (isIt ? .row : nil))
  }

  @Test(
    "T02 a row that bears a file's whole path is its row, one that was there before is not, nor a line of an alert",
    arguments: [
      ("/tmp/a.txt", DropEffect.Thing.Kind.row, Evidence.Kind?.some(.row)),
      ("Can't read /tmp/a.txt", .row, nil), ("/tmp/a.txt", .other, nil),
      ("/tmp/b/a.txt", .row, nil),
    ])
  func rowOfPath(name: String, kind: DropEffect.Thing.Kind, effect: Evidence.Kind?) {
    let row = DropEffect.Thing(element: element("/2"), name: name, isInside: false, kind: kind)
    let wanted = DropEffect.ExpectedEffect(
      names: ["a.txt"], ways: [.init(.path, [["file:///tmp/a.txt", "/tmp/a.txt"]])])
    let none = ContentSnapshot(things: [])
    func seen(_ before: ContentSnapshot, _ things: Set<DropEffect.Thing>) -> Evidence.Kind? {
      DropEffect.evidence(
        from: before, to: ContentSnapshot(things: things), at: place(.window), wanted: wanted)
    }
    #expect(seen(none, [row]) == effect)
    var again = row
    again.element = element("/3")
    #expect(seen(ContentSnapshot(things: [row]), [row, again]) == nil)
  }

  @Test(
    "T02 a document marked as changed has got what only it can read; of a text it may have the path",
    arguments: [
      (DragAnswer.accepts(nil), false, false, Evidence.Kind?.some(.modified)),
      (.accepts(nil), false, true, .changed), (.doubtful(.programFailed), true, false, .modified),
      (.doubtful(.programFailed), false, false, .changed), (.silent, true, false, nil),
    ])
  func mark(said: DragAnswer, isImages: Bool, isText: Bool, effect: Evidence.Kind?) {
    let wanted = DropEffect.ExpectedEffect(isImages: isImages, isText: isText)
    #expect(wanted.mark(after: said) == effect)
  }

  @Test("a document of more parts than are read is known to be cut", arguments: [0, 1])
  func parts(more: Int) {
    let window = ElementFacts(id: element("/window"), role: "frame", name: "")
    let document = ElementFacts(
      id: element("/document"), parent: 0, role: "document text", name: "")
    let lines = (0..<(Desktop.mostParts + more)).map {
      ElementFacts(id: element("/\($0)"), parent: 1, role: "paragraph", name: "")
    }
    let beside = ElementFacts(id: element("/beside"), parent: 0, role: "label", name: "")
    let found = Desktop.parts(of: 1, in: [window, document] + lines + [beside])
    #expect(found.parts == Array(lines.prefix(Desktop.mostParts)))
    #expect(found.isCut == (more > 0))
  }

  @Test("a field shows what came into it in its text alone, also where it is gone with its page")
  func fieldOfPage() {
    var before = things("Notes", "Drop page")
    before.text = "one"
    var after = things("Drop page", "a.txt")
    #expect(
      DropEffect.evidence(from: before, to: after, at: place(.textField), wanted: Self.file) == nil)
    after.text = "one"
    // The page shows beside the field what it was given.
    #expect(
      DropEffect.evidence(from: before, to: after, at: place(.textField), wanted: Self.file)
        == .sameView)
    after.things?.insert(
      DropEffect.Thing(element: element("/tab"), name: "a.txt", isInside: false, kind: .tab))
    #expect(
      DropEffect.evidence(from: before, to: after, at: place(.textField), wanted: Self.file)
        == .tab)
  }

  @Test(
    "T02 a page that names its own tab after what came proves nothing; a file in its place does")
  func ownTab() {
    let area = place(.area)
    func sight(_ tab: String, hasPage: Bool = true) -> ContentSnapshot {
      var sight = things(tab)
      sight.things = [
        DropEffect.Thing(element: element("/tab"), name: tab, isInside: false, kind: .tab)
      ]
      if hasPage, let own = area.element {
        sight.things?.insert(DropEffect.Thing(element: own, name: "Zone", isInside: false))
      }
      return sight
    }
    let before = sight("Drop page")
    for name in ["Got a.txt", "a.txt"] {
      #expect(
        DropEffect.evidence(from: before, to: sight(name), at: area, wanted: Self.file) == nil)
    }
    let gone = sight("a.txt", hasPage: false)
    #expect(DropEffect.evidence(from: before, to: gone, at: area, wanted: Self.file) == .tab)
    let now = sight("a.txt")
    #expect(DropEffect.evidence(from: before, to: now, at: place(.tab), wanted: Self.file) == .tab)
  }

  @Test(
    "T05 a tab of its own by the file's name is where a program has opened it",
    arguments: [PlaceRole.area, .button, .page, .tab, .document])
  func tab(role: PlaceRole) {
    let before = things("Upload", "Drop page")
    for (name, effect) in [
      ("a.txt", Evidence.Kind?.some(.tab)), ("*a.txt", .tab),
      ("Could not open a.txt", nil), ("a.txt.bak", nil),
    ] {
      var after = things("Upload", "Drop page")
      after.things?.insert(
        DropEffect.Thing(element: element("/tab"), name: name, isInside: false, kind: .tab))
      #expect(
        DropEffect.evidence(from: before, to: after, at: place(role), wanted: Self.file) == effect)
    }
  }

  @Test(
    "T04 a bar that tells of the file in a window of its name speaks of no opened document",
    arguments: [
      ("info bar", "Could not load image 'a.txt'.", true), ("alert", "a.txt is no picture", true),
      ("info bar", "Updates are there", false), ("panel", "a.txt", false),
    ])
  func notice(role: String, words: String, isOne: Bool) {
    let elements = TreeText.elements("\(role) 'Error' showing\n")
    var label = ElementFacts(id: element("/label"), role: "label", name: words)
    label.states = [.showing]
    #expect(DropEffect.isNotice(elements + [label], about: ["a.txt"]) == isOne)
    #expect(!DropEffect.isNotice(elements + [label], about: [""]))
  }

  @Test(
    "T04 a viewer may leave out a file's ending in its title, where nothing else stands there",
    arguments: [
      ("report - viewer", "report.pdf", true), ("report", "report.pdf", true),
      ("/tmp/report - viewer", "report.pdf", true), ("report 2 - viewer", "report.pdf", false),
      ("No report - viewer", "report.pdf", false), ("abc - viewer", "abc.pdf", false),
      ("report - viewer", "report", false), ("viewer", "report.pdf", false),
      ("/home/me/report.lyx* - viewer", "report.txt", true),
      ("report.lyx - viewer", "report.txt", false),
      ("*report - viewer", "report.pdf", true),
      ("report.2 of 30 - viewer", "report.pdf", false),
      ("reports.lyx - viewer", "report.txt", false),
    ])
  func stem(title: String, name: String, isOne: Bool) {
    #expect(DocumentTitle.isStem(title, of: name, programs: ["viewer"]) == isOne)
  }

  @Test(
    "a title that is a document's behind the program's own words",
    arguments: [
      ("Editor - a.txt", "Editor - Untitled", true), ("Editor: a.txt (2)", "Editor", true),
      ("Editor - a.txt failed", "Editor - Untitled", false),
      ("Editor - a.txt.bak", "Editor", false),
      ("Error: a.txt", "Editor", false), ("Editor a.txt", "Editor", false),
      ("Editor - ~/docs/a.txt (new)", "Editor - ~/b.txt (new)", true),
      ("Editor - /docs/a.txt", "Editor", true), ("Copying /docs/a.txt", "Editor", false),
      ("[ 2/3 ]  a.txt - 4 bytes", "[ 1/1 ]  b.txt - 9 bytes", true),
      ("[ 2/3 ]  a.txt - 4 bytes", "b.txt", false),
      ("Editor - [a.txt]", "Editor - [new 1]", true), ("Editor (a.txt)", "Editor (new)", true),
      ("Editor [a.txt]", "Viewer", false), ("Editor [a.txt.bak]", "Editor [new]", false),
    ])
  func turned(title: String, before: String, isOne: Bool) {
    #expect(DocumentTitle.hasTurned(title, to: "a.txt", since: [before]) == isOne)
  }

  @Test(
    "T04 a title may leave out the ending behind the program's words, where nothing else follows",
    arguments: [
      ("Scores 3: song", true), ("Scores 3: song 2", false), ("Scores 3: song failed", false),
      ("Scores 3: songs", false), ("Error: song", false),
    ])
  func turnedStem(title: String, isOne: Bool) {
    #expect(DocumentTitle.hasTurned(title, to: "song.xml", since: ["Scores 3: None"]) == isOne)
    #expect(!DocumentTitle.hasTurned(title, to: "x.xml", since: ["Scores 3: None"]))
  }

  @Test(
    "a mark of unsaved changes is one beside the title that was there",
    arguments: [
      ("*Draft", "Draft", true), ("Draft • - Editor", "Draft - Editor", true),
      ("Draft", "*Draft", false), ("*Other", "Draft", false), ("*Draft", "*Draft", false),
    ])
  func marked(title: String, before: String, isOne: Bool) {
    #expect(DocumentTitle.isMarked(title, since: [before]) == isOne)
  }

  @Test(
    "a picture more in a document is what was dropped, where that was one and no page loads its own",
    arguments: [
      (PlaceRole.document, true, 1, Evidence.Kind?.some(.object)), (.canvas, true, 1, .object),
      (.document, false, 1, nil), (.document, true, 2, nil), (.page, true, 1, nil),
    ])
  func object(role: PlaceRole, isImages: Bool, count: Int, kind: Evidence.Kind?) {
    var after = things("[text]")
    for number in 0..<count {
      after.things?.insert(
        DropEffect.Thing(element: element("/\(number)"), name: "", isInside: true, kind: .image))
    }
    let wanted = DropEffect.ExpectedEffect(names: ["a.png"], isImages: isImages)
    let seen = DropEffect.evidence(
      from: things("[text]"), to: after, at: place(role), wanted: wanted)
    #expect(seen == kind)
  }

  @Test(
    "an attachment may be a button of the file's name", arguments: [("a.txt", true), ("a", false)])
  func button(name: String, isIt: Bool) {
    var after = things("Send")
    after.things?.insert(
      DropEffect.Thing(element: element("/new"), name: name, isInside: false, kind: .button))
    let seen = DropEffect.evidence(
      from: things("Send"), to: after, at: place(.area), wanted: Self.file)
    #expect(seen == (isIt ? .row : nil))
  }

  @Test("a text too long to be read whole shows nothing by staying the same")
  func longText() {
    let sight = ContentSnapshot(text: String(repeating: "x", count: DropEffect.maxTextLength))
    #expect(
      DropEffect.evidence(from: sight, to: sight, at: place(.textField), wanted: Self.file) == nil)
  }

  @Test(
    "T02 only a row by the name of what was dropped shows it in a list",
    arguments: [
      ("a.txt", Evidence.Kind?.some(.row)), ("a", .row),
      ("a.txt, 4 bytes", .row), ("a\npage 1", .row), ("a\u{FFFD}page 1", .row),
      ("b\na.txt", nil), ("a page 1", nil),
      ("track 2", nil), ("a.txt failed", nil),
      ("ba.txt", nil),
    ])
  func row(name: String, effect: Evidence.Kind?) {
    var after = things("[one]")
    after.things?.insert(
      DropEffect.Thing(element: element("/row"), name: name, isInside: true, kind: .row))
    let seen = DropEffect.evidence(
      from: things("[one]"), to: after, at: place(.list), wanted: Self.file)
    #expect(seen == effect)
  }

  @Test("T02 one of several that came proves nothing of the others")
  func several() {
    let wanted = DropEffect.ExpectedEffect(names: ["a.txt", "b.txt"])
    for kind in [DropEffect.Thing.Kind.row, .tab] {
      var after = things("[one]")
      func add(_ name: String) {
        after.things?.insert(
          DropEffect.Thing(element: element("/" + name), name: name, isInside: true, kind: kind))
      }
      add("a.txt")
      let one = DropEffect.evidence(
        from: things("[one]"), to: after, at: place(.list), wanted: wanted)
      #expect(one == nil)
      add("b.txt")
      let both = DropEffect.evidence(
        from: things("[one]"), to: after, at: place(.list), wanted: wanted)
      #expect(both == (kind == .row ? .row : .tab))
    }
  }

  @Test("T02 one row does not stand for two of the same name")
  func sameNames() {
    var after = things("[one]")
    let wanted = DropEffect.ExpectedEffect(names: ["a.txt", "a.txt"])
    for (number, effect) in [(1, Evidence.Kind?.none), (2, .row)] {
      after.things?.insert(
        DropEffect.Thing(
          element: element("/\(number)"), name: "a.txt", isInside: true, kind: .row))
      #expect(
        DropEffect.evidence(from: things("[one]"), to: after, at: place(.list), wanted: wanted)
          == effect)
    }
  }

  @Test("T02 a row beside the folder that was dropped on is one of the window, as it is of a view")
  func besideFolder() {
    var after = things("one")
    after.things?.insert(
      DropEffect.Thing(element: element("/row"), name: "a.txt", isInside: false, kind: .row))
    for (role, effect) in [(PlaceRole.folder, Evidence.Kind.fileRow), (.list, .rowBeside)] {
      #expect(
        DropEffect.evidence(from: things("one"), to: after, at: place(role), wanted: Self.file)
          == effect)
    }
  }

  @Test(
    "A title is a document's when it begins with its name or its path",
    arguments: [
      ("a.txt - Editor", true), ("*a.txt (~/Docs) - Editor", true), ("/tmp/x/a.txt — Editor", true),
      ("~/x/a.txt", true), ("[a.txt] (imported)-1.0", true), ("Save a.txt?", false),
      ("[1 / 2]  a.txt", true), ("(12) a.txt", true), ("[1 of 2] a.txt", false),
      ("2 a.txt", false), ("(1) 2 a.txt", false),
      ("data.txt", false), ("a.txt.bak", false), ("Folder a", false), ("", false),
    ])
  func title(title: String, isItsOwn: Bool) {
    #expect(DocumentTitle.names(title, "a.txt") == isItsOwn)
  }

  @Test("a list that can't be read any more proves nothing")
  func unread() {
    for before in [things("beside"), things("[z.txt]")] {
      let seen = DropEffect.evidence(
        from: before, to: ContentSnapshot(), at: place(.list), wanted: Self.file)
      #expect(seen == nil)
    }
  }

  @Test("T02 words about what was dropped are not the thing itself")
  func label() {
    for (after, effect) in [
      (things("[You dropped a.txt]"), Evidence.Kind?.none), (things("a.txt"), nil),
      (things("[a.txt]"), .row),
    ] {
      let seen = DropEffect.evidence(
        from: things("[drop here]"), to: after, at: place(.area), wanted: Self.file)
      #expect(seen == effect)
    }
  }

  @Test("something else that changes in the window proves nothing")
  func elsewhere() {
    let seen = DropEffect.evidence(
      from: things("12:00"), to: things("12:01"), at: place(.area), wanted: Self.file)
    #expect(seen == nil)
  }

  @Test(
    "only a list with room left shows by staying the same that nothing came",
    arguments: [
      (PlaceRole.list, false, Evidence.Kind?.some(.sameView)), (.list, true, nil),
      (.area, false, nil),
      (.button, false, nil),
    ])
  func unchanged(role: PlaceRole, isCovered: Bool, effect: Evidence.Kind?) {
    let sight = things("[one]", "two")
    let seen = DropEffect.evidence(
      from: sight, to: sight, at: place(role, isCovered: isCovered), wanted: Self.file)
    #expect(seen == effect)
  }

  @Test("what lies in a place is told from what lies beside it")
  func inside() {
    let elements = TreeText.elements(
      """
      frame 'Window'
        list 'Tracks'
          list item 'one'
            label 'deep'
        label 'beside'
      """)
    let inside = DropEffect.things(in: elements, around: elements[1].id).filter(\.isInside)
    #expect(Set(inside.map(\.name)) == ["one", "deep"])
  }

  @Test(
    "T02 a library may write a name as a title, and another element is called as it is",
    arguments: [("A.Txt", true), ("A.TXT, 4 bytes", true), ("B.Txt", false)])
  func otherCase(name: String, isIt: Bool) {
    for (kind, isSeen) in [(DropEffect.Thing.Kind.row, isIt), (.button, false)] {
      var after = things("Send")
      after.things?.insert(
        DropEffect.Thing(element: element("/new"), name: name, isInside: false, kind: kind))
      let seen = DropEffect.evidence(
        from: things("Send"), to: after, at: place(.area), wanted: Self.file)
      #expect(seen == (isSeen ? .row : nil))
    }
  }

  @Test(
    "T02 a row is called by its labels, too, and each name counts once",
    arguments: ["Badge", "a.txt"])
  func labelledRow(own: String) {
    let elements = TreeText.elements(
      """
      frame 'Window'
        panel 'Hint'
        list 'Files'
          list item '\(own)'
            push button 'Open'
              label 'a.txt'
              label '~/Inbox'
      """)
    let after = ContentSnapshot(things: DropEffect.things(in: elements, around: element("/place")))
    let seen = DropEffect.evidence(
      from: things("Hint"), to: after, at: place(.area), wanted: Self.file)
    #expect(seen == .row)
    #expect(after.things?.count { $0.name == "a.txt" } == 1)
  }
}
