/// Normalises the key sequences of many terminals to the few that the key library reads.
enum KeySpelling {
  private static let escape: UInt8 = 0x1B

  /// The sequence to look up; `nil` if it is no key (a report, or parameters that no key has).
  static func canonical(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count > 2, bytes[0] == escape else {
      // Ctrl+H and Backspace are one key: which of them a keyboard sends differs by terminal.
      return bytes == [0x08] ? [0x7F] : bytes
    }
    let final = bytes[bytes.count - 1]
    let parameters = Array(bytes[2..<bytes.count - 1])
    return switch bytes[1] {
    case UInt8(ascii: "["): canonicalCSI(parameters, final)
    case UInt8(ascii: "O"): canonicalSS3(parameters, final)
    default: nil
    }
  }

  private static func canonicalCSI(_ parameters: [UInt8], _ final: UInt8) -> [UInt8]? {
    switch final {
    case UInt8(ascii: "A")...UInt8(ascii: "E") where parameters == [UInt8(ascii: "[")]:
      return csi("1\(final - UInt8(ascii: "A") + 1)~")  // Linux console, F1 to F5
    case UInt8(ascii: "a")...UInt8(ascii: "d") where parameters.isEmpty:
      return csi("1;2") + [final - 0x20]  // rxvt, arrows with Shift
    case UInt8(ascii: "$"): return rxvt(parameters, modifiers: 2)
    case UInt8(ascii: "^"): return rxvt(parameters, modifiers: 5)
    case UInt8(ascii: "@"): return rxvt(parameters, modifiers: 6)
    default:
      guard areKeyParameters(parameters), isKey(parameters, final) else { return nil }
      return csi("") + parameters + [final]
    }
  }

  private static func canonicalSS3(_ digits: [UInt8], _ final: UInt8) -> [UInt8]? {
    if !digits.isEmpty { return csi("1;") + digits + [final] }  // older xterm and Konsole
    if (UInt8(ascii: "a")...UInt8(ascii: "d")).contains(final) {
      return csi("1;5") + [final - 0x20]  // rxvt, arrows with Ctrl
    }
    return [escape, UInt8(ascii: "O"), final]
  }

  private static func rxvt(_ parameters: [UInt8], modifiers: Int) -> [UInt8]? {
    guard areKeyParameters(parameters), !parameters.contains(UInt8(ascii: ";")) else { return nil }
    return csi("") + parameters + Array(";\(modifiers)~".utf8)
  }

  /// At most four numbers of at most seven digits: the key library counts and multiplies unchecked.
  private static func areKeyParameters(_ parameters: [UInt8]) -> Bool {
    let numbers = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    return numbers.count <= 4
      && numbers.allSatisfy { number in
        number.count <= 7 && number.allSatisfy { (0x30...0x39).contains($0) }
      }
  }

  /// A key's letter follows the parameter 1, and its modifiers are 1 to 16 (xterm ctlseqs,
  /// "PC-Style Function Keys"); otherwise a cursor position report would look like F3.
  private static func isKey(_ parameters: [UInt8], _ final: UInt8) -> Bool {
    let numbers = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 1 }
    let hasLetter = final != UInt8(ascii: "~") && final != UInt8(ascii: "u")
    if hasLetter, let first = numbers.first, first != 1 { return false }
    return numbers.count < 2 || (1...16).contains(numbers[1])
  }

  private static func csi(_ rest: String) -> [UInt8] { [escape, UInt8(ascii: "[")] + rest.utf8 }
}
