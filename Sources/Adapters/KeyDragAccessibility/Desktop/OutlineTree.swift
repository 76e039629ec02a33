import KeyDragBus
import KeyDragCore

/// The elements found in a window, and what is derived from them: a pure value. An element is
/// identified by its index; parents come before children. Visibility is decided when an element is
/// added, from its parent's.
struct OutlineTree: Sendable {
  struct Node: Sendable {
    var id: ElementID
    /// `nil` for the window.
    var parent: Int?
    var children: [Int] = []
    /// Empty until known.
    var role = ""
    var states: AccessibleStates = []
    /// In the program's own coordinates.
    var told: ReportedRectangle?
    /// Vertical correction, already applied to ``told``.
    var shift = 0
    /// The bounds outside of which its contents are invisible; `nil` when unknown.
    var clip: ReportedRectangle?
    /// `nil` until it is asked for.
    var name: String?
    /// Asked for where a field of text has neither a name nor a label.
    var description = ""
    /// A row created by being looked at.
    var isVirtual = false
    /// The answers of a row from before it was added.
    var look: VisibleRow.Observation?
    /// A row of the same kind, whose role this one has without being asked.
    var like: Int?
    var count: Int?
    /// Its first children, where they were asked for before its role was known.
    var early: [ElementID]?

    /// The same, if complete.
    var allEarly: [ElementID]? { early.flatMap { $0.count == count ? $0 : nil } }

    /// The answers of children that were asked together with it.
    var looksInside: [ElementID: VisibleRow.Observation] {
      Dictionary(
        (look?.children ?? []).compactMap { child in child.look.map { (child.id, $0) } },
        uniquingKeysWith: { first, _ in first })
    }
    /// The rectangle as the program reports it.
    var asTold: ReportedRectangle? { told?.lowered(by: -shift) }
    var isInViewport = false
    var isShown = false
    /// A part of a row that was there, and no longer when it was asked for its name.
    var hasVanished = false
    /// A label that its program assigns to another element.
    var isLabelOfAnother = false
    /// Those that dragging uses.
    var attributes: [String: String] = [:]
    /// Position in its set, from 1, as the program reports.
    var index: Int?
    /// The size of that set.
    var total: Int?
  }

  let toolkit: Toolkit
  private(set) var nodes: [Node] = []

  init(_ toolkit: Toolkit) { self.toolkit = toolkit }

  subscript(index: Int) -> Node {
    get { nodes[index] }
    set { nodes[index] = newValue }
  }

  /// Returns the new element's index.
  @discardableResult
  mutating func add(_ id: ElementID, in parent: Int?) -> Int {
    nodes.append(Node(id: id, parent: parent))
    if let parent { nodes[parent].children.append(nodes.count - 1) }
    return nodes.count - 1
  }

  /// Records an element's own data, and decides whether it is shown. To be called once for each,
  /// after its parent.
  mutating func settle(
    _ index: Int, role: String, states: AccessibleStates, told: ReportedRectangle?
  ) {
    var node = nodes[index]
    node.role = role
    node.states = states
    let parent = node.parent.map { nodes[$0] }
    node.shift = parent?.shift ?? 0
    if role == Toolkit.rootPane, let told, let around = parent?.told {
      node.shift += Toolkit.shift(of: told, in: around)
    }
    node.told = told.flatMap { toolkit.isPlace($0) ? $0.lowered(by: node.shift) : nil }
    node.clip = parent?.clip
    let isViewport = role == Toolkit.viewport && toolkit.forgetsViewports
    node.isInViewport = isViewport || parent?.isInViewport == true
    // A viewport that was scrolled by a page claims not to be showing.
    let isForgotten = isViewport && !states.contains(.showing) && states.contains(.visible)
    if isForgotten { node.told = node.clip }
    if node.isInViewport, let place = node.told, let clip = node.clip {
      node.told = place.unwrapped(into: clip)
    }
    if let place = node.told, toolkit.clipping.contains(role) {
      // An element outside has an empty clip and shows nothing.
      node.clip = parent?.clip.map { $0.common(place) } ?? place
    }
    node.isShown = isForgotten ? parent?.isShown != false : isShown(node, parent)
    nodes[index] = node
  }

  private func isShown(_ node: Node, _ parent: Node?) -> Bool {
    if node.states.contains(.defunct) { return false }
    guard let parent else { return true }
    let isInside = node.told.map { place in
      parent.clip.map { !$0.common(place).isEmpty } ?? true
    }
    if node.isVirtual || !toolkit.isShowingStateReliable { return isInside == true }
    // The tab of a notebook that hides its tabs has no place, but its page has.
    return node.states.contains(.showing) && isInside != false
  }

  /// The visible part of an element, on the screen; `nil` when nothing of it is visible.
  func rectangle(_ index: Int, origin: ScreenPoint?) -> ScreenRectangle? {
    let node = nodes[index]
    guard node.isShown, var place = node.told else { return nil }
    if let clip = node.parent.flatMap({ nodes[$0].clip }) { place = place.common(clip) }
    return toolkit.rectangle(place, origin: origin)
  }

  /// The area on the screen outside of which an element would be invisible.
  func view(around index: Int, origin: ScreenPoint?) -> ScreenRectangle? {
    nodes[index].parent.flatMap { nodes[$0].clip }
      .flatMap { toolkit.rectangle($0, origin: origin) }
  }

  /// The shown elements in tree order; a hidden one hides its descendants.
  var order: [Int] {
    var result: [Int] = []
    var open = nodes.indices.filter { nodes[$0].parent == nil }.reversed() as [Int]
    while let index = open.popLast() {
      guard nodes[index].isShown else { continue }
      result.append(index)
      open += nodes[index].children.reversed()
    }
    return result
  }

  /// The names of shown descendants, outermost first, then in order.
  func names(within index: Int) -> [String] {
    var result: [String] = []
    var level = nodes[index].children
    while !level.isEmpty {
      let shown = level.filter { nodes[$0].isShown }
      result += shown.compactMap { nodes[$0].name }.filter { !$0.isEmpty }
      level = shown.flatMap { nodes[$0].children }
    }
    return result
  }

  func needsInnerName(_ index: Int) -> Bool {
    Toolkit.rows.contains(nodes[index].role)
      && (toolkit.hasClassNames || nodes[index].name?.isEmpty != false)
  }

  /// Names elements as they answered; `nil` by one that is no longer there.
  mutating func name(_ indices: [Int], _ answers: [[BusValue]?]) {
    for (index, answer) in zip(indices, answers) {
      nodes[index].name = AtspiReplyDecoder.name(answer)
      nodes[index].hasVanished = answer == nil
    }
  }

  /// Names rows and cells by others: a row by its label, a cell by another one in its row.
  mutating func nameRows(_ wanted: [Int]) {
    for index in wanted where needsInnerName(index) {
      let names = names(within: index)
      // A time of day precedes what happened then.
      let isTime = { (name: String) in
        name.contains(":") && name.allSatisfy { $0.isNumber || $0 == ":" }
      }
      if let name = names.first(where: { !isTime($0) }) ?? names.first { nodes[index].name = name }
    }
    var rows: [TableRow: String] = [:]
    for index in wanted where nodes[index].role == "table cell" {
      guard let place = TableRow(nodes[index]), let name = nodes[index].name, !name.isEmpty else {
        continue
      }
      if rows[place] == nil { rows[place] = name }
    }
    for index in wanted where nodes[index].role == "table cell" && nodes[index].name == "" {
      if let place = TableRow(nodes[index]), let name = rows[place] { nodes[index].name = name }
    }
  }

  /// Whether rows came or went while they were read: one without its name would be called by
  /// another of its cells, and headers are taken for a row where the rows are counted too late.
  var isTorn: Bool {
    toolkit.reading == .levels
      && nodes.contains { $0.hasVanished || $0.role == Toolkit.columnHeader && $0.index != nil }
  }

  private struct TableRow: Hashable {
    var table: Int
    var number: Int?
    /// The upper edge that its cells share; `nil` when the number is known: the cells of a list
    /// that scrolls meanwhile are read at several heights.
    var y: Int?

    /// `nil` when the row is unknown.
    init?(_ node: Node) {
      guard let table = node.parent, node.index != nil || node.told != nil else { return nil }
      (self.table, number) = (table, node.index)
      y = number == nil ? node.told?.y : nil
    }
  }

  /// The facts of the wanted elements, each with its nearest wanted ancestor.
  ///
  /// - Parameter origin: the window's position on the screen; `nil` when unknown.
  func facts(_ wanted: [Int], origin: ScreenPoint?) -> [ElementFacts] {
    var places: [Int: Int] = [:]
    for (place, index) in wanted.enumerated() { places[index] = place }
    return wanted.map { index in
      let node = nodes[index]
      var parent = node.parent
      while let next = parent, places[next] == nil { parent = nodes[next].parent }
      var states = ElementStates(node.states)
      if node.isShown, node.told != nil { states.insert(.showing) }
      var facts = ElementFacts(
        id: node.id, parent: parent.flatMap { places[$0] }, role: node.role,
        name: node.name ?? "", rectangle: rectangle(index, origin: origin), states: states,
        attributes: node.attributes, index: node.index, total: node.total,
        isLabelOfAnother: node.isLabelOfAnother)
      facts.description = node.description
      return facts
    }
  }
}

extension ReportedRectangle {
  /// The height at which reported coordinates of scrolled contents wrap around.
  private static let turn = 65_536

  /// The place moved by whole turns so that it touches another; itself where that is impossible.
  func unwrapped(into seen: ReportedRectangle) -> ReportedRectangle {
    guard common(seen).isEmpty, !seen.isEmpty else { return self }
    var place = self
    let distance = y + height / 2 - seen.y - seen.height / 2
    let turns = (Double(distance) / Double(Self.turn)).rounded()
    place.y -= Int(turns) * Self.turn
    return place.common(seen).isEmpty ? self : place
  }

  func lowered(by shift: Int) -> ReportedRectangle {
    ReportedRectangle(x: x, y: y + shift, width: width, height: height)
  }

  var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The intersection; empty when they do not touch.
  func common(_ other: ReportedRectangle) -> ReportedRectangle {
    let (left, top) = (max(x, other.x), max(y, other.y))
    return ReportedRectangle(
      x: left, y: top, width: max(min(x + width, other.x + other.width) - left, 0),
      height: max(min(y + height, other.y + other.height) - top, 0))
  }
}
