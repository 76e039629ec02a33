import CAtspi
import Testing

@testable import KeyDragAccessibility
@testable import KeyDragBus
@testable import KeyDragCore

@Suite("Answers of a pane that would make a screen reader talk")
struct PaneAnswersTests {
  private func element(_ number: Int) -> ElementID {
    ElementID(program: ":1.7", path: "/org/a11y/atspi/accessible/\(number)")
  }

  private func reference(_ number: Int) -> BusValue {
    .tuple([.string(":1.7"), .path(element(number).path)])
  }

  private func list(_ numbers: Int...) -> [BusValue] {
    [.array(of: "(so)", numbers.map(reference))]
  }

  private func states(_ states: AccessibleStates) -> [BusValue] {
    let bits = states.rawValue
    return [.array(of: "u", [.uint32(UInt32(bits & 0xFFFF_FFFF)), .uint32(UInt32(bits >> 32))])]
  }

  private var directoryPane: [BusValue] { [.uint32(ATSPI_ROLE_DIRECTORY_PANE.rawValue)] }
  private var page: ElementID { element(1) }
  private var pane: ElementID { element(2) }
  private var table: ElementID { element(3) }
  private var children: BusRequest { page.firstChildren(4) }

  private var tabs: ElementID { element(4) }
  private var shownTabs: BusRequest {
    tabs.matches(MatchRule(states: .showing), most: 2000, isDeep: false)
  }

  /// A page, in a list of tabs, with a pane with a table in it, read once.
  private func read() -> ExpensivePaneCache {
    var answers = ExpensivePaneCache()
    answers.learn(shownTabs, list(1))
    answers.learn(page.states, states([.showing]))
    answers.learn(children, list(2))
    answers.learn(pane.states, states([.showing]))
    answers.learn(pane.role, directoryPane)
    answers.learn(pane.firstChildren(4), list(3))
    answers.learn(pane.parent, [.variant(reference(1))])
    return answers
  }

  @Test("What leads to the pane, from the outside and from within, is asked once")
  func once() {
    let answers = read()
    let questions = [
      children, table.parent, page.states, shownTabs,
      pane.firstChildren(4), pane.states, page.parent, table.states,
    ]
    let known = answers.known(questions)
    #expect(Set(known.answers.keys) == [0, 1, 2, 3])
    #expect(known.answers[0] == list(2))
    #expect(AtspiReplyDecoder.element(known.answers[1]) == pane)
    #expect(AtspiReplyDecoder.states(known.answers[2]) == [.showing])
    #expect(known.checks == [pane.states, page.childCount, tabs.childCount])
  }

  @Test("Nothing is known of other elements, of many at once, and of what a search found")
  func others() {
    var answers = read()
    answers.learn(element(5).firstChildren(4), list(6))
    answers.learn(element(6).role, [.uint32(ATSPI_ROLE_PANEL.rawValue)])
    answers.learn(element(7).children, list(2, 8, 9, 10, 11))
    answers.learn(element(8).matches(MatchRule(states: .focused), most: 16, isDeep: true), list(2))
    let questions = [
      element(5).firstChildren(4), element(7).children,
      element(8).matches(MatchRule(states: .focused), most: 16, isDeep: true),
    ]
    #expect(answers.known(questions).answers.isEmpty)
  }

  @Test("A pane that is shown no more, or has got company, is asked anew")
  func changes() {
    let shown = states([.showing, .visible])
    for (isShown, counts, isKnown) in [
      (true, [1, 1], true), (true, [1, 2], false), (false, [1, 1], false),
    ] {
      var answers = read()
      let checks = answers.known([children]).checks
      let holds = answers.confirm(checks, [shown, [.variant(.int32(Int32(counts[0])))]])
      #expect(holds)
      let later: [[BusValue]?] = [
        isShown ? shown : states([]), [.variant(.int32(Int32(counts[1])))],
      ]
      let stillHolds = answers.confirm(checks, later[...])
      #expect(stillHolds == isKnown)
      #expect(answers.known([children]).answers.isEmpty == !isKnown)
    }
    var gone = read()
    let isThere = gone.confirm([pane.states], [nil])
    #expect(!isThere)
    var left = read()
    left.forget(program: ":1.7")
    #expect(left.known([children]).answers.isEmpty)
  }
}
