import KeyDragCore

/// Explains mistakes on the command line, in words fit for speech.
enum UsageMistake {
  /// - Parameters:
  ///   - message: the parser's message, which may contain arguments as they were typed.
  ///   - full: the same with the parser's reference to the help page.
  ///   - arguments: the command line, the program first.
  static func sentence(
    _ message: String, full: String, arguments: [String], commands: [String],
    _ phrases: Phrasebook
  ) -> String {
    // A typed word may contain a line break.
    let lines = message.split(separator: "\n").map { SpokenName.clean(String($0)) }
    return phrases.join(
      ParserMessage.words(for: lines.joined(separator: " "), in: phrases),
      nearCommand(arguments, commands, phrases),
      // After a mistake on the command line. %1$@ is a command that shows help, such as keydrag
      // copy --help.
      phrases.phrase("%1$@ says how.", helpPage(full)))
  }

  private static func nearCommand(
    _ arguments: [String], _ commands: [String], _ phrases: Phrasebook
  ) -> String {
    guard let word = commandMeant(arguments, among: commands) else { return "" }
    return phrases.join(
      // A mistake in the settings or on the command line. %1$@ is a word that should be a command.
      phrases.phrase("There is no command %1$@.", word.typed),
      phrases.guess("keydrag \(word.meant)"))
  }

  /// The command that shows help, out of "See 'keydrag copy --help' for more".
  private static func helpPage(_ full: String) -> String {
    guard let start = full.firstRange(of: "See '")?.upperBound,
      let end = full[start...].firstIndex(of: "'")
    else { return "keydrag --help" }
    return SpokenName.clean(String(full[start..<end]))
  }

  /// A first word that is nearly the name of a command; any other is taken as a folder.
  private static func commandMeant(
    _ arguments: [String], among commands: [String]
  ) -> (typed: String, meant: String)? {
    guard let typed = arguments.dropFirst().first, !typed.hasPrefix("-"),
      !commands.contains(typed), let meant = Suggestions.name(to: typed, among: commands)
    else { return nil }
    return (SpokenName.clean(typed), meant)
  }

  /// A hint if the name of a missing folder is, or resembles, that of a command; otherwise empty.
  static func hint(
    forFolder name: String, arguments: [String], commands: [String], _ phrases: Phrasebook
  ) -> String {
    if commands.contains(name) {
      return phrases.phrase(
        // The name of a command was taken for that of a folder, because options were typed before
        // it. %1$@ is how to begin, such as keydrag copy.
        "If you mean the command, write it first: %1$@.", "keydrag \(name)")
    }
    guard let word = commandMeant(arguments, among: commands),
      arguments.dropFirst().first == name
    else { return "" }
    return phrases.join(
      // After "There is no folder …", where the word is no command either.
      phrases.phrase("There is no such command either."),
      phrases.guess("keydrag \(word.meant)"))
  }
}
