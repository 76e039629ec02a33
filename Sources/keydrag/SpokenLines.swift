import Glibc
import KeyDragCore
import KeyDragRuntime

/// The lines of a listing command: shown, spoken, recorded and put into the transcript, as the
/// shared options say.
final class SpokenLines {
  private let outputs: Outputs
  private let phrases: Phrasebook
  private var transcript: Transcript
  private var isClosed = false

  init(_ composition: Composition) throws(CommandError) {
    outputs = try composition.outputs(isInteractive: false)
    phrases = composition.phrases
    transcript = Transcript(sink: outputs.transcript)
    let problems = zip(
      composition.problems(in: phrases), composition.problems(in: phrases.spoken))
    for (shown, said) in problems { add(.problem(shown), said: .problem(said)) }
  }

  /// Shows and speaks a message that a session has, too.
  ///
  /// - Parameter said: the spoken version of a message that contains wording already.
  func add(_ announcement: Announcement, said: Announcement? = nil) {
    let text = phrases.text(announcement)
    show(text)
    let words = phrases.spoken.text(said ?? announcement)
    transcript.announcement(
      announcement, text: text, spoken: words, by: channel, phrases: phrases)
    say(words)
  }

  /// Shows and speaks a line.
  ///
  /// - Parameters:
  ///   - id: the kind of line, for the transcript.
  ///   - line: the line in the given wording.
  ///   - said: the spoken line, if the shown one has blanks for alignment.
  func add(id: String, _ line: (Phrasebook) -> String, said: ((Phrasebook) -> String)? = nil) {
    show(line(phrases))
    let words = said?(phrases.spoken) ?? line(phrases.spoken)
    guard !words.isEmpty else { return }
    transcript.message(
      id: id, text: said?(phrases) ?? line(phrases), spoken: words, by: channel, phrases: phrases)
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

  /// Waits for the end of speech, and prints its problems. Returns the exit status, which is
  /// another one if the lines could not be written.
  func end(_ wanted: ExitStatus) -> ExitStatus {
    let status =
      (isClosed || transcript.isBroken) && wanted == .done ? ExitStatus.inputOutput : wanted
    for voice in [outputs.voice, outputs.recorder].compactMap({ $0 }) {
      voice.finish(within: 600)
      if let problem = voice.problem { phrases.warn(of: problem) }
    }
    transcript.end(status: status.rawValue)
    return status
  }
}

extension Phrasebook {
  /// Prints a problem that does not stop a command.
  func warn(of problem: Problem) {
    let text = "keydrag: \(problemText(problem))\n"
    _ = Descriptor.write(Array(text.utf8), to: STDERR_FILENO)
  }
}
