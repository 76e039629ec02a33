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

/// The options that every command which says something takes.
struct SharedOptions: ParsableArguments {
  @Option(help: "The language of the messages, as a tag: en.")
  var lang: String?

  @Option(help: "How much is said.")
  var verbosity: VerbosityOption?

  @Option(help: "The voice: auto, on, off, or a file to record into.")
  var speech: SpeechOption?

  @Option(help: "Which way messages go.")
  var announce: AnnounceOption = .auto

  @Option(help: "Write a transcript, JSON lines, to a file (- for standard output).")
  var transcript: String?

  @Option(help: "The configuration file.", completion: .file(extensions: ["yaml"]))
  var config: String?

  @Flag(help: "No colour, no bold.")
  var noColor = false
}
