import KeyDragCore

/// Fits one row of the list into a line: markers, name, verdict, note, size and date.
struct RowLayout {
  /// Narrower lines have room for the name alone.
  private static let narrowest = 10
  private static let gap = "  "
  /// In columns; a shorter note says nothing.
  private static let shortestNote = 4
  /// From so many columns on there are size and date.
  private static let wide = 60
  /// SGR numbers (ECMA-48).
  private static let (faint, date) = ("2", "36")

  let columns: Int
  let colors: KindColors
  /// The column, from the end of the markers, in which verdicts begin where names leave room.
  private var verdictColumn = 0

  /// - Parameter rows: the rows in sight, whose verdicts are aligned.
  init(
    columns: Int, colors: KindColors = KindColors(), aligning rows: some Sequence<ScreenRow> = []
  ) {
    (self.columns, self.colors) = (columns, colors)
    for row in rows where row.verdict != nil {
      let name = ScreenText.clean(row.name, keepsIsolates: true)
      let width = indentation(of: row).count + TextWidth.columns(name) + Self.gap.count
      verdictColumn = max(verdictColumn, min(width, columns / 2))
    }
  }

  private var showsMarkers: Bool { columns >= Self.narrowest }

  /// The column of its name, from 0, which is where the cursor belongs.
  func nameColumn(of row: ScreenRow) -> Int {
    showsMarkers ? 3 + indentation(of: row).count : 0
  }

  func line(for row: ScreenRow, isCurrent: Bool) -> StyledLine {
    let style: LineStyle =
      isCurrent ? .reverse : row.isDimmed && row.verdict == nil ? .dim : .plain
    var line = StyledLine(style: style)
    // Reversed and faint lines keep the terminal's own colours, whatever they are.
    func add(_ text: String, _ color: String = "") {
      line.append(text, color: style == .plain ? color : "")
    }
    // A row may be a sentence with isolated names; a name has lost its own isolates before.
    let name = ScreenText.clean(row.name, keepsIsolates: true)
    let color = row.isDimmed ? Self.faint : colors.color(of: row)
    guard showsMarkers else {
      add(fitted(name, "", columns), color)
      return line
    }
    let right = columns >= Self.wide && !row.columns.isEmpty ? Self.gap + row.columns : ""
    let room = columns - nameColumn(of: row) - TextWidth.columns(right)
    let parts = nameAndNote(of: row, name, room)
    add((isCurrent ? ">" : " ") + (row.isMarked ? "*" : " ") + " " + indentation(of: row))
    add(parts.name, color)
    add(parts.gap)
    add(parts.note, KindColors.color(of: row.verdict))
    if !right.isEmpty {
      let used = [parts.name, parts.gap, parts.note].map(TextWidth.columns).reduce(0, +)
      add(String(repeating: " ", count: max(room - used, 0)))
      add(right, Self.date)
    }
    return line
  }

  private func indentation(of row: ScreenRow) -> String {
    String(repeating: " ", count: min(max(row.depth, 0), 1) * 2)
  }

  /// Keeps both recognisable: if they do not fit, the name gets three fifths of the room.
  private func nameAndNote(
    of row: ScreenRow, _ name: String, _ room: Int
  ) -> (name: String, gap: String, note: String) {
    let sign = KindColors.sign(of: row)
    let note =
      KindColors.mark(of: row.verdict) + ScreenText.clean(row.note, keepsIsolates: true)
    guard !row.note.isEmpty else { return (fitted(name, sign, room), "", "") }
    let noteWidth = TextWidth.columns(note)
    let share = max(room * 3 / 5, room - Self.gap.count - noteWidth)
    let shown = fitted(name, sign, share)
    let width = TextWidth.columns(shown)
    let wanted = row.verdict == nil ? 0 : verdictColumn - indentation(of: row).count - width
    // On a narrow screen the words need the room more than the column.
    let kept = columns < Self.wide ? min(wanted, room - width - noteWidth) : wanted
    let gap = max(Self.gap.count, kept)
    let left = room - width - gap
    guard left >= min(noteWidth, Self.shortestNote) else {
      return (fitted(name, sign, room), "", "")
    }
    return (
      shown, String(repeating: " ", count: gap), ScreenText.cutEnd(note, columns: left)
    )
  }

  private func fitted(_ name: String, _ sign: String, _ room: Int) -> String {
    ScreenText.isolate(ScreenText.cutName(name, columns: room - sign.count)) + sign
  }
}
