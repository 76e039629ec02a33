import Glibc
import KeyDragCore
import SystemPackage

/// Arguments as text that preserves every byte: a file name need not be UTF-8, and the parser takes
/// text.
///
/// A byte that belongs to no character is written as a character of Unicode's last private plane,
/// and so are the bytes of such a character itself.
enum ArgumentText {
  /// U+10FE80 stands for the byte 0x80.
  private static let first: UInt32 = 0x10FE00

  /// The words of the command line, the program's name first.
  static let words: [String] = (0..<Int(CommandLine.argc)).compactMap { index in
    CommandLine.unsafeArgv[index].map { word in
      text(Array(UnsafeRawBufferPointer(start: word, count: strlen(word))))
    }
  }

  static func text(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: stands)
    {
      return text
    }
    var result = String.UnicodeScalarView()
    var rest = bytes[...]
    while let byte = rest.first {
      let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
      let character = String(validating: rest.prefix(length), as: UTF8.self)?.unicodeScalars
      if let character, character.count == 1, let scalar = character.first, !stands(scalar) {
        result.append(scalar)
        rest = rest.dropFirst(length)
      } else {
        if let scalar = Unicode.Scalar(first + UInt32(byte)) { result.append(scalar) }
        rest = rest.dropFirst()
      }
    }
    return String(result)
  }

  static func bytes(_ text: String) -> [UInt8] {
    guard holdsBytes(text) else { return Array(text.utf8) }
    return text.unicodeScalars.flatMap { scalar in
      stands(scalar) ? [UInt8(scalar.value - first)] : Array(String(scalar).utf8)
    }
  }

  /// Whether a character in it may stand for a byte.
  static func holdsBytes(_ text: String) -> Bool {
    // The first byte of each character of that plane; most names have none.
    text.utf8.contains(0xF4)
  }

  /// The text with U+FFFD for bytes that are no character.
  static func shown(_ text: String) -> String { String(decoding: bytes(text), as: UTF8.self) }

  /// The same, safe to show and to speak.
  static func spoken(_ text: String) -> String { SpokenName.file(bytes(text)) }

  private static func stands(_ scalar: Unicode.Scalar) -> Bool {
    (first + 0x80...first + 0xFF).contains(scalar.value)
  }
}

extension FilePath {
  /// The path that an argument names, byte for byte.
  init(argument: String) {
    // Most names are plain UTF-8.
    guard ArgumentText.holdsBytes(argument) else {
      self.init(argument)
      return
    }
    let bytes = ArgumentText.bytes(argument).map { CChar(bitPattern: $0) } + [0]
    self = bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { FilePath(platformString: $0) } ?? FilePath()
    }
  }
}
