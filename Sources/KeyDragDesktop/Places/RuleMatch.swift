import KeyDragCore

/// The meaning of an element, by a rule or by what it says of itself.
struct RuleMatch {
  /// The profile that the rule is of, or the element itself.
  var origin: Place.Origin
  /// The rule, with what the element says put into it.
  var rule: ElementRule
}

/// Finds the rule that speaks for an element.
///
/// The profile's rules come first, then those for all programs, unless the profile leaves these
/// out.
struct RuleMatcher {
  /// The elements that rules are tried on.
  let tree: ElementTree
  /// `nil` for a program without one.
  let profile: ProgramProfile?
  /// The actions that elements offer, where they were asked for.
  let actions: [ElementID: Set<String>]

  /// The operations that a `dropeffect` can name beside "none".
  private static let effects: Set<Substring> = ["copy", "move", "link", "execute", "popup"]

  /// The rule for an element, with what the element says of itself put in.
  ///
  /// - Returns: `nil` where nothing speaks for it: it is no place.
  func match(_ index: Int) -> RuleMatch? {
    let found = byRule(index)
    let element = tree.elements[index]
    guard var traits = traits(of: element, over: found?.rule.traits) else { return found }
    guard var match = found else {
      return RuleMatch(
        origin: .element, rule: ElementRule(ElementRule.Condition(), traits: traits))
    }
    if case .generic = match.origin, traits != match.rule.traits { match.origin = .element }
    traits.isView = match.rule.traits.isView
    match.rule.traits = traits
    return match
  }

  /// The first rule that fits, without what the element says.
  private func byRule(_ index: Int) -> RuleMatch? {
    if let profile, let number = first(of: profile.rules, for: index) {
      return RuleMatch(origin: .profile(number), rule: profile.rules[number])
    }
    guard profile?.usesGenericRules ?? true else { return nil }
    let rules = ProgramProfile.generic.rules
    let holdsIcons = tree.children[index].contains {
      AccessibleRoles.icons.contains(tree.elements[$0].role)
    }
    let number = rules.firstIndex { rule in
      holds(rule.condition, for: index)
        // Qt calls a stack of pages so too.
        && (holdsIcons || rule.condition.roles != AccessibleRoles.bareIconViews)
    }
    return number.map { RuleMatch(origin: .generic($0), rule: rules[$0]) }
  }

  /// The index of the first of these rules that fits.
  private func first(of rules: [ElementRule], for index: Int) -> Int? {
    rules.firstIndex { holds($0.condition, for: index) }
  }

  /// Whether all that a rule asks for is so. What it does not mention it does not ask for.
  private func holds(_ condition: ElementRule.Condition, for index: Int) -> Bool {
    let element = tree.elements[index]
    return (condition.roles.isEmpty || condition.roles.contains(element.role))
      && element.states.isSuperset(of: condition.states)
      && condition.attributes.allSatisfy { name, pattern in
        element.attributes[name].map(pattern.matches) ?? false
      }
      && (condition.names.isEmpty || isCalled(condition.names, index))
      && (condition.inside.isEmpty || tree.isInside(index, condition.inside))
      && (condition.outside.isEmpty || !tree.isInside(index, condition.outside))
      && (condition.sets.isEmpty || isOneOf(condition.sets, index))
  }

  /// Whether one of the patterns fits the name.
  private func isCalled(_ names: [NamePattern], _ index: Int) -> Bool {
    let name = tree.name(of: index)
    return names.contains { $0.matches(name) }
  }

  /// Whether it has a name of a set, and something beside it has another one of it.
  private func isOneOf(_ sets: [[NamePattern]], _ index: Int) -> Bool {
    let name = tree.name(of: index)
    guard !name.isEmpty, let parent = tree.parents[index] else { return false }
    let others = tree.children[parent].lazy.filter { $0 != index }
    return sets.contains { set in
      guard let own = set.firstIndex(where: { $0.matches(name) }) else { return false }
      return others.contains { other in
        let name = tree.name(of: other)
        return set.indices.contains { $0 != own && set[$0].matches(name) }
      }
    }
  }

  /// The traits that the element's attributes and actions add to a rule; `nil` when they say
  /// nothing.
  private func traits(of element: ElementFacts, over base: PlaceTraits?) -> PlaceTraits? {
    // The element's own words go before any rule.
    var traits = base ?? PlaceTraits()
    var isSaid = false
    if let words = element.attributes["dropeffect"]?.lowercased().split(separator: " ") {
      let effects = words.filter(Self.effects.contains)
      traits.isDropPoint = !effects.isEmpty
      // More than one: the program decides by what is dropped.
      if let effect = effects.first, effects.count == 1 {
        traits.operation = DragOperation(rawValue: String(effect))
      }
      isSaid = !effects.isEmpty || words.contains("none")
    }
    let canBeGrabbed = ["true", "false"].contains(element.attributes["grabbed"]?.lowercased())
    if canBeGrabbed || element.attributes["draggable"]?.lowercased() == "true" {
      traits.source = traits.source ?? .unknown
      isSaid = true
    }
    if let actions = actions[element.id] {
      let takesDrops = actions.contains(PlaceFinder.dropAction)
      let canBeDragged = actions.contains(PlaceFinder.dragAction)
      if takesDrops { traits.isDropPoint = true }
      if canBeDragged { traits.source = traits.source ?? .unknown }
      isSaid = isSaid || takesDrops || canBeDragged
    }
    return isSaid ? traits : nil
  }
}
