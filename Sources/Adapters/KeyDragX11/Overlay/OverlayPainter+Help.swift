import KeyDragCore

/// The help: many lines, read at leisure, so that none is cut.
extension OverlayPainter {
  /// Lays lines out below each other, or in columns if there is no room.
  ///
  /// If columns do not fit either, one text holds all lines, which takes the least room: harder to
  /// search, but larger than in columns.
  ///
  /// - Parameters:
  ///   - surface: of the kind that it will be drawn on.
  ///   - room: the size to fit into. The result may be larger when the text is too large for it.
  func help(
    _ lines: [String], on surface: OpaquePointer, room: (width: Int, height: Int)
  ) -> Label? {
    let inside = room.width - 2 * metrics.padding - 1
    for count in 1...OverlayPainter.mostColumns where count <= lines.count {
      let widest = (inside - (count - 1) * metrics.columnGap) / count
      guard widest >= metrics.narrowestColumn else { break }
      let page = page(
        chunks(lines, count), on: surface, widest: min(widest, metrics.widestText))
      if let page, page.width <= room.width, page.height <= room.height { return page }
    }
    let widest = max(inside, metrics.sign)
    // An em space shows where the next key begins.
    return page([lines.joined(separator: "\u{2003}")], on: surface, widest: widest)
  }

  private static let mostColumns = 3

  private func chunks(_ lines: [String], _ count: Int) -> [String] {
    let length = (lines.count + count - 1) / count
    return stride(from: 0, to: lines.count, by: length).map { start in
      lines[start..<min(start + length, lines.count)].joined(separator: "\n")
    }
  }

  private func page(_ texts: [String], on surface: OpaquePointer, widest: Int) -> Label? {
    let columns = texts.compactMap { text in
      OverlayColumn(
        text, metrics, on: surface, widest: widest,
        cut: .nowhere(isIndented: texts.count > 1 || text.contains("\n")))
    }
    guard let first = columns.first, columns.count == texts.count else { return nil }
    let gaps = (columns.count - 1) * metrics.columnGap
    return Label(
      columns: columns, width: columns.reduce(gaps) { $0 + $1.width } + 2 * metrics.padding,
      height: (columns.map(\.height).max() ?? 0) + 2 * metrics.padding,
      isRightToLeft: first.isRightToLeft)
  }
}
