/// The person's settings of speech.
package struct SpeechSettings: Hashable, Sendable {
  /// Words a minute, 80 to 450; any other number is clamped.
  package var rate: Int
  /// 0 (low) to 100 (high).
  package var pitch: Int
  /// 0 (silent) to 100.
  package var volume: Int
  /// Names of espeak-ng voices ("en-us", "de+f3") by BCP 47 tag, which override the defaults.
  package var voices: [String: String]
  /// Whether earcons precede the words.
  package var earcons: Bool
  /// The phrase for characters that can't be spoken, in the listener's language.
  package var unreadableCharacter: String
  /// Words, in the listener's language, for characters that distinguish names although voices skip
  /// them: "report (2)" is not "report 2".
  package var spokenCharacterNames: [Unicode.Scalar: String]

  package init(
    rate: Int = 175, pitch: Int = 50, volume: Int = 100, voices: [String: String] = [:],
    earcons: Bool = false, unreadableCharacter: String = SpeechText.unreadableCharacter,
    spokenCharacterNames: [Unicode.Scalar: String] = [:]
  ) {
    self.rate = rate
    self.pitch = pitch
    self.volume = volume
    self.voices = voices
    self.earcons = earcons
    self.unreadableCharacter = unreadableCharacter
    self.spokenCharacterNames = spokenCharacterNames
  }

  var boundedRate: Int { min(max(rate, 80), 450) }
  var boundedPitch: Int { min(max(pitch, 0), 100) }
  var boundedVolume: Int { min(max(volume, 0), 100) }
}
