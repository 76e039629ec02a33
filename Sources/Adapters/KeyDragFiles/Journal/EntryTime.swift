import Glibc

/// When something was done, as a person's clock and calendar say it.
///
/// In the local time zone, with the year first in every language: the history is a table of lines.
package enum EntryTime {
  /// Day and time ("2026-11-21 21:31").
  ///
  /// - Parameter seconds: since 1970.
  package static func full(_ seconds: Int64) -> String { text(seconds, "%Y-%m-%d %H:%M") }

  /// The time alone for what was done today: a day that is heard at every line tells nothing.
  ///
  /// - Parameter now: seconds since 1970.
  package static func short(_ seconds: Int64, now: Int64 = Int64(time(nil))) -> String {
    let day = "%Y-%m-%d"
    return text(seconds, day) == text(now, day) ? text(seconds, "%H:%M") : full(seconds)
  }

  /// The day of the week, 0 for Sunday, of what was done in the six days before today.
  ///
  /// `nil` for today, for the future and for what is older: the date is told then.
  package static func weekday(_ seconds: Int64, now: Int64 = Int64(time(nil))) -> Int? {
    // A name of a day is that of one day only.
    // Steps of 24 hours: where the clock is set for summer, a day may be left out near midnight.
    let days = (1...6).map { text(now - Int64($0) * 86_400, "%Y-%m-%d") }
    return days.contains(text(seconds, "%Y-%m-%d")) ? Int(text(seconds, "%w")) : nil
  }

  /// - Parameter format: as for strftime(3). The text is empty where it takes more than 31 bytes.
  private static func text(_ seconds: Int64, _ format: String) -> String {
    var seconds = time_t(seconds)
    var parts = tm()
    localtime_r(&seconds, &parts)
    var buffer = [CChar](repeating: 0, count: 32)
    let length = strftime(&buffer, buffer.count, format, &parts)
    return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
