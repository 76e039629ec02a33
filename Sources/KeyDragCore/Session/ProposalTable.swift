/// The answers of the places in a few bytes per stop: equal ones, mostly, are stored once.
package struct ProposalTable: Sendable {
  private var codes: [DropStop: UInt32] = [:]
  /// Stale answers to earlier items or wishes, shown until new ones arrive.
  private var expired: [DropStop: UInt32] = [:]
  private var distinct: [DropProposal] = []
  private var codeOf: [DropProposal: UInt32] = [:]

  package init() {}

  package var count: Int { codes.count }

  package subscript(_ stop: DropStop) -> DropProposal? {
    (codes[stop] ?? expired[stop]).map { distinct[Int($0)] }
  }

  /// Whether a stop has answered for the current items and wish.
  package func isAnswered(_ stop: DropStop) -> Bool { codes[stop] != nil }

  /// Marks all answers as stale: they are shown but not relied on.
  package mutating func expire() {
    expired.merge(codes) { _, new in new }
    codes = [:]
  }

  /// Drops stale answers when no more questions are pending.
  package mutating func forgetExpired() { expired = [:] }

  package mutating func merge(_ answers: [Answer]) {
    // The first round answers everything: allocate once.
    if codes.isEmpty { codes.reserveCapacity(answers.count) }
    for answer in answers { codes[answer.stop] = code(of: answer.proposal) }
  }

  package mutating func forget(_ point: DropPointID) {
    for position in DropPosition.allCases {
      codes[DropStop(point, position)] = nil
      expired[DropStop(point, position)] = nil
    }
  }

  private mutating func code(of proposal: DropProposal) -> UInt32 {
    if let known = codeOf[proposal] { return known }
    let code = UInt32(distinct.count)
    distinct.append(proposal)
    codeOf[proposal] = code
    return code
  }
}
