import FoundationEssentials
import KeyDragCore
import Testing

@testable import KeyDragPeer

@Suite struct ValueTests {
  private func answer(_ proposal: DropProposal) -> PeerAnswer {
    PeerAnswer(Answer(DropStop(DropPointID(1)), proposal))
  }

  @Test("H02: whatever another program offers, it is copied to and nothing else")
  func alwaysCopy() {
    #expect(answer(DropProposal(.all, offers: .all)).proposal(items: 1).offers == .copy)
    #expect(answer(DropProposal(.all, offers: [.move, .link])).proposal(items: 1).offers == [])
    #expect(
      answer(DropProposal(.cancels)).proposal(items: 1) == .refused(.operationNotOffered),
      "another program can't end a session")
  }

  @Test("A verdict arrives as it was given")
  func verdicts() {
    for proposal in [
      DropProposal(.all, offers: .copy), DropProposal(.maybe, offers: .copy), .refused(.noSpace),
      DropProposal(.some(refused: [1: .wrongType]), offers: .copy),
      DropProposal(.forbidden(.editModeOff), offers: []),
      DropProposal(
        .all, offers: .copy,
        predictions: [
          .nameClash(["a"]), .becomes("a file"), .stepsDown(to: ["plain text"]),
          .becomesFiles([FileCount(ending: ".vcf", count: 3)]),
        ],
        irreversible: .writeOnly),
      DropProposal(
        .all, offers: .copy, predictions: [.inProgram(isPasted: false, undo: .impossible)]),
    ] {
      #expect(answer(proposal).proposal(items: 3) == proposal)
    }
    let pasted = DropProposal(
      .all, offers: .copy, predictions: [.inProgram(isPasted: true, undo: .certain)])
    #expect(answer(pasted).proposal(items: 3).predictions == [], "how is that program's business")
  }

  @Test("H02: a broken link is sent as a link, which every version knows")
  func brokenLink() {
    let item = DragItem(
      source: DragSourceID(1), name: "l", kind: .brokenLink, types: [], typeName: "link",
      container: ContainerID(1), tree: nil, allowed: .copy)
    let sent = PeerItem(item, types: [], suggested: "l", path: nil, isDropped: false)
    #expect(sent.kind == ItemKind.link.rawValue)
  }

  @Test("A verdict on items that are not carried is not believed")
  func lyingVerdict() throws {
    let some = answer(DropProposal(.some(refused: [0: .wrongType, 7: .gone]), offers: .copy))
    #expect(some.proposal(items: 2).acceptance == .some(refused: [0: .wrongType]))
    #expect(some.proposal(items: 1) == .refused(.wrongType))
    let none = answer(DropProposal(.some(refused: [9: .gone]), offers: .copy))
    #expect(none.proposal(items: 1).acceptance == .all)
    let strange = try JSONDecoder().decode(Reason.self, from: Data(#""because""#.utf8))
    #expect(strange == .unknown)
  }

  private func result(
    _ outcome: DeliveryOutcome, _ delivered: Int, _ failures: Int
  ) -> DeliveryResult {
    let failure = DeliveryFailure(name: "b", reason: .noSpace)
    let result = DeliveryResult(
      outcome: outcome, route: .files, delivered: delivered,
      failures: Array(repeating: failure, count: failures), bytes: 9, totalBytes: 5,
      verified: true)
    return PeerResult(1, result).result(items: 2)
  }

  @Test("A result that contradicts itself is believed in what is worse")
  func lyingResult() {
    #expect(result(.delivered, 2, 0).outcome == .delivered)
    #expect(result(.delivered, 1, 0).outcome == .partly)
    #expect(result(.delivered, 0, 2).outcome == .failed)
    #expect(result(.delivered, 2, 1).outcome == .partly)
    #expect(result(.delivered, 2_000, 0).delivered == 2)
    #expect(result(.failed, 0, 500).failures.count == 2)
    #expect(result(.failed, 0, 1).verified == false)
    #expect(result(.delivered, 2, 0).route == .peer)
    #expect(result(.delivered, 2, 0).totalBytes == 9)
  }

  @Test("Few changes are told one by one, many as a whole, and none when nothing changed")
  func differences() {
    func listing(_ numbers: [UInt64]) -> Listing {
      Listing(
        container: ContainerDescriptor(id: ContainerID(1), name: "Far"), sources: nil,
        dropPoints: numbers.map {
          DropPointDescriptor(id: DropPointID($0), name: "p\($0)", container: ContainerID(1))
        })
    }
    let orders: [[UInt64]] = [
      [], [1], [1, 2, 3], [3, 2, 1], [2, 3, 4], [4, 1], Array(1...30), Array(2...31),
    ]
    for old in orders {
      for new in orders {
        var registry = Registry()
        registry.insert(listing(old))
        let changes = PeerDifference.changes(from: listing(old), to: listing(new))
        for change in changes { registry.apply(change) }
        #expect(registry[ContainerID(1)]?.dropPoints?.map(\.id.rawValue) == new)
        #expect(changes.count <= 8)
        #expect((old == new) == changes.isEmpty)
      }
    }
  }

  @Test(
    "Only what a program would call its socket is a socket's name",
    arguments: [
      ("12-0123456789abcdef.sock", true), ("1-0000000000000000.sock", true),
      ("0-0123456789abcdef.sock", false), ("-5-0123456789abcdef.sock", false),
      ("12-123.sock", false), ("12-0123456789ABCDEF.sock", false), ("12.sock", false),
      ("012-0123456789abcdef.sock", false), ("12-0123456789abcdef.new", false),
      ("../12-0123456789abcdef.sock", false), ("12-0123456789abcdef.sock.sock", false),
      ("99999999999-0123456789abcdef.sock", false), ("", false),
    ])
  func socketNames(text: String, isName: Bool) {
    #expect((PeerName(text) != nil) == isName)
    #expect(!isName || PeerName(text)?.text == text)
  }
}
