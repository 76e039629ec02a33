import Glibc
import KeyDragCore
import RealPrograms
import Synchronization
import Testing
import Thorough

@testable import KeyDragDesktop

@Suite(
  "A program that asks the person what to do with a drop", .realPrograms(by: .waiting), .serialized,
  .timeLimit(.minutes(5)),
  .enabled(if: DesktopStage.obstacle == nil))
struct AskingProgramTests {
  @Test(
    "H14 is told of at once, and what comes of it once it has been answered",
    arguments: Thorough.cases(ordinarily: 2, of: Way.certain), Answer.allCases)
  func asks(in way: Way, answer: Answer) async throws {
    let stage = try DesktopStage()
    let window = try await stage.start(Self.program(way), title: "Report")
    let chapters = try stage.point("Chapters", in: window)
    var events = stage.events(at: chapters).makeAsyncIterator()
    guard case .started = await events.next(), case .asks(let question) = await events.next() else {
      throw DesktopStage.Missing(description: "no question\n\(stage.desktop.complaints)")
    }
    #expect(question == (way == .menu ? .menu : .dialog("Import a.txt", hasKeyboard: true)))
    if way == .window {
      #expect(await stage.verdict(at: chapters) == .refused(.waitsForAnswer))
    }
    try stage.program.signal(answer.rawValue)
    guard case .finished(var result) = await events.next() else {
      throw DesktopStage.Missing(description: "no end\n\(stage.desktop.complaints)")
    }
    // A program that is slow to show it is told of twice.
    if answer != .leave, result.outcome == .unconfirmed,
      case .finished(let later) = await events.next()
    {
      result = later
    }
    #expect(result.outcome == (answer == .leave ? .unconfirmed : .delivered))
    #expect(result.verified == (answer != .leave))
    // Files may be listed elsewhere than in the list that took them.
    #expect([nil, .unchanged].contains(result.question))
    #expect(result.effect.operation == (answer == .open ? .open : nil))
  }

  @Test("A dialog that shows how far something is asks nothing")
  func progress() async throws {
    let stage = try DesktopStage()
    let window = try await stage.start(Self.program(.progress), title: "Report")
    let result = try await stage.deliver(to: try stage.point("Chapters", in: window))
    #expect(result.outcome == .unconfirmed && result.question == .window("Import"))
  }

  @Test(
    "T02, T06 a row beside an alert counts only once that is closed, and its words are told at once",
    arguments: [true, false])
  func alert(isKept: Bool) async throws {
    let stage = try DesktopStage()
    let window = try await stage.start(Self.alerting, title: "Report")
    var events = stage.events(at: try stage.point("Chapters", in: window)).makeAsyncIterator()
    guard case .started = await events.next(),
      case .asks(.dialog("", _, _, let words)) = await events.next()
    else {
      throw DesktopStage.Missing(description: "no alert\n\(stage.desktop.complaints)")
    }
    #expect(words == "\"a.txt\" is no chapter.")
    try stage.program.signal((isKept ? Answer.take : .leave).rawValue)
    guard case .finished(let result) = await events.next() else {
      throw DesktopStage.Missing(description: "no end\n\(stage.desktop.complaints)")
    }
    #expect(result.outcome == (isKept ? .delivered : .unconfirmed))
    #expect(result.question == (isKept ? nil : .tells(words, window: "")))
  }

  @Test("H14 An alert that nobody closes was the program's last word, and the drop ends")
  func openAlert() async throws {
    let stage = try DesktopStage()
    let window = try await stage.start(Self.alerting, title: "Report")
    var events = stage.events(at: try stage.point("Chapters", in: window)).makeAsyncIterator()
    guard case .started = await events.next(), case .asks = await events.next(),
      case .finished(let result) = await events.next()
    else {
      throw DesktopStage.Missing(description: "no end\n\(stage.desktop.complaints)")
    }
    #expect(result.outcome == .unconfirmed && result.effect != .taken && result.question == nil)
    try stage.program.signal(Answer.take.rawValue)
    guard case .finished(let last) = await events.next() else {
      throw DesktopStage.Missing(description: "no last end\n\(stage.desktop.complaints)")
    }
    #expect(last.outcome == .delivered)
  }

  @Test("T02 What a list shows by another name is added to it, if the program says that it took it")
  func otherName() async throws {
    let stage = try DesktopStage()
    let program = ChaptersProgram.source(
      "Report",
      taking: """
        view.connect("drag-data-received", lambda *_: rows.append(["Tone A"]))
        """)
    let window = try await stage.start(program, title: "Report")
    let result = try await stage.deliver(to: try stage.point("Chapters", in: window))
    #expect(result.outcome == .delivered && result.effect == .listed && !result.verified)
  }

  @Test(
    "T14 Where nothing else is known the new words of the window are told, or that it looks as before",
    arguments: ["", #"bar.push(0, "1 file queued")"#, "picture.set_opacity(0.5)"])
  func shown(effect: String) async throws {
    let stage = try DesktopStage()
    let program = ChaptersProgram.source(
      "Report",
      taking: """
        bar = Gtk.Statusbar()
        bar.push(0, "Ready")
        picture = Gtk.DrawingArea()
        picture.set_size_request(40, 40)
        picture.connect("draw", lambda picture, c: (c.set_source_rgb(0, 0, 0), c.paint(), False)[2])
        box.pack_end(bar, False, False, 0)
        box.pack_end(picture, False, False, 0)
        def take(*_):
            \(effect.isEmpty ? "pass" : effect)
        view.connect("drag-data-received", take)
        window.connect_after("draw", lambda *_: GLib.idle_add(print, "painted"))
        """)
    let window = try await stage.start(program, title: "Report")
    while try stage.said() != "painted" {}
    let result = try await stage.deliver(to: try stage.point("Chapters", in: window))
    #expect(result.outcome == .unconfirmed)
    switch effect {
    case "": #expect(result.question == .unchanged)
    case _ where effect.hasPrefix("bar"):
      #expect(result.question == .tells("1 file queued", window: ""))
    default: #expect(result.question == nil)
    }
  }

  @Test(
    "T03 A place that takes only a move is not said to take nothing, and nothing is moved unasked")
  func onlyMove() async throws {
    let stage = try DesktopStage()
    let program = ChaptersProgram.source(
      "Report", taking: "view.drag_dest_set(Gtk.DestDefaults.ALL, entries, Gdk.DragAction.MOVE)")
    let window = try await stage.start(program, title: "Report")
    let chapters = try stage.point("Chapters", in: window)
    #expect(await stage.verdict(at: chapters).acceptance == .none(.takesOnlyMove))
    let stop = DropStop(chapters.id)
    let moved = await stage.verdict(at: stop, of: DesktopStage.item, wish: .move)
    #expect(moved.acceptance == .all && moved.offers == .move)
    #expect(
      await stage.verdict(at: stop, of: DesktopStage.item, wish: .link).acceptance
        == .none(.notTaken))
  }

  /// Lists what is dropped, alerts that it is none of its things, and takes it out when told to leave
  /// it.
  private static let alerting = ChaptersProgram.source(
    "Report",
    taking: """
      def take(view, context, x, y, data, info, time):
          global alert
          rows.append(["a.txt"])
          alert = Gtk.MessageDialog(transient_for=window, modal=True, title="",
              buttons=Gtk.ButtonsType.CLOSE, text='"a.txt" is no chapter.')
          alert.show_all()
      def close(number):
          if number == 12:
              rows.remove(rows[len(rows) - 1].iter)
          alert.destroy()
      view.connect("drag-data-received", take)
      for number in 10, 12:
          GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, close, number)
      """)

  /// How it asks: `modal` is said on the accessibility bus alone, and for a `dialog` nothing waits.
  /// Where it is `mute`, the window says nothing there, and waits in the place of one that shows how
  /// far a copy is; a `helper` is a program of its own.
  enum Way: String, CaseIterable, Sendable {
    case menu, window, modal, dialog, progress, mute, helper

    static let certain: [Way] = [.menu, .window, .modal, .dialog, .mute, .helper]
  }

  /// By the signals that give it.
  enum Answer: Int32, CaseIterable, Sendable {
    case open = 1
    case take = 10
    case leave = 12
  }

  /// A list that takes what is dropped, says so, and asks then what to do with it. Signals answer.
  ///
  /// - Parameter isEmpty: whether nothing is in the list beforehand, so that nothing shows there.
  static func program(_ way: Way, isEmpty: Bool = false) -> String {
    ChaptersProgram.source("Report", isEmpty: isEmpty, taking: asking(way))
  }

  private static func asking(_ way: Way) -> String {
    """
    import os, subprocess, sys
    asking = None
    class Other:
        def __init__(self, more):
            command = [sys.executable, "-c", '''\(other)''', str(os.getpid())]
            self.process = subprocess.Popen(
                command, env=dict(os.environ, **more), stdout=subprocess.PIPE)
            self.process.stdout.readline()
        def ask(self):
            self.process.send_signal(10)
        def destroy(self):
            self.process.kill()
            self.process.wait()
    # Started before the drop: how long that takes is not what a question is waited for.
    if "\(way.rawValue)" == "mute":
        asking = Other({"NO_AT_BRIDGE": "1", "OWN": "1"})
    elif "\(way.rawValue)" == "helper":
        asking = Other({})
    def ask(view, context, x, y, data, info, time):
        global asking
        if asking:
            asking.ask()
        elif "\(way.rawValue)" == "menu":
            asking = Gtk.Menu()
            asking.append(Gtk.MenuItem(label="Copy here"))
            asking.show_all()
            asking.popup_at_widget(view, Gdk.Gravity.CENTER, Gdk.Gravity.CENTER, None)
        elif "\(way.rawValue)" == "progress":
            asking = Gtk.Dialog(title="Import")
            asking.get_content_area().add(Gtk.ProgressBar())
            asking.show_all()
        else:
            asking = Gtk.Dialog(title="Import a.txt")
            if "\(way.rawValue)" != "dialog":
                asking.set_modal(True)
            if "\(way.rawValue)" == "window":
                asking.set_transient_for(window)
            asking.get_content_area().add(Gtk.Label(label="How?"))
            asking.show_all()
    def answer(number):
        if number == 10:
            rows.append(["a.txt"])
        if number == 1:
            window.set_title("a.txt")
        asking.destroy()
    view.connect("drag-data-received", ask)
    for number in 1, 10, 12:
        GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, number, answer, number)
    """
  }

  /// A question beside a window that shows how far a copy is, in a process of its own; with OWN set it
  /// says that it is of the process that its argument names. A signal has it ask.
  private static let other = """
    import gi, os, subprocess, sys
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, GdkX11, GLib
    copying = Gtk.Dialog(title="Copying")
    question = Gtk.Dialog(title="Import a.txt", transient_for=copying, modal=True)
    question.get_content_area().add(Gtk.Label(label="Replace a.txt?"))
    for window in copying, question:
        window.realize()
        window.get_display().sync()
        if "OWN" in os.environ:
            subprocess.run(["xprop", "-id", str(window.get_window().get_xid()),
                "-f", "_NET_WM_PID", "32c", "-set", "_NET_WM_PID", sys.argv[1]], check=True)
    def ask():
        copying.show_all()
        question.show_all()
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, 10, ask)
    print("ready", flush=True)
    Gtk.main()
    """
}

@Suite("What is told of a drop whose question was answered")
struct AnsweredDropTests {
  private let order = DeliveryOrder(
    items: [DesktopStage.item], stop: DropStop(DropPointID(1)), operation: .copy)

  @Test(
    "a window is followed to its end only while it may ask: what was opened after the answer is not"
  )
  func followed() {
    var named = DeliveryResult.failure(order, .unconfirmed, .unknown)
    named.question = .window("a.txt")
    #expect(named.mayStillAsk(wasAnswered: false))
    #expect(!named.mayStillAsk(wasAnswered: true))
    named.question = .dialog("a.txt", hasKeyboard: true)
    #expect(named.mayStillAsk(wasAnswered: true))
    named.question = .answered
    #expect(!named.mayStillAsk(wasAnswered: false))
    #expect(!DeliveryResult.failure(order, .unconfirmed, .unknown).mayStillAsk(wasAnswered: false))
  }

  @Test("that nothing came of an answer is told once for a question, and is not the end")
  func once() {
    let after = Drop(DeliveryID(1), order) { _ in }
    #expect(!after.wasAsked && !after.markQuestionReported())
    after.see(WindowID(1))
    after.see(WindowID(1))
    #expect(after.isAsking && !after.wasAnswered)
    after.see(nil)
    #expect(!after.isAsking && after.wasAnswered)
    #expect(after.markQuestionReported())
    #expect(!after.markQuestionReported())
    after.see(WindowID(2))
    after.see(nil)
    #expect(after.markQuestionReported())
    #expect(after.end())
    #expect(!after.end())
  }

  @Test("what comes late is looked at one after the other, and no more once the end is told")
  func turns() async {
    let after = Drop(DeliveryID(1), order) { _ in }
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let log = Mutex<[String]>([])
    let note: @Sendable (String) -> Void = { line in log.withLock { $0.append(line) } }
    after.inTurn {
      note("one begins")
      for await _ in gate {}
      note("one ends")
    }
    after.inTurn {
      note("two")
      // It has told the end.
      _ = after.end()
    }
    let last = after.inTurn { note("three") }
    open.finish()
    await last.value
    #expect(log.withLock { $0 } == ["one begins", "one ends", "two"])
  }
}
