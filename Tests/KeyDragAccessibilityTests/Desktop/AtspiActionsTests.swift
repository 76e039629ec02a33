import Glibc
import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragAccessibility

@Suite(
  "What can be asked of and done to a real program", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { PrivateDesktop.obstacle == nil })
struct AtspiActionsTests {
  private let stage: ProgramStage
  private let shown: ProgramStage.Shown
  private let program: ProgramFacts
  private let elements: [ElementFacts]

  init() async throws {
    stage = try ProgramStage()
    shown = try stage.start(ProgramSources.gtk3, "1000", "0")
    program = try await stage.program(shown.process.id)
    elements = try await stage.elements(of: program)
  }

  private func element(_ name: String) throws -> ElementFacts {
    try #require(elements.first { $0.name == name })
  }

  @Test("An action is carried out by its name, and what it does happens")
  func action() async throws {
    let button = try element("Press me")
    #expect(try await stage.reader.actions(of: button.id).contains("click"))
    #expect(try await stage.reader.perform("click", on: button.id))
    #expect(try shown.process.line() == "pressed")
    #expect(try await !stage.reader.perform("fly", on: button.id))
  }

  @Test("The text of a field and what is selected of it are told, a password never")
  func texts() async throws {
    let note = try element("Note")
    #expect(try await stage.reader.text(of: note.id) == "hello world")
    #expect(try await stage.reader.text(of: note.id, most: 4) == "hell")
    #expect(try await stage.reader.selectedText(of: note.id) == "world")
    let secret = try #require(elements.first { $0.role == "password text" })
    #expect(try await stage.reader.text(of: secret.id) == nil)
    #expect(try await stage.reader.selectedText(of: secret.id) == nil)
    #expect(try await stage.reader.text(of: element("Press me").id) == nil)
  }

  @Test("The selected rows are told in their order, from any cell of one of them")
  func selection() async throws {
    for name in ["Row 1", "kind 3"] {
      let selected = try await stage.reader.selected(around: try element(name).id, in: program)
      #expect(selected.map(\.name) == ["Row 1", "Row 3"], "from \(name)")
    }
    let other = try await stage.reader.selected(around: try element("Row 2").id, in: program)
    #expect(other.map(\.name) == ["Row 2"])
    let button = try await stage.reader.selected(around: try element("Press me").id, in: program)
    #expect(button.map(\.name) == ["Press me"])
  }

  @Test("H07 More selected rows than are asked for are told as too many, never as some of them")
  func tooManySelected() async throws {
    let row = try element("Row 1").id
    await #expect(throws: Reason.tooMany) {
      try await stage.reader.selected(around: row, in: program, most: 1)
    }
    #expect(try await stage.reader.selected(around: row, in: program, most: 2).count == 2)
    let other = try element("Row 2").id
    #expect(try await stage.reader.selected(around: other, in: program, most: 1000).count == 1)
  }

  @Test("The focus is told as it moves, from row to row and from field to field")
  func focus() async throws {
    try stage.type("search", "--sync", "--name", "^Rows$", "windowfocus", "--sync")
    try stage.type("key", "Home")
    try stage.type("key", "Down")
    while await stage.reader.focus()?.element.name != "Row 2" { try await stage.told(.focus) }
    let row = try #require(await stage.reader.focus())
    #expect(row.program.processID == shown.process.id && row.frame?.title == "Rows")
    #expect(row.element.rectangle != nil && row.isPassword == false)
    try stage.type("key", "Tab")
    while await stage.reader.focus()?.element.name != "Note" { try await stage.told(.focus) }
    try stage.type("key", "Tab")
    while await stage.reader.focus()?.isPassword != true { try await stage.told(.focus) }
    #expect(await stage.reader.focus()?.element.role == "password text")
  }

  @Test("What had the focus before we listened is found")
  func focusBefore() async throws {
    try stage.type("search", "--sync", "--name", "^Rows$", "windowfocus", "--sync")
    try stage.type("key", "Home")
    try stage.type("key", "Down")
    while await stage.reader.focus()?.element.name != "Row 2" { try await stage.told(.focus) }
    let late = ProgramReader(environment: stage.desktop.environment)
    #expect(await late.focus()?.element.name == "Row 2")
  }

  @Test("What changes in a watched window is told")
  func watched() async throws {
    let frame = try #require(program.frames.first).element
    // As the reader does it, but waited for.
    stage.reader.changes.watch([frame])
    await stage.reader.subscribe(to: [program.bus])
    let button = try element("Press me")
    #expect(try await stage.reader.perform("click", on: button.id))
    #expect(try shown.process.line() == "pressed")
    try await stage.told(.elements(frame: frame))
  }

  @Test("A row that is far below is scrolled into view")
  func scrolled() async throws {
    let cells = try #require(try await stage.elements(of: program, roles: ["table"]).first)
    let row = try #require(await stage.child(1_202, of: cells.id))
    #expect(await stage.reader.rectangles(of: [row], in: program) == [nil])
    let origin = ScreenPoint(x: 0, y: 0)
    let reach = try #require(
      try await stage.reader.reach(row, in: program, windowOrigin: origin))
    #expect(reach.isClear)
    let place = try #require(await stage.reader.rectangles(of: [row], in: program).first ?? nil)
    #expect(place == reach.shown)
    // Clear of both edges, at which lists scroll under a drag.
    #expect(place.y >= 60 + 48 && place.y + place.height <= 460 - 48)
    let none = ElementID(program: program.bus, path: "/none")
    #expect(try await stage.reader.reach(none, in: program, windowOrigin: origin) == nil)
  }

  @Test("A program that hangs during an act is not responding; others are read, and it acts again")
  func hung() async throws {
    let other = try stage.start(ProgramSources.gtk3, "10", "0")
    let beside = try await stage.program(other.process.id)
    let address = try #require(await stage.reader.address)
    let button = try element("Press me")
    shown.process.signal(SIGSTOP)
    async let refusal = Self.refusal(of: button.id, at: address)
    #expect(try await !stage.elements(of: beside).isEmpty)
    #expect(await refusal == .notResponding)
    shown.process.signal(SIGCONT)
    #expect(try await AtspiActions.shared.act(.takeFocus, on: button.id, at: address))
    // A bus that is not there is no program that hangs.
    #expect(await Self.refusal(of: button.id, at: "unix:path=/nowhere") == .noAccessibility)
    #expect(try await AtspiActions.shared.act(.takeFocus, on: button.id, at: address))
  }

  private static func refusal(of element: ElementID, at address: String) async -> Reason? {
    do throws(Reason) {
      _ = try await AtspiActions.shared.act(.takeFocus, on: element, at: address)
      return nil
    } catch { return error }
  }
}
