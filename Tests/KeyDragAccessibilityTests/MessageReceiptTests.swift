import KeyDragCore
import Testing

@testable import KeyDragAccessibility
@testable import KeyDragBus

@Suite("When a screen reader has come to a message")
struct MessageReceiptTests {
  private let path = AccessibleTree.notification(3)

  private func call(_ member: String, _ path: String) -> BusCall {
    BusCall(path: path, interface: "org.a11y.atspi.Accessible", member: member)
  }

  /// Calls of each version to the object of an announcement, up to the one at which it is handled.
  private static let courses: [[String]] = [
    // Orca 46.2.
    ["GetState", "Get", "GetRole", "GetAttributes", "Get", "GetState", "GetState"],
    // Orca 47.5.
    ["GetRole", "GetState", "Get", "GetRole", "GetAttributes", "Get", "GetState", "GetState"],
    // Orca 48.1, 49.7 and 50.2.
    [
      "GetRole", "GetRole", "GetRole", "GetRole", "Get", "GetRole", "GetAttributes", "Get",
      "GetState", "GetState",
    ],
  ]

  /// Whether the turn has come, at each call.
  private func answers(_ turn: ScreenReader.MessageReceipt, _ calls: [BusCall]) -> [Bool] {
    var turn = turn
    return calls.map { turn.isHere($0) }
  }

  @Test("An announcement's turn has come when its state is asked for twice", arguments: courses)
  func announcement(members: [String]) {
    let turn = ScreenReader.MessageReceipt(path: path, isLabel: false)
    let answers = answers(turn, members.map { call($0, path) })
    #expect(answers.firstIndex(of: true) == members.count - 1)
  }

  @Test("A notification's turn has come when its label is asked for its relations")
  func notification() {
    let label = AccessibleTree.label(3)
    let turn = ScreenReader.MessageReceipt(path: label, isLabel: true)
    let calls =
      ["Get", "GetState", "GetState"].map { call($0, label) } + [
        call("GetRelationSet", path), call("GetRelationSet", label),
      ]
    #expect(answers(turn, calls) == [false, false, false, false, true])
  }

  @Test("It has come, too, when the reader asks for the label of a later one: it dropped the first")
  func dropped() {
    let turn = ScreenReader.MessageReceipt(
      path: AccessibleTree.label(3), isLabel: true, later: [AccessibleTree.label(4)])
    let calls =
      [("GetRelationSet", 2), ("GetState", 4), ("GetRelationSet", 4)].map { member, slot in
        call(member, AccessibleTree.label(slot))
      }
    #expect(answers(turn, calls) == [false, false, true])
  }

  @Test("A state that is asked for once, or of another object, says nothing")
  func others() {
    let turn = ScreenReader.MessageReceipt(path: path, isLabel: false)
    let calls = [
      call("GetState", path), call("GetState", AccessibleTree.notification(4)), call("Get", path),
      call("GetState", path),
    ]
    #expect(answers(turn, calls) == [false, false, false, false])
  }

  @Test("K19 what waits for a slow reader is left out after a newer key, but no outcome")
  func outOfDate() {
    let key = ContinuousClock.now
    func waiting(_ urgency: Urgency) -> ScreenReader.QueuedMessage {
      let message = ReaderMessage(number: 1, text: "Docs", urgency: urgency)
      return .init(action: .present(message, .orca, question: 1), key: key)
    }
    #expect(!waiting(.polite).isOutOfDate(at: key))
    #expect(waiting(.polite).isOutOfDate(at: key + .milliseconds(80)))
    #expect(!waiting(.assertive).isOutOfDate(at: key + .milliseconds(80)))
  }
}
