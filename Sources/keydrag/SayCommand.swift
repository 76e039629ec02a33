import ArgumentParser
import KeyDragCore
import KeyDragRuntime
import KeyDragSpeech

/// `keydrag say`: tries the voice.
struct SayCommand: BlockingSubcommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "say",
      // Help page: what keydrag say does.
      abstract: Words.phrases.phrase("Say a text, to try the voice."),
      // Help page: how the command is typed. keydrag say stays as it is, and so do the brackets and
      // dots.
      usage: Words.phrases.phrase("keydrag say <text> ... [options]"))
  }

  @Argument(
    help: ArgumentHelp(
      // Help page of keydrag say: what is to be typed.
      Words.phrases.phrase("What to say."),
      // Help page, in angle brackets: what is to be typed, any words.
      valueName: Words.phrases.term(in: "to be typed", "text")))
  var text: [String] = []

  @OptionGroup var options: SharedOptions

  func validate() throws {
    if text.isEmpty {
      throw ValidationError(
        // A mistake on the command line: only keydrag say was typed. say stays as it is.
        Words.phrases.phrase("There is nothing to say. Write a text after say."))
    }
  }

  func perform() throws(CommandError) -> ExitStatus {
    var composition = try Composition(options)
    if composition.options.speech == nil { composition.options.speech = .on }
    let outputs = try composition.outputs(isInteractive: false)
    let words = ArgumentText.spoken(text.joined(separator: " "))
    let phrases = composition.phrases
    let language = options.lang ?? phrases.catalogue.language
    let utterance = Utterance(text: words, language: language, urgency: .assertive)
    let voices = [outputs.voice, outputs.recorder].compactMap { $0 }
    var transcript = Transcript(sink: outputs.transcript)
    transcript.message(
      id: "say", text: words, spoken: words, by: outputs.channel, phrases: phrases)
    for voice in voices { voice.speak(utterance) }
    for voice in voices { voice.finish(within: 120) }
    let problem = voices.compactMap(\.problem).first
    let isShown = voices.isEmpty || problem != nil ? outputs.text?.write(words) ?? true : true
    let done = isShown && !transcript.isBroken ? ExitStatus.done : .inputOutput
    transcript.end(status: (problem == nil ? done : .unavailable).rawValue)
    guard let problem else { return done }
    throw CommandError(
      description: phrases.problemText(problem), status: .unavailable)
  }
}
