import KeyDragCore

/// The settings that the person has made, with the usual value for each that is not set.
///
/// The file is one YAML mapping. Every setting is optional:
///
/// | setting | value | usual |
/// |---|---|---|
/// | `language` | BCP 47 tag; so far `en` | `en` |
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
  /// How much is said.
  package enum Verbosity: String, Hashable, Sendable, CaseIterable {
    case brief
    case full
  }

  /// Whether there is a voice.
  package enum Speech: String, Hashable, Sendable, CaseIterable {
    /// On in a session at a terminal, off elsewhere.
    case auto
    case on
    case off
  }

  /// Where KeyDrag's own voice comes from.
  package enum Synthesizer: String, Hashable, Sendable, CaseIterable {
    /// speech-dispatcher where the person has settings of their own for it and no voice, rate, pitch or
    /// volume in this file, espeak-ng elsewhere.
    case auto
    /// With the settings of this file.
    case espeak = "espeak-ng"
    /// With what the person has set there, as screen readers speak.
    case dispatcher = "speech-dispatcher"
  }

  /// BCP 47 tag of the messages; `nil`: English.
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
  /// Whether short sounds come before the words.
  package var earcons = false
  /// The policy of a command when a name exists at the target.
  package var clash = ClashPolicy.keepBoth
  /// Whether a copy is on the disk before it is said to be made; else a power cut within half a minute
  /// may leave it empty.
  package var waitsForDisk = true
  /// Whether names that begin with a dot are shown at the start.
  package var showsHidden = false
  /// Whether bookmarks, the person's folders, disks and recent targets stand behind the places.
  package var shortcuts = true
  /// From how many bytes on a delivery says its size at the start.
  package var threshold: Int64 = 16_777_216
  /// Changes of the keymap, in the order of the file; names are checked by the keymap.
  package var keys: [KeySetting] = []

  package init() {}

  /// Whether no voice, rate, pitch or volume is set for espeak-ng.
  package var hasUsualVoice: Bool {
    let usual = Configuration()
    return (rate, pitch, volume, voices) == (usual.rate, usual.pitch, usual.volume, usual.voices)
  }

  /// A file with every setting at its usual value.
  package static let example = """
    # KeyDrag's settings. All are optional; these are the usual values.

    # The language of the messages, such as de or pt-BR. Left out: as the system says.
    # language: en

    # How much is said: brief or full.
    verbosity: full

    # The voice: auto (in a session only), on or off.
    speech: auto

    # Who speaks: espeak-ng, with the settings below, or speech-dispatcher, with the voice and the
    # rate that you have set there. auto is speech-dispatcher where you have settings of your own for
    # it and change none of those below, and espeak-ng elsewhere.
    synthesizer: auto
    rate: 175         # words a minute, 80 to 450
    pitch: 50         # 0 to 100
    volume: 100       # 0 to 100
    earcons: false    # short sounds before the words: true or false

    # espeak-ng voices by language.
    # voices:
    #   en: en-us
    #   de: de+f3

    # What copy, move and link do when a name exists: keep-both, replace, skip, fail, merge,
    # merge-replace or merge-skip.
    clash: keep-both

    # Copies are on the disk before they are said to be made. With false they are said sooner, and a
    # power cut within half a minute may leave them empty.
    wait-for-disk: true

    # Names that begin with a dot.
    show-hidden: false

    # Bookmarks, your own folders, disks and the last targets as places at the end of the walk.
    shortcuts: true

    # Deliveries of this size and more say their size at the start.
    threshold: 16 MiB

    # Other keys for a command, by phase (browsing, carrying, confirming, any).
    # An empty list takes a command's keys away.
    # keys:
    #   browsing:
    #     pick-up: [space, ctrl+p]
    #   carrying:
    #     drop: [enter]
    #   desktop:       # the keys that keydrag desktop takes from all programs
    #     pick-up: [ctrl+alt+space]
    #     deliveries: [ctrl+alt+shift+space]

    """
}

/// A place in the configuration file; both count from 1, columns in Unicode scalars.
package struct ConfigurationPlace: Hashable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// The strokes given to one command in one phase, as they are written in the file.
package struct KeySetting: Hashable, Sendable {
  /// The name of one stroke ("ctrl+t"), and where it stands.
  package struct Stroke: Hashable, Sendable {
    package var name: String
    package var place: ConfigurationPlace

    package init(name: String, place: ConfigurationPlace) {
      self.name = name
      self.place = place
    }
  }

  package var phase: String
  package var phasePlace: ConfigurationPlace
  package var command: String
  package var commandPlace: ConfigurationPlace
  /// Empty: the command has no key in this phase.
  package var strokes: [Stroke]

  package init(
    phase: String, phasePlace: ConfigurationPlace, command: String,
    commandPlace: ConfigurationPlace, strokes: [Stroke]
  ) {
    self.phase = phase
    self.phasePlace = phasePlace
    self.command = command
    self.commandPlace = commandPlace
    self.strokes = strokes
  }
}
