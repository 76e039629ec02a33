/// Facts about a program that its accessibility tree does not tell: which elements can be dropped
/// on or picked up, and what people call them.
///
/// Rules are tried in order; the first match applies.
package struct ProgramProfile: Hashable, Sendable {
  /// Its file name without ".yaml"; a person's file replaces the shipped one of that name.
  package var name: String
  /// Accessible names of the programs it applies to.
  package var programs: [NamePattern]
  package var classes: [NamePattern]
  /// Restricts it to these toolkits, if any.
  package var toolkits: [NamePattern]
  package var rules: [ElementRule]
  /// Whether unmatched elements are treated as in a program without a profile.
  package var usesGenericRules: Bool
  /// The names of its commands, for programs that do not expose their keys.
  package var commands: [ProgramCommand: [NamePattern]] = [:]
  /// The beginning of the part of a title to leave out, "#" for any number; `nil` for none.
  package var titleEnd: String?

  package init(
    name: String, programs: [NamePattern] = [], classes: [NamePattern] = [],
    toolkits: [NamePattern] = [], rules: [ElementRule] = [], usesGenericRules: Bool = true
  ) {
    self.name = name
    self.programs = programs
    self.classes = classes
    self.toolkits = toolkits
    self.rules = rules
    self.usesGenericRules = usesGenericRules
  }

  /// Whether it applies: the name or the window class matches, and the toolkit too.
  package func isFor(name: String, className: String, toolkit: String) -> Bool {
    if !toolkits.isEmpty, !toolkits.contains(where: { $0.matches(toolkit) }) { return false }
    if programs.isEmpty, classes.isEmpty { return !toolkits.isEmpty }
    return programs.contains { $0.matches(name) } || classes.contains { $0.matches(className) }
  }
}

extension Sequence where Element == ProgramProfile {
  package func profile(for program: ProgramFacts, window: WindowFacts) -> ProgramProfile? {
    first {
      $0.isFor(name: program.name, className: window.className, toolkit: program.toolkit)
    }
  }
}
