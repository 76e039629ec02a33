import CAtspi
import KeyDragBus

/// The events subscribed at the registry, such as `Object:StateChanged:Showing`.
enum RegisteredEvents {
  /// The listening programs, by bus name, from the registry's list of names and events.
  static func listeners(_ list: BusValue?) -> [(name: String, events: [String])] {
    var order: [String] = []
    var events: [String: [String]] = [:]
    for pair in list?.elements ?? [] {
      guard pair.elements.count >= 2, let name = pair.elements[0].text,
        let event = pair.elements[1].text, isConnection(name)
      else { continue }
      if events[name] == nil { order.append(name) }
      events[name, default: []].append(event)
    }
    return order.map { ($0, events[$0] ?? []) }
  }

  /// Whether this is a connection's unique name, such as `:1.42`: others can't be asked.
  static func isConnection(_ name: String) -> Bool {
    name.hasPrefix(":") && name.contains(".") && dbus_validate_bus_name(name, nil) != 0
  }

  /// Whether announcements are subscribed by name: a program that subscribes to everything is no
  /// reader.
  static func hasAnnouncement(_ events: [String]) -> Bool {
    events.contains { parts($0).prefix(2) == ["object", "announcement"] }
  }

  /// Whether the showing state is subscribed.
  static func hasShowing(_ events: [String]) -> Bool {
    events.contains { event in
      let parts = parts(event)
      return parts.prefix(2) == ["object", "statechanged"]
        && (parts.count < 3 || parts[2] == "showing")
    }
  }

  /// Orca's versions with these subscriptions: up to 46 the old focus event, from 48 on all text
  /// changes, for the clipboard's sake.
  static func versions(_ events: [String]) -> Range<Double> {
    let names = events.map(parts)
    if names.contains(where: { $0.first == "focus" }) { return 0..<47 }
    return names.contains(["object", "textchanged"]) ? 48..<1000 : 47..<48
  }

  /// Registries spell the same event in two ways.
  private static func parts(_ event: String) -> [String] {
    event.split(separator: ":").map { part in
      part.filter { $0 != "-" }.lowercased()
    }
  }
}
