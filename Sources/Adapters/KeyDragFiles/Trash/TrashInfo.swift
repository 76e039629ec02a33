import Glibc
import SystemPackage

/// The `.trashinfo` file: original path and deletion date (trash specification 1.0). Pure.
enum TrashInfo {
  /// - Parameters:
  ///   - path: absolute in the home trash, relative to the top folder in any other.
  ///   - date: written in local time, as the specification demands.
  static func text(path: FilePath, date: time_t) -> [UInt8] {
    Array("[Trash Info]\nPath=\(encoded(path.rawBytes))\nDeletionDate=\(stamp(date))\n".utf8)
  }

  /// Percent-encodes all bytes that RFC 2396 does not allow in a path. The result is ASCII.
  static func encoded(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in bytes {
      if isPlain(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The unreserved characters of RFC 2396, section 2.3, and the slash.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: Array("/-_.!~*'()".utf8).contains(byte)
    }
  }

  /// `YYYY-MM-DDThh:mm:ss`, without a time zone.
  private static func stamp(_ date: time_t) -> String {
    var date = date
    var local = tm()
    localtime_r(&date, &local)
    let day = [Int(local.tm_year) + 1900, Int(local.tm_mon) + 1, Int(local.tm_mday)]
    let time = [Int(local.tm_hour), Int(local.tm_min), Int(local.tm_sec)]
    return joined(day, by: "-") + "T" + joined(time, by: ":")
  }

  /// At least two digits each.
  private static func joined(_ numbers: [Int], by mark: String) -> String {
    numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: mark)
  }
}
