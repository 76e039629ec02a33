import CXCB
import Glibc
import KeyDragCore

@testable import KeyDragX11

/// A window of one colour that takes clicks and drags, painted by the server itself.
final class PlainWindow {
  let id: XWindow
  private let server: XServer

  init(
    _ server: XServer, _ place: ScreenRectangle, color: UInt32, takesDrags: Bool = false
  ) {
    self.server = server
    id = XWindow(rawValue: xcb_generate_id(server.connection))
    let values: [UInt32] = [color, 1, XCB_EVENT_MASK_BUTTON_PRESS.rawValue]
    xcb_create_window(
      server.connection, UInt8(XCB_COPY_FROM_PARENT), id.rawValue, server.root.rawValue,
      Int16(place.x), Int16(place.y), UInt16(place.width), UInt16(place.height), 0,
      UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), UInt32(XCB_COPY_FROM_PARENT),
      XCB_CW_BACK_PIXEL.rawValue | XCB_CW_OVERRIDE_REDIRECT.rawValue
        | XCB_CW_EVENT_MASK.rawValue, values)
    if takesDrags {
      server.setWords(
        server.atoms(["XdndAware"])[0], of: id, type: XAtom(rawValue: 4), [5])
    }
    xcb_map_window(server.connection, id.rawValue)
    server.sync()
  }

  /// Moves it there, and gives it that size.
  func move(to place: ScreenRectangle) {
    let values = [place.x, place.y, place.width, place.height].map {
      UInt32(bitPattern: Int32($0))
    }
    let parts =
      XCB_CONFIG_WINDOW_X.rawValue | XCB_CONFIG_WINDOW_Y.rawValue
      | XCB_CONFIG_WINDOW_WIDTH.rawValue | XCB_CONFIG_WINDOW_HEIGHT.rawValue
    xcb_configure_window(server.connection, id.rawValue, UInt16(parts), values)
    server.flush()
  }

  /// Takes it off the screen, as a window that is minimized is, or puts it there again.
  func show(_ isShown: Bool) {
    if isShown {
      xcb_map_window(server.connection, id.rawValue)
    } else {
      xcb_unmap_window(server.connection, id.rawValue)
    }
    server.flush()
  }

  /// Where the clicks were that have come so far.
  func clicks() -> [ScreenPoint] {
    server.sync()
    var clicks: [ScreenPoint] = []
    while let event = xcb_poll_for_event(server.connection) {
      if Int32(event.pointee.response_type & 0x7F) == XCB_BUTTON_PRESS {
        let press = UnsafeRawPointer(event).load(as: xcb_button_press_event_t.self)
        clicks.append(ScreenPoint(x: Int(press.root_x), y: Int(press.root_y)))
      }
      free(event)
    }
    return clicks
  }
}

/// What is on a screen, pixel by pixel.
struct ScreenPixels: Equatable {
  let width: Int
  let pixels: [UInt32]

  init?(_ server: XServer) {
    guard let root = server.rectangle(of: server.root) else { return nil }
    let cookie = xcb_get_image(
      server.connection, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), server.root.rawValue, 0, 0,
      UInt16(root.width), UInt16(root.height), .max)
    guard let reply = xcb_get_image_reply(server.connection, cookie, nil) else { return nil }
    defer { free(reply) }
    guard let data = xcb_get_image_data(reply) else { return nil }
    let bytes = UnsafeRawBufferPointer(start: data, count: Int(xcb_get_image_data_length(reply)))
    width = root.width
    // The fourth byte means nothing.
    pixels = bytes.bindMemory(to: UInt32.self).map { $0 & 0xFF_FFFF }
  }

  subscript(x: Int, y: Int) -> UInt32 { pixels[y * width + x] }

  /// How much is of a colour.
  func count(_ color: UInt32) -> Int { pixels.count { $0 == color } }
}
