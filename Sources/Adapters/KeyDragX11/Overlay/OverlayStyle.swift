import KeyDragCore

/// A verdict's appearance: colour, line style and sign, each of which suffices to recognise it.
struct OverlayStyle: Hashable, Sendable {
  struct Color: Hashable, Sendable {
    var red, green, blue: Double

    static let black = Color(red: 0, green: 0, blue: 0)
    static let white = Color(red: 1, green: 1, blue: 1)
    static let yellow = Color(red: 1, green: 0.8, blue: 0)
    static let orange = Color(red: 1, green: 0.5, blue: 0.4)
    static let sky = Color(red: 0.4, green: 0.8, blue: 1)
  }

  enum Sign: Hashable, Sendable { case tick, halfTick, question, cross, barred, dots, back }

  /// On black.
  var color: Color
  /// Lengths of dashes and gaps, in overlay units; empty for a solid line.
  var dashes: [Double]
  var sign: Sign?

  init(_ verdict: Verdict.Word?) {
    (color, dashes, sign) =
      switch verdict {
      case .accept: (.yellow, [], .tick)
      case .partial: (.yellow, [24, 5], .halfTick)
      case .maybe: (.yellow, [12, 5], .question)
      case .refuse: (.orange, [6, 6], .cross)
      case .forbidden: (.orange, [14, 5, 4, 5], .barred)
      case .asking: (.white, [3, 7], .dots)
      case .cancel: (.sky, [], .back)
      case nil: (.white, [], nil)
      }
  }
}

/// Overlay dimensions, which scale with the screen's resolution and the user's text size.
struct OverlayMetrics: Hashable, Sendable {
  /// Pixels per inch for text layout.
  let resolution: Double
  /// One pixel on an ordinary screen.
  let unit: Int

  /// - Parameters:
  ///   - dotsPerInch: as the desktop reports; clamped to 72...400.
  ///   - textScale: clamped to 1...4.
  init(dotsPerInch: Double, textScale: Double) {
    let dots = dotsPerInch.isFinite ? min(max(dotsPerInch, 72), 400) : 96
    let scale = textScale.isFinite ? min(max(textScale, 1), 4) : 1
    self.init(resolution: dots * scale)
  }

  /// - Parameters:
  ///   - settings: the user's settings for all programs; `nil` when nobody provides them.
  ///   - dotsPerInch: the screen's own, used when nothing is set.
  init(settings: XSettings?, dotsPerInch: Double) {
    guard let wanted = settings?.dotsPerInch(usual: dotsPerInch), dotsPerInch.isFinite else {
      self.init(dotsPerInch: dotsPerInch, textScale: 1)
      return
    }
    // Any enlargement beyond the screen's own resolution comes from the user's text size.
    let own = min(dotsPerInch, wanted)
    self.init(dotsPerInch: own, textScale: wanted / own)
  }

  private init(resolution: Double) {
    self.resolution = resolution
    unit = max(Int((resolution / 96).rounded()), 1)
  }

  /// One step smaller, for text that does not fit; `nil` when it would be unreadable.
  var smaller: OverlayMetrics? {
    resolution > 48 ? OverlayMetrics(resolution: resolution * 0.8) : nil
  }

  /// The frame is a coloured line between two black ones.
  var blackLine: Int { 2 * unit }
  var colorLine: Int { 3 * unit }
  var band: Int { 2 * blackLine + colorLine }
  /// The minimum that leaves some of the framed place visible.
  var smallestFrame: Int { 2 * band + 4 * unit }
  /// Between frame and label.
  var gap: Int { 4 * unit }
  var padding: Int { 10 * unit }
  var columnGap: Int { Int(resolution / 96 * 24) }
  var sign: Int { Int((resolution / 96 * 18).rounded()) }
  /// Longer lines are hard to follow.
  var widestText: Int { Int(resolution / 96 * 480) }
  /// In a narrower column most lines would break.
  var narrowestColumn: Int { Int(resolution / 96 * 200) }

  /// The resolution in the desktop's resources ("Xft.dpi"), or else the monitor's own, computed
  /// from its reported size. Many monitors report a wrong size: it is used only when plausible, and
  /// only to enlarge.
  static func dotsPerInch(
    resources: some Sequence<UInt8>, pixels: Int, millimeters: Int
  ) -> Double {
    for line in Array(resources).split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard parts.count == 2, String(decoding: parts[0], as: UTF8.self) == "Xft.dpi" else {
        continue
      }
      let number = parts[1].filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
      if let value = Double(String(decoding: number, as: UTF8.self)), value > 0 { return value }
    }
    guard millimeters >= 100 else { return 96 }
    let measured = Double(pixels) * 25.4 / Double(millimeters)
    return measured <= 600 ? max(measured, 96) : 96
  }
}
