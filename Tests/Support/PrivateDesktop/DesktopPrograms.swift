/// Programs of a desktop that several kinds of tests need, in the language of Orca, which is there
/// with it.
public enum DesktopPrograms {
  /// A reader of announcements: says that it is ready, then writes politeness and words of each.
  public static let listener = [
    "/usr/bin/python3", "-c",
    """
    import pyatspi

    def heard(event):
        print(event.detail1, event.any_data, flush=True)

    pyatspi.Registry.registerEventListener(heard, "object:announcement")
    print("ready", flush=True)
    pyatspi.Registry.start()
    """,
  ]

  /// The same without a library for accessibility, which takes its time for each event: what comes
  /// over the bus and nothing else. With "slow" behind it takes a second for each.
  public static let plainListener = [
    "/usr/bin/python3", "-c",
    """
    import sys, time
    from gi.repository import Gio, GLib

    def call(connection, name, path, interface, method, arguments):
        return connection.call_sync(name, path, interface, method, arguments, None, 0, -1, None)

    def heard(connection, sender, path, interface, name, arguments):
        arguments = arguments.unpack()
        for _ in range(50 if sys.argv[1:] == ["slow"] else 0):
            time.sleep(0.02)
        print(arguments[1], arguments[3], flush=True)

    session = Gio.bus_get_sync(Gio.BusType.SESSION)
    address = call(session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None)
    flags = (Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT
             | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION)
    bus = Gio.DBusConnection.new_for_address_sync(address.unpack()[0], flags, None, None)
    bus.signal_subscribe(None, "org.a11y.atspi.Event.Object", "Announcement", None, None, 0, heard)
    registry = "org.a11y.atspi.Registry"
    call(bus, registry, "/org/a11y/atspi/registry", registry, "RegisterEvent",
         GLib.Variant("(sass)", ("Object:Announcement:", [], "")))
    print("ready", flush=True)
    GLib.MainLoop().run()
    """,
  ]
}
