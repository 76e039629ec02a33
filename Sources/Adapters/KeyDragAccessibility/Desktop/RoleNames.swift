import CAtspi

/// Role names, by their numbers (`AtspiRole`). Some toolkits, such as GTK 4, return names of their
/// own; the numbers are the same. The names are libatspi's, from before it renamed any.
enum RoleNames {
  static let all = (0..<ATSPI_ROLE_LAST_DEFINED.rawValue).map { number -> String in
    guard let name = atspi_role_get_name(AtspiRole(number)) else { return unknown }
    defer { g_free(name) }
    let told = String(cString: name)
    return former[told] ?? told
  }

  private static let unknown = "unknown"

  /// Names from libatspi 2.54 on, and the former ones, which profiles use.
  private static let former = ["button": "push button", "button menu": "push button menu"]

  static func name(_ number: Int) -> String {
    all.indices.contains(number) ? all[number] : unknown
  }

  private static let numbers = Dictionary(
    zip(all, all.indices), uniquingKeysWith: { first, _ in first })

  /// `nil` for an unknown name.
  static func number(_ name: String) -> Int? { numbers[name] }
}
