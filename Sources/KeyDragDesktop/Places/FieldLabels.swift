import KeyDragCore

/// The label of each field by where both are seen: to the left of it on the same line, else right
/// above it.
///
/// A label names a field only where nothing is nearer to either of them in between. Windows that
/// are read from right to left are mirrored.
struct FieldLabels {
  /// A label or a control, where it is seen.
  private struct Thing {
    var index: Int
    var area: ScreenRectangle
    var isWords: Bool
    /// Words that are for no other element by its program's word, and may be a name.
    var isLabel = false
    /// A control that nothing names yet.
    var isNameless = false
  }

  /// Whether the window is read from right to left.
  private(set) var isMirrored = false
  /// The index of the label by that of the control.
  private var labels: [Int: Int] = [:]
  /// The same by the control for a text that is a part of it.
  private var wholes: [Int: Int] = [:]

  /// In pixels: how far above a control its label ends, how far aside it begins, and by how much
  /// two places may differ that are meant to be the same.
  private static let farthestAbove = 32
  private static let indent = 24
  private static let slack = 4
  /// Longer words explain something. In characters.
  private static let longest = 80
  /// More things of one list or page are not compared with each other.
  private static let most = 400

  /// - Parameters:
  ///   - isNamed: whether a control has a name of its own.
  ///   - words: a label's words as a name.
  init(_ tree: ElementTree, isNamed: (Int) -> Bool, words: (Int) -> String) {
    var groups: [Int: [Thing]] = [:]
    var rightToLeft = 0
    for (index, element) in tree.elements.enumerated() {
      let isLabel = AccessibleRoles.labels.contains(element.role)
      guard isLabel || AccessibleRoles.controls.contains(element.role) else { continue }
      // Its parts are one with a control.
      if let whole = tree.ancestors(of: index).first(where: {
        AccessibleRoles.wholes.contains(tree.elements[$0].role)
      }) {
        if !isLabel { wholes[index] = wholes[whole] ?? whole }
        continue
      }
      guard case .seen(let area) = tree.sight(of: index) else { continue }
      var thing = Thing(index: index, area: area, isWords: isLabel)
      if isLabel {
        let words = words(index)
        if words.isEmpty { continue }
        thing.isLabel =
          !element.isLabelOfAnother && words.count <= Self.longest
          && words.contains(where: \.isLetter)
        rightToLeft += words.isRightToLeft ? 1 : -1
      } else {
        thing.isNameless = !isNamed(index)
      }
      let around = tree.ancestors(of: index).first { around in
        let role = tree.elements[around].role
        return AccessibleRoles.scopes.contains(role)
          || AccessibleRoles.surroundings.contains(role) && isNamed(around)
      }
      groups[around ?? -1, default: []].append(thing)
    }
    let named = Set(wholes.keys.filter(isNamed).compactMap { wholes[$0] })
    let inner = Set(wholes.values).subtracting(named)
    var (usual, mirrored): ([Int: Int], [Int: Int]) = ([:], [:])
    for things in groups.values where things.count <= Self.most {
      var things = things
      // A combo box is called by what is chosen in it.
      for place in things.indices where inner.contains(things[place].index) {
        things[place].isNameless = true
      }
      usual.merge(Self.matches(things)) { first, _ in first }
      mirrored.merge(Self.matches(things.map(Self.mirror))) { first, _ in first }
    }
    isMirrored =
      mirrored.count > 1 && mirrored.count > usual.count
      || rightToLeft > 0 && mirrored.count >= usual.count
    labels = isMirrored ? mirrored : usual
  }

  /// The label of a control, or of the control that a text is a part of.
  subscript(index: Int) -> Int? { labels[index] ?? wholes[index].flatMap { labels[$0] } }

  private static func mirror(_ thing: Thing) -> Thing {
    var thing = thing
    thing.area = thing.area.mirrored
    return thing
  }

  /// Labels by controls; a label to the left first.
  private static func matches(_ things: [Thing]) -> [Int: Int] {
    var result: [Int: Int] = [:]
    var taken: Set<Int> = []
    for place in things.indices where !things[place].isWords {
      let nearest = nearest(to: place, things) { leftGap($1, $0) }
      guard let label = nearest, things[label].isLabel,
        self.nearest(to: label, things, by: leftGap) == place,
        !isBetweenEquals(label, place, things)
      else { continue }
      result[things[place].index] = things[label].index
      taken.insert(label)
    }
    for place in things.indices
    where !things[place].isWords && result[things[place].index] == nil {
      let nearest = nearest(to: place, things) { lower, upper in
        Self.isAligned(upper, lower) ? gapBelow(upper, lower) : nil
      }
      guard let label = nearest, things[label].isLabel, !taken.contains(label),
        self.nearest(to: label, things, by: { gapBelow($0, $1) }) == place
      else { continue }
      result[things[place].index] = things[label].index
    }
    return result
  }

  /// The one thing that is nearest; `nil` where several are as near.
  private static func nearest(
    to place: Int, _ things: [Thing], by gap: (ScreenRectangle, ScreenRectangle) -> Int?
  ) -> Int? {
    var best: (place: Int, gap: Int)?
    var isOne = false
    for other in things.indices where other != place {
      guard let gap = gap(things[place].area, things[other].area) else { continue }
      if let known = best, gap >= known.gap {
        if gap - known.gap < slack { isOne = false }
        continue
      }
      isOne = best.map { $0.gap - gap >= slack } ?? true
      best = (other, gap)
    }
    return isOne ? best?.place : nil
  }

  /// Whether a label lies between two controls that nothing else names, as near to either.
  private static func isBetweenEquals(_ label: Int, _ place: Int, _ things: [Thing]) -> Bool {
    guard let before = nearest(to: label, things, by: { leftGap($1, $0) }),
      things[before].isNameless,
      let own = leftGap(things[label].area, things[place].area),
      let other = leftGap(things[before].area, things[label].area), other - own < slack
    else { return false }
    let label = nearest(to: before, things) { leftGap($1, $0) }
    return label.map { !things[$0].isLabel } ?? true
  }

  /// How far right of a thing another one begins on the same line, and how far they are from being
  /// level; `nil` where it does not.
  private static func leftGap(_ left: ScreenRectangle, _ right: ScreenRectangle) -> Int? {
    let gap = right.x - left.x - left.width
    let (middle, other) = (left.center.y, right.center.y)
    let isLevel =
      (0..<right.height).contains(middle - right.y) || (0..<left.height).contains(other - left.y)
    guard gap >= -slack, isLevel else { return nil }
    // The label of many lines stands beside the first.
    let offset = right.height > left.height ? abs(left.y - right.y) : Int.max
    return max(gap, 0) + min(abs(middle - other), offset)
  }

  /// How far below a thing another one begins.
  private static func gapBelow(_ upper: ScreenRectangle, _ lower: ScreenRectangle) -> Int? {
    let gap = lower.y - upper.y - upper.height
    guard (-slack...farthestAbove).contains(gap), upper.x < lower.x + lower.width,
      lower.x < upper.x + upper.width
    else { return nil }
    return max(gap, 0)
  }

  /// Whether a label starts where what is below it does, or stands in the middle.
  private static func isAligned(_ label: ScreenRectangle, _ area: ScreenRectangle) -> Bool {
    abs(label.x - area.x) <= indent || abs(label.center.x - area.center.x) <= slack
  }
}

extension String {
  /// Whether its first letter is of a script that is written so: Hebrew, Arabic and their kin.
  fileprivate var isRightToLeft: Bool {
    unicodeScalars.first { $0.properties.isAlphabetic }
      .map { (0x590...0x8FF).contains($0.value) || (0xFB1D...0xFEFC).contains($0.value) } ?? false
  }
}
