/// A method call that reached us, or that is to be made.
///
/// Checked when it is made a message: what no bus would carry is never sent.
struct BusCall: Hashable, Sendable {
  /// The object.
  var path: String
  /// The interface; empty for one that was not named.
  var interface: String
  /// The method.
  var member: String
  var arguments: [BusValue] = []

  /// Asks whether somebody is there (`org.freedesktop.DBus.Peer`).
  static let ping = BusCall(path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping")
}

/// The reply to a call.
enum BusReply: Hashable, Sendable {
  /// The values that the method answers, perhaps none.
  case values([BusValue])
  /// An error's name and its words.
  case error(String, String)
}

/// How a question ended.
enum BusAnswer: Hashable, Sendable {
  /// It was answered.
  case values([BusValue])
  /// An error came back: there is no such thing to ask, or nobody by that name.
  case error
  /// Nothing came back in time.
  case silence

  /// `nil` for an error, and for silence.
  var values: [BusValue]? {
    if case .values(let values) = self { values } else { nil }
  }
}

/// A signal that reached us.
struct BusSignal: Hashable, Sendable {
  /// The name of the connection that it came from.
  var sender: String
  /// The object that tells it.
  var path: String
  var interface: String
  var member: String
  /// As far as they were read.
  var arguments: [BusValue] = []
}

/// Whatever questions can be put through.
///
/// A bus is one, and so is a line to a single program.
protocol BusAsking: AnyObject, Sendable {
  /// Whether it was closed, from here or from the other end.
  var isClosed: Bool { get }

  /// Puts a question; only to be called on the thread, on which the answer comes, never at once.
  ///
  /// - Parameter limit: how many values a reply may hold, all in all; the rest is left out.
  func ask(
    _ destination: String, _ call: BusCall, limit: Int,
    _ done: @escaping @Sendable (BusAnswer) -> Void)

  /// Ends it; what is waited for is not answered.
  func close()
}
