import KeyDragCore

/// Tells what is wrong on the command line, and what to do, in words fit to be spoken.
enum UsageMistake {
  /// The sentences for a mistake.
  ///
  /// - Parameters:
  ///   - message: what the parser says of it; it may hold arguments as they were typed.
  ///   - full: the same with the parser's hint at the help page.
  ///   - arguments: the command line, the program first.
  ///   - commands: the names of all commands.
  static func sentence(
    _ message: String, full: String, arguments: [String], commands: [String],
    _ phrases: Phrasebook
  ) -> String {
    // A word that was typed may hold a line break.
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

  /// The command that lists what may be typed, out of "See 'keydrag copy --help' for more".
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
      !commands.contains(typed), let meant = Nearest.name(to: typed, among: commands)
    else { return nil }
    return (SpokenName.clean(typed), meant)
  }

  /// A hint to add when a folder is not there and its name is or is nearly the name of a command;
  /// empty otherwise.
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
