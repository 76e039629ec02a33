import KeyDragCore
import Testing

@testable import KeyDragX11

/// Questions are words and drops are numbers, so that answers can be read.
private struct Talk {
  var dialogue = DragRequestMatcher<String, Int>()

  mutating func ask(_ name: String) -> [String] { said(dialogue.ask(name)) }
  mutating func drop(_ number: Int) -> [String] { said(dialogue.drop(number)) }
  mutating func leave() -> [String] { said(dialogue.leave()) }
  mutating func take(_ event: XdndSource.Event) -> [String] { said(dialogue.take(event)) }

  private func said(_ step: DragRequestMatcher<String, Int>.Step) -> [String] {
    said(step.answers) + (step.goesOut ? ["out"] : [])
  }

  private func said(_ answers: [DragRequestMatcher<String, Int>.Answer]) -> [String] {
    answers.map { answer in
      switch answer {
      case .verdict(let verdict, let name): "\(name) \(verdict)"
      case .outcome(let outcome, let number): "\(number) \(outcome)"
      case .lateEnd(let outcome): "late \(outcome)"
      }
    }
  }
}

@Suite("Who is answered in a drag")
struct DialogueTests {
  @Test("Each question has one answer; a later thought of the target has nobody to hear it")
  func questions() {
    var talk = Talk()
    #expect(talk.ask("a") == ["out"])
    #expect(talk.take(.verdict(.refuses)) == ["a refuses"])
    #expect(talk.take(.verdict(.noTarget)) == [])
    #expect(talk.ask("b") == ["out"])
    #expect(talk.ask("c") == ["b silent", "out"])
    #expect(talk.leave() == ["c silent"])
    #expect(talk.take(.verdict(.refuses)) == [])
  }

  @Test("While a drop is on its way nothing else is asked; its outcome is told once")
  func drops() {
    var talk = Talk()
    #expect(talk.ask("a") == ["out"])
    #expect(talk.drop(1) == ["a silent", "out"])
    #expect(talk.ask("b") == ["b silent"])
    #expect(talk.drop(2) == ["2 failed"])
    #expect(talk.take(.ended(.failed)) == ["1 failed"])
    #expect(talk.take(.ended(.failed)) == [])
    #expect(talk.ask("c") == ["out"])
  }

  @Test("An unknown end leaves the drag to its target, and the end that comes is told as late")
  func lateEnd() {
    var talk = Talk()
    _ = talk.drop(1)
    #expect(talk.take(.ended(.unknown)) == ["1 unknown"])
    #expect(talk.ask("a") == ["a over"])
    #expect(talk.drop(2) == ["2 failed"])
    #expect(talk.take(.ended(.refused(.notTaken))) == ["late \(DragOutcome.refused(.notTaken))"])
    #expect(talk.ask("b") == ["out"])
  }

  @Test(
    "What ends a drag answers whoever waits, and nobody is asked after it",
    arguments: [
      (.superseded, []), (.connectionLost, ["1 unknown"]), (.closed, ["1 unknown"]),
    ] as [(XdndSource.Event, [String])])
  func over(event: XdndSource.Event, dropSays: [String]) {
    var asking = Talk()
    _ = asking.ask("a")
    #expect(asking.take(event) == ["a over"])
    #expect(asking.take(event) == [])
    #expect(asking.ask("b") == ["b over"])
    #expect(asking.drop(3) == ["3 failed"])
    var dropping = Talk()
    _ = dropping.drop(1)
    #expect(dropping.take(event) == dropSays)
    // What was dropped before another drag began may still end.
    let end = dropping.take(.ended(.refused(.notTaken)))
    #expect(end == (dropSays.isEmpty ? ["1 \(DragOutcome.refused(.notTaken))"] : []))
  }

  @Test("A drop that was not sent has failed, and a display that is lost says no more of it")
  func unsent() {
    var talk = Talk()
    _ = talk.drop(1)
    #expect(talk.take(.ended(.failed)) == ["1 failed"])
    #expect(talk.take(.connectionLost) == [])
  }

  @Test("Whether the source is to be removed holds for one drop")
  func deletion() {
    var talk = Talk()
    _ = talk.drop(1)
    _ = talk.take(.deleteSource)
    _ = talk.take(.ended(.refused(.notTaken)))
    #expect(talk.dialogue.isSourceToBeDeleted)
    _ = talk.drop(2)
    #expect(!talk.dialogue.isSourceToBeDeleted)
  }
}

@Suite("Hands off before a drop")
struct HandsOffTests {
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
