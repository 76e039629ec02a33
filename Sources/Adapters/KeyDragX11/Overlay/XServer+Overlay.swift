import CPango
import CXCB
import Glibc
import KeyDragCore

/// Display-only windows: no key, click or drag reaches them.
extension XServer {
  struct Monitor {
    var rectangle: ScreenRectangle
    var millimeters: Int
  }

  /// The primary one first; empty when the server lacks RandR 1.5.
  func monitors() -> [Monitor] {
    guard has("RANDR") else { return [] }
    let version = answer(
      xcb_randr_query_version_reply, bounded { xcb_randr_query_version(connection, 1, 5) })
    defer { free(version) }
    guard let version, (version.pointee.major_version, version.pointee.minor_version) >= (1, 5)
    else { return [] }
    let cookie = xcb_randr_get_monitors(connection, root.rawValue, 1)
    guard let reply = answer(xcb_randr_get_monitors_reply, cookie) else { return [] }
    defer { free(reply) }
    var found: [(isPrimary: Bool, Monitor)] = []
    var monitors = xcb_randr_get_monitors_monitors_iterator(reply)
    while monitors.rem > 0, found.count < 32, let monitor = monitors.data {
      found.append(
        (
          monitor.pointee.primary != 0,
          Monitor(
            rectangle: ScreenRectangle(
              x: Int(monitor.pointee.x), y: Int(monitor.pointee.y),
              width: Int(monitor.pointee.width), height: Int(monitor.pointee.height)),
            millimeters: Int(monitor.pointee.width_in_millimeters))
        ))
      xcb_randr_monitor_info_next(&monitors)
    }
    return found.filter(\.isPrimary).map(\.1) + found.filter { !$0.isPrimary }.map(\.1)
  }

  /// The root window's depth and visual, the defaults for new windows.
  func rootVisual() -> (depth: UInt8, visual: UnsafeMutablePointer<xcb_visualtype_t>)? {
    var depths = xcb_screen_allowed_depths_iterator(screen)
    while depths.rem > 0, let depth = depths.data {
      var visuals = xcb_depth_visuals_iterator(depth)
      while visuals.rem > 0, let visual = visuals.data {
        if visual.pointee.visual_id == screen.pointee.root_visual {
          return (screen.pointee.root_depth, visual)
        }
        xcb_visualtype_next(&visuals)
      }
      xcb_depth_next(&depths)
    }
    return nil
  }

  func makePixmap(depth: UInt8, width: Int, height: Int) -> UInt32 {
    let id = xcb_generate_id(connection)
    xcb_create_pixmap(
      connection, depth, id, root.rawValue, UInt16(clamping: width), UInt16(clamping: height))
    return id
  }

  func forget(pixmap: UInt32) { xcb_free_pixmap(connection, pixmap) }

  /// Shows a pixmap in its own window above all others; the server repaints it after exposure.
  /// Without a name it is in no window list, and no window manager notices it.
  func showPicture(_ pixmap: UInt32, at place: ScreenRectangle, types: (name: XAtom, type: XAtom))
    -> XWindow
  {
    let id = xcb_generate_id(connection)
    // In bit order: the pixmap, then override-redirect.
    let values: [UInt32] = [pixmap, 1]
    xcb_create_window(
      connection, UInt8(XCB_COPY_FROM_PARENT), id, root.rawValue, Int16(clamping: place.x),
      Int16(clamping: place.y), UInt16(clamping: place.width), UInt16(clamping: place.height), 0,
      UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), UInt32(XCB_COPY_FROM_PARENT),
      XCB_CW_BACK_PIXMAP.rawValue | XCB_CW_OVERRIDE_REDIRECT.rawValue, values)
    // Tells compositors not to dim, animate or shade it as a window.
    setWords(types.name, of: XWindow(rawValue: id), type: .atom, [types.type.rawValue])
    // An empty input shape: clicks and drags go to the window below.
    bounded {
      xcb_shape_rectangles(
        connection, UInt8(XCB_SHAPE_SO_SET.rawValue), UInt8(XCB_SHAPE_SK_INPUT.rawValue),
        UInt8(XCB_CLIP_ORDERING_UNSORTED.rawValue), id, 0, 0, 0, nil)
    }
    xcb_map_window(connection, id)
    return XWindow(rawValue: id)
  }

  /// Drains pending events.
  ///
  /// - Returns: whether any concerned a watched window: all but errors about one just destroyed.
  func takeEvents() -> Bool {
    var hasChanged = false
    while let event = xcb_poll_for_event(connection) {
      if event.pointee.response_type != 0 { hasChanged = true }
      free(event)
    }
    return hasChanged
  }

  func watchNothing(of window: XWindow) {
    xcb_change_window_attributes(
      connection, window.rawValue, XCB_CW_EVENT_MASK.rawValue, [XCB_EVENT_MASK_NO_EVENT.rawValue])
  }

  /// Waits until the server has processed everything sent before.
  func sync() {
    free(answer(xcb_get_input_focus_reply, xcb_get_input_focus(connection)))
  }

  /// Whether a window's input shape takes clicks at a point in its own coordinates.
  func takesInput(_ window: XWindow, at point: (x: Int, y: Int)) -> Bool {
    let cookie = bounded {
      xcb_shape_get_rectangles(connection, window.rawValue, UInt8(XCB_SHAPE_SK_INPUT.rawValue))
    }
    guard let reply = answer(xcb_shape_get_rectangles_reply, cookie) else { return true }
    defer { free(reply) }
    guard let first = xcb_shape_get_rectangles_rectangles(reply) else { return true }
    let count = Int(xcb_shape_get_rectangles_rectangles_length(reply))
    return UnsafeBufferPointer(start: first, count: count).contains { rectangle in
      let (x, y) = (Int(rectangle.x), Int(rectangle.y))
      return point.x >= x && point.y >= y && point.x < x + Int(rectangle.width)
        && point.y < y + Int(rectangle.height)
    }
  }
}

/// Cairo's device for a connection, dropped before the connection ends: cairo looks connections up
/// by their address.
final class OverlayCanvas {
  private let server: XServer
  let depth: UInt8
  private let visual: UnsafeMutablePointer<xcb_visualtype_t>
  private let sample: UInt32
  /// One pixel, of the kind that is drawn on.
  let sampleSurface: OpaquePointer

  init?(_ server: XServer) {
    guard let (depth, visual) = server.rootVisual() else { return nil }
    (self.server, self.depth, self.visual) = (server, depth, visual)
    sample = server.makePixmap(depth: depth, width: 1, height: 1)
    let sample = sample
    // Queries the server's extensions.
    guard
      let surface = server.bounded({
        cairo_xcb_surface_create(server.connection, sample, visual, 1, 1)
      })
    else { return nil }
    sampleSurface = surface
    if cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS { return nil }
  }

  deinit {
    let device = cairo_device_reference(cairo_surface_get_device(sampleSurface))
    cairo_surface_destroy(sampleSurface)
    cairo_device_finish(device)
    cairo_device_destroy(device)
    server.forget(pixmap: sample)
  }

  /// Draws into a new pixmap, which the caller frees.
  func picture(width: Int, height: Int, _ draw: (OpaquePointer) -> Void) -> UInt32? {
    let pixmap = server.makePixmap(depth: depth, width: width, height: height)
    guard
      let surface = cairo_xcb_surface_create(
        server.connection, pixmap, visual, Int32(clamping: width), Int32(clamping: height))
    else { return nil }
    defer { cairo_surface_destroy(surface) }
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
      server.forget(pixmap: pixmap)
      return nil
    }
    draw(surface)
    cairo_surface_flush(surface)
    return pixmap
  }
}
