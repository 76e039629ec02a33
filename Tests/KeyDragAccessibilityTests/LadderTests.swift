import Glibc
import KeyDragCore
import Testing

@testable import KeyDragAccessibility
@testable import KeyDragBus

@Suite("Which way a message takes")
struct LadderTests {
  typealias Ladder = AnnouncementRouter

  static let old = Ladder.Listener(
    name: ":1.5", reader: "10", isOrca: true, hearsAnnouncements: false, seesNotifications: true)
  static let new = Ladder.Listener(
    name: ":1.5", reader: "10", isOrca: true, hearsAnnouncements: true, seesNotifications: true)
  static let other = Ladder.Listener(
    name: ":1.9", reader: "20", isOrca: false, hearsAnnouncements: true, seesNotifications: true)
  static let keyboard = Ladder.Listener(
    name: ":1.7", reader: "30", isOrca: false, hearsAnnouncements: false, seesNotifications: true)

  static func message(_ number: Int) -> ReaderMessage {
    ReaderMessage(number: number, text: "message \(number)", urgency: .polite)
  }

  @Test("A message that was dropped is waited for no more, and wakes no reader")
  func dropped() {
    var ladder = Ladder()
    _ = ladder.apply(.service(.orca, "10"))
    for number in 1...2 { _ = ladder.announce(Self.message(number)) }
    #expect(ladder.apply(.dropped(2)).isEmpty)
    #expect(ladder.pendingCount == 1)
    _ = ladder.apply(.overdue(1))
    _ = ladder.apply(.dropped(2))
    #expect(ladder.rung == nil && ladder.pendingCount == 0)
  }

  @Test("H14 of two Orcas one alone hears of messages, and the other once that one hangs")
  func twoReaders() throws {
    var ladder = Ladder()
    _ = ladder.apply(.listeners([Self.new]))
    #expect(ladder.destination == nil)
    var second = Self.new
    (second.name, second.reader) = (":1.6", "11")
    _ = ladder.apply(.listeners([Self.new, second, Self.other]))
    #expect(ladder.destination == ":1.5")
    let actions = ladder.announce(Self.message(1)).actions
    #expect(actions == [.announce(Self.message(1)), .ping(":1.5", question: 1)])
    #expect(
      ladder.apply(.overdue(1)) == [
        .moved(Self.message(1), .atspi), .announce(Self.message(1)), .ping(":1.6", question: 2),
      ])
    #expect(ladder.destination == ":1.6")
    _ = ladder.apply(.answered(1))
    #expect(ladder.destination == ":1.5")
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var events: [Ladder.Event]
    var rung: ReaderRoute?
  }

  @Test(
    "The best way that a reader understands",
    arguments: [
      Case(testDescription: "nobody", events: [], rung: nil),
      Case(testDescription: "Orca 43", events: [.listeners([old])], rung: .notification),
      Case(testDescription: "Orca 46", events: [.listeners([new])], rung: .atspi),
      Case(
        testDescription: "Orca 51", events: [.listeners([new]), .service(.orca1, "10")], rung: .orca
      ),
      Case(
        testDescription: "Orca 49", events: [.service(.orca, "10"), .listeners([new])], rung: .orca),
      Case(testDescription: "another reader", events: [.listeners([other])], rung: .atspi),
      Case(
        testDescription: "another listener beside Orca 43", events: [.listeners([other, old])],
        rung: .notification),
      Case(
        testDescription: "a program that reads nothing aloud", events: [.listeners([keyboard])],
        rung: nil),
      Case(
        testDescription: "the service has ended",
        events: [.service(.orca1, "10"), .service(.orca1, nil)], rung: nil),
      Case(
        testDescription: "the reader was replaced by an older one",
        events: [.listeners([new]), .listeners([]), .listeners([old])], rung: .notification),
    ])
  func choice(_ row: Case) {
    var ladder = Ladder()
    for event in row.events { #expect(ladder.apply(event).isEmpty) }
    #expect(ladder.rung == row.rung)
    #expect(ladder.announce(Self.message(1)).rung == row.rung)
  }

  @Test("A way that is demanded is the only one", arguments: ReaderRoute.allCases)
  func forced(rung: ReaderRoute) {
    var ladder = Ladder(forced: rung)
    _ = ladder.apply(.listeners([Self.new]))
    #expect(ladder.rung == (rung == .orca ? nil : rung))
    _ = ladder.apply(.service(.orca, "10"))
    #expect(ladder.rung == rung)
  }

  @Test("What a reader reads of a terminal is its age's matter, whichever way messages take")
  func insertedText() {
    for rung in ReaderRoute.allCases {
      for (versions, reads) in [(0..<47.0, false), (47..<48.0, false), (48..<1000.0, true)] {
        var listener = Self.new
        listener.versions = versions
        var ladder = Ladder(forced: rung)
        _ = ladder.apply(.listeners([listener]))
        #expect(ladder.readsInsertedText == (reads && rung != .orca), "\(rung) \(versions)")
        _ = ladder.apply(.service(.orca, "10"))
        #expect(ladder.readsInsertedText == (reads || rung == .orca), "\(rung) \(versions)")
      }
    }
  }

  @Test(
    "What a reader reads from the screen is not announced as well, but it is asked all the same")
  func painted() {
    for (listener, rung) in [(Self.new, ReaderRoute.atspi), (Self.old, .notification)] {
      var ladder = Ladder()
      _ = ladder.apply(.listeners([listener]))
      var message = Self.message(1)
      message.isPainted = true
      let told: [Ladder.Action] = rung == .atspi ? [] : [.notify(message)]
      let (taken, actions) = ladder.announce(message)
      #expect(taken == rung && actions == told + [.ping(":1.5", question: 1)])
      // A reader that does not answer has read nothing.
      #expect(ladder.apply(.overdue(1)) == [.moved(message, nil)])
    }
  }

  @Test("A message goes one way only, and one sign of life answers for all that went before")
  func ping() {
    var ladder = Ladder()
    _ = ladder.apply(.listeners([Self.new]))
    #expect(
      ladder.announce(Self.message(1)).actions
        == [.announce(Self.message(1)), .ping(":1.5", question: 1)])
    #expect(ladder.announce(Self.message(2)).actions == [.announce(Self.message(2))])
    // The first question was put before the second message.
    #expect(ladder.apply(.answered(1)) == [.ping(":1.5", question: 2)])
    #expect(ladder.pendingCount == 1)
    #expect(ladder.apply(.answered(2)).isEmpty)
    #expect(ladder.pendingCount == 0)
    #expect(ladder.apply(.overdue(1)).isEmpty)
    #expect(ladder.rung == .atspi)
  }

  @Test("A reader that is silent too long loses every message, until it answers")
  func stuck() {
    var ladder = Ladder()
    _ = ladder.apply(.listeners([Self.new]))
    _ = ladder.apply(.service(.orca, "10"))
    _ = ladder.announce(Self.message(1))
    _ = ladder.announce(Self.message(2))
    // The same process would be as silent by every other way.
    #expect(
      ladder.apply(.overdue(1)) == [.moved(Self.message(1), nil), .moved(Self.message(2), nil)])
    #expect(ladder.rung == nil)
    #expect(ladder.announce(Self.message(3)).rung == nil)
    #expect(ladder.apply(.answered(1)).isEmpty)
    #expect(ladder.rung == .orca)
  }

  @Test("K18 a reader that works and is late keeps what it was handed, and waits for the rest")
  func late() {
    var ladder = Ladder()
    _ = ladder.apply(.listeners([Self.new]))
    _ = ladder.announce(Self.message(1))
    #expect(ladder.apply(.late(1)).isEmpty)
    for number in 2...3 {
      let (rung, actions) = ladder.announce(Self.message(number))
      #expect(rung == .atspi && actions.isEmpty)
    }
    #expect(
      ladder.apply(.answered(1)) == [
        .announce(Self.message(2)), .ping(":1.5", question: 2), .announce(Self.message(3)),
      ])
    #expect(ladder.pendingCount == 2 && ladder.openCount == 2)
    #expect(ladder.answers(of: Self.new.reader) == 1)
    _ = ladder.apply(.listeners([]))
    #expect(ladder.answers(of: Self.new.reader) == 0)
  }

  @Test("K19 what waited for a late reader is left out after a newer key, but no outcome")
  func lateKeys() {
    var ladder = Ladder()
    _ = ladder.apply(.listeners([Self.old]))
    _ = ladder.announce(Self.message(1))
    _ = ladder.apply(.late(1))
    let kept = [
      ReaderMessage(number: 3, text: "Copied.", urgency: .assertive),
      ReaderMessage(number: 5, text: "Made Trip.", urgency: .polite, mayBeDropped: false),
      ReaderMessage(number: 6, text: "Can't be undone.", urgency: .polite, warns: true),
    ]
    _ = ladder.announce(Self.message(2))
    for message in kept { _ = ladder.announce(message) }
    ladder.takeKey()
    _ = ladder.announce(Self.message(4))
    #expect(
      ladder.apply(.answered(1)) == [
        .notify(kept[0]), .ping(":1.5", question: 2), .notify(kept[1]), .notify(kept[2]),
        .notify(Self.message(4)),
      ])
    #expect(ladder.pendingCount == 4)
  }

  @Test("K18 one that works without an end keeps what it was handed, and nothing else")
  func endless() {
    var ladder = Ladder()
    _ = ladder.apply(.listeners([Self.new]))
    for number in 1...2 { _ = ladder.announce(Self.message(number)) }
    _ = ladder.apply(.late(1))
    _ = ladder.announce(Self.message(3))
    #expect(ladder.apply(.endless(1)) == [.moved(Self.message(3), nil)])
    #expect(ladder.rung == nil && ladder.pendingCount == 2 && ladder.openCount == 0)
    #expect(ladder.apply(.endless(1)).isEmpty)
    var ending = ladder
    // It says them after all, or it does nothing any more.
    #expect(ladder.apply(.answered(1)) == [.ping(":1.5", question: 2)])
    #expect(ladder.apply(.answered(2)).isEmpty)
    #expect(ladder.rung == .atspi && ladder.pendingCount == 0)
    #expect(
      ending.apply(.overdue(1)) == [.moved(Self.message(1), nil), .moved(Self.message(2), nil)])
  }

  @Test("K18 the service keeps the words that it was handed, not those before which it is asked")
  func lateService() {
    var ladder = Ladder()
    _ = ladder.apply(.service(.orca, "10"))
    for number in 1...2 { _ = ladder.announce(Self.message(number)) }
    #expect(ladder.apply(.handedOver(1)).isEmpty)
    _ = ladder.apply(.late(1))
    _ = ladder.announce(Self.message(3))
    #expect(
      ladder.apply(.endless(1)) == [.moved(Self.message(2), nil), .moved(Self.message(3), nil)])
    #expect(ladder.apply(.answered(1)).isEmpty)
    #expect(ladder.rung == .orca && ladder.pendingCount == 0)
  }

  @Test("What waited for a late reader goes on when the question is dropped, or the reader gone")
  func lateDropped() {
    var ladder = Ladder()
    _ = ladder.apply(.service(.orca, "10"))
    for number in 1...2 {
      _ = ladder.announce(Self.message(number))
      _ = ladder.apply(.late(1))
    }
    var gone = ladder
    #expect(ladder.apply(.dropped(1)) == [.present(Self.message(2), .orca, question: 2)])
    let moved = (1...2).map { Ladder.Action.moved(Self.message($0), nil) }
    #expect(gone.apply(.service(.orca, nil)) == moved)
  }

  @Test("What a living reader refuses takes the next rung, in order, and so does what follows")
  func refused() {
    var ladder = Ladder()
    _ = ladder.apply(.listeners([Self.new]))
    _ = ladder.apply(.service(.orca, "10"))
    _ = ladder.announce(Self.message(1))
    _ = ladder.announce(Self.message(2))
    #expect(
      ladder.apply(.failed(1)) == [
        .moved(Self.message(1), .atspi), .announce(Self.message(1)), .ping(":1.5", question: 3),
        .moved(Self.message(2), .atspi), .announce(Self.message(2)),
      ])
    #expect(ladder.apply(.failed(2)).isEmpty)
    #expect(ladder.announce(Self.message(3)).rung == .atspi)
    // A service that is started anew is believed again.
    _ = ladder.apply(.service(.orca, nil))
    _ = ladder.apply(.service(.orca, "10"))
    #expect(ladder.rung == .orca)
  }

  @Test("Messages of a reader that is gone go to the one that is left")
  func gone() {
    var ladder = Ladder()
    _ = ladder.apply(.listeners([Self.new, Self.other]))
    _ = ladder.announce(Self.message(1))
    #expect(
      ladder.apply(.listeners([Self.other])) == [
        .moved(Self.message(1), .atspi), .announce(Self.message(1)), .ping(":1.9", question: 2),
      ])
    #expect(ladder.apply(.failed(1)).isEmpty)
    #expect(ladder.apply(.listeners([])) == [.moved(Self.message(1), nil)])
    #expect(ladder.pendingCount == 0)
  }

  @Test("No more than a thousand messages are on their way")
  func bounded() {
    var ladder = Ladder()
    _ = ladder.apply(.listeners([Self.old]))
    for number in 0..<Ladder.limit {
      #expect(ladder.announce(Self.message(number)).rung == .notification)
    }
    #expect(ladder.announce(Self.message(Ladder.limit)).rung == nil)
    _ = ladder.apply(.answered(1))
    #expect(ladder.announce(Self.message(Ladder.limit)).rung == .notification)
  }
}

@Suite("Whether a process works or hangs")
struct ProcessActivityTests {
  /// Lines of proc(5).
  private func status(_ state: String, waited: Int, taken: Int) -> String {
    """
    Name:\torca
    State:\t\(state) (words)
    voluntary_ctxt_switches:\t\(waited)
    nonvoluntary_ctxt_switches:\t\(taken)

    """
  }

  @Test("How often it has run is read from what the system tells of a process")
  func read() throws {
    let load = try #require(ProcessActivity(status: status("S", waited: 120, taken: 35)))
    #expect(load.switches == 155)
    #expect(!load.isRunnable)
    #expect(ProcessActivity(status: status("R", waited: 0, taken: 0))?.isRunnable == true)
    #expect(ProcessActivity(status: "State:\tS (sleeping)\nvoluntary_ctxt_switches:\tx") == nil)
    #expect(ProcessActivity(status: "") == nil)
    #expect(ProcessActivity("no process") == nil)
    #expect(ProcessActivity("\(getpid())") != nil)
  }

  @Test("One that has not run since hangs, one that waits for others now and then works")
  func working() throws {
    func load(_ state: String, _ waited: Int) throws -> ProcessActivity {
      try #require(ProcessActivity(status: status(state, waited: waited, taken: 0)))
    }
    let before = try load("S", 100)
    for (state, waited, isWorking) in [
      ("S", 100, false), ("T", 100, false), ("S", 101, true), ("R", 100, true), ("D", 100, false),
    ] {
      #expect(try load(state, waited).isWorking(since: before) == isWorking, "\(state) \(waited)")
    }
  }
}

@Suite("What readers have told the registry")
struct RegisteredEventsTests {
  @Test(
    "Both spellings, with and without the rest",
    arguments: [
      ("Object:Announcement:", true, false), ("object:announcement", true, false),
      ("Object:StateChanged:Showing", false, true), ("object:state-changed:showing", false, true),
      ("object:state-changed", false, true), ("Object:StateChanged:Focused", false, false),
      ("object:", false, false), ("", false, false), (":::", false, false),
      ("window:announcement", false, false),
    ])
  func meaning(event: String, announcement: Bool, showing: Bool) {
    #expect(RegisteredEvents.hasAnnouncement([event]) == announcement)
    #expect(RegisteredEvents.hasShowing([event]) == showing)
  }

  @Test(
    "What Orca listens for tells how old it is",
    arguments: [
      (["Focus::", "Object:TextChanged:Insert"], 46.2), (["focus:"], 45.2),
      (["Object:TextChanged:Insert", "Object:Announcement:"], 47.5), ([], 47.5),
      (["Object:TextChanged:", "Object:Announcement:"], 48.1), (["object:text-changed"], 50.2),
    ])
  func versions(events: [String], version: Double) {
    for other in [45.2, 46.2, 47.5, 48.1, 50.2] where !(48...).contains(min(version, other)) {
      let isSame = Int(other) == Int(version) || max(version, other) < 47
      #expect(RegisteredEvents.versions(events).contains(other) == isSame, "\(other)")
    }
    #expect(RegisteredEvents.versions(events).contains(version))
  }

  @Test("What is no list of names and events names nobody")
  func nonsense() {
    let values: [BusValue?] = [
      nil, .string("x"), .array(of: "s", [.string("x")]),
      .array(of: "(s)", [.tuple([.string("x")])]),
      .array(of: "(ii)", [.tuple([.int32(1), .int32(2)])]),
      .array(of: "(ss)", [.tuple([.string("no name"), .string("Object:Announcement:")])]),
      .array(of: "(ss)", [.tuple([.string(":1."), .string("Object:Announcement:")])]),
    ]
    for value in values { #expect(RegisteredEvents.listeners(value).isEmpty) }
  }
}
