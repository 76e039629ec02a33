/// Moving an item to a position whose number is typed or stepped to.
extension Session {
  /// Asks for the position, starting with the current one, which loses nothing.
  mutating func askForPosition(adding: DragState?) {
    guard let (item, level) = focusedInOrder() else { return }
    let count = sources.count
    open(
      .position(item.id, in: level.container), .position(name: item.name, count: count),
      [.position(level.focus + 1, of: count)], over: .browsing(adding: adding))
  }

  mutating func typeDigits(
    _ text: String, of count: Int, _ question: Question, _ underneath: Phase
  ) {
    let digits = text.count == 1 ? search.text + text : text
    guard let number = Self.number(digits), (1...max(count, 1)).contains(number) else {
      say(.noMatch(text: SpokenName.clean(digits)))
      return
    }
    search.text = digits
    setPosition(number, of: count, question, underneath)
  }

  /// Deletes the last digit; without any the number stays.
  mutating func takeBackDigit(_ question: Question, _ underneath: Phase) {
    if let line { return delete(forward: false, line) }
    guard case .position(_, let count)? = question.current else {
      takeBack()
      return
    }
    if !search.text.isEmpty { search.text.removeLast() }
    guard let number = Self.number(search.text) else {
      sayChoice(question)
      return
    }
    setPosition(number, of: count, question, underneath)
  }

  mutating func setPosition(
    _ number: Int, of count: Int, _ question: Question, _ underneath: Phase
  ) {
    guard (1...max(count, 1)).contains(number) else {
      say(.edge(number < 1 ? .first : .last))
      return
    }
    var question = question
    question.choices = [.position(number, of: count)]
    phase = .confirming(question, over: underneath)
    sayChoice(question)
  }

  mutating func take(
    _ choice: Choice, _ source: DragSourceID, _ container: ContainerID,
    _ underneath: Phase
  ) {
    // It is asked over nothing else, and has no other choice.
    guard case .browsing(let adding) = underneath, case .position(let number, _) = choice else {
      goBack(underneath)
      return
    }
    phase = .browsing(adding: adding)
    // The list may have changed while the question was open.
    guard let old = registry.index(of: source, in: container, hint: browse.view?.top.focus ?? 0),
      let count = registry[container]?.sources?.count
    else {
      say(.operationUnavailable(.move, .gone))
      return
    }
    let index = min(number, count) - 1
    guard index != old else {
      say(.operationUnavailable(.move, .samePlace))
      return
    }
    request(.reorder(source, toIndex: index), for: .reorder(source, in: container))
  }

  /// A number in digits of any writing system; `nil` for anything else or more than nine digits.
  private static func number(_ digits: String) -> Int? {
    guard (1...9).contains(digits.count) else { return nil }
    return digits.reduce(0 as Int?) { sum, digit in
      guard let sum, let value = digit.wholeNumberValue, (0...9).contains(value) else { return nil }
      return sum * 10 + value
    }
  }
}

extension Choice {
  /// Whether it is a typed number or text instead of a line of a menu.
  var standsAlone: Bool {
    switch self {
    case .position, .line: true
    default: false
    }
  }
}
