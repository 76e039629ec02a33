import KeyDragApp
import KeyDragCore
import KeyDragRuntime

/// A part that the program uses, as it was found.
struct DoctorPart: Sendable {
  enum State: String, Sendable {
    case works
    /// Works, but does not reach everything.
    case partly
    /// Does not work, and the person should act.
    case missing
    /// Does not work, and need not.
    case absent
    /// Gave no answer in time.
    case silent
  }

  /// A stable identifier for scripts.
  var id: String
  var title: Wording
  var state = State.works
  /// Whether the program is incomplete without it.
  var isNeeded = false
  /// The sentence with the finding.
  var found: Wording = .none
  /// The sentence with the consequence for the person.
  var meaning: Wording = .none
  /// The sentence with the remedy.
  var remedy: Wording = .none
  /// The command for the remedy, if there is one.
  var repair: Repair?

  /// Whether it decides the exit status.
  ///
  /// Includes a part that does not answer: most find out only then whether they are needed.
  var affectsExitStatus: Bool {
    state == .silent || isNeeded && [.missing, .partly].contains(state)
  }

  /// One line, fit for speech.
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

  func object(_ phrases: Phrasebook) -> ArgumentList {
    [
      "id": id, "title": title(phrases), "state": state.rawValue, "needed": isNeeded,
      "found": found(phrases), "meaning": meaning(phrases), "remedy": remedy(phrases),
      "command": repair?.line(ProcessEnvironment.read()),
    ]
  }
}

/// The facts for every probe.
struct DoctorContext: Sendable {
  var environment: [String: String]
  /// Whether the person requests speech.
  var wantsSpeech: Bool
  /// Whether the person requests silence.
  var wantsSilence: Bool

  /// A path as the person would say it, with `~` for the home folder.
  func shown(_ path: String) -> String {
    let clean = SpokenName.clean(path)
    guard let home = environment["HOME"].map(SpokenName.clean), home.count > 1 else { return clean }
    if clean == home { return "~" }
    return clean.hasPrefix(home + "/") ? "~" + clean.dropFirst(home.count) : clean
  }
}
