/// The role of a place in everyday terms; the raw value is its name in a profile.
package enum PlaceRole: String, Hashable, Sendable, CaseIterable {
  case folderView = "folder-view"
  case folder
  case list
  case tree
  case row
  case icon
  case tab
  case textField = "text-field"
  case page
  case document
  case canvas
  case terminal
  case toolbar
  case statusBar = "status-bar"
  case button
  case image
  case link
  case area
  case window
  case background
  case textLine = "text-line"
}

package enum SourceKind: String, Hashable, Sendable, CaseIterable {
  case files
  case text
  case image
  case link
  /// The program says that it can be dragged, but not what it is.
  case unknown
}

/// The destination of a drop on a place that a program shows only by name.
package enum PlaceDestination: String, Hashable, Sendable, CaseIterable {
  /// The person's trash, from which everything can be restored.
  case trash
  /// One of the person's folders, such as a file manager lists in its side bar.
  case bookmark
}

package struct PlaceTraits: Hashable, Sendable {
  package var isDropPoint: Bool
  /// Whether it is the main view of the window, such as the displayed folder: it comes first.
  package var isView: Bool
  package var source: SourceKind?
  /// The accepted content types; empty if unknown.
  package var accepts: [String]
  /// The default operation of a drop there.
  package var operation: DragOperation?
  /// The way of delivery; `nil` for the default route.
  package var route: Route?
  /// Its acceptance carries no information: the program accepts everything.
  package var acceptsEverything: Bool
  /// It scrolls while the pointer is outside of it, even during a drag without a pointer.
  package var scrollsByPointer: Bool
  /// Only the default operation is done there, whatever the program answers.
  package var allowsOnlyDefaultOperation = false
  /// `nil` for the contents that are displayed there.
  package var destination: PlaceDestination?
  /// The key that switches its window to a list view, if the current view exposes no contents.
  package var detailsKey: KeyStroke?
  package var positions: DropPositions

  package init(
    isDropPoint: Bool = false, isView: Bool = false, source: SourceKind? = nil,
    accepts: [String] = [], operation: DragOperation? = nil, route: Route? = nil,
    acceptsEverything: Bool = false, scrollsByPointer: Bool = false, positions: DropPositions = .on
  ) {
    self.isDropPoint = isDropPoint
    self.isView = isView
    self.source = source
    self.accepts = accepts
    self.operation = operation
    self.route = route
    self.acceptsEverything = acceptsEverything
    self.scrollsByPointer = scrollsByPointer
    self.positions = positions
  }
}

/// Elements of one kind in a program's windows, and their part in drag and drop.
package struct ElementRule: Hashable, Sendable {
  /// Which elements match: all given criteria must hold.
  package struct Condition: Hashable, Sendable {
    /// Any of these; empty for all.
    package var roles: Set<String>
    /// Any of these; empty for all.
    package var names: [NamePattern]
    /// A name in a set of which another name is beside it; empty for all.
    package var sets: [[NamePattern]] = []
    package var attributes: [String: NamePattern]
    package var states: ElementStates
    /// The roles of which one ancestor must have one.
    package var inside: Set<String>
    /// The roles that no ancestor may have.
    package var outside: Set<String>

    package init(
      roles: Set<String> = [], name: NamePattern? = nil, attributes: [String: NamePattern] = [:],
      states: ElementStates = [], inside: Set<String> = [], outside: Set<String> = []
    ) {
      self.roles = roles
      names = name.map { [$0] } ?? []
      self.attributes = attributes
      self.states = states
      self.inside = inside
      self.outside = outside
    }

    package var isEmpty: Bool {
      roles.isEmpty && names.isEmpty && sets.isEmpty && attributes.isEmpty && states.isEmpty
        && inside.isEmpty
    }
  }

  package enum NameSource: Hashable, Sendable {
    /// The element's own, or that of the first named thing in it.
    case name
    /// The label in it, or the one just before it.
    case label
    /// The window's title without the program's name.
    case title
    /// Text with "{name}", "{label}" and "{title}" in it.
    case template(String)
  }

  /// A word for a place: a translated one, or one of the person's own.
  package enum Word: Hashable, Sendable {
    case role(PlaceRole)
    case text(String)
  }

  /// A part of an element that is a place of its own, in fractions of the element's rectangle.
  package struct Part: Hashable, Sendable {
    package var word: Word
    package var left: Double
    package var top: Double
    package var right: Double
    package var bottom: Double

    package init(word: Word, left: Double, top: Double, right: Double, bottom: Double) {
      self.word = word
      self.left = left
      self.top = top
      self.right = right
      self.bottom = bottom
    }

    package func rectangle(in whole: ScreenRectangle) -> ScreenRectangle {
      let (left, top) = (Double(whole.width) * left, Double(whole.height) * top)
      let (right, bottom) = (Double(whole.width) * right, Double(whole.height) * bottom)
      return ScreenRectangle(
        x: whole.x + Int(left.rounded()), y: whole.y + Int(top.rounded()),
        width: Int(right.rounded()) - Int(left.rounded()),
        height: Int(bottom.rounded()) - Int(top.rounded()))
    }
  }

  package var condition: Condition
  package var traits: PlaceTraits
  package var name: NameSource
  /// `nil` for the word of the element's role.
  package var word: Word?
  /// They replace the element, if there are any.
  package var parts: [Part]
  /// Whether each cell of a table is a place, instead of each row.
  package var isForEachCell: Bool

  package init(
    _ condition: Condition, traits: PlaceTraits, name: NameSource = .name, word: Word? = nil,
    parts: [Part] = [], isForEachCell: Bool = false
  ) {
    self.condition = condition
    self.traits = traits
    self.name = name
    self.word = word
    self.parts = parts
    self.isForEachCell = isForEachCell
  }
}
