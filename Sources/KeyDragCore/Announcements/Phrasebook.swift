/// The verbosity of announcements.
public enum Verbosity: String, Hashable, Sendable, CaseIterable {
  /// As few words as possible.
  case brief
  /// Includes the keys that lead on from here.
  case full
}

/// The wording of announcements in one language.
///
/// Sentences are literals here, so that they can be extracted; translations come from the
/// catalogue. The comment before each one is for its translators: when it is heard, and what each
/// placeholder is.
public struct Phrasebook: Sendable {
  /// The source of the translations.
  public let catalogue: any Catalogue
  /// The verbosity of the announcements.
  public var verbosity: Verbosity
  /// For a voice, which needs no direction marks and may need another writing system.
  let isSpoken: Bool
  /// For a screen reader, which treats a symbol that names a key as punctuation.
  private(set) var isRead = false
  /// The compositor of a Wayland session, in which keys of the desktop reach windows of XWayland only;
  /// `nil` in any other.
  package var compositor: String?
  /// Whether there are no keys, as in a command that does one thing and ends.
  package var isOneShot = false

  /// Wording in a language; English by default.
  public init(catalogue: any Catalogue = SourceCatalogue(), verbosity: Verbosity = .full) {
    self.init(catalogue: catalogue, verbosity: verbosity, isSpoken: false)
  }

  private init(catalogue: any Catalogue, verbosity: Verbosity, isSpoken: Bool) {
    self.catalogue = catalogue
    self.verbosity = verbosity
    self.isSpoken = isSpoken
  }

  /// The same wording for a voice.
  public var spoken: Phrasebook {
    guard !isSpoken else { return self }
    var result = Phrasebook(catalogue: catalogue.spoken, verbosity: verbosity, isSpoken: true)
    result.compositor = compositor
    result.isOneShot = isOneShot
    return result
  }

  /// The same wording for a screen reader, which may also show it in braille.
  package var read: Phrasebook {
    var result = self
    result.isRead = true
    return result
  }

  /// The displayed wording without direction marks, which nobody types.
  var unmarked: Phrasebook {
    Phrasebook(catalogue: catalogue, verbosity: verbosity, isSpoken: true)
  }

  var isBrief: Bool { verbosity == .brief }

  /// A sentence with its placeholders `%1$@` … `%9$@` filled.
  public func phrase(_ source: String, _ values: String...) -> String { phrase(source, values) }

  package func phrase(_ source: String, _ values: [String]) -> String {
    fill(catalogue.sentence(source, context: nil), values)
  }

  /// A sentence whose source has other meanings elsewhere; `context` tells them apart.
  public func term(in context: String, _ source: String, _ values: String...) -> String {
    term(in: context, source, values)
  }

  package func term(in context: String, _ source: String, _ values: [String]) -> String {
    fill(catalogue.sentence(source, context: context), values)
  }

  /// A sentence in the plural form for `count`, which is its last placeholder: a form for a single
  /// number may omit it, and the other placeholders keep their numbers.
  public func plural(_ one: String, _ other: String, _ count: Int, _ values: String...) -> String {
    fill(catalogue.sentence(one: one, other: other, count: count), values + [number(count)])
  }

  /// A number in the language's digits.
  public func number(_ value: Int) -> String { catalogue.number(value) }

  /// A percentage in the language's format; in words for a voice.
  func percent(_ value: Int) -> String {
    guard isSpoken else { return catalogue.percent(value) }
    // How far something is, in words for a voice that can't read "45%". %1$@ is a whole number.
    return plural("%1$@ percent", "%1$@ percent", value)
  }

  /// Joins sentences into one utterance, leaving out empty ones.
  public func join(_ sentences: String...) -> String {
    let sentences = sentences.filter { !$0.isEmpty }
    guard let first = sentences.first else { return "" }
    return sentences.dropFirst().reduce(first) { before, next in
      // Two whole sentences, one after the other: only the space between them may change. %1$@ and
      // %2$@ are those sentences.
      term(in: "two sentences", "%1$@ %2$@", before, next)
    }
  }

  /// Joins parts of a sentence with commas, leaving out empty ones.
  public func list(_ parts: [String]) -> String {
    let parts = parts.filter { !$0.isEmpty }
    guard let first = parts.first else { return "" }
    return parts.dropFirst().reduce(isolated(first)) { before, next in
      // Parts of one message, such as "notes.txt, selected, 2 of 4": only the comma may change.
      // %1$@ and %2$@ are those parts.
      term(in: "list", "%1$@, %2$@", before, next)
    }
  }

  /// Ends a text with a full stop, unless it already ends a sentence, such as a program's own
  /// words.
  package func closed(_ text: String) -> String {
    // Ends a sentence that is made of parts, such as "Inbox, 3 files": only the full stop may
    // change. %1$@ is all before it.
    text.last.map(\.endsSentence) ?? true ? text : term(in: "full stop", "%1$@.", text)
  }

  /// Everything dropped or carried, which the person knows: in brief a single name or the number.
  func carried(_ names: [String], _ count: Int? = nil) -> String {
    let count = count ?? names.count
    return isBrief && count > 1 ? items(count) : self.names(names, count: count)
  }

  /// Up to three names in full; otherwise the first two and how many others.
  func names(_ names: [String], count: Int? = nil) -> String {
    let count = max(count ?? names.count, names.count)
    switch (names.count, count) {
    case (0, 0): return ""
    case (0, _): return items(count)
    case (1, 1): return names[0]
    // %1$@ and %2$@ are names of files.
    case (2, 2): return phrase("%1$@ and %2$@", names[0], names[1])
    // %1$@, %2$@ and %3$@ are names of files.
    case (3, 3): return phrase("%1$@, %2$@ and %3$@", names[0], names[1], names[2])
    case (1, _):
      // One name and how many others. %1$@ is the name, %2$@ the number of further files.
      return plural("%1$@ and %2$@ more", "%1$@ and %2$@ more", count - 1, names[0])
    default:
      return plural(
        // Two names and how many others. %1$@ and %2$@ are names, %3$@ the number of further files.
        "%1$@, %2$@ and %3$@ more", "%1$@, %2$@ and %3$@ more", count - 2, names[0], names[1])
    }
  }

  // A count of things to drag: files, folders or others. %1$@ is the number. Stands by itself and
  // inside other messages.
  func items(_ count: Int) -> String { plural("%1$@ item", "%1$@ items", count) }

  /// A size in the largest unit that keeps it above one, with one decimal below ten.
  public func size(_ bytes: Int64) -> String {
    let (unit, whole, tenths) = scaled(bytes)
    guard unit > 0, tenths < 100, tenths % 10 != 0 else { return wholeSize(unit, whole) }
    return brokenSize(unit, catalogue.decimal(tenths: tenths))
  }

  /// A size in the largest of five units that keeps it above one, rounded, and in tenths.
  func scaled(_ bytes: Int64) -> (unit: Int, whole: Int, tenths: Int) {
    var (value, unit) = (Double(max(bytes, 0)), 0)
    while value >= 999.5, unit < 4 { (value, unit) = (value / 1000, unit + 1) }
    return (unit, Int(value.rounded()), Int((value * 10).rounded()))
  }

  private func wholeSize(_ unit: Int, _ count: Int) -> String {
    switch unit {
    // The size of what is copied. %1$@ is a whole number.
    case 0: plural("%1$@ byte", "%1$@ bytes", count)
    // The size of what is copied. %1$@ is a whole number.
    case 1: plural("%1$@ kilobyte", "%1$@ kilobytes", count)
    // The size of what is copied. %1$@ is a whole number.
    case 2: plural("%1$@ megabyte", "%1$@ megabytes", count)
    // The size of what is copied. %1$@ is a whole number.
    case 3: plural("%1$@ gigabyte", "%1$@ gigabytes", count)
    // The size of what is copied. %1$@ is a whole number.
    default: plural("%1$@ terabyte", "%1$@ terabytes", count)
    }
  }

  /// Numbers with a fraction have a grammatical form of their own in many languages.
  private func brokenSize(_ unit: Int, _ value: String) -> String {
    switch unit {
    // A size. %1$@ is a number with one decimal, such as 1.5, never a whole one.
    case 1: term(in: "with a decimal", "%1$@ kilobytes", value)
    // A size. %1$@ is a number with one decimal, such as 1.5, never a whole one.
    case 2: term(in: "with a decimal", "%1$@ megabytes", value)
    // A size. %1$@ is a number with one decimal, such as 1.5, never a whole one.
    case 3: term(in: "with a decimal", "%1$@ gigabytes", value)
    // A size. %1$@ is a number with one decimal, such as 1.5, never a whole one.
    default: term(in: "with a decimal", "%1$@ terabytes", value)
    }
  }

  func capitalised(_ text: String) -> String {
    guard let first = text.first else { return text }
    switch catalogue.language.prefix(2) {
    case "tr" where first == "i": return "İ" + text.dropFirst()
    case "nl" where text.hasPrefix("ij"): return "IJ" + text.dropFirst(2)
    default: return first.uppercased() + text.dropFirst()
    }
  }

  private func fill(_ template: String, _ values: [String]) -> String {
    guard template.utf8.contains(UInt8(ascii: "%")) else { return template }
    var result = ""
    var rest = Substring(template)
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      let place = rest[percent...].prefix(4)
      let digit = place.dropFirst().first?.wholeNumberValue
      if place.hasSuffix("$@"), let digit, digit >= 1, digit <= values.count {
        result += isolated(values[digit - 1])
        rest = rest[place.endIndex...]
      } else {
        result += "%"
        rest = rest[rest.index(after: percent)...]
      }
    }
    return result + rest
  }

  /// Isolates a name that runs against the direction of the sentence, so that it does not reorder
  /// its surroundings (Unicode Standard Annex 9, section 2.4).
  public func isolated(_ text: String) -> String {
    guard !isSpoken, text.utf8.contains(where: { $0 >= 0x80 }) || isRightToLeft else { return text }
    return Direction.runs(against: isRightToLeft ? .rightToLeft : .leftToRight, in: text)
      ? "\u{2068}" + text + "\u{2069}" : text
  }

  private var isRightToLeft: Bool { Direction(language: catalogue.language) == .rightToLeft }
}

extension Character {
  /// Whether no full stop follows it, in any language of the catalogues.
  package var endsSentence: Bool { ".!?:…。！？।؟".contains(self) }
}
