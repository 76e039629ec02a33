/// The readings of a language's texts that its voice would read wrongly.
///
/// A file beside the catalogue, with an entry a line: the written text, a tab, and its reading.
/// `[0] ` before the text limits the entry to that plural form. The longest entry that fits at a
/// place is taken, so that a word with two readings has an entry with its neighbour. Programs find
/// the readings in the compiled catalogue, in the notation of Aozora Bunko: `｜掴《つか》みました`.
struct Lexicon {
  private struct Entry {
    var text: [Unicode.Scalar]
    var form: Int?
    var reading: String
  }

  /// By the first character of the text; longer texts come first and, of the same length, those for
  /// one form.
  private var entries: [Unicode.Scalar: [Entry]] = [:]

  /// - Parameter name: the name of the file, for messages.
  init(_ text: String, name: String) throws {
    var known: Set<String> = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty && !line.hasPrefix("#") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count == 2, let entry = Self.entry(fields[0], String(fields[1])) else {
        throw ToolError("\(name):\(index + 1): a text, a tab and its reading are expected")
      }
      guard known.insert(String(fields[0])).inserted else {
        throw ToolError("\(name):\(index + 1): \(fields[0]) has an entry already")
      }
      entries[entry.text[0], default: []].append(entry)
    }
    for first in entries.keys {
      entries[first]?.sort {
        ($0.text.count, $0.form == nil ? 0 : 1) > ($1.text.count, $1.form == nil ? 0 : 1)
      }
    }
  }

  private static func entry(_ text: Substring, _ reading: String) -> Entry? {
    let isLimited = text.prefixMatch(of: #/\[([0-9])\] /#)
    let written = isLimited.map { text[$0.range.upperBound...] } ?? text
    guard !written.isEmpty, !reading.isEmpty,
      !(written + reading).contains(where: { "｜《》\\\"".contains($0) })
    else { return nil }
    return Entry(
      text: Array(written.unicodeScalars), form: isLimited.flatMap { Int($0.output.1) },
      reading: reading)
  }

  // MARK: Catalogues

  /// Inserts the readings into a catalogue's translations; its lines stay as they are.
  func marked(catalogue: String) -> String {
    var messages = 0
    var isTranslation = false
    var form: Int?
    return catalogue.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if line.hasPrefix("msgid \"") { messages += 1 }
      if line.hasPrefix("msg") {
        isTranslation = line.hasPrefix("msgstr")
        form = line.prefixMatch(of: #/msgstr\[([0-9])\]/#).flatMap { Int($0.output.1) }
      }
      // The first message is the header of the catalogue.
      guard isTranslation, messages > 1, let start = line.firstIndex(of: "\""),
        !line.hasPrefix("#")
      else { return String(line) }
      let text = line.index(after: start)
      return line[..<text] + marked(String(line[text...]), form: form)
    }.joined(separator: "\n")
  }

  // MARK: Texts

  /// Inserts the reading of each entry into a text; an escape is no part of a word.
  func marked(_ text: String, form: Int? = nil) -> String {
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    var place = 0
    var wordStart = 0
    while place < scalars.count {
      if scalars[place] == "\\" {
        result.append(contentsOf: scalars[place..<min(place + 2, scalars.count)])
        place += 2
        wordStart = place
        continue
      }
      guard let entry = entry(in: scalars, at: place, after: wordStart, form: form) else {
        result.append(scalars[place])
        place += 1
        continue
      }
      let end = place + entry.text.count
      var reading = entry.reading
      if !entry.text.elementsEqual(reading.unicodeScalars) {
        if beginsWord(reading, in: scalars, from: place, after: wordStart) {
          reading = " " + reading
        }
        if endsWord(entry, in: scalars, to: end, form: form) { reading += " " }
        result.append(contentsOf: "｜".unicodeScalars + scalars[place..<end])
        result.append(contentsOf: "《\(reading)》".unicodeScalars)
      } else {
        result.append(contentsOf: entry.text)
      }
      place = end
    }
    return String(result)
  }

  /// The longest entry that fits at a place without beginning or ending within a word.
  private func entry(
    in text: [Unicode.Scalar], at place: Int, after start: Int, form: Int?
  ) -> Entry? {
    func isWithinWord(_ index: Int) -> Bool {
      index > start && index < text.count && isOfWord(text[index - 1]) && isOfWord(text[index])
    }
    guard let candidates = entries[text[place]], !isWithinWord(place) else { return nil }
    return candidates.first { entry in
      let end = place + entry.text.count
      return (entry.form == nil || entry.form == form) && end <= text.count
        && text[place..<end].elementsEqual(entry.text) && !isWithinWord(end)
    }
  }

  // MARK: Words

  /// Japanese has no blanks between its words. The voice takes the text between two blanks for one
  /// word, and a reading in kana behind the kana of a particle or an ending begins a new one.
  private func beginsWord(
    _ reading: String, in text: [Unicode.Scalar], from place: Int, after start: Int
  ) -> Bool {
    guard place > start, let first = reading.unicodeScalars.first else { return false }
    return isHiragana(text[place - 1]) && isKana(first) && !isKana(text[place])
  }

  /// A kana that is read as another is a particle, and ends a word.
  private func endsWord(
    _ entry: Entry, in text: [Unicode.Scalar], to end: Int, form: Int?
  ) -> Bool {
    guard entry.text.count == 1, isHiragana(entry.text[0]), end < text.count,
      self.entry(in: text, at: end, after: 0, form: form) == nil
    else { return false }
    return isOfWord(text[end]) || isWithoutBlanks(text[end]) || text[end] == "%"
  }

  /// Whether it is part of a word, in scripts that have blanks between words.
  private func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    guard !isWithoutBlanks(scalar) else { return false }
    if scalar == "_" { return true }
    return switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      true
    default: false
    }
  }

  private func isWithoutBlanks(_ scalar: Unicode.Scalar) -> Bool {
    isKana(scalar) || scalar.properties.isIdeographic
  }

  private func isHiragana(_ scalar: Unicode.Scalar) -> Bool {
    (0x3041...0x309F).contains(scalar.value)
  }

  private func isKana(_ scalar: Unicode.Scalar) -> Bool {
    (0x3041...0x30FF).contains(scalar.value) && scalar != "・"
  }
}
