import KeyDragCore

extension ConfigurationProblem {
  /// The subject, the reason and the remedy, safe to speak.
  package func words(in phrases: Phrasebook) -> String {
    guard subject == .profile else { return settingWords(in: phrases) }
    return phrases.join(
      profileWords(in: phrases),
      // After a mistake in a file that tells about a program, such as "thunar.yaml".
      phrases.phrase("This profile is left out until it is mended."))
  }

  private func profileWords(in phrases: Phrasebook) -> String {
    switch kind {
    case .syntax(let mistake): Self.syntax(mistake, phrases)
    case .repeated(let name):
      // A mistake in a file that tells about a program, after the file and the place. %1$@ is the
      // name of a setting in quotation marks.
      phrases.phrase("%1$@ is set more than once. Keep one.", Self.quoted(name, phrases))
    case .wrong(let name, let expected, let found):
      Self.wrong(Self.quoted(name, phrases), expected, Self.words(for: found, phrases), phrases)
    case .missing, .unreadable, .tooLarge, .notUTF8, .anchor, .notSettings, .unknown, .more:
      settingWords(in: phrases)
    }
  }

  private func settingWords(in phrases: Phrasebook) -> String {
    switch kind {
    // The file of settings that was named on the command line; its name comes before.
    case .missing: phrases.phrase("There is no such file. Check the name after --config.")
    case .unreadable(let reason): Self.unreadable(reason, phrases)
    case .tooLarge:
      phrases.phrase(
        // The file of settings; its name comes before. MiB is a unit.
        "It is larger than 1 MiB. Settings take much less; check that it is the right file.")
    // The file of settings; its name and the place come before.
    case .notUTF8: phrases.phrase("It is not UTF-8 text here. Save it as UTF-8.")
    case .syntax(let mistake):
      phrases.join(
        Self.syntax(mistake, phrases),
        // After what is wrong in the file of settings, which can't be read as a whole.
        phrases.phrase("The usual settings are used until it is mended."))
    case .anchor:
      phrases.phrase(
        // A mistake in the file of settings: short names for values, a feature of YAML that is not
        // supported. After the file and the place.
        "Anchors and aliases are not understood. Write the value out, or put it in quotes.")
    case .notSettings:
      // A mistake in the file of settings: it must look like "rate: 175". After the file and the
      // place.
      phrases.phrase("Settings are written as name, colon, value, one on each line.")
    case .repeated(let name):
      phrases.phrase(
        // A mistake in the file of settings, after the file and the place. %1$@ is the name of a
        // setting in quotation marks.
        "%1$@ is set more than once, so the usual settings are used. Keep one.",
        Self.quoted(name, phrases))
    case .unknown(let name, let nearest): Self.unknown(name, nearest, phrases)
    case .wrong(let name, let expected, let found):
      phrases.join(
        Self.wrong(Self.quoted(name, phrases), expected, Self.words(for: found, phrases), phrases),
        // After a mistake in the file of settings: the value that a setting has when it is not set.
        phrases.phrase("The usual value is used."))
    case .more:
      // After many mistakes in the file of settings.
      phrases.phrase("There is more wrong after this. Correct what was said first.")
    }
  }

  private static func unreadable(_ reason: Reason, _ phrases: Phrasebook) -> String {
    switch reason {
    case .notPermitted:
      // The file of settings; its name comes before.
      phrases.phrase("It can't be read: you are not allowed to. Change its permissions.")
    case .isAFolder:
      // The file of settings; its name comes before.
      phrases.phrase("It can't be read: it is a folder. Give the name of a file.")
    case .specialFile:
      // The file of settings; its name comes before.
      phrases.phrase("It can't be read: it is a device or a pipe. Give the name of a file.")
    case .linkLoop:
      // The file of settings; its name comes before. The links are symbolic links.
      phrases.phrase("It can't be read: its links lead in a circle. Replace it by a file.")
    default:
      // The file of settings; its name comes before.
      phrases.phrase("It can't be read: the disk reported an error. Choose another file.")
    }
  }

  private static func syntax(_ mistake: SyntaxProblem, _ phrases: Phrasebook) -> String {
    switch mistake {
    // A mistake in the file of settings, after the file, line and column. YAML is its format.
    case .valueMissing: phrases.phrase("This is not YAML: a value is missing.")
    // A mistake in the file of settings, after the file, line and column. YAML is its format.
    case .colonMissing: phrases.phrase("This is not YAML: a colon is missing.")
    case .colonTooMany:
      // A mistake in the file of settings, after the file, line and column. YAML is its format.
      phrases.phrase("This is not YAML: a colon is too many, or the line before is wrong.")
    case .listNotClosed:
      // A mistake in the file of settings, after the file, line and column. YAML is its format.
      phrases.phrase("This is not YAML: a square bracket is not closed.")
    case .braceNotClosed:
      // A mistake in the file of settings, after the file, line and column. YAML is its format.
      phrases.phrase("This is not YAML: a curly bracket is not closed.")
    case .quoteNotClosed:
      // A mistake in the file of settings, after the file, line and column. YAML is its format.
      phrases.phrase("This is not YAML: quotation marks are not closed.")
    case .indentation:
      // A mistake in the file of settings, after the file, line and column. YAML is its format. The
      // number of blanks at the beginning of the line is wrong.
      phrases.phrase("This is not YAML: the line is indented wrongly.")
    case .character:
      phrases.phrase(
        // A mistake in the file of settings, after the file, line and column. YAML is its format.
        // Blanks are what the space bar makes, tabs what the key Tab makes.
        "This is not YAML: no value begins like this. Use quotation marks, and blanks, not tabs.")
    case .control:
      // A mistake in the file of settings, after the file, line and column. YAML is its format.
      // Control characters are characters that can't be seen.
      phrases.phrase("This is not YAML: control characters are not allowed.")
    case .severalDocuments:
      // A mistake in the file of settings, after the file, line and column. YAML is its format. A
      // line of three hyphens begins another document.
      phrases.phrase("This is not YAML: another document begins here.")
    // A mistake in the file of settings, after the file, line and column. YAML is its format.
    case .other: phrases.phrase("This is not YAML.")
    }
  }

  private static func unknown(
    _ name: String, _ nearest: String?, _ phrases: Phrasebook
  ) -> String {
    let name = quoted(name, phrases)
    guard let nearest else {
      // A mistake in the file of settings, after the file, line and column. %1$@ is a word in
      // quotation marks.
      return phrases.phrase("There is no setting %1$@. Remove it.", name)
    }
    return phrases.join(
      // A mistake in the file of settings, after the file, line and column; a guess at what was
      // meant follows. %1$@ is a word in quotation marks.
      phrases.phrase("There is no setting %1$@.", name),
      // After "There is no … of this name". %1$@ is the name that was probably meant.
      phrases.phrase("Did you mean %1$@?", quoted(nearest, phrases)))
  }

  private static func wrong(
    _ name: String, _ expected: Expectation, _ found: String, _ phrases: Phrasebook
  ) -> String {
    switch expected {
    case .languageTag:
      // A mistake in the file of settings. %1$@ is the name of the setting in quotation marks, %2$@
      // what stands there: a word in quotation marks, "empty" or "a list".
      phrases.phrase("%1$@ must be a language tag like pl or pt-BR, not %2$@.", name, found)
    case .voices:
      // A mistake in the file of settings. %1$@ is the name of the setting in quotation marks, %2$@
      // what stands there: a word in quotation marks, "empty" or "a list".
      phrases.phrase("%1$@ must be a list of language, colon, voice, not %2$@.", name, found)
    case .voiceLanguages:
      phrases.phrase(
        // A mistake in the file of settings. %1$@ is the name of the setting in quotation marks,
        // %2$@ what stands there: a word in quotation marks, "empty" or "a list".
        "%1$@ must be a list of language tags with a voice for each, not %2$@.", name, found)
    case .voiceName:
      phrases.phrase(
        // A mistake in the file of settings. %1$@ is a language in quotation marks, %2$@ what
        // stands there: a word in quotation marks, "empty" or "a list". espeak-ng is the
        // synthesizer.
        "%1$@ must be the name of an espeak-ng voice, like en-us or de+f3, not %2$@.", name, found)
    case .phases:
      // A mistake in the file of settings, where keys are given to commands. %1$@ is the name of
      // the setting in quotation marks, %2$@ what stands there: a word in quotation marks, "empty"
      // or "a list". A phase is browsing, carrying or confirming.
      phrases.phrase("%1$@ must be phases with commands in them, not %2$@.", name, found)
    case .commands:
      phrases.phrase(
        // A mistake in the file of settings, where keys are given to commands. %1$@ is a phase in
        // quotation marks, %2$@ what stands there: a word in quotation marks, "empty" or "a list".
        // A stroke is a key with its modifiers.
        "%1$@ must be commands with a list of strokes for each, not %2$@.", name, found)
    case .strokes:
      // A mistake in the file of settings, where keys are given to commands. %1$@ is a command in
      // quotation marks, %2$@ what stands there: a word in quotation marks, "empty" or "a list". A
      // stroke is a key with its modifiers; ctrl+t stays.
      phrases.phrase("%1$@ must be a list of strokes like ctrl+t, not %2$@.", name, found)
    case .wholeNumber(let range):
      phrases.phrase(
        // A mistake in the file of settings. %1$@ is the name of the setting in quotation marks,
        // %2$@ and %3$@ are numbers as they may be typed, %4$@ what stands there: a word in
        // quotation marks, "empty" or "a list".
        "%1$@ must be a whole number from %2$@ to %3$@, not %4$@.", name,
        String(range.lowerBound), String(range.upperBound), found)
    case .byteCount:
      phrases.phrase(
        // A mistake in the file of settings. %1$@ is the name of the setting in quotation marks,
        // %2$@ what stands there: a word in quotation marks, "empty" or "a list". MiB is a unit.
        "%1$@ must be a number of bytes like 5000000, or like 16 MiB, not %2$@.", name, found)
    case .oneOf(let words):
      // A mistake in the file of settings. %1$@ is the name of the setting in quotation marks, %2$@
      // the words that may stand there, such as "auto, on or off", %3$@ what stands there: a word
      // in quotation marks, "empty" or "a list".
      phrases.phrase("%1$@ must be %2$@, not %3$@.", name, choices(words, phrases), found)
    case .names:
      // A mistake in a file that tells about a program. %1$@ is the name of the setting in quotation
      // marks, %2$@ what stands there: a word in quotation marks, "empty" or "a list".
      phrases.phrase("%1$@ must be a name or a list of names, not %2$@.", name, found)
    case .rules(let most):
      phrases.phrase(
        // A mistake in a file that tells about a program. %1$@ is the name of the setting in
        // quotation marks, %2$@ a number, %3$@ what stands there: a word in quotation marks, "empty"
        // or "a list".
        "%1$@ must be a list of at most %2$@ rules, not %3$@.", name, phrases.number(most), found)
    case .attributes:
      phrases.phrase(
        // A mistake in a file that tells about a program. %1$@ is the name of the setting in
        // quotation marks, %2$@ what stands there: a word in quotation marks, "empty" or "a list".
        "%1$@ must be a list of attribute, colon, value, not %2$@.", name, found)
    case .parts:
      phrases.phrase(
        // A mistake in a file that tells about a program: parts of a place on the screen. Left, top,
        // right and bottom are fractions. %1$@ is the name of the setting in quotation marks, %2$@
        // what stands there: a word in quotation marks, "empty" or "a list".
        "%1$@ must be parts with left, top, right and bottom from 0 to 1, not %2$@.", name, found)
    }
  }

  private static func choices(_ words: [String], _ phrases: Phrasebook) -> String {
    guard words.count > 1, let last = words.last else { return phrases.list(words) }
    // Words of which one is to be chosen. %1$@ is one or more of them with commas, %2$@ the last.
    return phrases.term(
      in: "a choice", "%1$@ or %2$@", phrases.list(words.dropLast()), last)
  }

  private static func words(for found: Found, _ phrases: Phrasebook) -> String {
    switch found {
    // In place of a value in the file of settings, after "… must be a number, not".
    case .nothing: phrases.term(in: "a value", "empty")
    case .text(let text): quoted(text, phrases)
    // In place of a value in the file of settings, after "… must be a number, not".
    case .list: phrases.term(in: "a value", "a list")
    // In place of a value in the file of settings, after "… must be a number, not".
    case .settings: phrases.term(in: "a value", "a list of settings")
    }
  }

  /// Text from the file, sanitised, truncated, and in quotation marks.
  private static func quoted(_ text: String, _ phrases: Phrasebook) -> String {
    let bounded = String(String.UnicodeScalarView(text.unicodeScalars.prefix(60)))
    let cut = bounded.unicodeScalars.count < text.unicodeScalars.count
    // A word from the file of settings in this language's quotation marks. %1$@ is the word.
    return phrases.term(
      in: "quotation", "\"%1$@\"", SpokenName.clean(bounded) + (cut ? "…" : ""))
  }
}
