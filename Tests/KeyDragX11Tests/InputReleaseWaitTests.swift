import Testing

@testable import KeyDragX11

@Suite("Hands off before a drop")
struct InputReleaseWaitTests {
  @Test("It goes on at once when nothing is held, and as soon as it is let go")
  func letGo() {
    var hands = InputReleaseWait(since: 100)
    #expect(hands.look([], now: 100) == .goOn)
    #expect(hands.look(.modifier, now: 100) == .wait)
    #expect(hands.next == 120)
    #expect(hands.look([], now: 120) == .goOn)
  }

  @Test(
    "After two seconds it goes on with a modifier, which may be locked, and never with a button")
  func patience() {
    var hands = InputReleaseWait(since: 100)
    #expect(hands.look(.modifier, now: 2_099) == .wait)
    #expect(hands.look(.modifier, now: 2_100) == .goOn)
    #expect(hands.look([.modifier, .button], now: 2_100) == .giveUp)
  }
}
