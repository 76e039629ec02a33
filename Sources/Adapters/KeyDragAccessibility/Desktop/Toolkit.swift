import CAtspi
import KeyDragCore

/// A toolkit's deviations from the others: the one table of workarounds.
struct Toolkit: Hashable, Sendable {
  enum Reading: Hashable, Sendable {
    /// Shown children, level by level: the bulk call would make GTK 3 create an object for each row
    /// of each list, and be busy for seconds.
    case levels
    /// The same, without a call that leaves out hidden children.
    case children
    /// In one call.
    case matches
    /// From the program's cache for assistive technologies.
    case cache
  }

  var reading: Reading
  /// Origin of the reported positions.
  var coordinates = ATSPI_COORD_TYPE_SCREEN
  /// Whether the showing state is reliable. It is never trusted for rows of a list that creates
  /// them on demand.
  var isShowingStateReliable = true
  /// Whether names may be class names.
  var hasClassNames = false
  /// Whether the name of a page's tab includes its memory usage.
  var tellsMemory = false
  /// Whether it shows documents, whose elements have attributes.
  var hasAttributes = false
  /// Whether programs can be reached without the bus, by the bridge of GTK 3.
  var hasDirectConnection = false
  /// Whether tall containers have their children one below the other, and report the place of each
  /// at once.
  var hasColumns = false
  /// Whether a viewport that was scrolled by a page claims not to be showing.
  var forgetsViewports = false
  /// Whether one row is asked for the states of its whole list, where no row can be expanded.
  var asksOneRow = false
  /// Roles whose elements are queried for their labels.
  var labelled = Toolkit.labelled
  /// Whether the places of characters may be queried: GTK 4.8 gives no answer at all.
  var tellsCharacters = true
  /// Whether nonexistent children may be queried.
  var answersAnything = false
  /// Whether places leave out the borders and the padding of all ancestors.
  var losesInsets = false
  /// Whether the scroll bar of a list counts in pixels.
  var scrollsByPixels: Bool { reading == .levels || reading == .cache }
  /// Roles that show nothing outside their own rectangles.
  var clipping = Toolkit.views

  /// Windows, and their scrolling views.
  private static let views: Set<String> = [
    "frame", "window", "dialog", "scroll pane", "viewport", "table", "tree table", "tree", "list",
    "list box", "layered pane", "document frame", "document web", "document text",
  ]
  /// In documents, lists and tables are as large as their own text, which may float out of them.
  private static let documentViews: Set<String> = [
    "frame", "window", "dialog", "scroll pane", "document web",
  ]

  private static let gtk3 = Toolkit(
    reading: .levels, hasDirectConnection: true, hasColumns: true, forgetsViewports: true,
    answersAnything: true)
  private static let gtk4 = Toolkit(
    reading: .cache, coordinates: ATSPI_COORD_TYPE_WINDOW, isShowingStateReliable: false,
    hasClassNames: true, tellsCharacters: false)
  /// GTK 4.10 to 4.18 at least: each place is that of the border within the contents of the parent
  /// (`gtk_widget_accessible_get_bounds`), and they are added up.
  private static let gtk410 = {
    var toolkit = gtk4
    toolkit.losesInsets = true
    return toolkit
  }()
  private static let document = Toolkit(
    reading: .matches, hasAttributes: true, hasDirectConnection: true, clipping: documentViews)
  private static let chromium = {
    var toolkit = document
    toolkit.tellsMemory = true
    return toolkit
  }()
  private static let other = Toolkit(reading: .children)

  static func named(_ name: String, version: String) -> Toolkit {
    switch name.lowercased() {
    case "gtk":
      switch version.split(separator: ".").prefix(2).compactMap({ Int($0) }) {
      case let parts where [2, 3].contains(parts.first): gtk3
      case let parts where !parts.isEmpty && parts.lexicographicallyPrecedes([4, 10]): gtk4
      default: gtk410
      }
    case "gail": gtk3
    case "gecko": document
    case "chromium": chromium
    case "webkitgtk": Toolkit(reading: .children, hasAttributes: true, clipping: documentViews)
    case "vcl": Toolkit(reading: .children, hasDirectConnection: true)
    default: other
    }
  }

  static func of(_ program: ProgramFacts) -> Toolkit {
    named(program.toolkit, version: program.toolkitVersion)
  }

  /// Restricted to the questions that the request needs.
  func reading(_ wanted: ElementQuery) -> Toolkit {
    var toolkit = self
    // All rows of a GTK 3 list are known to be of one kind.
    toolkit.asksOneRow = reading == .levels && !wanted.hasRowStates
    if !wanted.roles.isEmpty { toolkit.labelled.formIntersection(wanted.roles) }
    return toolkit
  }

  // MARK: Corrections

  /// Whether a rectangle is a place: toolkits have several ways of reporting that there is none.
  func isPlace(_ told: ReportedRectangle) -> Bool {
    Self.lies(told, within: Self.farthest)
      && !(told.x == -1 && told.y == -1 && told.width <= 1 && told.height <= 1)
  }

  private static func lies(_ told: ReportedRectangle, within limit: Int) -> Bool {
    told.width > 0 && told.height > 0 && abs(told.x) < limit && abs(told.y) < limit
      && told.width < limit && told.height < limit
  }

  /// A list of a million rows is longer than any screen, and begins and ends far outside of it.
  private static let farthest = 1 << 28
  /// Beyond the screen size of any display protocol.
  private static let largest = 65_536

  /// The place on the screen; `nil` when there is none.
  ///
  /// - Parameter origin: the window's place by the display server; without it, window-relative
  ///   places are unknown.
  func rectangle(_ told: ReportedRectangle, origin: ScreenPoint?) -> ScreenRectangle? {
    guard isPlace(told), Self.lies(told, within: Self.largest) else { return nil }
    var (x, y) = (told.x, told.y)
    if coordinates == ATSPI_COORD_TYPE_WINDOW {
      guard let origin else { return nil }
      x += origin.x
      y += origin.y
    }
    return ScreenRectangle(x: x, y: y, width: told.width, height: told.height)
  }

  /// Drops class names such as "GtkListView", and the memory usage of a page from its tab's name.
  func name(_ name: String, role: String = "") -> String {
    if hasClassNames, Self.isClass(name) { return "" }
    return tellsMemory && role == "page tab" ? Self.withoutMemory(name) : name
  }

  /// "News - Memory usage - 23.2 MB" in Chromium, localised.
  private static func withoutMemory(_ name: String) -> String {
    let parts = name.split(separator: " - ", omittingEmptySubsequences: false)
    guard parts.count > 2, let last = parts.last, last.first?.isNumber == true,
      last.last?.uppercased() == "B", last.count <= 12
    else { return name }
    return parts.dropLast(2).joined(separator: " - ")
  }

  private static func isClass(_ name: String) -> Bool {
    ["Gtk", "Adw", "Nautilus"].contains { prefix in
      guard name.hasPrefix(prefix) else { return false }
      let rest = name.dropFirst(prefix.count)
      return rest.first?.isUppercase == true && rest.allSatisfy { $0.isASCII && $0.isLetter }
    }
  }

  /// Whether an element is a password field, or may be one.
  ///
  /// - Parameter start: the beginning of its text; toolkits without a role for password fields show
  ///   bullets there instead of what was typed.
  func isPassword(role: String, name: String, start: String) -> Bool {
    if role == "password text" { return true }
    if hasClassNames, name == "GtkPasswordEntry" { return true }
    return !start.isEmpty && start.allSatisfy { "●•*".contains($0) }
  }

  /// The role of a pane that LibreOffice draws itself, in a GTK 3 window. At times it leaves out
  /// the height of the menu bar above: it is then reported to begin above its parent, and
  /// everything in it too high.
  static let rootPane = "root pane"
  private static let highestBar = 200

  /// Distance by which the contents of such a pane lie lower than reported.
  static func shift(of pane: ReportedRectangle, in around: ReportedRectangle) -> Int {
    let shift = around.y - pane.y
    return pane.x == around.x && (1...highestBar).contains(shift) ? shift : 0
  }

  /// Roles whose names may be found only inside.
  static let rows: Set<String> = [
    "table cell", "list item", "tree item", "table row", "page tab", "icon",
  ]

  static let viewport = "viewport"
  static let scrollPane = "scroll pane"
  /// A list whose only direct children are rows.
  static let listBox = "list box"
  /// The role of a GTK 3 list without nested rows.
  static let flatTable = "table"
  static let columnHeader = "table column header"

  /// Roles whose place is not needed, in toolkits that ask the display for it: scroll bars and
  /// windows.
  static let placeless: Set<String> = ["scroll bar", "frame", "window", "dialog", "alert"]

  /// Roles that contain rows.
  static let lists: Set<String> = [
    "table", "tree table", "tree", "list", "list box", "layered pane", "page tab list",
  ]

  /// Roles that mostly have a label beside them.
  private static let labelled: Set<String> = [
    "text", "entry", "editbar", "combo box", "spin button", "list", "list box", "table",
    "tree table", "tree",
  ]

  /// Roles of text that may label another element.
  static let labels: Set<String> = ["label", "static"]
  /// Roles of text input.
  static let typed: Set<String> = ["text", "entry"]

  /// Roles without contents of interest.
  static let leaves: Set<String> = [
    "label", "separator", "scroll bar", "slider", "image", "progress bar", "push button",
    "toggle button", "check box", "radio button", "spin button", "password text", "menu",
    "menu item", "check menu item", "radio menu item", "table column header", "column header",
    "static", "level bar", "accelerator label", "animation",
  ]
}
