import KeyDragCore
import KeyDragRuntime

/// One part that the program uses, as it was found.
struct DoctorPart: Sendable {
  enum State: String, Sendable {
    case works
    /// Does not work, and the person should do something.
    case missing
    /// Does not work, and nothing is wrong with that.
    case absent
    /// Gave no answer in time.
    case silent
  }

  /// A stable word for programs that read the answer.
  var id: String
  var title: String
  var state: State
  /// Whether the program is less than whole without it.
  var isNeeded = false
  /// What was found.
  var found = ""
  /// What follows from that for the person.
  var meaning = ""
  /// What the person can do.
  var remedy = ""

  /// Whether this decides the exit status.
  var isInTheWay: Bool { isNeeded && (state == .missing || state == .silent) }

  /// One line, fit to be spoken.
  func line(_ phrases: Phrasebook) -> String {
    let state =
      switch self.state {
      case .works: phrases.phrase("works.")
      case .missing: phrases.phrase("does not work.")
      case .absent: phrases.phrase("not there, and not needed.")
      case .silent: phrases.phrase("gives no answer.")
      }
    let isShort = phrases.verbosity == .brief
    let parts = isShort ? [remedy] : [found, meaning, remedy]
    return (["\(title): \(state)"] + parts).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The part as an object of the answer to `--json`.
  var object: JSONLine {
    var line = JSONLine()
    line.add("id", id)
    line.add("title", title)
    line.add("state", state.rawValue)
    line.add("needed", isNeeded)
    line.add("found", found)
    line.add("meaning", meaning)
    line.add("remedy", remedy)
    return line
  }
}

/// What every probe is told.
struct DoctorContext: Sendable {
  var phrases: Phrasebook
  var environment: [String: String]
  /// Whether the person wants to hear something in any case.
  var wantsSpeech: Bool
  /// Whether the person wants to hear nothing.
  var wantsSilence: Bool

  /// A path as the person would say it, with `~` for the home folder.
  func shown(_ path: String) -> String {
    let clean = SpokenName.clean(path)
    guard let home = environment["HOME"].map(SpokenName.clean), home.count > 1 else { return clean }
    if clean == home { return "~" }
    return clean.hasPrefix(home + "/") ? "~" + clean.dropFirst(home.count) : clean
  }
}
