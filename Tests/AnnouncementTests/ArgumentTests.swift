import Testing

@testable import KeyDragCore

/// The `args` of the transcript.
struct ArgumentTests {
  /// The fields of each id; those behind "?" are left out where they do not apply.
  static let fields: [String: String] = [
    "ready": "container count item? kind?",
    "item": "name kind index total selected percent? operation?", "empty": "container?",
    "listing": "container", "edge": "which", "no-match": "text?", "echo": "text?",
    "filtered": "text? count total",
    "completed": "names count", "cannot-name": "name? reason", "renamed": "name to",
    "made": "name place", "facts": "name type? bytes? count? changed container?",
    "selected": "name? count",
    "deselected": "name? count", "nothing-to-pick-up": "reason name?",
    "picked-up": "names kinds count operation? points?",
    "points": "count",
    "picking-up": "names count",
    "nothing-accepts": "count alternatives reason? places? place?",
    "added": "name count", "refused-to-add": "name reason", "removed": "name count",
    "drop-point":
      "name container? app? verdict operation? accepted count index? total? reason? result?",
    "details": "accepted refused reason? result?", "back-at-source": "name", "opened": "name count",
    "cannot-open": "name reason", "left": "name", "appeared": "name count?",
    "vanished": "name next?",
    "operation": "operation? result?", "operation-unavailable": "operation reason",
    "confirm": "question reason? choices", "choice": "name consequence? index total",
    "declined": "count", "refused": "name reason",
    "delivering": "operation names count bytes? visitor?",
    "progress": "percent count of bytes names visitor?",
    "delivered":
      "operation names count place app? visitor? intended? renamed? replaced? replacedNames? index? total? form? reason? next? leadNowhere?",
    "partly-delivered":
      "operation names delivered failed reason place app? visitor? intended? renamed? replaced? replacedNames? index? total? next? failedNames leftOut? others? leftOutNames? leadNowhere?",
    "unconfirmed":
      "names place app? window? question? keyboard? buttons? confirmed? words? goneNames?",
    "failed": "names count reason app? visitor?",
    "cancelled": "names count",
    "delivery-cancelled": "names done remaining", "task": "name stage",
    "moved": "name index total", "mode": "name on", "undone": "what count", "redone": "what count",
    "undoing": "what", "nothing-to-undo": "", "nothing-to-redo": "", "nothing-landed": "",
    "shown": "name container? app?", "too-late": "names count",
    "cannot-undo": "what? reason names?", "recovered": "what result",
    "holding":
      "names count dropPoint? container? app? position? after? before? operation? result? reason?",
    "help": "keys",
    "unknown-key": "key", "problem": "what consequence? remedy?", "session-ended": "reason name?",
    "opening": "name", "goodbye": "", "agent-ready": "", "finding": "",
    "keyboard": "name app? names? count? dropPoint?",
    "lesson": "keys? index? total?",
  ]

  @Test("Every announcement has the arguments of its id, and no others")
  func arguments() throws {
    let phrases = Phrasebook()
    for announcement in AnnouncementSamples.all {
      let wanted = try #require(ArgumentTests.fields[announcement.id]).split(separator: " ")
      let needed = Set(wanted.filter { !$0.hasSuffix("?") }.map(String.init))
      let possible = Set(wanted.map { $0.hasSuffix("?") ? String($0.dropLast()) : String($0) })
      let names = phrases.arguments(announcement).map(\.name)
      #expect(needed.isSubset(of: names), "\(announcement.id): \(needed.subtracting(names))")
      #expect(possible.isSuperset(of: names), "\(announcement.id): \(names)")
      #expect(Set(names).count == names.count, "\(announcement.id): \(names)")
    }
  }

  @Test("Counts are numbers, names are lists, the rest are words")
  func kinds() {
    let phrases = Phrasebook()
    for argument in AnnouncementSamples.all.flatMap(phrases.arguments) {
      switch (argument.name, argument.value) {
      case ("names", .list), ("kinds", .list), ("choices", .list), ("keys", .list),
        ("renamed", .list), ("failedNames", .list), ("leftOutNames", .list),
        ("alternatives", .list), ("refused", .list), ("goneNames", .list),
        ("buttons", .list), ("leadNowhere", .list), ("replacedNames", .list),
        ("accepted", .list), ("accepted", .number):
        break
      case ("count", .number), ("index", .number), ("total", .number), ("percent", .number),
        ("of", .number), ("bytes", .number), ("points", .number), ("places", .number),
        ("delivered", .number), ("failed", .number), ("leftOut", .number), ("others", .number),
        ("replaced", .number), ("done", .number),
        ("remaining", .number):
        break
      case ("selected", .flag), ("on", .flag), ("keyboard", .flag): break
      case (let name, .text):
        #expect(!["names", "count", "index", "total", "percent"].contains(name))
      default: Issue.record("\(argument.name) is \(argument.value)")
      }
    }
  }
}
