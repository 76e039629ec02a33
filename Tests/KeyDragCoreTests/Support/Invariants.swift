import Synchronization
import Testing

@testable import KeyDragCore

/// What holds after every input.
enum Invariants {
  static func check(_ driver: SessionDriver, _ comment: String) {
    let found = violation(driver)
    #expect(found == nil, "\(comment): \(found ?? "")")
  }

  static func violation(_ driver: SessionDriver) -> String? {
    focus(driver.session) ?? carry(driver.session) ?? arrival(driver) ?? waiting(driver)
      ?? words(driver) ?? question(driver.session)
  }

  private static func focus(_ session: Session) -> String? {
    guard let level = session.browse.view?.top else { return nil }
    let count = session.sources.count
    if count == 0 { return level.focus == 0 ? nil : "focus \(level.focus) of none" }
    if !(0..<count).contains(level.focus) { return "focus \(level.focus) of \(count)" }
    let state = session.state
    if let index = state.index, let total = state.total, !(1...total).contains(index) {
      return "index \(index) of \(total)"
    }
    return nil
  }

  private static func carry(_ session: Session) -> String? {
    guard let carry = session.phase.carry else { return nil }
    if carry.stage != .ready, session.phase.name != .carrying { return "asking outside carrying" }
    if case .preparing = carry.stage { return nil }
    if carry.items.isEmpty { return "carrying nothing" }
    if Set(carry.items.map(\.source)).count != carry.items.count { return "carried twice" }
    if case .stop(let stop) = carry.place, carry.direct == nil {
      guard let point = carry.walk.point(stop.point) else { return "stands on nothing" }
      let isListed = session.registry.entries.values.contains { entry in
        entry.dropPoints?.contains { $0.id == point.id } ?? false
      }
      if point.task == nil, !isListed { return "stands on \(point.name), which is not there" }
    }
    let walk = carry.walk
    let isOutOfOrder = walk.points.indices.contains { index in
      session.registry[walk.points[index].container] != nil
        && session.isInWindow(walk.points[index]) != walk.windowPoints.contains(index)
    }
    if isOutOfOrder { return "places and windows are mixed" }
    if walk.windowBlocks.upperBound > walk.blockCount { return "more places than blocks" }
    return nil
  }

  /// Who waits where places are asked one by one waits for something, and is owed a word.
  private static func arrival(_ driver: SessionDriver) -> String? {
    if let stray = driver.stray { return "said \(stray), which was left" }
    guard case .carrying(let carry) = driver.session.phase, carry.stage == .ready else {
      return nil
    }
    let outstanding = driver.session.outstanding.values
    switch carry.place {
    case .source: return carry.owed == nil ? nil : "owes a word at the source"
    case .container(let id):
      if driver.session.registry[id] == nil { return "in a window that is gone" }
      return outstanding.contains(.listDropPoints(id)) ? nil : "in a window nobody lists"
    case .stop(let stop):
      guard driver.session.isInWindow(carry.place, carry) else { return nil }
      if carry.proposals[stop] != nil { return carry.owed == nil ? nil : "owes an answer" }
      let isAsked = outstanding.contains(.ask(.arrival(stop), round: carry.round))
      return isAsked ? nil : "at a place nobody asks"
    }
  }

  /// What a script waits for: not for places that are asked ahead, or were left.
  private static func isAwaited(_ purpose: Session.Purpose, _ session: Session) -> Bool {
    if case .ask(.ahead, _) = purpose { return false }
    guard case .ask(.arrival(let stop), let round) = purpose else { return true }
    return session.phase.carry?.currentStop == stop && session.phase.carry?.round == round
  }

  private static func waiting(_ driver: SessionDriver) -> String? {
    let session = driver.session
    let isAwaiting = session.outstanding.values.contains { isAwaited($0, session) }
    if session.isWaiting != (isAwaiting || !session.deliveries.isEmpty) {
      return "waiting for nothing"
    }
    var asked: RequestID?
    switch session.phase.carry?.stage {
    case .preparing(let id)?, .asking(let id)?, .dropping(let id)?: asked = id
    case .ready?, nil: break
    }
    if let asked, session.outstanding[asked] == nil { return "waits for an answer nobody owes" }
    let drags = session.outstanding.values.filter { $0 == .prepareCarry }
    if drags.count > 1 { return "two sessions" }
    return nil
  }

  private static func question(_ session: Session) -> String? {
    guard case .confirming(let question, _) = session.phase else { return nil }
    return question.choices.indices.contains(question.index) ? nil : "no choice in focus"
  }

  /// Words that a person should never hear: ids, cases, unfilled places.
  static let rawWords = [
    "keep-both", "keepBoth", "openWith", "not-permitted", "own-descendant", "same-place",
    "Optional(", "DropPoint", "ContainerID", "rawValue", "$@", "  ", "nil",
  ]

  private static func words(_ driver: SessionDriver) -> String? {
    for announcement in driver.announcements where !heard.withLock({ $0.contains(announcement) }) {
      if let fault = fault(of: announcement) { return fault }
      heard.withLock { _ = $0.insert(announcement) }
    }
    return nil
  }

  /// Announcements whose words were found in order: the same ones come thousands of times.
  private static let heard = Mutex<Set<Announcement>>([])

  private static func fault(of announcement: Announcement) -> String? {
    let text = Phrasebook().text(announcement)
    if !text.contains(where: { $0.isLetter || $0.isNumber }) {
      return "nothing said for \(announcement.id)"
    }
    if text.contains("$@") { return "unfilled: \(text)" }
    return rawWords.first(where: text.contains).map { "'\($0)' in: \(text)" }
  }
}
