import Glibc
import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragDesktop

/// Ways into and out of programs beside a drag without a pointer, with real programs.
@Suite(
  "Other routes, in running programs", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled(if: DesktopStage.obstacle == nil))
struct LiveRouteTests {
  // MARK: Its Paste command

  @Test(
    "H13, H03: what takes no drops gets them through its Paste command, and the clipboard is as it was"
  )
  func pastes() async throws {
    let stage = try DesktopStage()
    let window = try await stage.start(ShelfPrograms.shelf, title: "Shelf")
    let books = try stage.point("Books", in: window)
    let proposal = await stage.verdict(at: books)
    #expect(proposal.acceptance == .maybe)
    #expect(proposal.offers == .copy)
    #expect(proposal.predictions == [.inProgram(isPasted: true, undo: .doubtful)])
    let result = try await stage.deliver(to: books)
    #expect(result.outcome == .delivered && result.route == .menu && result.verified)
    #expect(try stage.said() == "pasted file:///tmp/a.txt")
    try stage.program.signal(SIGUSR1)
    #expect(try stage.said() == "clipboard before")
  }

  @Test(
    "T01, H14 what says yes to a drag and then takes nothing is given nothing by another way; Paste is offered"
  )
  func offersPaste() async throws {
    let stage = try DesktopStage()
    let window = try await stage.start(ShelfPrograms.promising, title: "Shelf")
    let books = try stage.point("Books", in: window)
    #expect(await stage.verdict(at: books).acceptance == .all)
    let refused = try await stage.deliver(to: books)
    #expect(refused.route == .xdnd && refused.delivered == 0, "\(refused)")
    guard refused.failures.first?.reason == .pasteLeft else {
      // It has asked for the data: nothing is offered that could land twice.
      #expect(refused.outcome == .unconfirmed, "\(refused)")
      #expect(await !stage.verdict(at: books).isPasted)
      return
    }
    #expect(await stage.verdict(at: books).isPasted)
    let pasted = try await stage.deliver(to: books)
    #expect(pasted.outcome == .delivered && pasted.route == .menu && pasted.verified)
    #expect(try stage.said() == "pasted file:///tmp/a.txt")
  }

  @Test(
    "a command that tells no key is found by the name that a profile gives it, and else not at all")
  func named() async throws {
    var profile = ProgramProfile(name: "shelf", toolkits: [NamePattern("gtk")])
    profile.commands[.paste] = [NamePattern("Einf*")]
    for (profiles, acceptance) in [([], .none(.notTaken)), ([profile], .maybe)]
      as [([ProgramProfile], Acceptance)]
    {
      let stage = try DesktopStage(profiles: profiles)
      let window = try await stage.start(ShelfPrograms.keyless, title: "Shelf")
      let books = try stage.point("Books", in: window)
      #expect(await stage.verdict(at: books).acceptance == acceptance)
      let result = try await stage.deliver(to: books)
      #expect(result.outcome == (profiles.isEmpty ? .refused : .delivered))
    }
  }

  @Test("H08: what only the program can undo is said to be so, and undone when it is asked again")
  func undone() async throws {
    let stage = try DesktopStage()
    let window = try await stage.start(ShelfPrograms.shelf, title: "Shelf")
    let books = try stage.point("Books", in: window)
    _ = await stage.verdict(at: books)
    _ = try await stage.deliver(to: books)
    #expect(try stage.said() == "pasted file:///tmp/a.txt")
    guard case .undone(_, .refused(_, .programsOwn)) = await stage.request(.undo(entry: nil)) else {
      throw DesktopStage.Missing(description: "it was not offered")
    }
    let second = await stage.request(.undo(entry: nil))
    guard case .undone(_, .done(let entry)) = second else {
      throw DesktopStage.Missing(description: "\(second)")
    }
    #expect(entry.names == ["a.txt"])
    #expect(try stage.said() == "undone")
    guard case .undone(_, .nothing) = await stage.request(.undo(entry: nil)) else {
      throw DesktopStage.Missing(description: "it was undone twice")
    }
  }

  @Test("H08: what was changed after a drop is not undone in its place")
  func changedSince() async throws {
    let stage = try DesktopStage()
    let window = try await stage.start(ShelfPrograms.shelf, title: "Shelf")
    let books = try stage.point("Books", in: window)
    _ = await stage.verdict(at: books)
    _ = try await stage.deliver(to: books)
    #expect(try stage.said() == "pasted file:///tmp/a.txt")
    _ = await stage.request(.undo(entry: nil))
    try stage.program.signal(SIGUSR2)
    #expect(try stage.said() == "added")
    let answer = await stage.request(.undo(entry: nil))
    guard case .undone(_, .refused(_, .changed)) = answer else {
      throw DesktopStage.Missing(description: "\(answer)")
    }
  }

  @Test(
    "H14: a clipboard that can't be kept is left alone, and the drop is refused with the reason")
  func unkept() async throws {
    let stage = try DesktopStage()
    let window = try await stage.start(ShelfPrograms.shelf, title: "Shelf")
    let owner = try stage.desktop.start(
      ["/usr/bin/python3", "-u", "-c", ShelfPrograms.owner], adding: ["NO_AT_BRIDGE": "1"])
    #expect(try owner.line() == "ready")
    let books = try stage.point("Books", in: window)
    _ = await stage.verdict(at: books)
    owner.signal(SIGSTOP)
    let result = try await stage.deliver(to: books)
    #expect(result.outcome == .refused && result.route == .menu)
    #expect(result.failures.map(\.reason) == [.notResponding])
    owner.signal(SIGCONT)
    try stage.program.signal(SIGUSR1)
    #expect(try stage.said() == "clipboard owned")
  }

  // MARK: Its own drags

  /// A list whose rows its program moves itself, for the pointer alone.
  private static let ranking = ProgramProfile(
    name: "ranking", toolkits: [NamePattern("gtk")],
    rules: [
      ElementRule(
        ElementRule.Condition(roles: ["table cell"]),
        traits: PlaceTraits(
          isDropPoint: true, route: .pointer, positions: [.before, .after]))
    ])

  @Test(
    "K07: a row that only its program moves goes to its place by the pointer, seen by the order")
  func reorders() async throws {
    let stage = try DesktopStage(profiles: [Self.ranking])
    let window = try await stage.start(ShelfPrograms.ranking, title: "Ranking")
    let item = try await stage.pickUp("Ranking")
    #expect(item.name == "ant")
    let last = try stage.point("dog", in: window)
    #expect(last.positions == [.before, .after])
    let stop = DropStop(last.id, .after)
    let proposal = await stage.verdict(at: stop, of: item, wish: nil)
    #expect(proposal.acceptance == .maybe && proposal.offers == .move)
    let result = try await stage.deliver(item, to: stop, .move)
    #expect(result.outcome == .delivered && result.route == .pointer && result.verified)
    #expect(try stage.said() == "bee cat dog ant")
    // Its program alone could move it: no other operation is offered.
    #expect(await stage.verdict(at: stop, of: item, wish: .link).isRefusal)
  }

  @Test("what lies under another window is not dragged to by the pointer")
  func covered() async throws {
    let stage = try DesktopStage(profiles: [Self.ranking])
    let window = try await stage.start(ShelfPrograms.ranking, title: "Ranking")
    let item = try await stage.pickUp("Ranking")
    let cover = try stage.desktop.start(
      ["/usr/bin/python3", "-u", "-c", ShelfPrograms.cover], adding: ["NO_AT_BRIDGE": "1"])
    #expect(try cover.line() == "ready")
    let stop = DropStop(try stage.point("dog", in: window).id, .after)
    #expect(await stage.verdict(at: stop, of: item, wish: nil) == .refused(.notShown))
    let result = try await stage.deliver(item, to: stop, .move)
    #expect(result.outcome == .refused)
    #expect(result.failures.map(\.reason) == [.notShown])
  }

  // MARK: Picking up

  @Test("H04: a link in focus is picked up by its name, and its address is what is dropped")
  func link() async throws {
    let stage = try DesktopStage()
    let window = try await stage.start(ShelfPrograms.desk, title: "Desk")
    let item = try await stage.pickUp("Desk")
    #expect(item.name == "Example")
    #expect(item.types == ["text/x-moz-url", "text/uri-list", "text/plain"])
    let notes = try stage.point("Notes", in: window)
    _ = await stage.verdict(at: DropStop(notes.id), of: item, wish: .copy)
    let result = try await stage.deliver(item, to: DropStop(notes.id), .copy)
    #expect(result.outcome == .delivered && result.verified)
    #expect(try stage.said() == "notes https://example.org/x")
  }

  @Test(
    "H04: a picture in focus is picked up through the program's Copy, and the clipboard is as it was"
  )
  func picture() async throws {
    let stage = try DesktopStage()
    _ = try await stage.start(ShelfPrograms.desk, title: "Desk")
    try stage.type("search", "--sync", "--name", "^Desk$", "windowfocus", "--sync")
    try stage.type("key", "Tab")
    #expect(try stage.said() == "focus Sunset")
    let item = try await stage.pickUp("Desk")
    #expect(item.name == "Sunset")
    #expect(item.types.contains("image/png"))
    #expect((item.byteCount ?? 0) > 0)
    try stage.program.signal(SIGUSR1)
    #expect(try stage.said() == "clipboard before")
  }

  @Test(
    "H04, T10: what a program draws is copied from a menu that knows only when it is open what it can",
    arguments: [true, false])
  func object(isNamed: Bool) async throws {
    let rule = ElementRule(
      ElementRule.Condition(roles: ["drawing area"]),
      traits: PlaceTraits(isDropPoint: true, source: .image))
    let profile = ProgramProfile(name: "desk", toolkits: [NamePattern("gtk")], rules: [rule])
    let stage = try DesktopStage(profiles: isNamed ? [profile] : [])
    _ = try await stage.start(ShelfPrograms.forgetful, title: "Desk")
    try stage.type("search", "--sync", "--name", "^Desk$", "windowfocus", "--sync")
    try stage.type("key", "Tab")
    #expect(try stage.said() == "focus Sunset")
    let item = try await stage.pickUp("Desk")
    #expect(item.types.contains("image/png") && (!isNamed || item.name == "Sunset"))
  }

  @Test("T12, H04: a menu that opens after nobody waits for it any more is closed")
  func lateMenu() async throws {
    let rule = ElementRule(
      ElementRule.Condition(roles: ["drawing area"]),
      traits: PlaceTraits(isDropPoint: true, source: .image))
    let profile = ProgramProfile(name: "desk", toolkits: [NamePattern("gtk")], rules: [rule])
    let stage = try DesktopStage(profiles: [profile])
    _ = try await stage.start(ShelfPrograms.slow, title: "Desk")
    try stage.type("search", "--sync", "--name", "^Desk$", "windowfocus", "--sync")
    try stage.type("key", "Tab")
    #expect(try stage.said() == "focus Sunset")
    if case .focused(_, let focus) = await stage.request(.focus) {
      throw DesktopStage.Missing(description: "\(focus) was picked up")
    }
    #expect(try stage.said() == "menu closed")
  }

  // MARK: Without a program

  @Test(
    "file managers are told in their own forms whether files are copied or moved",
    arguments: [(DragOperation.copy, "copy", "0"), (.move, "cut", "1")])
  func fileForms(operation: DragOperation, word: String, isCut: String) {
    let list: SelectedForm = ("text/uri-list", Array("file:///a\r\nfile:///b%20c\r\n".utf8))
    let forms = MenuRoute.fileForms([list], operation)
    #expect(forms.map(\.contentType).first == "x-special/gnome-copied-files")
    #expect(
      forms.map { String(decoding: $0.bytes, as: UTF8.self) }
        == ["\(word)\nfile:///a\nfile:///b%20c", isCut])
    #expect(MenuRoute.fileForms([("text/uri-list", Array("https://a/".utf8))], operation).isEmpty)
  }

  @Test(
    "files are found in what a file manager copies, and nothing else is taken for one",
    arguments: [
      ("x-special/gnome-copied-files", "copy\nfile:///a\nfile:///b", ["file:///a", "file:///b"]),
      ("text/uri-list", "# list\r\nfile:///a\r\n", ["file:///a"]),
      ("text/uri-list", "https://example.org/\r\n", []), ("text/plain", "file:///a", []),
      (
        "x-special/gnome-copied-files", "cut\ntrash:///a%20b\nfile:///c",
        ["trash:///a%20b", "file:///c"]
      ),
      ("x-special/gnome-copied-files", "copy\ntrash:///a\nfile:///b\u{7}", []),
      (
        "x-special/gnome-copied-files",
        "copy\n" + "trash:///" + String(repeating: "a", count: 5_000), []
      ),
      ("x-special/gnome-copied-files", "copy\nnotes about trash", []),
      ("x-special/gnome-copied-files", "copy\n1a://b", []),
    ])
  func addresses(type: String, text: String, found: [String]) {
    #expect(Picking.addresses(in: [(type, Array(text.utf8))]) == found)
  }

  @Test(
    "what lies elsewhere has the last part of its address as its name, as it is read",
    arguments: [
      ("trash:///a%20b.txt", "a b.txt"), ("network:///", "network:"), ("sftp://host/x/", "x"),
      ("trash:///%FF", "%FF"), ("trash:///100%", "100%"), ("trash:///%C3%A4", "ä"),
      ("sftp://anna:secret@host/", "host"), ("trash:///a@b.txt", "a@b.txt"),
      ("trash:///%+f", "%+f"), ("trash:///%20", "%20"),
    ])
  func lastPart(address: String, name: String) {
    #expect(Picking.lastPart(of: address) == name)
  }

  @Test(
    "What a program of passwords copies is not picked up",
    arguments: [("secret", true), ("secret\0", true), ("", false), ("public", false)])
  func secrets(hint: String, isSecret: Bool) {
    let forms: [SelectedForm] = [
      ("text/plain", Array("hunter2".utf8)), ("x-kde-passwordManagerHint", Array(hint.utf8)),
    ]
    #expect(Picking.isSecret(forms) == isSecret)
    #expect(!Picking.isSecret([forms[0]]))
  }

  @Test(
    "only addresses that lead somewhere are links",
    arguments: [
      ("https://example.org/", true), ("mailto:ada@example.org", true), ("FILE:///a", true),
      ("javascript:alert(1)", false), ("data:text/html,x", false), ("nothing", false), ("", false),
    ])
  func links(address: String, isLink: Bool) { #expect(Picking.isLink(address) == isLink) }
}
