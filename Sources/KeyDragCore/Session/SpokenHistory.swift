/// What the person has been told, to be told again or not twice.
package struct SpokenHistory: Sendable {
  /// Instructions that are given once in a run.
  enum Instruction: Hashable, Sendable {
    case browsing
    case carrying
    case adding
    case undo
  }

  /// The announcements that the last input led to, for saying them again.
  var last: [Announcement] = []
  /// The place where the person stood then, while carrying.
  var place: Carry.Standpoint?
  /// The help, as long as nothing else was told after it and no key pressed: to be read at leisure.
  package internal(set) var help: Announcement?
  private var given: Set<Instruction>
  private var consequences: Set<String> = []

  init(given: Set<Instruction> = []) { self.given = given }

  /// Notes that an instruction is given now.
  ///
  /// - Returns: whether it is for the first time.
  mutating func give(_ instruction: Instruction) -> Bool { given.insert(instruction).inserted }

  /// Notes that the consequence of a choice is told now.
  ///
  /// - Returns: whether it is for the first time.
  mutating func explain(_ consequence: String) -> Bool {
    consequences.insert(consequence).inserted
  }
}
