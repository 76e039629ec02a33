import ArgumentParser
import KeyDragCore

/// How much is said.
enum VerbosityOption: String, ExpressibleByArgument, CaseIterable {
  case brief, full

  var verbosity: Verbosity { self == .brief ? .brief : .full }
}

/// Which way messages go.
enum AnnounceOption: String, ExpressibleByArgument, CaseIterable {
  case auto, speech, text
}

/// Whether there is a voice: the words, or a file to record into.
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

/// The options that every command takes.
struct SharedOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The language of the messages; so far there is en.", valueName: "tag"))
  var lang: String?

  @Option(
    help: ArgumentHelp(
      "How much is said.", discussion: "Left out, as in the configuration, or full.",
      valueName: "amount"))
  var verbosity: VerbosityOption?

  @Option(
    help: ArgumentHelp(
      "The voice: auto, on, off, or a file ending in .wav to record into.",
      discussion: "auto speaks in keydrag files, and is silent elsewhere.", valueName: "voice"),
    completion: .list(["auto", "on", "off"]))
  var speech: SpeechOption?

  @Option(
    help: ArgumentHelp(
      "Which way messages go.", discussion: "text is never spoken, speech always.",
      valueName: "way"))
  var announce: AnnounceOption = .auto

  @Option(
    help: ArgumentHelp(
      "Write all that is said and done, a JSON object a line, to a file.",
      discussion: "- is standard output.", valueName: "file"),
    completion: .file())
  var transcript: String?

  @Option(
    help: ArgumentHelp(
      "The configuration file.", discussion: "Left out: config.yaml in ~/.config/keydrag.",
      valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @Flag(help: "No colour, no bold.")
  var noColor = false
}
