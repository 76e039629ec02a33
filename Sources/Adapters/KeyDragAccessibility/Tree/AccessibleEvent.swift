import CAtspi
import KeyDragBus
import KeyDragCore

struct AccessibleEvent: Hashable, Sendable {
  var path: String
  var member: String
  var detail: String
  var first: Int32 = 0
  var value: BusValue = .int32(0)

  static let interface = ATSPI_DBUS_INTERFACE_EVENT_OBJECT

  static func name(_ path: String, _ name: String) -> Self {
    Self(
      path: path, member: "PropertyChange", detail: "accessible-name", value: .string(name))
  }

  static func value(_ path: String, _ value: Double) -> Self {
    Self(path: path, member: "PropertyChange", detail: "accessible-value", value: .double(value))
  }

  static func attributes(_ path: String) -> Self {
    Self(path: path, member: "AttributesChanged", detail: "")
  }

  /// The detail has a second part, as toolkits give one to text of their own (`insert/system`):
  /// while more than fifty events wait, Orca up to 45 drops those whose type is exactly
  /// `object:state-changed:showing` (`_processDuringFlood`, `_ignoreDuringDeluge`), and accepts
  /// longer ones like it at any time.
  static func showing(_ path: String) -> Self {
    Self(path: path, member: "StateChanged", detail: "showing/system", first: 1)
  }

  /// Politeness as in ARIA's live regions: 1 waits, 2 interrupts.
  static func announcement(_ path: String, _ text: String, _ urgency: Urgency) -> Self {
    Self(
      path: path, member: "Announcement", detail: "", first: urgency == .assertive ? 2 : 1,
      value: .string(text))
  }

  /// An announcement without text: every Orca that takes announcements reaches it after what it
  /// received before, and speaks nothing.
  static func emptyAnnouncement(_ path: String) -> Self {
    Self(path: path, member: "Announcement", detail: "", value: .string(""))
  }

  /// The arguments of the signal: `siiva{sv}`.
  var arguments: [BusValue] {
    [.string(detail), .int32(first), .int32(0), .variant(value), .noProperties]
  }
}
