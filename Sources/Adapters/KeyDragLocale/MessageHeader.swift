/// The first entry of a binary catalogue, which describes the others.
enum MessageHeader {
  /// The plural rule; `nil` if the texts are not UTF-8, or the rule is invalid.
  static func plurals(in header: some Sequence<UInt8>) -> PluralRule? {
    let text = String(decoding: header.prefix { $0 != 0 }, as: UTF8.self)
    guard let charset = text.firstRange(of: "charset="),
      text[charset.upperBound...].prefix(while: { !$0.isWhitespace }).lowercased() == "utf-8"
    else { return nil }
    guard let forms = text.firstRange(of: "nplurals="), let rule = text.firstRange(of: "plural=")
    else { return .usual }
    let digits = text[forms.upperBound...].drop { $0 == " " || $0 == "\t" }
      .prefix { ("0"..."9").contains($0) }
    let expression = text[rule.upperBound...].prefix { $0 != ";" && $0 != "\n" }
    return Int(digits).flatMap { PluralRule(forms: $0, expression.utf8) }
  }
}
