import OrderedCollections

/// What the places said, by stop. Thousands of equal answers are kept once.
package struct Proposals: Sendable {
  /// Answers that many stops give, each once.
  private var shared: [Proposal] = []
  private var sharedNumbers: [Proposal: Int32] = [:]
  /// Answers that name items, one for each stop that gave one.
  private var own: [Proposal] = []
  private var free: [Int32] = []
  /// From 0 on a place in ``shared``, below it the complement of one in ``own``.
  private var numbers: OrderedDictionary<DropStop, Int32> = [:]
  private static let none = Int32.max

  package init() {}

  /// Makes room for this many stops.
  package mutating func reserve(_ count: Int) {
    if count > numbers.count { numbers.reserveCapacity(count) }
  }

  package subscript(stop: DropStop) -> Proposal? {
    get {
      guard let number = numbers[stop], number != Proposals.none else { return nil }
      return number >= 0 ? shared[Int(number)] : own[Int(~number)]
    }
    set {
      let old = numbers[stop] ?? Proposals.none
      guard let newValue else {
        if old != Proposals.none { numbers[stop] = Proposals.none }
        release(old)
        return
      }
      if Proposals.isCommon(newValue) {
        release(old)
        numbers[stop] = number(of: newValue)
      } else if old < 0 {
        own[Int(~old)] = newValue
      } else {
        numbers[stop] = ~place(newValue)
      }
    }
  }

  /// Whether comparing it costs next to nothing, however many items are carried.
  private static func isCommon(_ proposal: Proposal) -> Bool {
    if case .some = proposal.acceptance { return false }
    return proposal.predictions.isEmpty
  }

  private mutating func number(of proposal: Proposal) -> Int32 {
    if let known = sharedNumbers[proposal] { return known }
    let number = Int32(shared.count)
    shared.append(proposal)
    sharedNumbers[proposal] = number
    return number
  }

  private mutating func place(_ proposal: Proposal) -> Int32 {
    if let place = free.popLast() {
      own[Int(place)] = proposal
      return place
    }
    own.append(proposal)
    return Int32(own.count - 1)
  }

  private mutating func release(_ number: Int32) {
    guard number < 0 else { return }
    own[Int(~number)] = Proposal(.maybe)
    free.append(~number)
  }
}
