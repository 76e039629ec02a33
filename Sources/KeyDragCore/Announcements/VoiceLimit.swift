/// A shortcoming of the synthesizer's voice for a language.
package enum VoiceLimit: Hashable, Sendable, CaseIterable {
  /// Names in kanji are not read.
  case kanji
  /// Most vowels of Hebrew are not written, and the voice does not know them.
  case hebrewVowels
  /// Short vowels are not written, and the voice guesses them.
  case shortVowels
  /// Tones are hard to tell apart, and rare characters are not read.
  case tones
  /// Numbers are read in one of two ways, whatever is counted.
  case counting

  package var languages: Set<String> {
    switch self {
    case .kanji: ["ja"]
    case .hebrewVowels: ["he", "iw", "yi"]
    case .shortVowels: ["ar", "fa", "ur"]
    case .tones: ["zh", "cmn", "yue"]
    case .counting: ["ko", "ja"]
    }
  }
}
