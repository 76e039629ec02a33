import KeyDragCore
import PrivateDesktop
import RealPrograms
import Testing

@testable import KeyDragX11

@Suite(
  "A chord while a menu is open", .realPrograms(by: .suite), .serialized,
  .enabled(if: ToolkitTarget.obstacle == nil),
  .timeLimit(.minutes(2)))
struct MenuChordTests {
  private static let pickUp = DesktopChords.standard.all[0]
  private static let list = DesktopChords.standard.all[1]

  @Test("T09, K16 A chord that a menu keeps is told once, and one after the menu is delivered")
  func kept() async throws {
    let bench = try KeyBench()
    let menu = try MenuTarget(.gtk3, on: bench.desktop, hand: bench.hand)
    await bench.settle()
    bench.hand.press(PCKey.ctrl, PCKey.alt, PCKey.space)
    // The same key with other modifiers.
    bench.hand.press(PCKey.ctrl, PCKey.space)
    await bench.settle()
    try menu.close(with: bench.hand)
    bench.hand.press(PCKey.ctrl, PCKey.alt, PCKey.shift, PCKey.space)
    #expect(await bench.next() == .blockedByMenu)
    #expect(await bench.next() == .chord(Self.list))
  }

  @Test(
    "T09 A menu that Alt closes keeps no chord", arguments: MenuTarget.Kind.installed([.qt5, .qt6]))
  func closedByAlt(kind: MenuTarget.Kind) async throws {
    let bench = try KeyBench()
    let menu = try MenuTarget(kind, on: bench.desktop, hand: bench.hand)
    await bench.settle()
    bench.hand.down(PCKey.ctrl)
    bench.hand.down(PCKey.alt)
    try menu.wait(for: "closed")
    bench.hand.press(PCKey.space)
    bench.hand.up(PCKey.alt)
    bench.hand.up(PCKey.ctrl)
    await bench.settle()
    bench.hand.press(PCKey.ctrl, PCKey.alt, PCKey.shift, PCKey.space)
    #expect(await bench.next() == .chord(Self.pickUp))
    #expect(await bench.next() == .chord(Self.list))
  }

  @Test("T09 A menu that was open before the keys were taken keeps chords, too")
  func openBefore() async throws {
    let desktop = try PrivateDesktop()
    let hand = try TypingHand(on: desktop)
    let menu = try MenuTarget(.gtk3, on: desktop, hand: hand)
    let (events, tell) = AsyncStream.makeStream(of: KeyGrabEvent.self)
    let keys = try DesktopKeys(display: desktop.environment["DISPLAY"]) { tell.yield($0) }
    var told = events.makeAsyncIterator()
    hand.press(PCKey.ctrl, PCKey.alt, PCKey.space)
    #expect(await told.next() == .blockedByMenu)
    try menu.close(with: hand)
    hand.press(PCKey.ctrl, PCKey.alt, PCKey.space)
    #expect(await told.next() == .chord(Self.pickUp))
    keys.end()
  }

  @Test(
    "T09 A chord that is delivered while a menu is open is not told as kept",
    arguments: [false, true])
  func delivered(isCarrying: Bool) async throws {
    let bench = try KeyBench()
    let menu = try MenuTarget(.unGrabbed, on: bench.desktop, hand: bench.hand)
    if isCarrying { await bench.carry() }
    await bench.settle()
    // The keyboard waits at Tab while something is carried, and the chord with it.
    if isCarrying { bench.hand.press(PCKey.tab) }
    bench.hand.press(PCKey.ctrl, PCKey.alt, PCKey.space)
    await bench.settle()
    bench.hand.press(PCKey.ctrl, PCKey.alt, PCKey.shift, PCKey.space)
    if isCarrying { #expect(await bench.stroke() == "tab") }
    #expect(await bench.next() == .chord(Self.pickUp))
    #expect(await bench.next() == .chord(Self.list))
    await bench.rest()
    try menu.close(with: bench.hand)
  }
}
