import Glibc
import KeyDragCore
import SystemPackage
import Testing

@testable import KeyDragAccessibility
@testable import KeyDragApp
@testable import KeyDragConfiguration
@testable import KeyDragDesktop
@testable import KeyDragFiles
@testable import KeyDragSpeech
@testable import KeyDragTerminal
@testable import KeyDragWayland
@testable import keydrag

@Suite("The doctor's lines come from the phrasebook")
struct DoctorWordsTests {
  private let context = DoctorContext(
    environment: ["HOME": "/base"], wantsSpeech: true, wantsSilence: false)

  /// Every line that a description can give, brief and full.
  private func expectWords(
    names: [String] = [], of probe: DoctorProbe, _ describe: (inout DoctorPart) -> Void
  ) {
    var part = DoctorPart(id: probe.id, title: probe.title, isNeeded: true)
    describe(&part)
    for verbosity in Verbosity.allCases {
      var phrases = Pseudo.phrases
      phrases.verbosity = verbosity
      let line = part.line(phrases)
      #expect(line.hasPrefix("⟦"))
      #expect(Pseudo.untranslated(line, names: names) == [], "\(line)")
      let summary = DoctorCommand.summary([part], phrases)
      #expect(Pseudo.untranslated(summary) == [], "\(summary)")
    }
    if part.state == .missing {
      #expect(!part.remedy(Phrasebook()).isEmpty, "\(part.line(Phrasebook())) has no remedy")
    }
  }

  @Test("The terminal")
  func terminal() {
    expectWords(of: .terminal) { DoctorProbe.describe(nil, &$0) }
    for (name, columns, encoding) in [
      ("xterm", 80, "UTF-8"), ("", 1, "UTF-8"), ("dumb", 80, "UTF-8"), ("linux", 80, "ISO-8859-1"),
      ("linux", 20, "UTF-8"),
    ] {
      let facts = DoctorProbe.TerminalFacts(
        name: name, size: ScreenSize(columns: columns, rows: 24), encoding: encoding)
      expectWords(names: [name, encoding], of: .terminal) { DoctorProbe.describe(facts, &$0) }
    }
  }

  @Test("The voice and the sound")
  func speech() throws {
    let probe = DoctorProbe(
      id: "voice", title: .term(in: "part", "Voice"), run: { _, _ in })
    for (voice, speaks, chosen) in [
      ("xb", true, nil), ("xb", true, "xb"), ("xb", true, "xc"), (nil, true, nil),
      (nil, false, nil),
    ] as [(String?, Bool, String?)] {
      let facts = VoiceFacts(version: "1.51", dataFolder: "", voice: voice, speaks: speaks)
      expectWords(names: ["xa", "xb", "xc", "apt install libespeak-ng1 espeak-ng-data"], of: probe)
      {
        DoctorProbe.describe(facts, chosen: chosen, language: "xa", &$0)
      }
    }
    expectWords(of: .sound) { DoctorProbe.describe(nil, .usable, user: "ann", &$0) }
    for cards in SoundCards.allCases {
      for code in [EBUSY, ENOENT, ELIBACC] {
        expectWords(
          names: ["adduser ann audio", "apt install pipewire-audio", "apt install libasound2"],
          of: .sound
        ) {
          DoctorProbe.describe(SoundError(code: code), cards, user: "ann", &$0)
        }
      }
    }
  }

  @Test("The screen reader")
  func reader() {
    for rung in [nil, .orca, .atspi, .notification] as [ReaderRoute?] {
      for (hasSession, hasBus) in [(false, false), (true, false), (true, true)] {
        let facts = ScreenReader.Facts(
          hasSessionBus: hasSession, hasAccessibilityBus: hasBus, rung: rung, reader: "Orca 43.1")
        expectWords(names: ["Orca 43.1"], of: .screenReader) {
          DoctorProbe.describe(reader: facts, &$0)
        }
        expectWords(
          names: ["Orca 43.1", "speech-dispatcher", "spd-say hello", "--announce speech"],
          of: .screenReader
        ) {
          DoctorProbe.describe(reader: facts, &$0)
          DoctorProbe.describe(speechless: facts, &$0)
        }
      }
    }
  }

  @Test("The history")
  func history() {
    let file = "/x/history.sqlite"
    var facts = JournalFacts(folder: "/x")
    expectWords(names: ["/x"], of: .journal) { DoctorProbe.describe(facts, context, &$0) }
    facts.exists = true
    for (running, unfinished, isOpen) in [(0, 0, false), (1, 2, false), (2, 0, true)] {
      facts.running = running
      facts.unfinished = unfinished
      facts.isOpenToOthers = isOpen
      expectWords(names: [file], of: .journal) { DoctorProbe.describe(facts, context, &$0) }
    }
    for trouble in [.refused("/x", .notPermitted), .locked, .damaged, .newer, .unknown]
      as [JournalFacts.Trouble]
    {
      facts.trouble = trouble
      for context in [
        context, DoctorContext(environment: [:], wantsSpeech: false, wantsSilence: true),
      ] {
        expectWords(names: ["/x", file], of: .journal) {
          DoctorProbe.describe(facts, context, &$0)
        }
      }
    }
  }

  @Test("The trash, folders and their file systems")
  func folders() {
    for reason in Reason.allCases {
      for folder in [".", "/x"] as [FilePath] {
        expectWords(names: ["/x", FolderProbe.homeTrash.string], of: .homeTrash) {
          DoctorProbe.describe(noTrash: reason, folder, context, &$0)
        }
      }
      expectWords(
        names: [
          "sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=512"
        ], of: .watching
      ) {
        DoctorProbe.describe(watching: reason, limit: 1, &$0)
      }
    }
    expectWords(of: .homeTrash) {
      let homeless = DoctorContext(environment: [:], wantsSpeech: false, wantsSilence: false)
      DoctorProbe.homeTrash.run(homeless, &$0)
    }
    for limit in [nil, 1, 5] {
      expectWords(of: .watching) { DoctorProbe.describe(watching: nil, limit: limit, &$0) }
    }
    for clones in [true, false, nil] {
      for attributes in [true, false, nil] {
        expectWords(of: .folder) {
          DoctorProbe.describe(FolderFeatures(clones: clones, attributes: attributes), &$0)
        }
      }
    }
    expectWords(of: .currentTrash) { _ in }
  }

  @Test("File types, the printer and other programs")
  func programs() {
    expectWords(names: ["apt install shared-mime-info"], of: .types) {
      DoctorProbe.describeNoTypes(&$0)
    }
    for printer in ["/usr/bin/lp", nil] {
      expectWords(names: ["/usr/bin/lp", "apt install cups-client"], of: .printing) {
        DoctorProbe.describe(printer: printer, &$0)
      }
    }
    for (names, hasDisplay) in [(["xa", "xb"], true), ([], true), ([], false)] {
      expectWords(names: names, of: .programs) {
        DoctorProbe.describe(programs: names, hasDisplay: hasDisplay, &$0)
      }
    }
  }

  @Test("The chords of the agent")
  func chords() {
    let chords = [KeyStroke(.space, [.ctrl, .alt]), KeyStroke(.space, [.ctrl, .alt, .shift])]
    for taken in [nil, [], [chords[0]], chords] {
      expectWords(of: .desktopKeys(chords)) {
        DoctorProbe.describe(takenKeys: taken, of: chords, &$0)
        #expect($0.affectsExitStatus == (taken?.isEmpty == false))
      }
    }
    expectWords(of: .desktopKeys(chords)) { DoctorProbe.desktopKeys(chords).run(context, &$0) }
  }

  @Test("Whether the agent starts at login, with a way to have it so where there are windows")
  func login() {
    for (isOn, hasWindows) in [(true, true), (false, true), (false, false)] {
      expectWords(of: .login) {
        DoctorProbe.describe(isOn: isOn, hasWindows: hasWindows, &$0)
        #expect(!$0.affectsExitStatus && ($0.repair != nil) == (!isOn && hasWindows))
      }
    }
  }

  @Test("W01 In a Wayland session no line says that all is well, and each is in words of its own")
  func wayland() {
    let problem = Problem.nativeWindows(compositor: "sway")
    let words = [
      "sway", "GDK_BACKEND=x11 QT_QPA_PLATFORM=xcb MOZ_ENABLE_WAYLAND=0", "--ozone-platform=x11",
    ]
    for isReached in [true, false] {
      expectWords(names: words, of: .desktop) {
        DoctorProbe.describe([], [], &$0)
        DoctorProbe.describe(unreached: problem, isReached: isReached, &$0)
        #expect($0.state == (isReached ? .partly : .missing) && $0.affectsExitStatus)
      }
    }
    let chords = [KeyStroke(.space, [.ctrl, .alt])]
    expectWords(of: .desktopKeys(chords)) {
      DoctorProbe.describe(takenKeys: [], of: chords, &$0)
      DoctorProbe.describeInWayland(WaylandSession(compositor: "sway"), chords, &$0)
      #expect($0.state == .partly)
    }
    let chordless = DoctorProbe.desktopKeys(chords)
    var part = DoctorPart(id: chordless.id, title: chordless.title)
    chordless.run(DoctorContext(environment: [:], wantsSpeech: false, wantsSilence: true), &part)
    #expect(part.found(Phrasebook()) == "There is no X server: DISPLAY is not set.")
    // A voice says the same.
    var phrases = Phrasebook()
    phrases.compositor = "sway"
    #expect(phrases.spoken.readyText(chords[0]).hasPrefix("In windows of XWayland"))
    for path in ["/nowhere", "/usr/bin"] {
      let environment = ["PATH": path]
      var part = DoctorPart(id: "desktop", title: DoctorProbe.desktop.title)
      DoctorProbe.describeNoXWayland(environment, &part)
      #expect(part.state == .missing)
      let isInstalled = access(path + "/Xwayland", X_OK) == 0
      let remedy = "As administrator: apt install xwayland"
      #expect(part.remedy(Phrasebook()) == (isInstalled ? "" : remedy))
    }
  }

  @Test("T12 Programs that tell nothing are named, with how to start them")
  func untold() {
    let window = WindowFacts(
      id: WindowID(1), title: "Inbox", className: "xa", processID: 77,
      rectangle: ScreenRectangle(x: 0, y: 0, width: 10, height: 10), isMapped: true,
      isActive: false)
    var other = window
    (other.id, other.className, other.processID) = (WindowID(2), "xb", 78)
    let hung = ProgramFacts(bus: ":1.1", name: "xb", processID: 78, isResponding: false)
    expectWords(names: ["xa", "xb"], of: .desktop) {
      DoctorProbe.describe([window, other], [hung], &$0)
    }
    var part = DoctorPart(id: "desktop", title: DoctorProbe.desktop.title)
    DoctorProbe.describe([window, other], [hung], &part)
    let line = part.line(Phrasebook())
    #expect(
      line == "Running programs: works in part. 2 windows can be reached. No answer from xb. "
        + "Nothing is told of what is in windows of xa. "
        + "Start xa again while keydrag desktop runs.")
    // It is no more than that, and all that is needed works.
    #expect(!part.affectsExitStatus)
  }

  @Test("The settings and the keys, with every kind of mistake")
  func settings() throws {
    var options = try SharedOptions.parse([])
    options.config = nil
    var composition = try Composition(options)
    let place = ConfigurationPlace(line: 1, column: 2)
    composition.options.config = "/x/c.yaml"
    for problems in [
      [], [ConfigurationProblem(file: "c.yaml", place: place, kind: .notUTF8)],
    ] {
      composition.settings.fileProblems = problems
      let probe = DoctorProbe.configuration(composition)
      expectWords(names: ["/x/c.yaml"], of: probe) { probe.run(context, &$0) }
    }
    var keys = DoctorProbe.keys(composition)
    expectWords(of: keys) { keys.run(context, &$0) }
    composition.settings.keyProblems = [KeyProblem(place: place, kind: .key("xa", nearest: "xb"))]
    keys = DoctorProbe.keys(composition)
    expectWords(names: ["xa", "xb"], of: keys) { keys.run(context, &$0) }
    composition.settings.keyProblems = []
    composition.settings.keymap = try composition.settings.keymap.remapped([(.carrying, .drop, [])])
    keys = DoctorProbe.keys(composition)
    expectWords(names: ["drop"], of: keys) { keys.run(context, &$0) }
  }

  @Test("A part that gives no answer, and the last line")
  func silent() {
    let probe = DoctorProbe(id: "x", title: .phrase("Slow"), run: { _, _ in })
    let part = DoctorRun(context, [probe]).unanswered(probe)
    #expect(Pseudo.untranslated(part.line(Pseudo.phrases)) == [])
    #expect(Pseudo.untranslated(DoctorCommand.summary([], Pseudo.phrases)) == [])
  }

  @Test("A line is worded for the voice on its own")
  func spoken() {
    struct Ruby: Catalogue {
      let language = "ja"
      var isSpoken = false
      var spoken: any Catalogue { Ruby(isSpoken: true) }
      func sentence(_ source: String, context: String?) -> String {
        source == "Voice" ? (isSpoken ? "こえ" : "声") : source
      }
      func sentence(one: String, other: String, count: Int) -> String { other }
    }
    let part = DoctorPart(id: "voice", title: .term(in: "part", "Voice"))
    let phrases = Phrasebook(catalogue: Ruby())
    #expect(part.line(phrases) == "声: works.")
    #expect(part.line(phrases.spoken) == "こえ: works.")
  }
}
