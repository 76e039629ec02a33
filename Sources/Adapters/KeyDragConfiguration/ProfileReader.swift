import KeyDragCore
import Yams

/// Reads the file of a profile.
enum ProfileReader {
  /// No program needs more rules.
  static let mostRules = 200
  /// The most names in a list, and the longest name in scalars.
  static let mostNames = 50
  static let longestName = 200

  private static let settings: SettingsReader.Table<ProgramProfile> = [
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

  fileprivate static let ruleSettings: SettingsReader.Table<ElementRule> = [
    ("role", { $1.condition.roles = Set(try $0.names($2, "role")) }),
    ("called", { $1.condition.names = try $0.patterns($2, "called") }),
    ("together", { $1.condition.sets = try $0.sets($2) }),
    ("attribute", { $1.condition.attributes = try $0.attributes($2) }),
    ("state", { $1.condition.states = try $0.options($2, "state", ProfileReader.stateNames) }),
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
    (
      "positions",
      { $1.traits.positions = try $0.options($2, "positions", ProfileReader.positionNames) }
    ),
    ("parts", { $1.parts = try $0.parts($2) }),
    ("each-cell", { $1.isForEachCell = try $0.flag($2, "each-cell") }),
  ]

  /// `unknown` is for programs' own declarations, not for profiles.
  private static let kinds: [SourceKind] = [.files, .text, .image, .link]
  fileprivate static let stateNames: [(name: String, option: ElementStates)] = [
    ("showing", .showing), ("visible", .visible), ("enabled", .enabled), ("editable", .editable),
    ("focused", .focused), ("selected", .selected), ("expandable", .expandable),
    ("expanded", .expanded), ("focusable", .focusable), ("multi-line", .multiLine),
    ("manages-descendants", .managesDescendants),
  ]
  fileprivate static let positionNames: [(name: String, option: DropPositions)] = [
    ("before", .before), ("on", .on), ("after", .after),
  ]

  /// - Parameter file: the name in problems.
  static func read(
    _ bytes: [UInt8], name: String, file: String
  ) throws(ConfigurationProblem) -> ProgramProfile {
    let reader = SettingsReader(file: file, subject: .profile)
    guard let root = try reader.root(of: bytes) else {
      throw reader.problem(.notSettings, at: .start)
    }
    var profile = ProgramProfile(name: name)
    try reader.fill(&profile, from: root, settings)
    guard !profile.programs.isEmpty || !profile.classes.isEmpty || !profile.toolkits.isEmpty else {
      throw reader.missing("program", at: root.place)
    }
    return profile
  }
}

extension SettingsReader {
  /// A required value is missing.
  fileprivate func missing(_ name: String, at place: ConfigurationPlace) -> ConfigurationProblem {
    problem(.wrong(name, expected: .names, found: .nothing), at: place)
  }

  fileprivate func rules(_ node: Node) throws(ConfigurationProblem) -> [ElementRule] {
    guard let nodes = node.sequence, nodes.count <= ProfileReader.mostRules else {
      throw wrong("rules", .rules(ProfileReader.mostRules), node)
    }
    var result: [ElementRule] = []
    for node in nodes {
      guard node.mapping != nil else { throw wrong("rules", .rules(ProfileReader.mostRules), node) }
      var rule = ElementRule(ElementRule.Condition(), traits: PlaceTraits())
      try fill(&rule, from: node, ProfileReader.ruleSettings)
      guard !rule.condition.isEmpty else {
        throw missing("role", at: node.place)
      }
      result.append(rule)
    }
    return result
  }

  fileprivate func text(_ node: Node, _ name: String) throws(ConfigurationProblem) -> String {
    guard let text = node.scalar?.string, !text.isEmpty,
      text.unicodeScalars.count <= ProfileReader.longestName
    else { throw wrong(name, .names, node) }
    return text
  }

  /// One name or a list of them.
  fileprivate func names(_ node: Node, _ name: String) throws(ConfigurationProblem) -> [String] {
    guard let nodes = node.sequence else { return [try text(node, name)] }
    guard !nodes.isEmpty, nodes.count <= ProfileReader.mostNames else {
      throw wrong(name, .names, node)
    }
    var result: [String] = []
    for node in nodes { result.append(try text(node, name)) }
    return result
  }

  fileprivate func patterns(_ node: Node, _ name: String) throws(ConfigurationProblem)
    -> [NamePattern]
  {
    try names(node, name).map { NamePattern($0) }
  }

  /// Sets of at least two names.
  fileprivate func sets(_ node: Node) throws(ConfigurationProblem) -> [[NamePattern]] {
    guard let nodes = node.sequence, (1...ProfileReader.mostNames).contains(nodes.count) else {
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

  fileprivate func stroke(_ node: Node, _ name: String) throws(ConfigurationProblem) -> KeyStroke {
    guard let stroke = KeyStroke(name: node.scalar?.string ?? "") else {
      throw wrong(name, .strokes, node)
    }
    return stroke
  }

  fileprivate func attributes(_ node: Node) throws(ConfigurationProblem) -> [String: NamePattern] {
    guard let mapping = node.mapping, (1...ProfileReader.mostNames).contains(mapping.count) else {
      throw wrong("attribute", .attributes, node)
    }
    var result: [String: NamePattern] = [:]
    for (key, value) in mapping {
      guard let name = key.scalar?.string else { throw wrong("attribute", .attributes, key) }
      result[name] = NamePattern(try text(value, name))
    }
    return result
  }

  fileprivate func options<Options: OptionSet>(
    _ node: Node, _ name: String, _ known: [(name: String, option: Options)]
  ) throws(ConfigurationProblem) -> Options {
    var result: Options = []
    for word in try names(node, name) {
      guard let option = known.first(where: { $0.name == word })?.option else {
        throw wrong(name, .oneOf(known.map(\.name)), node)
      }
      result.formUnion(option)
    }
    return result
  }

  fileprivate func nameSource(_ node: Node) throws(ConfigurationProblem) -> ElementRule.NameSource {
    switch try text(node, "name") {
    case "name": .name
    case "label": .label
    case "title": .title
    case let template: .template(template)
    }
  }

  /// A word that is translated, or the person's own.
  fileprivate func word(_ node: Node, _ name: String) throws(ConfigurationProblem)
    -> ElementRule.Word
  {
    let text = try text(node, name)
    return PlaceRole(rawValue: text).map { .role($0) } ?? .text(text)
  }

  fileprivate func parts(_ node: Node) throws(ConfigurationProblem) -> [ElementRule.Part] {
    guard let mapping = node.mapping, (1...ProfileReader.mostNames).contains(mapping.count) else {
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
}
