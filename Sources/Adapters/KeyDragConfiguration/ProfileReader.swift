import KeyDragCore
import Yams

/// Walks the parsed file of a profile node by node, up to the first mistake: half a profile would
/// lead a person to places that do not exist.
struct ProfileReader {
  /// No program needs more rules.
  static let mostRules = 200
  /// The most names in a list, and the longest name in scalars.
  static let mostNames = 50
  static let longestName = 200

  private typealias Kind = ConfigurationProblem.Kind
  private typealias Reading<Value> = @Sendable (ProfileReader, inout Value, Node) throws -> Void

  private static let settings: [(name: String, read: Reading<ProgramProfile>)] = [
    ("program", { $1.programs = try $0.patterns($2, "program") }),
    ("class", { $1.classes = try $0.patterns($2, "class") }),
    ("toolkit", { $1.toolkits = try $0.patterns($2, "toolkit") }),
    ("generic", { $1.usesGenericRules = try $0.flag($2, "generic") }),
    ("copy", { $1.commands[.copy] = try $0.patterns($2, "copy") }),
    ("paste", { $1.commands[.paste] = try $0.patterns($2, "paste") }),
    ("undo", { $1.commands[.undo] = try $0.patterns($2, "undo") }),
    ("title-until", { $1.titleEnd = try $0.text($2, "title-until") }),
    ("rules", { $1.rules = try $0.rules($2) }),
  ]

  private static let ruleSettings: [(name: String, read: Reading<ElementRule>)] = [
    ("role", { $1.condition.roles = Set(try $0.names($2, "role")) }),
    ("called", { $1.condition.names = try $0.patterns($2, "called") }),
    ("together", { $1.condition.sets = try $0.sets($2) }),
    ("attribute", { $1.condition.attributes = try $0.attributes($2) }),
    ("state", { $1.condition.states = try $0.states($2) }),
    ("inside", { $1.condition.inside = Set(try $0.names($2, "inside")) }),
    ("outside", { $1.condition.outside = Set(try $0.names($2, "outside")) }),
    ("drop", { $1.traits.isDropPoint = try $0.flag($2, "drop") }),
    ("view", { $1.traits.isView = try $0.flag($2, "view") }),
    ("drag", { $1.traits.source = try $0.choice($2, "drag", ProfileReader.kinds) }),
    ("name", { $1.name = try $0.nameSource($2) }),
    ("word", { $1.word = try $0.word($2, "word") }),
    ("accepts", { $1.traits.accepts = try $0.names($2, "accepts") }),
    (
      "operation",
      { $1.traits.operation = try $0.choice($2, "operation", [.copy, .move, .link, .open]) }
    ),
    ("route", { $1.traits.route = try $0.choice($2, "route", [.xdnd, .menu, .pointer]) }),
    ("details-key", { $1.traits.detailsKey = try $0.stroke($2, "details-key") }),
    ("one-operation", { $1.traits.allowsOnlyDefaultOperation = try $0.flag($2, "one-operation") }),
    (
      "leads-to",
      { $1.traits.destination = try $0.choice($2, "leads-to", PlaceDestination.allCases) }
    ),
    ("may-accept", { $1.traits.acceptsEverything = try $0.flag($2, "may-accept") }),
    ("scrolls-by-pointer", { $1.traits.scrollsByPointer = try $0.flag($2, "scrolls-by-pointer") }),
    ("positions", { $1.traits.positions = try $0.positions($2) }),
    ("parts", { $1.parts = try $0.parts($2) }),
    ("each-cell", { $1.isForEachCell = try $0.flag($2, "each-cell") }),
  ]

  /// `unknown` is for programs' own declarations, not for profiles.
  private static let kinds: [SourceKind] = [.files, .text, .image, .link]
  private static let stateNames: [(name: String, state: ElementStates)] = [
    ("showing", .showing), ("visible", .visible), ("enabled", .enabled), ("editable", .editable),
    ("focused", .focused), ("selected", .selected), ("expandable", .expandable),
    ("expanded", .expanded), ("focusable", .focusable), ("multi-line", .multiLine),
    ("manages-descendants", .managesDescendants),
  ]
  private static let positionNames: [(name: String, position: DropPositions)] = [
    ("before", .before), ("on", .on), ("after", .after),
  ]

  private let file: String

  /// - Parameter file: the name in problems.
  static func read(
    _ text: String, name: String, file: String
  ) throws(ConfigurationProblem) -> ProgramProfile {
    let reader = ProfileReader(file: file)
    if let place = AnchorScan.firstPlace(in: text) { throw reader.problem(.anchor, at: place) }
    let root: Node?
    do {
      root = try Parser(yaml: text, resolver: .basic, encoding: .utf8).singleRoot()
    } catch {
      let (kind, place) = YAMLProblem.read(error, in: text)
      throw reader.problem(kind, at: place)
    }
    do {
      return try reader.profile(root, name: name)
    } catch {
      // Nothing else is thrown.
      throw error as? ConfigurationProblem
        ?? reader.problem(.notSettings, at: ConfigurationPlace(line: 1, column: 1))
    }
  }

  private func profile(
    _ root: Node?, name: String
  ) throws -> ProgramProfile {
    guard let root, root.mapping != nil else {
      let place = root.map(YAMLProblem.place) ?? ConfigurationPlace(line: 1, column: 1)
      throw problem(.notSettings, at: place)
    }
    var profile = ProgramProfile(name: name)
    try fill(&profile, from: root, Self.settings)
    guard !profile.programs.isEmpty || !profile.classes.isEmpty || !profile.toolkits.isEmpty else {
      throw wrong("program", .names, at: YAMLProblem.place(of: root))
    }
    return profile
  }

  private func rules(_ node: Node) throws -> [ElementRule] {
    guard let nodes = node.sequence, nodes.count <= Self.mostRules else {
      throw wrong("rules", .rules(Self.mostRules), node)
    }
    var result: [ElementRule] = []
    for node in nodes {
      guard node.mapping != nil else { throw wrong("rules", .rules(Self.mostRules), node) }
      var rule = ElementRule(ElementRule.Condition(), traits: PlaceTraits())
      try fill(&rule, from: node, Self.ruleSettings)
      guard !rule.condition.isEmpty else {
        throw wrong("role", .names, at: YAMLProblem.place(of: node))
      }
      result.append(rule)
    }
    return result
  }

  /// Reads every setting of a mapping; an unknown one is an error.
  private func fill<Value>(
    _ value: inout Value, from node: Node, _ settings: [(name: String, read: Reading<Value>)]
  ) throws {
    guard let mapping = node.mapping else { return }
    for (key, node) in mapping {
      guard let name = key.scalar?.string else {
        throw problem(.notSettings, at: YAMLProblem.place(of: key))
      }
      guard let setting = settings.first(where: { $0.name == name }) else {
        let nearest = Suggestions.name(to: name, among: settings.map(\.name))
        throw problem(.unknown(name, nearest: nearest), at: YAMLProblem.place(of: key))
      }
      try setting.read(self, &value, node)
    }
  }

  // MARK: Values

  private func text(_ node: Node, _ name: String) throws -> String {
    guard let text = node.scalar?.string, !text.isEmpty,
      text.unicodeScalars.count <= Self.longestName
    else { throw wrong(name, .names, node) }
    return text
  }

  /// One name or a list of them.
  private func names(_ node: Node, _ name: String) throws -> [String] {
    guard let nodes = node.sequence else { return [try text(node, name)] }
    guard !nodes.isEmpty, nodes.count <= Self.mostNames else { throw wrong(name, .names, node) }
    var result: [String] = []
    for node in nodes { result.append(try text(node, name)) }
    return result
  }

  private func patterns(
    _ node: Node, _ name: String
  ) throws -> [NamePattern] {
    try names(node, name).map { NamePattern($0) }
  }

  /// Sets of at least two names.
  private func sets(_ node: Node) throws -> [[NamePattern]] {
    guard let nodes = node.sequence, (1...Self.mostNames).contains(nodes.count) else {
      throw wrong("together", .names, node)
    }
    var result: [[NamePattern]] = []
    for node in nodes {
      let set = try patterns(node, "together")
      guard set.count > 1 else { throw wrong("together", .names, node) }
      result.append(set)
    }
    return result
  }

  private func flag(_ node: Node, _ name: String) throws -> Bool {
    switch node.scalar?.string.lowercased() {
    case "true", "yes", "on": return true
    case "false", "no", "off": return false
    default: throw wrong(name, .oneOf(["true", "false"]), node)
    }
  }

  private func stroke(_ node: Node, _ name: String) throws -> KeyStroke {
    guard let stroke = KeyStroke(name: node.scalar?.string ?? "") else {
      throw wrong(name, .strokes, node)
    }
    return stroke
  }

  private func choice<Choice: RawRepresentable>(
    _ node: Node, _ name: String, _ choices: [Choice]
  ) throws -> Choice where Choice.RawValue == String {
    guard let text = node.scalar?.string,
      let choice = choices.first(where: { $0.rawValue == text })
    else { throw wrong(name, .oneOf(choices.map(\.rawValue)), node) }
    return choice
  }

  private func attributes(
    _ node: Node
  ) throws -> [String: NamePattern] {
    guard let mapping = node.mapping, (1...Self.mostNames).contains(mapping.count) else {
      throw wrong("attribute", .attributes, node)
    }
    var result: [String: NamePattern] = [:]
    for (key, value) in mapping {
      guard let name = key.scalar?.string else { throw wrong("attribute", .attributes, key) }
      result[name] = NamePattern(try text(value, name))
    }
    return result
  }

  private func states(_ node: Node) throws -> ElementStates {
    var result: ElementStates = []
    for name in try names(node, "state") {
      guard let known = Self.stateNames.first(where: { $0.name == name }) else {
        throw wrong("state", .oneOf(Self.stateNames.map(\.name)), node)
      }
      result.insert(known.state)
    }
    return result
  }

  private func positions(_ node: Node) throws -> DropPositions {
    var result: DropPositions = []
    for name in try names(node, "positions") {
      guard let known = Self.positionNames.first(where: { $0.name == name }) else {
        throw wrong("positions", .oneOf(Self.positionNames.map(\.name)), node)
      }
      result.insert(known.position)
    }
    return result
  }

  private func nameSource(
    _ node: Node
  ) throws -> ElementRule.NameSource {
    switch try text(node, "name") {
    case "name": .name
    case "label": .label
    case "title": .title
    case let template: .template(template)
    }
  }

  /// A word that is translated, or the person's own.
  private func word(_ node: Node, _ name: String) throws -> ElementRule.Word {
    let text = try text(node, name)
    return PlaceRole(rawValue: text).map { .role($0) } ?? .text(text)
  }

  private func parts(_ node: Node) throws -> [ElementRule.Part] {
    guard let mapping = node.mapping, (1...Self.mostNames).contains(mapping.count) else {
      throw wrong("parts", .parts, node)
    }
    var result: [ElementRule.Part] = []
    for (key, value) in mapping {
      let numbers = value.sequence?.compactMap { Double($0.scalar?.string ?? "") } ?? []
      guard numbers.count == 4, value.sequence?.count == 4,
        numbers.allSatisfy({ (0...1).contains($0) }), numbers[0] < numbers[2],
        numbers[1] < numbers[3]
      else { throw wrong("parts", .parts, value) }
      result.append(
        ElementRule.Part(
          word: try word(key, "parts"), left: numbers[0], top: numbers[1], right: numbers[2],
          bottom: numbers[3]))
    }
    return result
  }

  // MARK: Problems

  private func wrong(
    _ name: String, _ expected: ConfigurationProblem.Expectation, _ node: Node
  ) -> ConfigurationProblem {
    problem(
      .wrong(name, expected: expected, found: YAMLProblem.found(node)),
      at: YAMLProblem.place(of: node))
  }

  /// A required value is missing.
  private func wrong(
    _ name: String, _ expected: ConfigurationProblem.Expectation, at place: ConfigurationPlace
  ) -> ConfigurationProblem {
    problem(.wrong(name, expected: expected, found: .nothing), at: place)
  }

  private func problem(_ kind: Kind, at place: ConfigurationPlace) -> ConfigurationProblem {
    ConfigurationProblem(file: file, place: place, kind: kind, subject: .profile)
  }
}
