/// The pixels of a window, to tell whether it looks as before.
package struct WindowPicture: Hashable, Sendable {
  /// In pixels.
  private let width: Int
  /// Row by row, each as its display stores it.
  private let pixels: [UInt32]

  /// A blinking text cursor is no larger, in pixels.
  private static let cursor = (width: 2, height: 64)

  /// `nil` where the pixels do not fill whole rows.
  package init?(width: Int, pixels: [UInt32]) {
    guard width > 0, !pixels.isEmpty, pixels.count.isMultiple(of: width) else { return nil }
    (self.width, self.pixels) = (width, pixels)
  }

  /// Whether both look the same, except perhaps for a blinking text cursor.
  package func isSame(as other: WindowPicture) -> Bool {
    guard width == other.width, pixels.count == other.pixels.count else { return false }
    return pixels.withUnsafeBufferPointer { own in
      other.pixels.withUnsafeBufferPointer { their in
        var (left, right, top) = (Int.max, 0, Int?.none)
        var index = 0
        while index < own.count {
          if own[index] != their[index] {
            let (x, y) = (index % width, index / width)
            (left, right, top) = (min(left, x), max(right, x), top ?? y)
            if right - left >= Self.cursor.width || y - (top ?? y) >= Self.cursor.height {
              return false
            }
          }
          index += 1
        }
        return true
      }
    }
  }
}
