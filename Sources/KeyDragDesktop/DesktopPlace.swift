import KeyDragCore

/// A place in a window that may take a drop.
package struct DesktopPlace: Hashable, Sendable {
  /// The element it belongs to; `nil` for a window of which nothing more is known.
  package var element: ElementID?
  /// Where it is on the screen.
  package var rectangle: ScreenRectangle
  /// Where in it a drop is aimed at, as parts of its sides: 0.5 and 0.5 is the middle.
  package var aim: (x: Double, y: Double) {
    get { (aimX, aimY) }
    set { (aimX, aimY) = newValue }
  }
  private var aimX = 0.5
  private var aimY = 0.5
  /// What a person calls it.
  package var name: String
  /// The AT-SPI name of its role; empty for a whole window.
  package var role: String
  /// The program's accept is no information.
  package var acceptsAnything = false
  /// Content types that it takes, where a profile knows them; `nil`: whatever the program says.
  package var types: [String]?
  /// The operation that a profile gives; `nil`: by the rules of every drop.
  package var operation: DragOperation?
  /// The view of a folder, or a row in it: files that land there can be looked for on the disk.
  package var isFolderView = false
  /// The row's own name, where it is one.
  package var row: String?
  /// What opens when something rests on it: a tab, a folder.
  package var canOpen = false

  package init(
    element: ElementID?, rectangle: ScreenRectangle, name: String, role: String = ""
  ) {
    self.element = element
    self.rectangle = rectangle
    self.name = name
    self.role = role
  }

  /// The point of the screen that is asked about, in its rectangle as it is now.
  package func point(in rectangle: ScreenRectangle) -> ScreenPoint {
    ScreenPoint(
      x: rectangle.x + Int(Double(rectangle.width) * aimX),
      y: rectangle.y + Int(Double(rectangle.height) * aimY))
  }
}

/// Finds the places in a window: what a profile says of its program, or what every program has.
package struct PlaceFinding: Sendable {
  /// Roles of elements that are wanted from this program.
  package var roles: @Sendable (ProgramFacts, WindowFacts) -> Set<String>
  package var places: @Sendable ([ElementFacts], ProgramFacts, WindowFacts) -> [DesktopPlace]

  package init(
    roles: @escaping @Sendable (ProgramFacts, WindowFacts) -> Set<String>,
    places: @escaping @Sendable ([ElementFacts], ProgramFacts, WindowFacts) -> [DesktopPlace]
  ) {
    self.roles = roles
    self.places = places
  }
}
