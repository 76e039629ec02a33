import CAtspi

/// The names of roles, by their numbers (`AtspiRole`).
///
/// Toolkits give names of their own when asked for them, GTK 4 for one; the numbers are the same. The
/// names are libatspi's, where they have not changed since.
enum RoleNames {
  /// In the order of their numbers.
  static let all = (0..<ATSPI_ROLE_LAST_DEFINED.rawValue).map { number -> String in
    guard let name = atspi_role_get_name(AtspiRole(number)) else { return unknown }
    defer { g_free(name) }
    let told = String(cString: name)
    return former[told] ?? told
  }

  private static let unknown = "unknown"

  /// Names that libatspi gives from 2.54 on, and those from before: profiles name roles.
  private static let former = ["button": "push button", "button menu": "push button menu"]

  static func name(_ number: Int) -> String {
    all.indices.contains(number) ? all[number] : unknown
  }

  private static let numbers = Dictionary(
    zip(all, all.indices), uniquingKeysWith: { first, _ in first })

  /// `nil` for a name that is none.
  static func number(_ name: String) -> Int? { numbers[name] }
}
