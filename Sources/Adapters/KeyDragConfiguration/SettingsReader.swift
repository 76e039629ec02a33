import KeyDragCore
import Yams

/// Walks a parsed file of settings node by node, so that every problem has its place.
///
/// In the person's settings a mistake costs one setting. A profile ends at the first one: half a
/// profile would lead a person to places that do not exist.
final class SettingsReader {
  typealias Reading<Value> = @Sendable (SettingsReader, inout Value, Node) throws -> Void
  /// The settings of a mapping, and how each is read.
  typealias Table<Value> = [(name: String, read: Reading<Value>)]

  /// Further problems are not reported.
  private static let mostProblems = 20

  private let file: String
  private let subject: ConfigurationProblem.Subject
  private(set) var problems: [ConfigurationProblem] = []

  /// - Parameter file: the name in problems.
  init(file: String, subject: ConfigurationProblem.Subject) {
    self.file = file
    self.subject = subject
  }

  /// The parsed file; `nil` for an empty one.
  func root(of bytes: [UInt8]) throws(ConfigurationProblem) -> Node? {
    var content = bytes[...]
    // A byte order mark.
    if content.starts(with: [0xEF, 0xBB, 0xBF]) { content = content.dropFirst(3) }
    guard let text = String(validating: content, as: UTF8.self) else {
      throw problem(.notUTF8, at: Self.firstInvalidPlace(content))
    }
    if let place = AnchorScan.firstPlace(in: text) { throw problem(.anchor, at: place) }
    do {
      // The basic resolver leaves words as text: each setting decides on their meaning ("no" is a
      // language as well as an answer).
      return try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot()
    } catch {
      let (kind, place) = YAMLProblem.read(error, in: text)
      throw problem(kind, at: place)
    }
  }

  private static func firstInvalidPlace(_ bytes: ArraySlice<UInt8>) -> ConfigurationPlace {
    var place = ConfigurationPlace.start
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      if scalar == "\n" {
        place = ConfigurationPlace(line: place.line + 1, column: 1)
      } else {
        place.column += 1
      }
    }
    return place
  }

  /// Reads every setting of a mapping; an unknown one is a problem.
  func fill<Value>(
    _ value: inout Value, from node: Node, _ settings: Table<Value>
  ) throws(ConfigurationProblem) {
    guard let mapping = node.mapping else { throw problem(.notSettings, at: node.place) }
    for (key, node) in mapping {
      try attempt { () throws(ConfigurationProblem) in
        guard let name = key.scalar?.string else { throw problem(.notSettings, at: key.place) }
        guard let setting = settings.first(where: { $0.name == name }) else {
          let nearest = Suggestions.name(to: name, among: settings.map(\.name))
          throw problem(.unknown(name, nearest: nearest), at: key.place)
        }
        do { try setting.read(self, &value, node) } catch {
          // Nothing else is thrown.
          throw error as? ConfigurationProblem ?? problem(.notSettings, at: node.place)
        }
      }
    }
  }

  /// Reads one part; what is wrong in the person's settings leaves the others alone.
  func attempt(
    _ body: () throws(ConfigurationProblem) -> Void
  ) throws(ConfigurationProblem) {
    do { try body() } catch {
      guard subject == .settings else { throw error }
      note(error)
    }
  }

  func note(_ problem: ConfigurationProblem) {
    guard problems.count <= Self.mostProblems else { return }
    var problem = problem
    if problems.count == Self.mostProblems { problem.kind = .more }
    problems.append(problem)
  }

  // MARK: Values

  func choice<Choice: RawRepresentable>(
    _ node: Node, _ name: String, _ choices: [Choice]
  ) throws(ConfigurationProblem) -> Choice where Choice.RawValue == String {
    guard let text = node.scalar?.string,
      let choice = choices.first(where: { $0.rawValue == text })
    else { throw wrong(name, .oneOf(choices.map(\.rawValue)), node) }
    return choice
  }

  func flag(_ node: Node, _ name: String) throws(ConfigurationProblem) -> Bool {
    switch node.scalar?.string.lowercased() {
    case "true", "yes", "on": return true
    case "false", "no", "off": return false
    default: throw wrong(name, .oneOf(["true", "false"]), node)
    }
  }

  // MARK: Problems

  func wrong(
    _ name: String, _ expected: ConfigurationProblem.Expectation, _ node: Node
  ) -> ConfigurationProblem {
    problem(.wrong(name, expected: expected, found: node.found), at: node.place)
  }

  func problem(
    _ kind: ConfigurationProblem.Kind, at place: ConfigurationPlace
  ) -> ConfigurationProblem {
    ConfigurationProblem(file: file, place: place, kind: kind, subject: subject)
  }
}

extension ConfigurationPlace {
  static let start = ConfigurationPlace(line: 1, column: 1)
}

extension Node {
  var place: ConfigurationPlace {
    ConfigurationPlace(line: mark?.line ?? 1, column: mark?.column ?? 1)
  }

  /// Whether it has no value.
  var isEmpty: Bool {
    guard let scalar, scalar.style == .plain else { return false }
    return ["", "~", "null"].contains(scalar.string)
  }

  fileprivate var found: ConfigurationProblem.Found {
    if isEmpty { return .nothing }
    if let scalar { return .text(scalar.string) }
    return mapping == nil ? .list : .settings
  }
}
