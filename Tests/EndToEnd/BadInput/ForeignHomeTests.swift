import FoundationEssentials
import Glibc
import RealPrograms
import Testing
import Thorough

/// Root in a home that somebody else can change, and folders of ours that are none.
@Suite("A home that somebody else controls", .realPrograms(by: .test))
struct ForeignHomeTests {
  /// A thing that somebody else has put in the place of the history.
  enum Trap: String, CaseIterable, Sendable {
    case folderLink, danglingFolder, fileLink, danglingFile, pipe, linkOfRoot, fileAsFolder
    case strangersFolder, folderAsFile, logLink, otherName, logOtherName

    /// Below the folder for states.
    func set(in states: String, near precious: String, _ stage: Stage) throws {
      let folder = states + "/keydrag"
      func link(_ path: String, to target: String, isReplaceableByOthers: Bool = true) {
        #expect(symlink(target, path) == 0)
        if isReplaceableByOthers { lchown(path, 65_534, 65_534) }
      }
      switch self {
      case .folderLink: link(folder, to: precious)
      case .danglingFolder: link(folder, to: precious + "/new")
      case .fileAsFolder: try stage.make(folder, "a file")
      default:
        try stage.make(folder + "/")
        chmod(folder, 0o700)
      }
      let file = folder + "/history.sqlite"
      switch self {
      case .fileLink, .linkOfRoot:
        link(file, to: precious + "/shadow", isReplaceableByOthers: self == .fileLink)
      case .danglingFile: link(file, to: precious + "/new")
      case .logLink: link(file + "-wal", to: precious + "/shadow")
      case .otherName: #expect(Glibc.link(precious + "/shadow", file) == 0)
      case .logOtherName: #expect(Glibc.link(precious + "/shadow", file + "-wal") == 0)
      case .pipe: #expect(mkfifo(file, 0o644) == 0)
      case .folderAsFile: try stage.make(file + "/")
      case .strangersFolder: OrdinaryUser.own(folder)
      case .folderLink, .danglingFolder, .fileAsFolder: break
      }
    }

    var pathEnd: String {
      switch self {
      case .folderLink, .danglingFolder, .fileAsFolder, .strangersFolder: "/keydrag"
      case .fileLink, .danglingFile, .pipe, .linkOfRoot, .folderAsFile, .otherName:
        "/keydrag/history.sqlite"
      case .logLink, .logOtherName: "/keydrag/history.sqlite-wal"
      }
    }
  }

  /// Kind, rights, owner and size of everything below a folder, and the folder's own.
  private func facts(_ folder: String) -> [String: String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return Dictionary(
      uniqueKeysWithValues: (names.map { folder + "/" + $0 } + [folder]).map { path in
        var status = stat()
        lstat(path, &status)
        return (path, "\(status.st_mode) \(status.st_uid) \(status.st_size)")
      })
  }

  private static let commands = [
    ["history"], ["undo"], ["redo"], ["doctor"], ["copy", "Inbox/a.txt", "--to", "Docs"],
    ["files", "Inbox", "Docs", "--keys", "space enter"],
  ]

  private func run(_ stage: Stage, _ command: [String]) throws -> KeydragRun {
    let speech = ["history", "doctor"].contains(command[0]) ? [] : ["--speech", "off"]
    return try stage.run(command + speech, transcript: !speech.isEmpty)
  }

  private func stage() throws -> (Stage, precious: String) {
    let stage = try Stage("Inbox/a.txt", "Docs/")
    let precious = stage.base + "/etc"
    try stage.make(precious + "/shadow", "root's own")
    chmod(precious, 0o755)
    return (stage, precious)
  }

  @Test(
    "K19, H08 What stands in the place of the history and is not one's own is left alone, and named",
    .enabled("needs root, who alone can give files away") { getuid() == 0 },
    arguments: Thorough.cases(ordinarily: 3, of: Trap.allCases))
  func trap(trap: Trap) throws {
    let (stage, precious) = try stage()
    // As /tmp is: everybody may put something there.
    let states = stage.base + "/states"
    try stage.make(states + "/")
    chmod(states, 0o1777)
    try trap.set(in: states, near: precious, stage)
    stage.variables["XDG_STATE_HOME"] = states
    let before = facts(states).merging(facts(precious)) { $1 }
    for command in Self.commands {
      let run = try run(stage, command)
      #expect(facts(states).merging(facts(precious)) { $1 } == before, "\(command) \(run)")
      #expect((run.output + run.errors).contains(states + trap.pathEnd), "\(command) \(run)")
      #expect((run.output + run.errors).contains("Move it away"), "\(command) \(run)")
    }
    #expect(stage.list("Docs").contains("a.txt"))
    #expect(stage.read(precious + "/shadow") == "root's own")
  }

  /// How somebody else gets at the home.
  enum Control: String, CaseIterable, Sendable { case owns, ownsAbove, ownsLink, group, everybody }

  @Test(
    "K19 Root uses none of the folders that somebody else could exchange, whatever it is told of them",
    .enabled("needs root, who alone can give files away") { getuid() == 0 },
    arguments: Thorough.cases(ordinarily: 2, of: Control.allCases))
  func control(control: Control) throws {
    let (stage, precious) = try stage()
    let around = stage.base + "/people"
    var home = around + "/eve"
    for path in [".local/state/", ".config/keydrag/", ".local/share/", "tmp/"] {
      try stage.make(home + "/" + path)
    }
    symlink(precious, home + "/.local/state/keydrag")
    switch control {
    case .owns: OrdinaryUser.own(home)
    case .ownsAbove: chown(around, 65_534, 65_534)
    case .ownsLink:
      symlink(home, stage.base + "/way")
      lchown(stage.base + "/way", 65_534, 65_534)
      home = stage.base + "/way"
    case .group:
      chown(home, 0, 65_534)
      chmod(home, 0o775)
    case .everybody: chmod(home, 0o777)
    }
    // Settings by which a run would be told apart.
    try stage.make(home + "/.config/keydrag/config.yaml", "no-such-setting: 1\n")
    stage.variables = ["HOME": home, "TMPDIR": home + "/tmp"]
    for name in ["STATE", "CONFIG", "DATA"] { stage.variables["XDG_\(name)_HOME"] = "" }
    let before = facts(around).merging(facts(precious)) { $1 }
    let others = [
      ["desktop", "--autostart"], ["tour", "--keys", "ctrl+q"],
      ["sample", "contacts", "--keys", "space enter"],
    ]
    for command in Self.commands + others {
      let run = try run(stage, command)
      #expect(facts(around).merging(facts(precious)) { $1 } == before, "\(command) \(run)")
      #expect(!(run.output + run.errors).contains("no-such-setting"), "\(command) \(run)")
    }
  }

  @Test(
    "H08 A home that is a link, and a link of one's own for all states, lead to the history",
    arguments: [true, false])
  func ownLinks(isOrdinary: Bool) throws {
    let stage = try Stage("Inbox/a.txt", "Docs/", isOrdinary: isOrdinary)
    for folder in ["usr/home/me/", "elsewhere/"] { try stage.make(stage.base + "/" + folder) }
    symlink(stage.base + "/usr/home", stage.base + "/homes")
    symlink("../elsewhere", stage.base + "/usr/states")
    if stage.isOrdinary {
      try stage.giveAway()
      for name in ["homes", "usr/states"] { lchown(stage.base + "/" + name, 65_534, 65_534) }
    }
    for (variables, folder) in [
      (["HOME": stage.base + "/homes/me"], "usr/home/me/.local/state"),
      (["XDG_STATE_HOME": stage.base + "/usr/states"], "elsewhere"),
    ] {
      stage.variables = ["XDG_STATE_HOME": ""].merging(variables) { $1 }
      let copy = try stage.run("copy", "Inbox/a.txt", "--to", "Docs", "--speech", "off")
      #expect(copy.status == 0 && !copy.ids.contains("problem"), "\(copy)")
      let own = stage.base + "/" + folder + "/keydrag"
      var status = stat()
      #expect(stat(own, &status) == 0 && status.st_mode & 0o777 == 0o700, "\(copy)")
      #expect(stat(own + "/history.sqlite", &status) == 0 && status.st_mode & 0o777 == 0o600)
      #expect(try stage.run("undo", "--speech", "off").status == 0)
      #expect(stage.list("Docs") == [])
    }
  }
}
