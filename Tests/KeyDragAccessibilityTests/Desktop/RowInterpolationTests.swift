import KeyDragCore
import RealPrograms
import Testing

@testable import KeyDragAccessibility

@Suite("Where the rows between others are")
struct RowInterpolationTests {
  private static let left = 7

  /// Rows one below the other; those of no height are hidden, and nowhere.
  private static func column(
    _ heights: [Int], gap: Int = 0, x: Int = left
  ) -> [ReportedRectangle?] {
    var y = 100
    return heights.map { height in
      guard height > 0 else { return nil }
      defer { y += height + gap }
      return ReportedRectangle(x: x, y: y, width: 300, height: height)
    }
  }

  /// What is told of all by those that are asked.
  private static func told(
    _ places: [ReportedRectangle?], _ spots: [RowInterpolation.GridIndex?]
  ) -> (asked: Int, told: [Int: ReportedRectangle]) {
    let rows = RowInterpolation(spots)
    let known = zip(places, rows.asked).map { place, isAsked in isAsked ? place : nil }
    return (rows.asked.count { $0 }, rows.between(known))
  }

  private static func spots(_ count: Int) -> [RowInterpolation.GridIndex?] {
    (0..<count).map { RowInterpolation.GridIndex(row: $0) }
  }

  @Test(
    "Of rows that are all alike few are asked, and the others lie between", arguments: [0, 2, 9])
  func even(gap: Int) {
    let places = Self.column(Array(repeating: 20, count: 40), gap: gap)
    let (asked, told) = Self.told(places, Self.spots(40))
    #expect(asked == 12 && told.count == 28)
    #expect(told.allSatisfy { places[$0.key] == $0.value })
  }

  @Test("Rows outside of what can be seen are nowhere, and those beside them are told by nobody")
  func nowhere() {
    var places = Self.column(Array(repeating: 20, count: 30))
    for row in 17..<30 { places[row] = nil }
    let told = Self.told(places, Self.spots(30)).told
    #expect(Set(told.keys) == Set([3, 4, 5, 7, 8, 9, 10, 11]))
    #expect(told.allSatisfy { places[$0.key] == $0.value })
  }

  @Test(
    "Where a row is higher, hidden, or has a gap above it, nothing is told of those around it",
    arguments: [(9, 33), (9, 21), (9, 0)])
  func uneven(row: Int, height: Int) {
    var heights = Array(repeating: 20, count: 30)
    heights[row] = height
    let places = Self.column(heights)
    let told = Self.told(places, Self.spots(30)).told
    #expect(told.keys.allSatisfy { !(7...11).contains($0) }, "\(told.keys.sorted())")
    #expect(told.count == 15 && told.allSatisfy { places[$0.key] == $0.value })
  }

  @Test("Each column of a table has its own places, and what is in no row is asked")
  func columns() {
    let (names, sizes) = (
      Self.column(Array(repeating: 18, count: 20)),
      Self.column(Array(repeating: 18, count: 20), x: 400)
    )
    let header = ReportedRectangle(x: Self.left, y: 70, width: 300, height: 30)
    let places = [header] + zip(names, sizes).flatMap { [$0, $1] }
    let spots = [nil] + (0..<40).map { RowInterpolation.GridIndex(row: $0 / 2, column: $0 % 2) }
    let (asked, told) = Self.told(places, spots)
    #expect(asked == 17 && told.count == 24)
    #expect(told.allSatisfy { places[$0.key] == $0.value })
  }

  @Test("Places without sense tell of nothing, and break nothing")
  func senseless() {
    let places: [ReportedRectangle?] = (0..<20).map { row in
      ReportedRectangle(
        x: 0, y: row.isMultiple(of: 2) ? Int(Int32.min) : Int(Int32.max), width: 1,
        height: Int(Int32.max))
    }
    #expect(Self.told(places, Self.spots(20)).told.isEmpty)
    #expect(Self.told(places.reversed(), Self.spots(20).reversed()).told.isEmpty)
    #expect(Self.told([], []).told.isEmpty)
  }
}

@Suite(
  "Where the rows of real programs are", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(3)))
struct RealRowsTests {
  @Test(
    "The rows of a real table are where each of them says that it is, even ones and others",
    arguments: ["even", "uneven"])
  func real(kind: String) async throws {
    let stage = try ProgramStage()
    let shown = try stage.start(ProgramSources.columns, kind)
    let program = try await stage.program(shown.process.id)
    let before = await stage.reader.asked.questions
    let rows = try await stage.elements(of: program, roles: ["table cell"], hasRowStates: false)
    let questions = await stage.reader.asked.questions - before
    #expect(rows.count >= 30 && Set(rows.map(\.name)).count >= 30)
    #expect(await stage.reader.rectangles(of: rows.map(\.id), in: program) == rows.map(\.rectangle))
    // The names, a place for each third cell, and what is around them.
    if kind == "even" { #expect(questions < rows.count + rows.count / 2 + 45, "\(questions)") }
  }
}
