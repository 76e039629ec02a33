// libatspi, and what its own interface is made of: GLib's objects and main contexts, and D-Bus.
#include <atspi/atspi.h>
#include <dbus/dbus.h>
