import Glibc
import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragAccessibility

@Suite(
  "The programs of a real desktop", .realPrograms(by: .suite), .serialized, .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { PrivateDesktop.obstacle == nil })
struct ProgramReaderTests {
  @Test("Programs are listed with their windows, and we are not among them")
  func listed() async throws {
    let stage = try ProgramStage()
    let own = ScreenReader(environment: stage.desktop.environment)
    let shown = try stage.start(ProgramSources.gtk3, "5", "0")
    own.settle(within: 10)
    let program = try await stage.program(shown.process.id)
    #expect(program.toolkit == "gtk" && program.toolkitVersion.hasPrefix("3."))
    #expect(program.isResponding)
    #expect(program.frames.map(\.title) == ["Rows"])
    #expect(program.frames.first?.role == "frame")
    #expect(
      program.frames.first?.rectangle == ScreenRectangle(x: 80, y: 60, width: 500, height: 400))
    let all = try #require(await stage.reader.programs())
    #expect(!all.contains { $0.processID == getpid() })
  }

  @Test(
    "Rows, tabs and fields of GTK 3 are found by name, where the program says they are",
    arguments: [("5", "0"), ("1000", "500"), ("20000", "19000")])
  func gtk3(count: String, first: String) async throws {
    let stage = try ProgramStage()
    let shown = try stage.start(ProgramSources.gtk3, count, first)
    let program = try await stage.program(shown.process.id)
    let elements = try await stage.elements(of: program)
    let names = Set(elements.map(\.name))
    #expect(names.isSuperset(of: ["First", "Second", "Note", "Press me"]))
    // The other page of the notebook is not shown.
    #expect(!names.contains("Item 1"))
    #expect(elements.count < 60)
    for (name, place) in shown.places {
      let element = try #require(elements.first { $0.name == name }, "\(name) is not there")
      #expect(element.rectangle?.center.distance(to: place.center) ?? 99 <= 2, "\(name)")
    }
    let row = try #require(elements.first { $0.name == "Row \(Int(first)! + 1)" })
    #expect(row.role == "table cell" && row.index == Int(first)! + 1 && row.total == Int(count)!)
    #expect(elements.first { $0.name == "Note" }?.states.contains(.editable) == true)
    let again = await stage.reader.rectangles(of: elements.map(\.id), in: program)
    #expect(again == elements.map(\.rectangle))
  }

  @Test("No more elements are given than asked for, and only of the roles asked for")
  func bounded() async throws {
    let stage = try ProgramStage()
    let shown = try stage.start(ProgramSources.gtk3, "100", "0")
    let program = try await stage.program(shown.process.id)
    let cells = try await stage.elements(of: program, roles: ["table cell", "table"], most: 4)
    #expect(cells.map(\.role) == ["table", "table cell", "table cell", "table cell"])
    #expect(cells.map(\.name) == ["", "Row 1", "kind 1", "Row 2"])
    #expect(cells.map(\.parent) == [nil, 0, 0, 0])
  }

  @Test("A stopped program is listed as not responding, and the others are read all the same")
  func stopped() async throws {
    let stage = try ProgramStage()
    let hung = try stage.start(ProgramSources.gtk3, "5", "0")
    let other = try stage.start(ProgramSources.gtk3, "5", "0")
    let program = try await stage.program(other.process.id)
    let stopped = try await stage.program(hung.process.id)
    hung.process.signal(SIGSTOP)
    #expect(await stage.reader.programs()?.map(\.isResponding).contains(false) == true)
    let all = try #require(await stage.reader.programs())
    let elements = try await stage.elements(of: program)
    #expect(elements.contains { $0.name == "Row 1" })
    let facts = try #require(all.first { $0.processID == hung.process.id })
    #expect(!facts.isResponding && facts.frames.isEmpty && facts.bus == stopped.bus)
    #expect(all.first { $0.processID == other.process.id }?.isResponding == true)
    await #expect(throws: Reason.notResponding) {
      _ = try await stage.elements(of: stopped)
    }
    hung.process.signal(SIGCONT)
    while await stage.reader.programs()?.allSatisfy(\.isResponding) != true {
      try await stage.told(.programs)
    }
    #expect(try await stage.elements(of: stopped).contains { $0.name == "Row 1" })
  }

  @Test("A program that offers a line of its own is asked there, and one that ends is gone")
  func ended() async throws {
    let stage = try ProgramStage()
    let shown = try stage.start(ProgramSources.gtk3, "5", "0")
    let program = try await stage.program(shown.process.id)
    let elements = try await stage.elements(of: program)
    #expect(await stage.reader.hasDirectConnection(to: program.bus))
    shown.process.end()
    await #expect(throws: Reason.gone) { _ = try await stage.elements(of: program) }
    let places = await stage.reader.rectangles(of: elements.map(\.id), in: program)
    #expect(places == elements.map { _ in nil })
    #expect(await !stage.reader.hasDirectConnection(to: program.bus))
  }

  @Test(
    "A program is followed to a socket on this computer, and to nothing else",
    arguments: [
      ("unix:path=/run/user/1000/at-spi2-socket-77", true), ("unix:abstract=/tmp/x", true),
      ("", false), ("tcp:host=example.org,port=1", false), ("unixexec:path=/bin/sh", false),
      ("unix:path=/a;tcp:host=example.org", false),
      ("unix:path=/" + String(repeating: "x", count: 300), false),
    ])
  func address(address: String, isLine: Bool) {
    #expect(ProgramReader.isLine(address) == isLine)
  }

  @Test("Without an accessibility bus there is nothing to read, and it is said")
  func noBus() async {
    let reader = ProgramReader(environment: [:])
    #expect(await reader.programs() == nil)
    #expect(await reader.focus() == nil)
    let frame = ElementID(program: ":1.1", path: "/x")
    await #expect(throws: Reason.noAccessibility) {
      _ = try await reader.elements(
        of: frame, in: ProgramFacts(bus: ":1.1", name: ""),
        wanted: ElementQuery(roles: [], most: 1))
    }
  }

  @Test("A bus that goes away is told of")
  func busGone() async throws {
    let stage = try ProgramStage()
    let shown = try stage.start(ProgramSources.gtk3, "5", "0")
    _ = try await stage.program(shown.process.id)
    stage.desktop.killBus()
    try await stage.told(.bus(isThere: false))
    #expect(await stage.reader.programs() == nil)
  }

  @Test("T09, T10 A row that goes while it is read is not called by another of its cells")
  func restless() async throws {
    let stage = try ProgramStage()
    let shown = try stage.start(ProgramSources.restless)
    let program = try await stage.program(shown.process.id)
    let wholes = [7, 8].map { count in
      (0..<count).flatMap { ["Row \($0)", "\($0) bytes"] }
    }
    let list = try #require(await stage.elements(of: program, roles: ["table"]).first)
    var seen: Set<[String]> = []
    for round in 0..<300 {
      kill(shown.process.id, SIGUSR1)
      let cells = try await stage.elements(of: program).filter { $0.role == "table cell" }
      let names = cells.map(\.name)
      #expect(wholes.contains(names), "\(names)")
      seen.insert(names)
      if round.isMultiple(of: 3) { kill(shown.process.id, SIGUSR1) }
      let chosen = try await stage.reader.selected(around: list.id, in: program).map(\.name)
      // Where the selected one goes, GTK may select another.
      #expect(chosen.count == 1 && (chosen == [list.name] || chosen[0].hasPrefix("Row ")))
      seen.insert(chosen)
    }
    #expect(seen.isSuperset(of: wholes + [["Row 7"]]))
  }
}

extension ScreenPoint {
  func distance(to other: ScreenPoint) -> Int { max(abs(x - other.x), abs(y - other.y)) }
}
