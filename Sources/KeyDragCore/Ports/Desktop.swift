/// A point on the screen in pixels, relative to the upper left corner of all monitors together.
package struct ScreenPoint: Hashable, Sendable {
  package var x: Int
  package var y: Int

  package init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// A rectangle on the screen in pixels, with non-negative sides.
package struct ScreenRectangle: Hashable, Sendable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = max(width, 0)
    self.height = max(height, 0)
  }

  package var isEmpty: Bool { width == 0 || height == 0 }

  package var origin: ScreenPoint { ScreenPoint(x: x, y: y) }

  package var center: ScreenPoint { ScreenPoint(x: x + width / 2, y: y + height / 2) }

  package func contains(_ point: ScreenPoint) -> Bool {
    point.x >= x && point.y >= y && point.x < x + width && point.y < y + height
  }

  package func moved(by way: ScreenPoint) -> ScreenRectangle {
    ScreenRectangle(x: x + way.x, y: y + way.y, width: width, height: height)
  }

  /// The overlap; `nil` if there is none.
  package func intersection(_ other: ScreenRectangle) -> ScreenRectangle? {
    let (left, top) = (max(x, other.x), max(y, other.y))
    let right = min(x + width, other.x + other.width)
    let bottom = min(y + height, other.y + other.height)
    guard right > left, bottom > top else { return nil }
    return ScreenRectangle(x: left, y: top, width: right - left, height: bottom - top)
  }
}

// MARK: Windows, as the display server knows them

/// A window, by what its display alone knows it by.
package struct WindowID: Hashable, Sendable {
  /// Of use to that display only.
  package let rawValue: UInt32
  /// The ``Display/name`` of the display it is on.
  package let display: String

  package init(_ rawValue: UInt32, on display: String = "") {
    (self.rawValue, self.display) = (rawValue, display)
  }
}

/// A program's window as the display server reports it, even for a program that does not respond.
package struct WindowFacts: Hashable, Sendable {
  package var id: WindowID
  /// Safe to speak; empty if it has none.
  package var title: String
  /// The window class, such as "Thunar", safe to speak; empty if it has none.
  package var className: String
  /// The process, if the program declares it; programs may declare anything.
  package var processID: Int32?
  /// Without the frame.
  package var rectangle: ScreenRectangle
  /// Whether it is on the screen, though possibly covered.
  package var isMapped: Bool
  /// Whether it has the keyboard.
  package var isActive: Bool
  /// Whether its program waits for an answer in another window and takes nothing in this one.
  package var isBlocked = false
  /// Whether it blocks the other windows of its program until answered.
  package var isModal = false
  /// Whether it is the desktop, which is under all windows and shows the desktop folder.
  package var isDesktop = false
  /// Whether it declares itself a dialog.
  package var isDialog = false
  package var isOnAnotherWorkspace = false

  package init(
    id: WindowID, title: String, className: String, processID: Int32?, rectangle: ScreenRectangle,
    isMapped: Bool, isActive: Bool
  ) {
    self.id = id
    self.title = title
    self.className = className
    self.processID = processID
    self.rectangle = rectangle
    self.isMapped = isMapped
    self.isActive = isActive
  }
}

package protocol WindowReading: AnyObject, Sendable {
  /// All windows that a window manager would list: the active one first, then from the top of the
  /// stack down. `nil` when the server is gone.
  func windows() async -> [WindowFacts]?

  /// The open menus, unknown to window managers, few with a title; `nil` if the server is gone.
  func menus() async -> [WindowFacts]?

  /// Raises a window and gives it the keyboard, as far as the window manager allows. Returns once
  /// that has been requested; `false` when the window or the server is gone.
  func activate(_ window: WindowID) async -> Bool

  /// What a window looks like now; `nil` where another covers it, and where the display can't say.
  func picture(of window: WindowID) async -> WindowPicture?

  /// Sets the handler for windows that open, close or get the keyboard, replacing the previous one.
  func onChange(_ handler: @escaping @Sendable () -> Void)
}

// MARK: Programs and their elements, as the accessibility tree tells of them

/// An accessible object: its program's bus name and its path. For the bus only, never spoken.
package struct ElementID: Hashable, Sendable {
  package let program: String
  package let path: String

  package init(program: String, path: String) {
    self.program = program
    self.path = path
  }
}

/// A window of a program as the accessibility tree reports it.
package struct FrameFacts: Hashable, Sendable {
  package var element: ElementID
  /// Safe to speak; empty if it has none.
  package var title: String
  package var role: String
  /// On the screen, corrected for the toolkit; `nil` if unknown.
  package var rectangle: ScreenRectangle?
  package var isActive: Bool
  /// Whether it declares that it blocks the other windows of its program until answered.
  package var isModal = false

  package init(
    element: ElementID, title: String, role: String, rectangle: ScreenRectangle?, isActive: Bool
  ) {
    self.element = element
    self.title = title
    self.role = role
    self.rectangle = rectangle
    self.isActive = isActive
  }
}

package struct ProgramFacts: Hashable, Sendable {
  package var bus: String
  /// Safe to speak; empty if it does not respond.
  package var name: String
  /// As the program reports it: "gtk", "GAIL", "Qt", "Gecko", "Chromium", "VCL", …
  package var toolkit: String
  package var toolkitVersion: String
  /// Whether the positions and the visibility that it reports are unreliable.
  package var hasDoubtfulPlaces = false
  /// From the bus itself, so known even for a program that does not respond.
  package var processID: Int32?
  /// `false` for a program that did not answer in time.
  package var isResponding: Bool
  package var frames: [FrameFacts]

  package init(
    bus: String, name: String, toolkit: String = "", toolkitVersion: String = "",
    processID: Int32? = nil, isResponding: Bool = true, frames: [FrameFacts] = []
  ) {
    self.bus = bus
    self.name = name
    self.toolkit = toolkit
    self.toolkitVersion = toolkitVersion
    self.processID = processID
    self.isResponding = isResponding
    self.frames = frames
  }
}

package struct ElementStates: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// It and its ancestors are visible and within the window; not all toolkits report it correctly.
  package static let showing = ElementStates(rawValue: 1)
  package static let visible = ElementStates(rawValue: 2)
  package static let enabled = ElementStates(rawValue: 4)
  package static let editable = ElementStates(rawValue: 8)
  package static let focused = ElementStates(rawValue: 16)
  package static let selected = ElementStates(rawValue: 32)
  package static let expandable = ElementStates(rawValue: 64)
  package static let expanded = ElementStates(rawValue: 128)
  /// Creates and destroys its children on demand (tables, trees).
  package static let managesDescendants = ElementStates(rawValue: 256)
  package static let focusable = ElementStates(rawValue: 512)
  package static let multiLine = ElementStates(rawValue: 1024)
}

/// Which elements of a window to read, and in what detail.
package struct ElementQuery: Hashable, Sendable {
  /// The roles to read; empty for all. Filtered in the bulk call where the toolkit has one.
  package var roles: Set<String>
  package var most: Int
  /// Whether each row is queried for its states in a list where nothing can be expanded. Otherwise
  /// rows may share the states of another row, without those of a single row: selected, focused.
  package var hasRowStates: Bool

  package init(roles: Set<String>, most: Int, hasRowStates: Bool = true) {
    self.roles = roles
    self.most = most
    self.hasRowStates = hasRowStates
  }
}

package struct ElementFacts: Hashable, Sendable {
  package var id: ElementID
  /// The index of the parent in this list, below its own; `nil` if the parent was left out.
  package var parent: Int?
  /// The AT-SPI name of the role: "table cell", "icon", "page tab".
  package var role: String
  /// Safe to speak; empty if it has none. Resolved from labels and the like if the toolkit names
  /// rows by something else.
  package var name: String
  /// The visible part on the screen, corrected for the toolkit; `nil` if unknown or outside.
  package var rectangle: ScreenRectangle?
  package var states: ElementStates
  /// Only the attributes needed for dragging: "dropeffect", "grabbed", "id", "class", "tag",
  /// "xml-roles", "draggable"; values are short and safe to speak.
  package var attributes: [String: String]
  /// "3 of 12" if the toolkit reports it.
  package var index: Int?
  package var total: Int?
  /// Whether its program declares it the label of another element, which then has its name.
  package var isLabelOfAnother: Bool
  /// The words of its tool tip, safe to speak; only of a field of text without a name.
  package var description = ""

  package init(
    id: ElementID, parent: Int? = nil, role: String, name: String,
    rectangle: ScreenRectangle? = nil, states: ElementStates = [],
    attributes: [String: String] = [:], index: Int? = nil, total: Int? = nil,
    isLabelOfAnother: Bool = false
  ) {
    self.id = id
    self.parent = parent
    self.role = role
    self.name = name
    self.rectangle = rectangle
    self.states = states
    self.attributes = attributes
    self.index = index
    self.total = total
    self.isLabelOfAnother = isLabelOfAnother
  }
}

package struct FocusFacts: Hashable, Sendable {
  package var program: ProgramFacts
  package var frame: FrameFacts?
  package var element: ElementFacts
  /// Whether it is a password field or inside one, whose keys and text must not be read; `nil` if
  /// the program did not answer in time.
  package var isPassword: Bool?
  /// Whether it is the entire content of a window, which some programs report in between; the
  /// focused part is unknown.
  package var isWholeWindow: Bool

  package init(
    program: ProgramFacts, frame: FrameFacts?, element: ElementFacts, isPassword: Bool?,
    isWholeWindow: Bool = false
  ) {
    self.program = program
    self.frame = frame
    self.element = element
    self.isPassword = isPassword
    self.isWholeWindow = isWholeWindow
  }
}

package enum ProgramChange: Hashable, Sendable {
  /// A program or one of its windows appeared, disappeared or changed its title.
  case programs
  case elements(frame: ElementID)
  case focus
  /// The accessibility bus disappeared or returned.
  case bus(isThere: Bool)
}

/// Reads the programs of a desktop.
///
/// Each call takes up to about half a second per round of queries: a program that does not respond
/// is skipped, remembered and retried later, never waited for. Calls about one program throw
/// ``Reason/notResponding`` then, and ``Reason/noAccessibility`` without a bus.
package protocol ProgramReading: AnyObject, Sendable {
  /// All programs with their windows, without ours; `nil` without an accessibility bus.
  func programs() async -> [ProgramFacts]?

  /// The visible elements of a window, in tree order.
  ///
  /// - Parameter windowOrigin: the window's position from the display server, without which GTK 4
  ///   elements have no positions: it reports them relative to the window.
  func elements(
    of frame: ElementID, in program: ProgramFacts, windowOrigin: ScreenPoint?,
    wanted: ElementQuery
  ) async throws(Reason) -> [ElementFacts]

  /// The current positions of elements on the screen, corrected; `nil` for one that is gone or
  /// hidden, and empty if the program does not respond.
  func rectangles(
    of elements: [ElementID], in program: ProgramFacts, windowOrigin: ScreenPoint?
  ) async -> [ScreenRectangle?]

  func focus() async -> FocusFacts?

  /// The selected elements in the container of an element (the rows of a file manager), in tree
  /// order; the element itself if nothing is selected or it is not selected.
  ///
  /// All or nothing: fails with ``Reason/tooMany`` beyond `most`, and with ``Reason/notResponding``
  /// if some can't be read.
  func selection(
    around element: ElementID, in program: ProgramFacts, most: Int
  ) async throws(Reason) -> [ElementFacts]

  /// The selected text of an element, up to `most` characters; `nil` if it has none.
  func selectedText(of element: ElementID, most: Int) async throws(Reason) -> String?

  /// The text of an element, up to `most` characters; `nil` if it has none.
  func text(of element: ElementID, most: Int) async throws(Reason) -> String?

  /// The best position for a drop in a text, within a rectangle of the screen: at the caret if
  /// visible, otherwise at the end of the last visible line. `nil` if unknown, or the text is
  /// longer than `most` characters.
  func textAim(
    of element: ElementID, in program: ProgramFacts, windowOrigin: ScreenPoint?,
    within visible: ScreenRectangle, most: Int
  ) async throws(Reason) -> TextDropTarget?

  /// The caret position in a text; `nil` if unknown, or the text is longer than `most` characters.
  func caretPosition(of element: ElementID, most: Int) async throws(Reason) -> TextPosition?

  /// The action names of each element ("click", "drag", "drop").
  func actions(of elements: [ElementID]) async throws(Reason) -> [[String]]

  /// Performs a named action; `true` means only that the program accepted the call.
  func perform(_ action: String, on element: ElementID) async throws(Reason) -> Bool

  /// Scrolls an element into view and returns the area to aim at, as far as possible clear of the
  /// edges at which a list scrolls under a drag; `nil` if it can't be made visible.
  ///
  /// - Throws: ``Reason/notResponding``.
  func reach(
    _ element: ElementID, in program: ProgramFacts, windowOrigin: ScreenPoint?
  ) async throws(Reason) -> TargetArea?

  /// Focuses an element in its window, and selects it if it is a row of a list; `true` means only
  /// that the program accepted the call.
  func takeFocus(_ element: ElementID) async throws(Reason) -> Bool

  /// Sets the observer of changes, called on any thread; set once. Element changes are reported for
  /// watched windows only.
  func observe(_ observer: @escaping @Sendable (ProgramChange) -> Void)

  /// Replaces the watched windows.
  func watch(_ frames: [ElementID])
}

/// The area of an element that can be aimed at, in screen pixels.
package struct TargetArea: Hashable, Sendable {
  package var shown: ScreenRectangle
  /// Whether nothing scrolls under a drag over it, as far as is known.
  package var isClear = true
  /// The offset to the right and down from the position that its program reports, in pixels.
  package var shift = ScreenPoint(x: 0, y: 0)
  /// The maximum error of that offset in each direction, in pixels.
  package var doubt = ScreenPoint(x: 0, y: 0)

  /// Whether its centre may lie outside of it.
  package var isUncertain: Bool {
    doubt.x * 2 >= shown.width || doubt.y * 2 >= shown.height
  }

  package init(_ shown: ScreenRectangle) { self.shown = shown }
}

/// A visible position between two characters of a text.
package struct TextDropTarget: Hashable, Sendable {
  /// On the screen.
  package var point: ScreenPoint
  package var position: TextPosition

  package init(point: ScreenPoint, position: TextPosition) {
    (self.point, self.position) = (point, position)
  }
}
