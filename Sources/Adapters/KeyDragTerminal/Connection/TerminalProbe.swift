import CTerminalRestore
import Glibc
import KeyDragThreads

/// Facts about a terminal that need no control of it.
package enum TerminalProbe {
  /// The size in cells; 80 × 24 if it does not know.
  package static func size(_ descriptor: Int32) -> ScreenSize {
    var columns: CInt = 0
    var rows: CInt = 0
    guard ctr_size(descriptor, &columns, &rows) else { return ScreenSize(columns: 80, rows: 24) }
    return ScreenSize(columns: Int(columns), rows: Int(rows))
  }

  /// The character encoding of the person's locale ("UTF-8"), or of the C locale if that is not
  /// installed; empty if unknown. Leaves the process's own locale alone.
  package static func encoding() -> String {
    guard let locale = newlocale(1 << LC_CTYPE, "", nil) else { return "ANSI_X3.4-1968" }
    defer { freelocale(locale) }
    return nl_langinfo_l(nl_item(CODESET), locale).map { String(cString: $0) } ?? ""
  }

  /// Whether a program whose terminal is VTE for GTK 3 has started this one, with nothing in between that
  /// is a terminal itself, as a multiplexer or a login on another machine.
  static func isInVTE() -> Bool {
    var process = getppid()
    while process > 1 {
      guard let maps = SystemFiles.text("/proc/\(process)/maps", most: 1 << 22),
        let status = SystemFiles.text("/proc/\(process)/stat", most: 4096)
      else {
        return false
      }
      if maps.contains("/libvte-2.91.so") { return true }
      // The name in parentheses may hold anything; the fourth field is the parent (proc(5)).
      let fields = status[(status.lastIndex(of: ")") ?? status.startIndex)...].split(separator: " ")
      process = fields.count > 2 ? Int32(fields[2]) ?? 0 : 0
    }
    return false
  }
}
