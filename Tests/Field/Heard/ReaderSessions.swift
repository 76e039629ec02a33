import Foundation

/// Sessions beside the screen reader that are no program's: a key script, a terminal, a long walk on the
/// desktop.
extension Recipe {
  static var readerSessions: [Recipe] {
    [
      readerSession("key script", "keydrag", "/bin/sh", listen: listenToScript),
      readerSession(
        "terminal", "xfce4-terminal", "/usr/bin/xfce4-terminal", listen: listenInTerminal),
      desktopSession,
      readerSession(
        "many files", "xfce4-terminal", "/usr/bin/xfce4-terminal", listen: listenToManyFiles),
      readerSession("changes", "keydrag", "/usr/bin/thunar", listen: listenToChanges),
    ]
  }

  private static func readerSession(
    _ name: String, _ package: String, _ file: String,
    listen: @escaping (Case, FieldDesktop) throws -> HeardSession
  ) -> Recipe {
    var recipe = Recipe(
      name: name, package: package, files: [file], app: name,
      open: { field in try field.window("") }, places: [])
    recipe.scenarios = [.heard]
    recipe.listen = listen
    return recipe
  }

  // MARK: Key script

  private static func listenToScript(_ case: Case, _ field: FieldDesktop) throws -> HeardSession {
    try HeardSession.startReader(`case`.reader, field)
    let session = HeardSession(field, transcript: "cache/transcript")
    try session.step("the reader's start", isMeasured: false) {}
    let keys = #""other" space "out" down enter ctrl+z"#
    try session.step("script", until: ["undone"], within: 30) {
      try field.run([
        `case`.keydrag, "files", field.path("Inbox"), field.path("Out"), "--keys", keys,
        "--announce",
        `case`.way ?? rung(`case`.reader, field), "--transcript", field.path("cache/transcript"),
      ])
    }
    return session
  }

  /// The way that a version of Orca takes, which a script has to name.
  private static func rung(_ reader: String, _ field: FieldDesktop) throws -> String {
    let version = try Case.version(of: reader, field) ?? ""
    let number = Double(version.prefix { $0.isNumber || $0 == "." }) ?? 0
    return number >= 49 ? "orca" : number >= 45.2 ? "atspi" : "notification"
  }

  // MARK: Terminal

  /// Keys as X calls them, and the announcement that each leads to.
  private static let terminalKeys = [
    ("Down", "item"), ("Up", "item"), ("End", "item"), ("Home", "item"), ("Next", "item"),
    ("Prior", "item"), ("F2", "holding"), ("n", "item"), ("space", "drop-point"),
    ("Tab", "drop-point"), ("Down", "drop-point"), ("Up", "drop-point"), ("F5", "operation"),
    ("F2", "holding"), ("shift+Tab", "drop-point"), ("Return", "delivered"), ("ctrl+z", "undone"),
    ("Down", "item"), ("Down", "item"), ("space", "drop-point"), ("Down", "drop-point"),
    ("Escape", "cancelled"), ("question", "help"), ("Escape", "declined"),
  ]

  private static func listenInTerminal(_ case: Case, _ field: FieldDesktop) throws -> HeardSession {
    for name in ["Inbox/notes.txt", "Inbox/a.txt", "Inbox/Sorted/"] { try field.make(name) }
    let session = try startTerminal(`case`, field)
    for (key, id) in terminalKeys {
      let answer = try session.press(key, until: [id, "choice", "confirm", "edge", "unknown-key"])
      if id == "delivered", answer?.id == "choice" { try session.press("Return", until: [id]) }
    }
    return session
  }

  /// Files enough to have progress told, copied in less time than that takes to say.
  private static func listenToManyFiles(
    _ case: Case, _ field: FieldDesktop
  ) throws -> HeardSession {
    let script = #"mkdir "$0" && cd "$0" && seq 1500 | xargs touch"#
    try field.run(["/bin/sh", "-c", script, field.path("Inbox/many")])
    let session = try startTerminal(`case`, field, in: "Inbox/many")
    try session.press("ctrl+a", until: ["selected"])
    try session.press("space", until: ["drop-point"], within: 30)
    try session.press("Return", until: ["delivered"], within: 60)
    return session
  }

  private static func startTerminal(
    _ case: Case, _ field: FieldDesktop, in folder: String = "Inbox"
  ) throws -> HeardSession {
    try HeardSession.startReader(`case`.reader, field)
    let session = HeardSession(field, transcript: "cache/transcript", isOnScreen: true)
    if `case`.keep != nil { try session.keepEvents() }
    try session.step("start", until: ["ready"], within: 30) {
      try field.start(
        [
          "/usr/bin/xfce4-terminal", "--disable-server", "--hide-menubar", "--hide-toolbar",
          "--hide-scrollbar", "--geometry=80x24", "-T", "session", "--dynamic-title-mode=none",
          "-x",
          `case`.keydrag, "files", field.path(folder), field.path("Out"), "--transcript",
          field.path("cache/transcript"),
        ] + `case`.announcing)
      try field.activate(try field.window("session"))
    }
    return session
  }

  // MARK: A reader that comes and goes

  /// Beside a reader that hangs, goes on, is killed, and is there again.
  private static func listenToChanges(_ case: Case, _ field: FieldDesktop) throws -> HeardSession {
    try field.make("Out/notes.txt")
    try field.start(["/usr/bin/thunar", field.path("Out")])
    let window = try field.window("of Thunar") { $0.title.hasPrefix("Out") }
    // It outlives the reader: the words of both are written down there.
    try field.start(["/usr/bin/speech-dispatcher", "--run-single", "--timeout", "0"])
    let folder = field.desktop.environment["XDG_RUNTIME_DIR"] ?? ""
    guard field.wait(10, until: { access(folder + "/speech-dispatcher/speechd.sock", F_OK) == 0 })
    else {
      throw SetupError(description: "no speech-dispatcher")
    }
    try HeardSession.startReader(`case`.reader, field)
    let session = HeardSession(field, transcript: "cache/transcript")
    let agent = try session.startAgent(`case`)
    defer { agent.stop() }
    try session.step("focus", isMeasured: false) {
      try field.activate(window)
      try field.press("Home", "End")
    }
    func carry() throws {
      try session.press("ctrl+alt+space", until: ["picked-up", "nothing-to-pick-up"])
      try session.press("Escape", until: ["cancelled"])
    }
    try carry()
    field.desktop.reader?.signal(SIGSTOP)
    session.pause = 3
    try carry()
    try session.step("the reader goes on") { field.desktop.reader?.signal(SIGCONT) }
    session.countLate(session.figures.steps.last)
    session.pause = 0.9
    try carry()
    try session.step("the reader is killed", isMeasured: false) { field.desktop.killReader() }
    try carry()
    try session.step("it is there again", isMeasured: false) {
      try HeardSession.startReader(`case`.reader, field)
      try field.activate(window)
    }
    try carry()
    return session
  }

  // MARK: Desktop

  /// Walk, find, drop, undo, and to what landed, in Thunar.
  private static var desktopSession: Recipe {
    var recipe = fileManagers[0]
    recipe.name = "desktop"
    recipe.scenarios = [.heard]
    let shown: Set = ["shown", "nothing-landed", "cannot-open"]
    let undone: Set = ["undone", "cannot-undo", "nothing-to-undo"]
    recipe.listenFurther = { session in
      for line in ["Go to what landed", "Undo"] {
        var choice = try session.press("ctrl+alt+shift+space", until: ["choice"])
        for _ in 0..<8 where choice?.argument("name") != line {
          choice = try session.press("Down", until: ["choice", "edge"])
        }
        try session.press("Return", until: line == "Undo" ? undone : shown)
      }
      let picked = try session.press("ctrl+alt+space", until: ["drop-point", "nothing-to-pick-up"])
      guard picked?.id == "drop-point" else { return }
      try session.press("F4", until: ["finding"])
      try session.press("a", until: ["drop-point"])
      try session.press("Escape")
      try session.press("Escape", until: ["cancelled"])
    }
    return recipe
  }
}
