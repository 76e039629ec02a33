import FoundationEssentials
import FoundationInternationalization

/// Number formats of a language by CLDR; made once for a language.
struct NumberForms: Sendable {
  private let whole: IntegerFormatStyle<Int>
  private let ungrouped: IntegerFormatStyle<Int>
  private let broken: FloatingPointFormatStyle<Double>
  private let percentage: IntegerFormatStyle<Int>.Percent
  /// The text before and after the number in a percentage.
  private let percentFrame: (before: String, after: String)?
  /// True of most languages, Arabic and Hindi among them: small numbers then need no formatting.
  private let hasLatinDigits: Bool

  init(language: String) {
    let locale = Locale(identifier: language)
    whole = IntegerFormatStyle<Int>(locale: locale)
    ungrouped = whole.grouping(.never)
    broken = FloatingPointFormatStyle<Double>(locale: locale).precision(.fractionLength(1))
    percentage = IntegerFormatStyle<Int>.Percent(locale: locale)
    hasLatinDigits = ungrouped.format(1_234_567_890) == "1234567890"
    let sample = NumberForms.withoutMarks(percentage.format(45))
    percentFrame = sample.firstRange(of: ungrouped.format(45)).map { digits in
      (String(sample[..<digits.lowerBound]), String(sample[digits.upperBound...]))
    }
  }

  /// A whole number; ungrouped for a voice, because synthesizers read "10 000" and "10,000" as two
  /// numbers.
  func number(_ value: Int, isSpoken: Bool) -> String {
    let isPlain = value >= 0 && (isSpoken || value < 1_000)
    if hasLatinDigits, isPlain { return String(value) }
    return NumberForms.withoutMarks((isSpoken ? ungrouped : whole).format(value))
  }

  func decimal(tenths: Int, isSpoken: Bool) -> String {
    let style = isSpoken ? broken.grouping(.never) : broken
    return NumberForms.withoutMarks(style.format(Double(tenths) / 10))
  }

  func percent(_ value: Int, isSpoken: Bool) -> String {
    guard (0...100).contains(value), let percentFrame else {
      return NumberForms.withoutMarks(percentage.format(value))
    }
    return percentFrame.before + number(value, isSpoken: isSpoken) + percentFrame.after
  }

  /// Without directional marks: the sentence isolates what needs it.
  private static func withoutMarks(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isMark) else { return text }
    var scalars = text.unicodeScalars
    scalars.removeAll(where: isMark)
    return String(scalars)
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    [0x200E, 0x200F, 0x061C].contains(scalar.value)
  }
}
