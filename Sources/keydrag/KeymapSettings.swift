import KeyDragConfiguration
import KeyDragCore

/// Puts the keys of the configuration into the keymap, refusing what does not fit.
enum KeymapSettings {
  static func apply(
    _ settings: [KeySetting], to keymap: Keymap, file: String
  ) -> (keymap: Keymap, problems: [Problem]) {
    var keymap = keymap
    var problems: [Problem] = []
    for setting in settings {
      do {
        let changes = try changes(setting, keymap, file)
        keymap = try keymap.remapped(changes)
      } catch let error as Mistake {
        problems.append(error.problem)
      } catch let clash as Keymap.Clash {
        problems.append(problem(clash, setting, file))
      } catch {
        continue
      }
    }
    return (keymap, problems)
  }

  private struct Mistake: Error {
    var problem: Problem
  }

  private static func changes(
    _ setting: KeySetting, _ keymap: Keymap, _ file: String
  ) throws -> [(phase: PhaseName, command: CommandName, chords: [Keymap.Chord])] {
    let phases: [PhaseName]
    if setting.phase == "any" {
      phases = PhaseName.allCases
    } else if let phase = PhaseName(rawValue: setting.phase) {
      phases = [phase]
    } else {
      let names = PhaseName.allCases.map(\.rawValue) + ["any"]
      throw mistake(
        file, setting.phasePlace, "phase", setting.phase,
        Nearest.name(to: setting.phase, among: names))
    }
    guard let command = CommandName(name: setting.command) else {
      throw mistake(
        file, setting.commandPlace, "command", setting.command,
        Nearest.name(to: setting.command, among: CommandName.allCases.map(\.rawValue)))
    }
    let chords = try setting.strokes.map { stroke -> Keymap.Chord in
      try stroke.name.split(separator: " ").map { word in
        guard let known = KeyStroke(name: String(word)) else {
          throw mistake(
            file, stroke.place, "key", String(word),
            Nearest.name(to: String(word), among: Keymap.defaultStrokeNames))
        }
        return known
      }
    }
    return phases.map { ($0, command, chords) }
  }

  private static func mistake(
    _ file: String, _ place: ConfigurationPlace, _ what: String, _ name: String,
    _ nearest: String?
  ) -> Mistake {
    let shown = SpokenName.clean(name)
    let hint = nearest.map { " Did you mean \"\($0)\"?" } ?? ""
    return Mistake(
      problem: .configuration(
        file: file, line: place.line, column: place.column,
        detail: "There is no \(what) \"\(shown)\".\(hint)"))
  }

  private static func problem(
    _ clash: Keymap.Clash, _ setting: KeySetting, _ file: String
  ) -> Problem {
    let phrases = Phrasebook()
    let keys = clash.chord.map(phrases.keyName).joined(separator: " ")
    let place = setting.strokes.first?.place ?? setting.commandPlace
    return .configuration(
      file: file, line: place.line, column: place.column,
      detail:
        "\(keys) means \(clash.first.rawValue) and \(clash.second.rawValue) while \(clash.phase.rawValue). Give one of them another key."
    )
  }
}
