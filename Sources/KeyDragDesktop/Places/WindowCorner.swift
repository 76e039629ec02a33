import KeyDragCore

/// The part of a window in which something is, in reading order.
enum WindowCorner: CaseIterable {
  case topLeft, top, topRight
  case left, middle, right
  case bottomLeft, bottom, bottomRight

  /// By the third of the window in which its center lies, across and down.
  init(of rectangle: ScreenRectangle, in window: ScreenRectangle) {
    let center = rectangle.center
    let column = Self.third(center.x - window.x, of: window.width)
    let row = Self.third(center.y - window.y, of: window.height)
    self = Self.allCases[row * 3 + column]
  }

  /// 0, 1 or 2.
  private static func third(_ offset: Int, of length: Int) -> Int {
    min(max(offset * 3 / max(length, 1), 0), 2)
  }
}

extension Phrasebook {
  func word(for corner: WindowCorner) -> String {
    switch corner {
    // Part of a window, of something without a name; comes after what it is: "text field, top left".
    case .topLeft: term(in: "a position in a window", "top left")
    // Part of a window, of something without a name; comes after what it is: "text field, top".
    case .top: term(in: "a position in a window", "top")
    // Part of a window, of something without a name; comes after what it is: "list, top right".
    case .topRight: term(in: "a position in a window", "top right")
    // Part of a window, of something without a name; comes after what it is: "list, left".
    case .left: term(in: "a position in a window", "left")
    // Part of a window, of something without a name; comes after what it is: "canvas, middle".
    case .middle: term(in: "a position in a window", "middle")
    // Part of a window, of something without a name; comes after what it is: "list, right".
    case .right: term(in: "a position in a window", "right")
    // Part of a window, of something without a name; comes after what it is: "list, bottom left".
    case .bottomLeft: term(in: "a position in a window", "bottom left")
    // Part of a window, of something without a name; comes after what it is: "text field, bottom".
    case .bottom: term(in: "a position in a window", "bottom")
    // Part of a window, of something without a name; comes after what it is: "list, bottom right".
    case .bottomRight: term(in: "a position in a window", "bottom right")
    }
  }
}
