import CAtspi
import KeyDragCore

/// The objects exposed to assistive technologies: a pure value.
///
/// ```
/// application
/// ├── status bar
/// │   └── notification × 32 ── label
/// ├── panel: the drag, with its actions
/// │   └── list ── list item × n
/// └── progress bar
/// ```
///
/// All but the list items always exist, so that nothing has to be reported of coming and going. The
/// path of a list item changes with its meaning, so that nobody caches an old name.
struct AccessibleTree: Sendable {
  let phrases: Phrasebook
  /// Our bus name, which references to our objects contain.
  var busName = ""
  /// Our parent, which the registry names when we register.
  var desktop: (name: String, path: String) = ("", Self.nowhere)
  var id: Int32 = 0
  private(set) var scene = DragScene()
  private(set) var generation = 0
  /// The latest messages, each in a slot of its own, so that a slow reader gets the one it was
  /// notified of, and not a later one.
  private(set) var messages = [String](repeating: "", count: slots)
  private(set) var newest = -1
  /// Slots of messages that were spoken otherwise.
  private var withdrawn: Set<Int> = []

  static let slots = 32
  static let nowhere = ATSPI_DBUS_PATH_NULL
  static let cache = "/org/a11y/atspi/cache"
  private static let prefix = "/org/a11y/atspi/accessible/"
  static let root = ATSPI_DBUS_PATH_ROOT
  static let status = prefix + "status"
  static let drag = prefix + "drag"
  static let list = prefix + "list"
  static let progress = prefix + "progress"

  static func notification(_ slot: Int) -> String { prefix + "message/\(slot)" }
  static func label(_ slot: Int) -> String { prefix + "label/\(slot)" }

  init(phrases: Phrasebook = Phrasebook()) { self.phrases = phrases }

  private func row(_ index: Int) -> String { Self.prefix + "row/\(generation)/\(index)" }

  static func owns(_ path: String) -> Bool { path.hasPrefix(prefix) || path == cache }

  static func isMessage(_ path: String) -> Bool {
    path.hasPrefix(prefix + "message/") || path.hasPrefix(prefix + "label/")
  }

  // MARK: Changing

  /// Replaces the oldest message, and returns its slot.
  mutating func tell(_ text: String) -> Int {
    newest = (newest + 1) % Self.slots
    messages[newest] = text
    withdrawn.remove(newest)
    return newest
  }

  /// Removes the text of a message that may not have been queried yet. An announcement carries its
  /// text: readers skip one whose object is gone by the time they reach it.
  mutating func withdraw(_ text: String) {
    for slot in messages.indices where messages[slot] == text {
      messages[slot] = ""
      withdrawn.insert(slot)
    }
  }

  private func states(ofMessage slot: Int) -> AccessibleStates {
    if withdrawn.contains(slot) { return .defunct }
    return messages[slot].isEmpty ? [.transient] : [.present, .transient]
  }

  /// Replaces the scene, and returns the events that report the changes.
  mutating func show(_ new: DragScene) -> [AccessibleEvent] {
    guard new != scene else { return [] }
    let old = self
    scene = new
    if new.rows != old.scene.rows || new.current != old.scene.current { generation += 1 }
    var events: [AccessibleEvent] = []
    for path in [Self.drag, Self.list, Self.progress] {
      guard let before = old.object(path), let after = object(path) else { continue }
      if before.name != after.name { events.append(.name(path, after.name)) }
      if before.attributes != after.attributes { events.append(.attributes(path)) }
      if let percent = after.percent, before.percent != percent {
        events.append(.value(path, Double(percent)))
      }
    }
    return events
  }

  // MARK: Reading

  func object(_ path: String) -> AccessibleObject? {
    guard path.hasPrefix(Self.prefix) else { return nil }
    switch path {
    case Self.root:
      return AccessibleObject(
        path: path, role: ATSPI_ROLE_APPLICATION, name: "KeyDrag",
        children: [Self.status, Self.drag, Self.progress])
    case Self.status:
      return AccessibleObject(
        path: path, role: ATSPI_ROLE_STATUS_BAR, parent: Self.root,
        children: (0..<Self.slots).map(Self.notification))
    case Self.drag: return dragObject
    case Self.list:
      return AccessibleObject(
        path: path, role: ATSPI_ROLE_LIST, name: scene.title,
        states: [.present, .managesDescendants],
        parent: Self.drag, children: scene.rows.indices.map(row))
    case Self.progress:
      return AccessibleObject(
        path: path, role: ATSPI_ROLE_PROGRESS_BAR, name: scene.delivery ?? "",
        states: scene.percent == nil ? [.horizontal] : [.present, .horizontal],
        parent: Self.root, index: 2, percent: scene.percent ?? 0)
    default: return numbered(path.dropFirst(Self.prefix.count))
    }
  }

  /// Every object, parents first.
  var all: [AccessibleObject] {
    var result: [AccessibleObject] = []
    var open = [Self.root]
    while let path = open.popLast() {
      guard let object = object(path) else { continue }
      result.append(object)
      open += object.children.reversed()
    }
    return result
  }

  private var dragObject: AccessibleObject {
    let isHeld = scene.carried != nil
    return AccessibleObject(
      path: Self.drag, role: ATSPI_ROLE_PANEL, name: scene.carried ?? scene.subject,
      parent: Self.root,
      index: 1,
      children: [Self.list],
      attributes: [
        "grabbed": isHeld ? "true" : "false",
        "dropeffect": isHeld ? scene.operation.map(Self.effect) ?? "none" : "none",
      ],
      actions: AccessibleAction.allCases)
  }

  private func numbered(_ rest: Substring) -> AccessibleObject? {
    let parts = rest.split(separator: "/")
    guard let last = parts.last, let number = Int(last), number >= 0 else { return nil }
    switch (parts.first, parts.count) {
    case ("message", 2) where number < Self.slots:
      return AccessibleObject(
        path: Self.notification(number), role: ATSPI_ROLE_NOTIFICATION,
        states: states(ofMessage: number), parent: Self.status, index: number,
        children: [Self.label(number)])
    case ("label", 2) where number < Self.slots:
      return AccessibleObject(
        path: Self.label(number), role: ATSPI_ROLE_LABEL, name: messages[number],
        states: messages[number].isEmpty ? [] : .present, parent: Self.notification(number))
    case ("row", 3) where parts[1] == String(generation) && scene.rows.indices.contains(number):
      return rowObject(number)
    default: return nil
    }
  }

  private func rowObject(_ number: Int) -> AccessibleObject {
    let line = scene.rows[number]
    var states: AccessibleStates = [.showing, .visible, .selectable, .transient]
    if line.isDroppable { states.formUnion([.enabled, .sensitive]) }
    if number == scene.current { states.insert(.selected) }
    let effect = line.isDroppable ? line.operation.map(Self.effect) ?? "none" : "none"
    return AccessibleObject(
      path: row(number), role: ATSPI_ROLE_LIST_ITEM,
      name: line.note.isEmpty ? line.name : line.name + ", " + line.note, states: states,
      parent: Self.list, index: number,
      attributes: scene.phase == .carrying ? ["dropeffect": effect] : [:])
  }

  /// The values of WAI-ARIA 1.0, from which readers know the attribute.
  private static func effect(_ operation: DragOperation) -> String {
    switch operation {
    case .copy: "copy"
    case .move: "move"
    case .link: "link"
    case .open, .remove: "execute"
    }
  }

  /// The current meaning of an action; `nil` when it has none.
  func command(_ action: AccessibleAction) -> CommandName? {
    switch (action, scene.phase) {
    case (.drag, .browsing): .pickUp
    case (.drag, .carrying), (.drag, .confirming): nil
    case (.drop, .browsing): nil
    case (.drop, .carrying): .drop
    case (.drop, .confirming): .take
    case (.cancel, _): .cancel
    case (.next, .browsing): .nextItem
    case (.next, .carrying): .nextDropPoint
    case (.next, .confirming): .nextChoice
    case (.previous, .browsing): .previousItem
    case (.previous, .carrying): .previousDropPoint
    case (.previous, .confirming): .previousChoice
    }
  }
}
