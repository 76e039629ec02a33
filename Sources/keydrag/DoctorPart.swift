import KeyDragApp
import KeyDragCore
import KeyDragRuntime

/// One part that the program uses, as it was found.
struct DoctorPart: Sendable {
  enum State: String, Sendable {
    case works
    /// Works, but does not reach everything.
    case partly
    /// Does not work, and the person should do something.
    case missing
    /// Does not work, and nothing is wrong with that.
    case absent
    /// Gave no answer in time.
    case silent
  }

  /// A stable word for programs that read the answer.
  var id: String
  var title: Wording
  var state = State.works
  /// Whether the program is less than whole without it.
  var isNeeded = false
  /// The sentence that tells what was found.
  var found: Wording = { _ in "" }
  /// The sentence that tells what follows from that for the person.
  var meaning: Wording = { _ in "" }
  /// The sentence that tells what the person can do.
  var remedy: Wording = { _ in "" }
  /// The command that does so, where one command can.
  var repair: Repair?

  /// Whether this decides the exit status.
  ///
  /// Of a part that gives no answer nobody knows whether it is needed: most find that out themselves.
  var isInTheWay: Bool { state == .silent || isNeeded && [.missing, .partly].contains(state) }

  /// One line, fit to be spoken.
  func line(_ phrases: Phrasebook, hasRemedy: Bool = true) -> String {
    let isShort = phrases.verbosity == .brief
    return phrases.join(
      headline(phrases), isShort ? "" : found(phrases), isShort ? "" : meaning(phrases),
      hasRemedy ? remedy(phrases) : "")
  }

  private func headline(_ phrases: Phrasebook) -> String {
    let title = title(phrases)
    switch state {
    // keydrag doctor: a part was tried. %1$@ is its name, such as "Voice".
    case .works: return phrases.phrase("%1$@: works.", title)
    // keydrag doctor: a part was tried; what it does not reach follows. %1$@ is its name, such as
    // "Running programs".
    case .partly: return phrases.phrase("%1$@: works in part.", title)
    // keydrag doctor: a part was tried; what is wrong follows. %1$@ is its name, such as "Voice".
    case .missing: return phrases.phrase("%1$@: does not work.", title)
    // keydrag doctor: a part was tried; details follow. %1$@ is its name, such as "Printing".
    case .absent: return phrases.phrase("%1$@: not there, and not needed.", title)
    // keydrag doctor: a part was tried and hangs. %1$@ is its name, such as "Sound".
    case .silent: return phrases.phrase("%1$@: gives no answer.", title)
    }
  }

  /// The part as an object of the answer to `--json`.
  func object(_ phrases: Phrasebook) -> JSONLine {
    var line = JSONLine()
    line.add("id", id)
    line.add("title", title(phrases))
    line.add("state", state.rawValue)
    line.add("needed", isNeeded)
    line.add("found", found(phrases))
    line.add("meaning", meaning(phrases))
    line.add("remedy", remedy(phrases))
    if let repair { line.add("command", repair.line(ProcessEnvironment.read())) }
    return line
  }
}

/// The facts that every probe is told.
struct DoctorContext: Sendable {
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
