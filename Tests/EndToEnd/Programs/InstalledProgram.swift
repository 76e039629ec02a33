import Glibc
import PrivateDesktop
import Testing

/// Programs that profiles are shipped for, and that the README's test command does not install.
enum InstalledProgram {
  case writer, calc, impress, chromium, gimp, nautilus, pcmanfmQt

  /// What is on the disk where it is installed.
  private var files: [String] {
    switch self {
    case .writer: Self.office("sw")
    case .calc: Self.office("sc")
    case .impress: Self.office("sd")
    case .chromium: ["/usr/bin/chromium"]
    case .gimp: ["/usr/bin/gimp", Self.gail]
    case .nautilus: ["/usr/bin/nautilus"]
    case .pcmanfmQt: ["/usr/bin/pcmanfm-qt"]
    }
  }

  /// The module of GTK 2 for accessibility.
  private static let gail: String = {
    let places = ["x86_64", "aarch64"].map {
      "/usr/lib/\($0)-linux-gnu/gtk-2.0/modules/libgail.so"
    }
    return places.first { access($0, F_OK) == 0 } ?? places[0]
  }()

  private static func office(_ part: String) -> [String] {
    ["/usr/bin/soffice"]
      + ["lib\(part)lo.so", "libvclplug_gtk3lo.so"].map { "/usr/lib/libreoffice/program/" + $0 }
  }

  var isThere: Bool { files.allSatisfy { access($0, F_OK) == 0 } }
}

extension DesktopStage {
  /// Opens a document in LibreOffice, with a profile of its own and none of the windows of a first
  /// start; returns once the document shows this text.
  func office(_ path: String, showing text: String) throws -> KeptProcess {
    let profile = stage.base + "/office"
    try stage.make(profile + "/user/registrymodifications.xcu", Self.officeSettings)
    let office = try desktop.start(
      [
        "/usr/bin/soffice", "-env:UserInstallation=file://" + profile, "--norestore", "--nologo",
        stage.path(path),
      ],
      adding: ["SAL_USE_VCLPLUGIN": "gtk3", "GDK_BACKEND": "x11"])
    try waitForText(text, in: String(path.split(separator: "/").last ?? ""), within: 90)
    return office
  }

  private static let officeSettings = """
    <?xml version="1.0" encoding="UTF-8"?>
    <oor:items xmlns:oor="http://openoffice.org/2001/registry">
    <item oor:path="/org.openoffice.Office.Common/Misc">
    <prop oor:name="ShowTipOfTheDay" oor:op="fuse"><value>false</value></prop></item>
    <item oor:path="/org.openoffice.Setup/Product">
    <prop oor:name="ooSetupLastVersion" oor:op="fuse"><value>7.4</value></prop></item>
    </oor:items>

    """

  /// A document of LibreOffice, in a file that holds it as one text.
  static func document(_ kind: String, _ body: String) -> String {
    let names = ["office", "text", "table", "draw", "presentation"].map { name in
      "xmlns:\(name)=\"urn:oasis:names:tc:opendocument:xmlns:\(name == "draw" ? "drawing" : name):1.0\""
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <office:document \(names.joined(separator: " "))
      xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
      office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.\(kind)">
      <office:body>\(body)</office:body></office:document>

      """
  }

  /// Waits until this text stands somewhere in a window.
  func waitForText(_ text: String, in window: String, within seconds: Int32 = 60) throws {
    let eyes = try desktop.eyes(Self.reader, [text, window])
    #expect(try eyes.line(within: seconds) == "there")
  }

  private static let reader = """
    def seen(frame):
        text, title = words
        def fits(node):
            if text in (node.name or ""):
                return True
            try:
                return text in node.queryText().getText(0, -1)
            except NotImplementedError:
                return False
        # A sheet has more cells than can be looked at.
        if title in frame.name and any(find(part, fits, 60, 25) for part in frame):
            return "there"
    """

  /// Answers the question that a program asks in a window of this title, by one key.
  func answer(_ title: String, _ key: String) throws {
    try activate(title)
    try press(key)
  }

  /// What is listed of one program, each line as a person hears it.
  func listed(_ program: String) throws -> [String] {
    let run = try run("points", "--app", program, transcript: false)
    #expect(run.status == 0, "\(run)")
    return run.output.split(separator: "\n").map(String.init)
  }

  /// Starts a drop whose program asks something first; returns once it has been said that it does.
  func askingDrop(_ arguments: String...) throws -> LiveRun {
    let more = ["--transcript", "-", "--speech", "off"]
    return LiveRun(try stage.start(["drop"] + arguments + more))
  }
}

extension AgentSteps {
  /// Goes on to the window of another program, or of another title, and returns at a place in it that
  /// has answered.
  @discardableResult
  func reach(_ window: String, _ desktop: DesktopStage, _ agent: LiveRun) throws -> Record {
    try desktop.press("Next")
    return try agent.wait("a place of \(window)") {
      $0.id == "drop-point" && $0.argument("verdict") != "asking"
        && [$0.argument("app"), $0.argument("container")].contains(.text(window))
    }
  }

  /// Starts `keydrag files` with a folder, which also takes what has no file yet.
  func keydragFiles(_ folder: String, _ desktop: DesktopStage) throws -> LiveRun {
    let run = try desktop.stage.live(folder)
    run.type("f2")
    try run.wait("where it is") { $0.kind == "announcement" }
    return run
  }
}
