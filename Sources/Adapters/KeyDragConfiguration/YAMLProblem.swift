import KeyDragCore
import Yams

/// Translates the YAML parser's errors.
enum YAMLProblem {
  /// The kind and the place of a parser error.
  static func read(
    _ error: any Error, in text: String
  ) -> (ConfigurationProblem.Kind, ConfigurationPlace) {
    guard let error = error as? YamlError else { return (.syntax(.other), .start) }
    switch error {
    case .scanner(_, let words, let mark, _), .parser(_, let words, let mark, _),
      .composer(_, let words, let mark, _):
      return (
        .syntax(.init(parserWords: words)),
        ConfigurationPlace(line: mark.line, column: mark.column)
      )
    case .reader(let words, let offset, _, _):
      return (.syntax(.init(parserWords: words)), place(ofCharacter: offset ?? 0, in: text))
    case .duplicatedKeysInMapping(let names, let context):
      return (
        .repeated(names.first ?? ""),
        ConfigurationPlace(line: context.mark.line, column: context.mark.column)
      )
    case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
      return (.syntax(.other), .start)
    }
  }

  private static func place(ofCharacter offset: Int, in text: String) -> ConfigurationPlace {
    let before = text.prefix(max(0, offset))
    let line = before.count { $0.isNewline } + 1
    let column = before.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
    return ConfigurationPlace(line: line, column: column.unicodeScalars.count + 1)
  }
}
