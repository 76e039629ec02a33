import Testing

@testable import KeyDragCore
@testable import KeyDragRuntime

/// What is said, when, and what is left out.
struct AnnouncementQueueTests {
  private func entry(
    _ id: String, _ text: String, _ urgency: Urgency = .polite, mayBeDropped: Bool = true
  ) -> AnnouncementQueue.Entry {
    AnnouncementQueue.Entry(
      id: id, utterance: Utterance(text: text, language: "en", urgency: urgency),
      mayBeDropped: mayBeDropped)
  }

  @Test("K04: in a flood of what is gone, where one stands now is said")
  func standing() {
    let gone: [Announcement] = [
      .vanished(name: "b", next: nil), .vanished(name: "a", next: "c"),
      .vanished(name: "d", next: nil), .vanished(name: "e", next: nil),
    ]
    var queue = AnnouncementQueue()
    let actions = queue.add(
      gone.map { entry(AnnouncementQueue.kind(of: $0), Phrasebook().text($0)) })
    #expect(said(actions) + rest(&queue) == ["b is gone.", "a is gone. Now at c.", "e is gone."])
  }

  private func outcome(_ text: String) -> AnnouncementQueue.Entry {
    entry("delivered", text, .assertive, mayBeDropped: false)
  }

  /// The texts handed to the voice; "—" where it is silenced.
  private func said(_ actions: [AnnouncementQueue.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .silence: "—"
      case .speak(let utterance): utterance.text
      }
    }
  }

  /// Lets everything that waits be said to its end.
  private func rest(_ queue: inout AnnouncementQueue) -> [String] {
    var texts: [String] = []
    while !queue.isEmpty { texts += said(queue.finished()) }
    return texts
  }

  @Test("K18 H20: the end of a task is said once, by what came of it")
  func taskEnds() {
    var queue = AnnouncementQueue()
    #expect(said(queue.add([entry("task", "Print: done."), outcome("Sent.")])) == ["Sent."])
    #expect(rest(&queue).isEmpty)
    #expect(said(queue.add([entry("task", "Print: started.")])) == ["Print: started."])
  }

  @Test("H28: sounds without words are played one by one, never joined, each kind once")
  func sounds() {
    func sound(_ id: String, _ earcon: Earcon) -> AnnouncementQueue.Entry {
      var entry = entry(id, "")
      entry.utterance.earcon = earcon
      return entry
    }
    var queue = AnnouncementQueue()
    let batch = [sound("picked-up", .pickUp), sound("drop-point", .move)]
    var actions = queue.add(batch + [sound("drop-point", .move)])
    while !queue.isEmpty { actions += queue.finished() }
    #expect(actions == batch.map { .speak($0.utterance) })
  }

  @Test("K24 H08: a warning that a key cuts off, or never lets begin, is known to be lost")
  func lostWarning() {
    func warning(_ id: String = "drop-point") -> AnnouncementQueue.Entry {
      var entry = entry(id, "Text: copy. Can't be undone.")
      entry.warns = true
      return entry
    }
    var queue = AnnouncementQueue()
    func isLost() -> Bool { queue.takeLostWarning() }
    _ = queue.add([entry("picked-up", "Picked up a.txt."), warning()])
    #expect(!isLost())
    _ = queue.keyPressed()
    #expect(isLost(), "with the pick-up it is one utterance")
    #expect(!isLost(), "it is told once")
    _ = queue.add([warning()])
    _ = queue.finished()
    _ = queue.keyPressed()
    #expect(!isLost(), "it was said to its end")
    _ = queue.add([outcome("Copied.")])
    _ = queue.add([warning()])
    _ = queue.keyPressed()
    #expect(isLost(), "it waited")
    queue = AnnouncementQueue()
    _ = queue.add([warning()])
    _ = queue.add([outcome("Copied.")])
    #expect(isLost(), "what is urgent cut it off")
    _ = queue.add([warning()])
    _ = queue.add([entry("drop-point", "Docs: move.")])
    #expect(isLost(), "the next place took its turn")
  }

  @Test("K18: one is said at a time, the others in order")
  func order() {
    var queue = AnnouncementQueue()
    #expect(
      said(queue.add([entry("a", "one"), entry("b", "two"), entry("c", "three")])) == ["one"])
    #expect(rest(&queue) == ["two", "three"])
    #expect(queue.isEmpty)
  }

  @Test("K18: assertive ones come before polite ones, in the order they came")
  func assertiveFirst() {
    var queue = AnnouncementQueue()
    _ = queue.add([outcome("first")])
    _ = queue.add([entry("a", "polite")])
    _ = queue.add([outcome("second")])
    _ = queue.add([outcome("third")])
    #expect(rest(&queue) == ["second", "third", "polite"])
  }

  @Test("K18: an assertive one interrupts what is polite, not what is assertive")
  func interrupts() {
    var queue = AnnouncementQueue()
    _ = queue.add([entry("a", "polite")])
    #expect(said(queue.add([outcome("now")])) == ["—", "now"])
    #expect(said(queue.add([outcome("next")])) == [])
    #expect(rest(&queue) == ["next"])
  }

  @Test("K18: a flood of one kind is reduced to its newest")
  func flood() {
    var queue = AnnouncementQueue()
    _ = queue.add([entry("item", "now")])
    for number in 1...500 { _ = queue.add([entry("appeared", "file \(number) appeared")]) }
    _ = queue.add([entry("progress", "half")])
    #expect(rest(&queue) == ["file 500 appeared", "half"])
  }

  @Test("H19 H14: what waits to be said of a delivery is left out once its outcome is there")
  func overtaken() {
    for id in ["delivering", "progress", "task"] {
      var queue = AnnouncementQueue()
      _ = queue.add([outcome("Moved b.txt.")])
      _ = queue.add([entry(id, "Copying a.txt."), entry("item", "next")])
      _ = queue.add([entry("partly-delivered", "1 of 2 copied.", .assertive, mayBeDropped: false)])
      #expect(rest(&queue) == ["1 of 2 copied.", "next"], "\(id)")
    }
  }

  @Test("K18: the same words are not said twice while they are being said or wait")
  func notTwice() {
    var queue = AnnouncementQueue()
    _ = queue.add([entry("a", "same")])
    #expect(said(queue.add([entry("b", "same")])) == [])
    _ = queue.add([entry("c", "other")])
    _ = queue.add([entry("d", "other")])
    #expect(rest(&queue) == ["other"])
    #expect(said(queue.add([entry("a", "same")])) == ["same"], "later it is news again")
  }

  @Test("K18: two outcomes in the same words are two events")
  func equalOutcomes() {
    var queue = AnnouncementQueue()
    _ = queue.add([outcome("done")])
    _ = queue.add([outcome("done")])
    #expect(rest(&queue) == ["done"])
  }

  @Test("K24: a key press silences what is said and drops what waited politely")
  func keyPress() {
    var queue = AnnouncementQueue()
    _ = queue.add([entry("drop-point", "Sorted")])
    _ = queue.add([entry("progress", "half")])
    #expect(said(queue.keyPressed()) == ["—"])
    #expect(queue.isEmpty)
    #expect(said(queue.keyPressed()) == [], "there is nothing to silence")
  }

  @Test("K24: passing quickly over many places says only the last")
  func passingQuickly() {
    var queue = AnnouncementQueue()
    var all: [String] = []
    for number in 1...20 {
      all += said(queue.keyPressed())
      all += said(queue.add([entry("drop-point", "place \(number)")]))
    }
    all += rest(&queue)
    #expect(all.last == "place 20")
    #expect(all.filter { $0 == "—" }.count == 19, "each of the others was cut off")
  }

  @Test("K24: outcomes, questions and problems that wait survive any number of keys")
  func neverDropped() {
    var queue = AnnouncementQueue()
    _ = queue.add([entry("picked-up", "held", .assertive)])
    _ = queue.add([outcome("copied a"), outcome("copied b")])
    var all = said(queue.keyPressed())
    #expect(all == ["—", "copied a"])
    all = said(queue.add([entry("item", "next")]))
    #expect(rest(&queue) == ["copied b", "next"])
  }

  @Test(
    "K01: the pick-up and the first drop point are one utterance, a question and its first choice too"
  )
  func joined() {
    var queue = AnnouncementQueue()
    let pickUp = queue.add([
      entry("picked-up", "Picked up a.", .assertive), entry("drop-point", "Sorted: move."),
    ])
    #expect(said(pickUp) == ["Picked up a. Sorted: move."])
    queue = AnnouncementQueue()
    let question = queue.add([
      entry("confirm", "a exists.", .assertive, mayBeDropped: false), entry("choice", "Keep both."),
    ])
    #expect(said(question) == ["a exists. Keep both."])
  }

  @Test("Every announcement that must be heard says so")
  func mustBeHeard() {
    #expect(!Announcement.confirm(.deliveries(count: 0), choices: []).mayBeDropped)
    #expect(!Announcement.problem(.noSoundDevice).mayBeDropped)
    #expect(!Announcement.failed(names: [], count: 0, .gone).mayBeDropped)
    #expect(!Announcement.refused(name: "a", .gone).mayBeDropped)
    #expect(Announcement.goodbye.mayBeDropped)
  }
}
