/// Prepares text for a synthesizer: file names become audible, and anything that could command the
/// synthesizer is removed.
package enum SpeechText {
  /// The longest text that is spoken, in Unicode scalars: about four minutes at the usual rate.
  package static let longest = 4096

  /// The English phrase for characters that can't be spoken.
  package static let unreadableCharacter = "unreadable character"

  /// Announces each run of unspeakable characters once, names the signs of `settings`, turns other
  /// underscores into blanks, and makes dots and long numbers in file names audible.
  package static func forVoice(
    _ text: String, settings: SpeechSettings = SpeechSettings()
  ) -> String {
    var words: [String] = []
    for word in speakable(text, settings).split(separator: " ") {
      words.append(isName(word) ? spokenName(word) : String(word))
    }
    return words.joined(separator: " ")
  }

  private enum Treatment { case keep, blank, drop, unreadable }

  /// Text without unspeakable characters; each run of them is announced once.
  private static func speakable(_ text: String, _ settings: SpeechSettings) -> String {
    var result = String.UnicodeScalarView()
    var isInRun = false
    for scalar in text.unicodeScalars.prefix(longest) {
      if let name = settings.spokenCharacterNames[scalar] {
        result.append(contentsOf: " \(name) ".unicodeScalars)
        isInRun = false
        continue
      }
      let treatment = treatment(of: scalar)
      if treatment == .unreadable, !isInRun {
        result.append(contentsOf: " \(settings.unreadableCharacter) ".unicodeScalars)
      }
      isInRun = treatment == .unreadable || (isInRun && treatment == .drop)
      switch treatment {
      case .keep: result.append(scalar)
      case .blank: result.append(" ")
      case .drop, .unreadable: break
      }
    }
    return String(result)
  }

  private static func treatment(of scalar: Unicode.Scalar) -> Treatment {
    switch scalar.value {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x2028, 0x2029: .blank
    // C0, DEL and C1; 01 would begin a command to espeak-ng within the text.
    case 0..<0x20, 0x7F..<0xA0: .unreadable
    // Control pictures, the replacement character, private use, tags.
    case 0x2400...0x2426, 0xFFFD, 0xE000...0xF8FF, 0xFFF9...0xFFFC, 0xE0000...0xE0FFF,
      0xF0000...0x10FFFF:
      .unreadable
    // Directional marks and line-breaking controls are silent.
    case 0x200B, 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2060, 0x2066...0x2069, 0xFEFF, 0xAD:
      .drop
    // Doubled square brackets begin phonemes in some modes of espeak-ng, and mean nothing to a
    // listener.
    case 0x5B, 0x5D: .blank
    default: .keep
    }
  }

  /// Whether a word looks like the name of a file: an underscore, a dot before a letter, or letters
  /// and digits together.
  private static func isName(_ word: Substring) -> Bool {
    let bytes = Array(word.utf8)
    if bytes.contains(UInt8(ascii: "_")) { return true }
    let hasLetter = bytes.contains { isLetter($0) || $0 >= 0x80 }
    return hasLetter && bytes.contains(where: isDigit)
      || bytes.indices.dropLast().contains { index in
        bytes[index] == UInt8(ascii: ".") && isLetter(bytes[index + 1])
      }
  }

  /// A file name with its parts set apart.
  private static func spokenName(_ word: Substring) -> String {
    var result: [UInt8] = []
    var bytes = Array(word.utf8)[...]
    while let byte = bytes.first {
      if isDigit(byte) {
        let digits = bytes.prefix(while: isDigit)
        result.append(contentsOf: spokenDigits(Array(digits)))
        bytes = bytes.dropFirst(digits.count)
        continue
      }
      bytes = bytes.dropFirst()
      if byte == UInt8(ascii: "_") {
        result.append(UInt8(ascii: " "))
      } else {
        // After a digit espeak-ng takes the dot for a decimal point, and drops it before letters.
        if byte == UInt8(ascii: "."), let next = bytes.first, isLetter(next),
          let last = result.last, isDigit(last)
        {
          result.append(UInt8(ascii: " "))
        }
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self).split(separator: " ").joined(separator: " ")
  }

  /// A date as year, month and day; other runs of six digits and more digit by digit or in pairs,
  /// as nobody follows "twenty million two hundred and forty thousand". Shorter ones are read as a
  /// number.
  private static func spokenDigits(_ digits: [UInt8]) -> [UInt8] {
    if digits.count == 8, isDate(digits) {
      return Array(digits[0..<4]) + [0x20] + digits[4..<6] + [0x20] + digits[6..<8]
    }
    guard digits.count >= 6 else { return digits }
    // Six digits, such as a time of day or a serial number, are easiest in pairs.
    let step = digits.count == 6 ? 2 : 1
    return stride(from: 0, to: digits.count, by: step)
      .map { Array(digits[$0..<$0 + step]) }
      .joined(separator: [0x20])
      .map { $0 }
  }

  /// Whether eight digits are a date between 1900 and 2199.
  private static func isDate(_ digits: [UInt8]) -> Bool {
    func number(_ range: Range<Int>) -> Int {
      digits[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }
    return (1900...2199).contains(number(0..<4)) && (1...12).contains(number(4..<6))
      && (1...31).contains(number(6..<8))
  }

  /// In ASCII.
  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// In ASCII, small or capital.
  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
