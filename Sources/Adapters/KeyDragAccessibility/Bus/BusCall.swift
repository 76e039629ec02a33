/// A received method call, or one to be made. Validated when encoded: an invalid call is never
/// sent.
struct BusCall: Hashable, Sendable {
  var path: String
  /// Empty when not named.
  var interface: String
  var member: String
  var arguments: [BusValue] = []

  static let ping = BusCall(path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping")

  /// A call to the bus itself.
  static func toBus(_ member: String, _ arguments: [BusValue] = []) -> BusCall {
    BusCall(
      path: "/org/freedesktop/DBus", interface: BusName.bus, member: member, arguments: arguments)
  }
}

enum BusReply: Hashable, Sendable {
  case values([BusValue])
  /// Its name and message.
  case error(String, String)
}

enum BusCallOutcome: Hashable, Sendable {
  case values([BusValue])
  /// An error reply: nothing there to ask, or nobody by that name.
  case error
  /// No reply in time.
  case silence

  /// `nil` for an error or a timeout.
  var values: [BusValue]? {
    if case .values(let values) = self { values } else { nil }
  }
}

struct BusSignal: Hashable, Sendable {
  var sender: String
  var path: String
  var interface: String
  var member: String
  /// As far as they were read.
  var arguments: [BusValue] = []
}

/// A channel for calls: a bus, or a connection to a single program.
protocol BusCallChannel: AnyObject, Sendable {
  /// Whether either end has closed it.
  var isClosed: Bool { get }

  /// Sends a call. Only on the thread, on which the answer arrives later, never synchronously.
  ///
  /// - Parameter limit: most values read from a reply; the rest is left out.
  func ask(
    _ destination: String, _ call: BusCall, limit: Int,
    _ done: @escaping @Sendable (BusCallOutcome) -> Void)

  /// Closes it; pending calls are not answered.
  func close()
}
