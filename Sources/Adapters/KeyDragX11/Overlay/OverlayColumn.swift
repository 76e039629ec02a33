import CPango

/// A text laid out to a width; belongs to one thread.
final class OverlayColumn {
  enum Cut {
    /// Longer paragraphs end with "…".
    case afterLines(Int)
    /// Nothing is cut; indenting all lines of a paragraph but the first shows where the next one
    /// begins.
    case nowhere(isIndented: Bool)
  }

  private let layout: OpaquePointer
  private(set) var width = 0
  private(set) var height = 0
  let isRightToLeft: Bool

  /// - Parameters:
  ///   - surface: of the kind that it will be drawn on.
  ///   - widest: the limit; the column shrinks to its lines.
  init?(_ text: String, _ metrics: OverlayMetrics, on surface: OpaquePointer, widest: Int, cut: Cut)
  {
    guard let cairo = cairo_create(surface) else { return nil }
    defer { cairo_destroy(cairo) }
    guard let layout = pango_cairo_create_layout(cairo) else { return nil }
    self.layout = layout
    isRightToLeft = pango_find_base_dir(text, -1) == PANGO_DIRECTION_RTL
    pango_cairo_context_set_resolution(pango_layout_get_context(layout), metrics.resolution)
    pango_layout_context_changed(layout)
    if let font = pango_font_description_from_string("Sans Semi-Bold 12") {
      pango_layout_set_font_description(layout, font)
      pango_font_description_free(font)
    }
    pango_layout_set_text(layout, text, -1)
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
    switch cut {
    case .afterLines(let count):
      pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
      pango_layout_set_height(layout, -Int32(clamping: count))
    case .nowhere(let isIndented):
      let indent = isIndented ? 2 * metrics.padding * Int(PANGO_SCALE) : 0
      pango_layout_set_indent(layout, -Int32(clamping: indent))
    }
    pango_layout_set_spacing(layout, Int32(clamping: 2 * metrics.unit * Int(PANGO_SCALE)))
    narrow(to: widest)
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

  /// Shrinks the width to the text: the layout aligns lines within it, which would leave a gap.
  private func narrow(to widest: Int) {
    setWidth(widest)
    let wide = size
    setWidth(wide.width + 1)
    if size.height == wide.height {
      width = wide.width + 1
    } else {
      setWidth(widest)
      width = widest + 1
    }
    height = wide.height
  }

  private func setWidth(_ width: Int) {
    pango_layout_set_width(layout, Int32(clamping: width * Int(PANGO_SCALE)))
  }

  private var size: (width: Int, height: Int) {
    var (width, height): (Int32, Int32) = (0, 0)
    pango_layout_get_pixel_size(layout, &width, &height)
    return (Int(width), Int(height))
  }

  func paint(_ cairo: OpaquePointer) { pango_cairo_show_layout(cairo, layout) }
}
