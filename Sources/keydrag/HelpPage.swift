import Glibc
import KeyDragCore
import KeyDragTerminal

/// The parser's help pages, translated and laid out for words of any length and width
/// (swift-argument-parser 1.8).
enum HelpPage {
  /// A width at which the parser breaks no line.
  static let unbounded = 1_000_000
  /// The column at which the parser puts the description of an option.
  private static let labelColumns = 26

  /// The width of the terminal, unless `COLUMNS` sets it.
  static func columns() -> Int {
    if let text = getenv("COLUMNS"), let columns = Int(String(cString: text)), columns > 0 {
      return columns
    }
    return TerminalProbe.size(STDOUT_FILENO).columns
  }

  /// Translates a page of the parser without line breaks; any other text is unchanged.
  static func translated(_ page: String, columns: Int, _ phrases: Phrasebook) -> String {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.contains(where: { $0.hasPrefix("USAGE: ") }) else { return page }
    let columns = max(columns, labelColumns + 20)
    return lines.indices.map { index in
      // A label that fills its column has its description on the next line.
      let next = index + 1 < lines.count ? lines[index + 1] : ""
      let isAlone = indent(of: next) == labelColumns
      return translated(line: lines[index], isAlone: isAlone, columns, phrases)
    }.joined(separator: "\n")
  }

  private static func indent(of line: String) -> Int { line.prefix { $0 == " " }.count }

  private static func translated(
    line: String, isAlone: Bool, _ columns: Int, _ phrases: Phrasebook
  ) -> String {
    if let text = rest(of: line, after: "OVERVIEW: ") {
      // Help page: the heading before what a command does.
      let heading = phrases.term(in: "help page", "OVERVIEW:")
      return LineBreaks.lines(of: "\(heading) \(text)", columns: columns).joined(separator: "\n")
    }
    if let usage = rest(of: line, after: "USAGE: ") {
      // Help page: the heading before how a command is typed.
      let heading = phrases.term(in: "help page", "USAGE:")
      return "\(heading) \(synopsis(usage, phrases))"
    }
    switch line {
    // Help page: the heading of a list of what is to be typed.
    case "ARGUMENTS:": return phrases.term(in: "help page", "ARGUMENTS:")
    // Help page: the heading of the list of options.
    case "OPTIONS:": return phrases.term(in: "help page", "OPTIONS:")
    // Help page: the heading of the list of commands.
    case "SUBCOMMANDS:": return phrases.term(in: "help page", "SUBCOMMANDS:")
    default: break
    }
    if let match = line.wholeMatch(of: #/  See '(.*)' for detailed help\./#) {
      let words = phrases.phrase(
        // Help page: its last line. %1$@ is what to type.
        "See '%1$@' for detailed help.", synopsis(String(match.1), phrases))
      return "  " + words
    }
    return entry(line, isAlone, columns, phrases)
  }

  /// A list entry, its continuation, or a paragraph.
  private static func entry(
    _ line: String, _ isAlone: Bool, _ columns: Int, _ phrases: Phrasebook
  ) -> String {
    let indent = indent(of: line)
    let text = String(line.dropFirst(indent))
    switch indent {
    case 2:
      let name = isAlone ? text : String(line.prefix(labelColumns).dropFirst(2))
      let meaning = isAlone ? "" : String(line.dropFirst(labelColumns))
      return row(label(name, phrases), self.meaning(meaning, phrases), columns)
    case labelColumns: return indented(meaning(text, phrases), by: indent, columns)
    case 0: return LineBreaks.lines(of: line, columns: columns).joined(separator: "\n")
    default: return indented(text, by: indent, columns)
    }
  }

  private static func row(_ label: String, _ meaning: String, _ columns: Int) -> String {
    let label = "  " + label
    guard !meaning.isEmpty else { return label }
    let block = indented(meaning, by: labelColumns, columns)
    let width = TextWidth.columns(label)
    guard width < labelColumns else { return label + "\n" + block }
    return label + block.dropFirst(width)
  }

  private static func indented(_ text: String, by indent: Int, _ columns: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    return LineBreaks.lines(of: text, columns: columns - indent)
      .map { margin + $0 }.joined(separator: "\n")
  }

  private static func label(_ label: String, _ phrases: Phrasebook) -> String {
    let label = String(label.reversed().drop { $0 == " " }.reversed())
    guard label.hasSuffix(" (default)") else { return label }
    // Help page, in the list of commands: the one that is taken when none is named. %1$@ is its
    // name.
    return phrases.term(in: "help page", "%1$@ (default)", String(label.dropLast(10)))
  }

  private static func synopsis(_ usage: String, _ phrases: Phrasebook) -> String {
    // Help page, in angle brackets: what is to be typed, the name of a command.
    let command = phrases.term(in: "to be typed", "subcommand")
    // Help page, in angle brackets: what is to be typed, one or more options.
    let options = phrases.term(in: "to be typed", "options")
    return usage.replacing("<subcommand>", with: "<\(command)>")
      .replacing("<options>", with: "<\(options)>")
  }

  /// The translation of the parser's own texts, and of its additions to an option's description.
  private static func meaning(_ text: String, _ phrases: Phrasebook) -> String {
    switch text {
    // Help page: what an option does.
    case "Show help information.": return phrases.phrase("Show help information.")
    // Help page: what an option does.
    case "Show the version.": return phrases.phrase("Show the version.")
    default: break
    }
    guard let match = text.wholeMatch(of: /(.*) \((?:values: (.*?))?(?:; )?(?:default: (.*))?\)/)
    else { return text }
    let values = match.2.map { phrases.list($0.split(separator: ", ").map(String.init)) }
    let addition =
      switch (values, match.3.map(String.init)) {
      case (let values?, let usual?):
        phrases.term(
          // Help page, after what an option does. %1$@ is all words that may be typed, %2$@ the one
          // that is taken without the option.
          in: "help page", "(values: %1$@; default: %2$@)", values, usual)
      case (let values?, nil):
        // Help page, after what an option does. %1$@ is all words that may be typed.
        phrases.term(in: "help page", "(values: %1$@)", values)
      case (nil, let usual?):
        // Help page, after what an option does. %1$@ is what is taken without the option.
        phrases.term(in: "help page", "(default: %1$@)", usual)
      case (nil, nil): ""
      }
    return addition.isEmpty ? text : phrases.join(String(match.1), addition)
  }

  private static func rest(of line: String, after start: String) -> String? {
    line.hasPrefix(start) ? String(line.dropFirst(start.count)) : nil
  }
}
