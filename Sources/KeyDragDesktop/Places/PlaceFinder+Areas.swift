import KeyDragCore

/// Guessed places: programs draw parts themselves, and the tree exposes only a named panel, or a
/// text with much room. Whether these accept anything the program says when it is asked.
extension PlaceFinder {
  /// In pixels; no smaller text or unnamed panel is meant to be dropped on.
  private static let leastSide = 40
  /// The least share of its window that such a part takes, as a divisor.
  private static let leastShare = 25
  /// In characters; a longer text is there to be read.
  private static let maxCaptionLength = 80
  /// The least share of a window that must be left over to be a place, as a divisor.
  private static let leastRest = 3
  /// The margin between another place and the rest of a window, in pixels.
  private static let margin = 8

  /// Keeps only those areas that have a name, and no place in them or around them.
  ///
  /// With a profile for the program none is guessed: its rules say which parts are places.
  mutating func dropFilledAreas() {
    var isTaken = Array(repeating: false, count: tree.elements.count)
    var holdsPlace = isTaken
    let areas = candidates.map { isArea($0) }
    for (candidate, isArea) in zip(candidates, areas) where !isArea {
      isTaken[candidate.index] = candidate.match.rule.traits.isDropPoint
      for around in tree.ancestors(of: candidate.index) { holdsPlace[around] = true }
    }
    // Everything but areas stays.
    var isKept = areas.map { !$0 }
    // A named area takes precedence over one that only contains text.
    for needsSign in [false, true] where matcher.profile == nil {
      // Innermost first: of two nested areas the inner one is meant.
      for (number, candidate) in candidates.enumerated().reversed() where areas[number] {
        let index = candidate.index
        guard !isKept[number], !holdsPlace[index],
          needsSign ? hasSign(candidate) : isNamedPanel(index),
          !tree.ancestors(of: index).contains(where: { isTaken[$0] })
        else { continue }
        isKept[number] = true
        isTaken[index] = true
        for around in tree.ancestors(of: index) { holdsPlace[around] = true }
      }
    }
    candidates = zip(candidates, isKept).filter(\.1).map(\.0)
  }

  /// Whether a candidate is a guess: nothing but its role, panel or text, makes it a place, and it
  /// does not declare itself a drop target.
  func isArea(_ candidate: Candidate) -> Bool {
    guard case .generic = candidate.match.origin, candidate.match.rule.traits.isDropPoint else {
      return false
    }
    return candidate.match.rule.condition.roles == AccessibleRoles.guessed
  }

  /// A named panel has a purpose of its own, and so has a page with a tab.
  private func isNamedPanel(_ index: Int) -> Bool {
    let element = tree.elements[index]
    if element.role == AccessibleRoles.pages { return !isWindowItself(namer.tabName(of: index)) }
    return AccessibleRoles.panels.contains(element.role)
      && !isWindowItself(PlaceNamer.ownName(of: element))
  }

  /// A text, or a panel with text, is a place if it has much more room than the text needs.
  private func hasSign(_ candidate: Candidate) -> Bool {
    let index = candidate.index
    let element = tree.elements[index]
    guard element.role != AccessibleRoles.pages, !element.isLabelOfAnother,
      let room = tree.rectangle(of: index),
      room.width >= Self.leastSide, room.height >= Self.leastSide,
      room.width * room.height * Self.leastShare >= window.rectangle.width * window.rectangle.height
    else { return false }
    let sign = namer.name(of: index, candidate.match.rule, isView: false)
    return !isWindowItself(sign) && sign.count <= Self.maxCaptionLength
  }

  /// Whether a name only repeats the window's: the element is its main content, or its frame.
  private func isWindowItself(_ name: String) -> Bool { name.isEmpty || name == namer.title }

  /// The window, if much of it belongs to none of the places in it.
  ///
  /// - Returns: `nil` if little is left, or the window is a place already. Its point keeps clear of
  ///   the others.
  func windowBeside(_ places: [Place]) -> Place? {
    let room = window.rectangle
    guard !room.isEmpty, !places.contains(where: { $0.role == .window }) else { return nil }
    // A row lies in its list.
    let taken = places.filter { $0.traits.isDropPoint && $0.role != .row }
      .compactMap(\.rectangle)
    let free = Self.freePoints(in: room, beside: taken)
    guard free.count * Self.leastRest >= Self.gridCount else { return nil }
    var place = wholeWindow()
    place.point = clearPoint(in: room, beside: taken)
    return place
  }

  /// The point of a window that keeps clear of its places, and of its fields: one for a setting is
  /// no place, and a drop meant for the window would write a path into it.
  func clearPoint(in room: ScreenRectangle, beside places: [ScreenRectangle]) -> ScreenPoint? {
    let taken = places + fields
    return Self.spot(in: room, beside: taken.map { $0.grown(by: Self.margin) })
      ?? Self.spot(in: room, beside: taken) ?? Self.spot(in: room, beside: places)
  }

  func hasField(at point: ScreenPoint) -> Bool { fields.contains { $0.contains(point) } }

  private var fields: [ScreenRectangle] {
    tree.elements.indices.filter { index in
      let element = tree.elements[index]
      return AccessibleRoles.fields.contains(element.role) && element.states.contains(.editable)
    }.compactMap { tree.rectangle(of: $0) }
  }
}

extension ScreenRectangle {
  /// Enlarged on each side, in pixels.
  fileprivate func grown(by margin: Int) -> ScreenRectangle {
    ScreenRectangle(
      x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
  }
}
