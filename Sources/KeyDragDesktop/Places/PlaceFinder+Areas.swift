import KeyDragCore

/// Places that are guessed at: programs draw parts of their own, and the tree tells no more of them
/// than that they are a panel with a name, or words with much room. Whether they take anything the
/// program says when it is asked.
extension PlaceFinder {
  /// Smaller than that, in pixels, nobody makes a part to drop on out of words or an unnamed panel.
  private static let leastSide = 40
  /// Of how many parts of its window such a part takes one, or more.
  private static let leastShare = 25
  /// Longer words than that are there to be read.
  private static let longestSign = 80
  /// Of how many parts of a window one has to be left over to be a place of its own.
  private static let leastRest = 3
  /// How far from another place the rest of a window begins, in pixels.
  private static let margin = 8

  /// Of areas only those are places that have a name, and no place in them or around them. Who
  /// describes a program says which of its parts are places.
  ///
  /// With a profile for the program no area is guessed at: only its rules make places of
  /// them.
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
    // An area with a name of its own goes before one that only has words in it.
    for needsSign in [false, true] where matcher.profile == nil {
      // From the inside out: of two areas the inner one is meant.
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

  /// Whether nothing but that it is a panel or words makes it a place.
  ///
  /// An element that says of itself that it takes drops is no guess.
  func isArea(_ candidate: Candidate) -> Bool {
    guard case .generic = candidate.match.origin, candidate.match.rule.traits.isDropPoint else {
      return false
    }
    return candidate.match.rule.condition.roles == AccessibleRoles.guessed
  }

  /// A panel that was named is for something of its own, and so is a page with a tab.
  private func isNamedPanel(_ index: Int) -> Bool {
    let element = tree.elements[index]
    if element.role == AccessibleRoles.pages { return !isWindowItself(namer.tabName(of: index)) }
    return AccessibleRoles.panels.contains(element.role)
      && !isWindowItself(PlaceNamer.ownName(of: element))
  }

  /// Words, and a panel with words in it, are a place with much more room than there is to read.
  private func hasSign(_ candidate: Candidate) -> Bool {
    let index = candidate.index
    let element = tree.elements[index]
    guard element.role != AccessibleRoles.pages, !element.isLabelOfAnother,
      let room = tree.rectangle(of: index),
      room.width >= Self.leastSide, room.height >= Self.leastSide,
      room.width * room.height * Self.leastShare >= window.rectangle.width * window.rectangle.height
    else { return false }
    let sign = namer.name(of: index, candidate.match.rule, isView: false)
    return !isWindowItself(sign) && sign.count <= Self.longestSign
  }

  /// Whether a name says no more than the window's own: what bears it is what the window is for, or
  /// its frame.
  private func isWindowItself(_ name: String) -> Bool { name.isEmpty || name == namer.title }

  /// The window, where much of it is none of the places in it.
  ///
  /// - Returns: `nil` where little is left, or the window is a place already. Its point keeps off
  ///   the others.
  func windowBeside(_ places: [Place]) -> Place? {
    let room = window.rectangle
    guard !room.isEmpty, !places.contains(where: { $0.role == .window }) else { return nil }
    // A row in a list is in the list.
    let taken = places.filter { $0.traits.isDropPoint && $0.role != .row }
      .compactMap(\.rectangle)
    let free = Self.freePoints(in: room, beside: taken)
    guard free.count * Self.leastRest >= Self.gridCount else { return nil }
    var place = wholeWindow()
    place.point =
      Self.spot(in: room, beside: taken.map { $0.grown(by: Self.margin) })
      ?? Self.spot(in: room, beside: taken)
    return place
  }
}

extension ScreenRectangle {
  /// With as much more on each side, in pixels.
  fileprivate func grown(by margin: Int) -> ScreenRectangle {
    ScreenRectangle(
      x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
  }
}
