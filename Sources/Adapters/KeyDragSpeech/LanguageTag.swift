/// The parts of a language's name that speech looks at.
enum LanguageTag {
  /// "pt" of "pt-BR", "pt_BR.UTF-8" and "PT".
  static func base(_ tag: String) -> String {
    String(tag.prefix { $0 != "-" && $0 != "_" && $0 != "." && $0 != "@" }).lowercased()
  }
}
