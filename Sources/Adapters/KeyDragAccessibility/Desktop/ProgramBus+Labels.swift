import KeyDragCore

extension ProgramBus {
  /// Whether an element is asked for the labels that are for it: it has no name of its own.
  nonisolated func asksLabels(of node: ElementOutline.Node, _ toolkit: Toolkit) -> Bool {
    toolkit.labelled.contains(node.role) && !node.isMadeOnDemand
      && toolkit.name(node.name ?? "").isEmpty
  }

  /// Names what has no name of its own by the labels that its program says are for it, and notes of
  /// those that they are: a label beside another element is not that one's too.
  func nameByLabels(
    _ outline: inout ElementOutline, _ wanted: [Int]
  ) async throws(Reason) {
    let nameless = wanted.filter { asksLabels(of: outline[$0], outline.toolkit) }
    let relations = try await ask(nameless.map { outline[$0].id.relations })
    let labels = relations.map { AccessibleAnswers.labels($0) }
    let all = labels.flatMap { $0 }
    guard !all.isEmpty else { return }
    let answers = try await ask(all.map(\.name))
    var names = answers.map { AccessibleAnswers.name($0) }[...]
    for (index, labels) in zip(nameless, labels) {
      let own = names.prefix(labels.count).filter { !$0.isEmpty }
      names = names.dropFirst(labels.count)
      if !own.isEmpty { outline[index].name = own.joined(separator: " ") }
    }
    let taken = Set(all)
    for index in outline.nodes.indices where taken.contains(outline[index].id) {
      outline[index].isLabelOfAnother = true
    }
  }

  /// Longer words under an icon are no name.
  private static let longestCaption = 1_024

  /// Names icons that have no name by the text that they are: those in the icon view of GTK 3 have
  /// nothing else.
  func nameIconsByText(
    _ outline: inout ElementOutline, _ wanted: [Int]
  ) async throws(Reason) {
    let nameless = wanted.filter {
      outline[$0].role == "icon" && outline[$0].name?.isEmpty != false
    }
    let end = Int32(Self.longestCaption)
    let texts = try await ask(
      nameless.map { outline[$0].id.ask("Text", "GetText", .int32(0), .int32(end)) })
    for (index, answer) in zip(nameless, texts) {
      outline[index].name = AccessibleAnswers.name(answer)
    }
  }
}
