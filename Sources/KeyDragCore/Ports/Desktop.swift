/// A point of the screen in pixels, from the upper left corner of all monitors together.
package struct ScreenPoint: Hashable, Sendable {
  package var x: Int
  package var y: Int

  package init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// A rectangle of the screen in pixels; its sides are never negative.
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

  /// The upper left corner.
  package var origin: ScreenPoint { ScreenPoint(x: x, y: y) }

  package var center: ScreenPoint { ScreenPoint(x: x + width / 2, y: y + height / 2) }

  package func contains(_ point: ScreenPoint) -> Bool {
    point.x >= x && point.y >= y && point.x < x + width && point.y < y + height
  }

  package func moved(by way: ScreenPoint) -> ScreenRectangle {
    ScreenRectangle(x: x + way.x, y: y + way.y, width: width, height: height)
  }

  /// The area that both cover; `nil` when they do not touch.
  package func intersection(_ other: ScreenRectangle) -> ScreenRectangle? {
    let (left, top) = (max(x, other.x), max(y, other.y))
    let right = min(x + width, other.x + other.width)
    let bottom = min(y + height, other.y + other.height)
    guard right > left, bottom > top else { return nil }
    return ScreenRectangle(x: left, y: top, width: right - left, height: bottom - top)
  }
}

// MARK: Windows, as the display server knows them

/// The identity of a window on the display.
package struct WindowID: Hashable, Sendable {
  package let rawValue: UInt32

  package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// A program's window as the display server itself knows it: there also for a program that does not
/// answer.
package struct WindowFacts: Hashable, Sendable {
  package var id: WindowID
  /// The title, safe to speak; empty when it has none.
  package var title: String
  /// The class of its program, such as "Thunar", safe to speak; empty when it has none.
  package var className: String
  /// The program's process, where it says so; programs may say anything.
  package var processID: Int32?
  /// Without its frame.
  package var rectangle: ScreenRectangle
  /// Whether it is on the screen now, though perhaps covered.
  package var isMapped: Bool
  /// Whether it has the keyboard.
  package var isActive: Bool
  /// Whether its program asks something in another window first, and takes nothing in this one.
  package var isBlocked = false
  /// Whether other windows of its program take nothing before it is answered.
  package var isModal = false
  /// Whether it is the desktop: it lies under all others and shows the files of the desktop folder.
  package var isDesktop = false
  /// Whether it says that it is a dialog.
  package var isDialog = false
  /// Whether it lies on another workspace than the one that is shown.
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

/// Reads the windows of a display.
package protocol WindowReading: AnyObject, Sendable {
  /// Every window that a window manager would show, the one in use first, then from the top of the
  /// stack down; `nil` when the server is gone.
  func windows() async -> [WindowFacts]?

  /// The menus that are open: no window manager knows of them, and few have a title. `nil` when the
  /// server is gone.
  func menus() async -> [WindowFacts]?

  /// Brings a window to the front and gives it the keyboard, as far as the window manager lets it.
  /// Answers once that has been asked for; `false` when the window or the server is gone.
  func activate(_ window: WindowID) async -> Bool

  /// Calls the handler whenever a window was opened or closed or another one has the keyboard, in the
  /// place of the handler before.
  func onChange(_ handler: @escaping @Sendable () -> Void)
}

// MARK: Programs and their elements, as the accessibility tree tells of them

/// The identity of one accessible object: the program's name on the bus and the object's path. Both
/// are for the bus alone, never spoken.
package struct ElementID: Hashable, Sendable {
  package let program: String
  package let path: String

  package init(program: String, path: String) {
    self.program = program
    self.path = path
  }
}

/// A window of a program as the accessibility tree has it.
package struct FrameFacts: Hashable, Sendable {
  package var element: ElementID
  /// Safe to speak; empty when it has none.
  package var title: String
  package var role: String
  /// On the screen, corrected for the toolkit; `nil` when it is not known.
  package var rectangle: ScreenRectangle?
  package var isActive: Bool
  /// Whether its program says that it takes nothing elsewhere before this one is answered.
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

/// A running program with its windows.
package struct ProgramFacts: Hashable, Sendable {
  /// Its name on the bus.
  package var bus: String
  /// Safe to speak; empty when it does not answer.
  package var name: String
  /// "gtk", "GAIL", "Qt", "Gecko", "Chromium", "VCL", … as the program says.
  package var toolkit: String
  package var toolkitVersion: String
  /// Whether it tells where things are, and that they are shown, by what may not be so.
  package var hasDoubtfulPlaces = false
  /// From the bus itself, so also for a program that does not answer.
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

/// The states that an element tells of itself, as far as dragging needs them.
package struct ElementStates: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// It and everything around it is visible and within its window; toolkits are not all honest.
  package static let showing = ElementStates(rawValue: 1)
  package static let visible = ElementStates(rawValue: 2)
  package static let enabled = ElementStates(rawValue: 4)
  package static let editable = ElementStates(rawValue: 8)
  package static let focused = ElementStates(rawValue: 16)
  package static let selected = ElementStates(rawValue: 32)
  package static let expandable = ElementStates(rawValue: 64)
  package static let expanded = ElementStates(rawValue: 128)
  /// Creates and ends its children as they are looked at (tables, trees).
  package static let managesDescendants = ElementStates(rawValue: 256)
  package static let focusable = ElementStates(rawValue: 512)
  package static let multiLine = ElementStates(rawValue: 1024)
}

/// Which elements of a window are to be read, and how closely.
package struct WantedElements: Hashable, Sendable {
  /// Only these roles are wanted, all when empty; the bulk call filters by them where the toolkit has
  /// one.
  package var roles: Set<String>
  /// How many elements at most.
  package var most: Int
  /// Whether each row is asked for its states where nothing in its list can be opened. Rows of one
  /// that is not may have those of another, without what is of a single row: selected, focused.
  package var hasRowStates: Bool

  package init(roles: Set<String>, most: Int, hasRowStates: Bool = true) {
    self.roles = roles
    self.most = most
    self.hasRowStates = hasRowStates
  }
}

/// One element of a window.
package struct ElementFacts: Hashable, Sendable {
  package var id: ElementID
  /// The index of the element around it in the same list; always smaller than its own. `nil` for one
  /// whose parent was left out.
  package var parent: Int?
  /// The name of the role in the AT-SPI specification: "table cell", "icon", "page tab".
  package var role: String
  /// Safe to speak; empty when it has none. Labels and the like are looked up already where a
  /// toolkit names rows by something else.
  package var name: String
  /// The part that is shown, on the screen, corrected for the toolkit; `nil` when it is not known or
  /// lies outside.
  package var rectangle: ScreenRectangle?
  package var states: ElementStates
  /// Only attributes that dragging reads: "dropeffect", "grabbed", "id", "class", "tag",
  /// "xml-roles", "draggable"; values are safe to speak and short.
  package var attributes: [String: String]
  /// "3 of 12" where the toolkit tells it.
  package var index: Int?
  package var total: Int?
  /// Whether its program says that it is the label of another element, which has its name then.
  package var isLabelOfAnother: Bool

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

/// The element that has the keyboard focus.
package struct FocusFacts: Hashable, Sendable {
  package var program: ProgramFacts
  package var frame: FrameFacts?
  package var element: ElementFacts
  /// A password field, or something inside one: its keys and its text are nobody's business. `nil`
  /// where the program did not say in time.
  package var isPassword: Bool?
  /// It is all that is in a window, as some programs tell in between: what of it has the focus is not
  /// known.
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

/// Something that changed in the programs of a desktop.
package enum ProgramChange: Hashable, Sendable {
  /// A program or one of its windows came, went, or changed its title.
  case programs
  /// The elements of a watched window changed.
  case elements(frame: ElementID)
  case focus
  /// The accessibility bus is gone, or back.
  case bus(isThere: Bool)
}

/// Reads the programs of a desktop.
///
/// Every call takes about half a second at most for each round of questions: a program that does
/// not answer is skipped, remembered, and asked again later, never waited for.
package protocol ProgramReading: AnyObject, Sendable {
  /// All programs with their windows, ours left out; `nil` when there is no accessibility bus.
  func programs() async -> [ProgramFacts]?

  /// The elements of a window that are shown, in tree order.
  ///
  /// - Parameters:
  ///   - windowOrigin: where the window is, by the display server: GTK 4 tells positions in its
  ///     window only, and without this has none.
  ///   - wanted: which of them.
  func elements(
    of frame: ElementID, in program: ProgramFacts, windowOrigin: ScreenPoint?,
    wanted: WantedElements
  ) async -> Result<[ElementFacts], Reason>

  /// The present positions of elements on the screen, corrected; `nil` for one that is gone or
  /// hidden, and no answer at all from a program that does not respond.
  ///
  /// - Parameter windowOrigin: where their window is, by the display server.
  func rectangles(
    of elements: [ElementID], in program: ProgramFacts, windowOrigin: ScreenPoint?
  ) async -> [ScreenRectangle?]

  /// The element in focus now.
  func focus() async -> FocusFacts?

  /// The selected elements in the container around an element (the rows of a file manager), in tree
  /// order; the element itself when nothing is selected or it is not among them.
  ///
  /// All of them or none: fails with ``Reason/tooMany`` beyond `most`, and with
  /// ``Reason/notResponding`` when some can't be read.
  func selection(
    around element: ElementID, in program: ProgramFacts, most: Int
  ) async -> Result<[ElementFacts], Reason>

  /// The selected text of an element; `nil` when it has none. At most `most` characters.
  func selectedText(
    of element: ElementID, most: Int
  ) async -> String?

  /// The text of an element, at most `most` characters; `nil` when it has none.
  func text(of element: ElementID, most: Int) async -> String?

  /// The position in a text at which something dropped within a rectangle of the screen would best
  /// stand: at the caret where that can be seen, else at the end of the last line that can. `nil`
  /// where it is not known, or the text is longer than `most` characters.
  ///
  /// - Parameter windowOrigin: where its window is, by the display server.
  func textAim(
    of element: ElementID, in program: ProgramFacts, windowOrigin: ScreenPoint?,
    within visible: ScreenRectangle, most: Int
  ) async -> TextAim?

  /// In which line of a text its caret is; `nil` where it is not known, or the text is longer than
  /// `most` characters.
  func caretPosition(
    of element: ElementID, most: Int
  ) async -> TextPosition?

  /// The names of the actions that each of these offers ("click", "activate", "drag", "drop");
  /// `nil` where the program does not answer.
  func actions(of elements: [ElementID]) async -> [[String]]?

  /// Carries out an action by its name; `true` says only that the program took the call.
  func perform(
    _ action: String, on element: ElementID
  ) async -> Bool

  /// The area of an element that can be aimed at, once it has been scrolled into view, clear of the
  /// edges at which a list scrolls under a drag, as far as that can be; `nil` where it can't be seen.
  ///
  /// - Throws: ``Reason/notResponding``.
  func reach(
    _ element: ElementID, in program: ProgramFacts, windowOrigin: ScreenPoint?
  ) async throws(Reason) -> ElementReach?

  /// Has an element take the focus in its window, a row of a list the selection too; `true` says only
  /// that the program took the call.
  func takeFocus(_ element: ElementID) async -> Bool

  /// Tells of changes, from any thread; set once. Changes of elements are told for the watched
  /// windows only.
  func observe(_ observer: @escaping @Sendable (ProgramChange) -> Void)

  /// Which windows are watched from now on.
  func watch(_ frames: [ElementID])
}

extension ProgramReading {
  package func textAim(
    of element: ElementID, in program: ProgramFacts, windowOrigin: ScreenPoint?,
    within visible: ScreenRectangle, most: Int
  ) async -> TextAim? { nil }

  package func caretPosition(
    of element: ElementID, most: Int
  ) async -> TextPosition? { nil }
}

/// The area of an element that can be aimed at. In pixels of the screen.
package struct ElementReach: Hashable, Sendable {
  /// The visible part.
  package var shown: ScreenRectangle
  /// Whether nothing scrolls under a drag over it, as far as that is known.
  package var isClear = true
  /// How much further right and down it is than its program tells, in pixels.
  package var shift = ScreenPoint(x: 0, y: 0)
  /// How far it may be from there at most, in each direction, in pixels.
  package var doubt = ScreenPoint(x: 0, y: 0)

  /// Whether its middle may be beside it.
  package var isUncertain: Bool {
    doubt.x * 2 >= shown.width || doubt.y * 2 >= shown.height
  }

  package init(_ shown: ScreenRectangle) { self.shown = shown }
}

/// A place between two characters of a text that is shown.
package struct TextAim: Hashable, Sendable {
  /// On the screen.
  package var point: ScreenPoint
  package var position: TextPosition

  package init(point: ScreenPoint, position: TextPosition) {
    (self.point, self.position) = (point, position)
  }
}
