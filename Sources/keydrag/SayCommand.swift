import ArgumentParser
import KeyDragCore
import KeyDragRuntime
import KeyDragSpeech

/// `keydrag say`: tries the voice.
struct SayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "say", abstract: "Say a text, to try the voice.",
    usage: "keydrag say <text> ... [options]")

  @Argument(help: "What to say.")
  var text: [String] = []

  @OptionGroup var options: SharedOptions

  func validate() throws {
    if text.isEmpty { throw ValidationError("There is nothing to say. Write a text after say.") }
  }

  func run() async throws { throw say().code }

  private func say() -> ExitStatus {
    do throws(CommandError) {
      var composition = try Composition(options)
      if composition.options.speech == nil { composition.options.speech = .on }
      let outputs = try composition.outputs(isInteractive: false)
      let words = SpokenName.clean(text.joined(separator: " "))
      let utterance = Utterance(text: words, language: options.lang ?? "en", urgency: .assertive)
      let voices = [outputs.voice, outputs.recorder].compactMap { $0 }
      var transcript = Transcript(sink: outputs.transcript)
      transcript.message(
        id: "say", text: words, by: outputs.channel, phrases: composition.phrases)
      for voice in voices { voice.speak(utterance) }
      for voice in voices { voice.finish(within: 120) }
      let problem = voices.compactMap(\.problem).first
      if voices.isEmpty || problem != nil { _ = outputs.text?.write(words) }
      transcript.end(status: (problem == nil ? ExitStatus.done : .unavailable).rawValue)
      guard let problem else { return .done }
      throw CommandError(
        description: composition.phrases.problemText(problem), status: .unavailable)
    } catch {
      return report(error)
    }
  }
}
