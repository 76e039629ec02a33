extension Phrasebook {
  /// Spoken in place of characters that the voice can't read.
  package var unreadableCharacter: String {
    // The voice says this in the middle of a name, in place of one or more characters that it can't
    // read, such as kanji in Japanese or a picture without a name.
    phrase("unreadable character")
  }

  /// A shortcoming of the voice, as `keydrag doctor` reports it.
  package func voiceLimit(_ limit: VoiceLimit) -> String {
    switch limit {
    // Only for Japanese. Where the voice is not good enough, in the list of what works on this
    // computer.
    case .kanji: phrase("It does not read names in kanji.")
    case .hebrewVowels:
      // Only for Hebrew. Where the voice is not good enough, in the list of what works on this
      // computer.
      phrase("It does not know the vowels of most words, and is hard to understand.")
    case .shortVowels:
      // Only for Arabic. Where the voice is not good enough, in the list of what works on this
      // computer.
      phrase("It leaves out short vowels, and some words are hard to understand.")
    case .tones:
      // Only for Chinese. Where the voice is not good enough, in the list of what works on this
      // computer.
      phrase("Its tones are hard to tell apart, and it does not know rare characters.")
    case .counting:
      // Only for Korean and Japanese, which have two ways to say a number: the voice always takes
      // the one that comes from Chinese. In the list of what works on this computer.
      phrase("It reads numbers in the Chinese way, whatever is counted.")
    }
  }

  package var voiceLimitRemedy: String {
    // Advice for when the voice is not good enough. --speech off is an option and stays as it is; a
    // screen reader may speak with another synthesizer than espeak-ng.
    phrase("A screen reader with another voice may do better: use it with --speech off.")
  }
}
