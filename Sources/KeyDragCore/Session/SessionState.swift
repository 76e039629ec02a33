/// A session as in the transcript's `state` lines: only words that a person could be told.
package struct SessionState: Hashable, Sendable {
  package var phase = PhaseName.browsing
  package var container: String?
  package var app: String?
  package var item: String?
  package var selected: [String] = []
  package var carried = 0
  package var dropPoint: String?
  package var position: DropPosition?
  /// The names on either side of a place between two items.
  package var of: String?
  package var verdict: Verdict?
  package var index: Int?
  package var total: Int?
}

extension Session {
  package var state: SessionState {
    var state = SessionState()
    state.phase = phase.name
    state.container = browse.container.flatMap { registry[$0]?.container.name }
    state.app = browse.container.flatMap { registry[$0]?.container.app }
    state.item = focused?.name
    state.selected = selectedNames
    guard let carry = phase.carry else {
      fillItem(&state)
      return state
    }
    state.carried = carry.items.count
    if case .browsing = phase {
      fillItem(&state)
      return state
    }
    fill(&state, carry)
    return state
  }

  private func fillItem(_ state: inout SessionState) {
    guard let level = browse.view?.top, focused != nil else { return }
    state.index = level.focus + 1
    state.total = sources.count
  }

  /// Up to 100 names: the marked items, then the landed ones in the container shown.
  private var selectedNames: [String] {
    let landed = self.landed.items.filter { $0.container == browse.container }.map(\.name)
    return Array((browse.marks.values.prefix(100).map(\.name) + landed).prefix(100))
  }

  private func fill(_ state: inout SessionState, _ carry: DragState) {
    switch carry.place {
    case .source:
      state.dropPoint = carry.items.first?.name
      state.verdict = Verdict(carry.stage == .ready ? .cancel : .asking)
    case .container(let id):
      state.container = registry[id]?.container.name
      state.app = registry[id]?.container.app
      state.verdict = Verdict(.asking)
    case .stop(let stop):
      guard let report = report(at: stop, carry) else { return }
      state.dropPoint = report.name
      state.container = report.container ?? report.name
      state.app = report.app
      state.position = report.position
      state.of = report.position == .before ? report.before : report.after
      state.verdict = report.verdict
      (state.index, state.total) = (report.index, report.total)
    }
  }
}
