/// Announcements for repetition, and those not to be repeated.
package struct SpokenHistory: Sendable {
  /// Instructions given once in a run.
  enum Instruction: Hashable, Sendable {
    case browsing
    case carrying
    case adding
    case undo
  }

  /// The announcements of the last input, for repetition.
  var last: [Announcement] = []
  /// The current place at that time, while carrying.
  var place: DragState.WalkLocation?
  /// The item that a person who browses believes to stand on.
  var focus: DragSourceID?
  /// The help, until another announcement or a key, for the screen.
  package internal(set) var help: Announcement?
  private var given: Set<Instruction>
  private var consequences: Set<String> = []

  init(given: Set<Instruction> = []) { self.given = given }

  /// Records an instruction; returns whether it is the first time.
  mutating func give(_ instruction: Instruction) -> Bool { given.insert(instruction).inserted }

  /// Records the consequence of a choice; returns whether it is the first time.
  mutating func explain(_ consequence: String) -> Bool {
    consequences.insert(consequence).inserted
  }
}
