/// A part of a message for one voice.
package struct VoiceRun: Hashable, Sendable {
  package var text: String
  /// BCP 47 tag of the language whose voice reads it.
  package var language: String
}

/// Splits a message into runs for the voices that can read them.
///
/// The message's own language keeps its script, the digits, the punctuation and the blanks.
/// Punctuation and digits attached to a word in another script stay with that word; a separate
/// number between two languages is in the message's own, so that "2 of 4" after a name is
/// understood.
///
/// Kanji: espeak-ng's Japanese voice says "Chinese letter" for each character, and its Mandarin
/// voice would make sounds by which nobody in Japan knows the name. So in a Japanese message, and
/// in a name that has kana as well, each run of kanji is announced once as unreadable, and the kana
/// around it are read. In a Chinese message they are read in Mandarin, as people there read
/// Japanese names, too.
package enum VoiceRunSplitter {
  /// - Parameter unreadable: the words for unreadable text, in the message's language.
  /// - Returns: in the order of the text.
  package static func runs(
    in text: String, language: String, unreadable: String
  ) -> [VoiceRun] {
    let own = WritingSystem.own(of: language)
    if own == .latin, isPlain(text) { return [VoiceRun(text: text, language: language)] }
    var pieces = split(text, language: language, own: own)
    settleHan(&pieces, own: own)
    pieces = settleNeutral(pieces)
    return assemble(pieces.flatMap { voiced($0, language: language) }, language, unreadable)
  }

  /// Whether the voice of a language in Latin letters suffices: no byte of UTF-8 is greater below
  /// U+0280, where everything is Latin or common to all.
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 < 0xCA }
  }

  // MARK: Pieces

  /// The kind of a stretch of text, as far as it decides on the voice.
  private enum Kind: Hashable {
    /// In the script of the message's own language.
    case own
    case foreign(WritingSystem)
    /// For no particular voice, an emoji to name, or unreadable.
    case neutral, picture, unspoken
  }

  private struct Piece {
    var kind: Kind
    var text: [Unicode.Scalar]
  }

  /// Stretches of one kind. A word with letters of the message's own script that its voice does not
  /// know is foreign.
  private static func split(_ text: String, language: String, own: WritingSystem) -> [Piece] {
    var pieces: [Piece] = []
    func add(_ scalar: Unicode.Scalar, _ kind: Kind) {
      if pieces.last?.kind == kind {
        pieces[pieces.count - 1].text.append(scalar)
      } else {
        pieces.append(Piece(kind: kind, text: [scalar]))
      }
    }
    for scalar in text.unicodeScalars {
      switch CharacterRole(scalar) {
      case .letter(let script): add(scalar, script == own ? .own : .foreign(script))
      case .picture: add(scalar, .picture)
      case .englishSymbol: add(scalar, LanguageTag.base(language) == "en" ? .own : .unspoken)
      case .unspoken: add(scalar, .unspoken)
      case .neutral:
        // A mark over a letter, or between two, is part of the word.
        if isMark(scalar), let last = pieces.indices.last {
          pieces[last].text.append(scalar)
        } else {
          add(scalar, .neutral)
        }
      }
    }
    for index in pieces.indices where pieces[index].kind == .own {
      let isRead = pieces[index].text.allSatisfy {
        CharacterRole($0) != .letter(own) || ScriptVoices.reads($0, in: own, of: language)
      }
      if !isRead { pieces[index].kind = .foreign(own) }
    }
    return pieces
  }

  /// Whether it belongs to the letter before.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .modifierLetter, .format: true
    default: false
    }
  }

  /// Han characters in a Japanese message or in a name with kana have no voice.
  private static func settleHan(_ pieces: inout [Piece], own: WritingSystem) {
    guard own != .han else { return }
    let han = Kind.foreign(.han)
    let kana = own == .kana ? Kind.own : .foreign(.kana)
    for index in pieces.indices where pieces[index].kind == han {
      let isJapanese =
        own == .kana || reaches(kana, from: index, by: 1, pieces)
        || reaches(kana, from: index, by: -1, pieces)
      if isJapanese { pieces[index].kind = .unspoken }
    }
  }

  /// Whether kana follow within the same name: with only Han characters and what does not end a
  /// name in between.
  private static func reaches(
    _ kana: Kind, from start: Int, by step: Int, _ pieces: [Piece]
  ) -> Bool {
    var index = start + step
    while pieces.indices.contains(index) {
      switch pieces[index].kind {
      case kana: return true
      case .foreign(.han), .unspoken: break
      case .neutral where !pieces[index].text.contains(where: endsClause): break
      default: return false
      }
      index += step
    }
    return false
  }

  // MARK: Neutral text

  /// Assigns neutral text to one of its neighbours, or splits it between them.
  private static func settleNeutral(_ pieces: [Piece]) -> [Piece] {
    var result: [Piece] = []
    for (index, piece) in pieces.enumerated() {
      guard piece.kind == .neutral else {
        result.append(piece)
        continue
      }
      let before = index > 0 ? pieces[index - 1].kind : nil
      let after = index + 1 < pieces.count ? pieces[index + 1].kind : nil
      result += between(before, after, piece.text)
    }
    return result
  }

  /// The split of a stretch between two others.
  private static func between(
    _ before: Kind?, _ after: Kind?, _ text: [Unicode.Scalar]
  ) -> [Piece] {
    if before == after, let before {
      switch before {
      case .unspoken where text.contains { endsClause($0) || isSpoken($0) }: break
      case .picture: break
      default: return [Piece(kind: before, text: text)]
      }
    }
    // The dot of ".txt" goes with what follows.
    let leading =
      before == nil ? 0 : firstWord(after != nil && text.last == "." ? text.dropLast() : text[...])
    let rest = text.dropFirst(leading)
    let tail = after == nil ? 0 : lastWord(rest)
    var result: [Piece] = []
    func add(_ kind: Kind, _ text: ArraySlice<Unicode.Scalar>) {
      if !text.isEmpty { result.append(Piece(kind: kind, text: Array(text))) }
    }
    add(holder(before), text.prefix(text.count - rest.count))
    add(.own, rest.dropLast(tail))
    add(holder(after), rest.suffix(tail))
    return result
  }

  /// The kind of punctuation at a word: the word's, if it has a voice of its own, else the
  /// message's.
  private static func holder(_ kind: Kind?) -> Kind {
    if case .foreign = kind { return kind ?? .own }
    return .own
  }

  /// The number of characters that belong to the word before: to the first blank, or the end of a
  /// clause.
  private static func firstWord(_ text: ArraySlice<Unicode.Scalar>) -> Int {
    var count = 0
    for scalar in text {
      if isBlank(scalar) { break }
      count += 1
      if endsClause(scalar) { break }
    }
    return count
  }

  /// The number of characters that belong to the word after: back to the last blank, or the end of
  /// a clause.
  private static func lastWord(_ text: ArraySlice<Unicode.Scalar>) -> Int {
    text.reversed().prefix { !isBlank($0) && !endsClause($0) }.count
  }

  /// Of any width.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace
  }

  /// Whether it asks for a pause, in any of the scripts.
  private static func endsClause(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ",", ";", ":", "!", "?", "\u{3001}", "\u{3002}", "\u{60C}", "\u{61B}", "\u{61F}",
      "\u{FF01}", "\u{FF0C}", "\u{FF1A}", "\u{FF1B}", "\u{FF1F}":
      true
    default: false
    }
  }

  /// Whether it is read as a word: a digit or a symbol.
  private static func isSpoken(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .decimalNumber, .mathSymbol, .currencySymbol, .otherSymbol: true
    default: "%&#@*".unicodeScalars.contains(scalar)
    }
  }

  // MARK: Voices

  private enum Voicing: Hashable {
    case language(String)
    /// Announced as unreadable.
    case nobody
  }

  /// The parts of a stretch with their readers. Single letters that the voice does not know are
  /// unreadable.
  private static func voiced(
    _ piece: Piece, language: String
  ) -> [(Voicing, [Unicode.Scalar])] {
    switch piece.kind {
    case .own, .neutral: return [(.language(language), piece.text)]
    case .unspoken: return [(.nobody, piece.text)]
    case .picture:
      let namer = ScriptVoices.namesPictures(language) ? language : "en"
      return [(.language(namer), piece.text)]
    case .foreign(let script):
      let letters = piece.text.filter { CharacterRole($0) == .letter(script) }
      let reader = ScriptVoices.language(for: letters, of: script)
      var result: [(Voicing, [Unicode.Scalar])] = []
      for scalar in piece.text {
        let isRead =
          CharacterRole(scalar) != .letter(script)
          || ScriptVoices.reads(scalar, in: script, of: reader)
        let voicing = isRead ? Voicing.language(reader) : .nobody
        if result.last?.0 == voicing {
          result[result.count - 1].1.append(scalar)
        } else {
          result.append((voicing, [scalar]))
        }
      }
      return result
    }
  }

  /// Joins parts into runs, without blanks at their ends and without inaudible runs.
  private static func assemble(
    _ parts: [(voicing: Voicing, text: [Unicode.Scalar])], _ language: String,
    _ unreadable: String
  ) -> [VoiceRun] {
    var result: [VoiceRun] = []
    var wasNobody = false
    // A phrase without a translation is English.
    let isEnglish =
      WritingSystem.own(of: language) != .latin && unreadable.utf8.allSatisfy { $0 < 0x80 }
    for part in parts {
      let run: VoiceRun
      switch part.voicing {
      case .language(let tag):
        run = VoiceRun(text: String(String.UnicodeScalarView(part.text)), language: tag)
        // A blank does not separate two unreadable parts.
        if wasNobody, run.text.allSatisfy(\.isWhitespace) { continue }
        wasNobody = false
      case .nobody:
        guard !wasNobody else { continue }
        wasNobody = true
        run = VoiceRun(text: " \(unreadable) ", language: isEnglish ? "en" : language)
      }
      if result.last?.language == run.language {
        result[result.count - 1].text += run.text
      } else {
        result.append(run)
      }
    }
    return result.reduce(into: []) { runs, run in
      let text = run.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      // Punctuation alone is a pause at most, not worth a change of voice.
      let isHeard = text.unicodeScalars.contains { $0.properties.isAlphabetic || isSpoken($0) }
      if text.isEmpty || (!isHeard && runs.isEmpty) { return }
      if isHeard, runs.last?.language != run.language {
        runs.append(VoiceRun(text: text, language: run.language))
      } else {
        let pause = String(String.UnicodeScalarView(text.unicodeScalars.filter(endsClause)))
        runs[runs.count - 1].text += isHeard ? " " + text : pause
      }
    }
  }
}
