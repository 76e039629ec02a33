/// What an object is, by the numbers of AT-SPI 2 (`atspi-constants.h`).
enum AccessibleRole: UInt32, Sendable {
  case list = 31
  case listItem = 32
  case panel = 39
  case progressBar = 42
  case label = 29
  case statusBar = 54
  case application = 75
  case notification = 101

  var name: String {
    switch self {
    case .list: "list"
    case .listItem: "list item"
    case .panel: "panel"
    case .progressBar: "progress bar"
    case .label: "label"
    case .statusBar: "status bar"
    case .application: "application"
    case .notification: "notification"
    }
  }
}

/// How an object is at the moment, by the bits of AT-SPI 2.
struct AccessibleStates: OptionSet, Hashable, Sendable {
  let rawValue: UInt64

  static let enabled = Self(bit: 8)
  static let horizontal = Self(bit: 14)
  static let selectable = Self(bit: 22)
  static let selected = Self(bit: 23)
  static let sensitive = Self(bit: 24)
  static let showing = Self(bit: 25)
  static let transient = Self(bit: 28)
  static let visible = Self(bit: 30)
  /// Its children come and go by the thousand: nobody should remember them.
  static let managesDescendants = Self(bit: 31)

  /// There, and to be seen or heard.
  static let present: Self = [.enabled, .sensitive, .showing, .visible]

  init(rawValue: UInt64) { self.rawValue = rawValue }
  private init(bit: UInt64) { self.init(rawValue: 1 << bit) }

  /// Two words of 32 bits, the lower one first.
  var words: [UInt32] { [UInt32(truncatingIfNeeded: rawValue), UInt32(rawValue >> 32)] }
}

/// One object of the tree, as it is asked about.
struct AccessibleObject: Hashable, Sendable {
  var path: String
  var role: AccessibleRole
  var name = ""
  var states: AccessibleStates = .present
  /// Nothing for the application itself, whose parent is the desktop.
  var parent: String?
  var index = 0
  var children: [String] = []
  var attributes: [String: String] = [:]
  var actions: [AccessibleAction] = []
  /// How far something is, from 0 to 100.
  var percent: Int?

  var interfaces: [String] {
    var names = ["Accessible"]
    if role == .application { names.append("Application") }
    if !actions.isEmpty { names.append("Action") }
    if percent != nil { names.append("Value") }
    return names.map { "org.a11y.atspi." + $0 }
  }
}

/// What an assistive technology can have done, by the names that ATK uses.
enum AccessibleAction: String, CaseIterable, Sendable {
  case drag, drop, cancel, next, previous
}
