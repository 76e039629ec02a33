import Foundation

/// What is wrong after one fault, worst first.
enum Finding: String, CaseIterable {
  case lost, torn
  case toldWrong = "told wrong"
  case leftOver = "left over"
  case badNotes = "trash notes"
  case hung, crashed
  case undoneWrong = "undo wrong"
  /// Less is kept beside the contents than by `cp`.
  case lessKept = "less kept"
}

/// How often one thing went wrong in one scenario, and what came of it.
struct Row {
  var scenario: String
  /// One of the sorts that the sums are of, such as "kills".
  var sort: String
  var count = 0
  var findings: [Finding: Int] = [:]

  init(_ scenario: String, _ sort: String) {
    self.scenario = scenario
    self.sort = sort
  }

  /// Reads a line that ``line`` has written.
  init?(_ line: Substring) {
    let parts = line.split(separator: "\t").map(String.init)
    let numbers = parts.dropFirst(2).compactMap { Int($0) }
    guard parts.count == 3 + Finding.allCases.count, numbers.count == parts.count - 2 else {
      return nil
    }
    self.init(parts[0], parts[1])
    count = numbers[0]
    findings = Dictionary(uniqueKeysWithValues: zip(Finding.allCases, numbers.dropFirst()))
  }

  var line: String {
    let numbers = [count] + Finding.allCases.map { findings[$0] ?? 0 }
    return ([scenario, sort] + numbers.map(String.init)).joined(separator: "\t")
  }

  static func += (sum: inout Row, row: Row) {
    sum.count += row.count
    sum.findings.merge(row.findings, uniquingKeysWith: +)
  }
}

/// The rows of one run, or of several that have written them into one file.
struct Table: CustomStringConvertible {
  private(set) var rows: [Row] = []

  var isClean: Bool { rows.allSatisfy { $0.findings.values.allSatisfy { $0 == 0 } } }

  init() {}

  init(contentsOf path: String) throws {
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      guard let row = Row(line) else { throw CocoaError(.fileReadCorruptFile) }
      add(row)
    }
  }

  mutating func add(_ row: Row) {
    let same = rows.firstIndex { $0.scenario == row.scenario && $0.sort == row.sort }
    if let same { rows[same] += row } else { rows.append(row) }
  }

  var description: String {
    var lines = [
      Self.line("scenario", "what", "count", Finding.allCases.map(\.rawValue))
    ]
    var sums: [Row] = []
    var all = Row("all", "")
    for row in rows {
      lines.append(Self.line(row))
      all += row
      if sums.contains(where: { $0.sort == row.sort }) { continue }
      var sum = Row("all", row.sort)
      for same in rows where same.sort == row.sort { sum += same }
      sums.append(sum)
    }
    lines += sums.map { Self.line($0) } + [Self.line(all)]
    return lines.joined(separator: "\n")
  }

  private static func line(_ row: Row) -> String {
    let findings = Finding.allCases.map { "\(row.findings[$0] ?? 0)" }
    return line(row.scenario, row.sort, "\(row.count)", findings)
  }

  private static func line(
    _ scenario: String, _ sort: String, _ count: String, _ findings: [String]
  ) -> String {
    func pad(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(1, width - text.count))
    }
    return pad(scenario, 36) + pad(sort, 14) + pad(count, 8)
      + findings.map { pad($0, 12) }.joined()
  }
}
