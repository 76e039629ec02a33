import KeyDragCore
import PrivateDesktop
import Testing

@testable import KeyDragX11

/// A display with a program that is typed in, and the keys taken from it.
final class KeyBench {
  let desktop: PrivateDesktop
  let hand: TypingHand
  let target: TypingTarget
  let keys: DesktopKeys
  private var events: AsyncStream<KeyGrabEvent>.Iterator

  init(chords: [KeyStroke] = DesktopChords.standard.all, _ before: (TypingHand) -> Void = { _ in })
    throws
  {
    desktop = try PrivateDesktop()
    hand = try TypingHand(on: desktop)
    target = try TypingTarget(on: desktop, hand: hand)
    before(hand)
    let (stream, tell) = AsyncStream.makeStream(of: KeyGrabEvent.self)
    keys = try DesktopKeys(display: desktop.environment["DISPLAY"], chords: chords) {
      tell.yield($0)
    }
    events = stream.makeAsyncIterator()
  }

  func next() async -> KeyGrabEvent? { await events.next() }

  func stroke() async -> String? {
    guard case .stroke(let stroke) = await next() else { return nil }
    return stroke.name
  }

  func carry() async {
    await withCheckedContinuation { done in
      keys.carry(finder: KeyStroke(.function(4))) { done.resume() }
    }
  }
  /// Returns when everything that was pressed before has been handled: the first answer may come
  /// before the events, the second one can't.
  func settle() async {
    for _ in 0..<2 {
      await withCheckedContinuation { done in keys.isHeld { _ in done.resume() } }
    }
  }
  func rest() async { await withCheckedContinuation { done in keys.rest { done.resume() } } }
  func find(_ isOn: Bool) async {
    hand.press(isOn ? PCKey.f4 : PCKey.escape)
    #expect(await stroke() == (isOn ? "f4" : "escape"))
  }
}
