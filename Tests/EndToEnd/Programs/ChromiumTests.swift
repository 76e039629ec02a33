import PrivateDesktop
import RealPrograms
import Testing

@Suite(
  "Chromium, as its profile describes it", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(5)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil },
  .enabled("needs Chromium: apt-get install chromium") { InstalledProgram.chromium.isThere })
struct ChromiumTests: AgentSteps {
  @Test("H01, H15 A file lands in a named part of a page and in its file field; the page tells it")
  func file() throws {
    let desktop = try DesktopStage("new.txt")
    let chromium = try open(desktop)
    let places = try desktop.listed("Chromium")
    #expect(
      places.prefix(5) == [
        "Drop page, Chromium", "Zone area, in Drop page, Chromium",
        "Words text field, in Drop page, Chromium", "Shelf area, in Drop page, Chromium",
        "Attach: No file chosen button, in Drop page, Chromium",
      ], "\(places)")
    // Versions differ in which of these comes first.
    #expect(
      places.dropFirst(5).sorted() == [
        "Address and search bar text field, in Drop page, Chromium",
        "Choose File: No file chosen button, in Drop page, Chromium",
        "Drop page tab, in Drop page, Chromium",
      ], "\(places)")
    let run = try desktop.run("drop", "new.txt", "--onto", "Zone", "--app", "Chromium")
    // The page alone shows it, in words of its own.
    #expect(run.status == 1, "\(run)")
    #expect(run.records.finished.first?["outcome"] == "unconfirmed", "\(run)")
    try desktop.waitForTitle("Got new.txt 7 copy")
    try FilePage.drop("new.txt", in: "Chromium", desktop)
    #expect(desktop.stage.read("new.txt") == "new.txt")
    _ = chromium
  }

  @Test("H16 Words go from a line into a field of a page, and out of it again")
  func words() throws {
    let desktop = try DesktopStage()
    let chromium = try open(desktop)
    let letter = try desktop.window(.gtk3, "Letter")
    try desktop.activate("Letter")
    try letter.lines(upTo: "focus line")
    let agent = try desktop.agent()
    try pickUpWords(desktop, agent)
    try reach("Chromium", desktop, agent)
    try desktop.press("F4", "w", "o", "r", "d", "s", "Return")
    try agent.wait(at: "Words text field", "maybe")
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Words text field")
    try desktop.waitForTitle("Words some words to carry")

    try desktop.activate("Words some words")
    try desktop.press("ctrl+a")
    try pickUp("some words to carry", desktop, agent)
    try reach("Letter", desktop, agent)
    try desktop.press("Return")
    try letter.lines(upTo: "body some words to carry")
    _ = chromium
  }

  /// Starts Chromium with a page, in a profile of its own; returns when the page can be read.
  private func open(_ desktop: DesktopStage) throws -> KeptProcess {
    let base = desktop.stage.base
    try desktop.stage.make(base + "/page.html", Self.page)
    let chromium = try desktop.desktop.start(
      [
        "/usr/bin/chromium", "--no-sandbox", "--user-data-dir=" + base + "/chromium",
        "--force-renderer-accessibility", "--no-first-run", "--no-default-browser-check",
        "--disable-gpu", "--disable-background-networking", "--disable-component-update",
        "--disable-sync", "--password-store=basic", "file://" + base + "/page.html",
      ],
      // It tells of itself where the session says so, or this.
      adding: ["GNOME_ACCESSIBILITY": "1"])
    try desktop.wait(for: "Zone", in: "Drop page", within: 90)
    return chromium
  }

  /// The title tells what was dropped or typed.
  private static let page = """
    <!DOCTYPE html><html><head><meta charset="utf-8"><title>Drop page</title></head><body>
    <div id="zone" role="group" aria-label="Zone" style="height: 120px">Drop here</div>
    <textarea id="words" aria-label="Words" rows="6" cols="40" autofocus></textarea>
    \(FilePage.parts)
    <script>
    zone.ondragover = event => { event.preventDefault(); event.dataTransfer.dropEffect = "copy"; };
    zone.ondrop = event => {
      event.preventDefault();
      const file = event.dataTransfer.files[0];
      document.title = `Got ${file.name} ${file.size} ${event.dataTransfer.dropEffect}`;
    };
    words.oninput = () => { document.title = "Words " + words.value; };
    \(FilePage.script)
    </script></body></html>

    """
}
