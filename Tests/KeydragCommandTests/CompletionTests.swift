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

  /// What fish offers for the end of a line, without what it says of it.
  private func fishOffers(_ line: String) throws -> Set<String> {
    let program = try Program()
    try FileManager.default.createDirectory(
      at: program.folder.appending(path: "Docs"), withIntermediateDirectories: true)
    try program.write(try program.run("--generate-completion-script", "fish").output, to: "script")
    let result = try program.run(
      program: "/usr/bin/fish", ["-c", "source ./script; complete -C '\(line)'"])
    return Set(result.lines.compactMap { $0.split(separator: "\t").first.map(String.init) })
  }

  @Test(
    "fish knows the languages, and the options of the command that may be left out",
    .enabled("fish is not installed") { access("/usr/bin/fish", X_OK) == 0 })
  func fishDefault() throws {
    #expect(try fishOffers("keydrag --la") == ["--lang"])
    #expect(try fishOffers("keydrag --lang d") == ["de"])
    #expect(try fishOffers("keydrag keys --lang pt") == ["pt-BR"])
    #expect(try fishOffers("keydrag un").contains("undo"))
    #expect(try fishOffers("keydrag Do").contains("Docs/"))
    #expect(!(try fishOffers("keydrag undo --ke").contains("--keys")))
  }

  @Test(
    "zsh's script is one, with the options of the command that may be left out",
    .enabled("zsh is not installed") { access("/usr/bin/zsh", X_OK) == 0 })
  func zshDefault() throws {
    let program = try Program()
    let script = try program.run("--generate-completion-script", "zsh").output
    try program.write(script, to: "_keydrag")
    #expect(try program.run(program: "/usr/bin/zsh", ["-n", "_keydrag"]).status == 0)
    let own = try #require(script.components(separatedBy: "\n_keydrag() {").last)
      .components(separatedBy: "\n}\n")[0]
    #expect(own.contains("'--lang[") && own.contains("local -ar ___lang=('ar' "))
    #expect(own.ranges(of: "'--version[").count == 1)
  }

  @Test("Each shell gets a script that names every command", arguments: ["bash", "zsh", "fish"])
  func scripts(shell: String) throws {
    let result = try Program().run("--generate-completion-script", shell)
    #expect(result.status == 0)
    for command in ["files", "copy", "undo", "doctor"] { #expect(result.output.contains(command)) }
    #expect(result.output.contains("transcript"))
  }
}
