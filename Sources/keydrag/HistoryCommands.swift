import ArgumentParser
import Glibc
import KeyDragCore
import KeyDragFiles
import KeyDragRuntime
import Synchronization

/// `keydrag undo`: takes back what was done, in this run or an earlier one.
struct UndoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo the newest delivery, or one from the history.")

  @Option(help: ArgumentHelp("The number that keydrag history shows.", valueName: "number"))
  var entry: Int64?

  @OptionGroup var options: SharedOptions

  func run() async throws {
    let input: SessionInput = entry.map { .undoEntry($0) } ?? .command(.undo)
    throw await HistoryRun.run(input, entry, options).code
  }
}

/// `keydrag redo`: does again what was undone.
struct RedoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo", abstract: "Do again what was undone last, or one from the history.")

  @Option(help: ArgumentHelp("The number that keydrag history shows.", valueName: "number"))
  var entry: Int64?

  @OptionGroup var options: SharedOptions

  func run() async throws {
    let input: SessionInput = entry.map { .redoEntry($0) } ?? .command(.redo)
    throw await HistoryRun.run(input, entry, options).code
  }
}

/// `keydrag history`: what was done, newest first.
struct HistoryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List what was done, newest first.")

  @Option(help: ArgumentHelp("How many entries to list, 1 to 10000.", valueName: "number"))
  var limit = 20

  @OptionGroup var options: SharedOptions

  func validate() throws {
    guard (1...10_000).contains(limit) else {
      throw ValidationError("--limit takes a number from 1 to 10000, not \(limit).")
    }
  }

  func run() async throws {
    throw list().code
  }

  private func list() -> ExitStatus {
    do throws(CommandError) {
      let composition = try Composition(options)
      let phrases = composition.phrases
      let lines = try SpokenLines(composition)
      let reports = Mutex<[WorldReport]>([])
      let courier = JournaledCourier()
      courier.observe { report in reports.withLock { $0.append(report) } }
      courier.recover(waiting: true)
      let history = courier.history(limit: limit)
      courier.close()
      for case .recovered(let recovery) in reports.withLock({ $0 }) {
        lines.add(.recovered(recovery))
      }
      switch history {
      case .success(let entries):
        if entries.isEmpty {
          lines.add(phrases.phrase("Nothing has been done yet."), id: "history-entry")
        }
        for entry in entries { lines.add(line(entry, phrases), id: "history-entry") }
        return lines.end(.done)
      case .failure(let reason):
        return lines.end(
          report(
            CommandError(
              description: phrases.sentence(for: reason), status: ExitStatus(reason))))
      }
    } catch {
      return report(error)
    }
  }

  private func line(_ entry: HistoryEntry, _ phrases: Phrasebook) -> String {
    var seconds = time_t(entry.time)
    var parts = tm()
    localtime_r(&seconds, &parts)
    var buffer = [CChar](repeating: 0, count: 32)
    let length = strftime(&buffer, buffer.count, "%Y-%m-%d %H:%M", &parts)
    let when = String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let state = entry.isUndone ? " " + phrases.phrase("(undone)") : ""
    return "\(entry.number)  \(when)  \(phrases.describe(entry))\(state)"
  }
}

/// Undo and redo from the command line.
enum HistoryRun {
  /// - Parameter entry: the number of the entry that was named on the command line.
  static func run(
    _ input: SessionInput, _ entry: Int64?, _ options: SharedOptions
  ) async -> ExitStatus {
    do throws(CommandError) {
      let composition = try Composition(options)
      let courier = JournaledCourier()
      courier.recover(waiting: true)
      if let entry { try require(entry, courier) }
      let world = composition.world(roots: [], courier: courier)
      return try await HeadlessRun(composition: composition, world: world).run([input])
    } catch {
      return report(error)
    }
  }

  /// An unknown number is a mistake on the command line; what else may be in the way is found later.
  private static func require(_ entry: Int64, _ courier: JournaledCourier) throws(CommandError) {
    guard case .success(let entries) = courier.history(limit: .max),
      !entries.contains(where: { $0.number == entry })
    else { return }
    courier.close()
    throw CommandError(
      description: "There is no entry \(entry) in the history. keydrag history lists them.",
      status: .noInput)
  }
}
