/// The ways in which a screen reader can be given a message, best first.
package enum ReaderRoute: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Orca's own service presents it (Orca 49 and later).
  case orca
  /// The accessibility bus announces it (Orca 45.2 and later, and other readers).
  case atspi
  /// A notification of a status bar shows it (Orca 43 and 44).
  case notification

  package static func < (lhs: ReaderRoute, rhs: ReaderRoute) -> Bool {
    allCases.firstIndex(of: lhs) ?? 0 < allCases.firstIndex(of: rhs) ?? 0
  }
}
