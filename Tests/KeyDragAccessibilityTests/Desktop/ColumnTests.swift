import KeyDragCore
import PrivateDesktop
import Testing

@testable import KeyDragAccessibility

@Suite("What can be seen of a long column")
struct ColumnTests {
  /// Children one below the other, each as high as it is said to be; hidden ones have no height.
  private struct Column {
    var places: [ColumnSearch.Extent?] = []
    var end = 0

    init(_ count: Int, _ height: (Int) -> Int) {
      for index in 0..<count {
        let height = height(index)
        places.append(height > 0 ? .init(top: end, bottom: end + height) : nil)
        end += height
      }
    }

    /// Looks for what can be seen; gives it with the number of children that were looked at.
    func search(from top: Int, to bottom: Int) -> (range: Range<Int>?, looked: Int) {
      var search = ColumnSearch(
        count: places.count, column: .init(top: 0, bottom: end),
        seen: .init(top: top, bottom: bottom))
      var looked = 0
      while case let probes = search.probes, !probes.isEmpty {
        looked += probes.count
        var found: [Int: ColumnSearch.Extent] = [:]
        for index in probes { found[index] = places[index] }
        search.take(probes, found)
      }
      return (search.range, looked)
    }

    func seen(from top: Int, to bottom: Int) -> [Int] {
      places.indices.filter { index in
        places[index].map { $0.bottom > top && $0.top < bottom } ?? false
      }
    }
  }

  private static let kinds: [@Sendable (Int) -> Int] = [
    { _ in 21 }, { $0 % 7 == 0 ? 60 : 18 }, { $0 < 100 ? 200 : 10 }, { $0 % 50 == 3 ? 21 : 0 },
    { $0 < 1_000 ? 0 : 30 }, { $0 == 4_000 ? 30_000 : 12 },
  ]

  @Test(
    "All that can be seen is found, wherever it is scrolled to, by looking at few",
    arguments: 0..<kinds.count, [0.0, 0.1, 0.37, 0.5, 0.99, 1.0])
  func found(kind: Int, share: Double) throws {
    let column = Column(5_000, Self.kinds[kind])
    let top = Int(Double(column.end - 400) * share)
    let (range, looked) = column.search(from: top, to: top + 400)
    let seen = column.seen(from: top, to: top + 400)
    let all = try #require(range)
    #expect(seen.allSatisfy { all.contains($0) })
    #expect(all.count <= 2_000 && looked <= 1_000)
    if kind == 0 { #expect(all.count <= 48 && looked <= 10) }
  }

  @Test("Children in no order, and a column of nothing but hidden ones, are not searched for ever")
  func disordered() {
    var column = Column(5_000) { _ in 20 }
    column.places.reverse()
    #expect(column.search(from: 50_000, to: 50_400).range == nil)
    #expect(Column(5_000) { _ in 0 }.search(from: 0, to: 400).range == nil)
    #expect(Column(0) { _ in 0 }.search(from: 0, to: 400).range == 0..<0)
  }
}

@Suite(
  "Long columns of real programs", .serialized, .timeLimit(.minutes(3)),
  .enabled("needs what the README's test command installs") { PrivateDesktop.obstacle == nil })
struct LiveColumnTests {
  @Test("The rows of a list box that can be seen are found among 5,000, and the box itself")
  func listBox() async throws {
    let stage = try ProgramStage()
    let shown = try stage.start(ProgramSources.listBox, "5000", "0")
    let program = try await stage.program(shown.process.id)
    let elements = try await stage.elements(of: program, roles: ["list box", "list item"])
    let rows = elements.filter { $0.role == "list item" }
    for (name, place) in shown.places {
      let row = try #require(rows.first { $0.name == name }, "\(name) is not there")
      #expect(row.rectangle?.center.distance(to: place.center) ?? 99 <= 2, "\(name)")
    }
    #expect(shown.places.count >= 10 && rows.count <= 40)
    let box = try #require(elements.first { $0.role == "list box" })
    #expect(box.rectangle == program.frames.first?.rectangle)
  }

  @Test(
    "The rows of a list box that was scrolled are found with their names, however far it was",
    arguments: ["60", "2500", "4900"])
  func scrolled(first: String) async throws {
    let stage = try ProgramStage()
    let shown = try stage.start(ProgramSources.listBox, "5000", first)
    let program = try await stage.program(shown.process.id)
    let elements = try await stage.elements(of: program, roles: ["list box", "list item"])
    let rows = elements.filter { $0.role == "list item" }
    for (name, place) in shown.places {
      let row = try #require(rows.first { $0.name == name }, "\(name) is not among \(rows)")
      #expect(row.rectangle?.center.distance(to: place.center) ?? 99 <= 2, "\(name)")
    }
    #expect(shown.places.count >= 10 && rows.count <= 40)
    // Where a drop is aimed at is asked once more.
    let again = await stage.reader.rectangles(of: rows.map(\.id), in: program)
    #expect(again == rows.map(\.rectangle))
  }

  @Test("Rows of a list box have the names that are seen in them, however they are made")
  func mixed() async throws {
    let stage = try ProgramStage()
    let shown = try stage.start(ProgramSources.mixedBox)
    let program = try await stage.program(shown.process.id)
    let elements = try await stage.elements(of: program, roles: ["list item", "label"])
    let rows = elements.enumerated().filter { $0.element.role == "list item" }
    #expect(
      rows.prefix(7).map(\.element.name)
        == ["Plain 0", "Own 0", "Part 0", "", "Hidden 0", "Plain 5", "Own 5"])
    #expect(rows.count < 30)
    let inside = rows.prefix(5).map { row in
      elements.filter { $0.parent == row.offset }.map(\.name)
    }
    #expect(inside == [["Plain 0"], ["inside"], ["Part 0", "more"], [], []])
  }

  @Test(
    "What a list of 200 costs is what is shown of it: few questions, in few rounds",
    arguments: [
      (ProgramSources.listBox, "list item", 8, 6), (ProgramSources.gtk3, "table cell", 10, 7),
    ])
  func effort(source: String, role: String, rounds: Int, questionsPerRow: Int) async throws {
    let stage = try ProgramStage()
    let shown = try stage.start(source, "200", "0")
    let program = try await stage.program(shown.process.id)
    let before = await stage.reader.asked
    let elements = try await stage.elements(of: program, roles: [role])
    let after = await stage.reader.asked
    let rows = elements.count { $0.role == role }
    #expect(rows >= shown.places.count { $0.key.hasPrefix("Row") } && rows <= 60)
    let cost = (after.rounds - before.rounds, after.questions - before.questions)
    #expect(
      cost.0 <= rounds && cost.1 <= questionsPerRow * rows,
      "\(cost.0) rounds, \(cost.1) questions for \(rows) rows")
  }

  @Test(
    "What was asked of a window before is asked in one round when it is read again",
    arguments: [
      (ProgramSources.listBox, "list item", 5), (ProgramSources.gtk3, "table cell", 5),
    ])
  func again(source: String, role: String, questionsPerRow: Int) async throws {
    let stage = try ProgramStage()
    let shown = try stage.start(source, "200", "0")
    let program = try await stage.program(shown.process.id)
    var readings: [[ElementFacts]] = []
    var costs: [(rounds: Int, questions: Int)] = []
    for _ in 0..<3 {
      let before = await stage.reader.asked
      readings.append(try await stage.elements(of: program, roles: [role], hasRowStates: false))
      let after = await stage.reader.asked
      costs.append((after.rounds - before.rounds, after.questions - before.questions))
    }
    #expect(readings[0].count > 5 && readings[0] == readings[1] && readings[1] == readings[2])
    #expect(costs[0].rounds > 2 && costs[1].rounds == 1 && costs[2].rounds == 1, "\(costs)")
    #expect(costs[2].questions <= questionsPerRow * readings[2].count, "\(costs)")
  }

  @Test(
    "A window that was looked at is read in fewer rounds than one of which nothing is known",
    arguments: [
      (ProgramSources.columns, "even", ""), (ProgramSources.gtk3, "200", "0"),
      (ProgramSources.gtk3, "200", "100"),
    ])
  func lookedAt(source: String, first: String, second: String) async throws {
    let stage = try ProgramStage()
    let shown = try stage.start(source, first, second)
    let program = try await stage.program(shown.process.id)
    func read(_ most: Int) async throws -> (elements: [ElementFacts], rounds: Int) {
      let before = await stage.reader.asked.rounds
      let found = try await stage.elements(of: program, roles: ["table cell"], most: most)
      return (found, await stage.reader.asked.rounds - before)
    }
    let lookedAt = try await read(500)
    // Another wish is another reading, of which nothing is known.
    let unknown = try await read(499)
    #expect(lookedAt.elements == unknown.elements && unknown.elements.count > 5)
    #expect(lookedAt.rounds < unknown.rounds, "\(lookedAt.rounds), \(unknown.rounds)")
  }

  @Test("A row that has come into a window since it was read is read")
  func changed() async throws {
    let stage = try ProgramStage()
    let shown = try stage.start(ProgramSources.gtk3, "5", "0")
    let program = try await stage.program(shown.process.id)
    let before = try await stage.elements(of: program)
    #expect(before.contains { $0.name == "Row 5" } && !before.contains { $0.name == "Row 6" })
    let button = try #require(before.first { $0.name == "Press me" })
    #expect(try await stage.reader.perform("click", on: button.id))
    #expect(try shown.process.line() == "pressed")
    let after = try await stage.elements(of: program)
    #expect(after.contains { $0.name == "Row 6" })
  }
}
