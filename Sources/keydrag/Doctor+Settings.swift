import Glibc
import KeyDragConfiguration
import KeyDragCore

extension DoctorProbe {
  /// The configuration file, read as every command reads it.
  static func configuration(_ composition: Composition) -> DoctorProbe {
    let problems = composition.settings.fileProblems
    let path = composition.options.config ?? ConfigurationFile.defaultPath(composition.environment)
    return DoctorProbe(
      id: "configuration",
      // keydrag doctor: the name of a part, the file of settings.
      title: .term(in: "part", "Configuration"), isNeeded: { _ in true },
      run: { context, part in
        guard let path else {
          part.state = .absent
          // keydrag doctor: a setting of the system is missing. HOME stays as it is.
          part.found = .phrase("HOME is not set.")
          // keydrag doctor: what follows when there is no file of settings.
          part.meaning = .phrase("The usual settings are used.")
          return
        }
        let shown = context.shown(path)
        if !problems.isEmpty {
          part.state = .missing
          part.found = Wording { phrases in
            problems.reduce("") {
              phrases.join($0, sentence($1.place, $1.words(in: phrases), phrases))
            }
          }
          // keydrag doctor: what to do when there are mistakes in the file of settings. %1$@ is
          // the file.
          part.remedy = .phrase("Correct %1$@.", shown)
        } else if access(path, F_OK) != 0 {
          part.state = .absent
          // keydrag doctor: there is no file of settings. %1$@ is the file.
          part.found = .phrase("There is no %1$@.", shown)
          // keydrag doctor: what follows when there is no file of settings.
          part.meaning = .phrase("The usual settings are used.")
        } else {
          part.found = Wording { $0.closed(shown) }
        }
      })
  }

  /// The effective keymap.
  static func keys(_ composition: Composition) -> DoctorProbe {
    let problems = composition.settings.keyProblems
    let keymap = composition.settings.keymap
    return DoctorProbe(
      id: "keys",
      // keydrag doctor: the name of a part, the keys and what they do.
      title: .term(in: "part", "Keys"), isNeeded: { _ in true },
      run: { _, part in
        if !problems.isEmpty {
          part.state = .missing
          part.found = Wording { phrases in
            problems.reduce("") {
              phrases.join($0, sentence($1.place, $1.words(in: phrases), phrases))
            }
          }
          // keydrag doctor: what follows when there are mistakes in the person's own keys.
          part.meaning = .phrase("The usual keys stand in for those.")
          // keydrag doctor: what to do when there are mistakes in the person's own keys. The
          // configuration file is the file of settings.
          part.remedy = .phrase("Correct the keys in the configuration file.")
        } else if let command = unreachable(keymap) {
          part.state = .missing
          part.found = Wording { phrases in
            // keydrag doctor: the settings leave no key for something important. %1$@ is what can't
            // be done, such as "drop" or "next place".
            phrases.phrase("No key means %1$@.", phrases.describe(command))
          }
          // keydrag doctor: what to do when a command has no key. %1$@ is the name of a command,
          // such as pick-up. The configuration file is the file of settings.
          part.remedy = .phrase("Give %1$@ a key in the configuration file.", command.rawValue)
        } else {
          // keydrag doctor: the keys are in order.
          part.found = .phrase("No two commands share a key.")
        }
      })
  }

  /// A command without a key that is needed to finish a drag.
  private static func unreachable(_ keymap: Keymap) -> CommandName? {
    let vital: [(CommandName, PhaseName)] = [
      (.nextItem, .browsing), (.pickUp, .browsing), (.quit, .browsing),
      (.nextDropPoint, .carrying), (.drop, .carrying), (.cancel, .carrying),
      (.nextChoice, .confirming), (.take, .confirming), (.back, .confirming),
    ]
    return vital.first { keymap.chords(for: $0.0, in: $0.1).isEmpty }?.0
  }

  private static func sentence(
    _ place: ConfigurationPlace, _ words: String, _ phrases: Phrasebook
  ) -> String {
    phrases.phrase(
      // keydrag doctor: a mistake in the file of settings. %1$@ and %2$@ are numbers, %3$@ whole
      // sentences that say what is wrong and what to do.
      "Line %1$@, column %2$@: %3$@", phrases.number(place.line), phrases.number(place.column),
      words)
  }
}
