import Glibc
import KeyDragCore
import KeyDragRuntime

/// The lines of a command that lists something: shown, spoken, recorded and put in the transcript, as
/// the shared options say.
final class SpokenLines {
  private let outputs: Outputs
  private let phrases: Phrasebook
  private var transcript: Transcript
  private var isClosed = false

  init(_ composition: Composition) throws(CommandError) {
    outputs = try composition.outputs(isInteractive: false)
    phrases = composition.phrases
    transcript = Transcript(sink: outputs.transcript)
    for problem in composition.problems { add(.problem(problem)) }
  }

  /// Shows and says a message that a session would give as well.
  func add(_ announcement: Announcement) {
    let text = phrases.text(announcement)
    show(text)
    let words = phrases.spoken.text(announcement)
    transcript.announcement(
      announcement, text: text, spoken: words, by: channel, phrases: phrases)
    say(words)
  }

  /// Shows a line and has it said.
  ///
  /// - Parameters:
  ///   - id: what kind of line it is, for the transcript.
  ///   - spoken: the line as it is said, when blanks that align it would be in the way.
  func add(_ line: String, id: String, spoken: String? = nil) {
    let words = spoken ?? line
    show(line)
    guard !words.isEmpty else { return }
    transcript.message(id: id, text: words, by: channel, phrases: phrases)
    say(words)
  }

  private var channel: Channel { outputs.voice == nil ? .text : .speech }

  private func show(_ line: String) {
    if !isClosed, let text = outputs.text { isClosed = !text.write(line) }
  }

  private func say(_ words: String) {
    let utterance = Utterance(text: words, language: phrases.catalogue.language)
    outputs.voice?.speak(utterance)
    outputs.recorder?.speak(utterance)
  }

  /// Waits until all has been said, and tells in text what did not work about that; the status to
  /// end with, which is another one when the lines could not be written.
  func end(_ wanted: ExitStatus) -> ExitStatus {
    let status = isClosed && wanted == .done ? ExitStatus.inputOutput : wanted
    for voice in [outputs.voice, outputs.recorder].compactMap({ $0 }) {
      voice.finish(within: 600)
      guard let problem = voice.problem else { continue }
      let text = "keydrag: \(phrases.problemText(problem))\n"
      _ = Descriptor.write(Array(text.utf8), to: STDERR_FILENO)
    }
    transcript.end(status: status.rawValue)
    return status
  }
}
