import Foundation
import RealPrograms
import Testing

@Suite("The doctor tries each part and says how to mend it", .realPrograms(by: .test))
struct DoctorTests {
  /// One part out of the answer to `--json`.
  private struct Part: Decodable {
    var id: String
    var state: String
    var needed: Bool
    var found: String
    var meaning: String
    var remedy: String
  }

  private struct Answer: Decodable {
    var version: String
    var status: Int32
    var parts: [Part]

    func part(_ id: String) throws -> Part { try #require(parts.first { $0.id == id }) }
  }

  private func ask(_ program: Program, _ words: String...) throws -> Answer {
    let result = try program.run(["doctor", "--json"] + words)
    let answer = try JSONDecoder().decode(Answer.self, from: Data(result.output.utf8))
    #expect(answer.status == result.status)
    return answer
  }

  @Test("Every part is told, once, and where all that is needed works the status is 0")
  func healthy() throws {
    let answer = try ask(try Program())
    #expect(
      answer.parts.map(\.id) == [
        "terminal", "voice", "sound", "screen-reader", "desktop", "desktop-keys", "login",
        "configuration", "keys", "history", "home-trash",
        "trash-here", "watching", "types", "printing", "programs", "folder",
      ])
    #expect(answer.status == 0)
    #expect(try answer.part("voice").found.contains("voice en"))
    for part in answer.parts where part.state == "missing" {
      #expect(!part.remedy.isEmpty, "\(part.id) has no remedy")
    }
  }

  @Test("One line is told for a part, each with a state, none with anything but words")
  func lines() throws {
    let result = try Program().run("doctor")
    #expect(result.status == 0)
    #expect(result.lines.count == 18)
    let states = [": works.", ": does not work.", ": not there, and not needed."]
    for line in result.lines.dropLast() {
      #expect(states.contains { line.contains($0) }, "\(line)")
      #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
    }
    #expect(result.lines.last?.hasSuffix("all that is needed works.") == true)
  }

  @Test("A mistake in the configuration is told with its line, its column and the file")
  func configuration() throws {
    let program = try Program()
    try program.write("verbosity: full\nrate: fast\n", to: ".config/keydrag/config.yaml")
    let answer = try ask(program)
    let part = try answer.part("configuration")
    #expect(part.state == "missing")
    #expect(part.found.hasPrefix("Line 2, column 7: \"rate\" must be a whole number"))
    #expect(part.remedy == "Correct ~/.config/keydrag/config.yaml.")
    #expect(answer.status == 69)
  }

  @Test("A key with two meanings is told with both")
  func keys() throws {
    let program = try Program()
    try program.write(
      "keys:\n  browsing:\n    pick-up: [tab]\n", to: ".config/keydrag/config.yaml")
    let answer = try ask(program)
    let part = try answer.part("keys")
    #expect(part.found.contains("Tab means next-container and pick-up"))
    #expect(try answer.part("configuration").state == "works")
    #expect(answer.status == 69)
  }

  @Test("A command that can't be given any more for want of a key is told")
  func unreachable() throws {
    let program = try Program()
    try program.write("keys:\n  carrying:\n    drop: []\n", to: ".config/keydrag/config.yaml")
    #expect(try ask(program).part("keys").found == "No key means drop.")
  }

  @Test(
    "What can't be used for the history is told, with a remedy",
    arguments: [
      ("damaged", "is damaged"), ("newer", "newer keydrag"), ("locked", "Another program holds"),
      ("a file", "can't be used: it is not a folder"),
    ])
  func history(trouble: String, words: String) throws {
    let program = try Program()
    let file = program.folder.appending(path: ".local/state/keydrag/history.sqlite")
    var holder: HeldDatabase?
    switch trouble {
    case "damaged":
      try program.write(String(repeating: "no database ", count: 400), to: Self.journal)
    case "newer":
      try program.write("", to: Self.journal)
      try HeldDatabase.make(file.path, version: 1000)
    case "locked":
      try program.write("", to: Self.journal)
      holder = try HeldDatabase(locking: file.path)
    default: try program.write("", to: ".local/state")
    }
    let answer = try ask(program)
    let part = try answer.part("history")
    #expect(part.state == "missing")
    #expect(part.found.contains(words), "\(part.found)")
    #expect(!part.remedy.isEmpty)
    #expect(part.meaning == "What is done now can't be undone later.")
    #expect(answer.status == 69)
    withExtendedLifetime(holder) {}
  }

  private static let journal = ".local/state/keydrag/history.sqlite"

  @Test("The history is told with its size, and looking at it changes nothing")
  func historySize() throws {
    let program = try Program()
    try program.write("x", to: "one.txt")
    try program.write("x", to: "Docs/other.txt")
    #expect(try ask(program).part("history").found.hasPrefix("Nothing has been done yet."))
    #expect(!FileManager.default.fileExists(atPath: program.folder.appending(path: ".local").path))
    #expect(try program.run("copy", "one.txt", "--to", "Docs").status == 0)
    let found = try ask(program).part("history").found
    #expect(found.hasPrefix("~/.local/state/keydrag/history.sqlite: 1 entry,"))
    #expect(try program.run("undo").output == "Took back: one.txt out of Docs.\n")
  }

  @Test("H08: a run that ended in the middle is told, and history puts it right and says so")
  func unfinished() throws {
    let program = try Program()
    try program.write("x", to: "one.txt")
    try program.write("x", to: "Docs/other.txt")
    #expect(try program.run("copy", "one.txt", "--to", "Docs").status == 0)
    try HeldDatabase.interrupt(program.folder.appending(path: Self.journal).path)
    let part = try ask(program).part("history")
    #expect(part.meaning == "1 run ended in the middle.")
    #expect(part.remedy == "keydrag history puts that right.")
    let lines = try program.run("history").lines
    #expect(lines.count == 2)
    #expect(lines.first?.contains("copied one.txt to Docs") == true)
    #expect(try ask(program).part("history").meaning == "")
  }

  @Test("A voice that the person named and that does not exist is told")
  func namedVoice() throws {
    let program = try Program()
    try program.write("voices:\n  en: nobody\n", to: ".config/keydrag/config.yaml")
    let answer = try ask(program)
    #expect(try answer.part("voice").found.hasSuffix("There is no voice nobody."))
    #expect(answer.status == 69)
  }

  /// Answers one program all it asks.
  private static let service = """
    #!/usr/bin/python3
    import os, socket, sys
    path = sys.argv[sys.argv.index("-S") + 1]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    if os.fork():
        os._exit(0)
    client, _ = listener.accept()
    os.unlink(path)
    for line in client.makefile("rb"):
        client.sendall(b"208 OK\\r\\n")
    """

  @Test("K20: speech-dispatcher speaks for who has set it up, and has set no voice here")
  func dispatcher() throws {
    let program = try Program()
    program.set("XDG_RUNTIME_DIR", program.folder.path)
    let fake = program.folder.appending(path: "bin/speech-dispatcher")
    try program.write("#!/bin/sh\n", to: "bin/speech-dispatcher")
    #expect(chmod(fake.path, 0o700) == 0)
    program.set("PATH", program.folder.appending(path: "bin").path + ":/usr/bin:/bin")
    #expect(try ask(program).part("voice").found.hasPrefix("espeak-ng"))
    try program.write("", to: ".config/speech-dispatcher/speechd.conf")
    // It is installed, and does not come up: another voice is heard.
    let silent = try ask(program).part("voice")
    #expect(silent.found.hasPrefix("espeak-ng") && silent.state != "works", "\(silent)")
    try program.write(Self.service, to: "bin/speech-dispatcher")
    #expect(chmod(fake.path, 0o700) == 0)
    #expect(try ask(program).part("voice").found == "speech-dispatcher.")
    try program.write("rate: 300\n", to: ".config/keydrag/config.yaml")
    #expect(try ask(program).part("voice").found.hasPrefix("espeak-ng"))
  }

  @Test("Without a home the doctor says so and goes on")
  func noHome() throws {
    let program = try Program()
    program.set("HOME", nil)
    // Libraries ask the system for a home then, which is that of whoever runs the tests.
    for name in ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"] {
      program.set(name, program.folder.path)
    }
    let answer = try ask(program)
    #expect(answer.parts.count == 17)
    #expect(try answer.part("home-trash").found == "HOME is not set.")
  }

  @Test("Speech is needed only by those who ask for it")
  func speech() throws {
    let program = try Program()
    #expect(try ask(program).part("sound").needed == false)
    #expect(try ask(program, "--speech", "on").part("sound").needed)
    #expect(try ask(program, "--speech", "off").part("voice").needed == false)
  }

  @Test("A folder that can't be read does not stop the doctor")
  func noPermission() throws {
    let program = try Program()
    // A program for the shell: the folder goes away under the program's feet.
    let script = "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" doctor --json"
    let result = try program.run(program: "/bin/sh", ["-c", script, Program.path])
    let answer = try JSONDecoder().decode(Answer.self, from: Data(result.output.utf8))
    #expect(answer.parts.count == 17)
    #expect(try answer.part("trash-here").state == "missing")
  }
}
