import Foundation
import RealPrograms
import Testing

@Suite("The command line says what is wrong and what to do", .realPrograms(by: .test))
struct CommandLineTests {
  private static let commands = [
    "files", "tour", "copy", "move", "link", "undo", "redo", "history", "say", "keys", "doctor",
  ]

  @Test(
    "A mistake on the command line is told in words, with the remedy, and ends with 64",
    arguments: [
      (["copy"], "No file is named. Name one or more before --to. keydrag copy --help says how."),
      (
        ["move", "a.txt"],
        "No folder is named. Say where to with --to and a folder. keydrag move --help says how."
      ),
      (
        ["files", "--keyz", "x"],
        "Unknown option '--keyz'. Did you mean '--keys'? keydrag files --help says how."
      ),
      (
        ["keys", "--speech", "loud"],
        "The value 'loud' is invalid for '--speech <voice>'. Please provide one of 'auto', 'on', "
          + "'off' or 'FILE.wav'. keydrag keys --help says how."
      ),
      (
        ["coppy", "a", "--to", "b"],
        "Unknown option '--to'. There is no command coppy. Did you mean keydrag copy? "
          + "keydrag files --help says how."
      ),
      (["say"], "There is nothing to say. Write a text after say. keydrag say --help says how."),
      (
        ["history", "--limit", "0"],
        "--limit takes a number from 1 to 10000, not 0. keydrag history --help says how."
      ),
      (
        ["undo", "--entry", "one"],
        "The value 'one' is invalid for '--entry <number>'. keydrag undo --help says how."
      ),
      (
        ["files", "--keys", "spac"],
        "Word 1 of the key script, spac, is not known. Did you mean space?"
      ),
      (
        ["files"],
        "There is no terminal here. Give a key script with --keys, or use keydrag copy, move or link."
      ),
    ])
  func mistakes(words: [String], sentence: String) throws {
    let result = try Program().run(words)
    #expect(result.errors == "keydrag: \(sentence)\n")
    #expect(result.output == "")
    #expect(result.status == 64)
  }

  @Test("What was typed reaches the terminal without its control characters")
  func control() throws {
    let result = try Program().run("files", "--\u{1B}[31mred")
    #expect(result.status == 64)
    #expect(!result.errors.contains("\u{1B}"))
  }

  @Test("A name that is nearly a command gets the command as a hint")
  func nearCommand() throws {
    let result = try Program().run("histroy")
    #expect(
      result.errors
        == "keydrag: There is no folder histroy. There is no such command either. "
        + "Did you mean keydrag history?\n")
    #expect(result.status == 66)
  }

  @Test("Every command has a help page that lists its options", arguments: commands)
  func help(command: String) throws {
    let result = try Program().run(command, "--help")
    #expect(result.status == 0)
    #expect(result.errors == "")
    for option in ["--lang", "--verbosity", "--speech", "--announce", "--transcript", "--config"] {
      #expect(result.output.contains("  \(option) "), "\(command) does not tell of \(option)")
    }
  }

  @Test("The version is told")
  func version() throws {
    let result = try Program().run("--version")
    #expect(result.status == 0)
    #expect(result.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
  }

  @Test(
    "Commands that list something put it in the transcript as well",
    arguments: [
      ("keys", "key"), ("history", "history-entry"), ("doctor", "part"),
    ])
  func transcript(command: String, id: String) throws {
    let program = try Program()
    let result = try program.run(command, "--transcript", "-")
    let objects = try result.lines.map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
    #expect(objects.contains { $0["id"] as? String == id })
    #expect(objects.last?["kind"] as? String == "end")
    #expect(objects.compactMap { $0["seq"] as? Int } == Array(1...objects.count))
  }

  @Test(
    "Commands that list something are recorded as well",
    arguments: [
      ["history"], ["say", "one", "two"], ["copy", "one.txt", "--to", "Docs"], ["undo"],
    ])
  func recording(words: [String]) throws {
    let program = try Program()
    try program.write("x", to: "one.txt")
    try program.write("x", to: "Docs/other.txt")
    #expect(try program.run(words + ["--speech", "out.wav"]).status == 0)
    let recording = try Data(contentsOf: program.folder.appending(path: "out.wav"))
    #expect(recording.dropFirst(44).contains { $0 != 0 })
  }

  @Test("Brief is shorter than full, whatever says so", arguments: ["keys", "doctor"])
  func verbosity(command: String) throws {
    let program = try Program()
    let full = try program.run(command).output
    #expect(try program.run(command, "--verbosity", "brief").output.count < full.count)
    try program.write("verbosity: brief\n", to: "brief.yaml")
    #expect(try program.run(command, "--config", "brief.yaml").output.count < full.count)
  }

  @Test(
    "A language that is not known is told once, and English is used",
    arguments: [
      "keys", "history",
    ])
  func language(command: String) throws {
    let result = try Program().run(command, "--lang", "tlh")
    #expect(result.lines.first == "Language tlh is not known. English is used.")
    #expect(result.lines.count { $0.contains("not known") } == 1)
  }

  @Test("A configuration named on the command line has to be there", arguments: commands)
  func missingConfiguration(command: String) throws {
    let program = try Program()
    try program.write("x", to: "one.txt")
    var words = [command, "--config", "none.yaml"]
    if ["copy", "move", "link"].contains(command) { words += ["one.txt", "--to", "."] }
    if command == "say" { words.append("word") }
    let result = try program.run(words)
    #expect(result.status == 66)
    #expect(result.errors.contains("none.yaml"))
  }

  @Test("A list that can't be written ends with 74", arguments: [["keys"], ["doctor", "--json"]])
  func fullOutput(words: [String]) throws {
    let program = try Program()
    let script = "exec \"$0\" \"$@\" > /dev/full"
    let result = try program.run(program: "/bin/sh", ["-c", script, Program.path] + words)
    #expect(result.status == 74)
  }

  @Test("The number of a closed stream is never given to a file that messages would spoil")
  func closedStreams() throws {
    let program = try Program()
    let script = """
      mkfifo in
      "$0" files . --keys - --transcript t.json < in >&- 2>&- &
      exec 3> in
      until [ -s t.json ]; do :; done
      readlink /proc/$!/fd/1 /proc/$!/fd/2
      echo ctrl+q >&3
      exec 3>&-
      wait $!
      """
    let result = try program.run(program: "/bin/sh", ["-c", script, Program.path])
    #expect(result.output == "/dev/null\n/dev/null\n")
    #expect(result.status == 0)
  }

  @Test("An option before the command's name is taken as a folder, and the hint says so")
  func commandLast() throws {
    let result = try Program().run("--speech", "off", "history")
    #expect(
      result.errors == "keydrag: There is no folder history. If you mean the command, write it "
        + "first: keydrag history.\n")
  }

  @Test("What can't be heard is shown")
  func sayWithoutDevice() throws {
    let program = try Program()
    // No configuration of ALSA: no device can be opened.
    program.set("ALSA_CONFIG_PATH", "/dev/null")
    let result = try program.run("say", "one", "two")
    #expect(result.output == "one two\n")
    #expect(result.status == 69)
  }

  @Test("An entry that the history does not hold is a mistake", arguments: ["undo", "redo"])
  func unknownEntry(command: String) throws {
    let result = try Program().run(command, "--entry", "99")
    #expect(
      result.errors
        == "keydrag: There is no entry 99 in the history. keydrag history lists them.\n")
    #expect(result.status == 66)
  }
}
