import CTerminalRestore
import Glibc

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
}
