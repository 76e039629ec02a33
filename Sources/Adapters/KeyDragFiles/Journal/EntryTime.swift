import Glibc

/// Formats entry times in the local time zone, year first in every language, since the history is a
/// table.
package enum EntryTime {
  /// Date and time ("2026-11-21 21:31").
  ///
  /// - Parameter seconds: since 1970.
  package static func full(_ seconds: Int64) -> String { text(seconds, "%Y-%m-%d %H:%M") }

  /// Only the time for entries of today, because a date spoken at every line tells nothing.
  ///
  /// - Parameter now: seconds since 1970.
  package static func short(_ seconds: Int64, now: Int64 = Int64(time(nil))) -> String {
    let day = "%Y-%m-%d"
    return text(seconds, day) == text(now, day) ? text(seconds, "%H:%M") : full(seconds)
  }

  /// The weekday of an entry from the previous six days, 0 for Sunday; otherwise `nil`, and the
  /// date is used.
  package static func weekday(_ seconds: Int64, now: Int64 = Int64(time(nil))) -> Int? {
    // Unambiguous within six days. In 24-hour steps, so that a daylight saving change may skip a
    // day near midnight.
    let days = (1...6).map { text(now - Int64($0) * 86_400, "%Y-%m-%d") }
    return days.contains(text(seconds, "%Y-%m-%d")) ? Int(text(seconds, "%w")) : nil
  }

  /// - Parameter format: as for strftime(3). The result is empty above 31 bytes.
  static func text(_ seconds: Int64, _ format: String) -> String {
    var seconds = time_t(seconds)
    var parts = tm()
    localtime_r(&seconds, &parts)
    var buffer = [CChar](repeating: 0, count: 32)
    let length = strftime(&buffer, buffer.count, format, &parts)
    return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
