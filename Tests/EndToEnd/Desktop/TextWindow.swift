import PrivateDesktop

/// A window of one toolkit or another in a process of its own: a line, a password and a longer text
/// called Body. It says what is in them whenever that changes, and who has the focus.
final class TextWindow {
  enum Kind: String, CaseIterable, Sendable {
    case gtk3, gtk4, qt5
  }

  /// What becomes of the program in the moment of a drop on its body; of GTK 3 alone.
  enum Fate: String, Sendable {
    case takesIt = "takes it"
    case stops
    case dies
  }

  let process: KeptProcess

  init(
    _ kind: Kind, _ title: String, atDrop fate: Fate = .takesIt, on desktop: PrivateDesktop
  ) throws {
    let program =
      switch kind {
      case .gtk3: Self.gtk3
      case .gtk4: Self.gtk4
      case .qt5: Self.qt5
      }
    process = try desktop.start(
      ["/usr/bin/python3", "-u", "-c", program, title, fate.rawValue],
      adding: [
        "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "GTK_IM_MODULE": "gtk-im-context-simple",
      ])
  }

  /// What it says up to and with this.
  @discardableResult
  func lines(upTo last: String) throws -> [String] {
    var lines: [String] = []
    while lines.last != last {
      do {
        lines.append(try process.line())
      } catch {
        throw ChildProcess.Hung(description: "\(error): \(last); it said \(lines)")
      }
    }
    return lines
  }

  /// The signal USR1 takes the body out of what drops can be made on; its looks stay. USR2 closes the
  /// window.
  private static let gtk3 = """
    import os, sys, signal, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, GLib
    window = Gtk.Window(title=sys.argv[1])
    window.set_default_size(300, 240)
    box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    window.add(box)
    line = Gtk.Entry(text="some words to carry")
    line.get_accessible().set_name("Line")
    box.pack_start(line, False, False, 0)
    secret = Gtk.Entry(text="secret")
    secret.set_visibility(False)
    secret.set_input_purpose(Gtk.InputPurpose.PASSWORD)
    secret.get_accessible().set_name("Secret")
    box.pack_start(secret, False, False, 0)
    body = Gtk.TextView()
    body.get_accessible().set_name("Body")
    box.pack_start(body, True, True, 0)
    text = body.get_buffer()
    def all_of(text):
        return text.get_text(text.get_start_iter(), text.get_end_iter(), True)
    line.connect("changed", lambda *_: print("line", line.get_text()))
    text.connect("changed", lambda *_: print("body", all_of(text)))
    line.connect("focus-in-event", lambda *_: print("focus line"))
    secret.connect("focus-in-event", lambda *_: print("focus secret"))
    body.connect("focus-in-event", lambda *_: print("focus body"))
    def close():
        body.drag_dest_unset()
        print("closed")
        return True
    GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGUSR1, close)
    GLib.unix_signal_add(GLib.PRIORITY_HIGH, signal.SIGUSR2, window.destroy)
    fate = {"stops": signal.SIGSTOP, "dies": signal.SIGKILL}.get(sys.argv[2])
    body.connect("drag-drop", lambda *_: fate and os.kill(os.getpid(), fate))
    window.show_all()
    Gtk.main()
    """

  private static let gtk4 = """
    import sys, gi
    gi.require_version("Gtk", "4.0")
    from gi.repository import Gtk, GLib
    window = Gtk.Window(title=sys.argv[1])
    window.set_default_size(300, 240)
    body = Gtk.TextView()
    body.update_property([Gtk.AccessibleProperty.LABEL], ["Body"])
    window.set_child(body)
    text = body.get_buffer()
    def all_of(text):
        return text.get_text(text.get_start_iter(), text.get_end_iter(), True)
    text.connect("changed", lambda *_: print("body", all_of(text)))
    window.present()
    GLib.MainLoop().run()
    """

  private static let qt5 = """
    import sys
    from PyQt5.QtWidgets import QApplication, QPlainTextEdit, QVBoxLayout, QWidget
    application = QApplication(sys.argv[:1])
    window = QWidget()
    window.setWindowTitle(sys.argv[1])
    body = QPlainTextEdit()
    body.setAccessibleName("Body")
    body.textChanged.connect(lambda: print("body", body.toPlainText()))
    QVBoxLayout(window).addWidget(body)
    window.resize(300, 240)
    window.show()
    application.exec()
    """
}
