import KeyDragCore

/// A part of a window on which something can be dropped, or from which it can be picked up.
///
/// Recreated with each reading of a window; its element identifies a place, its index does not.
package struct Place: Hashable, Sendable {
  package enum Origin: Hashable, Sendable {
    /// The index of a rule in the program's own profile.
    case profile(Int)
    /// The index of a rule for all programs.
    case generic(Int)
    /// The element itself offers dragging or dropping.
    case element
  }

  /// The certainty that files dropped on a text are written into it as their paths.
  package enum PathWriting: Hashable, Sendable {
    /// Every program of its toolkit does so.
    case certain
    /// A program may open or send the files instead.
    case likely
  }

  /// `nil` for a part of a window whose elements are unknown.
  package var element: ElementID?
  /// Its index among the elements it was found in; of a row that of its first cell.
  package var index: Int?
  /// The visible part; `nil` while scrolled out of view.
  package var rectangle: ScreenRectangle?
  /// The point to ask and to drop at; `nil` while scrolled out of view.
  package var point: ScreenPoint?
  /// Its items leave no room: a drop at ``point`` hits one of them.
  package var isCovered = false
  /// A folder in a file view without an element: a drop goes by its path.
  package var isOffscreen = false
  /// The name to look for, untruncated for a row; empty if it has none.
  package var name: String
  /// The announced name: never empty, and unique in the window; for a row the whole name of a file,
  /// however long.
  package var spokenName: String
  /// The number of places whose spoken name would be the same without a suffix.
  package var twins = 1
  /// The spoken name without the suffix; empty if it has none.
  package var sharedName = ""
  /// The kind of place, which supplies the word in the spoken name.
  package var role: PlaceRole
  /// Its abilities, from the rule or the element.
  package var traits: PlaceTraits
  package var origin: Origin
  /// `nil` if unknown.
  package var pathWriting: PathWriting?

  /// Whether it is an item of a list, not the list.
  var isRow: Bool { [.row, .folder, .icon].contains(role) }
}

/// The places found in a window, with unique names.
package struct FoundPlaces: Hashable, Sendable {
  /// The main view first, then its contents, then the rest, each in reading order.
  package var places: [Place]
  /// The indices of the profile's rules that matched an element, even without making a place.
  package var usedRules: Set<Int>
}
