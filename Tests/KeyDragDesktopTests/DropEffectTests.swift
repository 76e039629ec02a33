import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("What a drop did is seen in the window that it went into")
struct DropEffectTests {
  typealias Sight = DropEffect.Sight

  private func place(_ role: PlaceRole, isCovered: Bool = false) -> Place {
    var place = Place(
      element: element("/place"), name: "Notes", spokenName: "Notes", role: role,
      traits: PlaceTraits(isDropPoint: true), origin: .generic(0))
    place.isCovered = isCovered
    return place
  }

  private func element(_ path: String) -> ElementID { ElementID(program: ":1.7", path: path) }

  private static let file = DropEffect.Wanted(
    names: ["a.txt"], ways: [DropEffect.Way(.path, [["file:///tmp/a.txt"]])])

  /// Names of elements: those in the place are written in brackets.
  private func things(_ names: String...) -> Sight {
    Sight(
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
      ("", "see file:///tmp/a.txt", DropEffect.landed(.path)),
      ("", "'/tmp/long/pa\nth/a.txt'", .landed(.path)),
      // A name is not the thing.
      ("see a.txt", "see a.txt a.txt", .changed),
      ("", "two\n  words\n", .landed(.item)),
      ("one", "one two", .changed),
      ("a.txt", "a.txt is here", .changed),
      ("one", "one", .missing),
    ])
  func text(before: String, after: String, effect: DropEffect) {
    let seen = DropEffect(
      from: Sight(text: before), to: Sight(text: after), at: place(.textField),
      wanted: DropEffect.Wanted(
        names: ["a.txt"],
        ways: [
          DropEffect.Way(.path, [["file:///tmp/a.txt", "/tmp/long/path/a.txt"]]),
          DropEffect.Way(.item, [["two words"]]),
        ]))
    #expect(seen == effect)
  }

  private func effect(
    _ before: String, _ after: String, _ ways: [DropEffect.Way], names: [String] = []
  ) -> DropEffect {
    DropEffect(
      from: Sight(text: before), to: Sight(text: after), at: place(.textField),
      wanted: DropEffect.Wanted(names: names, ways: ways))
  }

  @Test(
    "T04 a text that is the file's alone, with what was there gone, was opened in its place",
    arguments: [
      ("Milk", "Call the baker", DropEffect.landed(.document)),
      ("Milk", "Call the baker\nMilk", .landed(.item)),
      ("Milk", "Call the baker today", .landed(.item)), ("", "Call the baker", .landed(.item)),
    ])
  func replaced(before: String, after: String, effect: DropEffect) {
    let content = DropEffect.Way(.item, [["Call the baker\n"]])
    let path = DropEffect.Way(.path, [["/tmp/a.txt"]])
    #expect(self.effect(before, after, [content, path]) == effect)
    // A text that was carried alone is no file.
    if !before.isEmpty { #expect(self.effect(before, after, [content]) == .landed(.item)) }
  }

  @Test(
    "T02 of several files each has to be written, and each for itself",
    arguments: [
      ("/tmp/a /tmp/a.txt /tmp/b", DropEffect.landed(.path)),
      ("/tmp/a /tmp/a.txt file:///tmp/b", .landed(.path)), ("/tmp/a /tmp/b", .changed),
      // The path of the folder stands in that of the file.
      ("/tmp/a.txt /tmp/b", .changed), ("/tmp/b", .changed), ("", .missing),
    ])
  func severalPaths(text: String, effect: DropEffect) {
    let groups = ["/tmp/a", "/tmp/a.txt", "/tmp/b"].map { [$0, "file://" + $0] }
    #expect(self.effect("", text, [DropEffect.Way(.path, groups)]) == effect)
  }

  @Test(
    "T02 of several texts each has to have come, as often as it is carried",
    arguments: [
      ("first one second one", DropEffect.landed(.item)), ("second one", .changed),
      ("first one", .changed),
    ])
  func severalTexts(text: String, effect: DropEffect) {
    let groups = [["first one"], ["second one"]]
    #expect(self.effect("", text, [DropEffect.Way(.item, groups)]) == effect)
    let twice = [DropEffect.Way(.item, [["the same"], ["the same"]])]
    #expect(self.effect("", "the same", twice) == .changed)
    #expect(self.effect("", "the same, the same", twice) == .landed(.item))
  }

  @Test("T02 a field that cuts a long text has not got it", arguments: [600, 899, 900])
  func cutText(length: Int) {
    let text = (0..<300).map { String($0 + 100) }.joined()
    let effect = effect("", String(text.prefix(length)), [DropEffect.Way(.item, [[text]])])
    #expect(effect == (length == text.count ? .landed(.item) : .changed))
  }

  @Test(
    "T02 a sign or two is there only where nothing else has come",
    arguments: [
      ("", "1", DropEffect.landed(.item)), ("one", "one 1", .landed(.item)),
      ("11", "111", .landed(.item)), ("", "at 12:01", .changed), ("one", "1", .changed),
    ])
  func short(before: String, after: String, effect: DropEffect) {
    #expect(self.effect(before, after, [DropEffect.Way(.item, [["1"]])]) == effect)
  }

  @Test("T02 a row that a short text is called after proves nothing beside others")
  func shortRow() {
    let wanted = DropEffect.Wanted(names: ["1"], ways: [DropEffect.Way(.item, [["1"]])])
    for (after, effect) in [
      (things("[z]", "[1]"), DropEffect.landed(.item)), (things("[z]", "[1]", "[b]"), .changed),
    ] {
      let seen = DropEffect(from: things("[z]"), to: after, at: place(.list), wanted: wanted)
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
    let ways = Delivering.ways(files, of: 2)
    #expect(ways.map(\.form) == [.item, .path])
    #expect(ways[0].groups == [["first"], ["second"]])
    #expect(ways[1].groups.map(Set.init) == [["file:///a%20b", "/a b"], ["file:///c", "/c"]])
    #expect(Delivering.ways(Array(files.dropLast()), of: 2).map(\.form) == [.path])
    let text = DragForm("UTF8_STRING", bytes: [])
    let link: [(form: DragForm, text: String)] = [
      (list, "# it\r\nhttps://a.example/\r\n"), (text, "The page"),
    ]
    let one = Delivering.ways(link, of: 1)
    #expect(one == [.init(.item, [["https://a.example/"]]), .init(.item, [["The page"]])])
  }

  @Test(
    "a document that was read whole and stays as it was shows that nothing came, one cut short does not"
  )
  func document() {
    for (length, effect) in [(10, DropEffect.missing), (DropEffect.mostText, .unseen)] {
      var sight = things("Slide 1")
      sight.text = String(repeating: "x", count: length)
      let seen = DropEffect(from: sight, to: sight, at: place(.document), wanted: Self.file)
      #expect(seen == effect)
    }
  }

  @Test("a document or a list of which not all was read shows nothing by staying the same")
  func cut() {
    for (role, isCut, effect) in [
      (PlaceRole.document, false, DropEffect.missing), (.document, true, .unseen),
      (.list, false, .missing), (.list, true, .unseen), (.textField, true, .missing),
    ] {
      var sight = things("[one]")
      sight.text = role == .list ? nil : "one"
      sight.isCut = isCut
      #expect(DropEffect.canShow(sight, at: place(role)) == (effect == .missing))
      #expect(DropEffect(from: sight, to: sight, at: place(role), wanted: Self.file) == effect)
    }
  }

  @Test(
    "T02 A row beside the place bears a file's name also where its ending stands apart, or its size",
    arguments: [
      ("a .txt 15 bytes", true), ("a.txt 15 bytes", true), ("a.txt (15)", true), ("a", true),
      ("a .txt", true), ("a.txt copy", false), ("aa .txt", false), ("a.txt2", false),
    ])
  func row(name: String, isIt: Bool) {
    var before = things("[one]")
    before.things = [DropEffect.Thing(element: element("/1"), name: "b.txt", isInside: false)]
    var after = before
    after.things?.insert(
      DropEffect.Thing(element: element("/2"), name: name, isInside: false, kind: .row))
    let effect = DropEffect(from: before, to: after, at: place(.page), wanted: Self.file)
    #expect(effect == (isIt ? .landed(.item) : .changed))
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
      DropEffect(from: before, to: after, at: place(.textField), wanted: Self.file) == .missing)
    after.text = "one"
    // The page shows beside the field what it was given.
    #expect(
      DropEffect(from: before, to: after, at: place(.textField), wanted: Self.file) == .missing)
    after.things?.insert(
      DropEffect.Thing(element: element("/tab"), name: "a.txt", isInside: false, kind: .tab))
    #expect(
      DropEffect(from: before, to: after, at: place(.textField), wanted: Self.file)
        == .landed(.document))
  }

  @Test(
    "T02 a page that names its own tab after what came proves nothing; a file in its place does")
  func ownTab() {
    let area = place(.area)
    func sight(_ tab: String, hasPage: Bool = true) -> Sight {
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
      #expect(DropEffect(from: before, to: sight(name), at: area, wanted: Self.file) == .changed)
    }
    let gone = sight("a.txt", hasPage: false)
    #expect(DropEffect(from: before, to: gone, at: area, wanted: Self.file) == .landed(.document))
  }

  @Test(
    "T05 a tab of its own by the file's name is where a program has opened it",
    arguments: [PlaceRole.area, .button, .page, .tab, .document])
  func tab(role: PlaceRole) {
    let before = things("Upload", "Drop page")
    for (name, effect) in [
      ("a.txt", DropEffect.landed(.document)), ("*a.txt", .landed(.document)),
      ("Could not open a.txt", .changed), ("a.txt.bak", .changed),
    ] {
      var after = things("Upload", "Drop page")
      after.things?.insert(
        DropEffect.Thing(element: element("/tab"), name: name, isInside: false, kind: .tab))
      #expect(DropEffect(from: before, to: after, at: place(role), wanted: Self.file) == effect)
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
    ])
  func stem(title: String, name: String, isOne: Bool) {
    #expect(DocumentTitle.isStem(title, of: name, programs: ["viewer"]) == isOne)
  }

  @Test("a text too long to be read whole shows nothing by staying the same")
  func longText() {
    let sight = Sight(text: String(repeating: "x", count: DropEffect.mostText))
    #expect(DropEffect(from: sight, to: sight, at: place(.textField), wanted: Self.file) == .unseen)
  }

  @Test(
    "T02 only a row by the name of what was dropped shows it in a list",
    arguments: [
      ("a.txt", DropEffect.landed(.item)), ("a", .landed(.item)),
      ("a.txt, 4 bytes", .landed(.item)),
      ("track 2", .changed), ("a.txt failed", .changed), ("ba.txt", .changed),
    ])
  func row(name: String, effect: DropEffect) {
    var after = things("[one]")
    after.things?.insert(
      DropEffect.Thing(element: element("/row"), name: name, isInside: true, kind: .row))
    let seen = DropEffect(from: things("[one]"), to: after, at: place(.list), wanted: Self.file)
    #expect(seen == effect)
  }

  @Test("T02 one of several that came proves nothing of the others")
  func several() {
    let wanted = DropEffect.Wanted(names: ["a.txt", "b.txt"])
    for kind in [DropEffect.Thing.Kind.row, .tab] {
      var after = things("[one]")
      func add(_ name: String) {
        after.things?.insert(
          DropEffect.Thing(element: element("/" + name), name: name, isInside: true, kind: kind))
      }
      add("a.txt")
      let one = DropEffect(from: things("[one]"), to: after, at: place(.list), wanted: wanted)
      #expect(one == .changed)
      add("b.txt")
      let both = DropEffect(from: things("[one]"), to: after, at: place(.list), wanted: wanted)
      #expect(both == .landed(kind == .row ? .item : .document))
    }
  }

  @Test("T02 one row does not stand for two of the same name")
  func sameNames() {
    var after = things("[one]")
    let wanted = DropEffect.Wanted(names: ["a.txt", "a.txt"])
    for (number, effect) in [(1, DropEffect.changed), (2, .landed(.item))] {
      after.things?.insert(
        DropEffect.Thing(
          element: element("/\(number)"), name: "a.txt", isInside: true, kind: .row))
      #expect(
        DropEffect(from: things("[one]"), to: after, at: place(.list), wanted: wanted) == effect)
    }
  }

  @Test("T02 a row beside the folder that was dropped on does not lie in it")
  func besideFolder() {
    var after = things("one")
    after.things?.insert(
      DropEffect.Thing(element: element("/row"), name: "a.txt", isInside: false, kind: .row))
    for (role, effect) in [(PlaceRole.folder, DropEffect.changed), (.folderView, .landed(.item))] {
      #expect(
        DropEffect(from: things("one"), to: after, at: place(role), wanted: Self.file) == effect)
    }
  }

  @Test(
    "A title is a document's when it begins with its name or its path",
    arguments: [
      ("a.txt - Editor", true), ("*a.txt (~/Docs) - Editor", true), ("/tmp/x/a.txt — Editor", true),
      ("~/x/a.txt", true), ("[a.txt] (imported)-1.0", true), ("Save a.txt?", false),
      ("data.txt", false), ("a.txt.bak", false), ("Folder a", false), ("", false),
    ])
  func title(title: String, isItsOwn: Bool) {
    #expect(DocumentTitle.names(title, "a.txt") == isItsOwn)
  }

  @Test("a list that can't be read any more proves nothing")
  func unread() {
    for before in [things("beside"), things("[z.txt]")] {
      let seen = DropEffect(from: before, to: Sight(), at: place(.list), wanted: Self.file)
      #expect(seen == .changed)
    }
  }

  @Test("T02 words about what was dropped are not the thing itself")
  func label() {
    for (after, effect) in [
      (things("[You dropped a.txt]"), DropEffect.changed), (things("a.txt"), .changed),
      (things("[a.txt]"), .landed(.item)),
    ] {
      let seen = DropEffect(
        from: things("[drop here]"), to: after, at: place(.area), wanted: Self.file)
      #expect(seen == effect)
    }
  }

  @Test("something else that changes in the window proves nothing")
  func elsewhere() {
    let seen = DropEffect(
      from: things("12:00"), to: things("12:01"), at: place(.area), wanted: Self.file)
    #expect(seen == .changed)
  }

  @Test(
    "only a list with room left shows by staying the same that nothing came",
    arguments: [
      (PlaceRole.list, false, DropEffect.missing), (.list, true, .unseen), (.area, false, .unseen),
      (.button, false, .unseen),
    ])
  func unchanged(role: PlaceRole, isCovered: Bool, effect: DropEffect) {
    let sight = things("[one]", "two")
    let seen = DropEffect(
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

  private let order = DeliveryOrder(
    items: [DesktopStage.item], stop: DropStop(DropPointID(1)), operation: .copy)

  @Test("T02 where nothing of a drop is seen, that its program took it is told, and no more")
  func wordless() {
    func told(_ effect: DropEffect, mayAccept: Bool, wasAsked: Bool = false) -> DeliveryResult {
      let place = Place(
        element: nil, name: "Page", spokenName: "Page", role: .page,
        traits: PlaceTraits(isDropPoint: true, mayAccept: mayAccept), origin: .generic(0))
      let end = (Delivering.result(effect, .delivered(.copy), order), Int64?.none)
      return Delivering.believed(end, of: place, wasAsked: wasAsked).result
    }
    for effect in [DropEffect.changed, .unseen] {
      #expect(told(effect, mayAccept: false).outcome == .unconfirmed)
      #expect(told(effect, mayAccept: false).effect == .taken)
      // The word of a program that says yes to everything is none, unless it has asked first.
      #expect(told(effect, mayAccept: true).effect == .ordered)
      #expect(told(effect, mayAccept: true, wasAsked: true).effect == .taken)
    }
    #expect(told(.missing, mayAccept: false).effect == .ordered)
    #expect(told(.landed(.item), mayAccept: true).outcome == .delivered)
  }

  @Test("T02, T03, T05 what is seen names the operation, whatever was ordered")
  func operation() {
    func told(
      _ form: DropEffect.Form, _ operation: DragOperation, isSourceThere: Bool
    ) -> DeliveryEffect {
      var order = order
      order.operation = operation
      return Delivering.result(
        .landed(form), .delivered(nil), order, program: "Editor", isSourceThere: isSourceThere
      ).effect
    }
    #expect(told(.item, .copy, isSourceThere: true) == .ordered)
    #expect(told(.item, .copy, isSourceThere: false) == .performed(.move))
    #expect(told(.item, .move, isSourceThere: true) == .performed(.copy))
    #expect(told(.item, .link, isSourceThere: true) == .taken)
    #expect(told(.path, .copy, isSourceThere: true) == .pathsWritten)
    #expect(told(.document, .copy, isSourceThere: true) == .opened(program: "Editor"))
  }

  @Test(
    "the program's word and what is seen make one outcome",
    arguments: [
      (DragOutcome.delivered(.copy), DropEffect.landed(.item), DeliveryOutcome.delivered),
      (.delivered(nil), .changed, .unconfirmed), (.delivered(.copy), .unseen, .unconfirmed),
      (.delivered(.copy), .missing, .unconfirmed), (.unknown, .landed(.item), .delivered),
      (.unknown, .changed, .unconfirmed), (.refused(.notTaken), .landed(.item), .refused),
      (.gone, .unseen, .failed), (.failed, .unseen, .failed),
      // It had the data: that nothing is lost is not known.
      (.doubtful(.programFailed), .unseen, .unconfirmed),
      (.doubtful(.programFailed), .landed(.document), .delivered),
      (.doubtful(.programEnded), .missing, .unconfirmed),
    ])
  func outcome(said: DragOutcome, effect: DropEffect, outcome: DeliveryOutcome) {
    #expect(effect.outcome(after: said) == outcome)
  }
}
