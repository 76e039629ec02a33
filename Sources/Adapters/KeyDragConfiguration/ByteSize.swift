enum ByteSize {
  private static let units: [String: Int64] = [
    "": 1, "b": 1, "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000,
    "kib": 1024, "mib": 1_048_576, "gib": 1_073_741_824,
  ]

  /// The bytes of "5000000", "16 MiB" or "2GB"; `nil` if it is malformed, negative or too large.
  static func parse(_ text: String) -> Int64? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop { $0 == " " }.lowercased()
    guard let number = Int64(digits), let factor = units[unit] else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
    return overflow ? nil : bytes
  }
}
