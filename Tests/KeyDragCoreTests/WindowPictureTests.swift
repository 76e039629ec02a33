import KeyDragCore
import Testing

@Suite("T14 What a window looks like")
struct WindowPictureTests {
  private static let (width, height) = (100, 100)

  /// White, with black rectangles.
  private func picture(_ black: (x: Int, y: Int, width: Int, height: Int)...) -> WindowPicture? {
    var pixels = Array(repeating: UInt32(0xFFFFFF), count: Self.width * Self.height)
    for part in black {
      for y in part.y..<part.y + part.height {
        for x in part.x..<part.x + part.width { pixels[y * Self.width + x] = 0 }
      }
    }
    return WindowPicture(width: Self.width, pixels: pixels)
  }

  @Test(
    "A text cursor that blinks is no change, anything larger is",
    arguments: [(2, 64, true), (1, 1, true), (3, 10, false), (2, 65, false), (9, 1, false)])
  func cursor(width: Int, height: Int, isSame: Bool) throws {
    let plain = try #require(picture())
    let other = try #require(picture((x: 20, y: 30, width: width, height: height)))
    #expect(plain.isSame(as: other) == isSame && other.isSame(as: plain) == isSame)
    #expect(other.isSame(as: other))
  }

  @Test("Two small changes far from each other are no text cursor")
  func two() throws {
    let plain = try #require(picture())
    let one = (x: 20, y: 30, width: 1, height: 1)
    for other in [(x: 90, y: 30, width: 1, height: 1), (x: 20, y: 99, width: 1, height: 1)] {
      let changed = try #require(picture(one, other))
      #expect(!plain.isSame(as: changed) && !changed.isSame(as: plain))
    }
  }

  @Test("A picture of another size is another one, and none has rows that are not whole")
  func sizes() throws {
    let pixels = Array(repeating: UInt32(0), count: 12)
    let wide = try #require(WindowPicture(width: 6, pixels: pixels))
    let narrow = try #require(WindowPicture(width: 4, pixels: pixels))
    #expect(!wide.isSame(as: narrow))
    #expect(WindowPicture(width: 5, pixels: pixels) == nil)
    #expect(WindowPicture(width: 0, pixels: pixels) == nil)
    #expect(WindowPicture(width: 4, pixels: []) == nil)
  }
}
