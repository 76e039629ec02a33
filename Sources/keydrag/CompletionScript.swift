/// The script by which bash completes, with the options of the subcommand that may be left out.
///
/// swift-argument-parser's scripts offer nothing of a default subcommand before its name is typed.
enum CompletionScript {
  private static let others = "        # Offer subcommand completions\n"

  /// The same text where it is no such script.
  static func withDefault(_ script: String, program: String, subcommand: String) -> String {
    guard script.hasPrefix("#!/bin/bash\n"), let start = script.firstRange(of: others),
      let line = script[start.upperBound...].firstIndex(of: "\n")
    else { return script }
    let call = """

              # The subcommand that may be left out
              unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")
              _\(program)_\(subcommand)
      """
    return script[..<line] + call + script[line...]
  }
}
