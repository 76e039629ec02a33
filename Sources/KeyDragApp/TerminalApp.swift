import Glibc
import KeyDrag
import KeyDragAccessibility
import KeyDragLocale
import KeyDragPeer
import KeyDragRuntime
import KeyDragSpeech
import KeyDragTerminal

/// An app on the library, spoken and shown in the terminal that it was started from.
///
/// It comes with the product `KeyDragApp`, which needs the same C libraries as the `keydrag`
/// program; `Packaging/setup` installs them. Keys come from the terminal. Messages go to the
/// person's screen reader, or to a voice if none runs. The person's settings for the `keydrag`
/// program apply here, too, from the same file: keys, voice, language and verbosity. Other KeyDrag
/// programs of the same person see its places, and this one sees theirs.
public struct TerminalApp: Sendable {
  /// The reason why nothing was run; the description is a sentence for the person.
  public struct Failure: Error, Hashable, CustomStringConvertible {
    /// The sentence, in the app's language.
    public let description: String
    /// The exit status for the program: 69 without a usable terminal, 64 for an invalid key script.
    public let status: Int32
  }

  private let name: String
  private let settings: UserSettings
  private let words: WordChoice
  private let environment: [String: String]

  /// Creates an app that is not running yet.
  ///
  /// - Parameters:
  ///   - name: the name that announces its places in another program.
  ///   - catalogue: the wording of the messages. By default it is in the language that the person
  ///     has set, or in the system's.
  ///   - domain: the file name of the catalogues with KeyDrag's messages that are installed with
  ///     the app, as in `share/locale/de/LC_MESSAGES/keydrag.mo`. Two packages can't own one file,
  ///     so an app may bring them under a name of its own.
  public init(_ name: String, in catalogue: (any Catalogue)? = nil, domain: String = "keydrag") {
    self.name = SpokenName.clean(name)
    environment = ProcessEnvironment.read()
    settings = .usual(environment)
    var words =
      catalogue.map { WordChoice(phrases: Phrasebook(catalogue: $0), problems: []) }
      ?? WordChoice(
        setting: settings.configuration.language, environment: environment, domain: domain)
    words.phrases.verbosity = settings.configuration.verbosity
    self.words = words
  }

  /// Runs a session over the host's contents, and tells the person if none can be run: the last
  /// call of a program, which exits with its result.
  ///
  /// The reason why nothing was run is written to standard error, after the app's name.
  ///
  /// - Parameters:
  ///   - host: supplies what can be picked up and what accepts it; it may change during the
  ///     session.
  ///   - script: keys to press instead of a person's, as in ``session(_:keys:announcing:)``.
  ///   - announcing: called for each message, as in ``session(_:keys:announcing:)``.
  /// - Returns: the exit status for the program: 0, 1 if something was not delivered, 130 if it was
  ///   interrupted, 66 if a name in a key script was not found, 69 without a usable terminal, 64
  ///   for an invalid key script.
  public func run(
    _ host: DragHost, keys script: String? = nil,
    announcing: @escaping @Sendable (SpokenAnnouncement) -> Void = { _ in }
  ) async -> Int32 {
    switch await session(host, keys: script, announcing: announcing) {
    case .success(let status): return status
    case .failure(let failure): return tell(failure)
    }
  }

  /// Creates the host and runs a session over it, for an app that can fail before it has one.
  ///
  /// An error that leaves `main` would end the app as a crash. Here a ``Reason`` is reported by its
  /// sentence in the person's language, and any other error by its description.
  ///
  /// - Parameters:
  ///   - script: keys to press instead of a person's, as in ``session(_:keys:announcing:)``.
  ///   - announcing: called for each message, as in ``session(_:keys:announcing:)``.
  ///   - isolation: the actor that creates the host: the caller's.
  ///   - host: creates the host.
  /// - Returns: the exit status for the program, as from ``run(_:keys:announcing:)``; 1 if a reason
  ///   was thrown, 70 for any other error.
  public func run(
    keys script: String? = nil,
    announcing: @escaping @Sendable (SpokenAnnouncement) -> Void = { _ in },
    isolation: isolated (any Actor)? = #isolation, _ host: () async throws -> DragHost
  ) async -> Int32 {
    let made: DragHost
    do {
      made = try await host()
    } catch {
      return tell(failure(error))
    }
    return await run(made, keys: script, announcing: announcing)
  }

  private func failure(_ error: any Error) -> Failure {
    if let reason = error as? Reason {
      return Failure(description: words.phrases.sentence(for: reason), status: 1)
    }
    return error as? Failure ?? Failure(description: "\(error)", status: 70)
  }

  /// Writes the reason why nothing was run to standard error, and returns the exit status.
  private func tell(_ failure: Failure) -> Int32 {
    let line = (name.isEmpty ? "" : name + ": ") + failure.description + "\n"
    // In one write; if nobody reads it, the status tells.
    _ = Array(line.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    return failure.status
  }

  /// Runs a session over the host's contents, until the person quits or the terminal is closed.
  ///
  /// This is ``run(_:keys:announcing:)`` for an app that reports itself why nothing was run, or
  /// continues without a session. It throws nothing: an error that leaves `main` would end the app
  /// as a crash.
  ///
  /// While it runs, it owns the terminal and the signals that end a program. Only one session can
  /// run at a time.
  ///
  /// - Parameters:
  ///   - host: supplies what can be picked up and what accepts it; it may change during the
  ///     session.
  ///   - script: keys to press instead of a person's, such as `space tab enter`, for a test of the
  ///     app. Then no terminal is needed, and nothing is spoken. The person's keymap applies.
  ///   - announcing: called for each message, in order, from any thread; it must not print while a
  ///     person is at the terminal.
  /// - Returns: the exit status for the program: 0, 1 if something was not delivered, 130 if it was
  ///   interrupted, 66 if a name in a key script was not found; or the reason why nothing was run.
  public func session(
    _ host: DragHost, keys script: String? = nil,
    announcing: @escaping @Sendable (SpokenAnnouncement) -> Void = { _ in }
  ) async -> Result<Int32, Failure> {
    do throws(Failure) {
      return .success(try await attempt(host, script, announcing))
    } catch {
      return .failure(error)
    }
  }

  private func attempt(
    _ host: DragHost, _ script: String?,
    _ announcing: @escaping @Sendable (SpokenAnnouncement) -> Void
  ) async throws(Failure) -> Int32 {
    // A write reports a closed pipe; it must not end the process.
    signal(SIGPIPE, SIG_IGN)
    var outputs = Outputs()
    outputs.earcons = settings.configuration.earcons
    outputs.listener = { announcement, text in announcing(SpokenAnnouncement(announcement, text)) }
    let keys: AppRun.Keys
    var reader: ScreenReader?
    if let script {
      keys = .script(try words(of: script))
    } else {
      keys = try terminal()
      if settings.configuration.speech != .off {
        outputs.voice = settings.voice(settings.speech(words.phrases), environment)
      }
      reader = ScreenReader(
        environment: environment, phrases: words.phrases,
        speech: SpeechWatch(environment: environment))
    }
    var run = AppRun(keys: keys, outputs: outputs, reader: reader, phrases: words.phrases)
    run.keymap = settings.keymap
    run.settings = settings.session
    run.problems = settings.problems(in: words.phrases) + words.problems
    return await run.run(host, named: name, environment: environment) { result, _ in
      if result.signal != nil { return 130 }
      if result.hasMissed { return 66 }
      return result.hasFailure ? 1 : 0
    }
  }

  private func terminal() throws(Failure) -> AppRun.Keys {
    do {
      return try .atTerminal(environment)
    } catch .notATerminal, .twoTerminals {
      // The usual sentences name the keydrag program.
      let error = TerminalError.system(call: "isatty", code: ENOTTY)
      throw Failure(description: error.words(in: words.phrases), status: 69)
    } catch {
      throw Failure(description: error.words(in: words.phrases), status: 69)
    }
  }

  private func words(of script: String) throws(Failure) -> [ScriptWord] {
    do {
      return try KeyScript.parse(script)
    } catch {
      throw Failure(description: error.words(in: words.phrases), status: 64)
    }
  }
}

extension AppRun.Keys {
  /// Opens the terminal that this program was started from.
  package static func atTerminal(
    _ environment: [String: String], noColor: Bool = false
  ) throws(TerminalError) -> AppRun.Keys {
    let relay = TerminalRelay()
    let terminal = try Terminal.open(
      name: environment["TERM"] ?? "dumb",
      style: .allowed(environment: environment, noColor: noColor)
    ) { relay.take($0) }
    return .terminal(terminal, relay)
  }
}

extension ScriptError {
  /// Names the word that is wrong.
  package func words(in phrases: Phrasebook) -> String {
    let position = phrases.number(position)
    return word.hasPrefix("\"")
      ? phrases.phrase(
        // A mistake in a list of keys that was given with --keys. %1$@ is a number.
        "The quotation marks are not closed in word %1$@ of the key script.", position)
      // A mistake in a list of keys that was given with --keys. %1$@ is a number, %2$@ what
      // stands there.
      : phrases.phrase("Word %1$@ of the key script, %2$@, is not known.", position, word)
  }
}
