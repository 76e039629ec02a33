import KeyDragConfiguration
import KeyDragCore

/// A key of the configuration that is not used, and where it stands.
package struct KeyProblem: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Names that nobody knows.
    case phase(String, nearest: String?)
    case command(String, nearest: String?)
    case key(String, nearest: String?)
    case clash(Keymap.Clash)
  }

  package var place: ConfigurationPlace
  package var kind: Kind

  package init(place: ConfigurationPlace, kind: Kind) {
    self.place = place
    self.kind = kind
  }

  /// As it is said at the start of a run.
  package func problem(in phrases: Phrasebook, file: String) -> Problem {
    .configuration(
      file: file, line: place.line, column: place.column, detail: words(in: phrases))
  }

  /// What is wrong and what to do, with nothing that cannot be spoken.
  package func words(in phrases: Phrasebook) -> String {
    switch kind {
    case .phase(let name, let nearest):
      phrases.join(
        // A mistake in the file of settings, where keys are given to commands. A phase is browsing,
        // carrying or confirming. %1$@ is a word in quotation marks.
        phrases.phrase("There is no phase %1$@.", Self.quoted(name, phrases)),
        phrases.guess(nearest.map { Self.quoted($0, phrases) }))
    case .command(let name, let nearest):
      phrases.join(
        // A mistake in the file of settings, where keys are given to commands such as pick-up. %1$@
        // is a word in quotation marks.
        phrases.phrase("There is no command %1$@.", Self.quoted(name, phrases)),
        phrases.guess(nearest.map { Self.quoted($0, phrases) }))
    case .key(let name, let nearest):
      phrases.join(
        // A mistake in the file of settings, where keys are given to commands. %1$@ is a word in
        // quotation marks that should be a key.
        phrases.phrase("There is no key %1$@.", Self.quoted(name, phrases)),
        phrases.guess(nearest.map { Self.quoted($0, phrases) }))
    case .clash(let clash): Self.clash(clash, phrases)
    }
  }

  private static func clash(_ clash: Keymap.Clash, _ phrases: Phrasebook) -> String {
    let keys = clash.chord.map(phrases.keyName).joined(separator: " ")
    let (first, second) = (clash.first.rawValue, clash.second.rawValue)
    switch clash.phase {
    case .browsing:
      return phrases.phrase(
        // A mistake in the settings: a key has two meanings while choosing among files. %1$@ is the
        // key, %2$@ and %3$@ are commands such as pick-up.
        "%1$@ means %2$@ and %3$@ while browsing. Give one of them another key.", keys, first,
        second)
    case .carrying:
      return phrases.phrase(
        // A mistake in the settings: a key has two meanings while something is carried from place
        // to place. %1$@ is the key, %2$@ and %3$@ are commands such as pick-up.
        "%1$@ means %2$@ and %3$@ while carrying. Give one of them another key.", keys, first,
        second)
    case .confirming:
      return phrases.phrase(
        // A mistake in the settings: a key has two meanings while a question or a menu is open.
        // %1$@ is the key, %2$@ and %3$@ are commands such as pick-up.
        "%1$@ means %2$@ and %3$@ while confirming. Give one of them another key.", keys, first,
        second)
    }
  }

  private static func quoted(_ text: String, _ phrases: Phrasebook) -> String {
    // A word from the file of settings in this language's quotation marks. %1$@ is the word.
    phrases.term(in: "quotation", "\"%1$@\"", SpokenName.clean(text))
  }
}

/// Puts the keys of the configuration into the keymap, refusing what does not fit.
enum KeymapSettings {
  static func apply(
    _ settings: [KeySetting], to keymap: Keymap
  ) -> (keymap: Keymap, problems: [KeyProblem]) {
    var keymap = keymap
    var problems: [KeyProblem] = []
    for setting in settings {
      do {
        let changes = try changes(setting)
        keymap = try keymap.remapped(changes)
      } catch let error as KeyProblem {
        problems.append(error)
      } catch let clash as Keymap.Clash {
        let place = setting.strokes.first?.place ?? setting.commandPlace
        problems.append(KeyProblem(place: place, kind: .clash(clash)))
      } catch {
        continue
      }
    }
    return (keymap, problems)
  }

  private static func changes(
    _ setting: KeySetting
  ) throws -> [(phase: PhaseName, command: CommandName, chords: [Keymap.Chord])] {
    let phases: [PhaseName]
    if setting.phase == "any" {
      phases = PhaseName.allCases
    } else if let phase = PhaseName(rawValue: setting.phase) {
      phases = [phase]
    } else {
      let names = PhaseName.allCases.map(\.rawValue) + ["any"]
      throw KeyProblem(
        place: setting.phasePlace,
        kind: .phase(setting.phase, nearest: Nearest.name(to: setting.phase, among: names)))
    }
    guard let command = CommandName(name: setting.command) else {
      let names = CommandName.allCases.map(\.rawValue)
      throw KeyProblem(
        place: setting.commandPlace,
        kind: .command(setting.command, nearest: Nearest.name(to: setting.command, among: names)))
    }
    let chords = try setting.strokes.map { stroke -> Keymap.Chord in
      try stroke.name.split(separator: " ").map { word in
        guard let known = KeyStroke(name: String(word)) else {
          let nearest = Nearest.name(to: String(word), among: Keymap.defaultStrokeNames)
          throw KeyProblem(place: stroke.place, kind: .key(String(word), nearest: nearest))
        }
        return known
      }
    }
    return phases.map { ($0, command, chords) }
  }
}
