import KeyDragCore
import PrivateDesktop
import Testing

@testable import KeyDragX11

/// A program of GTK 3 that owns a selection, as one whose text is selected or was copied.
final class SelectionPeer {
  let process: KeptProcess

  /// - Parameters:
  ///   - forms: what it offers: a text, `*NUMBER` for so many bytes, `!` for one that it does not
  ///     give after all, `end` for one over which it ends.
  ///   - isOwner: from the start; otherwise from the first ``copy()``.
  init(
    _ selection: String, _ forms: KeyValuePairs<String, String>, isOwner: Bool = true,
    on desktop: PrivateDesktop
  ) throws {
    process = try desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.program, selection, isOwner ? "now" : "later"]
        + forms.map { "\($0)=\($1)" },
      adding: ["NO_AT_BRIDGE": "1", "GDK_BACKEND": "x11"])
    #expect(try process.line() == "ready")
  }

  private static let program = """
    import os, signal, sys, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk, GLib
    selection = Gdk.Atom.intern(sys.argv[1], False)
    forms = dict(form.split("=", 1) for form in sys.argv[3:])
    many = bytes(range(251)) * 12000
    window = Gtk.Window()
    window.realize()
    for name in forms:
        Gtk.selection_add_target(window, selection, Gdk.Atom.intern(name, False), 0)
    def asked(widget, data, info, time):
        value = forms[data.get_target().name()]
        if value == "end":
            os._exit(1)
        if value.startswith("*"):
            data.set(data.get_target(), 8, many[:int(value[1:])])
        elif value != "!":
            data.set(data.get_target(), 8, value.encode())
    window.connect("selection-get", asked)
    def copied():
        Gtk.selection_owner_set(window, selection, 0)
        Gdk.Display.get_default().sync()
        return True
    if sys.argv[2] == "now":
        copied()
    GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, copied)
    print("ready")
    Gtk.main()
    """

  /// What another program gets from the clipboard: the length and the sum of the bytes of a form, or
  /// "none"; "targets" lists the forms.
  static func paste(_ form: String, on desktop: PrivateDesktop) throws -> String {
    let process = try desktop.start(
      ["/usr/bin/python3", "-u", "-c", Self.paster, form],
      adding: ["NO_AT_BRIDGE": "1", "GDK_BACKEND": "x11"])
    return try process.line()
  }

  private static let paster = """
    import sys, gi
    gi.require_version("Gtk", "3.0")
    from gi.repository import Gtk, Gdk
    clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
    if sys.argv[1] == "targets":
        found, targets = clipboard.wait_for_targets()
        print(*(target.name() for target in targets or []))
    else:
        data = clipboard.wait_for_contents(Gdk.Atom.intern(sys.argv[1], False))
        data = data.get_data() if data and data.get_length() >= 0 else None
        print("none" if data is None else f"{len(data)} {sum(data)}")
    """
}
