import Glibc

/// When something was done, as a person's clock and calendar say it.
package enum EntryTime {
  /// Day and time ("2026-11-21 21:31").
  package static func full(_ seconds: Int64) -> String { text(seconds, "%Y-%m-%d %H:%M") }

  /// The time alone for what was done today: a day that is heard at every line tells nothing.
  package static func short(_ seconds: Int64, now: Int64 = Int64(time(nil))) -> String {
    let day = "%Y-%m-%d"
    return text(seconds, day) == text(now, day) ? text(seconds, "%H:%M") : full(seconds)
  }

  /// The day of the week, 0 for Sunday, of what was done in the six days before today.
  package static func weekday(_ seconds: Int64, now: Int64 = Int64(time(nil))) -> Int? {
    // A name of a day is that of one day only.
    let days = (1...6).map { text(now - Int64($0) * 86_400, "%Y-%m-%d") }
    return days.contains(text(seconds, "%Y-%m-%d")) ? Int(text(seconds, "%w")) : nil
  }

  private static func text(_ seconds: Int64, _ format: String) -> String {
    var seconds = time_t(seconds)
    var parts = tm()
    localtime_r(&seconds, &parts)
    var buffer = [CChar](repeating: 0, count: 32)
    let length = strftime(&buffer, buffer.count, format, &parts)
    return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
