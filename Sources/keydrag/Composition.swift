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

/// The root where the adapters meet: everything a run is put together from.
struct Composition {
  var options: SharedOptions
  var settings: PersonSettings
  /// How the places of programs are described; none until they are read.
  private(set) var profiles: [ProgramProfile] = []
  private let words: WordChoice
  let environment: [String: String]
  /// Whether it does one thing and ends, without a key being pressed.
  var isOneShot = false

  init(_ options: SharedOptions) throws(CommandError) {
    self.options = options
    // A closed pipe is an answer to a write, not a reason to die.
    signal(SIGPIPE, SIG_IGN)
    environment = ProcessEnvironment.read()
    do {
      settings = try PersonSettings(named: options.config, environment: environment)
    } catch {
      let phrases = Words.phrases
      throw CommandError(
        description: phrases.problemText(error.problem(in: phrases)), status: .noInput)
    }
    // The language that the command line asks for is in the words of the process already.
    words =
      options.lang == nil && settings.configuration.language != nil
      ? Words.choice(option: nil, setting: settings.configuration.language)
      : WordChoice(phrases: Words.phrases, problems: Words.chosen.problems)
  }

  /// Reads the profiles of programs. A file that can't be used is a problem, and the rest goes on.
  mutating func loadProfiles() {
    let loaded = ProfileFile.load(environment: environment)
    profiles = loaded.profiles
    settings.fileProblems += loaded.problems
  }

  /// The problems with the settings, said once at the start.
  func problems(in phrases: Phrasebook) -> [Problem] {
    settings.problems(in: phrases) + words.problems
  }

  var phrases: Phrasebook {
    var phrases = words.phrases
    phrases.verbosity = options.verbosity?.verbosity ?? settings.verbosity
    phrases.isOneShot = isOneShot
    return phrases
  }

  var speechSettings: SpeechSettings { settings.speech(phrases) }

  /// The channels of a run.
  ///
  /// - Parameters:
  ///   - isInteractive: a person at a terminal, whose screen is added by the caller.
  ///   - isReaderUnreached: the screen reader that was asked for can't be reached.
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

  /// Whether KeyDrag's own voice is heard.
  private func speaks(isInteractive: Bool, isReaderUnreached: Bool) -> Bool {
    guard options.announce != .text else { return false }
    return switch speech {
    case .off, .file: false
    case .on: true
    case .auto: isInteractive || options.announce == .speech || isReaderUnreached
    }
  }

  /// The person's screen reader, looked for from now on; nothing where a voice or text is wanted.
  ///
  /// - Parameter isInteractive: a person at a terminal. A script is told to nobody unless that is
  ///   asked for.
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

  /// The way to a reader that was asked for and leads to none; waits until that is known.
  ///
  /// - Parameter isInteractive: a person at a terminal.
  func unreached(_ reader: ScreenReader?, isInteractive: Bool) -> Problem? {
    guard let wanted = options.announce.rung, let reader else { return nil }
    reader.settle(within: 0.5)
    guard reader.rung == nil else { return nil }
    let facts = reader.facts
    return .noWayToReader(
      wanted: wanted, reader: facts.reader, takes: facts.openRung,
      speaks: speaks(isInteractive: isInteractive, isReaderUnreached: true))
  }

  /// The courier that delivers files and keeps the history.
  func courier() -> JournaledCourier {
    JournaledCourier(waitsForDisk: settings.configuration.waitsForDisk)
  }

  /// Real folders, with the journal and the trash behind them.
  ///
  /// - Parameters:
  ///   - isWalked: whether a person walks them, who may want to go on to bookmarks.
  ///   - isForFolders: whether nothing but a folder takes what is picked up.
  func world(
    roots: [FilePath], courier: JournaledCourier, isWalked: Bool = false,
    isForFolders: Bool = false
  ) -> FilesWorld {
    let types = SystemContentTypes(phrases: phrases)
    // Whoever walks folders may paste.
    let clipboard =
      isWalked && DisplayClipboard.isShared(environment, WaylandSession.find(environment))
      ? ClipboardGoods(DisplayClipboard(), types: types, folder: temporaryFolder) : nil
    return FilesWorld(
      roots: roots, types: types, programs: SystemPrograms(),
      delivering: courier, phrases: phrases,
      isWalked: isWalked, shortcuts: settings.configuration.shortcuts, clipboard: clipboard,
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
