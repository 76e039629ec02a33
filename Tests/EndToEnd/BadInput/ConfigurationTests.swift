import RealPrograms
import Testing

@Suite("Settings that can't be used", .realPrograms(by: .test))
struct ConfigurationTests {
  @Test(
    "A mistake is said with its line and column, and everything goes on with the usual settings",
    arguments: [
      ("verbosity: full\nrate: [\n", "config.yaml, line 3, column 1"),
      ("rat: 5\n", "config.yaml, line 1, column 1"),
      ("verbosity: full\nthreshold: lots\n", "config.yaml, line 2, column 12"),
    ])
  func mistakes(text: String, place: String) throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    try stage.configure(text)
    let run = try stage.files("Inbox", "Docs", keys: "space enter")
    #expect(run.status == 0, "\(run)")
    let problem = try #require(run.first("problem"), "\(run)")
    #expect(problem.text.hasPrefix(place), "\(problem)")
    #expect(problem.isAssertive)
    #expect(stage.list("Docs") == ["a.txt"])
  }

  @Test("An unknown setting is said with the nearest known one")
  func nearest() throws {
    let stage = try Stage("Inbox/a.txt")
    try stage.configure("verbosty: brief\n")
    let run = try stage.files("Inbox", keys: "")
    #expect(run.first("problem")?.text.contains(#"Did you mean "verbosity"?"#) == true, "\(run)")
  }

  @Test("A keymap with a clash is said with both commands, and the usual keys stay")
  func clash() throws {
    let stage = try Stage("Inbox/a.txt", "Inbox/b.txt")
    try stage.configure("keys:\n  browsing:\n    pick-up: [down]\n")
    let run = try stage.files("Inbox", keys: "down")
    let problem = try #require(run.first("problem"), "\(run)")
    #expect(problem.text.hasPrefix("config.yaml, line 3, column 15: Down means"))
    #expect(problem.text.contains("next-item and pick-up"))
    #expect(run.last("item")?.argument("name") == "b.txt")
  }

  @Test("A key can be changed, and help and keys say the new one")
  func remapped() throws {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    try stage.configure("keys:\n  browsing:\n    pick-up: [ctrl+p]\n")
    let run = try stage.files("Inbox", "Docs", keys: "space ctrl+p escape ?")
    #expect(run.ids.prefix(4) == ["ready", "unknown-key", "picked-up", "drop-point"], "\(run)")
    #expect(run.last("help")?.argument("keys")?.description.contains("Ctrl+P: pick up") == true)
    let keys = try stage.run("keys", transcript: false)
    #expect(keys.output.contains("Ctrl+P"))
  }

  @Test(
    "The keys of the desktop can be changed, also for each other, and keydrag keys says them",
    arguments: [
      ("pick-up: [f10, ctrl+alt+d]\n    deliveries: []", ["F10 / Ctrl+Alt+D", nil]),
      (
        "pick-up: [ctrl+alt+shift+space]\n    deliveries: [ctrl+alt+space]",
        ["Ctrl+Alt+Shift+Space", "Ctrl+Alt+Space"]
      ),
      ("deliveries: f11", ["Ctrl+Alt+Space", "F11"]),
    ])
  func desktopKeys(setting: String, shown: [String?]) throws {
    let stage = try Stage()
    try stage.configure("keys:\n  desktop:\n    \(setting)\n")
    let keys = try stage.run("keys", transcript: false)
    #expect(keys.status == 0 && keys.errors == "", "\(keys)")
    let rows = keys.output.split(separator: "\n")
    let does = ["pick up what is in focus", "deliveries, undo, redo, history and quit"]
    for (what, keys) in zip(does, shown) {
      let row = rows.first { $0.contains("  " + what) }
      let shown = row?.split(separator: "  ").first.map(String.init)
      #expect(shown == keys, "\(rows)")
    }
  }

  @Test(
    "A key that other programs need is not taken from them, and the usual ones stay",
    arguments: [
      (
        "pick-up: [d]",
        "column 15: \"d\" can't be taken from all programs. Choose a key with Ctrl and Alt"
      ),
      ("pick-up: tab", "column 14: \"tab\" can't be taken"),
      ("pick-up: f4", "column 14: \"f4\" can't be taken"),
      ("pick-up: shift+space", "column 14: \"shift+space\" can't be taken"),
      ("pick-up: ctrl+insert", "column 14: \"ctrl+insert\" can't be taken"),
      ("pick-up: ctrl+c", "column 14: \"ctrl+c\" can't be taken"),
      ("pick-up: alt+f", "column 14: \"alt+f\" can't be taken"),
      ("pick-up: ctrl+x ctrl+p", "column 14: \"ctrl+x ctrl+p\" can't be taken"),
      ("pick-up: ctrl+alt+spce", "column 14: There is no key \"ctrl+alt+spce\"."),
      (
        "pick-up: []", "column 5: Without a key for pick-up on the desktop nothing can be picked up"
      ),
      ("pickup: f10", "column 5: There is no command \"pickup\". Did you mean \"pick-up\"?"),
      (
        "deliveries: ctrl+alt+space",
        "column 17: Ctrl+Alt+Space means pick-up and deliveries on the desktop. Give one"
      ),
    ])
  func desktopMistakes(setting: String, words: String) throws {
    let stage = try Stage()
    try stage.configure("keys:\n  desktop:\n    \(setting)\n")
    let keys = try stage.run("keys", transcript: false)
    #expect(keys.status == 0, "\(keys)")
    #expect(keys.output.contains("\n  Ctrl+Alt+Space  "), "\(keys)")
    // Before the keys, as in every command.
    #expect(keys.output.hasPrefix("config.yaml, line 3, " + words), "\(keys)")
  }

  @Test("A configuration that is named and not there ends the run")
  func namedAndMissing() throws {
    let stage = try Stage("Inbox/a.txt")
    let run = try stage.files("Inbox", keys: "", options: ["--config", "nope.yaml"])
    #expect(run.status == 66)
    #expect(run.errors.contains("nope.yaml"), "\(run)")
    #expect(run.records.all.isEmpty)
  }

  @Test("The settings are used: brief wording, hidden files, what to do about a clash")
  func used() throws {
    let stage = try Stage("Inbox/.hidden", "Inbox/a.txt", "Docs/a.txt")
    try stage.configure("verbosity: brief\nshow-hidden: true\nclash: skip\n")
    let run = try stage.files("Inbox", keys: "")
    #expect(run.said == ["Inbox, 2 files. .hidden."], "\(run)")
    _ = try stage.run("copy", "Inbox/a.txt", "--to", "Docs")
    #expect(stage.list("Docs") == ["a.txt"])
  }

  /// What an app on the library says when these keys are pressed, and its status.
  private func app(_ stage: Stage, keys: String) throws -> (said: [String], status: Int) {
    let app = try ChildProcess(
      [try Program.path("KeyDragEventProbe"), keys], environment: stage.environment,
      folder: stage.work)
    let status = try app.finish()
    #expect(app.errors.isEmpty)
    let said = String(decoding: app.output, as: UTF8.self).split(separator: "\n")
    return (said.map(String.init), status)
  }

  @Test("The settings hold in an app on the library too: another key, fewer words")
  func app() throws {
    let stage = try Stage()
    let usual = try app(stage, keys: "space escape :quit")
    #expect(usual.said.first == "Calendar, 1 item. Lunch with Ada. Space picks up.", "\(usual)")
    #expect(usual.said.contains { $0.hasPrefix("Picked up Lunch with Ada. 1 place. Tab") })
    try stage.configure("verbosity: brief\nkeys:\n  browsing:\n    pick-up: [ctrl+p]\n")
    let other = try app(stage, keys: "space ctrl+p escape :quit")
    #expect(other.said.first == "Calendar, 1 item. Lunch with Ada.", "\(other)")
    #expect(other.said.dropFirst().first?.hasPrefix("Space") == true, "\(other)")
    #expect(
      other.said.dropFirst(2).first == "Picked up Lunch with Ada. 1 place.", "\(other)")
    #expect(other.status == 0)
  }

  @Test("What is wrong in the settings is said by an app on the library as by the program itself")
  func appMistakes() throws {
    let stage = try Stage("Inbox/a.txt")
    try stage.configure("rat: 5\nkeys:\n  browsing:\n    pick-up: [xtrl+p]\n")
    let own = try stage.files("Inbox", keys: "").records.every("problem").map(\.text)
    #expect(own.count == 2)
    let app = try app(stage, keys: ":quit")
    #expect(own.allSatisfy(app.said.contains), "\(app) \(own)")
    #expect(app.status == 0)
  }
}
