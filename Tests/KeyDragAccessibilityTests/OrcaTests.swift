import KeyDragAccessibility
import KeyDragCore
import PrivateDesktop
import Testing

@Suite("Messages to the real Orca", .serialized, .enabled(if: PrivateDesktop.obstacle == nil))
struct OrcaTests {
  @Test("Five quick messages are heard in order, each exactly once")
  func order() async throws {
    let desktop = try PrivateDesktop()
    try await desktop.startReader()
    let reader = ScreenReader(environment: desktop.environment)
    reader.settle(within: 5)
    #expect(reader.rung == .notification)
    let texts = ["Inbox, 3 files.", "notes.txt, 2 of 4", "Picked up", "Docs: copy", "Copied."]
    for (number, text) in texts.enumerated() {
      #expect(
        reader.announce(ReaderMessage(number: number, text: text, urgency: .polite))
          == .notification)
    }
    await reader.allHeard()
    let heard = try await desktop.speech.next(5)
    #expect(heard == texts.map(HeardSpeech.asSaid))
    reader.finish()
  }
}
