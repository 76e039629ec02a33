import ArgumentParser

/// All files of a command as one argument: the parser's work grows with the square of the number of
/// words (five seconds for 10,000).
struct FileList: ExpressibleByArgument {
  /// A file name can't contain it.
  private static let separator: Unicode.Scalar = "\0"

  var files: [String]

  init?(argument: String) {
    // By code points: finding the characters at a million positions is slow.
    files = argument.unicodeScalars
      .split(separator: Self.separator, omittingEmptySubsequences: false).map(String.init)
  }

  static func joined(_ files: some Sequence<String>) -> String {
    files.joined(separator: String(separator))
  }
}

/// Joins the files of a transfer into one argument.
enum FileArguments {
  private static let commands: Set<String> = ["copy", "move", "link", "drop"]
  /// Options whose value is the next word.
  static let optionsWithValue: Set<String> = [
    "--to", "--clash", "--lang", "--verbosity", "--speech", "--announce", "--transcript",
    "--config", "--onto", "--app",
  ]

  /// - Parameter words: without the name of the program.
  static func joined(_ words: [String]) -> [String] {
    guard let command = words.first, commands.contains(command) else { return words }
    var others = [command]
    var files: [String] = []
    var rest = words.dropFirst()
    while let word = rest.popFirst() {
      if word == "--" {
        files += rest
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        files.append(word)
        continue
      }
      others.append(word)
      if optionsWithValue.contains(word), let value = rest.popFirst() { others.append(value) }
    }
    guard !files.isEmpty else { return words }
    return others + ["--", FileList.joined(files)]
  }
}
