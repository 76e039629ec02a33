/// Splits a terminal's bytes into characters and escape sequences (ECMA-48 §5.4), byte by byte.
///
/// Memory is bounded: a sequence keeps at most ``longestSequence`` bytes, a paste at most
/// ``longestPaste``; longer ones are dropped whole, so that their tail is never read as keys.
struct SequenceSplitter {
  static let longestSequence = 24
  /// Enough for the paths of ten thousand files.
  static let longestPaste = 1 << 20

  private enum State {
    case ground
    /// One Escape, or two: the first is Alt if the second begins a sequence.
    case escape(doubled: Bool)
    /// After "ESC [": the parameters so far.
    case csi([UInt8], alt: Bool)
    /// A control sequence too long for a key, skipped to its end.
    case oversized
    /// After "ESC [ [": the Linux console's F1 to F5.
    case console(alt: Bool)
    /// After "ESC O".
    case ss3([UInt8], alt: Bool)
    /// A device's answer (DCS, OSC, APC, PM, SOS), skipped to its end.
    case string(introducer: UInt8, isEmpty: Bool, escaped: Bool)
    /// The coordinates of an old mouse report.
    case mouse(left: Int)
    case utf8([UInt8], length: Int, alt: Bool)
    case paste
  }

  private static let escape: UInt8 = 0x1B
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  private var state = State.ground
  private var pasted: [UInt8] = []
  private var isPasteTooLong = false
  /// The bytes of ``pasteEnd`` seen at the end of the paste.
  private var pasteEndSeen = 0

  /// Whether the pending bytes are complete only if nothing follows soon: a lone Escape, or a
  /// truncated sequence.
  var isWaiting: Bool {
    switch state {
    case .ground, .utf8: false
    case .paste: pasteEndSeen == 1
    case .escape, .csi, .oversized, .console, .ss3, .string, .mouse: true
    }
  }

  /// The bytes buffered until more arrive.
  var pendingByteCount: Int {
    switch state {
    case .ground, .oversized, .string, .mouse: 0
    case .escape, .console: 3
    case .csi(let bytes, _), .ss3(let bytes, _), .utf8(let bytes, _, _): bytes.count + 2
    case .paste: pasted.count + pasteEndSeen
    }
  }

  mutating func take(_ byte: UInt8, into pieces: inout [InputPiece]) {
    switch state {
    case .ground: takeGround(byte, alt: false, &pieces)
    case .escape(let doubled): takeEscape(byte, doubled, &pieces)
    case .csi(let parameters, let alt): takeCSI(byte, parameters, alt, &pieces)
    case .oversized: takeOversized(byte, &pieces)
    case .console(let alt):
      takeFinal(byte, 0x41...0x45, prefix: [Self.escape, 0x5B, 0x5B], alt, &pieces)
    case .ss3(let digits, let alt): takeSS3(byte, digits, alt, &pieces)
    case .string(let introducer, _, let escaped): takeString(byte, introducer, escaped, &pieces)
    case .mouse(let left): state = left > 1 ? .mouse(left: left - 1) : .ground
    case .utf8(let bytes, let length, let alt): takeUTF8(byte, bytes, length, alt, &pieces)
    case .paste: takePaste(byte, &pieces)
    }
  }

  /// Ends the wait: the pending bytes are all there is.
  mutating func force(into pieces: inout [InputPiece]) {
    defer { if isWaiting { state = .ground } }
    switch state {
    case .escape(let doubled):
      pieces += Array(repeating: .key([Self.escape], alt: false), count: doubled ? 2 : 1)
    case .csi([], let alt): forceIntroducer(0x5B, alt, &pieces)
    case .ss3([], let alt): forceIntroducer(0x4F, alt, &pieces)
    case .string(let introducer, true, false): forceIntroducer(introducer, false, &pieces)
    case .paste where pasteEndSeen == 1:
      // The end of a paste was lost: the Escape key frees the keyboard, and the text is dropped.
      forgetPaste()
      pieces.append(.key([Self.escape], alt: false))
    case .ground, .csi, .oversized, .console, .ss3, .string, .mouse, .utf8, .paste: break
    }
  }

  /// "ESC [" with nothing after it was Alt+[.
  private func forceIntroducer(_ byte: UInt8, _ doubled: Bool, _ pieces: inout [InputPiece]) {
    if doubled { pieces.append(.key([Self.escape], alt: false)) }
    pieces.append(.key([byte], alt: true))
  }

  private mutating func takeGround(_ byte: UInt8, alt: Bool, _ pieces: inout [InputPiece]) {
    state = .ground
    switch byte {
    case Self.escape: state = .escape(doubled: false)
    case 0..<0x80: pieces.append(.key([byte], alt: alt))
    case 0xC2...0xDF: state = .utf8([byte], length: 2, alt: alt)
    case 0xE0...0xEF: state = .utf8([byte], length: 3, alt: alt)
    case 0xF0...0xF4: state = .utf8([byte], length: 4, alt: alt)
    default: break  // No character begins like this.
    }
  }

  private mutating func takeEscape(
    _ byte: UInt8, _ doubled: Bool, _ pieces: inout [InputPiece]
  ) {
    switch byte {
    case 0x5B: state = .csi([], alt: doubled)
    case 0x4F: state = .ss3([], alt: doubled)
    case Self.escape:
      if doubled { pieces.append(.key([Self.escape], alt: false)) }
      state = .escape(doubled: true)
    case 0x50, 0x58, 0x5D, 0x5E, 0x5F:
      if doubled { pieces.append(.key([Self.escape], alt: false)) }
      state = .string(introducer: byte, isEmpty: true, escaped: false)
    default:
      if doubled { pieces.append(.key([Self.escape], alt: false)) }
      takeGround(byte, alt: true, &pieces)
    }
  }

  private mutating func takeCSI(
    _ byte: UInt8, _ parameters: [UInt8], _ alt: Bool, _ pieces: inout [InputPiece]
  ) {
    switch byte {
    case 0x5B where parameters.isEmpty: state = .console(alt: alt)
    case 0x4D where parameters.isEmpty: state = .mouse(left: 3)
    case 0x24 where !parameters.isEmpty && parameters.allSatisfy(Self.isDigit):
      // rxvt ends a key with Shift by "$", which elsewhere precedes a final byte.
      finish([Self.escape, 0x5B] + parameters + [byte], alt, &pieces)
    case 0x20...0x3F:
      state =
        parameters.count < Self.longestSequence ? .csi(parameters + [byte], alt: alt) : .oversized
    case 0x40...0x7E: finishCSI(parameters, byte, alt, &pieces)
    default: takeGround(byte, alt: false, &pieces)  // Broken off: what follows counts by itself.
    }
  }

  private mutating func finishCSI(
    _ parameters: [UInt8], _ byte: UInt8, _ alt: Bool, _ pieces: inout [InputPiece]
  ) {
    switch (parameters, byte) {
    case (Array("200".utf8), 0x7E):
      forgetPaste()
      state = .paste
    case (Array("201".utf8), 0x7E): state = .ground
    case (Array("0".utf8), 0x6E), (Array("3".utf8), 0x6E):
      state = .ground
      // An Escape right before it was typed.
      if alt { pieces.append(.key([Self.escape], alt: false)) }
      pieces.append(.status)
    default: finish([Self.escape, 0x5B] + parameters + [byte], alt, &pieces)
    }
  }

  private mutating func takeOversized(_ byte: UInt8, _ pieces: inout [InputPiece]) {
    switch byte {
    case 0x20...0x3F: break
    case 0x40...0x7E: state = .ground
    default: takeGround(byte, alt: false, &pieces)
    }
  }

  private mutating func takeSS3(
    _ byte: UInt8, _ digits: [UInt8], _ alt: Bool, _ pieces: inout [InputPiece]
  ) {
    if Self.isDigit(byte), digits.count < 2 {
      state = .ss3(digits + [byte], alt: alt)
    } else {
      takeFinal(byte, 0x20...0x7E, prefix: [Self.escape, 0x4F] + digits, alt, &pieces)
    }
  }

  private mutating func takeFinal(
    _ byte: UInt8, _ finals: ClosedRange<UInt8>, prefix: [UInt8], _ alt: Bool,
    _ pieces: inout [InputPiece]
  ) {
    if finals.contains(byte) {
      finish(prefix + [byte], alt, &pieces)
    } else {
      takeGround(byte, alt: false, &pieces)
    }
  }

  private mutating func finish(_ bytes: [UInt8], _ alt: Bool, _ pieces: inout [InputPiece]) {
    state = .ground
    pieces.append(.key(bytes, alt: alt))
  }

  private mutating func takeString(
    _ byte: UInt8, _ introducer: UInt8, _ escaped: Bool, _ pieces: inout [InputPiece]
  ) {
    switch byte {
    case 0x07: state = .ground
    case 0x5C where escaped: state = .ground
    case _ where escaped:
      state = .escape(doubled: false)
      take(byte, into: &pieces)
    default:
      state = .string(introducer: introducer, isEmpty: false, escaped: byte == Self.escape)
    }
  }

  private mutating func takeUTF8(
    _ byte: UInt8, _ bytes: [UInt8], _ length: Int, _ alt: Bool, _ pieces: inout [InputPiece]
  ) {
    guard (0x80...0xBF).contains(byte) else { return takeGround(byte, alt: false, &pieces) }
    guard bytes.count + 1 == length else {
      state = .utf8(bytes + [byte], length: length, alt: alt)
      return
    }
    state = .ground
    // Overlong forms and surrogates are not characters.
    if String(validating: bytes + [byte], as: UTF8.self) != nil {
      pieces.append(.key(bytes + [byte], alt: alt))
    }
  }

  private mutating func takePaste(_ byte: UInt8, _ pieces: inout [InputPiece]) {
    if byte == Self.pasteEnd[pasteEndSeen] {
      pasteEndSeen += 1
      guard pasteEndSeen == Self.pasteEnd.count else { return }
      pieces.append(isPasteTooLong ? .tooLongPaste : .paste(pasted))
      forgetPaste()
      state = .ground
    } else {
      keepPasted(Self.pasteEnd[..<pasteEndSeen])
      pasteEndSeen = byte == Self.escape ? 1 : 0
      if pasteEndSeen == 0 { keepPasted([byte]) }
    }
  }

  private mutating func keepPasted(_ bytes: ArraySlice<UInt8>) {
    guard pasted.count + bytes.count <= Self.longestPaste else {
      isPasteTooLong = true
      return
    }
    pasted += bytes
  }

  private mutating func forgetPaste() {
    state = .ground
    pasted = []
    isPasteTooLong = false
    pasteEndSeen = 0
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
