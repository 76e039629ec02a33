import KeyDragCore
import Testing

@testable import KeyDragX11

private let screen = ScreenRectangle(x: 0, y: 0, width: 1920, height: 1080)
private let metrics = OverlayMetrics(dotsPerInch: 96, textScale: 1)

private func layout(_ monitors: [ScreenRectangle] = [screen], on screen: ScreenRectangle = screen)
  -> OverlayLayout
{
  OverlayLayout(screen: screen, monitors: monitors, metrics: metrics)
}

private func contains(_ outer: ScreenRectangle, _ inner: ScreenRectangle) -> Bool {
  outer.intersection(inner) == inner
}

@Suite("Where the frame and the label go")
struct OverlayLayoutTests {
  /// What programs say of where things are.
  static let rectangles = [
    ScreenRectangle(x: 300, y: 200, width: 200, height: 100),
    ScreenRectangle(x: 0, y: 0, width: 1920, height: 1080),
    ScreenRectangle(x: 0, y: 0, width: 10, height: 10),
    ScreenRectangle(x: 1919, y: 1079, width: 1, height: 1),
    ScreenRectangle(x: -500, y: -500, width: 600, height: 600),
    ScreenRectangle(x: 1800, y: 1000, width: 5000, height: 5000),
    ScreenRectangle(
      x: -2_147_483_648, y: -2_147_483_648, width: 4_294_967_295, height: 2_147_484_000),
    ScreenRectangle(x: .min, y: .min, width: .max, height: .max),
    ScreenRectangle(x: -10, y: 5, width: .max, height: .max),
    ScreenRectangle(x: 0, y: 500, width: 1920, height: 20),
    ScreenRectangle(x: 900, y: 0, width: 20, height: 1080),
    ScreenRectangle(x: 10, y: 10, width: 1900, height: 1060),
  ]

  @Test(
    "A frame lies around the place, on the screen, and leaves its inside free",
    arguments: rectangles)
  func frames(rectangle: ScreenRectangle) throws {
    guard let frame = layout().frame(around: rectangle) else {
      #expect(rectangle.x == .min || rectangle.x == -2_147_483_648)
      return
    }
    #expect(contains(screen, frame))
    #expect(min(frame.width, frame.height) >= metrics.smallestFrame)
    let sides = layout().sides(of: frame)
    #expect(sides.count == 4)
    for side in sides {
      #expect(contains(frame, side))
      #expect(!side.contains(frame.center))
      for other in sides where other != side { #expect(side.intersection(other) == nil) }
    }
    let covered = sides.reduce(0) { $0 + $1.width * $1.height }
    let inside = (frame.width - 2 * metrics.band) * (frame.height - 2 * metrics.band)
    #expect(covered == frame.width * frame.height - inside)
  }

  @Test(
    "What lies nowhere on the screen has no frame",
    arguments: [
      ScreenRectangle(x: -100, y: 0, width: 100, height: 100),
      ScreenRectangle(x: 1920, y: 0, width: 100, height: 100),
      ScreenRectangle(x: 5, y: 5, width: 0, height: 100),
      ScreenRectangle(x: .max, y: .max, width: .max, height: .max),
    ])
  func noFrame(rectangle: ScreenRectangle) {
    #expect(layout().frame(around: rectangle) == nil)
  }

  @Test("What of a window sticks out of the screen has its frame at the nearest edge")
  func edge() throws {
    let wide = ScreenRectangle(x: 0, y: 0, width: 3200, height: 1080)
    let left = ScreenRectangle(x: 0, y: 0, width: 1920, height: 1080)
    let right = ScreenRectangle(x: 1920, y: 0, width: 1280, height: 800)
    let both = layout([left, right], on: wide)
    let window = ScreenRectangle(x: 2800, y: 600, width: 900, height: 900)
    for place in [
      ScreenRectangle(x: 2900, y: 1100, width: 300, height: 30),
      // On the screen as a whole, but on none of the monitors.
      ScreenRectangle(x: 2900, y: 900, width: 300, height: 30),
      ScreenRectangle(x: 3300, y: 700, width: 200, height: 30),
      ScreenRectangle(x: 3300, y: 1400, width: 200, height: 30),
    ] {
      let frame = try #require(both.frame(around: place, in: window))
      #expect(contains(right, frame))
      #expect(min(frame.width, frame.height) >= metrics.smallestFrame)
      let isBelow = place.y >= 800
      let isBeside = place.x >= 3200
      #expect(!isBelow || frame.y + frame.height == 800)
      #expect(!isBeside || frame.x + frame.width == 3200)
      let label = both.label(
        width: 300, height: 60, beside: frame, in: window, isRightToLeft: false)
      #expect(contains(right, label) && label.intersection(frame) == nil)
    }
    // What can be seen has the frame that it has without a window.
    let seen = ScreenRectangle(x: 2900, y: 700, width: 300, height: 30)
    #expect(both.frame(around: seen, in: window) == both.frame(around: seen))
    // What is not in its window is nowhere; what is said of it stands on the window's monitor.
    let nowhere = ScreenRectangle(x: -900, y: -900, width: 10, height: 10)
    #expect(both.frame(around: nowhere, in: window) == nil)
    #expect(both.monitor(of: nil, in: window) == right)
    // Nothing of the window is on a monitor.
    let gone = ScreenRectangle(x: 3300, y: 900, width: 400, height: 400)
    #expect(both.monitor(of: nil, in: gone) == right)
    #expect(both.frame(around: gone, in: gone).map { contains(right, $0) } == true)
  }

  @Test(
    "A label is whole on its monitor, and off the frame wherever there is room",
    arguments: rectangles, [(300, 60), (1900, 40), (100, 1060), (5000, 5000)])
  func labels(rectangle: ScreenRectangle, size: (Int, Int)) {
    for isRightToLeft in [false, true] {
      let frame = layout().frame(around: rectangle)
      let label = layout().label(
        width: size.0, height: size.1, beside: frame, isRightToLeft: isRightToLeft)
      #expect(contains(screen, label))
      guard let frame, label.intersection(frame) != nil else { continue }
      // Then there is no room: neither above, below, left nor right.
      let gap = metrics.gap
      #expect(frame.y < label.height + gap || frame.y - gap < label.height)
      #expect(screen.height - frame.y - frame.height < label.height + gap)
      #expect(frame.x < label.width + gap)
      #expect(screen.width - frame.x - frame.width < label.width + gap)
    }
  }

  @Test("Where a frame fills the screen, the label stays away from its middle")
  func noRoom() {
    let frame = layout().frame(around: screen)
    let label = layout().label(width: 300, height: 60, beside: frame, isRightToLeft: false)
    #expect(!label.contains(screen.center))
  }

  @Test("A label begins where the frame begins, for each direction of writing")
  func directions() throws {
    let frame = try #require(layout().frame(around: OverlayLayoutTests.rectangles[0]))
    let left = layout().label(width: 100, height: 40, beside: frame, isRightToLeft: false)
    let right = layout().label(width: 100, height: 40, beside: frame, isRightToLeft: true)
    #expect(left.x == frame.x)
    #expect(right.x + right.width == frame.x + frame.width)
    #expect(left.y == frame.y + frame.height + metrics.gap)
  }

  @Test("The label stands on the monitor that shows most of the frame")
  func monitors() throws {
    let wide = ScreenRectangle(x: 0, y: 0, width: 3200, height: 1080)
    let monitors = [
      ScreenRectangle(x: 0, y: 0, width: 1920, height: 1080),
      ScreenRectangle(x: 1920, y: 100, width: 1280, height: 800),
    ]
    let both = layout(monitors, on: wide)
    let frame = try #require(
      both.frame(around: ScreenRectangle(x: 1850, y: 850, width: 400, height: 40)))
    let label = both.label(width: 400, height: 60, beside: frame, isRightToLeft: false)
    #expect(contains(monitors[1], label))
    #expect(label.intersection(frame) == nil)
    // Monitors that lie elsewhere are none.
    let none = layout([ScreenRectangle(x: 9000, y: 0, width: 10, height: 10)])
    #expect(none.monitors == [screen])
  }

  @Test(
    "The resolution is what the desktop says, else what a monitor that makes sense says",
    arguments: [
      ("Xft.dpi:\t144\n", 1920, 0, 144), ("Xcursor.size: 24\nXft.dpi: 120.5\n", 1920, 0, 120.5),
      ("Xft.dpi: no\n", 1920, 508, 96), ("Xft.dpi:", 3840, 340, 286.9), ("", 3840, 16, 96),
      ("", 1920, 0, 96), ("", 1024, 700, 96), ("", 60_000, 160, 96), ("*Xft.dpi: 144", 0, 0, 96),
      ("Xft.dpi: -5", 0, 0, 96), ("Xft.dpi: inf", 0, 0, .infinity),
    ])
  func resolutions(resources: String, pixels: Int, millimeters: Int, expected: Double) {
    let found = OverlayMetrics.dotsPerInch(
      resources: Array(resources.utf8), pixels: pixels, millimeters: millimeters)
    #expect(found == expected || abs(found - expected) < 0.1)
  }

  @Test(
    "Whatever is said, text stays readable and lines can be seen",
    arguments: [0, -5, 48, 96, 300, 4000, .nan, .infinity], [0, 1, 2.5, 100, .nan, -.infinity])
  func bounds(dots: Double, scale: Double) {
    let metrics = OverlayMetrics(dotsPerInch: dots, textScale: scale)
    #expect((72...1600).contains(metrics.resolution))
    #expect(metrics.band >= 7 && metrics.unit <= 17)
  }

  @Test("Every verdict has a line or a sign of its own, and its colour stands out from black")
  func styles() {
    let styles = Verdict.Word.allCases.map { OverlayStyle($0) } + [OverlayStyle(nil)]
    #expect(Set(styles.map(\.sign)).count == styles.count)
    for refusal in [Verdict.Word.refuse, .forbidden] {
      for welcome in [Verdict.Word.accept, .partial, .maybe] {
        #expect(OverlayStyle(refusal).dashes != OverlayStyle(welcome).dashes)
      }
    }
    for style in styles { #expect(contrastToBlack(style.color) >= 7) }
  }

  /// The contrast of the web's guidelines for accessibility (WCAG 2, "contrast ratio").
  private func contrastToBlack(_ color: OverlayStyle.Color) -> Double {
    func linear(_ value: Double) -> Double {
      value <= 0.04 ? value / 12.92 : cube((value + 0.055) / 1.055)
    }
    // A little less than the exponent 2.4 gives: on the safe side.
    func cube(_ value: Double) -> Double { value * value * value }
    let light =
      0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
    return (light + 0.05) / 0.05
  }

  @Test("Text is one short paragraph for each line that says something")
  func paragraphs() {
    #expect(OverlayText.paragraphs(["a\nb\u{0}c\u{2029}", "", " \t", " d "]) == "a b c\nd")
    #expect(OverlayText.paragraphs([]) == "")
    let long = OverlayText.paragraphs(
      Array(repeating: String(repeating: "x", count: 10_000), count: 50))
    #expect(long.split(separator: "\n").map(\.count) == Array(repeating: 400, count: 6))
  }
}
