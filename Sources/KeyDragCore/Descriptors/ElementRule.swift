/// The role of a place, in a word that people use; the raw value is its name in a profile.
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

/// The kind of content that can be picked up at an element.
package enum SourceKind: String, Hashable, Sendable, CaseIterable {
  case files
  case text
  case image
  case link
  /// The program says that it can be dragged, and not what it is.
  case unknown
}

/// The destination of a drop on a place that a program shows by a name alone.
package enum PlaceDestination: String, Hashable, Sendable, CaseIterable {
  /// The person's trash, from which everything can be brought back.
  case trash
  /// One of the person's folders, such as a file manager lists beside the one that it shows.
  case bookmark
}

/// How an element is dragged from and dropped on.
package struct PlaceTraits: Hashable, Sendable {
  package var isDropPoint: Bool
  /// Whether it is what the window is for, such as the folder that it shows: it comes first.
  package var isView: Bool
  package var source: SourceKind?
  /// The content types that it takes; empty when that is not known.
  package var accepts: [String]
  /// The operation of a drop there unless the person asks for another one.
  package var operation: DragOperation?
  /// How to deliver there; `nil` for the usual way.
  package var route: Route?
  /// Its "yes" says nothing: the program says it to everything.
  package var mayAccept: Bool
  /// It scrolls while the pointer rests outside of it, also under a drag without a pointer.
  package var scrollsByPointer: Bool
  /// Nothing else than the usual operation is done there, whatever the program says when it is asked.
  package var isOneOperation = false
  /// The destination of a drop; `nil` for the contents that are shown there.
  package var destination: PlaceDestination?
  /// The key that has its window show a list there, where the view itself tells nothing of what is
  /// in it.
  package var detailsKey: KeyStroke?
  package var positions: DropPositions

  package init(
    isDropPoint: Bool = false, isView: Bool = false, source: SourceKind? = nil,
    accepts: [String] = [], operation: DragOperation? = nil, route: Route? = nil,
    mayAccept: Bool = false, scrollsByPointer: Bool = false, positions: DropPositions = .on
  ) {
    self.isDropPoint = isDropPoint
    self.isView = isView
    self.source = source
    self.accepts = accepts
    self.operation = operation
    self.route = route
    self.mayAccept = mayAccept
    self.scrollsByPointer = scrollsByPointer
    self.positions = positions
  }
}

/// Elements of one sort in a program's windows, and what they are to somebody who drags.
package struct ElementRule: Hashable, Sendable {
  /// Which elements it is about: all that is given must hold.
  package struct Condition: Hashable, Sendable {
    /// One of these; empty for any.
    package var roles: Set<String>
    /// Called like one of these; empty for any name.
    package var names: [NamePattern]
    /// Called like one of a set of which another name is beside it; empty for any name.
    package var sets: [[NamePattern]] = []
    package var attributes: [String: NamePattern]
    package var states: ElementStates
    /// One of the elements around it has one of these roles.
    package var inside: Set<String>
    /// None of them has one of these.
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

  /// The source of the spoken name.
  package enum NameSource: Hashable, Sendable {
    /// The element's own, or that of the first named thing in it.
    case name
    /// The label in it, or the one just before it.
    case label
    /// The window's title without the program's name.
    case title
    /// Words with "{name}", "{label}" and "{title}" in them.
    case template(String)
  }

  /// A word for a place: one that is translated, or one of the person's own.
  package enum Word: Hashable, Sendable {
    case role(PlaceRole)
    case text(String)
  }

  /// A part of an element that is a place of its own, as fractions of the element's rectangle.
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
  /// `nil`: as the element's role says.
  package var word: Word?
  /// These stand for the element, where there are any.
  package var parts: [Part]
  /// Each cell of a table is a place, not each row.
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
