import ArgumentParser
import KeyDragCore
import KeyDragLocale

/// The amount of detail in messages.
enum VerbosityOption: String, ExpressibleByArgument, CaseIterable {
  case brief, full

  var verbosity: Verbosity { self == .brief ? .brief : .full }
}

/// The route of messages.
enum AnnounceOption: String, ExpressibleByArgument, CaseIterable {
  case auto, orca, atspi, notification, speech, text

  /// The only route to the screen reader that may be used; `nil` for any, or for none.
  var rung: ReaderRoute? {
    switch self {
    case .orca: .orca
    case .atspi: .atspi
    case .notification: .notification
    case .auto, .speech, .text: nil
    }
  }
}

/// The mode of the voice, or a file to record into.
enum SpeechOption: ExpressibleByArgument, Equatable {
  case auto, on, off
  case file(String)

  init?(argument: String) {
    switch argument {
    case "auto": self = .auto
    case "on": self = .on
    case "off": self = .off
    default:
      guard argument.lowercased().hasSuffix(".wav") else { return nil }
      self = .file(argument)
    }
  }

  static var allValueStrings: [String] { ["auto", "on", "off", "FILE.wav"] }
}

struct SharedOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      // Help page: what an option does. de and pt-BR stay as they are.
      Words.phrases.phrase("The language of the messages, such as de or pt-BR."),
      // Help page, in angle brackets: what is to be typed, a short name of a language.
      valueName: Words.phrases.term(in: "to be typed", "tag")),
    completion: .list(CataloguePath.known))
  var lang: String?

  @Option(
    help: ArgumentHelp(
      // Help page: what an option does.
      Words.phrases.phrase("How much is said."),
      // Help page: more on an option. full stays as it is. The configuration is a file of settings.
      discussion: Words.phrases.phrase("Left out, as in the configuration, or full."),
      // Help page, in angle brackets: what is to be typed, how much is said.
      valueName: Words.phrases.term(in: "to be typed", "amount")))
  var verbosity: VerbosityOption?

  @Option(
    help: ArgumentHelp(
      Words.phrases.phrase(
        // Help page: what an option does. auto, on, off and .wav stay as they are.
        "The voice: auto, on, off, or a file ending in .wav to record into."),
      discussion: Words.phrases.phrase(
        // Help page: more on an option. auto and the commands stay as they are.
        "auto speaks in keydrag files and keydrag desktop, and is silent elsewhere."),
      // Help page, in angle brackets: what is to be typed, whether and how a voice speaks.
      valueName: Words.phrases.term(in: "to be typed", "voice")),
    completion: .list(["auto", "on", "off"]))
  var speech: SpeechOption?

  @Option(
    help: ArgumentHelp(
      // Help page: what an option does.
      Words.phrases.phrase("Which way messages go."),
      discussion: Words.phrases.phrase(
        // Help page: more on the option --announce, whose values stay as they are.
        "auto: the screen reader where one runs, else the voice. "
          + "orca, atspi and notification: a screen reader only. speech: the voice. "
          + "text: never spoken."
      ),
      // Help page, in angle brackets: what is to be typed, the way that messages go.
      valueName: Words.phrases.term(in: "to be typed", "way")))
  var announce: AnnounceOption = .auto

  @Option(
    help: ArgumentHelp(
      Words.phrases.phrase(
        // Help page: what an option does. JSON is a format.
        "Write all that is said and done, a JSON object a line, to a file."),
      // Help page: more on an option. The hyphen stays as it is.
      discussion: Words.phrases.phrase("- is standard output."),
      // Help page, in angle brackets: what is to be typed, the name of a file.
      valueName: Words.phrases.term(in: "to be typed", "file")),
    completion: .file())
  var transcript: String?

  @Option(
    help: ArgumentHelp(
      // Help page: what an option does. A file of settings.
      Words.phrases.phrase("The configuration file."),
      // Help page: more on an option: which file is taken without it.
      discussion: Words.phrases.phrase("Left out: config.yaml in ~/.config/keydrag."),
      // Help page, in angle brackets: what is to be typed, the name of a file.
      valueName: Words.phrases.term(in: "to be typed", "file")),
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  // Help page: what an option does.
  @Flag(help: ArgumentHelp(Words.phrases.phrase("No colour, no bold.")))
  var noColor = false
}
