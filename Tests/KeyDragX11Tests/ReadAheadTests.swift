import KeyDragCore
import KeyDragThreads
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragX11

@Suite(
  "Events that come with an answer", .realPrograms(by: .suite), .timeLimit(.minutes(5)),
  .enabled("needs what the README's test command installs") { PrivateDesktop.obstacle == nil })
struct ReadAheadTests {
  /// Longer than it takes by far.
  private let bound: Milliseconds = 20_000

  @Test("They are taken at once, not with whatever happens next on the display")
  func taken() throws {
    let desktop = try PrivateDesktop()
    let server = try XServer(display: desktop.environment["DISPLAY"])
    let window = server.makeHiddenWindow()
    let name = try #require(server.atoms(["KEYDRAG_TEST"]).first)
    let thread = try #require(EventLoop())
    let end = MonotonicClock.now + bound
    var (turns, changes) = (0, 0)
    func step() -> Bool {
      turns += 1
      while let event = server.nextEvent() {
        if case .propertySet(window, name, _) = event { changes += 1 }
      }
      if turns == 1 {
        server.setWords(name, of: window, type: XAtom(rawValue: 6), [1])
        // What the change brings is read while this answer is waited for.
        #expect(server.rectangle(of: window) != nil)
      }
      return changes == 0 && MonotonicClock.now < end
    }
    thread.run(
      reading: server.descriptor, deadline: { end }, hasMore: server.hasQueuedEvent, handle: step)
    #expect(changes == 1)
    #expect(MonotonicClock.now < end)
    #expect(!server.hasQueuedEvent())
  }
}
