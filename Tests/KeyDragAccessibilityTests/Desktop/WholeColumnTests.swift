import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragAccessibility

@Suite("A column of a table, with the rows that can't be seen")
struct WholeColumnTests {
  private func table(rows: Int, columns: Int, headers: Int = 0) -> RowWindow {
    RowWindow(count: rows * columns + headers, rows: rows, columns: columns)
  }

  @Test("has every cell below a header, and none of the headers", arguments: [0, 3])
  func cells(headers: Int) throws {
    let table = table(rows: 4, columns: 3, headers: headers)
    for (row, column) in [(0, 0), (3, 1), (2, 2)] {
      let found = WholeColumn(table, around: headers + row * 3 + column, most: 4)
      #expect(found?.cells == (0..<4).map { headers + $0 * 3 + column })
    }
  }

  @Test("is none around a header, outside of a table, or where a table does not say its size")
  func none() {
    let table = table(rows: 4, columns: 3, headers: 3)
    #expect(WholeColumn(table, around: 2, most: 10) == nil)
    #expect(WholeColumn(table, around: -1, most: 10) == nil)
    #expect(WholeColumn(table, around: table.count, most: 10) == nil)
    #expect(WholeColumn(table, around: nil, most: 10) == nil)
    #expect(WholeColumn(RowWindow(count: 12), around: 5, most: 10) == nil)
    #expect(WholeColumn(RowWindow(count: 12, rows: 4), around: 5, most: 10) == nil)
    #expect(WholeColumn(RowWindow(count: 12, rows: 0, columns: 0), around: 5, most: 10) == nil)
    // Neither rows nor headers fill it.
    #expect(WholeColumn(RowWindow(count: 20, rows: 4, columns: 3), around: 9, most: 10) == nil)
  }

  @Test("is not looked at in a table of more rows than the bound")
  func bound() {
    #expect(WholeColumn(table(rows: 10, columns: 2), around: 3, most: 10)?.cells.count == 10)
    #expect(WholeColumn(table(rows: 11, columns: 2), around: 3, most: 10) == nil)
    // A program may say anything.
    let vast = RowWindow(count: .max, rows: .max, columns: 2)
    #expect(WholeColumn(vast, around: 3, most: .max) == nil)
  }

  @Test("does not fit a table in which rows came or went since, or went elsewhere")
  func changed() throws {
    let column = try #require(WholeColumn(table(rows: 4, columns: 3), around: 5, most: 10))
    #expect(column.fits(table(rows: 4, columns: 3), around: 5))
    #expect(!column.fits(table(rows: 5, columns: 3), around: 5))
    #expect(!column.fits(table(rows: 3, columns: 3), around: 5))
    #expect(!column.fits(table(rows: 4, columns: 3), around: 8))
    #expect(!column.fits(table(rows: 4, columns: 3), around: nil))
    #expect(!column.fits(table(rows: 3, columns: 4), around: 5))
  }
}

@Suite(
  "Columns of real programs, with the rows that can't be seen", .realPrograms(by: .suite),
  .serialized, .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { PrivateDesktop.obstacle == nil })
struct LiveWholeColumnTests {
  @Test(
    "Every row is told by its name, wherever the list was scrolled to and from whichever column",
    arguments: [("200", "100", "Row"), ("200", "0", "kind"), ("5000", "0", "Row")])
  func all(count: String, first: String, column: String) async throws {
    let stage = try ProgramStage()
    let shown = try stage.start(ProgramSources.gtk3, count, first)
    let program = try await stage.program(shown.process.id)
    let sample = try #require(
      try await stage.elements(of: program).first { $0.name.hasPrefix(column + " ") })
    let number = try #require(Int(count))
    let rows = await stage.reader.column(of: sample.id, in: program, most: number)
    let wrong = zip(rows.map(\.name), 1...number).first { $0 != "\(column) \($1)" }
    #expect(rows.count == number && wrong == nil)
    #expect(Set(rows.map(\.element)).count == number)
    #expect(rows.first { $0.name == sample.name }?.element == sample.id)
    #expect(await stage.reader.column(of: sample.id, in: program, most: number - 1) == [])
  }

  @Test("Nothing is told of what is no table, or of another toolkit, and no program is harmed")
  func none() async throws {
    let stage = try ProgramStage()
    let shown = try stage.start(ProgramSources.listBox, "50", "0")
    let program = try await stage.program(shown.process.id)
    let row = try #require(
      try await stage.elements(of: program).first { $0.role == "list item" })
    #expect(await stage.reader.column(of: row.id, in: program, most: 100) == [])
    let five = try stage.start(ProgramSources.qt5, "20", "0")
    let other = try await stage.program(five.process.id)
    let item = try #require(
      try await stage.elements(of: other).first { $0.name.hasPrefix("Row") })
    #expect(await stage.reader.column(of: item.id, in: other, most: 100) == [])
    #expect(try await stage.elements(of: other).contains { $0.id == item.id })
  }
}
