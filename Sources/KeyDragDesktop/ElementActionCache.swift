import KeyDragCore

/// Cache of the actions of elements, as far as dragging reads them. Few programs expose any, and
/// each element takes a call: candidates are asked once.
struct ElementActionCache {
  private(set) var known: [ElementID: Set<String>] = [:]

  static let mostAsked = 48
  /// Above this the cache is emptied.
  private static let mostKnown = 4_096
  /// Roles that may be places by their actions alone.
  private static let candidates = AccessibleRoles.areas.union(AccessibleRoles.images)
    .union(AccessibleRoles.canvases).union(AccessibleRoles.labels)

  /// The elements to ask: visible ones that are not places by their role alone, those with drag
  /// attributes first.
  func unknown(among elements: [ElementFacts]) -> [ElementID] {
    // An element in a row belongs to the row.
    var isInRow = [Bool](repeating: false, count: elements.count)
    let open = elements.enumerated().filter { index, element in
      if let parent = element.parent, parent < index {
        isInRow[index] = isInRow[parent] || AccessibleRoles.rows.contains(elements[parent].role)
      }
      return Self.candidates.contains(element.role) && element.rectangle?.isEmpty == false
        && known[element.id] == nil && !isInRow[index]
    }.map(\.element)
    let said = open.filter { $0.attributes["dropeffect"] != nil || $0.saysGrabbable }
    let rest = open.filter { $0.attributes["dropeffect"] == nil && !$0.saysGrabbable }
    return (said + rest).prefix(Self.mostAsked).map(\.id)
  }

  /// Keeps only the actions that dragging reads.
  mutating func learn(_ actions: [String], of element: ElementID) {
    if known.count >= Self.mostKnown { known = [:] }
    known[element] = Set(actions).intersection([
      PlaceFinder.dragAction, PlaceFinder.dropAction,
    ])
  }
}

extension PlaceFinder {
  /// ATK's conventional names for the actions of drag sources and drop targets.
  static let dragAction = "drag"
  static let dropAction = "drop"
}

extension ElementFacts {
  /// Whether its attributes offer it for dragging; pages set "grabbed" on draggable elements only.
  var saysGrabbable: Bool {
    ["true", "false"].contains(attributes["grabbed"]?.lowercased())
      || attributes["draggable"]?.lowercased() == "true"
  }
}
