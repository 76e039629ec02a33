import FoundationEssentials
import PrivateDesktop
import Testing

extension DesktopStage {
  /// Has drops go into the file manager through its own Paste command.
  func pasteIntoThunar() throws { try describeThunar("route: menu") }

  /// Says one thing more of the folder that the file manager shows, in a profile of the person's.
  func describeThunar(_ trait: String) throws {
    let configuration = try #require(stage.environment["XDG_CONFIG_HOME"])
    let file = URL(fileURLWithPath: configuration + "/keydrag/profiles/thunar.yaml")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let profile = """
      program: thunar
      class: thunar
      rules:
        - role: directory pane
          drop: true
          view: true
          name: title
          word: folder-view
          \(trait)
        - role: table cell
          inside: directory pane
          drop: true

      """
    try Data(profile.utf8).write(to: file)
  }
}

/// Programs that use the clipboard.
enum ClipboardPrograms {
  /// What a clipboard manager does with what it is asked to save.
  enum Manager: String, Sendable {
    case keepsAll = "all"
    case keepsText = "text"
    case refuses
    /// It was stopped.
    case hangs
  }

  private static let variables = ["NO_AT_BRIDGE": "1", "GDK_BACKEND": "x11"]

  private static func start(
    _ desktop: DesktopStage, _ program: String, _ arguments: String...
  ) throws -> KeptProcess {
    let python = ["/usr/bin/python3", "-u", "-c", program]
    return try desktop.desktop.start(python + arguments, adding: variables)
  }

  /// Copies a text, a page, bytes of every value and more than goes over in one piece; a secret also
  /// says that it is one.
  static func copy(
    _ text: String, isSecret: Bool = false, on desktop: DesktopStage
  ) throws -> KeptProcess {
    let process = try start(desktop, owner, text, isSecret ? "secret" : "")
    #expect(try process.line() == "ready")
    return process
  }

  private static let owner = """
    import sys, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk
    text, secret = sys.argv[1:]
    forms = {
        "UTF8_STRING": text.encode(), "text/html": b"<b>" + text.encode() + b"</b>",
        "application/x-odd": bytes(range(256)), "image/png": bytes(range(251)) * 12000,
    }
    if secret:
        forms["x-kde-passwordManagerHint"] = b"secret"
    window = Gtk.Window()
    window.realize()
    for name in forms:
        Gtk.selection_add_target(
            window, Gdk.SELECTION_CLIPBOARD, Gdk.Atom.intern(name, False), 0)
    window.connect("selection-get", lambda widget, data, info, time: data.set(
        data.get_target(), 8, forms[data.get_target().name()]))
    Gtk.selection_owner_set(window, Gdk.SELECTION_CLIPBOARD, 0)
    Gdk.Display.get_default().sync()
    print("ready")
    Gtk.main()
    """

  /// What any program gets from the clipboard: each form with its length and its digest.
  static func paste(on desktop: DesktopStage) throws -> String {
    try start(desktop, reader).line()
  }

  private static let reader = """
    import hashlib, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk
    clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
    found, targets = clipboard.wait_for_targets()
    lines = []
    for target in targets or []:
        if target.name() not in ("TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS"):
            data = clipboard.wait_for_contents(target)
            data = data.get_data() if data and data.get_length() >= 0 else b"?"
            lines.append(f"{target.name()} {len(data)} {hashlib.sha256(data).hexdigest()}")
    print("; ".join(sorted(lines)))
    """

  /// Starts a clipboard manager, which says what it was asked to save.
  static func manager(_ manager: Manager, on desktop: DesktopStage) throws -> KeptProcess {
    let process = try start(desktop, saver, manager.rawValue)
    #expect(try process.line() == "ready")
    return process
  }

  private static let saver = """
    import sys, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk
    manager = Gdk.Atom.intern("CLIPBOARD_MANAGER", False)
    clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
    requests = ("TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS")
    kept, display = {}, Gdk.Display.get_default()
    window, holder = Gtk.Window(), Gtk.Window()
    for each in (window, holder):
        each.realize()
    def asked(widget, event):
        found, targets = clipboard.wait_for_targets()
        names = [target.name() for target in targets or []]
        print("asked" if "SAVE_TARGETS" in names else "asked by who did not say that it would")
        for name in names if sys.argv[1] != "refuses" else []:
            if name not in requests and (sys.argv[1] == "all" or name == "UTF8_STRING"):
                kept[name] = clipboard.wait_for_contents(Gdk.Atom.intern(name, False)).get_data()
                Gtk.selection_add_target(
                    holder, Gdk.SELECTION_CLIPBOARD, Gdk.Atom.intern(name, False), 0)
        if kept:
            Gtk.selection_owner_set(holder, Gdk.SELECTION_CLIPBOARD, event.time)
        Gdk.selection_send_notify_for_display(
            display, event.requestor, event.selection, event.target,
            event.property if kept else Gdk.Atom.intern("NONE", False), event.time)
        return True
    # The toolkit answers this request itself before the usual signal.
    window.connect("selection-request-event", asked)
    holder.connect("selection-get", lambda widget, data, info, time: data.set(
        data.get_target(), 8, kept[data.get_target().name()]))
    Gtk.selection_owner_set(window, manager, 0)
    display.sync()
    print("ready")
    Gtk.main()
    """
}

/// A process that holds the clipboard when the program that put something there has ended.
struct ClipboardHolderProcess {
  let id: Int32

  /// The one of a display; `nil` where there is none.
  init?(on desktop: DesktopStage) throws {
    let display = "DISPLAY=" + (desktop.desktop.environment["DISPLAY"] ?? "")
    let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc")
    let found = processes.compactMap { Int32($0) }.filter { id in
      Self.words(of: id, "cmdline").suffix(1) == ["hold-clipboard"]
        && Self.words(of: id, "environ").contains(display)
    }
    #expect(found.count <= 1)
    guard let id = found.first else { return nil }
    self.id = id
  }

  private static func words(of process: Int32, _ file: String) -> [String] {
    let bytes = FileManager.default.contents(atPath: "/proc/\(process)/\(file)") ?? Data()
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// What its first three streams lead to, and how many others it has of those it was started with.
  var streams: [String] {
    get throws {
      try ["0", "1", "2"].map {
        try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/fd/\($0)")
      }
    }
  }

  /// Waits for its end.
  func waitForEnd() throws {
    let watcher = try KeptProcess(
      ["/usr/bin/python3", "-u", "-c", Self.watcher, String(id)], environment: [:],
      log: "/dev/null")
    #expect(try watcher.line() == "gone")
  }

  private static let watcher = """
    import os, select, sys
    try:
        process = os.pidfd_open(int(sys.argv[1]))
        select.select([process], [], [])
    except ProcessLookupError:
        pass
    print("gone")
    """
}
