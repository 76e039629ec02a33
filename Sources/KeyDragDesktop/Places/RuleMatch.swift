import KeyDragCore

/// The meaning of an element, by a rule or by its own declarations.
struct RuleMatch {
  var origin: Place.Origin
  /// Includes the element's own declarations.
  var rule: ElementRule
}

/// Finds the rule for an element: the profile's rules first, then the generic ones, unless the
/// profile excludes these.
struct RuleMatcher {
  let tree: ElementTree
  /// `nil` for a program without one.
  let profile: ProgramProfile?
  /// The actions of elements, as far as queried.
  let actions: [ElementID: Set<String>]

  /// The values of `dropeffect` beside "none".
  private static let effects: Set<Substring> = ["copy", "move", "link", "execute", "popup"]

  /// The rule for an element, with its own declarations added; `nil` where it is no place.
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

  /// The first matching rule, without the element's declarations.
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
        // Qt gives stacks of pages the same role.
        && (holdsIcons || rule.condition.roles != AccessibleRoles.bareIconViews)
    }
    return number.map { RuleMatch(origin: .generic($0), rule: rules[$0]) }
  }

  private func first(of rules: [ElementRule], for index: Int) -> Int? {
    rules.firstIndex { holds($0.condition, for: index) }
  }

  /// Whether all conditions of a rule hold; an empty one always does.
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

  private func isCalled(_ names: [NamePattern], _ index: Int) -> Bool {
    let name = tree.name(of: index)
    return names.contains { $0.matches(name) }
  }

  /// Whether its name and the name of a sibling are two of one set.
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

  /// The traits that the element's attributes and actions add to a rule; `nil` for none.
  private func traits(of element: ElementFacts, over base: PlaceTraits?) -> PlaceTraits? {
    // The element's declarations take precedence over any rule.
    var traits = base ?? PlaceTraits()
    var isSaid = false
    if let words = element.attributes["dropeffect"]?.lowercased().split(separator: " ") {
      let effects = words.filter(Self.effects.contains)
      traits.isDropPoint = !effects.isEmpty
      // Several effects: the program decides by what is dropped.
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
