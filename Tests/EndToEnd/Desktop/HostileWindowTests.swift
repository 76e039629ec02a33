import HostilePrograms
import PrivateDesktop
import RealPrograms
import Testing
import Thorough

/// Windows that answer a drop of words by naming the file that is to be written.
@Suite(
  "A window that says where a file is to be written", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(5)),
  .enabled("needs what the README's test command installs") { DesktopStage.obstacle == nil })
struct HostileWindowTests: AgentSteps {
  /// A window, and the addresses that it gives, one for each drop.
  struct Trick: Sendable, CustomTestStringConvertible {
    enum Look: String, Sendable {
      /// It is in no tree.
      case nothing
      /// A list of what lies in a folder, with its path in a field.
      case folder
      /// The same list with a path bar, under a title of its own.
      case disguise
    }

    var look: Look
    /// The folder whose files it lists.
    var shows = "Docs"
    var addresses: [String]
    var testDescription: String { "\(look.rawValue) \(shows)" }
  }

  private static let file = "some%20words%20to%20carry.txt"
  private static let tricks = [
    Trick(
      look: .nothing,
      addresses: ["HOME/.config/autostart/\(file)", "HOME/.ssh/\(file)", "WORK/Docs/\(file)"]),
    Trick(
      look: .folder,
      addresses: [
        "HOME/.config/autostart/\(file)", "WORK/Letters/\(file)", "WORK/Docs/way/\(file)",
        "WORK/Docs/.\(file)", "WORK/Docs/../../home/.ssh/\(file)",
        "WORK/Docs/..%2F..%2Fhome%2F.ssh%2F\(file)", "WORK/Docs/some%20words%20to%20carry.desktop",
        "elsewhere.exampleWORK/Docs/\(file)", "",
      ]),
    Trick(
      look: .folder, shows: "../home/.config/autostart",
      addresses: ["HOME/.config/autostart/\(file)"]),
    Trick(look: .folder, shows: "way", addresses: ["WORK/way/\(file)"]),
    Trick(look: .disguise, shows: "Letters", addresses: ["WORK/Letters/\(file)"]),
  ]

  private func stage() throws -> DesktopStage {
    let desktop = try DesktopStage("Docs/old.txt", "Letters/dear.txt")
    for path in [".ssh/config", ".config/autostart/own.desktop"] {
      try desktop.stage.make(desktop.stage.base + "/home/" + path)
    }
    for path in ["way", "Docs/way"] {
      desktop.stage.link(path, to: desktop.stage.base + "/home/.ssh")
    }
    return desktop
  }

  private func open(_ trick: Trick, _ desktop: DesktopStage) throws -> KeptProcess {
    let addresses = trick.addresses.map { address in
      address.isEmpty
        ? ""
        : "file://"
          + address.replacing("HOME", with: desktop.stage.base + "/home")
          .replacing("WORK", with: desktop.stage.work)
    }
    let window = try desktop.desktop.start(
      [
        "/usr/bin/python3", "-u", "-c", DirectSaveWindow.program, trick.look.rawValue,
        desktop.stage.path(trick.shows),
      ] + addresses,
      adding: trick.look == .nothing ? ["NO_AT_BRIDGE": "1"] : ["GDK_BACKEND": "x11"])
    #expect(try window.line() == "shown")
    return window
  }

  /// Carries the words there and drops them; returns what was said before and how it ended.
  private func drop(
    on look: Trick.Look, _ desktop: DesktopStage, _ agent: LiveRun
  ) throws -> (Record, Record) {
    try desktop.activate("Letter")
    try pickUpWords(desktop, agent)
    let place =
      try look == .nothing
      ? goOn(to: "Harmless", desktop, agent) : reach("harmless", desktop, agent)
    try desktop.press("Return")
    let end = try agent.wait("the end of the delivery") {
      $0.kind == "delivery" && $0["stage"] == "finished"
    }
    return (place, end)
  }

  /// Every file of the stage but the program's own.
  private func files(_ desktop: DesktopStage) -> [String] {
    ["work", "work/Docs", "work/Letters", "home/.ssh", "home/.config/autostart"].flatMap { folder in
      desktop.stage.list(desktop.stage.base + "/" + folder).map { folder + "/" + $0 }
    }
  }

  @Test(
    "T13, H24, H08 Nothing is written but in the folder that is shown by its name: words are given",
    arguments: Thorough.cases(ordinarily: 2, of: tricks))
  func refused(trick: Trick) throws {
    let desktop = try stage()
    let before = files(desktop)
    let window = try open(trick, desktop)
    let (letter, agent) = try begin(desktop, withWordsIn: "Letter")
    for address in trick.addresses {
      let (place, end) = try drop(on: trick.look, desktop, agent)
      #expect(files(desktop) == before, "\(address): \(agent.records)")
      // With no file offered it takes the words at once.
      let told = try window.line()
      let answers = ["F, some words to carry", "some words to carry"]
      #expect(answers.contains(told), "\(address): \(end)")
      #expect(end["verified"] != true, "\(address): \(end)")
      let isShown = trick.look == .folder && trick.shows == "Docs"
      #expect((place.argument("result") == nil) == isShown, "\(place)")
    }
    let undo = try desktop.run("undo")
    #expect(undo.status == 1 && undo.ids == ["cannot-undo"], "\(undo)")
    _ = letter
  }

  @Test("T13, H24, H08 Where a window shows a folder the file is written there, told, and undone")
  func taken() throws {
    let desktop = try stage()
    let before = files(desktop)
    let window = try open(Trick(look: .folder, addresses: ["WORK/Docs/" + Self.file]), desktop)
    let (letter, agent) = try begin(desktop, withWordsIn: "Letter")
    let (place, end) = try drop(on: .folder, desktop, agent)
    #expect(try window.line() == "S")
    #expect(end["verified"] == true, "\(end)")
    #expect(place.argument("name") == "Docs folder view", "\(place)")
    #expect(place.argument("result") == nil, "\(place)")
    let told = try agent.wait(for: "delivered")
    #expect(told.argument("place") == "Docs folder view", "\(told)")
    #expect(desktop.stage.read("Docs/some words to carry.txt") == "some words to carry")
    #expect(try desktop.run("undo").status == 0)
    #expect(files(desktop) == before)
    _ = letter
  }
}
