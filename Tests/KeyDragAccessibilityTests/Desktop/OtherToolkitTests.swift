import Foundation
import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragAccessibility

@Suite(
  "Programs of other toolkits", .realPrograms(by: .suite), .serialized, .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { PrivateDesktop.obstacle == nil })
struct OtherToolkitTests {
  @Test("Rows and tabs of GTK 4 have the names and places that are seen")
  func gtk4() async throws {
    let stage = try ProgramStage()
    let shown = try stage.start(ProgramSources.gtk4, "200")
    let program = try await stage.program(shown.process.id)
    #expect(program.toolkit == "GTK" && program.frames.first?.title == "Four")
    #expect(program.frames.first?.rectangle == nil)
    try stage.type("search", "--name", "^Four$", "windowmove", "--sync", "70", "50")
    // The second reading is from what the program has kept since the first.
    for _ in 0..<2 {
      let elements = try await stage.elements(of: program, origin: ScreenPoint(x: 70, y: 50))
      #expect(elements.filter { $0.role == "page tab" }.map(\.name) == ["First", "Second"])
      let rows = elements.filter { $0.role == "list item" }
      #expect(rows.prefix(3).map(\.name) == ["Row 1", "Row 2", "Row 3"])
      #expect(rows.count < 30)
      let told = try #require(shown.places["Press me"])
      let button = try #require(elements.first { $0.name == "Press me" }?.rectangle)
      let place = ScreenPoint(x: told.center.x + 70, y: told.center.y + 50)
      #expect(button.center.distance(to: place) <= 2)
    }
    let hidden = try await stage.elements(of: program)
    #expect(hidden.allSatisfy { $0.rectangle == nil } && !hidden.isEmpty)
  }

  @Test("Rows and tabs of Qt 5 are found where the program says they are", arguments: ["0", "700"])
  func qt5(first: String) async throws {
    let stage = try ProgramStage()
    // As root Qt finds the bus only where the display names it, and the display forgets it when
    // nobody is there.
    let other = try stage.start(ProgramSources.gtk3, "1", "0")
    let shown = try stage.start(ProgramSources.qt5, "1000", first)
    let program = try await stage.program(shown.process.id)
    #expect(program.toolkit == "Qt" && program.frames.first?.title == "Five")
    let elements = try await stage.elements(of: program)
    #expect(elements.filter { $0.role == "page tab" }.map(\.name) == ["First", "Second"])
    for (name, place) in shown.places {
      let element = try #require(elements.first { $0.name == name }, "\(name) is not there")
      #expect(element.rectangle?.center.distance(to: place.center) ?? 99 <= 2, "\(name)")
    }
    #expect(elements.filter { $0.role == "list item" }.count < 30)
    let row = try #require(elements.first { $0.name == "Row \(Int(first)! + 1)" })
    #expect(row.index == Int(first)! + 1 && row.total == 1_000)
    #expect(try await stage.reader.selected(around: row.id, in: program).map(\.name) == [row.name])
    let button = try #require(elements.first { $0.name == "Press me" })
    #expect(try await stage.reader.perform("Press", on: button.id))
    #expect(try shown.process.line() == "pressed")
    _ = other
  }

  @Test("The files in Thunar's details view are found by name")
  func thunar() async throws {
    let stage = try ProgramStage()
    let folder = try #require(stage.desktop.environment["HOME"]) + "/files"
    try FileManager.default.createDirectory(
      atPath: folder + "/Alpha", withIntermediateDirectories: true)
    for number in 1...40 {
      #expect(FileManager.default.createFile(atPath: folder + "/file\(number).txt", contents: nil))
    }
    let setting = try stage.desktop.start([
      "/usr/bin/xfconf-query", "-c", "thunar", "-p", "/last-view", "-n", "-t", "string", "-s",
      "ThunarDetailsView",
    ])
    while (try? setting.line()) != nil {}
    let thunar = try stage.desktop.start(["/usr/bin/thunar", folder])
    let program = try await stage.program(thunar.id)
    var elements: [ElementFacts] = []
    let deadline = ContinuousClock.now + .seconds(60)
    // It reads the folder after it has shown its window.
    while !elements.contains(where: { $0.name == "Alpha" }), ContinuousClock.now < deadline {
      for frame in await stage.reader.programs()?.first(where: { $0.bus == program.bus })?.frames
        ?? []
      {
        elements += try await stage.reader.elements(
          of: frame.element, in: program, wanted: ElementQuery(roles: ["table cell"], most: 500))
      }
    }
    let alpha = try #require(elements.first { $0.name == "Alpha" })
    #expect(alpha.index == 1 && alpha.total == 41 && alpha.rectangle != nil)
    #expect(elements.contains { $0.name == "file1.txt" })
    // What is below the edge of the view is not shown.
    #expect(!elements.contains { $0.name == "file40.txt" })
    #expect(elements.allSatisfy { $0.rectangle != nil })
  }
}
