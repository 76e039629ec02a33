/// The placeholders `%1$@` … `%9$@` in a sentence.
struct Placeholders: OptionSet, Hashable, Sendable {
  let rawValue: UInt16

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// A malformed placeholder, such as `%1$s`.
  private static let wrong = Placeholders(rawValue: 1)

  /// Without the last one, which is the count of a plural.
  var withoutLast: Placeholders {
    let last = UInt16.bitWidth - 1 - rawValue.leadingZeroBitCount
    return last < 1 ? self : Placeholders(rawValue: rawValue & ~(1 << UInt16(last)))
  }

  init(in text: String) {
    self = []
    var text = text
    text.withUTF8 { bytes in
      var index = 0
      while index + 1 < bytes.count {
        defer { index += 1 }
        guard bytes[index] == UInt8(ascii: "%"),
          (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index + 1])
        else { continue }
        let digit = bytes[index + 1] - UInt8(ascii: "0")
        let isWhole =
          digit > 0 && index + 3 < bytes.count && bytes[index + 2] == UInt8(ascii: "$")
          && bytes[index + 3] == UInt8(ascii: "@")
        insert(isWhole ? Placeholders(rawValue: 1 << digit) : .wrong)
      }
    }
  }
}
