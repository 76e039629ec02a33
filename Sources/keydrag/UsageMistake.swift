import KeyDragCore

/// Tells what is wrong on the command line, and what to do, in words fit to be spoken.
enum UsageMistake {
  /// The sentences for a mistake.
  ///
  /// - Parameters:
  ///   - message: what the parser says of it; it may hold arguments as they were typed.
  ///   - full: the same with the parser's hint at the help page.
  ///   - arguments: the command line, the program first.
  static func sentence(_ message: String, full: String, arguments: [String]) -> String {
    var lines = message.split(separator: "\n").map { SpokenName.clean(String($0)) }
    if let last = lines.last, let mark = last.last, !".?!".contains(mark) {
      lines[lines.count - 1] = last + "."
    }
    if let word = commandMeant(arguments) {
      lines.append("There is no command \(word.typed). Did you mean keydrag \(word.meant)?")
    }
    return (lines + ["\(helpPage(full)) says how."]).joined(separator: " ")
  }

  /// The command that lists what may be typed, out of "See 'keydrag copy --help' for more".
  private static func helpPage(_ full: String) -> String {
    guard let start = full.firstRange(of: "See '")?.upperBound,
      let end = full[start...].firstIndex(of: "'")
    else { return "keydrag --help" }
    return SpokenName.clean(String(full[start..<end]))
  }

  /// A first word that is nearly the name of a command; any other is taken as a folder.
  static func commandMeant(_ arguments: [String]) -> (typed: String, meant: String)? {
    guard let typed = arguments.dropFirst().first, !typed.hasPrefix("-") else { return nil }
    let names = KeyDragCommand.configuration.subcommands.map {
      $0.configuration.commandName ?? ""
    }
    guard !names.contains(typed), let meant = Nearest.name(to: typed, among: names) else {
      return nil
    }
    return (SpokenName.clean(typed), meant)
  }

  /// What to say beside the fact that a folder is not there, when its name is or is nearly the name
  /// of a command; empty otherwise.
  static func hint(forFolder name: String, arguments: [String]) -> String {
    if KeyDragCommand.configuration.subcommands.contains(where: {
      $0.configuration.commandName == name
    }) {
      return " If you mean the command, write it first: keydrag \(name)."
    }
    guard let word = commandMeant(arguments), arguments.dropFirst().first == name else { return "" }
    return " There is no such command either. Did you mean keydrag \(word.meant)?"
  }
}
