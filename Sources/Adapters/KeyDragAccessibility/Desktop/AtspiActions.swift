import CAtspi
import Glibc
import KeyDragBus
import KeyDragCore

/// Actions through libatspi: each blocks for its program's answer, so that they have a thread of
/// their own, one for the whole process, since the library is not thread-safe.
///
/// A library object exists during an action only, and uses our own connection: the library would
/// look an object up by requesting its program's whole cache (`Cache.GetItems`), and its own
/// connection receives every change of every program.
actor AtspiActions {
  enum Action: Sendable {
    /// `Action.DoAction`, by its index.
    case perform(Int)
    /// `Component.GrabFocus`: focus within the window.
    case takeFocus
    /// `Component.ScrollTo`, to anywhere in the view.
    case scrollIntoView
    /// `Selection.ClearSelection`, which closes the open menu of a menu bar.
    case clearSelection
  }

  static let shared = AtspiActions()

  private let thread = BusThread()
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private var connection: OpaquePointer?
  private var address = ""
  private var isReady = false

  /// In milliseconds; a slower program counts as not responding, though it may still carry the
  /// action out.
  private static let patience: Int32 = 1_000

  private init() {}

  /// `false` when the program says so, or answers with an error.
  ///
  /// - Throws: ``Reason/notResponding``, ``Reason/noAccessibility``.
  func act(_ action: Action, on element: ElementID, at address: String) throws(Reason) -> Bool {
    guard let connection = connect(to: address), prepare(address) else { throw .noAccessibility }
    guard dbus_validate_path(element.path, nil) != 0,
      let app = g_object_new_with_properties(atspi_application_get_type(), 0, nil, nil),
      let object = g_object_new_with_properties(atspi_accessible_get_type(), 0, nil, nil)
    else { return false }
    let began = ContinuousClock.now
    var error: UnsafeMutablePointer<GError>?
    let isDone = app.withMemoryRebound(to: AtspiApplication.self, capacity: 1) { app in
      app.pointee.bus_name = g_strdup(element.program)
      app.pointee.bus = connection
      // Finalising the application object would close its connection, which is ours.
      defer { app.pointee.bus = nil }
      return object.withMemoryRebound(to: AtspiAccessible.self, capacity: 1) { accessible in
        accessible.pointee.parent.app = app
        accessible.pointee.parent.path = g_strdup(element.path)
        return action.carryOut(on: accessible, &error) != 0
      }
    }
    // Releases the application as well, which the object owns.
    g_object_unref(object)
    let isLate = began.duration(to: .now) >= .milliseconds(Int(Self.patience))
    if let error {
      g_error_free(error)
      guard dbus_connection_get_is_connected(connection) != 0 else { throw .noAccessibility }
      if isLate { throw .notResponding }
      return false
    }
    return isDone
  }

  /// Initialises the library, which otherwise logs "GLib-CRITICAL" on each call. That opens a bus
  /// connection, closed at once, before anything that it listens to has arrived.
  private func prepare(_ address: String) -> Bool {
    guard !isReady else { return true }
    // Otherwise the library asks the display for the address, then the session bus. Empty is as
    // good as unset; unsetting would move memory that other threads may be reading.
    let before = getenv("AT_SPI_BUS_ADDRESS").map { String(cString: $0) } ?? ""
    setenv("AT_SPI_BUS_ADDRESS", address, 1)
    defer { setenv("AT_SPI_BUS_ADDRESS", before, 1) }
    // 2 means no bus; the library would not try again by itself.
    guard atspi_init() != 2 else {
      atspi_exit()
      return false
    }
    if let bus = atspi_get_a11y_bus() { dbus_connection_close(bus) }
    // No longer timeout for programs that have just started: they have answered before.
    atspi_set_timeout(Self.patience, 0)
    isReady = true
    return true
  }

  private func connect(to address: String) -> OpaquePointer? {
    if let connection {
      if address == self.address, dbus_connection_get_is_connected(connection) != 0 {
        return connection
      }
      dbus_connection_close(connection)
      dbus_connection_unref(connection)
    }
    self.address = address
    connection = dbus_connection_open_private(address, nil)
    guard let connection else { return nil }
    // The process must survive the bus.
    dbus_connection_set_exit_on_disconnect(connection, 0)
    if dbus_bus_register(connection, nil) != 0 { return connection }
    dbus_connection_close(connection)
    dbus_connection_unref(connection)
    self.connection = nil
    return nil
  }
}

extension AtspiActions.Action {
  fileprivate func carryOut(
    on object: UnsafeMutableRawPointer, _ error: inout UnsafeMutablePointer<GError>?
  ) -> gboolean {
    switch self {
    case .perform(let index):
      atspi_action_do_action(
        object.assumingMemoryBound(to: AtspiAction.self), gint(clamping: index), &error)
    case .takeFocus:
      atspi_component_grab_focus(object.assumingMemoryBound(to: AtspiComponent.self), &error)
    case .scrollIntoView:
      atspi_component_scroll_to(
        object.assumingMemoryBound(to: AtspiComponent.self), ATSPI_SCROLL_ANYWHERE, &error)
    case .clearSelection:
      atspi_selection_clear_selection(
        object.assumingMemoryBound(to: AtspiSelection.self), &error)
    }
  }
}
