/// Programs of the desktop that the tests need, in the language of Orca, which is there with it.
enum Programs {
  static func python(_ program: String, _ arguments: String...) -> [String] {
    ["/usr/bin/python3", "-c", program] + arguments
  }

  /// Orca's own service as it is from version 49 on: writes what it is to present. It refuses texts
  /// that begin with "no". As its second argument says it takes many times as long for each as is waited
  /// for one that does nothing ("slow"), not so long ("steady"), or never ends with the first ("spins"). One
  /// with "braille" also writes what is to stay on a display.
  static let service = """
    import sys, time
    from gi.repository import Gio, GLib

    name = sys.argv[1]
    xml = ("<node><interface name='" + name + "'><method name='PresentMessage'>"
           "<arg type='s' direction='in'/><arg type='b' direction='out'/></method>"
           "<method name='DisplayMessage'><arg type='s' direction='in'/>"
           "<arg type='b' direction='in'/><arg type='b' direction='out'/></method>"
           "<method name='GetVersion'><arg type='s' direction='out'/></method></interface></node>")

    def called(connection, sender, path, interface, method, arguments, invocation):
        if method == "GetVersion":
            return invocation.return_value(GLib.Variant("(s)", ("49",)))
        text = arguments.unpack()[0]
        if method == "DisplayMessage":
            if sys.argv[2:] == ["braille"] and arguments.unpack()[1]:
                print("stays: " + text, flush=True)
            return invocation.return_value(GLib.Variant("(b)", (True,)))
        if sys.argv[2:] == ["spins"]:
            print(text, flush=True)
            while True:
                pass
        for _ in range({"slow": 20, "steady": 8}.get("".join(sys.argv[2:]), 0)):
            time.sleep(0.02)
        print(text, flush=True)
        invocation.return_value(GLib.Variant("(b)", (not text.startswith("no"),)))

    def acquired(connection, name):
        interface = Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0]
        connection.register_object("/" + name.replace(".", "/"), interface, called)

    Gio.bus_own_name(Gio.BusType.SESSION, name, 0, acquired,
                     lambda *_: print("ready", flush=True), None)
    GLib.MainLoop().run()
    """

  /// Has the service under the name of its first argument present the second.
  static let presenter = """
    import sys
    from gi.repository import Gio, GLib

    name, text = sys.argv[1:]
    Gio.bus_get_sync(Gio.BusType.SESSION).call_sync(
        name, "/" + name.replace(".", "/"), name, "PresentMessage", GLib.Variant("(s)", (text,)),
        None, 0, -1, None)
    """

  /// A registry that answers everything with what it is told to, on the session bus, which it gives
  /// out as the accessibility bus.
  static let registry = """
    import os, sys
    from gi.repository import Gio, GLib

    answer = GLib.Variant.parse(None, sys.argv[1], None, None)
    address = GLib.Variant("(s)", (os.environ["DBUS_SESSION_BUS_ADDRESS"],))

    def xml(interface, methods):
        return "<node><interface name='" + interface + "'>" + "".join(
            "<method name='" + name + "'>" + "".join(
                "<arg direction='" + way + "' type='" + kind + "'/>" for way, kind in arguments)
            + "</method>" for name, arguments in methods) + "</interface></node>"

    def serve(connection, path, interface, methods, answer):
        info = Gio.DBusNodeInfo.new_for_xml(xml(interface, methods)).interfaces[0]
        connection.register_object(
            path, info, lambda *call: call[6].return_value(answer))

    connection = Gio.bus_get_sync(Gio.BusType.SESSION)
    out = [("out", answer.get_child_value(0).get_type_string())]
    registry = "org.a11y.atspi.Registry"
    serve(connection, "/org/a11y/bus", "org.a11y.Bus", [("GetAddress", [("out", "s")])], address)
    serve(connection, "/org/a11y/atspi/registry", registry, [("GetRegisteredEvents", out)], answer)
    serve(connection, "/org/a11y/atspi/accessible/root", "org.a11y.atspi.Socket",
          [("Embed", [("in", "(so)")] + out)], answer)
    for name in (registry, "org.a11y.Bus"):
        connection.call_sync("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "RequestName",
                             GLib.Variant("(su)", (name, 0)), None, 0, -1, None)
    print("ready", flush=True)
    GLib.MainLoop().run()
    """

  /// Writes the tree as pyatspi sees it, an object a line, then has done what the arguments say.
  static let viewer =
    show + """

      view()
      for name in sys.argv[1:]:
          action = application[1].queryAction()
          names = [action.getName(index) for index in range(action.nActions)]
          print(name, action.doAction(names.index(name)), flush=True)
      """

  /// The same, and again, by the same process with all that it remembers, when it is sent USR1.
  static let viewerTwice =
    show + """

      import signal
      from gi.repository import GLib

      GLib.unix_signal_add(0, signal.SIGUSR1, view)
      view()
      pyatspi.Registry.start()
      """

  private static let show = """
    import pyatspi, sys

    def attributes(accessible):
        return " ".join(f"{name}={value}" for name, value in
                        sorted((accessible.get_attributes() or {}).items()))

    def show(accessible, depth):
        states = {str(state.value_nick) for state in accessible.getState().getStates()}
        words = [accessible.getRoleName(), repr(accessible.name), attributes(accessible)]
        interfaces = pyatspi.listInterfaces(accessible)
        if "Action" in interfaces:
            action = accessible.queryAction()
            words.append("+".join(action.getName(index) for index in range(action.nActions)))
        if "Value" in interfaces:
            words.append(f"{accessible.queryValue().currentValue:g} of 100")
        words += [word for word in ("selected", "sensitive", "showing") if word in states]
        print("  " * depth + " ".join(word for word in words if word), flush=True)
        for index, child in enumerate(accessible):
            assert child.parent == accessible, "the parent of a child is another"
            assert child.getIndexInParent() == index, "the index of a child is another"
            assert child.getApplication().name == "KeyDrag"
            show(child, depth + 1)

    def view():
        show(application, 0)
        print("end", flush=True)
        return True

    application = next(child for child in pyatspi.Registry.getDesktop(0)
                       if child and child.name == "KeyDrag")
    """
}
