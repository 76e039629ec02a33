import CPango
import Testing

@testable import KeyDragX11

/// What the keys of a walk do, as long as it is in most languages.
let sampleHelp = (1...23).map { number in
  number % 7 == 0
    ? "F\(number): visit the places that refuse what is held as well, or leave them out."
    : "Shift+F\(number): the next place."
}

@Suite("How the help is laid out")
struct HelpLayoutTests {
  private func help(
    _ lines: [String] = sampleHelp, dots: Double, in room: (Int, Int)
  ) throws -> OverlayPainter.Label {
    let metrics = OverlayMetrics(dotsPerInch: dots, textScale: 1)
    let surface = try #require(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 1, 1))
    defer { cairo_surface_destroy(surface) }
    return try #require(
      OverlayPainter(metrics: metrics, style: OverlayStyle(nil))
        .help(lines, on: surface, room: room))
  }

  @Test(
    "It is one column where that fits, else two or three, and fits",
    arguments: [
      (96, 1920, 1080, 1), (96, 800, 600, 1), (144, 1024, 768, 2), (96, 800, 360, 2),
      (96, 1024, 260, 3), (144, 1920, 1080, 1), (192, 1920, 1080, 2),
    ])
  func columns(dots: Double, width: Int, height: Int, count: Int) throws {
    let label = try help(dots: dots, in: (width, height))
    #expect(label.columns.count == count)
    #expect(label.width <= width && label.height <= height)
    #expect(label.columns.allSatisfy { $0.width > 0 && $0.height < label.height })
  }

  @Test("Where columns would be too high or too narrow it is one text as wide as the screen")
  func text() throws {
    let label = try help(dots: 192, in: (800, 600))
    #expect(label.columns.count == 1)
    let higher = try help(dots: 192, in: (800, 5000))
    #expect(label.width > 700 && label.width <= 800)
    // A line for each key would be higher.
    #expect(label.height < higher.height && label.height > higher.height / 2)
    #expect(
      try help(sampleHelp + sampleHelp, dots: 192, in: (800, 600)).height > label.height * 3 / 2)
  }

  @Test("A line that is too long for its column goes on below itself")
  func longLine() throws {
    let words = String(repeating: "so many words ", count: 20)
    let long = try help([words, "F2: b"], dots: 96, in: (800, 600))
    let short = try help(["F1: a", "F2: b"], dots: 96, in: (800, 600))
    #expect(long.width <= 800)
    #expect(long.height > 3 * short.height / 2)
  }

  @Test("In a language written from right to left the first column stands on the right")
  func direction() throws {
    let hebrew = (1...23).map { "\u{05DE}\u{05E7}\u{05D5}\u{05DD} F\($0)" }
    #expect(try help(hebrew, dots: 144, in: (1024, 768)).isRightToLeft)
    #expect(try !help(dots: 144, in: (1024, 768)).isRightToLeft)
  }

  @Test(
    "A line goes in the direction of its language, whatever the name is written in that it begins with",
    arguments: [
      ("\u{2068}F8\u{2069}: \u{05DE}\u{05E7}\u{05D5}\u{05DD}.", "\u{200F}"),
      ("\u{2068}\u{05DE}\u{05E7}\u{2069}, in Docs: move", "\u{200E}"), ("F8: move.", ""),
      ("\u{05DE}\u{05E7}: \u{2068}F8\u{2069}", ""), ("\u{2068}\u{05DE}\u{05E7}\u{2069}", ""),
      ("\u{2068}a.txt\u{2069}", ""), ("\u{2068}a", ""), ("a\u{2069} b", ""), ("12", ""),
    ])
  func lineDirection(line: String, mark: String) throws {
    #expect(OverlayText.help([line]) == [mark + line])
    #expect(OverlayText.paragraphs([line]) == mark + line)
    guard !mark.isEmpty else { return }
    // A line of names alone goes with the others.
    let names = "\u{2068}" + (mark == "\u{200F}" ? "a" : "\u{05DE}") + "\u{2069}"
    #expect(OverlayText.paragraphs([names, line]) == mark + names + "\n" + mark + line)
    let isRightToLeft = try help(OverlayText.help([line]), dots: 96, in: (800, 600)).isRightToLeft
    #expect(isRightToLeft == (mark == "\u{200F}"))
  }

  @Test("Each line of the help is plain, and those that say nothing are left out")
  func plain() {
    #expect(OverlayText.help(["a\nb\u{1B}", "", " \t", " d "]) == ["a b", "d"])
    #expect(OverlayText.help([]) == [])
    #expect(OverlayText.help(Array(repeating: "x", count: 1000)).count == OverlayText.mostHelp)
  }
}
