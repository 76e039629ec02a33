import Testing

@testable import KeyDragX11

@Suite("What the settings manager of a display says")
struct XSettingsTests {
  enum Value {
    case number(Int)
    case text(String)
    case color
  }

  static func bytes(
    _ settings: [(name: String, value: Value)], bigEndian: Bool = false
  ) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      let low = (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
      return bigEndian ? low.reversed() : low
    }
    func padded(_ text: String) -> [UInt8] {
      let bytes = Array(text.utf8)
      return bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
    var result: [UInt8] = [bigEndian ? 1 : 0, 0, 0, 0] + number(7, 4) + number(settings.count, 4)
    for (name, value) in settings {
      let type: UInt8 =
        switch value {
        case .number: 0
        case .text: 1
        case .color: 2
        }
      result += [type, 0] + number(name.utf8.count, 2) + padded(name) + number(3, 4)
      switch value {
      case .number(let value): result += number(value, 4)
      case .text(let text): result += number(text.utf8.count, 4) + padded(text)
      case .color: result += [UInt8](repeating: 9, count: 8)
      }
    }
    return result
  }

  private static let usual: [(name: String, value: Value)] = [
    ("Net/ThemeName", .text("Adwaita")), ("Gtk/ColorScheme", .color),
    ("Xft/DPI", .number(147_456)), ("Gdk/WindowScalingFactor", .number(1)),
  ]

  @Test(
    "the numbers are found among texts and colours, in either order of bytes",
    arguments: [false, true])
  func read(bigEndian: Bool) throws {
    let settings = try #require(XSettings(Self.bytes(Self.usual, bigEndian: bigEndian)))
    #expect(settings.numbers == ["Xft/DPI": 147_456, "Gdk/WindowScalingFactor": 1])
    #expect(settings.dotsPerInch(usual: 96) == 144)
  }

  @Test("every cut and every flipped byte is answered, and no cut is believed")
  func damaged() {
    let whole = Self.bytes(Self.usual)
    for end in whole.indices { #expect(XSettings(Array(whole[..<end])) == nil) }
    for index in whole.indices {
      for flip in [0x01, 0x80, 0xFF] as [UInt8] {
        var bytes = whole
        bytes[index] ^= flip
        let dots = XSettings(bytes)?.dotsPerInch(usual: 96) ?? 96
        let metrics = OverlayMetrics(settings: XSettings(bytes), dotsPerInch: 96)
        #expect(dots >= 0 && (72...400).contains(metrics.resolution))
      }
    }
  }

  @Test("too much is not read, and a count without settings is a lie")
  func tooMuch() {
    #expect(XSettings([UInt8](repeating: 0, count: XSettings.mostBytes + 1)) == nil)
    #expect(XSettings([0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255]) == nil)
    #expect(XSettings([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]) == nil)
    #expect(XSettings([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])?.numbers == [:])
  }

  @Test(
    "text and window together make the size, and nonsense makes none",
    arguments: [
      (["Xft/DPI": 98_304], 96), (["Xft/DPI": 122_880], 120), (["Xft/DPI": 73_728], 72),
      (["Gdk/WindowScalingFactor": 2], 192), (["Gdk/WindowScalingFactor": 1], 110),
      (["Gdk/WindowScalingFactor": 2, "Xft/DPI": 98_304], 192),
      (["Gdk/WindowScalingFactor": 2, "Xft/DPI": 245_760], 240),
      (["Xft/DPI": -1], nil), (["Xft/DPI": 0], nil), (["Gdk/WindowScalingFactor": 900], nil),
      ([:], nil),
    ] as [([String: Int], Double?)])
  func sizes(values: [String: Int], dots: Double?) throws {
    let bytes = Self.bytes(values.map { ($0.key, .number($0.value)) })
    #expect(try #require(XSettings(bytes)).dotsPerInch(usual: 110) == dots)
  }

  @Test("larger text is larger on any screen, within what fits, and smaller text stays readable")
  func metrics() throws {
    func resolution(_ dots: Int, on screen: Double) throws -> Double {
      let settings = try #require(XSettings(Self.bytes([("Xft/DPI", .number(dots * 1024))])))
      return OverlayMetrics(settings: settings, dotsPerInch: screen).resolution
    }
    #expect(try resolution(120, on: 96) == 120)
    #expect(try resolution(96, on: 192) == 96)
    #expect(try resolution(20, on: 96) == 72)
    #expect(try resolution(2_000_000, on: 96) == 384)
    #expect(OverlayMetrics(settings: nil, dotsPerInch: 120).resolution == 120)
  }
}
