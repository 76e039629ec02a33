import Foundation
import PrivateDesktop
import Synchronization

/// Runs the matrix, as an ordinary user also where root starts it: some programs refuse root, and
/// permissions bind nobody there.
@main
struct KeydragField {
  static func main() throws {
    let options: Options
    do {
      options = try Options(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("\(error)\n\n\(Options.help)\n".utf8))
      exit(64)
    }
    if let obstacle = PrivateDesktop.obstacle ?? options.obstacle {
      FileHandle.standardError.write(Data((obstacle + "\n").utf8))
      exit(69)
    }
    if let folder = options.keep {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    }
    try OrdinaryUser.become(owning: [options.keep, options.json].compactMap { $0 })
    let results = run(options)
    let report = ResultTable(results: results)
    print("\n" + report.markdown + "\n\n" + report.details + report.heard)
    if let path = options.json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      do {
        try encoder.encode(results).write(to: URL(fileURLWithPath: path))
      } catch {
        // The cases took an hour: their table is printed above all the same.
        let words = "\(path) can't be written by who ran the programs. Name another folder.\n"
        FileHandle.standardError.write(Data(words.utf8))
        exit(74)
      }
    }
    exit(report.hasFailed ? 1 : 0)
  }

  /// Runs the cases, a few at a time; tells of each as it ends.
  private static func run(_ options: Options) -> [CaseResult] {
    let cases = Recipe.all.flatMap { recipe in
      Scenario.allCases.filter { options.wants(recipe, $0) }.map { (recipe, $0) }
    }
    let results = Mutex([Int: CaseResult]())
    let next = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: options.jobs) { _ in
      while true {
        let index = next.withLock { number in
          defer { number += 1 }
          return number
        }
        // The recipes are made anew, because closures stay on their thread.
        let all = Recipe.all.flatMap { recipe in
          Scenario.allCases.filter { options.wants(recipe, $0) }.map { (recipe, $0) }
        }
        guard index < all.count else { return }
        let result = Case(
          recipe: all[index].0, scenario: all[index].1, keydrag: options.keydrag,
          keep: options.keep, isReaderThere: options.isReaderThere,
          reader: options.reader, rate: options.rate, way: options.way,
          neighbours: options.neighbours
        ).run()
        results.withLock { $0[index] = result }
        let time = String(format: "%.0f s", result.seconds)
        FileHandle.standardError.write(
          Data(
            """
            \(result.program), \(result.scenario): \(result.verdict.rawValue) (\(time)) \
            \(result.reason) \(result.effects) \(result.told)

            """.utf8))
      }
    }
    return results.withLock { found in cases.indices.compactMap { found[$0] } }
  }
}
