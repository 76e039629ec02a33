import KeyDragCore

/// Lays out the lines of a screen of one size.
///
/// From the top: title, list, what is carried, deliveries, the last message, and, on the last line, the keys
/// of the moment. A small screen keeps one line for the list, then comes the message, then what is carried.
package struct ScreenLayout: Sendable {
  /// The most lines of the last message.
  static let messageLines = 3
  private static let deliveryLines = 3
  /// The height of a list that takes precedence over deliveries and keys.
  private static let comfortableList = 3
  /// The least height for a line of keys.
  private static let roomy = 16
  /// The least width for a delivery's progress bar.
  private static let wide = 60
  private static let barColumns = 20
  private static let gap = "  "
  private static let step = " › "
  private static let cutPath = "… › "

  /// From so many columns on there is a preview beside the list, of at least so many lines.
  private static let twoPanes = 100
  private static let previewLines = 12
  private static let divider = " │ "

  let size: ScreenSize
  private let colors: KindColors
  private let scrolls: Bool
  /// A screen reader listens: lines that move would be read again.
  private var isBelowCursor = false

  package init(size: ScreenSize, colors: KindColors = KindColors(), scrolls: Bool = false) {
    (self.size, self.colors, self.scrolls) = (size, colors, scrolls && size.rows >= Self.scrolling)
  }

  /// Whether a terminal compares nothing but lengths after a scroll (`text_scrolled` in VTE's vteaccess.cc):
  /// of a screen that is as long as the one before, a screen reader hears that a line break went at the top
  /// and came at the end. Measured with VTE 0.70; 0.80 compares the words first. A multiplexer between does
  /// not pass scrolls on.
  static func scrolls(_ environment: [String: String]) -> Bool {
    environment["VTE_VERSION"].flatMap(Int.init).map((7000..<7100).contains) ?? false
  }

  /// From so many lines on some can be spared for that: one goes, two stay empty, and the others are for words
  /// that are added after keys at which the reader reads what goes.
  private static let scrolling = 12
  private static let spared = 6

  /// The number of rows that fit beside everything else in `contents`, whose own rows do not count;
  /// at least 1.
  package func visibleRows(for contents: ScreenContents) -> Int {
    if let below = belowCursor(contents) { return below.layout.visibleRows(for: below.contents) }
    return heights(for: contents, message: message(of: contents).count, hasRows: true).list
  }

  func frame(for contents: ScreenContents) -> ScreenFrame {
    if let below = belowCursor(contents) {
      var frame = below.layout.frame(for: below.contents)
      frame.size = size
      // Orca says a key that is the character at the cursor, or before it, as one that was typed there.
      let line = ScreenText.cutEnd(" " + cursorLine(contents), columns: size.columns)
      frame.lines.insert(StyledLine(text: line), at: 0)
      (frame.cursorRow, frame.cursorColumn) = (0, 0)
      frame.isHeard = true
      if !scrolls, contents.isMarked { frame.lines.append(StyledLine(text: ScreenFrame.marks[0])) }
      guard scrolls else { return frame }
      frame.lines.insert(contentsOf: Array(repeating: StyledLine(), count: Self.spared - 2), at: 0)
      frame.lines += [StyledLine(), StyledLine()]
      frame.cursorRow = Self.spared - 2
      return frame.ofEvenLength
    }
    let message = message(of: contents)
    let heights = heights(for: contents, message: message.count, hasRows: !contents.rows.isEmpty)
    let shown = window(of: contents, height: heights.list)
    var lines: [StyledLine] = []
    if heights.title > 0 { lines.append(StyledLine(text: titleLine(contents), style: .bold)) }
    let previewColumns = contents.reservesPreview ? previewColumns : 0
    let rows = RowLayout(
      columns: size.columns - previewColumns, colors: colors, aligning: contents.rows[shown])
    var listLines: [Int: Int] = [:]
    // One empty line stays between the list and what is said.
    var spare = heights.list - shown.count - 1
    for index in shown {
      if contents.rows[index].beginsGroup, spare > 0, index > shown.lowerBound {
        spare -= 1
        lines.append(StyledLine())
      }
      listLines[index] = lines.count
      lines.append(rows.line(for: contents.rows[index], isCurrent: index == contents.current))
    }
    if let preview = contents.preview, previewColumns > 0, heights.list > 2 {
      add(preview, from: heights.title, to: &lines, heights, listColumns: rows.columns)
    }
    let below = below(contents, message, heights)
    let free = size.rows - lines.count - below.count - heights.keys
    // What was said stands near the place that it is about.
    let gap = isBelowCursor ? free : min(free, 1)
    lines += Array(repeating: StyledLine(), count: gap)
    let firstBelow = lines.count
    lines += below
    lines += Array(repeating: StyledLine(), count: free - gap)
    if heights.keys > 0 { lines.append(StyledLine(text: keyLine(contents.keys), style: .dim)) }
    var frame = ScreenFrame(size: size, lines: lines, cursorRow: 0, cursorColumn: 0)
    if let current = contents.current, let line = listLines[current] {
      frame.cursorRow = line
      let row = contents.rows[current]
      let before = ScreenText.clean(row.beforeCursor ?? "", keepsIsolates: false)
      frame.cursorColumn = min(
        rows.nameColumn(of: row) + TextWidth.columns(before), size.columns - 1)
    } else if heights.message > 0 {
      frame.cursorRow = firstBelow + below.count - heights.message
    }
    return frame
  }

  /// The line that a braille display shows once the reader's message has expired: the last message,
  /// which says where the person is, or the current line of the list if that is too long.
  private func cursorLine(_ contents: ScreenContents) -> String {
    let message = ScreenText.clean(contents.message, keepsIsolates: true)
    guard let current = contents.current, contents.rows.indices.contains(current) else {
      return line(message)
    }
    let row = contents.rows[current]
    let place = line([row.name, row.note].filter { !$0.isEmpty }.joined(separator: Self.gap))
    // A line that is typed is read whole; an empty one by what is asked for.
    if row.beforeCursor != nil, !row.name.isEmpty { return place }
    let isPlace = row.name.isEmpty || message.contains(line(row.name))
    return isPlace && TextWidth.columns(message) <= size.columns ? line(message) : place
  }

  /// The layout while a screen reader listens: the first line holds the cursor, and what a braille
  /// display shows. Elsewhere changes above the cursor would move it among the letters, and the
  /// reader follows it.
  private func belowCursor(
    _ contents: ScreenContents
  ) -> (layout: ScreenLayout, contents: ScreenContents)? {
    guard contents.isHeard, size.rows > 2 else { return nil }
    var rest = contents
    rest.isHeard = false
    rest.keys = []
    rest.around = []
    (rest.selected, rest.preview, rest.reservesPreview) = (nil, nil, false)
    for index in rest.rows.indices {
      (rest.rows[index].columns, rest.rows[index].kind) = ("", nil)
      (rest.rows[index].verdict, rest.rows[index].beginsGroup) = (nil, false)
    }
    let below = ScreenSize(
      columns: size.columns,
      rows: size.rows - (scrolls ? Self.spared + 1 : contents.isMarked ? 2 : 1))
    var layout = ScreenLayout(size: below, colors: colors)
    layout.isBelowCursor = true
    return (layout, rest)
  }

  private func below(_ contents: ScreenContents, _ message: [String], _ heights: Heights)
    -> [StyledLine]
  {
    var lines: [StyledLine] = []
    if heights.carried > 0, let carried = contents.carried ?? contents.selected {
      lines.append(StyledLine(text: line(carried), style: .bold))
    }
    lines += contents.deliveries.prefix(heights.deliveries).map { StyledLine(text: line(of: $0)) }
    if heights.message < message.count {
      // Truncated to the lines that are left, with a mark at the end.
      let text = ScreenText.clean(contents.message, keepsIsolates: true)
      lines += ScreenText.wrap(text, columns: size.columns, lines: heights.message)
        .map { StyledLine(text: $0) }
    } else {
      lines += message.map { StyledLine(text: $0) }
    }
    return lines
  }

  // MARK: Preview

  /// Whether there is room for a preview beside the list.
  var hasPreview: Bool { previewColumns > 0 }

  private var previewColumns: Int { size.columns >= Self.twoPanes ? size.columns * 2 / 5 : 0 }

  /// Puts what a folder holds to the right of the list, as many lines as there is room for.
  private func add(
    _ preview: ScreenPreview, from top: Int, to lines: inout [StyledLine], _ heights: Heights,
    listColumns: Int
  ) {
    let layout = RowLayout(columns: previewColumns - Self.divider.count, colors: colors)
    let height = min(heights.list, max(lines.count - top, Self.previewLines))
    let isCut = preview.rows.count >= height || !preview.isWhole
    let title = ScreenText.cutEnd(
      ScreenText.clean(preview.title, keepsIsolates: true), columns: layout.columns)
    var panes = [StyledLine(text: title, style: .dim)]
    panes += preview.rows.prefix(height - (isCut ? 2 : 1))
      .map { layout.line(for: $0, isCurrent: false) }
    if isCut { panes.append(StyledLine(text: "   …", style: .dim)) }
    for (index, pane) in panes.prefix(height).enumerated() {
      if top + index == lines.count { lines.append(StyledLine()) }
      lines[top + index].append(pane, behind: Self.divider, at: listColumns)
    }
  }

  /// The current place, followed by the others to go to, and preceded by the folders around it as
  /// far as there is room; the nearest take precedence.
  private func titleLine(_ contents: ScreenContents) -> String {
    let others = contents.others.map { " │ " + ScreenText.clean($0, keepsIsolates: true) }
    var title = fitted(line(contents.title), others)
    var left = size.columns - TextWidth.columns(title)
    for (index, name) in contents.around.enumerated().reversed() {
      let name = ScreenText.clean(name, keepsIsolates: true) + Self.step
      let isOutermost = index == 0
      left -= TextWidth.columns(name)
      guard left >= (isOutermost ? 0 : TextWidth.columns(Self.cutPath)) else {
        return left + TextWidth.columns(name) >= TextWidth.columns(Self.cutPath)
          ? Self.cutPath + title : title
      }
      title = name + title
    }
    return title
  }

  /// As many whole keys as fit.
  private func keyLine(_ keys: [String]) -> String {
    let keys = keys.map { ScreenText.clean($0, keepsIsolates: true) }
    return fitted(keys.first ?? "", keys.dropFirst().map { Self.gap + $0 })
  }

  private func fitted(_ first: String, _ others: [String]) -> String {
    var text = ScreenText.cutEnd(first, columns: size.columns)
    for other in others {
      guard TextWidth.columns(text) + TextWidth.columns(other) <= size.columns else { break }
      text += other
    }
    return text
  }

  private func line(of delivery: ScreenDelivery) -> String {
    guard let percent = delivery.percent, size.columns >= Self.wide else {
      return line(delivery.text)
    }
    let full = min(max(percent, 0), 100) * Self.barColumns / 100
    let bar =
      "[" + String(repeating: "#", count: full)
      + String(repeating: ".", count: Self.barColumns - full) + "]"
    let pace = delivery.pace.isEmpty ? "" : Self.gap + ScreenText.clean(delivery.pace)
    let right = Self.gap + bar + pace
    let left = size.columns - TextWidth.columns(right)
    guard left >= Self.wide / 3 else { return line(delivery.text) }
    let text = ScreenText.cutMiddle(
      ScreenText.clean(delivery.text, keepsIsolates: true), columns: left)
    return text + right
  }

  private struct Heights {
    var title = 0
    var list = 0
    var carried = 0
    var deliveries = 0
    var message = 0
    var keys = 0
  }

  private func heights(for contents: ScreenContents, message: Int, hasRows: Bool) -> Heights {
    var left = size.rows
    func take(_ wanted: Int) -> Int {
      let taken = min(wanted, left)
      left -= taken
      return taken
    }
    var heights = Heights()
    heights.list = take(hasRows ? 1 : 0)
    heights.message = take(min(message, 1))
    heights.carried = take((contents.carried ?? contents.selected) == nil ? 0 : 1)
    heights.message += take(message - heights.message)
    heights.title = take(1)
    heights.list += hasRows ? take(Self.comfortableList - 1) : 0
    heights.deliveries = take(min(contents.deliveries.count, Self.deliveryLines))
    heights.keys = size.rows >= Self.roomy && !contents.keys.isEmpty ? take(1) : 0
    heights.list += hasRows ? left : 0
    return heights
  }

  /// The indices of the visible rows, with the current one.
  private func window(of contents: ScreenContents, height: Int) -> Range<Int> {
    let count = contents.rows.count
    let current = min(max(contents.current ?? 0, 0), max(count - 1, 0))
    let first = height > 0 ? max(current - height + 1, 0) : 0
    return first..<min(first + height, count)
  }

  private func message(of contents: ScreenContents) -> [String] {
    ScreenText.wrap(
      ScreenText.clean(contents.message, keepsIsolates: true), columns: size.columns,
      lines: Self.messageLines)
  }

  /// One line, cut in the middle, as its ends say most: a count and an operation, a name and a
  /// percentage.
  private func line(_ text: String) -> String {
    ScreenText.cutMiddle(ScreenText.clean(text, keepsIsolates: true), columns: size.columns)
  }
}
