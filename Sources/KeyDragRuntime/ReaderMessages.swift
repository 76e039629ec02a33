import DequeModule
import KeyDragCore

/// The messages handed to the screen reader, each kept for as long as it may come back unheard.
///
/// Owned by the narrator. Messages are numbered and the oldest are forgotten.
struct ReaderMessages {
  /// In the order of their numbers.
  private var handed: Deque<(number: Int, announcements: [Announcement])> = []
  /// The number given last.
  private var last = 0

  /// More than an announcer lets be on their way.
  private static let limit = 1024

  /// Hands a message over; the way it takes, or nothing when it is to be told in another way.
  mutating func hand(
    _ announcements: [Announcement], _ text: String, shown: String, cutsOff: Bool,
    to announcer: (any Announcer)?
  ) -> ReaderRoute? {
    guard let announcer, let first = announcements.first, !text.isEmpty else { return nil }
    last += 1
    var message = ReaderMessage(
      number: last, text: Self.plain(text), urgency: first.urgency,
      mayBeDropped: first.urgency == .polite && first.mayBeDropped,
      warns: announcements.contains(where: \.warns))
    message.shown = Self.plain(shown)
    message.cutsOff = cutsOff
    // It may come back before this returns, and is looked up after that.
    guard let rung = announcer.announce(message) else { return nil }
    handed.append((last, announcements))
    if handed.count > Self.limit { handed.removeFirst() }
    return rung
  }

  /// The announcements that a message carried; none when it is no longer kept.
  func announcements(_ message: ReaderMessage) -> [Announcement] {
    handed.last { $0.number == message.number }?.announcements ?? []
  }

  /// Without the marks that keep directions apart on a screen: readers speak or spell them.
  private static func plain(_ text: String) -> String {
    var plain = text
    plain.unicodeScalars.removeAll { (0x2066...0x2069).contains($0.value) }
    return plain
  }
}

/// The word of the transcript for each way to a screen reader.
extension Channel {
  init(_ rung: ReaderRoute) {
    self =
      switch rung {
      case .orca: .orca
      case .atspi: .atspi
      case .notification: .notification
      }
  }
}
