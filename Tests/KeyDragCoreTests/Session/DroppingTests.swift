import Testing

@testable import KeyDragCore

/// From the wish to the outcome.
struct DroppingTests {
  @Test(
    "K12: the operation comes from the wish, what the source allows and what the place offers",
    arguments: [
      // wish, allowed, offered, same tree, expected
      (nil, .all, .transfer, true, DragOperation.move),
      (nil, .all, .transfer, false, .copy),
      (.copy, .all, .transfer, true, .copy),
      (.link, .all, .transfer, false, .link),
      (nil, .copy, .transfer, true, .copy),
      (nil, .all, .link, true, .link),
      (.move, .copy, .transfer, false, nil),
      (.move, .all, .copy, false, nil),
      (nil, .move, .copy, false, nil),
      (nil, [], .transfer, true, nil),
      (.copy, .all, .remove, true, nil), (.link, .all, .remove, true, nil),
      (.move, .all, .remove, true, .remove),
      (.link, .all, .open, true, .open),
      (nil, .copy, .remove, true, nil),
    ] as [(DragOperation?, DragOperations, DragOperations, Bool, DragOperation?)])
  func negotiation(
    wish: DragOperation?, allowed: DragOperations, offers: DragOperations, isSameTree: Bool,
    expected: DragOperation?
  ) {
    let route = Negotiation.Route(
      sourceTrees: [ContainerID(1)], targetTree: ContainerID(isSameTree ? 1 : 2),
      isOtherApp: false)
    #expect(
      Negotiation.operation(wish: wish, allowed: allowed, offers: offers, route: route) == expected)
  }

  @Test(
    "H02 H06: the same tree moves, another one copies, another program and doubt always copy",
    arguments: [
      ([ContainerID(1)], ContainerID(1), false, DragOperation.move),
      ([ContainerID(1)], ContainerID(2), false, .copy),
      ([ContainerID(1)], ContainerID(1), true, .copy),
      ([ContainerID(1)], nil, false, .copy),
      ([nil], ContainerID(1), false, .copy),
      ([nil], nil, false, .copy),
      ([ContainerID(1), ContainerID(2)], ContainerID(1), false, .copy),
    ] as [(Set<ContainerID?>, ContainerID?, Bool, DragOperation)])
  func defaults(
    sources: Set<ContainerID?>, target: ContainerID?, isOtherApp: Bool, expected: DragOperation
  ) {
    #expect(
      Negotiation.defaultOperation(
        .init(sourceTrees: sources, targetTree: target, isOtherApp: isOtherApp)) == expected)
  }

  @Test("H02: the default operation is said before the drop, and is what is ordered")
  func spokenDefault() {
    var driver = SessionDriver.started()
    driver.press("'notes'")
    #expect(driver.hear("space").last == "Sorted, in Inbox: move. 1 of 3")
    #expect(driver.hear("tab") == ["Docs: copy. 2 of 3"])
    driver.press("enter")
    #expect(driver.orders.map(\.operation) == [.copy])
  }

  @Test("H06: from several trees at once the default is copy, everywhere")
  func mixedSources() {
    var driver = SessionDriver.started()
    driver.press("'notes' ctrl+t tab 'plan' ctrl+t space")
    let operations = (0..<4).map { _ in
      defer { driver.press("tab") }
      return driver.session.state.verdict?.operation
    }
    #expect(operations == [.copy, .copy, .copy, .copy])
  }

  @Test("H18: the wish holds to the drop, the last one counts, the same key takes it back")
  func wishes() {
    var driver = SessionDriver.started()
    driver.press("'notes' space")
    #expect(driver.hear("f5") == ["Copy."])
    #expect(driver.hear("f7") == ["Link."])
    #expect(driver.hear("f7") == ["As usual here: move."])
    #expect(driver.hear("f5") == ["Copy."])
    driver.press("enter")
    #expect(driver.orders.map(\.operation) == [.copy])
  }

  @Test(
    "K12: a wish that the source does not allow is answered, and Enter does nothing else instead")
  func impossibleWish() {
    var stage = Stage.inboxAndDocs
    stage.allowed[Stage.source("notes.txt", in: "Inbox")] = .copy
    var driver = SessionDriver.started(stage)
    driver.press("'notes' space")
    #expect(driver.hear("f6") == ["Can't move here. Not permitted. Its owner can change that."])
    #expect(driver.session.state.verdict?.word == .refuse)
    #expect(driver.hear("enter").first?.hasPrefix("Sorted refuses. Not permitted.") == true)
    #expect(driver.orders.isEmpty)
    #expect(driver.hear("f6") == ["As usual here: copy."])
    driver.press("enter")
    #expect(driver.orders.map(\.operation) == [.copy])
  }

  @Test("K12: a wish that the place does not offer is answered")
  func wishNotOffered() {
    var stage = Stage.inboxAndDocs
    stage.proposals[Stage.place("Sorted")] = DropProposal(.all, offers: .move)
    var driver = SessionDriver.started(stage)
    driver.press("'notes' space")
    #expect(driver.hear("f5") == ["Can't copy here."])
    #expect(driver.session.state.verdict?.word == .refuse)
  }

  @Test("K13: a place that refuses at the moment of the drop gets nothing, and the reason is said")
  func askedAgain() {
    var stage = Stage.inboxAndDocs
    stage.finalProposals[Stage.place("Sorted")] = .refused(.noSpace)
    var driver = SessionDriver.started(stage)
    driver.press("'notes' space")
    #expect(
      driver.hear("enter") == [
        "Sorted refuses. Not enough space. Free some space or choose another place. Still held."
      ])
    #expect(driver.orders.isEmpty)
    #expect(driver.carried == ["notes.txt"])
    driver.press("tab enter")
    #expect(driver.orders.count == 1)
  }

  @Test(
    "H14: refused, failed, cancelled and done begin with words of their own",
    arguments: [
      (DeliveryOutcome.delivered, "Moved notes.txt to Sorted. Now at b.txt."),
      (.failed, "Failed: notes.txt. The disk reports an error. Nothing is lost."),
      (.cancelled, "Cancelled notes.txt: 0 done, 1 not."),
      (.unconfirmed, "notes.txt sent to Sorted; it did not confirm."),
    ])
  func outcomes(outcome: DeliveryOutcome, words: String) {
    var stage = Stage.inboxAndDocs
    stage.outcome = outcome
    if outcome == .failed {
      stage.failures = [DeliveryFailure(name: "notes.txt", reason: .deviceError)]
    }
    var driver = SessionDriver.started(stage)
    driver.press("'notes' space")
    #expect(driver.hear("enter") == [words])
    #expect(driver.session.hasFailure == (outcome != .delivered))
    #expect(driver.isBrowsing)
    #expect(driver.session.state.item == (outcome == .delivered ? "b.txt" : "notes.txt"))
  }

  @Test("H06, H14: after a drop in part, by choice or not, one hears where one stands")
  func partlyDone() {
    for reason in [Reason.nameExists, .deviceError] {
      var stage = Stage.inboxAndDocs
      stage.outcome = .partly
      stage.failures = [DeliveryFailure(name: "b.txt", reason: reason)]
      var driver = SessionDriver.started(stage)
      driver.press("'a.txt' ctrl+t 'b.txt' ctrl+t space f5")
      _ = driver.hear()
      #expect(driver.hear("enter").first?.hasSuffix("Now at notes.txt.") == true)
      #expect(driver.session.state.item == "notes.txt")
    }
  }

  @Test("H27: a partial acceptance is heard, its names on request, and only the accepted go")
  func partial() {
    var stage = Stage.inboxAndDocs
    stage.proposals[Stage.place("Sorted")] = DropProposal(.some(refused: [1: .tooLarge]))
    var driver = SessionDriver.started(stage)
    driver.press("'a.txt' ctrl+t 'b.txt' ctrl+t 'notes' ctrl+t")
    #expect(driver.hear("space").last == "Sorted, in Inbox: move only 2 of 3. 1 of 3")
    #expect(
      driver.hear("ctrl+d") == [
        "Accepts a.txt and notes.txt. Refuses b.txt, it is too large for that disk."
      ])
    #expect(
      driver.hear("enter") == [
        "Sorted takes 2 of 3.", "Keep holding, nothing is dropped. 1 of 2",
      ])
    driver.press("down enter")
    #expect(driver.orders.first?.items.map(\.name) == ["a.txt", "notes.txt"])
  }

  @Test("H08: what cannot be undone is asked about first, and Escape keeps everything held")
  func irreversible() {
    var stage = Stage.inboxAndDocs
    stage.finalProposals[Stage.place("Docs")] = DropProposal(.all, irreversible: .writeOnly)
    var driver = SessionDriver.started(stage)
    driver.press("'a.txt' space 'docs'")
    #expect(driver.hear("enter").first?.hasPrefix("A drop in Docs can't be undone.") == true)
    #expect(driver.hear("escape") == ["Still holding 1 item."])
    #expect(driver.carried == ["a.txt"])
    driver.press("enter down enter")
    #expect(driver.orders.count == 1)
  }

  @Test(
    "H08: without a history it is asked about once, before the first drop, that nothing can be undone",
    arguments: [Reason.journalUnavailable, .journalNewer], [true, false])
  func lostHistory(reason: Reason, isInFolders: Bool) {
    var settings = Session.Settings()
    settings.isInFolders = isInFolders
    var driver = SessionDriver.started(settings: settings)
    driver.give(.report(.problem(.journal(reason))))
    driver.press("'a.txt' space 'docs'")
    let question = driver.hear("enter").first ?? ""
    #expect(
      question.hasPrefix("What is done now can't be undone later. The history "), "\(question)")
    driver.press("enter")
    #expect(driver.orders.isEmpty && driver.carried == ["a.txt"])
    driver.press("enter down enter")
    #expect(driver.orders.count == 1)
    driver.press("'b.txt' space 'docs' enter")
    #expect(driver.orders.count == 2)
  }

  @Test(
    "H06: what turns out of a place after it was told is said there, once, and Enter waits for nothing"
  )
  func predictionsImproved() {
    let docs = Stage.place("Docs")
    var driver = SessionDriver.started()
    driver.press("'a.txt' space 'docs'")
    driver.announcements = []
    driver.give(.report(.predictionsImproved))
    #expect(driver.announcements.isEmpty)
    driver.stage.proposals[docs] = DropProposal(
      .all, predictions: [.leavesOut(names: ["a:b"], count: 1, reason: .nameRefused)])
    driver.give(.report(.predictionsImproved))
    driver.give(.report(.predictionsImproved))
    #expect(
      driver.announcements.map { Phrasebook().text($0) }
        == ["Docs: copy. a:b: this disk does not allow that name. 2 of 3"])
    driver.press("enter")
    #expect(driver.orders.count == 1)
  }

  @Test("K22 H22: after a drop focus is at the source's next item")
  func nextItem() {
    var driver = SessionDriver.started()
    driver.press("'a.txt' space enter")
    #expect(driver.session.state.item == "b.txt")
    driver.press("end space enter")
    #expect(driver.session.state.item == "b.txt")
  }

  @Test("H22: what landed is selected at the target, and one key goes there")
  func landed() {
    var driver = SessionDriver.started()
    driver.press("'a.txt' space 'docs' enter")
    driver.change(
      .sourceAppeared(
        DragSourceDescriptor(
          id: Stage.source("a.txt", in: "Inbox"), name: "a.txt", container: Stage.container("Docs"),
          kind: .file), index: 1))
    #expect(driver.hear("ctrl+g") == ["Docs, 2 files, 1 folder.", "a.txt, selected, 2 of 3"])
    #expect(driver.session.state.selected == ["a.txt"])
  }

  @Test("H22: with nothing landed yet, the key says so")
  func nothingLanded() {
    var driver = SessionDriver.started()
    #expect(driver.hear("ctrl+g") == ["Nothing has landed yet."])
  }

  @Test(
    "H28: each operation and a refusal has a word and a sound of its own",
    arguments: [
      (DropProposal(.all, offers: .copy), "copy", Earcon.copy),
      (DropProposal(.all, offers: .move), "move", .move),
      (DropProposal(.all, offers: .link), "link", .link),
      (DropProposal(.all, offers: .remove), "move to the trash", .remove),
      (DropProposal(.all, offers: .open), "open", .open),
      (.refused(.readOnly), "refuses, it is read-only", .notAllowed),
      (DropProposal(.forbidden(.editModeOff)), "not now, turn on Edit to move rows", .notAllowed),
      (DropProposal(.cancels), "a drop here cancels", .cancelled),
    ])
  func words(proposal: DropProposal, word: String, earcon: Earcon) throws {
    var stage = Stage.inboxAndDocs
    stage.proposals[Stage.place("Docs")] = proposal
    var driver = SessionDriver.started(stage)
    driver.press("'notes' space")
    driver.announcements = []
    driver.press("'docs'")
    let said = try #require(driver.announcements.first)
    #expect(said.earcon == earcon)
    #expect(driver.hear().first?.contains(": \(word).") == true)
  }

  @Test(
    "H28: the keys for copy, move and link have the sound of what would happen now",
    arguments: [("f5", Earcon.copy), ("f6", .move), ("f7", .link)])
  func wishes(key: String, earcon: Earcon) throws {
    var driver = SessionDriver.started(Stage.inboxAndDocs)
    driver.press("'notes' space 'docs'")
    driver.announcements = []
    driver.press(key)
    #expect(driver.announcements.first?.id == "operation")
    #expect(driver.announcements.first?.earcon == earcon)
    #expect(Announcement.operationUnavailable(.link, .readOnly).earcon == .notAllowed)
  }
}
