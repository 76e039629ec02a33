import CAtspi

/// The state of an object, by the bits of AT-SPI (`AtspiStateType`).
struct AccessibleStates: OptionSet, Hashable, Sendable {
  let rawValue: UInt64

  static let active = Self(ATSPI_STATE_ACTIVE)
  static let defunct = Self(ATSPI_STATE_DEFUNCT)
  static let editable = Self(ATSPI_STATE_EDITABLE)
  static let enabled = Self(ATSPI_STATE_ENABLED)
  static let expandable = Self(ATSPI_STATE_EXPANDABLE)
  static let expanded = Self(ATSPI_STATE_EXPANDED)
  static let focusable = Self(ATSPI_STATE_FOCUSABLE)
  static let focused = Self(ATSPI_STATE_FOCUSED)
  static let horizontal = Self(ATSPI_STATE_HORIZONTAL)
  static let modal = Self(ATSPI_STATE_MODAL)
  static let multiLine = Self(ATSPI_STATE_MULTI_LINE)
  static let selectable = Self(ATSPI_STATE_SELECTABLE)
  static let selected = Self(ATSPI_STATE_SELECTED)
  static let sensitive = Self(ATSPI_STATE_SENSITIVE)
  static let showing = Self(ATSPI_STATE_SHOWING)
  static let transient = Self(ATSPI_STATE_TRANSIENT)
  static let vertical = Self(ATSPI_STATE_VERTICAL)
  static let visible = Self(ATSPI_STATE_VISIBLE)
  /// Its children come and go by the thousand: clients must not cache them.
  static let managesDescendants = Self(ATSPI_STATE_MANAGES_DESCENDANTS)

  static let present: Self = [.enabled, .sensitive, .showing, .visible]

  init(rawValue: UInt64) { self.rawValue = rawValue }
  private init(_ state: AtspiStateType) { self.init(rawValue: 1 << UInt64(state.rawValue)) }

  /// Two words of 32 bits, the lower one first.
  var words: [UInt32] { [UInt32(truncatingIfNeeded: rawValue), UInt32(rawValue >> 32)] }
}

struct AccessibleObject: Hashable, Sendable {
  var path: String
  var role: AtspiRole
  var name = ""
  var states: AccessibleStates = .present
  /// `nil` for the application itself, whose parent is the desktop.
  var parent: String?
  var index = 0
  var children: [String] = []
  var attributes: [String: String] = [:]
  var actions: [AccessibleAction] = []
  /// Progress, from 0 to 100.
  var percent: Int?

  var interfaces: [String] {
    var names = ["Accessible"]
    if role == ATSPI_ROLE_APPLICATION { names.append("Application") }
    if !actions.isEmpty { names.append("Action") }
    if percent != nil { names.append("Value") }
    return names.map { "org.a11y.atspi." + $0 }
  }
}

/// The actions offered to assistive technologies, by the names that ATK uses.
enum AccessibleAction: String, CaseIterable, Sendable {
  case drag, drop, cancel, next, previous
}
