import Foundation

/// The table of a run.
struct ResultTable {
  let results: [CaseResult]

  var hasFailed: Bool { results.contains(where: \.hasFailed) }

  var markdown: String {
    let scenarios = Scenario.allCases.map(\.rawValue).filter { name in
      results.contains { $0.scenario == name }
    }
    var lines = [
      "| program | " + scenarios.joined(separator: " | ") + " |",
      "|---|" + scenarios.map { _ in "---|" }.joined(),
    ]
    var programs: [String] = []
    for result in results where !programs.contains(result.program) {
      programs.append(result.program)
    }
    for program in programs {
      let cells = scenarios.map { scenario in
        results.first { $0.program == program && $0.scenario == scenario }?.verdict.rawValue ?? ""
      }
      lines.append("| \(program) | " + cells.joined(separator: " | ") + " |")
    }
    return (lines + ["", totals]).joined(separator: "\n")
  }

  /// The words told beside the screen reader, and those heard; empty where nobody listened.
  var heard: String {
    let rows = results.compactMap { result in
      result.heard.map { row(result.program, result.reader ?? "", $0) }
    }
    guard !rows.isEmpty else { return "" }
    let all = HeardFigures(steps: results.flatMap { $0.heard?.steps ?? [] })
    let head = [
      "", "",
      """
      | program | Orca | said | heard once | twice | missing | words said | reader's own \
      | first word after the key | after the voice was free | and the message was there |
      """,
      "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    return (head + rows + [row("all", "", all)]).joined(separator: "\n")
  }

  private func row(_ name: String, _ version: String, _ figures: HeardFigures) -> String {
    func times(_ times: [Double]) -> String {
      times.isEmpty
        ? ""
        : String(format: "%.2f s, at most %.2f s", times[times.count / 2], times[times.count - 1])
    }
    let numbers = [
      figures.said, figures.heard, figures.twice, figures.missing, figures.words, figures.others,
    ]
    let cells =
      [name, version] + numbers.map(String.init)
      + [times(figures.firstWords), times(figures.firstFreeWords), times(figures.firstDueWords)]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  var totals: String {
    let ways = WayBack.allCases.map { way in
      "\(results.count { $0.undo == way }) \(way.rawValue)"
    }
    // Nobody can know better of those that lie: doubt is the right word there.
    let isLiar: (CaseResult) -> Bool = { result in
      ["liar", "hostile"].contains { result.program.hasPrefix($0) }
    }
    return [
      "Real programs: " + counts(results.filter { !isLiar($0) }),
      "Those that lie: " + counts(results.filter(isLiar)),
      "Undo after an effect that was told: " + ways.joined(separator: ", ") + ".",
    ].joined(separator: "\n")
  }

  private func counts(_ results: [CaseResult]) -> String {
    let counts = Verdict.allCases.map { verdict in
      "\(results.count { $0.verdict == verdict }) \(verdict.rawValue)"
    }
    return "\(results.count) cases: " + counts.joined(separator: ", ") + "."
  }

  /// The cases that a reader looks into, with the words told and what is.
  var details: String {
    results.filter { ![.isTrue, .vague].contains($0.verdict) }.map { result in
      let effects = result.effects.isEmpty ? "nothing" : result.effects.joined(separator: ", ")
      let head = "- \(result.program), \(result.scenario): \(result.verdict.rawValue)"
      return switch result.verdict {
      case .notRun: head + ". \(result.reason)"
      case .noPlace: head + ". \(result.told)"
      default: head + " (\(result.reason)). Told: \(result.told) Is: \(effects)."
      }
    }.joined(separator: "\n")
  }
}
