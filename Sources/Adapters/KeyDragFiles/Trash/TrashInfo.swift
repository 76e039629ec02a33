import Glibc
import SystemPackage

/// The `.trashinfo` file: original path and deletion date (trash specification 1.0). Pure.
enum TrashInfo {
  /// - Parameters:
  ///   - path: absolute in the home trash, relative to the top folder in any other.
  ///   - date: written in local time, as the specification demands.
  static func text(path: FilePath, date: time_t) -> [UInt8] {
    // Without a time zone.
    let day = EntryTime.text(Int64(date), "%Y-%m-%dT%H:%M:%S")
    return Array("[Trash Info]\nPath=\(encoded(path.rawBytes))\nDeletionDate=\(day)\n".utf8)
  }

  /// Percent-encodes all bytes but the unreserved ones of RFC 2396, section 2.3, and the slash.
  static func encoded(_ bytes: [UInt8]) -> String {
    String(decoding: FileList.escaped(bytes, except: "-_.!~*'()"), as: UTF8.self)
  }
}
