import Glibc
import KeyDragAccessibility
import KeyDragApp
import KeyDragConfiguration
import KeyDragCore
import KeyDragFiles
import KeyDragRuntime
import KeyDragSpeech
import KeyDragTerminal
import KeyDragTypes
import KeyDragWayland
import SystemPackage

/// The composition root, which wires up the adapters of a run.
struct Composition {
  var options: SharedOptions
  var settings: UserSettings
  /// Descriptions of programs' places; empty until ``loadProfiles()``.
  private(set) var profiles: [ProgramProfile] = []
  private let words: WordChoice
  let environment: [String: String]
  /// Whether the command runs once, without keys.
  var isOneShot = false

  init(_ options: SharedOptions) throws(CommandError) {
    self.options = options
    // A write reports a closed pipe; it must not end the process.
    signal(SIGPIPE, SIG_IGN)
    environment = ProcessEnvironment.read()
    do {
      settings = try UserSettings(named: options.config, environment: environment)
    } catch {
      let phrases = Words.phrases
      throw CommandError(
        description: phrases.problemText(error.problem(in: phrases)), status: .noInput)
    }
    // The wording of the process already follows `--lang`.
    words =
      options.lang == nil && settings.configuration.language != nil
      ? Words.choice(option: nil, setting: settings.configuration.language)
      : WordChoice(phrases: Words.phrases, problems: Words.chosen.problems)
  }

  /// Reads the profiles of programs. An unusable file is a problem, and the rest is kept.
  mutating func loadProfiles() {
    let loaded = ProfileFile.load(environment: environment)
    profiles = loaded.profiles
    settings.fileProblems += loaded.problems
  }

  /// The problems with the settings, reported once at the start.
  func problems(in phrases: Phrasebook) -> [Problem] {
    settings.problems(in: phrases) + words.problems
  }

  var phrases: Phrasebook {
    var phrases = words.phrases
    phrases.verbosity = options.verbosity?.verbosity ?? settings.configuration.verbosity
    phrases.isOneShot = isOneShot
    return phrases
  }

  var speechSettings: SpeechSettings { settings.speech(phrases) }

  /// The channels of a run.
  ///
  /// - Parameters:
  ///   - isInteractive: whether a person is at a terminal, whose screen the caller adds.
  ///   - isReaderUnreached: whether the requested screen reader can't be reached.
  func outputs(
    isInteractive: Bool, isReaderUnreached: Bool = false
  ) throws(CommandError) -> Outputs {
    var outputs = Outputs()
    outputs.earcons = settings.configuration.earcons
    if let name = options.transcript { outputs.transcript = try TranscriptFile(name, phrases) }
    if !isInteractive, options.transcript != "-" {
      outputs.text = TextStream(descriptor: STDOUT_FILENO)
    }
    if speaks(isInteractive: isInteractive, isReaderUnreached: isReaderUnreached) {
      outputs.voice = settings.voice(speechSettings, environment)
    }
    if case .file(let name) = speech {
      do {
        outputs.recorder = try RecordedVoice(path: name, settings: speechSettings)
      } catch {
        throw CommandError(description: error.words(in: phrases), status: .inputOutput)
      }
    }
    return outputs
  }

  private var speech: SpeechOption {
    options.speech ?? SpeechOption(settings.configuration.speech)
  }

  private func speaks(isInteractive: Bool, isReaderUnreached: Bool) -> Bool {
    guard options.announce != .text else { return false }
    return switch speech {
    case .off, .file: false
    case .on: true
    case .auto: isInteractive || options.announce == .speech || isReaderUnreached
    }
  }

  /// The person's screen reader, looked for from now on; `nil` if a voice or text is requested.
  ///
  /// - Parameter isInteractive: whether a person is at a terminal. A script is announced only on
  ///   request.
  func reader(isInteractive: Bool) -> ScreenReader? {
    switch options.announce {
    case .speech, .text: return nil
    case .orca, .atspi, .notification: break
    case .auto:
      guard isInteractive || speech == .on else { return nil }
    }
    return ScreenReader(
      environment: environment, rung: options.announce.rung, phrases: phrases,
      speech: SpeechWatch(environment: environment))
  }

  /// The problem with a requested reader that can't be reached; waits up to 0.5 s to find out.
  func unreached(_ reader: ScreenReader?, isInteractive: Bool) -> Problem? {
    guard let wanted = options.announce.rung, let reader else { return nil }
    reader.settle(within: 0.5)
    guard reader.rung == nil else { return nil }
    let facts = reader.facts
    return .noWayToReader(
      wanted: wanted, reader: facts.reader, takes: facts.openRung,
      speaks: speaks(isInteractive: isInteractive, isReaderUnreached: true))
  }

  func courier() -> JournaledCourier {
    JournaledCourier(flushesToDevice: settings.configuration.flushesToDevice)
  }

  /// Real folders, with the journal and the trash behind them.
  ///
  /// - Parameters:
  ///   - isWalked: whether a person walks them, and may go on to bookmarks.
  ///   - isForFolders: whether only a folder receives what is picked up.
  func world(
    roots: [FilePath], courier: JournaledCourier, isWalked: Bool = false,
    isForFolders: Bool = false
  ) -> FilesWorld {
    let types = SystemContentTypes(phrases: phrases)
    // A person who walks folders may paste.
    let clipboard =
      isWalked ? Displays.clipboard(environment, WaylandSession.find(environment)) : nil
    return FilesWorld(
      roots: roots, types: types, programs: SystemPrograms(),
      delivering: courier, phrases: phrases,
      isWalked: isWalked, shortcuts: settings.configuration.shortcuts,
      clipboard: clipboard.map { ClipboardPayload($0, types: types, folder: temporaryFolder) },
      isForFolders: isForFolders,
      canTrash: { courier.canTrash($0) })
  }
}

extension SystemPrograms: ProgramStarting {}

extension SpeechOption {
  init(_ setting: Configuration.Speech) {
    self =
      switch setting {
      case .auto: .auto
      case .on: .on
      case .off: .off
      }
  }
}
