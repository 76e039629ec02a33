import KeyDragCore

/// The text that is selected: in an element, in what stands in its text, and in the lines around
/// it.
///
/// Parts are put together in their order, each on a line of its own where it stands on one. Rather
/// nothing is given than a part of what is selected.
extension ProgramBus {
  /// Stands in a text for something that has a text of its own, such as a paragraph of a page.
  private static let embedded: Unicode.Scalar = "\u{FFFC}"
  /// A selection of more parts is not read: some of it would pass for all of it.
  private static let mostParts = 1_000
  /// Texts within texts.
  private static let deepest = 24
  /// Whoever picks up waits.
  private static let patience = Duration.seconds(2)
  /// Parts of a line; all others stand on lines of their own.
  private static let inline: Set<String> = [
    "link", "static", "label", "image", "text", "entry", "push button", "check box", "footnote",
  ]
  /// The lines of a document, each of which is an element.
  private static let lines: Set<String> = ["paragraph", "heading"]

  /// The parts and the time that are left for looking.
  private struct Allowance {
    /// Elements that may still be asked.
    var parts = ProgramBus.mostParts
    /// When looking ends.
    let end = ContinuousClock.now + ProgramBus.patience
    /// Something was left out.
    var isSpent = false

    /// `false` where there is nothing left.
    ///
    /// Once there was nothing left there is never anything again.
    mutating func take(depth: Int = 0) -> Bool {
      parts -= 1
      if parts < 0 || depth >= ProgramBus.deepest || ContinuousClock.now >= end { isSpent = true }
      return !isSpent
    }
  }

  /// One element's part of a selection.
  private struct Part {
    /// As it is selected there.
    var text: String
    /// Whether it begins where the element's text begins.
    var reachesStart: Bool
    /// Whether it ends where that text ends.
    var reachesEnd: Bool
  }

  /// The selected text of an element; nothing from one that may be a password field, and none where
  /// not all of it can be had.
  func selectedText(of element: ElementID, most: Int) async throws(Reason) -> String? {
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
      } else if Self.lines.contains(AccessibleAnswers.role(try await ask(element.role)) ?? ""),
        let all = try await lines(around: element, own, &allowance, most: most)
      {
        text = all
      }
    }
    guard !allowance.isSpent, text.unicodeScalars.count <= most else { return nil }
    let isEmpty = text.allSatisfy { $0.isWhitespace || $0.unicodeScalars.first == Self.embedded }
    return isEmpty ? nil : text
  }

  /// The outermost element around one whose text has a selection as well: what is in focus in a
  /// page may be a part of what is selected there.
  private func outermost(
    around element: ElementID, _ allowance: inout Allowance
  ) async throws(Reason) -> ElementID {
    var outer = element
    while allowance.take(),
      let parent = AccessibleAnswers.element(try await ask(outer.parent)),
      try await offers("Text", parent), try await selection(of: parent) != nil
    {
      outer = parent
    }
    return outer
  }

  /// The first selection of a text; `nil` where there is none, or nothing in it.
  private func selection(of element: ElementID) async throws(Reason) -> Range<Int>? {
    Self.selection(try await ask(element.ask("Text", "GetSelection", .int32(0))))
  }

  /// A selection as it is told; an empty one is none.
  private static func selection(_ told: [BusValue]?) -> Range<Int>? {
    guard let told, told.count == 2, let start = told[0].number, let end = told[1].number,
      start >= 0, end > start
    else { return nil }
    return start..<end
  }

  /// The selection in an element and in all that stands in its text.
  ///
  /// - Parameter most: how many characters are wanted.
  private func selected(
    in element: ElementID, _ allowance: inout Allowance, depth: Int, most: Int
  ) async throws(Reason) -> Part? {
    guard allowance.take(depth: depth) else { return nil }
    let answers = try await ask([
      element.ask("Text", "GetSelection", .int32(0)),
      element.property("CharacterCount", of: "Text"),
    ])
    // One more than is wanted, so that what is cut is known to be.
    guard let range = Self.selection(answers[0]),
      let raw = try await text(
        of: element, from: range.lowerBound, to: range.upperBound, most: most + 1)
    else { return nil }
    let count = AccessibleAnswers.number(answers[1]) ?? 0
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
      let role = AccessibleAnswers.role(try await ask(inner.role)) ?? ""
      // A password within a text is left out of it.
      if role == "password text" { continue }
      let isOwnLine = !Self.inline.contains(role)
      if isOwnLine, !part.text.isEmpty, part.text.last?.isNewline != true { part.text += "\n" }
      if let found = try await selected(in: inner, &allowance, depth: depth + 1, most: most) {
        part.text += found.text
      } else if role == "image" {
        part.text += AccessibleAnswers.name(try await ask(inner.name))
      }
      if isOwnLine, part.text.last?.isNewline != true { part.text += "\n" }
    }
    while part.text.last?.isNewline == true, raw.last?.isNewline != true { part.text.removeLast() }
    return part
  }

  /// The object that stands in a text at an offset.
  private func object(at offset: Int, in element: ElementID) async throws(Reason) -> ElementID? {
    let number = AccessibleAnswers.number(
      try await ask(element.ask("Hypertext", "GetLinkIndex", .int32(Int32(clamping: offset)))))
    guard let number, number >= 0,
      let link = AccessibleAnswers.element(
        try await ask(element.ask("Hypertext", "GetLink", .int32(Int32(clamping: number)))))
    else { return nil }
    let object = try await ask(link.ask("Hyperlink", "GetObject", .int32(0)))
    return AccessibleAnswers.element(object) ?? link
  }

  /// The selected lines of a document of which one is known, as far as they go on to both sides.
  private func lines(
    around element: ElementID, _ own: Part, _ allowance: inout Allowance, most: Int
  ) async throws(Reason) -> String? {
    let answers = try await ask([element.parent, element.indexInParent])
    guard let document = AccessibleAnswers.element(answers[0]),
      let index = AccessibleAnswers.number(answers[1]), index >= 0
    else { return nil }
    var found = [own.text]
    // Both ways from the line that is known.
    for step in [-1, 1] {
      var (next, goesOn) = (index + step, step < 0 ? own.reachesStart : own.reachesEnd)
      while goesOn, next >= 0, allowance.take(),
        let line = AccessibleAnswers.element(try await ask(document.child(next)))
      {
        let part = try await selected(in: line, &allowance, depth: 0, most: most)
        // An empty line has nothing that could be selected.
        let isEmpty =
          AccessibleAnswers.number(
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
