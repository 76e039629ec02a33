@testable import KeyDragX11

/// Keyboards as a real server tells them: what is written on some keys, and the modifiers.
enum SampleKeyboard {
  /// An American layout with a Russian one beside it, by their numbers on a PC.
  static let american: [Keycode: [UInt32]] = [
    9: [0xFF1B], 10: [0x31, 0x21, 0x31, 0x21], 22: [0xFF08, 0xFF08],
    23: [0xFF09, 0xFE20, 0xFF09, 0xFE20], 24: [0x71, 0x51, 0x6CA, 0x6EA], 36: [0xFF0D],
    37: [0xFFE3], 38: [0x61, 0x41, 0x6C6, 0x6E6], 50: [0xFFE1],
    61: [0x2F, 0x3F, 0x2E, 0x2C], 64: [0xFFE9, 0xFFE7], 65: [0x20], 66: [0xFFE5], 68: [0xFFBF],
    77: [0xFF7F], 79: [0xFF95, 0xFFB7], 90: [0xFF9E, 0xFFB0], 104: [0xFF8D], 110: [0xFF50],
    111: [0xFF52], 116: [0xFF54], 118: [0xFF63], 119: [0xFFFF], 92: [0xFE03],
  ]
  /// Polish, where AltGr gives the letters with marks; and a key with a mark for the next letter.
  static let polish: [Keycode: [UInt32]] = american.merging([
    24: [0x71, 0x51, 0x71, 0x51], 38: [0x61, 0x41, 0x61, 0x41, 0x1B1, 0x1A1],
    21: [0xFE51, 0xFE51],
  ]) { $1 }

  /// - Parameter numLock: the row of NumLock's modifier, 4 for Mod2.
  static func map(_ keys: [Keycode: [UInt32]] = american, numLock: Int = 4) -> KeyboardMap {
    let width = 7
    var keysyms: [Keysym] = []
    for code in Keycode(8)...255 {
      let own = keys[code] ?? []
      keysyms += (own + Array(repeating: 0, count: width - own.count)).map(Keysym.init(rawValue:))
    }
    var modifiers = [Keycode](repeating: 0, count: 16)
    for (row, code) in [(0, 50), (1, 66), (2, 37), (3, 64), (numLock, 77), (7, 92)] {
      modifiers[row * 2] = Keycode(code)
    }
    return KeyboardMap(first: 8, keysyms: keysyms, width: width, modifiers: modifiers)
  }
}
