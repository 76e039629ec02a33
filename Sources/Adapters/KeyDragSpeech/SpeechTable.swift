/// Reads the tables of Tables, which are embedded at build time: a row a line, its fields between
/// tabs; lines that begin with "# " are comments.
enum SpeechTable {
  static func rows(_ bytes: [UInt8]) -> [[Substring]] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("# ") }.map { $0.split(separator: "\t") }
  }

  /// Code points in hexadecimal, each alone or as a range: "41 61-7A".
  static func ranges(_ field: Substring?) -> [ClosedRange<UInt32>] {
    (field ?? "").split(separator: " ").compactMap { part in
      let ends = part.split(separator: "-").compactMap { UInt32($0, radix: 16) }
      return ends.first.flatMap { first in ends.last.map { first...$0 } }
    }
  }
}
