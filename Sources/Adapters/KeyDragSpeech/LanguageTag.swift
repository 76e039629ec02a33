/// Parses language names, as far as speech needs them.
enum LanguageTag {
  /// "pt" of "pt-BR", "pt_BR.UTF-8" and "PT".
  static func base(_ tag: String) -> String {
    String(tag.prefix { $0 != "-" && $0 != "_" && $0 != "." && $0 != "@" }).lowercased()
  }
}
