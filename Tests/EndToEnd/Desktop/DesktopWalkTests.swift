import FoundationEssentials
import Glibc
import PrivateDesktop
import RealPrograms
import Testing

/// The walk through the windows of a desktop, from end to end.
@Suite(
  "keydrag desktop, walking", .realPrograms(by: .suite), .serialized, .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct DesktopWalkTests: AgentSteps {
  @Test(
    "H02, H18, H28, K12 The same folder moves, another copies, a wish holds to the drop or is answered"
  )
  func operations() throws {
    let desktop = try DesktopStage(
      "Inbox/Sorted/", "Inbox/a.txt", "Inbox/b.txt", "Inbox/c.txt", "Docs/Inner/", "Docs/old.txt")
    let thunar = try desktop.thunar(("Docs", "Inner"), ("Inbox", "c.txt"))
    let copies = try desktop.window(taking: "text/uri-list", "Copies")
    let agent = try begin(desktop, at: "c.txt", in: "Inbox")
    try pickUp("c.txt", in: "Inbox", desktop, agent)
    let usual = try step("Tab", to: "Sorted", desktop, agent)
    #expect(usual.text.hasPrefix("Sorted: move."), "\(usual)")
    try desktop.press("F5")
    let copy = try agent.wait(for: "operation")
    #expect(copy.text == "Copy.", "\(copy)")
    try desktop.press("F5")
    let back = try agent.wait(for: "operation")
    #expect(back.text == "As usual here: move.", "\(back)")
    // The last state counts.
    try desktop.press("F6")
    try agent.wait(for: "operation", "operation", "move")
    try desktop.press("F5")
    try agent.wait(for: "operation", "operation", "copy")
    let copied = try drop(at: "Sorted", desktop, agent)
    #expect(copied.argument("operation") == "copy", "\(copied)")
    #expect(desktop.stage.read("Inbox/Sorted/c.txt") == "Inbox/c.txt")
    #expect(desktop.stage.read("Inbox/c.txt") == "Inbox/c.txt")

    // A wish ends with its drag.
    try desktop.press("Up")
    try desktop.wait(for: "b.txt", in: "Inbox", isSelected: true)
    try pickUp("b.txt", in: "Inbox", desktop, agent)
    let other = try goOn(to: "Copies", desktop, agent)
    #expect(other.argument("operation") == "copy", "\(other)")
    for (key, name, said) in [
      ("F7", "link", "Can't link here."), ("F6", "move", "Can't move here."),
    ] {
      try desktop.press(key)
      let answer = try agent.wait(for: "operation-unavailable", "operation", .text(name))
      #expect(answer.text.hasPrefix(said), "\(answer)")
      // Nothing is dropped against a wish that can't be had.
      try desktop.press("Return")
      try agent.wait(for: "refused")
      try desktop.press(key)
      try agent.wait(for: "operation", "operation", "copy")
    }
    let docs = try step("Next", to: "Docs folder view", desktop, agent)
    #expect(docs.text.hasPrefix("Docs folder view, Thunar: copy."), "\(docs)")
    try desktop.press("F6")
    try agent.wait(for: "operation", "operation", "move")
    let moved = try drop(at: "Docs", desktop, agent)
    #expect(moved.argument("operation") == "move", "\(moved)")
    #expect(desktop.stage.read("Docs/b.txt") == "Inbox/b.txt")
    #expect(!desktop.stage.exists("Inbox/b.txt"))
    _ = (thunar, copies)
  }

  @Test(
    "K03, K04, K06 The walk ends at the source, places come and go on the way, and so may what is held"
  )
  func comingAndGoing() throws {
    let desktop = try DesktopStage("Inbox/Sorted/", "Inbox/a.txt", "Inbox/b.txt", "Inbox/c.txt")
    let thunar = try desktop.thunar(("Inbox", "c.txt"))
    let agent = try begin(desktop, at: "c.txt", in: "Inbox")
    try pickUp("c.txt", in: "Inbox", desktop, agent)
    // Before the first comes the source, and before that the last; after it the first.
    try desktop.press("shift+Tab")
    let source = try agent.wait(for: "back-at-source", "name", "c.txt")
    #expect(source.text == "Back at c.txt: a drop here cancels.", "\(source)")
    try step("shift+Tab", to: "Trash", desktop, agent)
    try desktop.press("Tab")
    try agent.wait(for: "back-at-source", "name", "c.txt")
    try desktop.press("Return")
    try agent.wait(for: "cancelled", "names", ["c.txt"])
    #expect(desktop.stage.list("Inbox") == ["Sorted", "a.txt", "b.txt", "c.txt"])

    // A row that appears is reached by the next key, one that vanishes is left.
    try pickUp("c.txt", in: "Inbox", desktop, agent)
    try desktop.press("Tab")
    guard case .number(let places)? = try agent.wait(at: "Sorted").argument("total") else {
      throw ChildProcess.Hung(description: "no number of places")
    }
    try desktop.stage.make("Inbox/Later/")
    try desktop.wait(for: "Later", in: "Inbox")
    try agent.wait("one place more") { $0.kind == "state" && $0["total"] == .number(places + 1) }
    try step("shift+Tab", to: "Later", desktop, agent)
    try desktop.stage.remove("Inbox/Later")
    let vanished = try agent.wait(for: "vanished", "name", "Later")
    #expect(!vanished.text.isEmpty)
    try agent.wait("the next place") {
      $0.id == "drop-point" && $0.argument("name") != "Later"
        && $0.argument("verdict") != "asking"
    }
    // So is a window.
    let notes = try desktop.window(taking: "text/uri-list", "Notes")
    try goOn(to: "Notes", desktop, agent)
    // A canvas shows nothing of what it took.
    try drop(at: "Area canvas", desktop, agent, told: "unconfirmed")
    #expect(try notes.process.line() == "file://" + desktop.stage.path("Inbox/c.txt"))

    // What is held goes: of two the other is held on, and the walk goes round without its source.
    try desktop.activate("Inbox")
    try desktop.press("shift+Up")
    try desktop.wait(for: "b.txt", in: "Inbox", isSelected: true)
    let two = try pickUp(desktop, agent)
    #expect(two.argument("count") == 2, "\(two)")
    try agent.wait(at: "Inbox folder view", "refuse")
    try desktop.stage.remove("Inbox/b.txt")
    let gone = try agent.wait(for: "vanished", "name", "b.txt")
    #expect(gone.text == "b.txt is gone.", "\(gone)")
    try agent.wait("the other is held still") {
      $0.kind == "state" && $0["carried"] == 1 && $0["verdict"] == "refuse"
    }
    try desktop.press("shift+Tab")
    let round = try agent.wait("the last place") {
      $0.id == "back-at-source" || $0.id == "drop-point" && $0.argument("verdict") == "accept"
    }
    #expect(round.argument("name") == "Trash", "\(round)")
    try desktop.stage.remove("Inbox/c.txt")
    let ended = try agent.wait(for: "session-ended", "name", "c.txt")
    #expect(ended.argument("reason") == "gone", "\(ended)")
    _ = thunar
  }

  @Test("K05 Where no window takes it, that is said with what to do, and the keys are free again")
  func nothingAccepts() throws {
    let desktop = try DesktopStage()
    let pictures = try desktop.window(taking: "image/png", "Pictures")
    let label = try desktop.desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.label, "Poster"], adding: ["GDK_BACKEND": "x11"])
    try desktop.wait(for: "Words", in: "Poster")
    try desktop.activate("Poster")
    let agent = try desktop.agent()
    try desktop.press("ctrl+a")
    try pickUp("some words to carry", desktop, agent)
    try agent.wait("the window's own place") {
      $0.id == "drop-point" && $0.argument("verdict") == "refuse"
    }
    try step("Next", to: "Area canvas", answering: "refuse", desktop, agent)
    let nothing = try agent.wait(for: "nothing-accepts")
    #expect(
      nothing.text == "No place here accepts this item. Open another window first.", "\(nothing)")
    try desktop.press("Tab")
    while try label.line() != "Tab" {}
    _ = pictures
  }

  @Test("H15, T09 Blanks, signs and letters that repeat belong to a name that is typed")
  func separators() throws {
    let desktop = try DesktopStage("Inbox/b.txt")
    let names = ["dir 148", "dir 149", "set_a-1.0", "set_a-1.5", "aa, 11 (b)+[c]", "aa, 1"]
    for name in names { try desktop.stage.make("Inbox/\(name)/") }
    let thunar = try desktop.thunar(("Inbox", "b.txt"))
    let agent = try begin(desktop, at: "b.txt", in: "Inbox")
    try pickUp("b.txt", in: "Inbox", desktop, agent)
    try desktop.press("F4", "d", "i", "r", "space", "1", "4", "9")
    try agent.wait(at: "dir 149")
    try desktop.press("Return", "F4")
    try desktop.press("s", "e", "t", "underscore", "a", "minus", "1", "period", "5")
    try agent.wait(at: "set_a-1.5")
    try desktop.press(
      "Return", "F4", "a", "a", "comma", "space", "1", "1", "space", "parenleft", "b")
    try agent.wait(at: "aa, 11 (b)+[c]")
    try desktop.press("parenright", "plus", "bracketleft", "c", "bracketright")
    #expect(!agent.records.ids.contains { ["holding", "unknown-key", "no-match"].contains($0) })
    try desktop.press("Return", "F4", "d", "i", "r", "space", "1", "4", "8", "Return")
    try agent.wait(at: "dir 148")
    try drop(at: "dir 148", desktop, agent)
    #expect(desktop.stage.read("Inbox/dir 148/b.txt") == "Inbox/b.txt")
    _ = thunar
  }

  @Test("K15, K24 Of many quick steps the last is said, and no other window or screen size ends it")
  func leaving() throws {
    let desktop = try DesktopStage("Inbox/b.txt")
    let names = (1...8).map { "Folder \($0)" }
    for name in names { try desktop.stage.make("Inbox/\(name)/") }
    let notes = try desktop.window(.gtk3, "Notes")
    try notes.lines(upTo: "focus line")
    let thunar = try desktop.thunar(("Inbox", "b.txt"))
    let agent = try begin(desktop, at: "b.txt", in: "Inbox")
    try pickUp("b.txt", in: "Inbox", desktop, agent)
    // All at once, with no time for the places between to be asked.
    try desktop.hand(["key", "--delay", "0"] + names.map { _ in "Tab" } + ["F2"])
    try agent.wait(for: "holding")
    try agent.wait(at: "Folder 8")
    let said = agent.records.every("drop-point").filter { $0.argument("verdict") == "accept" }
    #expect(said.last?.argument("name") == "Folder 8", "\(said)")
    // Places a little ahead have been asked by then; those behind them nobody has heard of.
    #expect(said.count <= 6, "\(said)")
    let heard = said.count

    try desktop.activate("Notes")
    try notes.lines(upTo: "focus line")
    try desktop.press("x")
    try notes.lines(upTo: "line x")
    try desktop.resize("800x600")
    try desktop.press("F2")
    let there = try agent.wait(for: "holding")
    #expect(there.argument("dropPoint") == "Folder 8", "\(there)")
    #expect(there.argument("names") == ["b.txt"], "\(there)")
    #expect(there.argument("operation") == "move", "\(there)")
    #expect(agent.records.every("drop-point").count { $0.argument("verdict") == "accept" } == heard)
    try desktop.resize("1024x768")
    try drop(at: "Folder 8", desktop, agent)
    #expect(desktop.stage.read("Inbox/Folder 8/b.txt") == "Inbox/b.txt")
    _ = thunar
  }

  private static let label = """
    import sys, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk
    window = Gtk.Window(title=sys.argv[1])
    window.set_default_size(300, 240)
    label = Gtk.Label(label="some words to carry", selectable=True)
    label.get_accessible().set_name("Words")
    window.add(label)
    window.connect("key-press-event", lambda _, event: print(Gdk.keyval_name(event.keyval)))
    window.show_all()
    Gtk.main()
    """
}
