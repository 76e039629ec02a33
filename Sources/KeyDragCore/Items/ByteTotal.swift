extension Sequence<Int64?> {
  /// The sum in bytes; `nil` if one is unknown or the sum overflows.
  package var byteTotal: Int64? {
    reduce(0) { sum, count in
      guard let sum, let count else { return nil }
      let (total, isTooMuch) = sum.addingReportingOverflow(Swift.max(count, 0))
      return isTooMuch ? nil : total
    }
  }
}
