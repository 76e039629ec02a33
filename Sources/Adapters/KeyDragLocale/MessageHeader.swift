/// The first entry of a binary catalogue, which says how the others are to be taken.
///
/// Only what libintl acts on is looked at, and only what it can act on without harm is let through:
/// it would divide by zero if the rule for plurals did.
enum MessageHeader {
  private static let longestRule = 500

  static func isSound(_ header: some Sequence<UInt8>) -> Bool {
    // libintl reads up to the first zero.
    let text = String(decoding: header.prefix { $0 != 0 }, as: UTF8.self)
    guard let charset = text.firstRange(of: "charset="),
      text[charset.upperBound...].prefix(while: { !$0.isWhitespace }).lowercased() == "utf-8"
    else { return false }
    guard let rule = text.firstRange(of: "plural=") else { return true }
    return isSound(rule: text[rule.upperBound...].prefix { $0 != ";" && $0 != "\n" })
  }

  /// Every divisor has to be a number that is not zero.
  private static func isSound(rule: Substring) -> Bool {
    let allowed = Set("n0123456789 ()?:!=<>&|%+-*\t")
    guard rule.utf8.count <= longestRule, rule.allSatisfy(allowed.contains) else { return false }
    return rule.split(separator: "%", omittingEmptySubsequences: false).dropFirst()
      .allSatisfy { part in
        let digits = part.drop { $0 == " " || $0 == "\t" }.prefix(while: \.isNumber)
        return (1...9).contains(digits.count) && digits.contains { $0 != "0" }
      }
  }
}
