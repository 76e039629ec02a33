import KeyDragCore

/// A program's window as the X server itself knows it: there also for a program that does not answer.
package struct DesktopWindow: Hashable, Sendable {
  package var window: XWindow
  /// The title, safe to speak; empty when it has none.
  package var title: String
  /// The class of its program (WM_CLASS), such as "Thunar"; empty when it has none.
  package var className: String
  /// The program's process, where it says so (_NET_WM_PID); programs may say anything.
  package var processID: Int32?
  package var rectangle: RootRectangle
  /// Whether it is on the screen now, though perhaps covered.
  package var isMapped: Bool
}

/// The windows of all programs on a display.
///
/// Belongs to one thread: each call waits for the server.
package final class DesktopWindows {
  private let server: XServer
  private let clientList, state, name, title, className, processID: XAtom

  /// More windows than this are not looked at.
  private static let most: UInt32 = 1_024

  /// - Parameter display: `nil` for the one that DISPLAY names.
  package init(display: String? = nil) throws(XError) {
    server = try XServer(display: display)
    let atoms = server.atoms([
      "_NET_CLIENT_LIST", "WM_STATE", "WM_NAME", "_NET_WM_NAME", "WM_CLASS", "_NET_WM_PID",
    ])
    (clientList, state, name) = (atoms[0], atoms[1], atoms[2])
    (title, className, processID) = (atoms[3], atoms[4], atoms[5])
  }

  /// Every window that a window manager would show, oldest first.
  ///
  /// - Throws: ``XError/connectionLost``.
  package func all() throws(XError) -> [DesktopWindow] {
    let windows = clients()
    let shapes = server.shapes(of: windows)
    let found = zip(windows, shapes).compactMap { window, shape -> DesktopWindow? in
      guard let shape, let rectangle = server.rectangle(of: window) else { return nil }
      return DesktopWindow(
        window: window, title: text(of: window),
        className: className(of: window), processID: process(of: window), rectangle: rectangle,
        isMapped: shape.isMapped)
    }
    if server.isLost { throw .connectionLost }
    return found
  }

  /// What the window manager lists; without one, the windows at the top that have a name.
  private func clients() -> [XWindow] {
    let listed = server.words(clientList, of: server.root, most: DesktopWindows.most)
    if !listed.isEmpty { return listed.map(XWindow.init(rawValue:)) }
    return server.children(of: server.root).prefix(Int(DesktopWindows.most)).compactMap { window in
      if hasName(window) { return window }
      // A window manager that lists nothing puts each client into a frame of its own.
      return server.children(of: window).prefix(8).first {
        !server.words(state, of: $0, most: 1).isEmpty
      }
    }.filter { window in
      // Helper windows of toolkits have a name, and are never shown.
      server.shapes(of: [window]).first.flatMap { $0 }?.isMapped == true
        || !server.words(state, of: window, most: 1).isEmpty
    }
  }

  private func hasName(_ window: XWindow) -> Bool {
    server.text(className, of: window) != nil || server.text(name, of: window) != nil
  }

  private func text(of window: XWindow) -> String {
    SpokenName.clean(server.text(title, of: window) ?? server.text(name, of: window) ?? [])
  }

  /// The second of the two strings, which names the program (ICCCM section 4.1.2.5).
  private func className(of window: XWindow) -> String {
    let parts = (server.text(className, of: window) ?? [])
      .split(separator: 0, omittingEmptySubsequences: false)
    return SpokenName.clean(Array(parts.count > 1 ? parts[1] : parts.first ?? []))
  }

  private func process(of window: XWindow) -> Int32? {
    guard let number = server.words(processID, of: window, most: 1).first else { return nil }
    return number > 1 ? Int32(exactly: number) : nil
  }
}
