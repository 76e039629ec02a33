import CAtspi
import KeyDragCore

/// The ways in which a toolkit differs from the others: the one table of corrections.
struct Toolkit: Hashable, Sendable {
  /// How the elements of a window are found.
  enum Reading: Hashable, Sendable {
    /// The elements shown directly within another, level by level: the bulk call would make GTK 3
    /// create an object for each row of each list, and be busy with that for seconds.
    case levels
    /// The same without a call that leaves out what is not shown.
    case children
    /// All at once.
    case matches
    /// From what the program keeps for assistive technologies.
    case cache
  }

  var reading: Reading
  /// The origin of the positions that it tells.
  var coordinates = ATSPI_COORD_TYPE_SCREEN
  /// Whether what is shown says so. Rows of a list that makes its rows as they are looked at are
  /// never believed.
  var isShowingHonest = true
  /// Whether a name may be that of a class in the program.
  var hasClassNames = false
  /// Whether the tab of a page is named by the memory that it needs too.
  var tellsMemory = false
  /// Whether it shows documents, whose elements have attributes.
  var hasAttributes = false
  /// Whether it can be reached without the bus between: where the bridge of GTK 3 is used.
  var hasLine = false
  /// Whether what is longer than its view has its children in it one below the other, and says at
  /// once where each is.
  var hasColumns = false
  /// Whether a viewport that was scrolled by a page says that it is not shown.
  var forgetsViewports = false
  /// Whether one row is asked for the states of all of its list, where none of them can be opened.
  var asksOneRow = false
  /// The roles of elements that are asked for the labels that are for them.
  var labelled = Toolkit.labelled
  /// Whether it may be asked where the characters of a text are: GTK 4.8 gives no answer at all.
  var tellsCharacters = true
  /// Whether an element may be asked for children that it has not.
  var answersAnything = false
  /// Whether places leave out the borders and the padding of all that is around an element.
  var losesInsets = false
  /// Whether the scroll bar of a list counts in pixels.
  var scrollsByPixels: Bool { reading == .levels || reading == .cache }
  /// The roles that never show anything outside their own rectangles.
  var clipping = Toolkit.views

  /// Windows, and what scrolls in them.
  private static let views: Set<String> = [
    "frame", "window", "dialog", "scroll pane", "viewport", "table", "tree table", "tree", "list",
    "list box", "layered pane", "document frame", "document web", "document text",
  ]
  /// In a document lists and tables are as large as their own text, which may float out of them.
  private static let documentViews: Set<String> = [
    "frame", "window", "dialog", "scroll pane", "document web",
  ]

  private static let gtk3 = Toolkit(
    reading: .levels, hasLine: true, hasColumns: true, forgetsViewports: true,
    answersAnything: true)
  private static let gtk4 = Toolkit(
    reading: .cache, coordinates: ATSPI_COORD_TYPE_WINDOW, isShowingHonest: false,
    hasClassNames: true, tellsCharacters: false)
  /// GTK 4.10 to 4.18 at least: each place is that of the border in the contents of what is around it
  /// (`gtk_widget_accessible_get_bounds`), and they are added up.
  private static let gtk410 = {
    var toolkit = gtk4
    toolkit.losesInsets = true
    return toolkit
  }()
  private static let document = Toolkit(
    reading: .matches, hasAttributes: true, hasLine: true, clipping: documentViews)
  private static let chromium = {
    var toolkit = document
    toolkit.tellsMemory = true
    return toolkit
  }()
  private static let other = Toolkit(reading: .children)

  /// The traits of a toolkit by the name and version that a program gives.
  static func named(_ name: String, version: String) -> Toolkit {
    switch name.lowercased() {
    case "gtk":
      switch version.split(separator: ".").prefix(2).compactMap({ Int($0) }) {
      case let parts where [2, 3].contains(parts.first): gtk3
      case let parts where parts.count == 2 && parts[1] < 10: gtk4
      default: gtk410
      }
    case "gail": gtk3
    case "gecko": document
    case "chromium": chromium
    case "webkitgtk": Toolkit(reading: .children, hasAttributes: true, clipping: documentViews)
    case "vcl": Toolkit(reading: .children, hasLine: true)
    default: other
    }
  }

  /// The traits of a program's toolkit.
  static func of(_ program: ProgramFacts) -> Toolkit {
    named(program.toolkit, version: program.toolkitVersion)
  }

  /// The same, with as few questions as what is wanted needs.
  func reading(_ wanted: WantedElements) -> Toolkit {
    var toolkit = self
    // Of GTK 3 is known that all rows of a list are of one sort.
    toolkit.asksOneRow = reading == .levels && !wanted.hasRowStates
    if !wanted.roles.isEmpty { toolkit.labelled.formIntersection(wanted.roles) }
    return toolkit
  }

  // MARK: Corrections

  /// Whether a place is one: toolkits have several ways of saying that there is none.
  func isPlace(_ told: ToldRectangle) -> Bool {
    Self.lies(told, within: Self.farthest)
      && !(told.x == -1 && told.y == -1 && told.width <= 1 && told.height <= 1)
  }

  private static func lies(_ told: ToldRectangle, within limit: Int) -> Bool {
    told.width > 0 && told.height > 0 && abs(told.x) < limit && abs(told.y) < limit
      && told.width < limit && told.height < limit
  }

  /// A list of a million rows is longer than any screen, and begins and ends far outside of it.
  private static let farthest = 1 << 28
  /// No screen is larger than what its protocol can say.
  private static let largest = 65_536

  /// The place on the screen; `nil` when there is none.
  ///
  /// - Parameter origin: where the program's window is, by the display server; without it what is
  ///   told relative to the window has no place.
  func rectangle(_ told: ToldRectangle, origin: ScreenPoint?) -> ScreenRectangle? {
    guard isPlace(told), Self.lies(told, within: Self.largest) else { return nil }
    var (x, y) = (told.x, told.y)
    if coordinates == ATSPI_COORD_TYPE_WINDOW {
      guard let origin else { return nil }
      x += origin.x
      y += origin.y
    }
    return ScreenRectangle(x: x, y: y, width: told.width, height: told.height)
  }

  /// The name, unless it is that of a class, such as "GtkListView"; that of a page's tab without what
  /// the page needs.
  func name(_ name: String, role: String = "") -> String {
    if hasClassNames, Self.isClass(name) { return "" }
    return tellsMemory && role == "page tab" ? Self.withoutMemory(name) : name
  }

  /// "News - Memory usage - 23.2 MB" in Chromium, in the words of its language.
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
  /// - Parameter start: how its text begins; toolkits that do not tell password fields from others
  ///   show marks there instead of what was typed.
  func isPassword(role: String, name: String, start: String) -> Bool {
    if role == "password text" { return true }
    if hasClassNames, name == "GtkPasswordEntry" { return true }
    return !start.isEmpty && start.allSatisfy { "●•*".contains($0) }
  }

  /// The role of a pane that LibreOffice draws by itself, in a window of GTK 3. At times it leaves
  /// out the height of the menu bar above it: then it is told to begin above what is around it, and
  /// all in it is too high.
  static let rootPane = "root pane"
  /// No menu bar is higher.
  private static let highestBar = 200

  /// How much lower what is in such a pane is than told.
  static func shift(of pane: ToldRectangle, in around: ToldRectangle) -> Int {
    let shift = around.y - pane.y
    return pane.x == around.x && (1...highestBar).contains(shift) ? shift : 0
  }

  /// Elements whose names may be found within them only.
  static let rows: Set<String> = [
    "table cell", "list item", "tree item", "table row", "page tab", "icon",
  ]

  static let viewport = "viewport"
  static let scrollPane = "scroll pane"
  /// The role of a list with rows, and nothing else, directly in it.
  static let listBox = "list box"
  /// The role that GTK 3 gives a list in which no row has others below it.
  static let flatTable = "table"

  /// Elements of which nobody needs to know where they are: what scrolls, and the window itself, in
  /// the toolkits that ask the display for it.
  static let placeless: Set<String> = ["scroll bar", "frame", "window", "dialog", "alert"]

  /// Elements that hold rows.
  static let lists: Set<String> = [
    "table", "tree table", "tree", "list", "list box", "layered pane", "page tab list",
  ]

  /// Elements that mostly have a label beside them.
  private static let labelled: Set<String> = [
    "text", "entry", "editbar", "combo box", "spin button", "list", "list box", "table",
    "tree table", "tree",
  ]

  /// Words that may be for another element.
  static let labels: Set<String> = ["label", "static"]
  /// Elements in which something is typed.
  static let typed: Set<String> = ["text", "entry"]

  /// Elements within which nothing is looked for.
  static let leaves: Set<String> = [
    "label", "separator", "scroll bar", "slider", "image", "progress bar", "push button",
    "toggle button", "check box", "radio button", "spin button", "password text", "menu",
    "menu item", "check menu item", "radio menu item", "table column header", "column header",
    "static", "level bar", "accelerator label", "animation",
  ]
}
