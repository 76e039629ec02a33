import KeyDragCore
import KeyDragThreads
import Testing

@testable import KeyDragX11

/// Drives a handshake through its clock.
private struct Drive {
  var handshake = XdndHandshake(source: source, types: [uriList, plainText])
  var now: Milliseconds = 1_000

  mutating func hover(
    _ at: XdndHandshake.Target = target, x: Int = 10, _ operation: DragOperation = .copy
  ) -> [String] {
    said(handshake.hover(over: at, at: RootPoint(x: x, y: 20), operation: operation, now: now))
  }

  mutating func status(_ accepts: Bool, from window: XWindow = window) -> [String] {
    said(
      handshake.receive(
        .status(target: window, accepts ? .accepts(.copy) : .refuses(.notTaken)), now: now))
  }

  /// Says the same to both positions at a place.
  mutating func answer(_ accepts: Bool) {
    _ = status(accepts)
    _ = wait()
    _ = status(accepts)
  }

  mutating func finished(_ outcome: DragAnswer) -> [String] {
    said(handshake.receive(.finished(target: window, outcome), now: now))
  }

  mutating func drop(checksPlace: Bool = false) -> [String] {
    said(handshake.drop(checksPlace: checksPlace, now: now))
  }
  mutating func checked(_ isThere: Bool) -> [String] {
    said(handshake.placeChecked(isThere: isThere, now: now))
  }
  mutating func stay() -> [String] { said(handshake.stay(now: now)) }
  mutating func leave() -> [String] { said(handshake.leave()) }
  mutating func vanish(_ window: XWindow = window) -> [String] {
    said(handshake.windowVanished(window))
  }

  /// Lets the time come to the deadline; the time that passed is part of what is answered.
  mutating func wait() -> [String] {
    guard let deadline = handshake.deadline else { return ["nothing to wait for"] }
    let passed = deadline > now ? deadline - now : 0
    now += passed
    return ["+\(passed)"] + said(handshake.tick(now: now))
  }

  private func said(_ actions: [XdndHandshake.Action]) -> [String] {
    actions.map { action in
      switch action {
      case .send(.enter(_, let version, _), _): "enter \(version)"
      case .send(.position(_, let point, _, let operation), _):
        "position \(point.x) \(operation == .copy ? "copy" : "other")"
      case .send(.leave, _): "leave"
      case .send(.drop, _): "drop"
      case .send: "?"
      case .tell(.accepts): "accepts"
      case .tell(.refuses(.notTaken)): "refuses"
      case .tell(.silent): "silent"
      case .tell(.refuses(.gone)): "gone"
      case .tell(let verdict): "\(verdict)"
      case .end(let outcome): "end \(outcome)"
      case .checkPlace: "check"
      }
    }
  }
}

@Suite("The XDND handshake and its clock of quiet")
struct XdndHandshakeTests {
  @Test("A place is asked twice, and the answer told after a quiet tenth of a second")
  func asked() {
    var drive = Drive()
    #expect(drive.hover() == ["enter 5", "position 10 copy"])
    #expect(drive.status(true) == [])
    #expect(drive.wait() == ["+25", "position 10 copy"])
    #expect(drive.status(true) == [])
    #expect(drive.wait() == ["+100", "accepts"])
    #expect(drive.wait() == ["nothing to wait for"])
  }

  @Test(
    "T13 The place is looked at after the last position, and only what is still there is dropped on"
  )
  func looked() {
    for isThere in [true, false] {
      var drive = Drive()
      _ = drive.hover()
      drive.answer(true)
      #expect(drive.drop(checksPlace: true) == [])
      #expect(drive.wait() == ["+150", "check"])
      #expect(drive.wait() == ["nothing to wait for"])
      #expect(
        drive.checked(isThere)
          == (isThere ? ["drop"] : ["leave", "end refuses(KeyDragCore.Reason.placeMoves)"]))
    }
  }

  @Test("T13 A no that comes during the look counts, and so does a new place")
  func lookedTooLate() {
    var drive = Drive()
    _ = drive.hover()
    drive.answer(true)
    _ = drive.drop(checksPlace: true)
    _ = drive.wait()
    #expect(
      drive.hover(x: 30)
        == ["end refuses(KeyDragCore.Reason.interrupted)", "position 30 copy"])
    #expect(drive.checked(true) == [])
  }

  @Test("Who answers with what its page said of the place before is given time to ask the page")
  func pageIsAsked() {
    // Measured with Chromium 156: the page's answer comes to the program 2 to 5 ms after the first
    // status, and is the next status.
    var page = (said: false, next: true)
    var drive = Drive()
    var sent = drive.hover()
    var times: [Milliseconds] = []
    while !sent.contains("accepts"), !sent.contains("refuses"), times.count < 10 {
      if sent.contains("position 10 copy") {
        times.append(drive.now)
        if let first = times.first, drive.now >= first + 5 { page.said = page.next }
        sent = drive.status(page.said)
      } else {
        sent = []
      }
      if sent.isEmpty { sent = drive.wait() }
    }
    #expect(sent.last == "accepts")
    #expect(times.count == 2)
  }

  @Test("Who refuses at first and then accepts, accepts; of several answers the last counts")
  func lastAnswerCounts() {
    var drive = Drive()
    _ = drive.hover()
    _ = drive.status(false)
    _ = drive.status(true)
    drive.now += 30
    _ = drive.status(false)
    drive.now += 30
    _ = drive.status(true)
    #expect(drive.wait() == ["+100", "accepts"])
    #expect(drive.status(false) == [])
    #expect(drive.wait() == ["+100", "refuses"])
  }

  @Test("Who does not answer is asked again, told of after three seconds, and may still answer")
  func silence() {
    var drive = Drive()
    _ = drive.hover()
    #expect(drive.wait() == ["+100", "position 10 copy"])
    #expect(drive.wait() == ["+2900", "silent"])
    #expect(drive.wait() == ["nothing to wait for"])
    drive.now += 5_000
    #expect(drive.status(true) == [])
    #expect(drive.wait() == ["+100", "accepts"])
  }

  @Test(
    "Who looks at a long list is waited for by its length, up to a minute",
    arguments: [(1_000, 3_000), (40_000, 4_000), (150_000, 7_500), (5_000_000, 60_000)])
  func longList(bytes: Int, patience: Milliseconds) {
    var drive = Drive()
    _ = drive.hover()
    drive.handshake.dataGiven(bytes)
    #expect(drive.wait() == ["+100", "position 10 copy"])
    #expect(drive.wait() == ["+\(patience - 100)", "silent"])
  }

  @Test("Who says one no to two positions is asked once more: a busy Qt answers both as the first")
  func answeredTogether() {
    var drive = Drive()
    _ = drive.hover()
    #expect(drive.wait() == ["+100", "position 10 copy"])
    drive.now += 200
    #expect(drive.status(false) == [])
    #expect(drive.wait() == ["+100", "position 10 copy"])
    #expect(drive.status(true) == [])
    #expect(drive.wait() == ["+100", "accepts"])
    var once = Drive()
    _ = once.hover()
    _ = once.wait()
    _ = once.status(false)
    #expect(once.wait() == ["+100", "position 10 copy"])
    #expect(once.wait() == ["+500", "refuses"])
    var meant = Drive()
    _ = meant.hover()
    _ = meant.wait()
    _ = meant.status(false)
    #expect(meant.wait() == ["+100", "position 10 copy"])
    #expect(meant.status(false) == [])
    #expect(meant.wait() == ["+100", "refuses"])
  }

  @Test("In the same window another point is asked without entering again")
  func samePlace() {
    var drive = Drive()
    _ = drive.hover()
    _ = drive.status(true)
    #expect(drive.hover(x: 50) == ["position 50 copy"])
    #expect(drive.status(false) == [])
    #expect(drive.wait() == ["+25", "position 50 copy"])
    _ = drive.status(false)
    #expect(drive.wait() == ["+100", "refuses"])
  }

  @Test("Another window is entered after the first one is left, in its own version")
  func severalTargets() {
    var drive = Drive()
    _ = drive.hover()
    let other = XdndHandshake.Target(window: XWindow(rawValue: 9), version: 3)
    #expect(drive.hover(other) == ["leave", "enter 3", "position 10 copy"])
    #expect(drive.status(true) == [])
    #expect(drive.status(true, from: other.window) == [])
    #expect(drive.wait() == ["+25", "position 10 copy"])
    #expect(drive.leave() == ["leave"])
    #expect(drive.leave() == [])
  }

  @Test("A drop waits for the answer and for the pause that some targets need")
  func dropWaits() {
    var drive = Drive()
    _ = drive.hover()
    drive.answer(true)
    #expect(drive.drop() == [])
    #expect(drive.wait() == ["+150", "drop"])
    #expect(drive.handshake.isDropInFlight)
    #expect(drive.finished(.accepts(.copy)).count == 1)
    #expect(!drive.handshake.isDropInFlight)
  }

  @Test(
    "What the target says at the end is the outcome",
    arguments: [.accepts(.move), .accepts(nil), .failed(.programFailed)] as [DragAnswer])
  func outcomes(said: DragAnswer) {
    var drive = Drive()
    _ = drive.hover()
    drive.answer(true)
    _ = drive.drop()
    _ = drive.wait()
    #expect(drive.finished(said) == ["end \(said)"])
  }

  @Test("Where the place refuses or is silent, nothing is dropped and it is left")
  func dropRefused() {
    for isSilent in [false, true] {
      var drive = Drive()
      _ = drive.hover()
      var heard = drive.drop()
      while drive.handshake.deadline != nil {
        if !isSilent { heard += drive.status(false) }
        if drive.handshake.deadline != nil { heard += drive.wait() }
      }
      let reason = isSilent ? Reason.notResponding : .notTaken
      #expect(heard.suffix(2) == ["leave", "end \(DragAnswer.refuses(reason))"], "\(heard)")
      #expect(!heard.contains("drop"))
      // A no is asked about once more by one that enters anew.
      #expect(heard.count { $0 == "enter 5" } == (isSilent ? 0 : 1), "\(heard)")
    }
  }

  @Test("Who says no to a drop, and yes to one that enters anew, is dropped on")
  func dropAnew() {
    var drive = Drive()
    _ = drive.hover()
    drive.answer(false)
    _ = drive.drop()
    #expect(drive.wait() == ["+150", "leave", "enter 5", "position 10 copy"])
    drive.answer(true)
    #expect(drive.wait() == ["+150", "drop"])
  }

  @Test("The first no after a look at the data is asked about by entering anew, and no later one")
  func refusalAnew() {
    for isMeant in [false, true] {
      var drive = Drive()
      _ = drive.hover()
      drive.handshake.dataGiven(40)
      drive.answer(false)
      #expect(drive.wait() == ["+100", "leave", "enter 5", "position 10 copy"])
      drive.answer(!isMeant)
      #expect(drive.wait() == ["+100", isMeant ? "refuses" : "accepts"])
      // It is believed from now on,
      _ = drive.hover(x: 50)
      drive.answer(false)
      #expect(drive.wait() == ["+100", "refuses"])
      // but for the first word about a drop.
      #expect(drive.drop() == ["leave", "enter 5", "position 50 copy"])
    }
  }

  @Test("Who is rested on is not left to ask about its no: leaving ends what it opens by that")
  func restingRefusal() {
    var drive = Drive()
    _ = drive.hover()
    drive.handshake.dataGiven(40)
    drive.answer(true)
    _ = drive.wait()
    #expect(drive.stay() == ["position 10 copy"])
    _ = drive.status(false)
    #expect(drive.wait() == ["+50", "refuses"])
  }

  @Test("Without an end the outcome is unknown, and an end that comes late is told")
  func lateEnd() {
    var drive = Drive()
    _ = drive.hover()
    drive.answer(true)
    _ = drive.drop()
    _ = drive.wait()
    drive.now += 9_000
    drive.handshake.dataRequested(now: drive.now)
    #expect(drive.wait() == ["+10000", "end silent"])
    #expect(drive.wait() == ["nothing to wait for"])
    #expect(drive.handshake.isDropInFlight)
    #expect(drive.finished(.accepts(.copy)).count == 1)
  }

  @Test("A window that goes away is told once, before and after a drop")
  func vanished() {
    var drive = Drive()
    _ = drive.hover()
    #expect(drive.vanish(XWindow(rawValue: 77)) == [])
    #expect(drive.vanish() == ["gone"])
    #expect(drive.vanish() == [])
    var second = Drive()
    _ = second.hover()
    second.answer(true)
    _ = second.drop()
    _ = second.wait()
    #expect(second.vanish() == ["end \(DragAnswer.failed(.programEnded))"])
  }

  @Test(
    "Who works on the data it asked for is waited for, and asked again; an old no is none of it")
  func atWork() {
    for isLate in [false, true] {
      var drive = Drive()
      _ = drive.hover()
      _ = drive.status(false)
      #expect(drive.wait() == ["+25", "position 10 copy"])
      drive.handshake.dataRequested(now: drive.now)
      if isLate {
        #expect(drive.wait() == ["+4000", "silent"])
        #expect(drive.wait() == ["nothing to wait for"])
        #expect(drive.status(true) == [])
        #expect(drive.wait() == ["+100", "accepts"])
      } else {
        drive.now += 2_000
        #expect(drive.status(false) == [])
        #expect(drive.wait() == ["+100", "position 10 copy"])
        #expect(drive.status(true) == [])
        #expect(drive.wait() == ["+100", "accepts"])
      }
    }
  }

  @Test("A no is none of what was asked for and is not given yet; given, it is asked about again")
  func owedData() {
    for isGiven in [false, true] {
      var drive = Drive()
      _ = drive.hover()
      drive.handshake.dataRequested(now: drive.now)
      drive.handshake.owes(true)
      _ = drive.status(false)
      #expect(drive.wait() == ["+25", "position 10 copy"])
      #expect(drive.status(false) == [])
      guard isGiven else {
        #expect(drive.wait() == ["+4000", "silent"])
        #expect(drive.wait() == ["nothing to wait for"])
        continue
      }
      drive.now += 700
      drive.handshake.owes(false)
      #expect(drive.wait() == ["+0", "position 10 copy"])
      #expect(drive.status(true) == [])
      #expect(drive.wait() == ["+100", "accepts"])
    }
  }

  @Test("Who was given a long list is asked again as long as it may look at it, and then believed")
  func longList() {
    var drive = Drive()
    _ = drive.hover()
    drive.answer(false)
    drive.handshake.dataRequested(now: drive.now)
    drive.handshake.dataGiven(40_000)
    let start = drive.now
    var said: [String] = []
    repeat {
      said = drive.wait()
      if said.last == "position 10 copy" { _ = drive.status(false) }
    } while said.last == "position 10 copy" && drive.now < start + 5_000
    #expect(said.last == "refuses")
    #expect((1_900...2_100).contains(drive.now - start), "\(drive.now - start)")
  }

  @Test("Staying on a place says so again, and what is said to that is told after a short quiet")
  func staying() {
    var drive = Drive()
    _ = drive.hover()
    drive.answer(true)
    _ = drive.wait()
    #expect(drive.stay() == ["position 10 copy"])
    #expect(drive.status(true) == [])
    #expect(drive.wait() == ["+50", "accepts"])
    #expect(drive.stay() == ["position 10 copy"])
    #expect(drive.wait() == ["+3000", "silent"])
  }

  @Test("Who refuses after a look at the data is asked again, a few times")
  func askedAfterReading() {
    var drive = Drive()
    _ = drive.hover()
    _ = drive.status(false)
    #expect(drive.wait() == ["+25", "position 10 copy"])
    drive.handshake.dataRequested(now: drive.now)
    _ = drive.status(false)
    #expect(drive.wait() == ["+100", "position 10 copy"])
    _ = drive.status(true)
    #expect(drive.wait() == ["+100", "accepts"])
    var endless = Drive()
    _ = endless.hover()
    var heard: [String] = []
    while endless.handshake.deadline != nil {
      heard += endless.status(false)
      endless.handshake.dataRequested(now: endless.now)
      heard += endless.wait()
    }
    #expect(heard.filter { $0.hasPrefix("position") }.count == 3)
    #expect(heard.last == "refuses")
  }

  @Test("An answer to the first position is not taken for one to the second")
  func secondAnswerIsAwaited() {
    var drive = Drive()
    _ = drive.hover()
    _ = drive.status(false)
    #expect(drive.wait() == ["+25", "position 10 copy"])
    drive.now += 300
    #expect(drive.status(true) == [])
    #expect(drive.wait() == ["+100", "accepts"])
    var silent = Drive()
    _ = silent.hover()
    _ = silent.status(false)
    #expect(silent.wait() == ["+25", "position 10 copy"])
    #expect(silent.wait() == ["+4000", "silent"])
  }

  @Test("Who never stops answering has answered a second after the first word")
  func flood() {
    var drive = Drive()
    _ = drive.hover()
    var heard: [String] = []
    let end = drive.now + 5_000
    while heard.last != "refuses", drive.now < end {
      heard += drive.status(false)
      drive.now += 20
    }
    #expect(heard == ["position 10 copy", "refuses"])
    #expect(drive.now <= 2_100)
  }

  @Test("A drop that is wanted and then left, or wanted elsewhere, is interrupted")
  func dropGivenUp() {
    for isLeft in [true, false] {
      var drive = Drive()
      _ = drive.hover()
      _ = drive.status(true)
      _ = drive.drop()
      let said = isLeft ? drive.leave() : drive.hover(x: 60)
      #expect(said.contains("end \(DragAnswer.refuses(.interrupted))"))
      while drive.handshake.deadline != nil { #expect(!drive.wait().contains("drop")) }
    }
  }

  @Test("Every message in every phase is answered, and none out of its turn does anything")
  func total() {
    let messages: [XdndMessage] = [
      .status(target: window, .accepts(.copy)),
      .status(target: XWindow(rawValue: 9), .accepts(.copy)),
      .finished(target: window, .failed(.programFailed)),
      .finished(target: XWindow(rawValue: 9), .failed(.programFailed)),
      .enter(source: window, version: 5, types: []), .leave(source: window),
      .drop(source: window, time: 0),
    ]
    for message in messages {
      var idle = Drive()
      #expect(idle.handshake.receive(message, now: 1).isEmpty)
      #expect(idle.drop().isEmpty && idle.handshake.stay(now: 1).isEmpty)
      var hovering = Drive()
      _ = hovering.hover()
      let before = hovering.handshake.deadline
      #expect(hovering.handshake.receive(message, now: 1).isEmpty)
      // Only its own target's status is an answer, after which the place is asked again sooner.
      #expect((hovering.handshake.deadline == before) == (message != messages[0]))
      var dropped = Drive()
      _ = dropped.hover()
      dropped.answer(true)
      _ = dropped.drop()
      _ = dropped.wait()
      #expect(dropped.hover() == [] && dropped.leave() == [])
      let end = dropped.handshake.receive(message, now: 1)
      #expect(end.isEmpty == (message != messages[2]))
    }
  }
}
