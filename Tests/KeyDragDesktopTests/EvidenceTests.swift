import KeyDragCore
import Testing

@testable import KeyDragDesktop

@Suite("What is told of a drop is what its evidence proves")
struct EvidenceTests {
  typealias Kind = Evidence.Kind

  private static let order = DeliveryOrder(
    items: [DesktopStage.item], stop: DropStop(DropPointID(1)), operation: .copy)

  private func told(
    _ said: DragAnswer, _ kinds: Kind..., in order: DeliveryOrder = Self.order,
    with change: (inout Evidence) -> Void = { _ in }
  ) -> DeliveryResult {
    var evidence = Evidence(said, Set(kinds))
    evidence.program = "Editor"
    change(&evidence)
    return evidence.result(of: order)
  }

  @Test("T02 each kind of evidence proves what its row says", arguments: Kind.allCases)
  func rows(kind: Kind) {
    let alone = told(.silent, kind)
    let withWord = told(.accepts(nil), kind)
    switch kind {
    case .files, .text, .wholeText, .order, .fileRow:
      #expect(alone.outcome == .delivered && alone.verified && alone.effect == .ordered)
    case .object, .row, .rowBeside:
      #expect(alone.outcome == .delivered && alone.verified && alone.effect == .listed)
    case .paths: #expect(alone.outcome == .delivered && alone.effect == .pathsWritten)
    case .replacedText, .tab, .title:
      #expect(alone.outcome == .delivered && alone.effect == .opened(program: "Editor"))
    case .word: #expect(withWord.outcome == .unconfirmed && withWord.effect == .taken)
    case .changed:
      let doubted = told(.doubtful(.programFailed), .changed)
      #expect(doubted.outcome == .unconfirmed && doubted.effect == .taken)
    case .modified, .longerList:
      #expect(alone.outcome == .unconfirmed && alone.effect == .ordered)
      #expect(withWord.outcome == .delivered && withWord.effect == .listed && !withWord.verified)
      #expect(told(.accepts(nil), kind, .unconditionalAcceptance).outcome == .unconfirmed)
      // It had the data, and its document changed in that moment.
      #expect(told(.doubtful(.programFailed), kind).effect == .listed)
      #expect(told(.doubtful(.programFailed), kind, .alert).outcome == .unconfirmed)
      #expect(told(.doubtful(.programEnded), kind).outcome == .unconfirmed)
    case .sameText, .sameView, .prematureReceipt, .unconditionalAcceptance, .alert, .ended,
      .hungDisk:
      #expect(alone.outcome == .unconfirmed && alone.effect == .ordered)
      // It takes away what the word says.
      #expect(withWord.outcome == .unconfirmed && withWord.effect == .ordered)
    }
    let answered = told(.silent, kind) { $0.wasAsked = true }
    #expect((answered.question == .answered) == (kind == .sameText))
  }

  @Test("the evidence that tells most of what was done counts")
  func strongest() {
    #expect(told(.accepts(nil), .paths, .tab).effect == .pathsWritten)
    #expect(told(.silent, .row, .title).effect == .opened(program: "Editor"))
    #expect(told(.accepts(nil), .row, .sameView).outcome == .delivered)
  }

  @Test("T02 a path beside a title that names the file is not called the only thing that came")
  func pathAndTitle() {
    let named = told(.accepts(nil), .paths, .title)
    #expect(named.outcome == .unconfirmed && named.effect == .taken)
    #expect(told(.silent, .paths, .title).outcome == .unconfirmed)
  }

  @Test(
    "the program's refusal counts before what is seen, its word after",
    arguments: [
      (DragAnswer.refuses(.notTaken), DeliveryOutcome.refused, Reason.notTaken),
      (.failed(.programFailed), .failed, .programFailed),
      (.failed(.programEnded), .failed, .programEnded),
    ])
  func refusal(said: DragAnswer, outcome: DeliveryOutcome, reason: Reason) {
    for result in [told(said), told(said, .row)] {
      #expect(result.outcome == outcome && result.failures.map(\.reason) == [reason])
    }
  }

  @Test(
    "where nothing is proved, why is told",
    arguments: [
      (DragAnswer.accepts(.copy), nil, Reason.unknown), (.silent, nil, .notResponding),
      (.doubtful(.programFailed), nil, .programFailed), (.accepts(nil), .ended, .programEnded),
      (.accepts(nil), .hungDisk, .notResponding),
    ] as [(DragAnswer, Kind?, Reason)])
  func reason(said: DragAnswer, kind: Kind?, reason: Reason) {
    let result = told(said) { $0.add(kind) }
    #expect(result.outcome == .unconfirmed && result.failures.map(\.reason) == [reason])
    // It had the data: that nothing is lost is not known.
    #expect(told(said, .title).outcome == .delivered)
  }

  @Test("T02, T03, T05 what is seen names the operation, whatever was ordered")
  func operation() {
    var order = Self.order
    for (operation, isThere, effect) in [
      (DragOperation.copy, true, DeliveryEffect.ordered), (.copy, false, .performed(.move)),
      (.move, true, .performed(.copy)), (.move, false, .ordered), (.link, true, .taken),
    ] {
      order.operation = operation
      let result = told(.accepts(nil), .fileRow, in: order) {
        if !isThere { $0.gone = [DesktopStage.item.source] }
      }
      #expect(result.effect == effect)
      #expect(result.outcome == (effect == .taken ? .unconfirmed : .delivered))
    }
    order.operation = .move
    #expect(told(.silent, .row, in: order).effect == .listed)
    #expect(
      told(.silent, .row) { $0.gone = [DesktopStage.item.source] }.effect == .performed(.move))
    order.operation = .link
    #expect(told(.accepts(.link), .fileRow, in: order).effect == .ordered)
  }

  @Test("what is not seen in a row is told of its window")
  func window() {
    var landed = DeliveryResult(delivered: 1)
    for (isBeside, window) in [(false, nil), (true, "Shelf")] {
      landed.isBesideRow = isBeside
      let result = told(.silent) { [landed] in ($0.report, $0.window) = (landed, "Shelf") }
      #expect(result.window == window)
    }
    for kind in [Kind.word, .row] {
      #expect(told(.accepts(nil), kind) { $0.window = "Shelf" }.window == "Shelf")
    }
    // What stands in a cell is in no other.
    for kind in [Kind.paths, .text, .wholeText, .replacedText] {
      #expect(told(.accepts(nil), kind) { $0.window = "Shelf" }.window == nil)
    }
  }

  @Test("what has left its place is told where nothing else is known")
  func gone() {
    let result = told(.accepts(nil)) { $0.gone = [DesktopStage.item.source] }
    #expect(result.outcome == .unconfirmed && result.failures.map(\.reason) == [.gone])
  }

  @Test("a question that is open is told, and after the answer only what is certain")
  func questions() {
    let dialog = ProgramQuestion.dialog("Import", hasKeyboard: true)
    let open = told(.accepts(nil), .sameText) {
      ($0.wasAsked, $0.question) = (true, dialog)
    }
    #expect(open.question == dialog && open.effect == .ordered)
    #expect(told(.doubtful(.programFailed), .sameText) { $0.wasAsked = true }.question == nil)
    #expect(told(.accepts(nil), .sameText).question == nil)
  }

  @Test(
    "T14 what the program shows is told beside its word"
  )
  func shown() {
    let words = ProgramQuestion.tells("1 file queued", window: "")
    let taken = told(.accepts(nil)) { $0.question = words }
    #expect(taken.question == words && taken.effect == .taken)
    #expect(told(.accepts(nil), .alert) { $0.question = words }.effect == .ordered)
    let unchanged = told(.accepts(nil)) { $0.question = .unchanged }
    #expect(unchanged.question == .unchanged && unchanged.effect == .taken)
    #expect(told(.accepts(nil), .sameView) { $0.question = .unchanged }.effect == .ordered)
    #expect(unchanged.outcome == .unconfirmed)
    // What is not there says more.
    let answered = told(.accepts(nil), .sameText) {
      ($0.wasAsked, $0.question) = (true, .unchanged)
    }
    #expect(answered.question == .answered)
  }

  @Test("T03 the folder decides: all, some, none for certain, or nobody knows")
  func folder() {
    var order = Self.order
    order.items.append(DesktopStage.item)
    func told(
      _ landed: Int, isNothing: Bool = false, hasEnded: Bool = false, wasAsked: Bool = false
    ) -> DeliveryResult {
      self.told(.silent, in: order) { evidence in
        var report = DeliveryResult(delivered: landed)
        if isNothing { report.outcome = hasEnded ? .failed : .refused }
        (evidence.report, evidence.wasAsked) = (report, wasAsked)
      }
    }
    #expect(told(2).outcome == .delivered)
    #expect(told(1).outcome == .partly)
    #expect(told(0, isNothing: true).question == nil)
    #expect(told(0, isNothing: true, wasAsked: true).question == .answered)
    #expect(told(0, wasAsked: true).question == nil)
    let ended = told(0, isNothing: true, hasEnded: true, wasAsked: true)
    #expect(ended.outcome == .failed && ended.failures.first?.reason == .programEnded)
    // It may have passed the drop on to another program.
    #expect(told(0, isNothing: true, hasEnded: true).outcome == .unconfirmed)
  }
}
