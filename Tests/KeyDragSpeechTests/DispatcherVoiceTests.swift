import Glibc
import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragSpeech

/// The real service with a module that writes down what it is to say.
@Suite(
  "A voice through speech-dispatcher", .realPrograms(by: .suite), .serialized,
  .timeLimit(.minutes(2)),
  .enabled("needs what the README's test command installs") { PrivateDesktop.obstacle == nil })
struct DispatcherVoiceTests {
  /// - Parameter pace: milliseconds a character.
  private func stage(pace: Int = 0) throws -> (PrivateDesktop, KeptProcess, DispatcherVoice) {
    let desktop = try PrivateDesktop(pace: pace)
    let service = try #require(SpeechService(environment: desktop.environment))
    let program = try desktop.start([
      "/usr/bin/speech-dispatcher", "-s", "-c", "unix_socket", "-S", service.path,
    ])
    while !service.answers() { _ = poll(nil, 0, 20) }
    return (desktop, program, DispatcherVoice(service, settings: SpeechSettings()))
  }

  @Test("says one text after another, and tells of the end of each")
  func order() async throws {
    let (desktop, program, voice) = try stage()
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    voice.onIdle { end.yield() }
    for text in ["Picked up a.txt.", ". is a folder", "", "Docs: accepts."] {
      voice.speak(Utterance(text: text, language: "en"))
    }
    var count = 0
    for await _ in ends {
      count += 1
      if count == 4 { break }
    }
    voice.finish(within: 20)
    let said = try await desktop.speech.next(3)
    #expect(said[0] == SpeechText.forVoice("Picked up a.txt."))
    #expect(said[2] == "Docs: accepts.")
    #expect(voice.problem == nil)
    program.end()
  }

  @Test("falls silent at once, forgets what waits, and says what comes next")
  func silence() async throws {
    let (desktop, program, voice) = try stage(pace: 40)
    let long = String(repeating: "word after word ", count: 40)
    voice.speak(Utterance(text: long, language: "en"))
    voice.speak(Utterance(text: "Never said.", language: "en"))
    // It is being said.
    while desktop.speech.utterances.isEmpty { _ = poll(nil, 0, 20) }
    voice.silence()
    voice.speak(Utterance(text: "Moved.", language: "en"))
    let said = try await desktop.speech.next(2)
    #expect(said[0].hasPrefix(HeardSpeech.cutOff) && said[1] == "Moved.")
    program.end()
  }

  @Test("Where the service ends, the voice of this program says what was not said")
  func lost() throws {
    let (_, program, voice) = try stage(pace: 1000)
    program.end()
    voice.speak(Utterance(text: "Copied.", language: "en"))
    voice.finish(within: 60)
    // Without a sound device it says so; either way it is over.
    #expect(voice.problem == nil || voice.problem == .noSoundDevice)
  }
}
