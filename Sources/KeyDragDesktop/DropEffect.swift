import KeyDragCore

/// What a drop did, as far as it can be seen in the window: where there is no folder on the disk to
/// look into, the program's own word is all there is else, and says only that it took the data.
enum DropEffect: Hashable, Sendable {
  /// What was dropped is there.
  case landed
  /// Something is different now, and nobody knows whether it is that.
  case changed
  /// What would show it shows nothing.
  case missing
  /// There is nothing that would show it.
  case unseen

  /// One element of the window.
  struct Thing: Hashable, Sendable {
    var element: ElementID
    var name: String
    /// Lies in the element that was dropped on.
    var isInside: Bool
    /// Names a page of several.
    var isTab = false
  }

  /// What is seen at one moment.
  struct Sight: Hashable, Sendable {
    /// `nil` where the place has no text that can be read.
    var text: String?
    /// `nil` where the elements of the window are not known.
    var things: Set<Thing>?
    /// More stands there than was read: what comes may be beyond it.
    var isCut = false
  }

  static let mostText = 100_000
  static let mostThings = 5_000
  /// How much of what was dropped is looked for.
  private static let mostWanted = 500
  static let texts: Set<PlaceRole> = [
    .textField, .textLine, .document, .page, .terminal, .area, .canvas,
  ]
  /// A drop into these becomes one of the things in them.
  private static let containers: Set<PlaceRole> = [.list, .tree, .folderView]

  static func things(in elements: [ElementFacts], around place: ElementID?) -> Set<Thing> {
    var isInside = Array(repeating: false, count: elements.count)
    var result: Set<Thing> = []
    for (index, element) in elements.enumerated() {
      let parent = element.parent.flatMap { $0 < index ? $0 : nil }
      isInside[index] = parent.map { isInside[$0] || elements[$0].id == place } ?? false
      result.insert(
        Thing(
          element: element.id, name: element.name, isInside: isInside[index],
          isTab: AccessibleRoles.tabs.contains(element.role)))
    }
    return result
  }

  /// - Parameter wanted: words of what was dropped, of which any is enough.
  init(from before: Sight, to after: Sight, at place: Place, wanted: [String]) {
    let words = wanted.map { String(DropEffect.folded($0).prefix(DropEffect.mostWanted)) }
      .filter { !$0.isEmpty }
    let hasNewText = DropEffect.hasMore(before.text, after.text, words)
    let isElsewhere = DropEffect.isOpenedElsewhere(before, after, place, words)
    let hasNewThing = DropEffect.hasMore(before.things, after.things, words)
    // What is dropped into a field is in its text, or it is not in it; a page may also take it with
    // what was written, and show it beside the field.
    if DropEffect.isField(place), let text = before.text, text.count < DropEffect.mostText {
      let isBeside = after.text != nil && hasNewThing && !isElsewhere
      let hasChanged = after.text.map { $0 != text } ?? false
      self = hasNewText ? .landed : hasChanged || isBeside ? .changed : .missing
      return
    }
    if DropEffect.parts.contains(place.role), isElsewhere {
      self = .missing
      return
    }
    let isContainer = DropEffect.containers.contains(place.role)
    let (old, new) = (DropEffect.inside(before.things), DropEffect.inside(after.things))
    // A program that does not answer any more shows nothing, which is nothing new.
    let hasNewInside = isContainer && old != nil && new != nil && old != new
    if hasNewText || hasNewThing || hasNewInside {
      self = .landed
    } else if before != after {
      self = .changed
    } else if DropEffect.canShow(before, at: place) {
      self = .missing
    } else {
      self = .unseen
    }
  }

  /// Whether something that lands there would be seen: text that was read whole, with the names of
  /// what stands in it, or a list with room left for one thing more.
  static func canShow(_ sight: Sight, at place: Place) -> Bool {
    // All of a field is in its own text.
    if isField(place), let text = sight.text { return text.count < mostText }
    if sight.isCut { return false }
    if place.role == .document, let text = sight.text { return text.count < mostText }
    return containers.contains(place.role) && !place.isCovered
      && inside(sight.things)?.isEmpty == false
  }

  /// What is in a page, and is not to be mistaken for it.
  private static let parts: Set<PlaceRole> = [.area, .button, .image, .link, .textField, .textLine]

  /// Whether a tab was named after what was dropped: a browser opens a file that its page does not
  /// want, in a tab of its own or in place of the page. A page may name its own tab.
  private static func isOpenedElsewhere(
    _ before: Sight, _ after: Sight, _ place: Place, _ words: [String]
  ) -> Bool {
    guard let old = before.things, let new = after.things else { return false }
    let isReplaced =
      old.contains { $0.element == place.element } && !new.contains { $0.element == place.element }
    let known = isReplaced ? [] : Set(old.lazy.filter(\.isTab).map(\.element))
    return hasMore(
      old.filter(\.isTab), new.filter { $0.isTab && !known.contains($0.element) }, words)
  }

  private static func isField(_ place: Place) -> Bool {
    [.textField, .textLine].contains(place.role)
  }

  private static func inside(_ things: Set<Thing>?) -> Set<Thing>? {
    things.map { $0.filter(\.isInside) }
  }

  private static func hasMore(_ before: String?, _ after: String?, _ words: [String]) -> Bool {
    guard let before, let after, before != after else { return false }
    let (old, new) = (folded(before), folded(after))
    return words.contains { new.ranges(of: $0).count > old.ranges(of: $0).count }
  }

  private static func hasMore(
    _ before: Set<Thing>?, _ after: Set<Thing>?, _ words: [String]
  ) -> Bool {
    guard let before, let after else { return false }
    let new = after.subtracting(before).map { folded($0.name) }
    let old = before.subtracting(after).map { folded($0.name) }
    return words.contains { word in
      new.count { $0.contains(word) } > old.count { $0.contains(word) }
    }
  }

  /// Programs break lines where they like.
  private static func folded(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  // MARK: Together with what the program says

  /// How a drop ended, by what the program said and what is seen.
  func outcome(after said: DragOutcome) -> (outcome: DeliveryOutcome, isVerified: Bool) {
    switch (said, self) {
    case (.refused, _): (.refused, false)
    case (.failed, _), (.gone, _): (.failed, false)
    case (_, .landed): (.delivered, true)
    case (.delivered, .changed), (.delivered, .unseen): (.delivered, false)
    case (.delivered, .missing), (.unknown, _): (.unconfirmed, false)
    }
  }
}
