/// Limits on what a peer may send or request. Anything above is rejected before it is stored.
enum PeerLimits {
  /// Bytes per message.
  static let message = 1 << 20
  /// Bytes per chunk of contents.
  static let piece = 64 << 10
  /// Unsent bytes, for a program that does not read.
  static let outgoing = 16 << 20
  /// Connected programs, in each direction.
  static let programs = 32
  static let containers = 64
  /// Drop points per container.
  static let points = 256
  /// Stops per question; larger ones are split.
  static let stops = 1_024
  /// Answers per message.
  static let answersAtOnce = 64
  /// Items per drag.
  static let items = 10_000
  /// Items per message.
  static let itemsAtOnce = 40
  static let types = 32
  static let typeLength = 127
  /// Names per list, and items reported individually.
  static let names = 1_000
  /// Bytes per name; ``SpokenName`` also truncates by characters.
  static let nameLength = 4_096
  /// Concurrent questions, deliveries and loads per program.
  static let questions = 64
  static let deliveries = 16
  static let loads = 64
  /// Received files that no message has taken yet.
  static let files = 8
  /// Drags remembered per program.
  static let drags = 4
  /// Messages about places per ``PeerPatience/changes``; above it the program is disconnected.
  static let changes = 1_024
  /// Messages per second from a visitor, without contents.
  static let messages = 4_096
  /// Invalid messages before the program is disconnected.
  static let mistakes = 16
}

/// Timeouts and intervals for other programs, in milliseconds.
package struct PeerPatience: Sendable {
  /// Reply to a question.
  package var answer: Int64 = 500
  /// Heartbeat during transfers, and greeting.
  package var silence: Int64 = 10_000
  /// Snapshot of all programs' places.
  package var look: Int64 = 2_000
  /// Heartbeat interval during a delivery.
  package var beat: Int64 = 2_000
  /// Rate limiting interval for messages about places.
  package var changes: Int64 = 1_000
}
