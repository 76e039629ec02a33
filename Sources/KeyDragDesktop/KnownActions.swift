import KeyDragCore

/// The actions that elements offer, as far as dragging reads them. Few programs tell them and
/// asking takes a question for each element: those that may are asked, once.
struct KnownActions {
  private(set) var known: [ElementID: Set<String>] = [:]

  /// Elements that are asked at a time.
  static let mostAsked = 48
  /// Beyond it all are forgotten.
  private static let mostKnown = 4_096
  /// Roles that may be places by their actions alone.
  private static let candidates = AccessibleRoles.areas.union(AccessibleRoles.images)
    .union(AccessibleRoles.canvases).union(AccessibleRoles.labels)

  /// The elements to ask: those that can be seen and are not places by their role alone; those that
  /// say anything of dragging come first.
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

  /// Of its actions only those are kept that dragging reads.
  mutating func learn(_ actions: [String], of element: ElementID) {
    if known.count >= Self.mostKnown { known = [:] }
    known[element] = Set(actions).intersection([
      PlaceFinder.dragAction, PlaceFinder.dropAction,
    ])
  }
}

extension PlaceFinder {
  /// The names that ATK's convention gives to what can be dragged and dropped on.
  static let dragAction = "drag"
  static let dropAction = "drop"
}

extension ElementFacts {
  /// Whether its attributes offer it for dragging; a page says "grabbed" of what can be picked up
  /// and of nothing else.
  var saysGrabbable: Bool {
    ["true", "false"].contains(attributes["grabbed"]?.lowercased())
      || attributes["draggable"]?.lowercased() == "true"
  }
}
