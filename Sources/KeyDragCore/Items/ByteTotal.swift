extension Sequence<Int64?> {
  /// How many bytes all of them have; `nil` where that is not known of one.
  package var byteTotal: Int64? {
    reduce(0) { sum, count in
      guard let sum, let count else { return nil }
      let (total, isTooMuch) = sum.addingReportingOverflow(Swift.max(count, 0))
      return isTooMuch ? nil : total
    }
  }
}
