import KeyDragCore

extension ProgramReader {
  nonisolated func asksLabels(of node: OutlineTree.Node, _ toolkit: Toolkit) -> Bool {
    toolkit.labelled.contains(node.role) && !node.isVirtual
  }

  /// Limit on labels queried for their target.
  private static let mostAsking = 64

  /// Names elements by the labels that their program assigns to them, and marks those labels: one
  /// beside another element is not that one's too.
  func nameByLabels(
    _ outline: inout OutlineTree, _ wanted: [Int]
  ) async throws(Reason) {
    let fields = wanted.filter { asksLabels(of: outline[$0], outline.toolkit) }
    let relations = try await ask(fields.map { outline[$0].id.relations })
    let words = Dictionary(
      outline.nodes.indices.filter { Toolkit.labels.contains(outline[$0].role) }
        .map { (outline[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
    var labels: [Int: [ElementID]] = [:]
    for (index, answer) in zip(fields, relations) {
      labels[index] = AtspiReplyDecoder.labels(answer) { words[$0] != nil }
    }
    // Some programs report the relation on the label only.
    let nameless = fields.filter { index in
      labels[index]?.isEmpty != false && outline.toolkit.name(outline[index].name ?? "").isEmpty
    }
    let places = Dictionary(
      nameless.map { (outline[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
    let asking =
      nameless.isEmpty
      ? [] : words.values.sorted().filter { !outline[$0].isVirtual }.prefix(Self.mostAsking)
    let typed = nameless.filter { Toolkit.typed.contains(outline[$0].role) }
    let answers = try await ask(
      asking.map { outline[$0].id.relations }
        + typed.map { outline[$0].id.property("Description") })
    for (field, answer) in zip(typed, answers.dropFirst(asking.count)) {
      outline[field].description = AtspiReplyDecoder.name(answer)
    }
    for (label, answer) in zip(asking, answers) {
      for field in AtspiReplyDecoder.labels(answer, isLabel: { places[$0] != nil }) {
        if let index = places[field] { labels[index, default: []].append(outline[label].id) }
      }
    }
    let named = fields.filter { labels[$0]?.isEmpty == false }
    let all = named.flatMap { labels[$0] ?? [] }
    guard !all.isEmpty else { return }
    let told = try await ask(all.map(\.name))
    var names = told.map { AtspiReplyDecoder.name($0) }[...]
    for index in named {
      let count = labels[index]?.count ?? 0
      let own = names.prefix(count).filter { !$0.isEmpty }
      names = names.dropFirst(count)
      guard !own.isEmpty else { continue }
      // The typed text of a combo box is an element of its own.
      let texts = outline[index].children.filter {
        Toolkit.typed.contains(outline[$0].role) && outline[$0].name?.isEmpty != false
      }
      for index in [index] + texts { outline[index].name = own.joined(separator: " ") }
    }
    let taken = Set(all)
    for index in outline.nodes.indices where taken.contains(outline[index].id) {
      outline[index].isLabelOfAnother = true
    }
  }

  /// Longer text under an icon is no name.
  private static let longestCaption = 1_024

  /// Names nameless icons by their text: those in the icon view of GTK 3 have nothing else.
  func nameIconsByText(
    _ outline: inout OutlineTree, _ wanted: [Int]
  ) async throws(Reason) {
    let nameless = wanted.filter {
      outline[$0].role == "icon" && outline[$0].name?.isEmpty != false
    }
    let end = Int32(Self.longestCaption)
    let texts = try await ask(
      nameless.map { outline[$0].id.ask("Text", "GetText", .int32(0), .int32(end)) })
    for (index, answer) in zip(nameless, texts) {
      outline[index].name = AtspiReplyDecoder.name(answer)
    }
  }
}
