import CTermKey
import KeyDragCore

/// A decoded input: a key or a paste.
package enum DecodedInput: Hashable, Sendable {
  case stroke(KeyStroke)
  /// On one line, without control characters, never empty.
  case text(String)
  /// A paste of nothing but absolute paths and "file:" addresses; never empty.
  case places([String])
  /// A paste over the length limit.
  case tooLongPaste
  /// The answer to ``TerminalModes/statusRequest``.
  case status
}

/// Decodes the bytes of a terminal into key strokes; knows no file descriptor and no clock.
///
/// Reads the sequences of xterm, VTE, the Linux console, tmux, screen and rxvt whatever `TERM`
/// says; drops what is no key, and never turns a paste into keys.
package struct KeyDecoder: ~Copyable {
  /// The timeout for the rest of a sequence after an Escape, in milliseconds.
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

  /// Bytes buffered for the rest of a sequence or a paste; bounded.
  var pendingByteCount: Int { splitter.pendingByteCount }

  /// Decodes bytes, which may end in the middle of a sequence.
  package mutating func decode(_ bytes: some Sequence<UInt8>) -> [DecodedInput] {
    var pieces: [InputPiece] = []
    for byte in bytes { splitter.take(byte, into: &pieces) }
    return translate(pieces)
  }

  /// Decodes pending bytes as they are: a lone Escape is the Escape key.
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
      // Shift+Tab on the Linux console; window managers keep Alt+Tab for themselves.
      return .stroke(KeyStroke(.tab, .shift))
    case .key(let bytes, let alt):
      guard let spelling = KeySpelling.canonical(bytes), let key = library.key(for: spelling),
        var stroke = KeyTranslation.stroke(for: key)
      else { return nil }
      if alt { stroke.modifiers.insert(.alt) }
      return .stroke(stroke)
    case .paste(let bytes):
      if let places = PathListParser.read(bytes) { return .places(places) }
      guard bytes.count <= PastedText.longestText else { return .tooLongPaste }
      let text = PastedText.clean(bytes)
      return text.isEmpty ? nil : .text(text)
    case .tooLongPaste: return .tooLongPaste
    case .status: return .status
    }
  }
}
