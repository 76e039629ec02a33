import KeyDragCore

/// Fits one row of the list into a line: markers, name, note.
struct RowLayout {
  /// Narrower lines have room for the name alone.
  private static let narrowest = 10
  private static let gap = "  "
  /// In columns; a shorter note says nothing.
  private static let shortestNote = 4
  /// The least width that shows size and date, in columns.
  private static let wide = 80

  let columns: Int
  var colors = KindColors()

  private var showsMarkers: Bool { columns >= Self.narrowest }

  /// The column of its name, from 0, which is where the cursor belongs.
  func nameColumn(of row: ScreenRow) -> Int {
    showsMarkers ? 3 + indentation(of: row).count : 0
  }

  func line(for row: ScreenRow, isCurrent: Bool) -> StyledLine {
    let style: LineStyle = isCurrent ? .reverse : row.isDimmed ? .dim : .plain
    // A row may be a sentence with isolated names; a name has lost its own isolates before.
    let name = ScreenText.clean(row.name, keepsIsolates: true)
    // The current row has the terminal's own colours, whatever they are.
    let color = row.isDimmed || isCurrent ? "" : colors.color(of: row)
    guard showsMarkers else {
      return StyledLine(text: fitted(name, "", columns), style: style, color: color)
    }
    let markers = (isCurrent ? ">" : " ") + (row.isMarked ? "*" : " ") + " "
    let right = columns >= Self.wide && !row.columns.isEmpty ? Self.gap + row.columns : ""
    let room = columns - nameColumn(of: row) - TextWidth.columns(right)
    let sign = KindColors.sign(of: row)
    var text = nameAndNote(name, sign, ScreenText.clean(row.note, keepsIsolates: true), room)
    if !right.isEmpty {
      text += String(repeating: " ", count: max(room - TextWidth.columns(text), 0)) + right
    }
    return StyledLine(text: markers + indentation(of: row) + text, style: style, color: color)
  }

  private func indentation(of row: ScreenRow) -> String {
    String(repeating: " ", count: min(max(row.depth, 0), 1) * 2)
  }

  /// Keeps both recognisable: if they do not fit, the name gets three fifths of the room.
  private func nameAndNote(
    _ name: String, _ sign: String, _ note: String, _ room: Int
  ) -> String {
    guard !note.isEmpty else { return fitted(name, sign, room) }
    let noteWidth = TextWidth.columns(note)
    let share = max(room * 3 / 5, room - Self.gap.count - noteWidth)
    let shown = fitted(name, sign, share)
    let left = room - TextWidth.columns(shown) - Self.gap.count
    guard left >= min(noteWidth, Self.shortestNote) else { return fitted(name, sign, room) }
    return shown + Self.gap + ScreenText.cutEnd(note, columns: left)
  }

  private func fitted(_ name: String, _ sign: String, _ room: Int) -> String {
    ScreenText.isolate(ScreenText.cutName(name, columns: room - sign.count)) + sign
  }
}
