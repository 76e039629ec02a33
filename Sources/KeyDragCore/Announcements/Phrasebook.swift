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
    let bytes = max(bytes, 0)
    var value = Double(bytes)
    var unit = 0
    while value >= 999.5, unit < 4 {
      value /= 1000
      unit += 1
    }
    let tenths = Int((value * 10).rounded())
    guard unit > 0, tenths < 100, tenths % 10 != 0 else {
      let whole = Int(value.rounded())
      return Phrasebook.fill(sizeSentence(unit, whole), [number(whole)])
    }
    // A broken number takes the form of several.
    return Phrasebook.fill(sizeSentence(unit, 2), ["\(tenths / 10).\(tenths % 10)"])
  }

  private func sizeSentence(_ unit: Int, _ count: Int) -> String {
    switch unit {
    case 0: catalogue.sentence(one: "%1$@ byte", other: "%1$@ bytes", count: count)
    case 1: catalogue.sentence(one: "%1$@ kilobyte", other: "%1$@ kilobytes", count: count)
    case 2: catalogue.sentence(one: "%1$@ megabyte", other: "%1$@ megabytes", count: count)
    case 3: catalogue.sentence(one: "%1$@ gigabyte", other: "%1$@ gigabytes", count: count)
    default: catalogue.sentence(one: "%1$@ terabyte", other: "%1$@ terabytes", count: count)
    }
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
