import KeyDragCore

/// Answers that a program's panes need not give again, because giving them makes a screen reader
/// talk: a pure value.
///
/// Thunar sets the name and the description of a folder's view anew whenever GTK asks for the
/// view's accessible (`thunar_details_view_get_accessible`): when the page that holds it is asked
/// for its children or its states, or what is around that which of its children are shown, and when
/// what is in it is asked for its parent. Each time it tells of both as changed, and Orca 47 and
/// newer say the description. These answers stay the same for as long as the view is shown.
///
/// Other programs' panes are treated alike: that costs one question about their states.
struct ExpensivePaneCache: Sendable {
  private struct Answer {
    /// As the program gave them.
    var values: [BusValue]
    /// The pane that the answer is about.
    var pane: ElementID
    /// How many children the element had whose children are told.
    var count: Int?
  }

  /// Elements known to be panes.
  private var panes: Set<ElementID> = []
  /// The elements that hold a pane.
  private var holders: [ElementID: ElementID] = [:]
  /// Answers that need not be asked for again.
  private var answers: [BusQuestion: Answer] = [:]
  /// The questions that lately led to an element, or asked for its states, while it was not known
  /// what it is.
  private var recent: [ElementID: [(question: BusQuestion, values: [BusValue])]] = [:]

  /// Beyond it all others are forgotten.
  private static let mostPanes = 64
  /// Beyond it nothing recent is known.
  private static let mostRecent = 2000
  /// More elements in one answer are the rows of a list.
  private static let mostListed = 4
  /// The role that panes have.
  static let role = "directory pane"

  /// The answers that are known, by the places of their questions, and what has to be asked
  /// instead: whether the panes are still shown, and whether anything has come to stand beside
  /// them.
  func known(_ questions: [BusQuestion]) -> (answers: [Int: [BusValue]], checks: [BusQuestion]) {
    guard !answers.isEmpty else { return ([:], []) }
    var result: [Int: [BusValue]] = [:]
    var checks: [BusQuestion] = []
    for (place, question) in questions.enumerated() {
      guard let answer = answers[question] else { continue }
      result[place] = answer.values
      for check in [answer.pane.states, Self.count(question)].compactMap(\.self)
      where !checks.contains(check) { checks.append(check) }
    }
    return (result, checks)
  }

  /// Takes note of the answers to the checks; `false` where something that was known holds no more,
  /// and is forgotten.
  mutating func confirm(_ checks: [BusQuestion], _ values: ArraySlice<[BusValue]?>) -> Bool {
    var holds = true
    for (check, values) in zip(checks, values) {
      if check.call.member == "GetState" {
        let pane = ElementID(program: check.program, path: check.call.path)
        guard AccessibleAnswers.states(values)?.contains(.showing) != true else { continue }
        // A pane that is hidden may be another when it comes back.
        forget { $0 == pane }
        holds = false
      } else {
        let count = AccessibleAnswers.number(values)
        for (question, answer) in answers where Self.count(question) == check {
          if answer.count == nil { answers[question]?.count = count }
          // Something stands beside the pane that was not there.
          guard let before = answer.count, before != count else { continue }
          answers[question] = nil
          holds = false
        }
      }
    }
    return holds
  }

  /// The number of the children that a question asks for.
  private static func count(_ question: BusQuestion) -> BusQuestion? {
    guard ["GetMatches", "GetChildren"].contains(question.call.member) else { return nil }
    return ElementID(program: question.program, path: question.call.path).childCount
  }

  /// Learns from an answer which elements are panes, and what leads to them.
  mutating func learn(_ question: BusQuestion, _ values: [BusValue]?) {
    guard let values else { return }
    let element = ElementID(program: question.program, path: question.call.path)
    if question.call.member == "GetRole" {
      guard AccessibleAnswers.role(values) == Self.role, panes.insert(element).inserted else {
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
      // What is in it need not be asked for its parent.
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

  /// Keeps an answer, with those that lead to its element.
  private mutating func remember(
    _ question: BusQuestion, _ values: [BusValue], of pane: ElementID
  ) {
    answers[question] = Answer(values: values, pane: pane)
    let holder = ElementID(program: question.program, path: question.call.path)
    guard Self.count(question) != nil, Self.elements(of: question, values).contains(pane),
      holders[holder] == nil
    else { return }
    holders[holder] = pane
    takeRecent(about: holder, of: pane)
  }

  /// Keeps what was asked about an element before it was known to be a pane, or to hold one.
  private mutating func takeRecent(about element: ElementID, of pane: ElementID) {
    for (question, values) in recent.removeValue(forKey: element) ?? [] {
      // The pane itself is asked for its states each time.
      if question != pane.states { remember(question, values, of: pane) }
    }
  }

  /// The elements that an answer leads to, where it makes the program look at each.
  private static func elements(of question: BusQuestion, _ values: [BusValue]) -> [ElementID] {
    let call = question.call
    return switch call.member {
    case "GetMatches" where call.arguments.last == .bool(true): []
    case "GetMatches", "GetChildren": AccessibleAnswers.elements(values) ?? []
    case "GetState": [ElementID(program: question.program, path: call.path)]
    case "Get" where call.arguments.last == .string("Parent"):
      [AccessibleAnswers.element(values)].compactMap(\.self)
    default: []
    }
  }

  /// A program has left the bus.
  mutating func forget(program: String) {
    forget { $0.program == program }
    recent = recent.filter { $0.key.program != program }
  }

  /// Forgets panes with all that was kept for them.
  private mutating func forget(_ isGone: (ElementID) -> Bool) {
    panes = panes.filter { !isGone($0) }
    holders = holders.filter { !isGone($0.value) }
    answers = answers.filter { !isGone($0.value.pane) }
  }
}
