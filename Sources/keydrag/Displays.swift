import KeyDragCore
import KeyDragWayland
import KeyDragX11

/// The display servers of a session; only this part of the program knows of what kind they are.
enum Displays {
  /// Whether the session names a display that can be tried.
  static func areNamed(_ environment: [String: String]) -> Bool { name(environment) != nil }

  private static func name(_ environment: [String: String]) -> String? {
    environment["DISPLAY"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Connects to each display that the session names. Blocks for it.
  ///
  /// - Parameter patience: the timeout for a silent display; `nil` for the default.
  /// - Throws: why none can be reached.
  static func connect(
    _ environment: [String: String], within patience: Duration? = nil
  ) throws(Reason) -> [any Display] {
    // Without a name the library would try the machine's first display, whoever owns it.
    guard let name = name(environment) else { throw .noDisplay }
    return [try XDisplay(name, within: patience, holder: holder)]
  }

  /// The terminal that this runs in; `nil` if unknown.
  static func ownWindow(_ environment: [String: String]) -> WindowID? {
    environment["WINDOWID"].flatMap { UInt32($0) }
      .map { WindowID($0, on: environment["DISPLAY"] ?? "") }
  }

  /// The clipboard that a person copies into and pastes from, connected on first use; `nil` where
  /// none is known to be that one.
  ///
  /// A Wayland session may join the X server's to its own only while an X11 window has the
  /// keyboard. The terminal has to be such a window then, as `WINDOWID` tells.
  ///
  /// - Parameter session: evaluated only where it decides.
  static func clipboard(
    _ environment: [String: String], _ session: @autoclosure () -> WaylandSession?
  ) -> (any ClipboardAccess)? {
    guard let name = name(environment),
      environment["WINDOWID"]?.isEmpty == false || session()?.joinsClipboards ?? true
    else { return nil }
    return XDisplay.clipboard(name, holder: holder)
  }

  /// This program, whatever its name, and even if it was replaced on the disk.
  private static let holder = "/proc/self/exe"

  /// Holds the clipboard of another run, if started by it for that, and blocks meanwhile; `nil` if
  /// not.
  ///
  /// - Returns: whether the clipboard could be taken.
  static func holdClipboard(_ arguments: [String]) -> Bool? {
    arguments.dropFirst().elementsEqual([ClipboardHolder.argument]) ? ClipboardHolder.run() : nil
  }
}
