import KeyDragCore

/// The label of each field by position: to its left on the same line, else right above it.
///
/// A label names a field only if nothing is nearer to either of them. Right-to-left windows are
/// mirrored.
struct FieldLabels {
  private struct Thing {
    var index: Int
    var area: ScreenRectangle
    var isWords: Bool
    /// A text that its program assigns to no other element, and that may be a name.
    var isLabel = false
    /// A control that nothing names yet.
    var isNameless = false
  }

  private(set) var isMirrored = false
  /// Indices of labels by control.
  private var labels: [Int: Int] = [:]
  /// Indices of controls by a text that is part of them.
  private var wholes: [Int: Int] = [:]

  /// In pixels: the most that a label ends above a control, the most that it is indented, and the
  /// tolerance for positions meant to be equal.
  private static let farthestAbove = 32
  private static let indent = 24
  private static let slack = 4
  /// In characters; a longer text is an explanation.
  private static let longest = 80
  /// More elements in one list or page are not compared.
  private static let most = 400

  /// - Parameters:
  ///   - isNamed: whether a control has a name of its own.
  ///   - words: the text of a label as a name.
  init(_ tree: ElementTree, isNamed: (Int) -> Bool, words: (Int) -> String) {
    var groups: [Int: [Thing]] = [:]
    var rightToLeft = 0
    for (index, element) in tree.elements.enumerated() {
      let isLabel = AccessibleRoles.labels.contains(element.role)
      guard isLabel || AccessibleRoles.controls.contains(element.role) else { continue }
      // A control's parts are one with it.
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
    var nameless: Set<Int> = []
    for things in groups.values where things.count <= Self.most {
      var things = things
      // A combo box has its current value as its name.
      for place in things.indices where inner.contains(things[place].index) {
        things[place].isNameless = true
      }
      // A label beside a list is that of the pane there.
      nameless.formUnion(
        things.lazy.filter(\.isNameless).map(\.index)
          .filter { !AccessibleRoles.containers.contains(tree.elements[$0].role) })
      usual.merge(Self.matches(things)) { first, _ in first }
      mirrored.merge(Self.matches(things.map(Self.mirror))) { first, _ in first }
    }
    // A button has words of its own: a label behind it says nothing of the direction.
    let (left, right) = (
      usual.keys.count(where: nameless.contains), mirrored.keys.count(where: nameless.contains)
    )
    isMirrored = right > 1 && right > left || rightToLeft > 0 && right >= left
    labels = isMirrored ? mirrored : usual
  }

  /// The label of a control, or of the control around a text.
  subscript(index: Int) -> Int? { labels[index] ?? wholes[index].flatMap { labels[$0] } }

  private static func mirror(_ thing: Thing) -> Thing {
    var thing = thing
    thing.area = thing.area.mirrored
    return thing
  }

  /// Labels by control; one to the left takes precedence.
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

  /// The nearest element; `nil` if several are equally near.
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

  /// Whether a label is as near to an unnamed control on its other side.
  private static func isBetweenEquals(_ label: Int, _ place: Int, _ things: [Thing]) -> Bool {
    guard let before = nearest(to: label, things, by: { leftGap($1, $0) }),
      things[before].isNameless,
      let own = leftGap(things[label].area, things[place].area),
      let other = leftGap(things[before].area, things[label].area), other - own < slack
    else { return false }
    let label = nearest(to: before, things) { leftGap($1, $0) }
    return label.map { !things[$0].isLabel } ?? true
  }

  /// The distance to an element further right on the same line, plus their vertical offset; `nil`
  /// if it is not there.
  private static func leftGap(_ left: ScreenRectangle, _ right: ScreenRectangle) -> Int? {
    let gap = right.x - left.x - left.width
    let (middle, other) = (left.center.y, right.center.y)
    let isLevel =
      (0..<right.height).contains(middle - right.y) || (0..<left.height).contains(other - left.y)
    guard gap >= -slack, isLevel else { return nil }
    // The label of a multi-line field is beside its first line.
    let offset = right.height > left.height ? abs(left.y - right.y) : Int.max
    return max(gap, 0) + min(abs(middle - other), offset)
  }

  /// The distance to an element below; `nil` if it is not there.
  private static func gapBelow(_ upper: ScreenRectangle, _ lower: ScreenRectangle) -> Int? {
    let gap = lower.y - upper.y - upper.height
    guard (-slack...farthestAbove).contains(gap), upper.x < lower.x + lower.width,
      lower.x < upper.x + upper.width
    else { return nil }
    return max(gap, 0)
  }

  /// Whether a label has the left edge or the center of the element below.
  private static func isAligned(_ label: ScreenRectangle, _ area: ScreenRectangle) -> Bool {
    abs(label.x - area.x) <= indent || abs(label.center.x - area.center.x) <= slack
  }
}

extension String {
  /// Whether its first letter is of a right-to-left script: Hebrew, Arabic and their kin.
  fileprivate var isRightToLeft: Bool {
    unicodeScalars.first { $0.properties.isAlphabetic }
      .map { (0x590...0x8FF).contains($0.value) || (0xFB1D...0xFEFC).contains($0.value) } ?? false
  }
}
