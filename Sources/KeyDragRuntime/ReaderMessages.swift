import DequeModule
import KeyDragCore

/// Messages handed to the screen reader, kept while they may come back unspoken.
///
/// Owned by the narrator. Messages are numbered, and the oldest are forgotten.
struct ReaderMessages {
  /// In ascending order.
  private var handed: Deque<(number: Int, announcements: [Announcement])> = []
  private var last = 0

  /// More than an announcer keeps in flight.
  private static let limit = 1024

  /// Hands a message over; returns its route, or `nil` when it must be delivered in another way.
  mutating func hand(
    _ announcements: [Announcement], _ text: String, shown: String, cutsOff: Bool,
    isPainted: Bool, to announcer: (any Announcer)?
  ) -> ReaderRoute? {
    guard let announcer, let first = announcements.first, !text.isEmpty else { return nil }
    last += 1
    var message = ReaderMessage(
      number: last, text: Self.plain(text), urgency: first.urgency,
      mayBeDropped: first.urgency == .polite && first.mayBeDropped,
      warns: announcements.contains(where: \.warns))
    message.shown = Self.plain(shown)
    message.cutsOff = cutsOff
    message.isPainted = isPainted
    // It may come back before this returns, but is looked up only afterwards.
    guard let rung = announcer.announce(message) else { return nil }
    handed.append((last, announcements))
    if handed.count > Self.limit { handed.removeFirst() }
    return rung
  }

  func announcements(_ message: ReaderMessage) -> [Announcement] {
    handed.last { $0.number == message.number }?.announcements ?? []
  }

  /// Without bidirectional isolates, which readers speak or spell.
  private static func plain(_ text: String) -> String {
    var plain = text
    plain.unicodeScalars.removeAll { (0x2066...0x2069).contains($0.value) }
    return plain
  }
}

extension Channel {
  init(_ rung: ReaderRoute) {
    // Each route is a channel of the same name.
    self = Channel(rawValue: rung.rawValue) ?? .text
  }
}
