import CAtspi
import KeyDragCore

/// Finds the place in a text at which a drop on a point of the screen lands. Moves and selects
/// nothing: programs are asked for the places of their characters.
extension ProgramReader {
  /// Margin at the edges of a text that is not aimed at, in pixels: texts scroll there under a
  /// drag.
  private static let edge = 3
  /// One part in so many at each edge of a view scrolls under a drag, in GTK 3.
  private static let scrollingShare = 5

  /// Aims at the caret if it is visible, else at the end of the last visible line. Only positions
  /// that the program maps alike in both directions, from a character to a point and back, are
  /// used.
  ///
  /// - Parameters:
  ///   - visible: the visible part of the text, on the screen.
  ///   - most: the longest text considered, in characters.
  package func textAim(
    of element: ElementID, in program: ProgramFacts, windowOrigin origin: ScreenPoint?,
    within visible: ScreenRectangle, most: Int
  ) async throws(Reason) -> TextDropTarget? {
    let toolkit = Toolkit.of(program)
    guard toolkit.tellsCharacters, try await !isPassword(element),
      try await offers("Text", element)
    else { return nil }
    let answers = try await ask([
      element.property("CharacterCount", of: "Text"), element.property("CaretOffset", of: "Text"),
    ])
    guard let count = AtspiReplyDecoder.number(answers[0]), count > 0, count <= most else {
      return nil
    }
    let text = TextOnScreen(
      element: element, toolkit: toolkit, origin: origin, visible: visible, count: count)
    let (reach, line) = try await steadyReach(of: text)
    if let caret = AtspiReplyDecoder.number(answers[1]), (0...count).contains(caret),
      let aim = try await aim(at: caret, in: text), reach.contains(aim.point.y)
    {
      return aim
    }
    // With the end visible there is nothing below to scroll to.
    if reach.upperBound >= visible.y + visible.height,
      let end = try await aim(at: count, in: text)
    {
      return end
    }
    let bottom = reach.upperBound - line / 2
    guard let last = try await lastLineEnd(above: bottom, in: text) else { return nil }
    return try await aim(at: last, in: text)
  }

  /// The heights at which the middle of a line does not scroll under a drag, and the height of a
  /// line: GTK 3 keeps the whole line of the drop position a fifth of the view away from its edges,
  /// as long as there is more to see on that side.
  private func steadyReach(
    of text: TextOnScreen
  ) async throws(Reason) -> (heights: Range<Int>, line: Int) {
    let (top, bottom) = (text.visible.y, text.visible.y + text.visible.height)
    // With the first character visible there is nothing above to scroll to.
    let first = try await box(of: 0, in: text)
    let isAtTop = first.map { $0.y >= top } ?? false
    var end = try await box(of: text.count, in: text)
    if end == nil { end = try await box(of: text.count - 1, in: text) }
    let isAtEnd = end.map { $0.y + $0.height <= bottom } ?? false
    let line = first?.height ?? end?.height ?? 0
    let margin = text.visible.height / Self.scrollingShare + line / 2 + 1
    let steady = (isAtTop ? top : top + margin, isAtEnd ? bottom : bottom - margin)
    return (steady.0..<max(steady.0, steady.1), line)
  }

  private struct TextOnScreen {
    var element: ElementID
    var toolkit: Toolkit
    /// The origin of its window; `nil` when unknown.
    var origin: ScreenPoint?
    var visible: ScreenRectangle
    var count: Int
  }

  /// Aims before a character; `nil` where the program's answers disagree.
  private func aim(at offset: Int, in text: TextOnScreen) async throws(Reason) -> TextDropTarget? {
    guard let point = try await point(before: offset, in: text),
      try await lies(point, before: offset, in: text),
      var position = try await position(at: offset, in: text.element, count: text.count)
    else { return nil }
    // Long lines may scroll sideways.
    let side = text.visible.width / Self.scrollingShare
    if point.x >= text.visible.x + text.visible.width - side { position.isAtEnd = false }
    return TextDropTarget(point: point, position: position)
  }

  /// The line of a text's caret; `nil` for a text longer than `most` characters, and for a
  /// password.
  package func caretPosition(
    of element: ElementID, most: Int
  ) async throws(Reason) -> TextPosition? {
    guard try await !isPassword(element), try await offers("Text", element) else { return nil }
    let answers = try await ask([
      element.property("CharacterCount", of: "Text"), element.property("CaretOffset", of: "Text"),
    ])
    guard let count = AtspiReplyDecoder.number(answers[0]), count > 0, count <= most,
      let caret = AtspiReplyDecoder.number(answers[1]), (0...count).contains(caret)
    else { return nil }
    return try await position(at: caret, in: element, count: count)
  }

  /// The line of an offset. Reads the whole text.
  private func position(
    at offset: Int, in element: ElementID, count: Int
  ) async throws(Reason) -> TextPosition? {
    guard let before = try await text(of: element, from: 0, to: offset, most: count),
      let after = try await text(of: element, from: offset, to: count, most: count)
    else { return nil }
    return TextPosition(between: before, and: after)
  }

  /// Whether the program maps a point back to an offset: to the character that begins there, or the
  /// end of the one before. Qt gives an edge to the left one of two, and nothing at the end of a
  /// line.
  private func lies(
    _ point: ScreenPoint, before offset: Int, in text: TextOnScreen
  ) async throws(Reason) -> Bool {
    if try await self.offset(at: point, in: text) == offset { return true }
    let right = ScreenPoint(x: point.x + 1, y: point.y)
    if try await self.offset(at: right, in: text) == offset { return true }
    let left = ScreenPoint(x: point.x - Self.edge, y: point.y)
    guard offset > 0 else { return false }
    return try await self.offset(at: left, in: text) == offset - 1
  }

  /// The end of the last line that is partly above a height; searched from the beginnings of lines
  /// where nothing is reported at their ends.
  private func lastLineEnd(
    above bottom: Int, in text: TextOnScreen
  ) async throws(Reason) -> Int? {
    let corner = ScreenPoint(x: text.visible.x + text.visible.width - 1 - Self.edge, y: bottom - 1)
    if let offset = try await offset(at: corner, in: text) { return offset }
    guard let first = try await box(of: 0, in: text) else { return nil }
    let step = max(first.height / 2, Self.edge)
    for y in (1...4).map({ bottom - $0 * step }) where y > text.visible.y {
      let start = ScreenPoint(x: first.x + 1, y: y)
      guard let offset = try await offset(at: start, in: text),
        let line = try await self.text(
          of: text.element, from: offset, to: text.count, most: text.count)
      else { continue }
      return offset + line.unicodeScalars.prefix { !Character($0).isNewline }.count
    }
    return nil
  }

  /// A point at which a drop lands before a character, or behind the last one.
  private func point(
    before offset: Int, in text: TextOnScreen
  ) async throws(Reason) -> ScreenPoint? {
    let own = try await box(of: offset, in: text)
    if let own, let point = Self.point(at: own.x, own, in: text.visible) { return point }
    guard offset > 0, let last = try await box(of: offset - 1, in: text) else { return nil }
    return Self.point(at: last.x + last.width, last, in: text.visible)
  }

  /// A point in a line, near a horizontal place; `nil` when it is not visible.
  private static func point(
    at x: Int, _ box: ScreenRectangle, in visible: ScreenRectangle
  ) -> ScreenPoint? {
    let point = ScreenPoint(
      x: min(max(x, visible.x + edge), visible.x + visible.width - 1 - edge),
      y: box.y + box.height / 2)
    guard abs(point.x - x) <= edge, visible.contains(point) else { return nil }
    return point
  }

  /// The rectangle of a character on the screen; `nil` when it is not reported.
  private func box(
    of offset: Int, in text: TextOnScreen
  ) async throws(Reason) -> ScreenRectangle? {
    let answer = try await ask(
      text.element.ask(
        "Text", "GetCharacterExtents", .int32(Int32(clamping: offset)),
        .uint32(text.toolkit.coordinates.rawValue)))
    guard let told = answer?.map(\.number), told.count == 4, let x = told[0], let y = told[1],
      let width = told[2], let height = told[3], height >= 0
    else { return nil }
    // A character at the end of a line has no width.
    let box = text.toolkit.rectangle(
      ReportedRectangle(x: x, y: y, width: max(width, 1), height: max(height, Self.edge)),
      origin: text.origin
    ).map {
      ScreenRectangle(x: $0.x, y: $0.y, width: width == 0 ? 0 : $0.width, height: $0.height)
    }
    guard height == 0, let box else { return box }
    // KTextEditor 5.103 reports no height, a place outside of the text for what is not shown, and
    // the first character for every point: only drops at the beginning of its text can be aimed at.
    let start = ScreenPoint(x: box.x, y: box.y + 1)
    return try await self.offset(at: start, in: text) == offset ? box : nil
  }

  /// `nil` when no character is reported.
  private func offset(
    at point: ScreenPoint, in text: TextOnScreen
  ) async throws(Reason) -> Int? {
    let isInWindow = text.toolkit.coordinates == ATSPI_COORD_TYPE_WINDOW
    guard let origin = isInWindow ? text.origin : ScreenPoint(x: 0, y: 0) else { return nil }
    let answer = try await ask(
      text.element.ask(
        "Text", "GetOffsetAtPoint", .int32(Int32(clamping: point.x - origin.x)),
        .int32(Int32(clamping: point.y - origin.y)), .uint32(text.toolkit.coordinates.rawValue)))
    guard let offset = answer?.first?.number, (0...text.count).contains(offset) else { return nil }
    return offset
  }
}
