import Glibc
import PrivateDesktop
import RealPrograms
import Testing
import Thorough

private enum Firefox {
  static let path: String? = ["/usr/bin/firefox-esr", "/usr/bin/firefox"].first { path in
    access(path, X_OK) == 0
  }
}

@Suite(
  "Drops into a page of Firefox", .realPrograms(by: .suite),
  .serialized, .timeLimit(.minutes(5)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil },
  .enabled("needs Firefox: apt-get install firefox-esr") { Firefox.path != nil })
struct BrowserTests: AgentSteps {
  @Test("H15, H16 A file lands in what a page takes, which may accept; the page tells what came")
  func file() throws {
    let desktop = try DesktopStage("new.txt")
    let firefox = try open(desktop)
    let zone = try answer("Zone area", desktop)
    #expect(zone["verdict"] == "maybe" && zone["app"] == "Firefox", "\(zone)")
    let words = try desktop.run("points", "--app", "Firefox", "--carrying", "new.txt")
    #expect(
      words.said.contains { $0.hasPrefix("Zone area") && $0.contains("may accept") }, "\(words)")

    let run = try desktop.run("drop", "new.txt", "--onto", "Zone", "--app", "Firefox")
    // The page alone shows it, in words of its own.
    #expect(run.status == 1, "\(run)")
    #expect(run.records.finished.first?["outcome"] == "unconfirmed", "\(run)")
    try desktop.waitForTitle("Got new.txt 7 copy")
    try FilePage.drop("new.txt", in: "Firefox", desktop)
    #expect(desktop.stage.read("new.txt") == "new.txt")
    _ = firefox
  }

  @Test("H14 What a page takes and shows nothing of is sent, and not said to be copied", .thorough)
  func unseen() throws {
    let desktop = try DesktopStage("new.txt")
    let firefox = try open(desktop)
    _ = try answer("Hole area", desktop)
    let run = try desktop.run("drop", "new.txt", "--onto", "Hole", "--app", "Firefox")
    #expect(run.status == 1, "\(run)")
    #expect(
      run.last("unconfirmed")?.text == "new.txt sent to Hole area, in Firefox; it did not confirm.",
      "\(run)")
    #expect(run.records.finished.first?["outcome"] == "unconfirmed", "\(run)")
    #expect(!run.ids.contains("delivered"), "\(run)")
    try desktop.waitForTitle("Taken in silence")
    #expect(desktop.stage.read("new.txt") == "new.txt")
    _ = firefox
  }

  @Test("K16 Words of another program are carried into a page, by keys alone", .thorough)
  func text() throws {
    let desktop = try DesktopStage()
    let firefox = try open(desktop)
    let letter = try desktop.window(.gtk3, "Letter")
    try desktop.activate("Letter")
    try letter.lines(upTo: "focus line")
    let agent = try desktop.agent()
    try pickUpWords(desktop, agent)
    try desktop.press("Next")
    try agent.wait("a place of Firefox") { $0.argument("app") == "Firefox" }
    // F4 finds a place by its name.
    try desktop.press("F4", "w", "o", "r", "d", "s", "Return")
    let point = try agent.wait(at: "Words text field", "maybe")
    #expect(point.text.contains("may accept"), "\(point)")
    try desktop.press("Return")
    try agent.wait(for: "delivered", "place", "Words text field")
    try desktop.waitForTitle("Words some words to carry")
    _ = firefox
  }

  @Test(
    "H29 Where all of a page is selected, that is picked up, and not the link in focus", .thorough)
  func page() throws {
    let desktop = try DesktopStage()
    let firefox = try open(desktop, at: "#more")
    let agent = try desktop.agent()
    try desktop.activate("At the link")
    let link = try pickUpSomething(desktop, agent)
    #expect(link.argument("names") == ["More"], "\(link)")
    try desktop.press("Escape")
    try agent.wait(for: "cancelled")
    try desktop.press("ctrl+a")
    try desktop.waitForTitle("All selected")
    let page = try pickUpSomething(desktop, agent)
    #expect(page.text.contains("Drop here"), "\(page)")
    _ = firefox
  }

  /// A browser that has only just begun tells late what is in focus.
  private func pickUpSomething(_ desktop: DesktopStage, _ agent: LiveRun) throws -> Record {
    let end = ContinuousClock.now + .seconds(30)
    var answer = try pickUp(desktop, agent)
    while answer.id != "picked-up", ContinuousClock.now < end {
      answer = try pickUp(desktop, agent)
    }
    return answer
  }

  /// What a place says, once it is there and answers: what a page says of itself is in the tree some time
  /// after the page.
  private func answer(_ name: String, _ desktop: DesktopStage) throws -> Record {
    var points: [Record] = []
    for _ in 0..<100 {
      points = try desktop.points("--app", "Firefox", "--carrying", "new.txt")
      let found = points.first { $0["name"] == .text(name) }
      if let found, found["reason"] != "not-responding" { return found }
    }
    return try #require(nil as Record?, "\(points)")
  }

  /// Starts Firefox with a page, in a profile of its own; returns when the page can be read.
  ///
  /// - Parameter part: what of the page takes the focus.
  private func open(_ desktop: DesktopStage, at part: String = "") throws -> KeptProcess {
    let stage = desktop.stage
    try stage.make(stage.base + "/firefox/user.js", Self.settings)
    try stage.make(stage.base + "/page.html", Self.page)
    let firefox = try desktop.desktop.start(
      [
        try #require(Firefox.path), "--profile", stage.base + "/firefox", "--no-remote",
        "file://" + stage.base + "/page.html" + part,
      ],
      adding: ["GNOME_ACCESSIBILITY": "1", "MOZ_ENABLE_ACCESSIBILITY": "1", "GDK_BACKEND": "x11"])
    let title = part.isEmpty ? "Drop page" : "At the link"
    for (name, seconds) in [("Zone", 90), ("Words", 60), ("Hole", 60)] as [(String, Int32)] {
      try desktop.wait(for: name, in: title, within: seconds)
    }
    return firefox
  }

  /// Nothing but the page: no welcome, no questions, no news from outside.
  private static let settings = """
    user_pref("browser.shell.checkDefaultBrowser", false);
    user_pref("browser.aboutwelcome.enabled", false);
    user_pref("browser.preonboarding.enabled", false);
    user_pref("browser.startup.homepage_override.mstone", "ignore");
    user_pref("datareporting.policy.dataSubmissionEnabled", false);
    user_pref("network.captive-portal-service.enabled", false);
    user_pref("network.connectivity-service.enabled", false);
    user_pref("app.normandy.enabled", false);
    user_pref("app.update.enabled", false);

    """

  /// The title tells what was dropped or typed.
  private static let page = """
    <!DOCTYPE html><html><head><meta charset="utf-8"><title>Drop page</title></head><body>
    <div id="zone" role="group" aria-label="Zone" aria-dropeffect="copy" style="height: 120px">
    Drop here</div>
    <div id="hole" role="group" aria-label="Hole" aria-dropeffect="copy" style="height: 80px">
    Or here</div>
    <textarea id="words" aria-label="Words" rows="6" cols="40"></textarea>
    \(FilePage.parts)
    <p>There is <a id="more" href="https://example.org/more">More</a> to read</p>
    <script>
    more.onfocus = () => { document.title = "At the link"; };
    document.onselectionchange = () => {
      if (getSelection().toString().includes("to read")) document.title = "All selected";
    };
    if (location.hash) more.focus();
    zone.ondragover = event => { event.preventDefault(); event.dataTransfer.dropEffect = "copy"; };
    zone.ondrop = event => {
      event.preventDefault();
      const file = event.dataTransfer.files[0];
      document.title = `Got ${file.name} ${file.size} ${event.dataTransfer.dropEffect}`;
    };
    hole.ondragover = zone.ondragover;
    hole.ondrop = event => { event.preventDefault(); document.title = "Taken in silence"; };
    words.oninput = () => { document.title = "Words " + words.value; };
    \(FilePage.script)
    </script></body></html>

    """
}
