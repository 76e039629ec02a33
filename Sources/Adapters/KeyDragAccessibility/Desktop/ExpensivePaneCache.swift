import KeyDragBus
import KeyDragCore

/// Caches a program's answers about its panes, because giving them makes a screen reader talk: a
/// pure value.
///
/// Thunar sets the name and the description of a folder's view anew whenever GTK asks for the
/// view's accessible (`thunar_details_view_get_accessible`): when the page that holds it is asked
/// for its children or its states, when that page's parent is asked which children are shown, and
/// when an element of the view is asked for its parent. Each time it signals both as changed, and
/// Orca 47 and newer speak the description. These answers stay the same while the view is shown.
///
/// Other programs' panes are cached too, at the cost of one query of their states.
struct ExpensivePaneCache: Sendable {
  private struct Answer {
    var values: [BusValue]
    var pane: ElementID
    /// The element's child count, for an answer that lists children.
    var count: Int?
  }

  private var panes: Set<ElementID> = []
  /// Elements that hold a pane, with that pane.
  private var holders: [ElementID: ElementID] = [:]
  private var answers: [BusRequest: Answer] = [:]
  /// Recent questions that led to an element, or asked for its states, before its role was known.
  private var recent: [ElementID: [(question: BusRequest, values: [BusValue])]] = [:]

  /// Beyond this, all other panes are forgotten.
  private static let mostPanes = 64
  /// Beyond this, all recent questions are forgotten.
  private static let mostRecent = 2000
  /// Longer answers are the rows of a list.
  private static let mostListed = 4
  static let role = "directory pane"

  /// The cached answers, by the indices of their questions, and the checks to send instead: whether
  /// the panes are still shown, and whether anything has appeared beside them.
  func known(_ questions: [BusRequest]) -> (answers: [Int: [BusValue]], checks: [BusRequest]) {
    guard !answers.isEmpty else { return ([:], []) }
    var result: [Int: [BusValue]] = [:]
    var checks: [BusRequest] = []
    for (place, question) in questions.enumerated() {
      guard let answer = answers[question] else { continue }
      result[place] = answer.values
      for check in [answer.pane.states, Self.count(question)].compactMap(\.self)
      where !checks.contains(check) { checks.append(check) }
    }
    return (result, checks)
  }

  /// Applies the results of the checks; `false` when something cached no longer holds, and was
  /// forgotten.
  mutating func confirm(_ checks: [BusRequest], _ values: ArraySlice<[BusValue]?>) -> Bool {
    var holds = true
    for (check, values) in zip(checks, values) {
      if check.call.member == "GetState" {
        let pane = ElementID(program: check.program, path: check.call.path)
        guard AtspiReplyDecoder.states(values)?.contains(.showing) != true else { continue }
        // A hidden pane may be another one when it reappears.
        forget { $0 == pane }
        holds = false
      } else {
        let count = AtspiReplyDecoder.number(values)
        for (question, answer) in answers where Self.count(question) == check {
          if answer.count == nil { answers[question]?.count = count }
          // Something new stands beside the pane.
          guard let before = answer.count, before != count else { continue }
          answers[question] = nil
          holds = false
        }
      }
    }
    return holds
  }

  /// The child count to check, for a question that lists children.
  private static func count(_ question: BusRequest) -> BusRequest? {
    guard ["GetMatches", "GetChildren"].contains(question.call.member) else { return nil }
    return ElementID(program: question.program, path: question.call.path).childCount
  }

  /// Learns from an answer which elements are panes, and what leads to them.
  mutating func learn(_ question: BusRequest, _ values: [BusValue]?) {
    guard let values else { return }
    let element = ElementID(program: question.program, path: question.call.path)
    if question.call.member == "GetRole" {
      guard AtspiReplyDecoder.role(values) == Self.role, panes.insert(element).inserted else {
        return
      }
      if panes.count > Self.mostPanes { forget { $0 != element } }
      takeRecent(about: element, of: element)
      return
    }
    let led = Self.elements(of: question, values)
    guard (1...Self.mostListed).contains(led.count) else { return }
    if panes.contains(element) {
      guard Self.count(question) != nil else { return }
      // Its children need not be asked for their parent.
      let parent = BusValue.tuple([.string(element.program), .path(element.path)])
      for child in led {
        answers[child.parent] = Answer(values: [.variant(parent)], pane: element)
      }
    } else if let pane = led.compactMap({ panes.contains($0) ? $0 : holders[$0] }).first {
      remember(question, values, of: pane)
    } else {
      if recent.count > Self.mostRecent { recent = [:] }
      for element in led {
        let known = recent[element] ?? []
        guard !known.contains(where: { $0.question == question }) else { continue }
        recent[element] = known + [(question, values)]
      }
    }
  }

  /// Caches an answer, and those that lead to its element.
  private mutating func remember(
    _ question: BusRequest, _ values: [BusValue], of pane: ElementID
  ) {
    answers[question] = Answer(values: values, pane: pane)
    let holder = ElementID(program: question.program, path: question.call.path)
    guard Self.count(question) != nil, Self.elements(of: question, values).contains(pane),
      holders[holder] == nil
    else { return }
    holders[holder] = pane
    takeRecent(about: holder, of: pane)
  }

  /// Caches what was asked about an element before it was known to be a pane, or to hold one.
  private mutating func takeRecent(about element: ElementID, of pane: ElementID) {
    for (question, values) in recent.removeValue(forKey: element) ?? [] {
      // The pane itself is asked for its states each time.
      if question != pane.states { remember(question, values, of: pane) }
    }
  }

  /// The elements that an answer leads to, where it makes the program look each of them up.
  private static func elements(of question: BusRequest, _ values: [BusValue]) -> [ElementID] {
    let call = question.call
    return switch call.member {
    case "GetMatches" where call.arguments.last == .bool(true): []
    case "GetMatches", "GetChildren": AtspiReplyDecoder.elements(values) ?? []
    case "GetState": [ElementID(program: question.program, path: call.path)]
    case "Get" where call.arguments.last == .string("Parent"):
      [AtspiReplyDecoder.element(values)].compactMap(\.self)
    default: []
    }
  }

  mutating func forget(program: String) {
    forget { $0.program == program }
    recent = recent.filter { $0.key.program != program }
  }

  private mutating func forget(_ isGone: (ElementID) -> Bool) {
    panes = panes.filter { !isGone($0) }
    holders = holders.filter { !isGone($0.value) }
    answers = answers.filter { !isGone($0.value.pane) }
  }
}
