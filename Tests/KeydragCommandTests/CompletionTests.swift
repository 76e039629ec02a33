import Foundation
import RealPrograms
import Testing

@Suite("Shells complete commands, options, files and folders", .realPrograms(by: .test))
struct CompletionTests {
  /// What bash offers for the last of these words.
  private func offers(_ words: [String]) throws -> Set<String> {
    let program = try Program()
    try program.write("x", to: "notes.txt")
    try program.write("x", to: "Docs/other.txt")
    try program.write(try program.run("--generate-completion-script", "bash").output, to: "script")
    let list = words.map { "'\($0)'" }.joined(separator: " ")
    let commands = """
      source ./script
      COMP_WORDS=(keydrag \(list)); COMP_CWORD=\(words.count)
      COMP_LINE="keydrag \(words.joined(separator: " "))"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9
      _keydrag keydrag "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let result = try program.run(program: "/bin/bash", ["-c", commands])
    return Set(result.lines.map { $0.trimmingCharacters(in: .whitespaces) })
  }

  @Test("bash completes commands")
  func commands() throws {
    #expect(try offers(["h"]).contains("history"))
    #expect(try offers(["do"]).contains("doctor"))
  }

  @Test("bash completes options and their values")
  func options() throws {
    #expect(try offers(["copy", "--cl"]).contains("--clash"))
    #expect(try offers(["copy", "--clash", "k"]).contains("keep-both"))
    #expect(try offers(["keys", "--verbosity", ""]).isSuperset(of: ["brief", "full"]))
  }

  @Test("bash knows the languages, and the options of the command that may be left out")
  func defaultCommand() throws {
    #expect(try offers(["keys", "--lang", ""]).isSuperset(of: ["de", "en", "pt-BR", "zh-CN"]))
    #expect(try offers(["--la"]) == ["--lang"])
    #expect(try offers(["--lang", "d"]) == ["de"])
    #expect(try offers(["--no-color", "--verb"]) == ["--verbosity"])
    let first = try offers(["D"])
    #expect(first.contains("Docs") && !first.contains("notes.txt"))
    #expect(try offers(["un"]) == ["undo"])
  }

  @Test("bash completes files where files are wanted, and folders where folders are")
  func files() throws {
    #expect(try offers(["copy", "no"]).contains("notes.txt"))
    let folders = try offers(["copy", "notes.txt", "--to", ""])
    #expect(folders.contains("Docs"))
    #expect(!folders.contains("notes.txt"))
  }

  @Test("Each shell gets a script that names every command", arguments: ["bash", "zsh", "fish"])
  func scripts(shell: String) throws {
    let result = try Program().run("--generate-completion-script", shell)
    #expect(result.status == 0)
    for command in ["files", "copy", "undo", "doctor"] { #expect(result.output.contains(command)) }
    #expect(result.output.contains("transcript"))
  }
}
