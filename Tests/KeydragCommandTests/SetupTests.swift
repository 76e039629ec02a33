import Foundation
import KeyDragCore
import RealPrograms
import Synchronization
import Testing

@testable import KeyDragSpeech
@testable import keydrag

@Suite("Setup mends what the doctor finds, each after a yes", .realPrograms(by: .test))
struct SetupTests {
  private let folder = URL(filePath: NSTemporaryDirectory()).resolvingSymlinksInPath()
    .appending(path: "keydrag-setup-\(UUID().uuidString)")

  /// Mends what a command can make, with these answers; the names of what was made.
  private func made(
    answers: [String?]?, _ repairs: [Repair], isMended: Bool = true
  ) throws -> (names: [String], status: Int32, asked: Int) {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let parts = repairs.enumerated().map { index, repair in
      DoctorPart(
        id: "\(index)", title: Wording { _ in "Part" }, state: .missing, isNeeded: true,
        repair: repair)
    }
    let composition = try Composition(try SharedOptions.parse(["--transcript", "/dev/null"]))
    let asked = Mutex(0)
    let run = SetupRun(
      environment: composition.environment, lines: try SpokenLines(composition),
      answer: answers.map { answers in
        {
          asked.withLock { count in
            defer { count += 1 }
            return answers[count]
          }
        }
      },
      lookAgain: { id in
        DoctorPart(
          id: id, title: Wording { _ in "Part" }, state: isMended ? .works : .missing,
          isNeeded: true)
      })
    let status = run.mend(parts).rawValue
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    return (names, status, asked.withLock { $0 })
  }

  private func touch(_ name: String) -> Repair {
    .person([["touch", folder.appending(path: name).path]])
  }

  @Test("Only what is said yes to is run, and what is mended is in the way no more")
  func yes() throws {
    let all = try made(answers: ["1", "Y", " yes "], [touch("a"), touch("it's b"), touch("c")])
    #expect(all.names == ["a", "c", "it's b"])
    #expect(all.status == 0)
    let some = try made(answers: ["", "y", "no"], [touch("a"), touch("b"), touch("c")])
    #expect(some.names == ["b"])
    #expect(some.status == 69)
  }

  @Test("Where nobody is there, or nobody answers any more, nothing is run")
  func nobody() throws {
    let script = try made(answers: nil, [touch("a")])
    #expect(script.names == [] && script.asked == 0 && script.status == 69)
    let closed = try made(answers: [nil], [touch("a"), touch("b")])
    #expect(closed.names == [] && closed.asked == 1)
  }

  @Test("A command that fails, or mends nothing, leaves the part in the way")
  func failing() throws {
    let exit = Repair.person([["sh", "-c", "exit 3"], ["touch", folder.path + "/never"]])
    let result = try made(answers: ["1", "1"], [exit, touch("a")], isMended: false)
    #expect(result.names == ["a"])
    #expect(result.status == 69)
    #expect(exit.run([:]) == 3)
    #expect(Repair.person([["sh", "-c", "kill -9 $$"]]).run([:]) == 137)
  }

  @Test(
    "A command for the administrator is shown as it is run",
    arguments: [
      (["sudo"], false, "sudo apt install x"), (["pkexec"], false, "pkexec apt install x"),
      ([], false, "su -c 'apt install x'"), (["sudo"], true, "apt install x"),
    ])
  func administrator(programs: [String], isAdministrator: Bool, line: String) throws {
    let program = try Program()
    for name in programs {
      try program.write("", to: name)
      #expect(chmod(program.folder.appending(path: name).path, 0o700) == 0)
    }
    let repair = Repair.administrator(["apt", "install", "x"])
    let environment = ["PATH": program.folder.path]
    #expect(repair.line(environment, isAdministrator: isAdministrator) == line)
    #expect(!Repair.administrator(["no-such-tool"]).canRun(environment))
    try program.write("", to: "no-such-tool")
    #expect(chmod(program.folder.appending(path: "no-such-tool").path, 0o700) == 0)
    #expect(Repair.administrator(["no-such-tool"]).canRun(environment))
  }

  /// Names that a shell would take apart or run.
  private static let accounts = [
    "ann", "ann lee", "ann;touch run", "$(touch run)", "`touch run`", "it's", "a\nb", "\u{1B}[31m",
    "-n", "a\\b", "\u{202E}x", "*", "",
  ]

  @Test(
    "Each word of a command is one of its arguments, and a shell reads what is shown as these words",
    arguments: accounts)
  func words(name: String) throws {
    let program = try Program()
    let file = program.folder.appending(path: "said").path
    let write = #"shift; printf '%s|' "$@" > "$0""#
    let words = ["sh", "-c", write, file, "", "adduser", name, "audio"]
    let repair = Repair.person([words])
    #expect(repair.run([:]) == 0)
    let run = try String(contentsOfFile: file, encoding: .utf8)
    #expect(run == "adduser|\(name)|audio|")
    try FileManager.default.removeItem(atPath: file)
    let line = repair.line([:])
    #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E }, "\(line)")
    let shell = Repair.person([
      ["bash", "-c", "cd \(Repair.quoted(program.folder.path)) && " + line]
    ])
    #expect(shell.run([:]) == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == run)
    #expect(!FileManager.default.fileExists(atPath: program.folder.path + "/run"))
  }

  @Test("The account that is let in is the one of the system, whatever the environment says")
  func account() throws {
    let name = try #require(DoctorProbe.account)
    setenv("USER", "x; touch run", 1)
    defer { setenv("USER", name, 1) }
    #expect(DoctorProbe.account == name)
    #expect(getpwnam(name)?.pointee.pw_uid == getuid())
    var part = DoctorPart(
      id: "sound", title: Wording { _ in "Sound" }, state: .works, isNeeded: true)
    DoctorProbe.describe(SoundError(code: EACCES), .forbidden, user: "$(x); y", &part)
    #expect(part.repair == .administrator(["adduser", "$(x); y", "audio"]))
    #expect(part.repair?.line([:], isAdministrator: true) == "adduser '$(x); y' audio")
  }

  @Test("Free chords are added to the settings for those that another program has")
  func chords() throws {
    let program = try Program()
    let file = program.folder.appending(path: ".config/keydrag/config.yaml").path
    let standard = DesktopChords.standard.all
    let taken = try #require(KeyStroke(name: "ctrl+alt+d"))
    let repair = try #require(DoctorProbe.otherChords(standard, [taken], file))
    #expect(repair.run([:]) == 0)
    let lines = try program.run("keys", "--lang", "en").lines
    #expect(lines.contains { $0.contains("Ctrl+Alt+K") }, "\(lines)")
    #expect(try program.run("doctor", "--json").output.contains(#""id":"keys""#))
    #expect(DoctorProbe.otherChords([], [], file) == nil)
  }

  @Test("What no command mends is named at the end all the same")
  func others() throws {
    let program = try Program()
    try program.write("rate: fast\n", to: ".config/keydrag/config.yaml")
    let result = try program.run("setup")
    #expect(result.status == 69)
    #expect(result.lines.last?.hasPrefix("To be mended: ") == true, "\(result.output)")
    #expect(result.lines.last?.contains("Configuration") == true, "\(result.output)")
    #expect(result.lines.last?.hasSuffix("keydrag doctor says what to do.") == true)
    #expect(!result.output.contains("must be a whole number"), "\(result.output)")
  }

  @Test("Without a terminal the commands are shown, and nothing is changed")
  func script() throws {
    let program = try Program()
    // Nothing prints where no program is.
    func run(_ words: String) throws -> Program.Result {
      let script = "PATH=$HOME/bin exec \"$0\" \(words)"
      return try program.run(program: "/bin/sh", ["-c", script, Program.path])
    }
    let doctor = try run("doctor --json")
    #expect(doctor.output.contains("apt install cups-client"), "\(doctor.output)")
    let result = try run("setup")
    #expect(
      result.lines.contains { $0.contains("apt install cups-client") && !$0.contains("Print") },
      "\(result.output)")
    #expect(!result.output.contains("Run it?"))
  }
}
