/// Completion scripts for shells, with the options of the default subcommand added:
/// swift-argument-parser's scripts offer none of them before its name is typed.
struct CompletionScript {
  let program: String
  let subcommand: String

  /// Adds the options; text that is no script for bash, zsh or fish is unchanged.
  func withDefault(_ text: String) -> String {
    if text.hasPrefix("#!/bin/bash\n") { return bash(text) }
    if text.hasPrefix("#compdef ") { return zsh(text) }
    return text.hasPrefix("function __\(program)_should_offer") ? fish(text) : text
  }

  private func bash(_ text: String) -> String {
    guard let start = text.firstRange(of: "        # Offer subcommand completions\n"),
      let line = text[start.upperBound...].firstIndex(of: "\n")
    else { return text }
    let call = """

              # The subcommand that may be left out; after an option there is no other
              [[ "${COMP_WORDS[1]}" == -* ]] && COMPREPLY=()
              unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")
              _\(program)_\(subcommand)
      """
    return text[..<line] + call + text[line...]
  }

  /// Adds the subcommand's specifications to those of the program.
  private func zsh(_ text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(of: "_\(program)_\(subcommand)() {"),
      let end = lines[start...].firstIndex(of: "}"),
      let specifications = lines.firstIndex(of: "    local -ar arg_specs=("),
      let offer = lines.firstIndex(of: "        _describe -V subcommand subcommands && ret=0"),
      specifications < offer, offer < start
    else { return text }
    let own = lines[start..<end]
    let values = own.filter { $0.hasPrefix("    local -ar ___") }
    let options = own.filter { $0.hasPrefix("        '--") && !$0.hasPrefix("        '--version[") }
    lines.insert("        _files -/ && ret=0", at: offer + 1)
    lines.insert(contentsOf: options, at: specifications + 1)
    lines.insert(contentsOf: values, at: specifications)
    return lines.joined(separator: "\n")
  }

  /// Repeats the subcommand's lines for the program alone.
  private func fish(_ text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let call = "    __\(program)_parse_subcommand "
    guard let parsing = lines.firstIndex(where: { $0.hasPrefix("    \(call)0 ") }),
      let own = lines.firstIndex(of: "        case '\(subcommand)'"),
      let names = lines[own + 1].firstRange(of: "'"), lines[own + 1].hasPrefix("        \(call)")
    else { return text }
    lines[parsing] = "    \(call)0 \(lines[own + 1][names.lowerBound...])"
    let mark = "\"\(program) \(subcommand)\" "
    let repeated = lines.filter { line in
      line.contains(mark) && !line.contains(mark + "version'") && !line.contains(mark + "h help'")
    }
    let shared = repeated.map { line in
      line.replacing(mark + "-ge 1'", with: mark + "-eq 1'")
        .replacing(mark, with: "\"\(program)\" ")
    }
    let end = lines.last == "" ? lines.endIndex - 1 : lines.endIndex
    lines.insert(contentsOf: shared.map { $0[...] }, at: end)
    return lines.joined(separator: "\n")
  }
}
