import KeyDragCore
import KeyDragRuntime
import Synchronization
import Testing
import ToldDesktop

@testable import keydrag

@Suite("What the agent knows of the chords that another program has")
struct TakenChordTests {
  /// What the loop is told, in words.
  private final class Loop: Sendable {
    private let told = Mutex<[String]>([])

    var heard: [String] {
      told.withLock { told in
        defer { told = [] }
        return told
      }
    }

    func take(_ event: RunnerEvent) {
      let word: String =
        switch event {
        case .input(.pickUpKeyFree): "free"
        case .report(.problem(.takenKey(let name))): name
        default: "\(event)"
        }
      told.withLock { $0.append(word) }
    }
  }

  private let loop = Loop()
  private let relay = DesktopKeyRelay(phrases: Phrasebook(), onKey: { _ in })

  private func connect(wasPickUpTaken: Bool) {
    relay.connect(wasPickUpTaken: wasPickUpTaken) { [loop] in loop.take($0) }
  }

  @Test("One that comes free before the loop runs is not said to be taken, but to be free")
  func early() {
    relay.take(.taken(DesktopChords.standard.all))
    let wasTaken = relay.isPickUpTaken
    #expect(wasTaken)
    relay.take(.taken([]))
    #expect(!relay.isPickUpTaken)
    connect(wasPickUpTaken: wasTaken)
    #expect(loop.heard == ["free"])
  }

  @Test("One that is free by the time it is asked about is nothing to be said of")
  func earlier() {
    relay.take(.taken([DesktopChords.standard.pickUp]))
    relay.take(.taken([]))
    connect(wasPickUpTaken: relay.isPickUpTaken)
    #expect(loop.heard == [])
  }

  @Test("One that is still taken is said once, and again when it was free in between")
  func later() {
    relay.take(.taken([DesktopChords.standard.pickUp]))
    connect(wasPickUpTaken: relay.isPickUpTaken)
    #expect(loop.heard == ["Ctrl+Alt+Space"])
    relay.take(.taken([DesktopChords.standard.pickUp, DesktopChords.standard[.deliveries][0]]))
    #expect(loop.heard == ["Ctrl+Alt+Shift+Space"])
    relay.take(.taken([DesktopChords.standard[.deliveries][0]]))
    #expect(loop.heard == ["free"])
    relay.take(.taken([DesktopChords.standard.pickUp, DesktopChords.standard[.deliveries][0]]))
    #expect(loop.heard == ["Ctrl+Alt+Space"])
  }

  @Test(
    "W01 A key that a virtual keyboard of a Wayland session lacks belongs to no other program",
    arguments: [(true, []), (false, ["F9", "F12"])])
  func missing(isInWayland: Bool, told: [String]) {
    let relay = DesktopKeyRelay(
      phrases: Phrasebook(), followsKeyboards: isInWayland, onKey: { _ in })
    relay.connect(wasPickUpTaken: false) { [loop] in loop.take($0) }
    relay.take(.missing([KeyStroke(.function(9)), KeyStroke(.function(12))]))
    #expect(loop.heard == told)
    relay.take(.taken([KeyStroke(.function(5))]))
    #expect(loop.heard == ["F5"])
  }

  @Test("Where no display lets keys be grabbed the agent has nothing to be called by, and ends")
  func ungrabbed() {
    #expect(!relay.isDisplayLost)
    relay.takeChords(on: [ToldDisplay(ToldDesktop(programs: nil, windows: []))])
    #expect(relay.isDisplayLost)
  }

  @Test("A key of the walk that is taken is said once, whatever is not tried between two drags")
  func walk() {
    connect(wasPickUpTaken: false)
    for _ in 0..<2 {
      relay.take(.taken([KeyStroke(.function(5))]))
      relay.take(.taken([]))
    }
    #expect(loop.heard == ["F5"])
  }
}
