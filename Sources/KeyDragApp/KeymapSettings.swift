import KeyDragConfiguration
import KeyDragCore

/// A key of the configuration that is not used, and its place.
package struct KeyProblem: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Unknown names.
    case phase(String, nearest: String?)
    case command(String, nearest: String?)
    case key(String, nearest: String?)
    case clash(Keymap.Clash)
    /// A key that can't be grabbed from all programs on the desktop.
    case notForDesktop(String)
    /// The desktop has no key for picking up.
    case nothingCalls
    /// A key of the desktop with two meanings.
    case desktopClash(KeyStroke)
  }

  package var place: ConfigurationPlace
  package var kind: Kind

  /// As reported at the start of a run.
  package func problem(in phrases: Phrasebook, file: String) -> Problem {
    .configuration(
      file: file, line: place.line, column: place.column, detail: words(in: phrases))
  }

  /// The mistake and its remedy, safe to speak.
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
    case .notForDesktop(let name):
      phrases.phrase(
        // A mistake in the file of settings: this key is needed in other programs. %1$@ is a word in
        // quotation marks that is a key. Ctrl, Alt, F10 and F11 are keys.
        "%1$@ can't be taken from all programs. Choose a key with Ctrl and Alt, or F10 or F11.",
        Self.quoted(name, phrases))
    case .nothingCalls:
      // A mistake in the file of settings. pick-up is the name of a command, and stays as it is.
      phrases.phrase("Without a key for pick-up on the desktop nothing can be picked up there.")
    case .desktopClash(let stroke):
      phrases.phrase(
        // A mistake in the settings: a key has two meanings on the desktop, beside other programs.
        // %1$@ is the key, %2$@ and %3$@ are commands such as pick-up.
        "%1$@ means %2$@ and %3$@ on the desktop. Give one of them another key.",
        phrases.keyName(stroke), DesktopChords.Call.pickUp.command.rawValue,
        DesktopChords.Call.deliveries.command.rawValue)
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

/// Applies the keys of the configuration to the keymap, and rejects invalid ones.
enum KeymapSettings {
  static func apply(
    _ settings: [KeySetting], to keymap: Keymap
  ) -> (keymap: Keymap, desktop: DesktopChords, problems: [KeyProblem]) {
    var keymap = keymap
    var desktop = DesktopChords.standard
    var problems: [KeyProblem] = []
    for setting in settings {
      do {
        if setting.phase == Self.desktop {
          try apply(setting, to: &desktop)
          continue
        }
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
    if let clash = clash(in: desktop, settings) {
      problems.append(clash)
      desktop = .standard
    }
    return (keymap, desktop, problems)
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
      let names = PhaseName.allCases.map(\.rawValue) + ["any", Self.desktop]
      throw KeyProblem(
        place: setting.phasePlace,
        kind: .phase(setting.phase, nearest: Suggestions.name(to: setting.phase, among: names)))
    }
    guard let command = CommandName(name: setting.command) else {
      let names = CommandName.allCases.map(\.rawValue)
      throw KeyProblem(
        place: setting.commandPlace,
        kind: .command(
          setting.command, nearest: Suggestions.name(to: setting.command, among: names)))
    }
    let chords = try setting.strokes.map(chord)
    return phases.map { ($0, command, chords) }
  }

  private static func chord(_ stroke: KeySetting.Stroke) throws(KeyProblem) -> Keymap.Chord {
    var chord: Keymap.Chord = []
    for word in stroke.name.split(separator: " ") {
      guard let known = KeyStroke(name: String(word)) else {
        let nearest = Suggestions.name(to: String(word), among: Keymap.defaultStrokeNames)
        throw KeyProblem(place: stroke.place, kind: .key(String(word), nearest: nearest))
      }
      chord.append(known)
    }
    return chord
  }

  // MARK: On the desktop

  /// Checked once all of them are set: two may be swapped.
  private static func clash(in chords: DesktopChords, _ settings: [KeySetting]) -> KeyProblem? {
    let shared = chords[.deliveries].first { chords[.pickUp].contains($0) }
    guard let shared else { return nil }
    let strokes = settings.filter { $0.phase == desktop }.flatMap(\.strokes)
    let own = strokes.last { KeyStroke(name: $0.name) == shared }
    guard let place = own?.place ?? strokes.last?.place else { return nil }
    return KeyProblem(place: place, kind: .desktopClash(shared))
  }

  /// Beside the phases: the keys grabbed from all programs.
  private static let desktop = "desktop"

  private static func apply(
    _ setting: KeySetting, to chords: inout DesktopChords
  ) throws(KeyProblem) {
    let calls = DesktopChords.Call.allCases
    guard let call = calls.first(where: { $0.command.rawValue == setting.command }) else {
      let nearest = Suggestions.name(to: setting.command, among: calls.map(\.command.rawValue))
      throw KeyProblem(
        place: setting.commandPlace, kind: .command(setting.command, nearest: nearest))
    }
    if call == .pickUp, setting.strokes.isEmpty {
      throw KeyProblem(place: setting.commandPlace, kind: .nothingCalls)
    }
    var changed = chords
    changed[call] = []
    for stroke in setting.strokes {
      let chord = try chord(stroke)
      guard chord.count == 1, DesktopChords.canTake(chord[0]) else {
        throw KeyProblem(place: stroke.place, kind: .notForDesktop(stroke.name))
      }
      changed[call].append(chord[0])
    }
    chords = changed
  }
}
