/// How much another program may ask for or say. Everything beyond is refused before it is kept.
enum PeerLimits {
  /// Bytes of a message.
  static let message = 1 << 20
  /// Bytes of contents in one piece.
  static let piece = 64 << 10
  /// Bytes that wait to be sent; a program that does not read is not written to without end.
  static let outgoing = 16 << 20
  /// Programs talked to, in each direction.
  static let programs = 32
  static let containers = 64
  /// Drop points of one container.
  static let points = 256
  /// Stops in one question; of more, several questions are made.
  static let stops = 1_024
  /// Answers in one message.
  static let answersAtOnce = 64
  /// Items of one drag.
  static let items = 10_000
  /// Items in one message.
  static let itemsAtOnce = 40
  static let types = 32
  static let typeLength = 127
  /// Names in a list, and items told of one by one.
  static let names = 1_000
  /// Bytes of a name as it is sent; ``SpokenName`` cuts it by characters.
  static let nameLength = 4_096
  /// Questions, deliveries and loads under way for one program.
  static let questions = 64
  static let deliveries = 16
  static let loads = 64
  /// Open files that have come and that nobody has taken yet.
  static let files = 8
  /// Sets of items remembered for one program.
  static let drags = 4
  /// Messages about places in the time of ``PeerPatience/changes``; one who says more says nothing.
  static let changes = 1_024
  /// Messages in a second from one that visits, beside the contents of items.
  static let messages = 4_096
  /// Messages not understood before one stops listening.
  static let mistakes = 16
}

/// How long another program is waited for, in milliseconds.
package struct PeerPatience: Sendable {
  /// For an answer to a question.
  package var answer: Int64 = 500
  /// For a sign of life while contents are on the way, and for the greeting.
  package var silence: Int64 = 10_000
  /// For all programs to show what they have, where somebody waits for that.
  package var look: Int64 = 2_000
  /// How often a program that delivers says that it is still there.
  package var beat: Int64 = 2_000
  /// For as many messages about places as a program may say.
  package var changes: Int64 = 1_000

  package init() {}
}
