import KeyDragCore

/// How a verdict looks: by colour, by the line around it and by a sign, so that none of them is needed
/// to know it.
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
  /// Lengths of dashes and gaps, in the overlay's unit; empty for an unbroken line.
  var dashes: [Double]
  var sign: Sign?

  init(_ verdict: Verdict?) {
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

/// Lengths of the overlay: everything grows with the screen's resolution and the person's text.
struct OverlayMetrics: Hashable, Sendable {
  /// Pixels per inch, as text is laid out.
  let resolution: Double
  /// A hair of the drawing: one pixel on an ordinary screen.
  let unit: Int

  /// - Parameters:
  ///   - dotsPerInch: as the desktop says; 72 to 400 are believed.
  ///   - textScale: 1 to 4 are believed.
  init(dotsPerInch: Double, textScale: Double) {
    let dots = dotsPerInch.isFinite ? min(max(dotsPerInch, 72), 400) : 96
    let scale = textScale.isFinite ? min(max(textScale, 1), 4) : 1
    self.init(resolution: dots * scale)
  }

  /// - Parameters:
  ///   - settings: what the person has set for all programs; `nil` where nobody says it.
  ///   - dotsPerInch: where nothing is set.
  init(settings: XSettings?, dotsPerInch: Double) {
    guard let wanted = settings?.dotsPerInch(usual: dotsPerInch), dotsPerInch.isFinite else {
      self.init(dotsPerInch: dotsPerInch, textScale: 1)
      return
    }
    // Any enlargement beyond the screen's own resolution comes from the person's text size.
    let own = min(dotsPerInch, wanted)
    self.init(dotsPerInch: own, textScale: wanted / own)
  }

  private init(resolution: Double) {
    self.resolution = resolution
    unit = max(Int((resolution / 96).rounded()), 1)
  }

  /// A little smaller, where it does not fit; `nil` when it would not be readable.
  var smaller: OverlayMetrics? {
    resolution > 48 ? OverlayMetrics(resolution: resolution * 0.8) : nil
  }

  /// The frame is a line of colour between two black ones.
  var blackLine: Int { 2 * unit }
  var colorLine: Int { 3 * unit }
  var band: Int { 2 * blackLine + colorLine }
  /// No frame is smaller: some of what it is around has to be seen.
  var smallestFrame: Int { 2 * band + 4 * unit }
  /// Between frame and label.
  var gap: Int { 4 * unit }
  var padding: Int { 10 * unit }
  /// Between two columns of text.
  var columnGap: Int { Int(resolution / 96 * 24) }
  /// The side of the square that the sign is drawn in.
  var sign: Int { Int((resolution / 96 * 18).rounded()) }
  /// Longer lines are hard to follow.
  var widestText: Int { Int(resolution / 96 * 480) }
  /// In a narrower column most lines would break.
  var narrowestColumn: Int { Int(resolution / 96 * 200) }

  /// The resolution that the desktop sets in its resources ("Xft.dpi"), or else the monitor's own,
  /// computed from the size that it reports.
  ///
  /// Many monitors do not know their size: what they say is used only where it makes sense, and
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
