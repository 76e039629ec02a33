import CTerminalRestore
import Glibc

/// Facts about a terminal that can be found out without taking it over.
package enum TerminalProbe {
  /// Its size in cells; 80 × 24 where it does not know.
  package static func size(_ descriptor: Int32) -> ScreenSize {
    var columns: CInt = 0
    var rows: CInt = 0
    guard ctr_size(descriptor, &columns, &rows) else { return ScreenSize(columns: 80, rows: 24) }
    return ScreenSize(columns: Int(columns), rows: Int(rows))
  }

  /// The character encoding of the person's locale ("UTF-8"); of the C locale where the person's is
  /// not installed.
  ///
  /// Empty where the C library tells none. The process's own locale is left alone.
  package static func encoding() -> String {
    guard let locale = newlocale(1 << LC_CTYPE, "", nil) else { return "ANSI_X3.4-1968" }
    defer { freelocale(locale) }
    return nl_langinfo_l(nl_item(CODESET), locale).map { String(cString: $0) } ?? ""
  }
}
