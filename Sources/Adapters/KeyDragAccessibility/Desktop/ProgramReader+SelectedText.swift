import KeyDragBus
import KeyDragCore

/// The selected text: in an element, in the objects embedded in its text, and in the lines around
/// it. Parts are joined in order, each on its own line where it stands on one. An incomplete
/// selection gives nothing rather than a part.
extension ProgramReader {
  /// Placeholder in a text for an object with a text of its own, such as a paragraph of a page.
  private static let embedded: Unicode.Scalar = "\u{FFFC}"
  /// A selection of more parts is not read: some of it would pass for all of it.
  private static let mostParts = 1_000
  private static let deepest = 24
  /// The user waits for the pickup.
  private static let patience = Duration.seconds(2)
  /// Inline roles; all others stand on lines of their own.
  private static let inline: Set<String> = [
    "link", "static", "label", "image", "text", "entry", "push button", "check box", "footnote",
  ]
  /// Roles of a document's lines.
  private static let lines: Set<String> = ["paragraph", "heading"]

  /// The remaining budget of elements and time.
  private struct Allowance {
    var parts = ProgramReader.mostParts
    let end = ContinuousClock.now + ProgramReader.patience
    /// Something was left out.
    var isSpent = false

    /// `false` once the budget is spent, for good.
    mutating func take(depth: Int = 0) -> Bool {
      parts -= 1
      if parts < 0 || depth >= ProgramReader.deepest || ContinuousClock.now >= end {
        isSpent = true
      }
      return !isSpent
    }
  }

  private struct Part {
    var text: String
    /// Begins where the element's text begins.
    var reachesStart: Bool
    /// Ends where that text ends.
    var reachesEnd: Bool
  }

  /// The selected text of an element; `nil` for a possible password field, and when not all of it
  /// can be read.
  package func selectedText(of element: ElementID, most: Int) async throws(Reason) -> String? {
    guard try await !isPassword(element), try await offers("Text", element) else { return nil }
    var allowance = Allowance()
    guard let own = try await selected(in: element, &allowance, depth: 0, most: most) else {
      return nil
    }
    var text = own.text
    if own.reachesStart || own.reachesEnd {
      let outer = try await outermost(around: element, &allowance)
      if outer != element {
        text = try await selected(in: outer, &allowance, depth: 0, most: most)?.text ?? ""
      } else if Self.lines.contains(AtspiReplyDecoder.role(try await ask(element.role)) ?? ""),
        let all = try await lines(around: element, own, &allowance, most: most)
      {
        text = all
      }
    }
    guard !allowance.isSpent, text.unicodeScalars.count <= most else { return nil }
    let isEmpty = text.allSatisfy { $0.isWhitespace || $0.unicodeScalars.first == Self.embedded }
    return isEmpty ? nil : text
  }

  /// The outermost ancestor whose text has a selection as well: the focused element of a page may
  /// be only a part of what is selected there.
  private func outermost(
    around element: ElementID, _ allowance: inout Allowance
  ) async throws(Reason) -> ElementID {
    var outer = element
    while allowance.take(),
      let parent = AtspiReplyDecoder.element(try await ask(outer.parent)),
      try await offers("Text", parent), try await selection(of: parent) != nil
    {
      outer = parent
    }
    return outer
  }

  /// The first selection of a text; `nil` when there is none, or it is empty.
  private func selection(of element: ElementID) async throws(Reason) -> Range<Int>? {
    Self.selection(try await ask(element.ask("Text", "GetSelection", .int32(0))))
  }

  /// An empty range is no selection.
  private static func selection(_ told: [BusValue]?) -> Range<Int>? {
    guard let told, told.count == 2, let start = told[0].number, let end = told[1].number,
      start >= 0, end > start
    else { return nil }
    return start..<end
  }

  /// The selection in an element and in the objects embedded in its text.
  ///
  /// - Parameter most: in characters.
  private func selected(
    in element: ElementID, _ allowance: inout Allowance, depth: Int, most: Int
  ) async throws(Reason) -> Part? {
    guard allowance.take(depth: depth) else { return nil }
    let answers = try await ask([
      element.ask("Text", "GetSelection", .int32(0)),
      element.property("CharacterCount", of: "Text"),
    ])
    // One more than is wanted, to detect truncation.
    guard let range = Self.selection(answers[0]),
      let raw = try await text(
        of: element, from: range.lowerBound, to: range.upperBound, most: most + 1)
    else { return nil }
    let count = AtspiReplyDecoder.number(answers[1]) ?? 0
    var part = Part(
      text: "", reachesStart: range.lowerBound == 0, reachesEnd: range.upperBound >= count)
    for (place, scalar) in raw.unicodeScalars.enumerated() {
      guard scalar == Self.embedded else {
        part.text.unicodeScalars.append(scalar)
        continue
      }
      guard let inner = try await object(at: range.lowerBound + place, in: element) else {
        continue
      }
      let role = AtspiReplyDecoder.role(try await ask(inner.role)) ?? ""
      // A password within a text is left out.
      if role == "password text" { continue }
      let isOwnLine = !Self.inline.contains(role)
      if isOwnLine, !part.text.isEmpty, part.text.last?.isNewline != true { part.text += "\n" }
      if let found = try await selected(in: inner, &allowance, depth: depth + 1, most: most) {
        part.text += found.text
      } else if role == "image" {
        part.text += AtspiReplyDecoder.name(try await ask(inner.name))
      }
      if isOwnLine, part.text.last?.isNewline != true { part.text += "\n" }
    }
    while part.text.last?.isNewline == true, raw.last?.isNewline != true { part.text.removeLast() }
    return part
  }

  private func object(at offset: Int, in element: ElementID) async throws(Reason) -> ElementID? {
    let number = AtspiReplyDecoder.number(
      try await ask(element.ask("Hypertext", "GetLinkIndex", .int32(Int32(clamping: offset)))))
    guard let number, number >= 0,
      let link = AtspiReplyDecoder.element(
        try await ask(element.ask("Hypertext", "GetLink", .int32(Int32(clamping: number)))))
    else { return nil }
    let object = try await ask(link.ask("Hyperlink", "GetObject", .int32(0)))
    return AtspiReplyDecoder.element(object) ?? link
  }

  /// Extends the selection from a known line of a document to its neighbours on both sides.
  private func lines(
    around element: ElementID, _ own: Part, _ allowance: inout Allowance, most: Int
  ) async throws(Reason) -> String? {
    let answers = try await ask([element.parent, element.indexInParent])
    guard let document = AtspiReplyDecoder.element(answers[0]),
      let index = AtspiReplyDecoder.number(answers[1]), index >= 0
    else { return nil }
    var found = [own.text]
    for step in [-1, 1] {
      var (next, goesOn) = (index + step, step < 0 ? own.reachesStart : own.reachesEnd)
      while goesOn, next >= 0, allowance.take(),
        let line = AtspiReplyDecoder.element(try await ask(document.child(next)))
      {
        let part = try await selected(in: line, &allowance, depth: 0, most: most)
        // An empty line has nothing to select.
        let isEmpty =
          AtspiReplyDecoder.number(
            try await ask(line.property("CharacterCount", of: "Text"))) == 0
        guard part != nil || isEmpty else { break }
        if step < 0 {
          found.insert(part?.text ?? "", at: 0)
        } else {
          found.append(part?.text ?? "")
        }
        goesOn = part.map { step < 0 ? $0.reachesStart : $0.reachesEnd } ?? true
        next += step
      }
    }
    // Empty lines at the ends were not selected.
    while found.count > 1, found.first == "" { found.removeFirst() }
    while found.count > 1, found.last == "" { found.removeLast() }
    return found.joined(separator: "\n")
  }
}
