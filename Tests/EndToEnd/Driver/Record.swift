import FoundationEssentials
import HostilePrograms

typealias Value = HostilePrograms.Value

/// One line of a transcript.
struct Record: Hashable, CustomStringConvertible {
  let fields: [String: Value]
  let line: String

  init(line: String) throws {
    self.line = line
    fields = try JSONDecoder().decode([String: Value].self, from: Data(line.utf8))
  }

  subscript(_ name: String) -> Value? { fields[name] }

  var kind: String { fields["kind"]?.description ?? "" }
  var id: String { fields["id"]?.description ?? "" }
  var text: String { fields["text"]?.description ?? "" }
  var isAssertive: Bool { fields["urgency"] == "assertive" }

  /// An argument of an announcement.
  func argument(_ name: String) -> Value? {
    if case .fields(let arguments)? = fields["args"] { arguments[name] } else { nil }
  }

  var description: String { line }
}

/// What a run said and did, in order.
struct Records: CustomStringConvertible {
  var all: [Record] = []

  var announcements: [Record] { all.filter { $0.kind == "announcement" } }
  var states: [Record] { all.filter { $0.kind == "state" } }
  var deliveries: [Record] { all.filter { $0.kind == "delivery" } }
  var commands: [Record] { all.filter { $0.kind == "command" } }
  /// Every announcement by its id.
  var ids: [String] { announcements.map(\.id) }
  /// Everything that was said.
  var said: [String] { announcements.map(\.text) }
  /// The announcements that are the same on a disk of any speed: a pick-up or a delivery that takes its
  /// time is told of while it runs, and what is held before it is known who takes it.
  var atAnySpeed: [Record] {
    let all = announcements
    return all.indices.filter { index in
      let isEarly = all[index].id == "holding" && all[index...].dropFirst().first?.id == "picked-up"
      return !isEarly && !["picking-up", "delivering", "progress"].contains(all[index].id)
    }.map { all[$0] }
  }
  /// How the deliveries ended.
  var finished: [Record] { deliveries.filter { $0["stage"] == "finished" } }

  func every(_ id: String) -> [Record] { announcements.filter { $0.id == id } }
  func first(_ id: String) -> Record? { announcements.first { $0.id == id } }
  func last(_ id: String) -> Record? { announcements.last { $0.id == id } }

  /// What follows the first command of this name.
  func after(command name: String) -> Records {
    guard let index = all.firstIndex(where: { $0.kind == "command" && $0["name"] == .text(name) })
    else { return Records() }
    return Records(all: Array(all[(index + 1)...]))
  }

  /// What follows the last command of this name.
  func afterLast(command name: String) -> Records {
    guard
      let index = all.lastIndex(where: { $0.kind == "command" && $0["name"] == .text(name) })
    else { return Records() }
    return Records(all: Array(all[(index + 1)...]))
  }

  var description: String { all.map(\.line).joined(separator: "\n") }
}
