/// The routes for a message to a screen reader, best first.
package enum ReaderRoute: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Presented by Orca's own service (Orca 49 and later).
  case orca
  /// Announced on the accessibility bus (Orca 45.2 and later, and other readers).
  case atspi
  /// Shown as a notification of a status bar (Orca 43 and 44).
  case notification

  package static func < (lhs: ReaderRoute, rhs: ReaderRoute) -> Bool {
    allCases.firstIndex(of: lhs) ?? 0 < allCases.firstIndex(of: rhs) ?? 0
  }
}
