/// A received method call, or one to be made. Validated when encoded: an invalid call is never
/// sent.
package struct BusCall: Hashable, Sendable {
  package var path: String
  /// Empty when not named.
  package var interface: String
  package var member: String
  package var arguments: [BusValue]

  package init(path: String, interface: String, member: String, arguments: [BusValue] = []) {
    (self.path, self.interface) = (path, interface)
    (self.member, self.arguments) = (member, arguments)
  }

  package static let ping = BusCall(
    path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping")

  /// A call to the bus itself.
  package static func toBus(_ member: String, _ arguments: [BusValue] = []) -> BusCall {
    BusCall(
      path: "/org/freedesktop/DBus", interface: BusName.bus, member: member, arguments: arguments)
  }
}

package enum BusReply: Hashable, Sendable {
  case values([BusValue])
  /// Its name and message.
  case error(String, String)
}

package enum BusCallOutcome: Hashable, Sendable {
  case values([BusValue])
  /// An error reply: nothing there to ask, or nobody by that name.
  case error
  /// No reply in time.
  case silence

  /// `nil` for an error or a timeout.
  package var values: [BusValue]? {
    if case .values(let values) = self { values } else { nil }
  }
}

package struct BusSignal: Hashable, Sendable {
  package var sender: String
  package var path: String
  package var interface: String
  package var member: String
  /// As far as they were read.
  package var arguments: [BusValue] = []
}

/// A channel for calls: a bus, or a connection to a single program.
package protocol BusCallChannel: AnyObject, Sendable {
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
