import CGIO
import Glibc
import KeyDragCore

/// Default applications, from mimeapps.list and the .desktop files. Every call may block on disk
/// I/O.
package struct SystemPrograms: Sendable {
  package init() {}

  /// The default application for a type; `nil` if there is none, if it needs a terminal (ours is in
  /// use), or without a display.
  package func defaultProgram(for type: String) -> (id: String, name: String)? {
    guard Self.hasDisplay(), let info = g_app_info_get_default_for_type(type, 0) else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(info)) }
    guard g_desktop_app_info_get_boolean(info, "Terminal") == 0,
      let id = g_app_info_get_id(info), let name = g_app_info_get_display_name(info)
    else { return nil }
    return (String(cString: id), SpokenName.clean(String(cString: name)))
  }

  /// Launches a program in a session of its own, without a terminal. Paths are absolute, as raw
  /// bytes. Returns the reason if it can't be launched.
  package func start(_ program: String, with paths: [[UInt8]]) -> Reason? {
    guard let info = g_desktop_app_info_new(program) else { return .noProgram }
    defer { g_object_unref(UnsafeMutableRawPointer(info)) }
    let line = g_app_info_get_commandline(info).map { String(cString: $0) } ?? ""
    guard paths.count <= Self.mostStarts || ExecLine.takesSeveral(line) else { return .tooMany }
    guard let uris = FileURIs(paths) else { return .programFailed }
    return launch(info, uris)
  }

  private func launch(_ info: OpaquePointer, _ uris: FileURIs) -> Reason? {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0 else { return .programFailed }
    defer { close(null) }
    var error: UnsafeMutablePointer<GError>?
    // GLib reaps the child.
    let started = g_desktop_app_info_launch_uris_as_manager_with_fds(
      info, uris.list, nil, G_SPAWN_SEARCH_PATH, keydrag_leave_terminal, nil, nil, nil, null, null,
      null, &error)
    if let error { g_error_free(error) }
    return started != 0 ? nil : .programFailed
  }

  private static func hasDisplay() -> Bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].contains { (name: String) in
      getenv(name).map { $0.pointee != 0 } ?? false
    }
  }

  /// Limit on windows per drop if the program starts once per file.
  private static let mostStarts = 20
}

/// The Exec line of a .desktop file.
enum ExecLine {
  /// Whether one process takes all files (`%F`, `%U`) instead of one each.
  static func takesSeveral(_ line: String) -> Bool {
    var isCode = false
    for character in line.utf8 {
      if isCode, character == UInt8(ascii: "F") || character == UInt8(ascii: "U") { return true }
      isCode = !isCode && character == UInt8(ascii: "%")
    }
    return false
  }
}

/// A GList of URIs; owns its elements.
private final class FileURIs {
  private(set) var list: UnsafeMutablePointer<GList>?
  private var strings: [UnsafeMutablePointer<CChar>] = []

  /// `nil` if a path is not absolute.
  init?(_ paths: [[UInt8]]) {
    for path in paths.reversed() {
      let terminated = path.map { CChar(bitPattern: $0) } + [0]
      guard let uri = g_filename_to_uri(terminated, nil, nil) else { return nil }
      strings.append(uri)
      list = g_list_prepend(list, uri)
    }
  }

  deinit {
    g_list_free(list)
    for string in strings { g_free(string) }
  }
}
