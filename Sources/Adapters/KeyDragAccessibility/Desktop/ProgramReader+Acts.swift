import CAtspi
import KeyDragCore

extension ProgramReader {
  /// Further actions are ignored.
  private static let mostActions = 32

  /// Whether an element implements an interface: GTK answers every call, but complains on standard
  /// error where the element lacks the interface.
  func offers(_ interface: String, _ element: ElementID) async throws(Reason) -> Bool {
    try await interfaces(of: [element]).first?.contains(interface) == true
  }

  // MARK: Text

  /// At most `most` characters; never the text of a password field.
  package func text(of element: ElementID, most: Int) async throws(Reason) -> String? {
    guard try await !isPassword(element), try await offers("Text", element) else { return nil }
    let count = try await ask(element.property("CharacterCount", of: "Text"))
    guard let count = AtspiReplyDecoder.number(count) else { return nil }
    return try await text(of: element, from: 0, to: count, most: most)
  }

  /// A part of a text, cut off where a program gives more than was asked for.
  func text(
    of element: ElementID, from start: Int, to end: Int, most: Int
  ) async throws(Reason) -> String? {
    // In characters as the program counts them.
    let end = min(end, start + max(most, 0))
    let answer = try await ask(
      element.ask(
        "Text", "GetText", .int32(Int32(clamping: start)), .int32(Int32(clamping: end))))
    return AtspiReplyDecoder.text(answer).map { String($0.prefix(max(most, 0))) }
  }

  // MARK: Actions

  /// The names of the actions of each element.
  package func actions(of elements: [ElementID]) async throws(Reason) -> [[String]] {
    try await namedActions(of: elements).map { $0.filter { !$0.isEmpty } }
  }

  /// The action names of each element; nameless ones keep their index.
  private func namedActions(of elements: [ElementID]) async throws(Reason) -> [[String]] {
    let having = zip(elements, try await interfaces(of: elements)).map { $1.contains("Action") }
    let asked = elements.indices.filter { having[$0] }
    let answers = try await ask(asked.map { elements[$0].property("NActions", of: "Action") })
    var counts = [Int](repeating: 0, count: elements.count)
    for (index, answer) in zip(asked, answers) {
      counts[index] = min(max(AtspiReplyDecoder.number(answer) ?? 0, 0), Self.mostActions)
    }
    let offers = zip(elements, counts).map { element, count in
      (0..<count).map { element.ask("Action", "GetName", .int32(Int32($0))) }
    }
    var names = try await ask(offers.flatMap { $0 })[...]
    return offers.map { questions in
      defer { names = names.dropFirst(questions.count) }
      return names.prefix(questions.count).map { AtspiReplyDecoder.name($0) }
    }
  }

  /// `false` when the element has no action of that name.
  package func perform(_ action: String, on element: ElementID) async throws(Reason) -> Bool {
    let offered = try await namedActions(of: [element])
    guard let index = offered.first?.firstIndex(of: action) else { return false }
    return try await act(.perform(index), on: element)
  }

  package func takeFocus(_ element: ElementID) async throws(Reason) -> Bool {
    try await act(.takeFocus, on: element)
  }

  /// Performs what blocks for the program's answer.
  ///
  /// - Throws: ``Reason/notResponding`` at once for a program known to be silent.
  func act(
    _ action: AtspiActions.Action, on element: ElementID
  ) async throws(Reason) -> Bool {
    guard await connected() != nil, let address else { throw .noAccessibility }
    guard !silent.contains(element.program) else { throw .notResponding }
    do throws(Reason) {
      return try await AtspiActions.shared.act(action, on: element, at: address)
    } catch {
      if error == .notResponding { fallSilent(element.program) }
      throw error
    }
  }
}
