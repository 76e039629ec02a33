import KeyDragCore

/// A part of a window on which something can be dropped, or from which it can be picked up.
///
/// Found anew with each reading of a window; the same place is told by its element, not by its
/// index.
package struct Place: Hashable, Sendable {
  /// Which rule made it.
  package enum Origin: Hashable, Sendable {
    /// The index of a rule in the program's own profile.
    case profile(Int)
    /// The index of a rule for all programs.
    case generic(Int)
    /// The element itself says that it can be dragged or dropped on.
    case element
  }

  /// How sure it is that files dropped on a text are written into it as their paths.
  package enum PathWriting: Hashable, Sendable {
    /// Every program of its toolkit does so.
    case certain
    /// A program may open or send the files instead.
    case likely
  }

  /// `nil` for a part of a window whose elements are not known.
  package var element: ElementID?
  /// Its index among the elements it was found in; that of the first cell for a row.
  package var index: Int?
  /// The visible part of it; `nil` while it is scrolled out of view.
  package var rectangle: ScreenRectangle?
  /// The point at which to ask and to drop; `nil` while it is scrolled out of view.
  package var point: ScreenPoint?
  /// There is no room beside what lies on it: whoever drops at ``point`` meets an item.
  package var isCovered = false
  /// A folder in a view of files that no element stands for: it is dropped on by its path.
  package var isOutOfSight = false
  /// The name by which it is found; empty when it has none. That of a row is whole.
  package var name: String
  /// How it is told to a person: never empty, and no other place of the window is told like it.
  ///
  /// For rows that is a whole name of a file, however long.
  package var spokenName: String
  /// How many places of the window would be told alike without a number.
  package var twins = 1
  /// How those are told but for the number; empty where there is no other.
  package var sharedName = ""
  /// The kind of place, for the word that it is told with.
  package var role: PlaceRole
  /// Its abilities, as the rule or the element tells them.
  package var traits: PlaceTraits
  /// By what it became a place.
  package var origin: Origin
  /// `nil` where nothing is known of it.
  package var pathWriting: PathWriting?

  /// Whether it is a thing in a list, not the list.
  var isRow: Bool { [.row, .folder, .icon].contains(role) }

  /// The rest has its usual value, and is set by the finder.
  package init(
    element: ElementID?, index: Int? = nil, rectangle: ScreenRectangle? = nil,
    point: ScreenPoint? = nil, name: String, spokenName: String, role: PlaceRole,
    traits: PlaceTraits, origin: Origin
  ) {
    self.element = element
    self.index = index
    self.rectangle = rectangle
    self.point = point
    self.name = name
    self.spokenName = spokenName
    self.role = role
    self.traits = traits
    self.origin = origin
  }
}

/// The places that were found in a window.
///
/// Places are numbered and told apart already.
package struct FoundPlaces: Hashable, Sendable {
  /// The view that the window is for comes first, then what is in it, then the rest, each in the
  /// order in which one reads.
  package var places: [Place]
  /// The rules of the program's profile that fitted an element, also those that make no place.
  package var usedRules: Set<Int>
}
