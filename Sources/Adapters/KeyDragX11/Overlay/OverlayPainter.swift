import CPango
import Glibc
import KeyDragCore

/// Draws the frame and the label; independent of windows. Belongs to one thread.
struct OverlayPainter {
  let metrics: OverlayMetrics
  let style: OverlayStyle

  // MARK: The label

  struct Label {
    /// In reading order.
    let columns: [OverlayColumn]
    let width: Int
    let height: Int
    let isRightToLeft: Bool
  }

  /// - Parameters:
  ///   - surface: of the kind that it will be drawn on.
  ///   - room: the label's maximum width.
  func label(_ text: String, on surface: OpaquePointer, room: Int) -> Label? {
    let around = 2 * metrics.padding + signRoom
    let widest = max(min(metrics.widestText, room - around), metrics.sign)
    // Three lines for each paragraph, then an ellipsis: a long name must not displace the rest.
    guard
      let column = OverlayColumn(
        text, metrics, on: surface, widest: widest, cut: .afterLines(3))
    else { return nil }
    return Label(
      columns: [column], width: column.width + around,
      height: max(column.height, style.sign == nil ? 0 : metrics.sign) + 2 * metrics.padding,
      isRightToLeft: column.isRightToLeft)
  }

  private var signRoom: Int { style.sign == nil ? 0 : metrics.sign + metrics.padding }

  func paint(_ label: Label, on surface: OpaquePointer) {
    guard let cairo = cairo_create(surface) else { return }
    defer { cairo_destroy(cairo) }
    set(.black, cairo)
    cairo_paint(cairo)
    let edge = Double(metrics.unit)
    // White outside the coloured line: the label's edge shows on a black window too.
    set(.white, cairo)
    strokeRectangle(
      inset: edge / 2, Double(label.width), Double(label.height), width: edge, cairo)
    set(style.color, cairo)
    dash(style.dashes, cairo)
    strokeRectangle(
      inset: edge * 3, Double(label.width), Double(label.height), width: 2 * edge, cairo)
    dash([], cairo)
    let padding = Double(metrics.padding)
    if let sign = style.sign {
      let x =
        label.isRightToLeft
        ? label.width - metrics.padding - metrics.sign : metrics.padding
      let y = min((label.height - metrics.sign) / 2, metrics.padding)
      paint(sign, Double(x), Double(y), isRightToLeft: label.isRightToLeft, cairo)
    }
    set(.white, cairo)
    let tallest = label.columns.map(\.height).max() ?? 0
    let top = (Double(label.height - tallest) / 2).rounded(.down)
    var x = label.isRightToLeft ? padding : padding + Double(signRoom)
    for column in label.isRightToLeft ? label.columns.reversed() : label.columns {
      cairo_move_to(cairo, x, top)
      column.paint(cairo)
      x += Double(column.width + metrics.columnGap)
    }
  }

  // MARK: The frame

  func paint(
    side: ScreenRectangle, of frame: ScreenRectangle, on surface: OpaquePointer
  ) {
    guard let cairo = cairo_create(surface) else { return }
    defer { cairo_destroy(cairo) }
    set(.black, cairo)
    cairo_paint(cairo)
    cairo_translate(cairo, Double(frame.x - side.x), Double(frame.y - side.y))
    set(style.color, cairo)
    dash(style.dashes, cairo)
    strokeRectangle(
      inset: Double(metrics.blackLine) + Double(metrics.colorLine) / 2, Double(frame.width),
      Double(frame.height), width: Double(metrics.colorLine), cairo)
  }

  // MARK: Lines

  private func set(_ color: OverlayStyle.Color, _ cairo: OpaquePointer) {
    cairo_set_source_rgb(cairo, color.red, color.green, color.blue)
  }

  private func dash(_ lengths: [Double], _ cairo: OpaquePointer) {
    let lengths = lengths.map { $0 * Double(metrics.unit) }
    cairo_set_dash(cairo, lengths, Int32(lengths.count), 0)
  }

  private func strokeRectangle(
    inset: Double, _ width: Double, _ height: Double, width line: Double, _ cairo: OpaquePointer
  ) {
    cairo_set_line_width(cairo, line)
    cairo_rectangle(
      cairo, inset, inset, max(width - 2 * inset, 0), max(height - 2 * inset, 0))
    cairo_stroke(cairo)
  }

  /// Draws a sign into a square, from lines, without a font.
  private func paint(
    _ sign: OverlayStyle.Sign, _ x: Double, _ y: Double, isRightToLeft: Bool,
    _ cairo: OpaquePointer
  ) {
    let side = Double(metrics.sign)
    func point(_ px: Double, _ py: Double) -> (Double, Double) {
      (x + px * side, y + py * side)
    }
    func line(_ points: (Double, Double)...) {
      for (index, (px, py)) in points.enumerated() {
        // The back arrow points to the start of a line of text.
        let place = point(sign == .back && isRightToLeft ? 1 - px : px, py)
        if index == 0 {
          cairo_move_to(cairo, place.0, place.1)
        } else {
          cairo_line_to(cairo, place.0, place.1)
        }
      }
    }
    func circle(_ px: Double, _ py: Double, _ radius: Double) {
      let center = point(px, py)
      cairo_new_path(cairo)
      cairo_arc(cairo, center.0, center.1, radius * side, 0, 2 * Double.pi)
    }
    set(style.color, cairo)
    cairo_set_line_width(cairo, side * 0.16)
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
    switch sign {
    case .tick: line((0.1, 0.55), (0.4, 0.85), (0.92, 0.15))
    case .halfTick:
      line((0.08, 0.4), (0.32, 0.62), (0.72, 0.1))
      cairo_stroke(cairo)
      line((0.45, 0.9), (0.92, 0.9))
    case .question:
      let center = point(0.5, 0.32)
      cairo_new_path(cairo)
      cairo_arc(cairo, center.0, center.1, 0.24 * side, -Double.pi, 0.45 * Double.pi)
      let foot = point(0.5, 0.68)
      cairo_line_to(cairo, foot.0, foot.1)
      cairo_stroke(cairo)
      circle(0.5, 0.93, 0.09)
      cairo_fill(cairo)
    case .cross:
      line((0.14, 0.14), (0.86, 0.86))
      line((0.86, 0.14), (0.14, 0.86))
    case .barred:
      circle(0.5, 0.5, 0.4)
      cairo_stroke(cairo)
      line((0.22, 0.22), (0.78, 0.78))
    case .dots:
      for px in [0.14, 0.5, 0.86] {
        circle(px, 0.5, 0.12)
        cairo_fill(cairo)
      }
    case .back:
      line((0.95, 0.5), (0.1, 0.5))
      line((0.45, 0.15), (0.1, 0.5), (0.45, 0.85))
    }
    cairo_stroke(cairo)
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_BUTT)
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_MITER)
  }
}
