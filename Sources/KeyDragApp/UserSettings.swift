import KeyDragConfiguration
import KeyDragCore
import KeyDragSpeech

/// The person's settings from the configuration file, and the mistakes in it.
package struct UserSettings: Sendable {
  package var configuration: Configuration
  package var keymap: Keymap
  /// The keys grabbed from all programs on the desktop.
  package var desktopChords: DesktopChords
  /// The mistakes in the file itself, and in others that belong to it.
  package var fileProblems: [ConfigurationProblem]
  /// The mistakes in the keys that it sets.
  package var keyProblems: [KeyProblem]
  private let fileName: String

  /// Reads the file.
  ///
  /// - Parameter path: a file that the person names; `nil` for the default one, which may be
  ///   missing.
  /// - Throws: the problem of a named file that can't be read.
  package init(
    named path: String? = nil, environment: [String: String]
  ) throws(ConfigurationProblem) {
    self.init(try ConfigurationFile.load(named: path, environment: environment), named: path)
  }

  /// Reads the default file. If it can't be read, that is a problem, and defaults apply.
  package static func usual(_ environment: [String: String]) -> UserSettings {
    do {
      return try UserSettings(environment: environment)
    } catch {
      return UserSettings(LoadedConfiguration(problems: [error]), named: nil)
    }
  }

  private init(_ loaded: LoadedConfiguration, named path: String?) {
    configuration = loaded.configuration
    fileProblems = loaded.problems
    (keymap, desktopChords, keyProblems) = KeymapSettings.apply(
      loaded.configuration.keys, to: .standard)
    fileName = ConfigurationFile.name(of: path ?? "config.yaml")
  }

  /// The problems with the settings, reported once at the start.
  package func problems(in phrases: Phrasebook) -> [Problem] {
    fileProblems.map { $0.problem(in: phrases) }
      + keyProblems.map { $0.problem(in: phrases, file: fileName) }
  }

  /// The settings of a voice for this wording.
  package func speech(_ phrases: Phrasebook) -> SpeechSettings {
    SpeechSettings(
      rate: configuration.rate, pitch: configuration.pitch, volume: configuration.volume,
      voices: configuration.voices, earcons: configuration.earcons,
      unreadableCharacter: phrases.spoken.unreadableCharacter,
      spokenCharacterNames: phrases.spoken.silentSigns)
  }

  /// Whether speech-dispatcher speaks. By default only if the person has configured it: it runs on
  /// many desktops where nobody has ever heard it.
  package func usesDispatcher(_ environment: [String: String]) -> Bool {
    switch configuration.synthesizer {
    case .espeak: false
    case .dispatcher: true
    case .auto:
      configuration.hasUsualVoice
        && SpeechService.isSetUp(environment, settings: ConfigurationFile.home(environment))
    }
  }

  /// The voice that the person has chosen.
  package func voice(_ speech: SpeechSettings, _ environment: [String: String]) -> any Voice {
    guard usesDispatcher(environment),
      let service = SpeechService(environment: environment)
    else { return SpokenVoice(settings: speech) }
    return DispatcherVoice(service, settings: speech)
  }

  package var session: Session.Settings {
    var settings = Session.Settings()
    settings.showsHidden = configuration.showsHidden
    settings.longDelivery = configuration.threshold
    return settings
  }
}
