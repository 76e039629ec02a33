import KeyDragCore

/// One of everything that can reach a session.
enum Samples {
  static let entry = HistoryEntry(
    number: 1, operation: .move, names: ["a.txt"], count: 1, place: "Docs", time: 0,
    isUndone: false)

  static func reports(_ id: RequestID, _ delivery: DeliveryID) -> [WorldReport] {
    let docs = Stage.container("Docs")
    let stage = Stage.inboxAndDocs
    let listing =
      stage.listings[docs]
      ?? Listing(
        container: ContainerDescriptor(id: docs, name: "Docs"), sources: nil, dropPoints: nil)
    let gone = DeliveryFailure(name: "a.txt", reason: .gone)
    let results = DeliveryOutcome.all.map {
      WorldReport.delivery(
        delivery,
        .finished(DeliveryResult(outcome: $0, route: .files, delivered: 0, failures: [gone])))
    }
    let histories: [HistoryResult] = [
      .done(entry), .partly(entry, done: 0, failures: [gone]), .refused(entry, .changed), .nothing,
      .refused(nil, .journalNewer),
    ]
    return [
      .counted(id, listing.container, ItemCounts(files: 2, folders: 1)),
      .listed(id, listing),
      .unreadable(id, name: "Docs", .notPermitted),
      .prepared(id, PreparedItems(items: [])),
      .prepared(id, PreparedItems(items: items(stage), refused: [gone])),
      .answered(id, []),
      .answered(
        id, [Answer(DropStop(Stage.place("Docs")), DropProposal(.some(refused: [7: .gone])))]),
      .answered(id, [Answer(DropStop(Stage.place("Docs")), DropProposal(.cancels))]),
      .delivery(delivery, .started(DeliveryProgress(bytesTotal: 1 << 40))),
      .delivery(delivery, .progressed(DeliveryProgress(itemsDone: 3, bytesDone: 9, bytesTotal: 4))),
      .moved(id, Stage.source("a.txt", in: "Inbox"), .success(-5)),
      .moved(id, Stage.source("a.txt", in: "Inbox"), .success(5_000)),
      .moved(id, Stage.source("a.txt", in: "Inbox"), .failure(.notOrdered)),
      .completed(id, PathCompletion(text: "Docs/", names: ["Docs"], count: 1)),
      .completed(id, PathCompletion(text: "", names: [], count: -1)),
      .renamed(id, .failure(.nameExists)),
      .renamed(
        id,
        .success(
          Landing(container: docs, source: Stage.source("a.txt", in: "Inbox"), name: "z.txt"))),
      .keyboardRestored(id, KeyboardLocation()),
      .keyboardRestored(id, KeyboardLocation(window: listing.container, isAtItems: true)),
      .predictionsImproved,
      .keyboard(listing.container),
      .windows(id, []),
      .windows(
        id, [ContainerDescriptor(id: Stage.container("Late"), name: "Late", app: "Editor")]),
      .changed([]),
      .changed([.containerAppeared(listing)]),
      .changed([
        .containerAppeared(
          Listing(
            container: ContainerDescriptor(id: ContainerID(0x8100_0001), name: "Far", app: "Other"),
            sources: nil,
            dropPoints: [
              DropPointDescriptor(
                id: DropPointID(0x8100_0000_0000_0001), name: "Far place",
                container: ContainerID(0x8100_0001))
            ]))
      ]),
      .changed([.containerVanished(docs)]),
      .changed([.containerVanished(Stage.container("Inbox"))]),
      .changed([
        .sourceVanished(Stage.source("a.txt", in: "Inbox"), container: Stage.container("Inbox"))
      ]),
      .changed([.dropPointVanished(Stage.place("Docs"), container: docs)]),
      .changed([.replaced(Listing(container: listing.container, sources: [], dropPoints: []))]),
      .recovered(Recovery(entry: entry, result: .rolledBack)),
      .problem(.noSoundDevice),
    ] + results + histories.map { .undone(id, $0) } + histories.map { .redone(id, $0) }
  }

  private static func items(_ stage: Stage) -> [DragItem] {
    [stage.source(Stage.source("a.txt", in: "Inbox"))].compactMap { $0 }.map(stage.item)
  }

  static let inputs: [SessionInput] = [
    .start, .typeAhead(""), .typeAhead("a"), .typeAhead("a", cutsWarning: true),
    .typeAhead("zzz"), .typeAhead("\u{0}"), .typeAhead(" "),
    .finding, .findingEnded, .unheard, .typeAhead("\u{1B}[31m"),
    .typeAhead(String(repeating: "x", count: 5_000)),
    .unknownKey(KeyStroke(.function(24))), .timer(.asking(RequestID(1))),
    .timer(.asking(RequestID(9_999))), .timer(.delivery(DeliveryID(1))),
    .timer(.delivery(DeliveryID(77))), .resumed, .resized(rows: 0), .resized(rows: -3),
    .resized(rows: .max), .resized(rows: .min),
    .register(
      Listing(
        container: ContainerDescriptor(id: ContainerID(5), name: "Other"), sources: nil,
        dropPoints: nil)),
    .transfer(
      Transfer(
        sources: [Stage.source("a.txt", in: "Inbox")], stop: DropStop(Stage.place("Docs")),
        operation: .copy, clash: .keepBoth)),
    .transfer(
      Transfer(sources: [], stop: DropStop(DropPointID(0)), operation: nil, clash: .fail)),
    .focus(
      Listing(
        container: ContainerDescriptor(id: ContainerID(6), name: "List", app: "Thunar"),
        sources: [
          DragSourceDescriptor(
            id: DragSourceID(60), name: "c.txt", container: ContainerID(6), kind: .file)
        ], dropPoints: nil), marked: [DragSourceID(60)]),
    .focus(
      Listing(
        container: ContainerDescriptor(id: ContainerID(6), name: "List"), sources: nil,
        dropPoints: []), marked: [DragSourceID(.max)]),
    .tooLongPaste, .places([]), .places(["/a.txt", "file:///b.txt"]),
    .pickUpKeyFree, .undoEntry(-1), .redoEntry(.max), .ended,
  ]
}

extension DeliveryOutcome {
  static let all = allCases
}
