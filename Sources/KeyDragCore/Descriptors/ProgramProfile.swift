/// The facts of a program that its accessibility tree does not tell: which of its elements can be
/// dropped on or picked up, and what people call them.
///
/// Rules are tried in order; the first that fits an element speaks for it.
package struct ProgramProfile: Hashable, Sendable {
  /// The name of its file without ".yaml"; a person's file replaces the shipped one of its name.
  package var name: String
  /// Accessible names of the programs it is for.
  package var programs: [NamePattern]
  /// Classes of their windows.
  package var classes: [NamePattern]
  /// Only with one of these toolkits, where any is given.
  package var toolkits: [NamePattern]
  package var rules: [ElementRule]
  /// Whether elements that fit no rule are taken as in a program without a profile.
  package var usesGenericRules: Bool
  /// The names of its commands, for programs that do not tell their keys.
  package var commands: [ProgramCommand: [NamePattern]] = [:]
  /// How the part of a title begins that nobody would call a window by, "#" for any number; `nil` for
  /// none.
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

  /// Whether it is for a program: its name or the class of its window fits, and its toolkit too.
  package func isFor(name: String, className: String, toolkit: String) -> Bool {
    if !toolkits.isEmpty, !toolkits.contains(where: { $0.matches(toolkit) }) { return false }
    if programs.isEmpty, classes.isEmpty { return !toolkits.isEmpty }
    return programs.contains { $0.matches(name) } || classes.contains { $0.matches(className) }
  }
}

extension Sequence where Element == ProgramProfile {
  /// The first profile that is for a program.
  package func profile(for program: ProgramFacts, window: WindowFacts) -> ProgramProfile? {
    first {
      $0.isFor(name: program.name, className: window.className, toolkit: program.toolkit)
    }
  }
}
