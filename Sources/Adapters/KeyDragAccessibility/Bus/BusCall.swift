/// A method call that reached us, or that is to be made.
struct BusCall: Hashable, Sendable {
  var path: String
  var interface: String
  var member: String
  var arguments: [BusValue] = []

  /// Asks whether somebody is there (`org.freedesktop.DBus.Peer`).
  static let ping = BusCall(path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping")
}

/// The reply to a call.
enum BusReply: Hashable, Sendable {
  case values([BusValue])
  /// An error's name and its words.
  case error(String, String)
}

/// How a question ended.
enum BusAnswer: Hashable, Sendable {
  case values([BusValue])
  /// An error came back: there is no such thing to ask, or nobody by that name.
  case error
  /// Nothing came back in time.
  case silence

  var values: [BusValue]? {
    if case .values(let values) = self { values } else { nil }
  }
}

/// A signal that reached us.
struct BusSignal: Hashable, Sendable {
  var sender: String
  var path: String
  var interface: String
  var member: String
  var arguments: [BusValue] = []
}

/// Whatever questions can be put through.
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
