import CTermKey
import KeyDragCore

/// A decoded input: a key, or a text that was pasted as a whole.
package enum DecodedInput: Hashable, Sendable {
  case stroke(KeyStroke)
  /// On one line, without control characters, never empty.
  case text(String)
  /// The absolute paths and "file:" addresses of a paste that is nothing else; never empty.
  case places([String])
  /// A paste that was too long to be taken.
  case tooLongPaste
}

/// Turns the bytes a terminal sends into key strokes; knows no file descriptor and no clock.
///
/// The sequences of xterm, VTE, the Linux console, tmux, screen and rxvt are read whatever `TERM`
/// says; what is not a key is dropped, and a paste never becomes keys.
package struct KeyDecoder: ~Copyable {
  /// How long an Escape waits for the rest of a sequence, in milliseconds.
  package static let patience = 40

  private let library: KeyLibrary
  private var splitter = SequenceSplitter()

  /// A decoder for the terminal that `TERM` names; `nil` when memory is exhausted.
  package init?(terminal: String) {
    guard let library = KeyLibrary(terminal: terminal) else { return nil }
    self.library = library
  }

  /// Whether ``force()`` is due when nothing arrives for ``patience`` milliseconds.
  package var needsForce: Bool { splitter.isWaiting }

  /// How many bytes wait for the rest of a sequence or a paste; bounded.
  var pendingByteCount: Int { splitter.pendingByteCount }

  /// Reads the next bytes, whole or in part: the rest of a sequence may follow later.
  package mutating func decode(_ bytes: some Sequence<UInt8>) -> [DecodedInput] {
    var pieces: [InputPiece] = []
    for byte in bytes { splitter.take(byte, into: &pieces) }
    return translate(pieces)
  }

  /// Takes what is pending as it is: a lone Escape is the Escape key.
  package mutating func force() -> [DecodedInput] {
    var pieces: [InputPiece] = []
    splitter.force(into: &pieces)
    return translate(pieces)
  }

  private func translate(_ pieces: [InputPiece]) -> [DecodedInput] {
    var read: [DecodedInput] = []
    for piece in pieces {
      if let input = translate(piece) { read.append(input) }
    }
    return read
  }

  private func translate(_ piece: InputPiece) -> DecodedInput? {
    switch piece {
    case .key([0x09], alt: true):
      // The Linux console's Shift+Tab; window managers keep Alt+Tab for themselves.
      return .stroke(KeyStroke(.tab, .shift))
    case .key(let bytes, let alt):
      guard let spelling = KeySpelling.canonical(bytes), let key = library.key(for: spelling),
        var stroke = KeyTranslation.stroke(for: key)
      else { return nil }
      if alt { stroke.modifiers.insert(.alt) }
      return .stroke(stroke)
    case .paste(let bytes):
      if let places = PlaceLines.read(bytes) { return .places(places) }
      guard bytes.count <= PastedText.longestText else { return .tooLongPaste }
      let text = PastedText.clean(bytes)
      return text.isEmpty ? nil : .text(text)
    case .tooLongPaste: return .tooLongPaste
    }
  }
}
