import FoundationEssentials
import Glibc
import PrivateDesktop
import RealPrograms
import Testing

/// Drops that a program takes its time with, out of the agent.
@Suite(
  "keydrag desktop, with drops that take long", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct DesktopLongDeliveryTests: AgentSteps {
  private let long = "long words to carry, many of them long w…"

  /// A text of 900,000 letters, selected; a window that takes it bit by bit; and others.
  private func stage() throws -> (DesktopStage, SlowWindow, KeptProcess) {
    let desktop = try DesktopStage()
    try desktop.stage.configure("threshold: 1 kB\n")
    let slow = try SlowWindow("Slow", on: desktop.desktop)
    let source = try desktop.desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.source, "Long"], adding: ["GDK_BACKEND": "x11"])
    try desktop.wait(for: "Text", in: "Long")
    return (desktop, slow, source)
  }

  /// Drops the long text; returns when its target has begun to take it.
  private func drop(_ desktop: DesktopStage, _ slow: SlowWindow, _ agent: LiveRun) throws {
    try desktop.activate("Long")
    try desktop.press("ctrl+a")
    try pickUp(long, desktop, agent)
    try agent.wait(at: "Long window", "refuse")
    try goOn(to: "Slow", desktop, agent)
    try desktop.press("Return")
    let start = try agent.wait(for: "delivering")
    #expect(start.argument("bytes") == 900_000, "\(start)")
    try slow.begins()
    #expect(try slow.takePortion() == "0")
  }

  @Test("H19 A long drop says its size, how far it is, and its end; it is cancelled by its name")
  func progress() throws {
    let (desktop, slow, source) = try stage()
    let agent = try desktop.agent()
    try drop(desktop, slow, agent)
    for (size, percent) in [(262_144, 25), (524_288, 50), (786_432, 75)] {
      #expect(try slow.takePortion() == "\(size)")
      let said = try agent.wait(for: "progress")
      #expect(said.argument("percent") == .number(percent), "\(said)")
      #expect(said.argument("bytes") == .number(size), "\(said)")
    }
    #expect(try slow.takePortion() == "900000")
    #expect(try slow.takePortion() == "took 900000")
    let end = try agent.wait("the end") { $0["stage"] == "finished" }
    #expect(end["outcome"] == "unconfirmed", "\(end)")
    // Its program has all of it, and shows nothing.
    try agent.wait(for: "unconfirmed", "confirmed", "by-program")

    try drop(desktop, slow, agent)
    #expect(try slow.takePortion() == "262144")
    try agent.wait(for: "progress")
    let line = try openList(desktop, agent)
    #expect(line.text.contains(long) && line.text.contains("29%"), "\(line)")
    try desktop.press("Delete")
    let cancelled = try agent.wait(for: "delivery-cancelled")
    #expect(cancelled.argument("names") == [.text(long)], "\(cancelled)")
    #expect(agent.records.finished.last?["outcome"] == "cancelled", "\(agent.records)")
    try desktop.press("Escape")
    try agent.wait(for: "declined")
    agent.signal(SIGTERM)
    #expect(try agent.ended().status == 130)
    _ = source
  }

  @Test("H31 While one runs another thing is picked up and dropped; each is said by its name")
  func beside() throws {
    let (desktop, slow, source) = try stage()
    let notes = try desktop.window(.gtk3, "Notes")
    let letter = try desktop.window(.gtk3, "Letter")
    let agent = try desktop.agent()
    try drop(desktop, slow, agent)
    #expect(try slow.takePortion() == "262144")
    try agent.wait(for: "progress")
    try desktop.activate("Letter")
    try letter.lines(upTo: "focus line")
    try pickUpWords(desktop, agent)
    try goOn(to: "Notes", desktop, agent)
    // The list opens over what is held, and leads back to it.
    let line = try openList(desktop, agent)
    #expect(line.text.contains(long), "\(line)")
    try desktop.press("Escape")
    try agent.wait(at: "Body text field")
    let short = try drop(at: "Body text field", desktop, agent)
    #expect(short.argument("names") == ["some words to carry"], "\(short)")
    try notes.lines(upTo: "body some words to carry")
    #expect(agent.records.finished.count == 1, "\(agent.records)")
    for size in [524_288, 786_432, 900_000] { #expect(try slow.takePortion() == "\(size)") }
    #expect(try slow.takePortion() == "took 900000")
    let end = try agent.wait("the end of the long one") { $0["stage"] == "finished" }
    #expect(end["id"] == 1 && end["outcome"] == "unconfirmed", "\(end)")
    _ = source
  }

  @Test("H19 What a program has been given can't be cancelled any more, and that is said")
  func tooLate() throws {
    let desktop = try DesktopStage()
    let notes = try desktop.window(taking: "UTF8_STRING", "Notes", stops: true)
    let (letter, agent) = try begin(desktop, withWordsIn: "Letter")
    try pickUpWords(desktop, agent)
    try step("Next", to: "Area canvas", desktop, agent)
    try desktop.press("Return")
    // It stops with the words in its hand, and has confirmed nothing.
    #expect(try notes.process.line() == "some words to carry")
    try openList(desktop, agent)
    try desktop.press("Delete")
    let late = try agent.wait(for: "too-late")
    #expect(
      late.text == "Too late to cancel some words to carry: the program has it.", "\(late)")
    notes.process.signal(SIGCONT)
    let end = try agent.wait("the end") { $0["stage"] == "finished" }
    #expect(end["outcome"] == "unconfirmed", "\(end)")
    _ = letter
  }

  private static let source = """
    import sys, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk
    window = Gtk.Window(title=sys.argv[1])
    window.set_default_size(300, 240)
    text = Gtk.TextView(editable=False)
    text.get_accessible().set_name("Text")
    text.get_buffer().set_text(("long words to carry, many of them\\n" * 27000)[:900000])
    pane = Gtk.ScrolledWindow()
    pane.add(text)
    window.add(pane)
    window.show_all()
    Gtk.main()
    """
}
