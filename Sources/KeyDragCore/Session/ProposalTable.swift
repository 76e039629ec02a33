/// The answers of the places, a few bytes a stop: most places answer alike, so that equal answers
/// are kept once.
package struct ProposalTable: Sendable {
  private var codes: [DropStop: UInt32] = [:]
  /// Answers to what was held or wished before, shown until new ones come.
  private var expired: [DropStop: UInt32] = [:]
  private var distinct: [DropProposal] = []
  private var codeOf: [DropProposal: UInt32] = [:]

  package init() {}

  package var count: Int { codes.count }

  package subscript(_ stop: DropStop) -> DropProposal? {
    (codes[stop] ?? expired[stop]).map { distinct[Int($0)] }
  }

  /// Whether a stop has answered to what is held and wished now.
  package func isAnswered(_ stop: DropStop) -> Bool { codes[stop] != nil }

  /// All is asked anew: answers so far are shown, and not relied on.
  package mutating func expire() {
    expired.merge(codes) { _, new in new }
    codes = [:]
  }

  /// Nothing is asked any more.
  package mutating func forgetExpired() { expired = [:] }

  /// Takes the newest answers.
  package mutating func merge(_ answers: [Answer]) {
    // The first round answers everything: the table is made in one go.
    if codes.isEmpty { codes.reserveCapacity(answers.count) }
    for answer in answers { codes[answer.stop] = code(of: answer.proposal) }
  }

  /// Forgets what a place said at any of its positions.
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
