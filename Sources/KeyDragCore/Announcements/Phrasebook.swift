/// How much is said.
public enum Verbosity: String, Hashable, Sendable, CaseIterable {
  case brief
  case full
}

/// The wording of announcements in one language.
///
/// Sentences are literals here, so that they can be extracted; words come from the catalogue.
public struct Phrasebook: Sendable {
  public let catalogue: any Catalogue
  public var verbosity: Verbosity

  public init(catalogue: any Catalogue = SourceCatalogue(), verbosity: Verbosity = .full) {
    self.catalogue = catalogue
    self.verbosity = verbosity
  }

  var isBrief: Bool { verbosity == .brief }

  /// A sentence with its placeholders `%1$@` … `%9$@` filled.
  public func phrase(_ source: String, _ values: String...) -> String {
    Phrasebook.fill(catalogue.sentence(source), values)
  }

  /// A sentence in the plural form for `count`, which is `%1$@` in it; further values follow.
  func plural(_ one: String, _ other: String, _ count: Int, _ values: String...) -> String {
    Phrasebook.fill(
      catalogue.sentence(one: one, other: other, count: count), [number(count)] + values)
  }

  /// A count in the language's digits.
  func number(_ value: Int) -> String { String(value) }

  /// Several sentences as one utterance; empty ones are left out.
  func join(_ sentences: String...) -> String {
    sentences.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Parts of one sentence, parted by commas; empty ones are left out.
  public func list(_ parts: [String]) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Up to three names in full; of more, the first two and how many others.
  func names(_ names: [String], count: Int? = nil) -> String {
    let count = max(count ?? names.count, names.count)
    switch (names.count, count) {
    case (0, 0): return ""
    case (0, _): return items(count)
    case (1, 1): return names[0]
    case (2, 2): return phrase("%1$@ and %2$@", names[0], names[1])
    case (3, 3): return phrase("%1$@, %2$@ and %3$@", names[0], names[1], names[2])
    case (1, _): return phrase("%1$@ and %2$@ more", names[0], number(count - 1))
    default:
      return phrase("%1$@, %2$@ and %3$@ more", names[0], names[1], number(count - 2))
    }
  }

  func items(_ count: Int) -> String { plural("%1$@ item", "%1$@ items", count) }

  /// A size in the largest unit that keeps it above one, with one decimal below ten.
  func size(_ bytes: Int64) -> String {
    let units = ["bytes", "kilobytes", "megabytes", "gigabytes", "terabytes"]
    var value = Double(max(bytes, 0))
    var unit = 0
    while value >= 999.5, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    if unit == 0 { return plural("%1$@ byte", "%1$@ bytes", Int(bytes)) }
    let tenths = Int((value * 10).rounded())
    let text =
      value < 10 && tenths % 10 != 0
      ? "\(tenths / 10).\(tenths % 10)" : String(Int(value.rounded()))
    return phrase("%1$@ %2$@", text, catalogue.sentence(units[unit]))
  }

  private static func fill(_ template: String, _ values: [String]) -> String {
    guard template.utf8.contains(UInt8(ascii: "%")) else { return template }
    var result = ""
    var rest = Substring(template)
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      let place = rest[percent...].prefix(4)
      let digit = place.dropFirst().first?.wholeNumberValue
      if place.hasSuffix("$@"), let digit, digit >= 1, digit <= values.count {
        result += values[digit - 1]
        rest = rest[place.endIndex...]
      } else {
        result += "%"
        rest = rest[rest.index(after: percent)...]
      }
    }
    return result + rest
  }
}
