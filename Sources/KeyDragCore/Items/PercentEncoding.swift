/// Percent-encoding of addresses (RFC 3986 section 2.1).
package enum PercentEncoding {
  /// The decoded part of an address; `nil` for a percent sign without two hexadecimal digits.
  ///
  /// - Parameter sign: precedes the digits; the equals sign in quoted-printable text.
  package static func decoded(
    _ text: some Sequence<UInt8>, after sign: UInt8 = UInt8(ascii: "%")
  ) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = Array(text)[...]
    while let byte = rest.popFirst() {
      guard byte == sign else {
        result.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
      else {
        return nil
      }
      result.append(high << 4 | low)
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
  }
}
