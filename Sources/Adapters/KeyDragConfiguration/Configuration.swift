import KeyDragCore

/// The person's settings, with a default for each that is not set.
///
/// The file is one YAML mapping. Every setting is optional:
///
/// | setting | value | default |
/// |---|---|---|
/// | `language` | BCP 47 tag | by the environment |
/// | `verbosity` | `brief` or `full` | `full` |
/// | `speech` | `auto`, `on` or `off` | `auto` |
/// | `synthesizer` | `auto`, `espeak-ng` or `speech-dispatcher` | `auto` |
/// | `rate` | words a minute, 80 to 450 | 175 |
/// | `pitch` | 0 to 100 | 50 |
/// | `volume` | 0 to 100 | 100 |
/// | `voices` | language: espeak-ng voice | none |
/// | `earcons` | `true` or `false` | `false` |
/// | `clash` | `keep-both`, `replace`, `skip`, `fail`, `merge`, `merge-replace` or `merge-skip` | `keep-both` |
/// | `wait-for-disk` | `true` or `false` | `true` |
/// | `show-hidden` | `true` or `false` | `false` |
/// | `shortcuts` | `true` or `false` | `true` |
/// | `threshold` | bytes, or a number with kB, MB, GB, KiB, MiB, GiB | 16 MiB |
/// | `keys` | phase, or `desktop`: command: list of strokes | none |
///
/// Anchors, aliases and more than one document are refused; a file is at most 1 MiB.
package struct Configuration: Hashable, Sendable {
  package enum Speech: String, Hashable, Sendable, CaseIterable {
    /// On in a session at a terminal, off elsewhere.
    case auto
    case on
    case off
  }

  package enum Synthesizer: String, Hashable, Sendable, CaseIterable {
    /// speech-dispatcher if the person has settings of their own for it and no voice, rate, pitch
    /// or volume in this file, else espeak-ng.
    case auto
    /// With the settings of this file.
    case espeak = "espeak-ng"
    /// With the person's settings there, as screen readers speak.
    case dispatcher = "speech-dispatcher"
  }

  /// BCP 47 tag of the messages; `nil` follows the environment.
  package var language: String?
  package var verbosity = Verbosity.full
  package var speech = Speech.auto
  package var synthesizer = Synthesizer.auto
  /// Words a minute, 80 to 450.
  package var rate = 175
  /// 0 (low) to 100 (high).
  package var pitch = 50
  /// 0 (silent) to 100.
  package var volume = 100
  /// Names of espeak-ng voices by BCP 47 tag.
  package var voices: [String: String] = [:]
  /// Whether earcons precede the words.
  package var earcons = false
  /// The policy of commands when a name exists at the target.
  package var clash = ClashPolicy.keepBoth
  /// Whether a copy is reported only once it is on the disk; otherwise a power cut within half a
  /// minute may leave it empty.
  package var flushesToDevice = true
  /// Whether names with a leading dot are shown at the start.
  package var showsHidden = false
  /// Whether bookmarks, the person's folders, disks and recent targets follow the places.
  package var shortcuts = true
  /// The least size in bytes that a delivery announces at the start.
  package var threshold: Int64 = 16_777_216
  /// Changes of the keymap, in the order of the file; the keymap validates names.
  package var keys: [KeySetting] = []

  package init() {}

  /// Whether voice, rate, pitch and volume have their defaults.
  package var hasUsualVoice: Bool {
    let usual = Configuration()
    return (rate, pitch, volume, voices) == (usual.rate, usual.pitch, usual.volume, usual.voices)
  }
}

/// A place in the configuration file; both count from 1, columns in Unicode scalars.
package struct ConfigurationPlace: Hashable, Sendable {
  package var line: Int
  package var column: Int
}

/// The strokes of one command in one phase, as written in the file.
package struct KeySetting: Hashable, Sendable {
  /// The name of a stroke ("ctrl+t"), and its place.
  package struct Stroke: Hashable, Sendable {
    package var name: String
    package var place: ConfigurationPlace
  }

  package var phase: String
  package var phasePlace: ConfigurationPlace
  package var command: String
  package var commandPlace: ConfigurationPlace
  /// Empty if the command has no key in this phase.
  package var strokes: [Stroke]
}
