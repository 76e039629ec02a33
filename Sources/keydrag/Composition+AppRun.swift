import Glibc
import KeyDragApp
import KeyDragCore
import KeyDragRuntime
import KeyDragTerminal

extension Composition {
  /// A run at the terminal, or with a key script.
  ///
  /// - Parameter keys: a script, "-" for standard input, `nil` for a person.
  func appRun(keys: String?) throws(CommandError) -> AppRun {
    let script = try scriptWords(keys)
    if keys == nil { try requireTerminal() }
    let reader = reader(isInteractive: keys == nil)
    let unreached = unreached(reader, isInteractive: keys == nil)
    let outputs = try outputs(isInteractive: keys == nil, isReaderUnreached: unreached != nil)
    let source: AppRun.Keys
    if let script {
      source = .script(script)
    } else {
      source = keys == nil ? try terminal() : .stream
    }
    var run = AppRun(keys: source, outputs: outputs, reader: reader, phrases: phrases)
    run.keymap = settings.keymap
    run.settings = settings.session
    run.problems = [unreached].compactMap(\.self) + problems(in: phrases)
    return run
  }

  /// The words of a key script; `nil` for keys from a person or from standard input.
  func scriptWords(_ keys: String?) throws(CommandError) -> [ScriptWord]? {
    guard let keys, keys != "-" else { return nil }
    do {
      return try KeyScript.parse(keys)
    } catch {
      throw ScriptMistake.error(error, phrases)
    }
  }

  private func requireTerminal() throws(CommandError) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw CommandError(
        description: phrases.phrase(
          // keydrag files was started without a terminal. --keys and keydrag copy, move, link stay
          // as they are; a key script is a list of keys that are pressed one after the other.
          "There is no terminal here. Give a key script with --keys, or use keydrag copy, move or "
            + "link."),
        status: .usage)
    }
  }

  private func terminal() throws(CommandError) -> AppRun.Keys {
    do {
      return try .atTerminal(environment, noColor: options.noColor)
    } catch {
      throw CommandError(description: error.words(in: phrases), status: .unavailable)
    }
  }
}

extension ExitStatus {
  /// The exit status of a run; reports mistakes in its script.
  static func of(
    _ result: RunResult, isNothingThere: Bool, _ phrases: Phrasebook
  ) -> ExitStatus {
    if let error = result.scriptError { return report(ScriptMistake.error(error, phrases)) }
    if result.signal != nil { return .interrupted }
    if let reason = result.fatalReason, isNothingThere { return ExitStatus(reason) }
    if let id = result.unmetWait { return report(ScriptMistake.waiting(for: id, phrases)) }
    if result.hasMissed { return .noInput }
    return result.hasFailure ? .undelivered : .done
  }
}
