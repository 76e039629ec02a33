import ArgumentParser
import KeyDragCore
import KeyDragFiles
import KeyDragRuntime
import Synchronization

/// `keydrag undo`: takes back what was done, in this run or an earlier one.
struct UndoCommand: Subcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "undo",
      // Help page: what keydrag undo does. A delivery is a copy or move that was made.
      abstract: Words.phrases.phrase("Undo the newest delivery, or one from the history."))
  }

  @OptionGroup var chosen: EntryOption

  @OptionGroup var options: SharedOptions

  func perform() async throws(CommandError) -> ExitStatus {
    let input: SessionInput = chosen.entry.map { .undoEntry($0) } ?? .command(.undo)
    return try await HistoryRun.run(input, chosen.entry, options)
  }
}

/// `keydrag redo`: does again what was undone.
struct RedoCommand: Subcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "redo",
      // Help page: what keydrag redo does. One: a delivery, that is a copy or move.
      abstract: Words.phrases.phrase("Do again what was undone last, or one from the history."))
  }

  @OptionGroup var chosen: EntryOption

  @OptionGroup var options: SharedOptions

  func perform() async throws(CommandError) -> ExitStatus {
    let input: SessionInput = chosen.entry.map { .redoEntry($0) } ?? .command(.redo)
    return try await HistoryRun.run(input, chosen.entry, options)
  }
}

/// `keydrag history`: what was done, newest first.
struct HistoryCommand: Subcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "history",
      // Help page: what keydrag history does. What was copied, moved and so on.
      abstract: Words.phrases.phrase("List what was done, newest first."))
  }

  @Option(
    help: ArgumentHelp(
      // Help page of keydrag history: what an option takes.
      Words.phrases.phrase("How many entries to list, 1 to 10000."),
      // Help page, in angle brackets: what is to be typed, a number.
      valueName: Words.phrases.term(in: "to be typed", "number")))
  var limit = 20

  @OptionGroup var options: SharedOptions

  func validate() throws {
    guard (1...10_000).contains(limit) else {
      throw ValidationError(
        Words.phrases.phrase(
          // A mistake on the command line of keydrag history. --limit stays as it is. %1$@ is the
          // number that was typed.
          "--limit takes a number from 1 to 10000, not %1$@.", String(limit)))
    }
  }

  func perform() async throws(CommandError) -> ExitStatus {
    let composition = try Composition(options)
    let phrases = composition.phrases
    try await FolderArgument.requireHistory(phrases)
    let lines = try SpokenLines(composition)
    let reports = Mutex<[WorldReport]>([])
    let courier = composition.courier()
    courier.observe { report in reports.withLock { $0.append(report) } }
    courier.recover(waiting: true)
    let history = await Result { () async throws(Reason) in
      try await courier.history(limit: limit)
    }
    courier.close()
    for case .recovered(let recovery) in reports.withLock({ $0 }) {
      lines.add(.recovered(recovery))
    }
    switch history {
    case .success(let entries):
      if entries.isEmpty {
        lines.add(id: "history-entry") { $0.text(.confirm(.history(count: 0), choices: [])) }
      }
      for entry in entries {
        let time = EntryTime.full(entry.time)
        lines.add(id: "history-entry") { Self.line(entry, time, $0) }
      }
      return lines.end(.done)
    case .failure(let reason):
      let problems = reports.withLock { $0 }.compactMap { report in
        if case .problem(let problem) = report { phrases.problemText(problem) } else { nil }
      }
      let words = problems.first ?? phrases.sentence(for: reason)
      return lines.end(report(CommandError(description: words, status: ExitStatus(reason))))
    }
  }

  static func line(_ entry: HistoryEntry, _ time: String, _ phrases: Phrasebook) -> String {
    // The number is what --entry takes.
    "\(entry.number)  \(time)  \(phrases.historyLine(entry))"
  }
}

enum HistoryRun {
  /// - Parameter entry: the number on the command line.
  static func run(
    _ input: SessionInput, _ entry: Int64?, _ options: SharedOptions
  ) async throws(CommandError) -> ExitStatus {
    let composition = try Composition(options)
    try await FolderArgument.requireHistory(composition.phrases)
    let courier = composition.courier()
    courier.recover(waiting: true)
    if let entry { try await require(entry, courier, composition.phrases) }
    let world = composition.world(roots: [], courier: courier)
    guard entry == nil, case .command(.undo) = input else {
      return try await HeadlessRun(composition: composition, world: world).run([input])
    }
    let refused = Mutex<Int64?>(nil)
    var run = HeadlessRun(composition: composition, world: world)
    run.watch = { outputs in
      outputs.reports = { report in
        guard case .undone(_, .refused(let entry?, _)) = report else { return }
        refused.withLock { $0 = entry.number }
      }
    }
    run.lastWord = {
      refused.withLock(\.self).flatMap { courier.previous(to: $0) }.map { number in
        (
          "undo-older",
          .phrase(
            // The newest delivery can't be undone, and the reason was said: how an older one is.
            // keydrag undo --entry stays as it is. %1$@ is the number of the older one.
            "To undo an older one: keydrag undo --entry %1$@.", String(number))
        )
      }
    }
    return try await run.run([input])
  }

  /// Throws for an unknown number; other obstacles are found later.
  private static func require(
    _ entry: Int64, _ courier: JournaledCourier, _ phrases: Phrasebook
  ) async throws(CommandError) {
    guard let entries = try? await courier.history(limit: .max),
      !entries.contains(where: { $0.number == entry })
    else { return }
    courier.close()
    throw CommandError(
      description: phrases.phrase(
        // A mistake on the command line of keydrag undo or redo. keydrag history stays as it is.
        // %1$@ is a number.
        "There is no entry %1$@ in the history. keydrag history lists them.", String(entry)),
      status: .noInput)
  }
}
