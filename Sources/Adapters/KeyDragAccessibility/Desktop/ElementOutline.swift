import KeyDragCore

/// The elements of a window as they are found, and what is made of them: a pure value.
///
/// An element is named by its index, and what is around it comes before it. Whether something is
/// shown is decided when it is added, from what is around it.
struct ElementOutline: Sendable {
  /// One element.
  struct Node: Sendable {
    /// As its program names it.
    var id: ElementID
    /// The index of the one around it; `nil` for the window.
    var parent: Int?
    /// The indices of those in it.
    var children: [Int] = []
    /// Empty until it is known.
    var role = ""
    /// As it tells them.
    var states: AccessibleStates = []
    /// In the program's own coordinates.
    var told: ToldRectangle?
    /// How much lower it is than it tells; ``told`` has it already.
    var shift = 0
    /// The bounds beyond which nothing within it shows; `nil` where nothing is known.
    var clip: ToldRectangle?
    /// `nil` while it was not asked for.
    var name: String?
    /// A row that exists because it was looked at.
    var isMadeOnDemand = false
    /// The answers that a row gave before it was added.
    var look: ShownRow.Look?
    /// Another one that is of the same sort, and need not be asked in its place.
    var like: Int?
    /// How many children it has, where that is known.
    var count: Int?
    /// Its first children, where they were asked before it was known what it is.
    var early: [ElementID]?

    /// The same where they are all.
    var allEarly: [ElementID]? { early.flatMap { $0.count == count ? $0 : nil } }

    /// The answers of its children that were asked together with it.
    var looksInside: [ElementID: ShownRow.Look] {
      Dictionary(
        (look?.children ?? []).compactMap { child in child.look.map { (child.id, $0) } },
        uniquingKeysWith: { first, _ in first })
    }
    /// The place in the program's own words.
    var asTold: ToldRectangle? { told?.lowered(by: -shift) }
    /// A viewport, or something in one.
    var isInViewport = false
    /// Whether anything of it can be seen.
    var isShown = false
    /// A label that its program says is for another element.
    var isLabelOfAnother = false
    /// Those that dragging reads.
    var attributes: [String: String] = [:]
    /// The position among its like, from 1, as its program says.
    var index: Int?
    /// How many of those there are.
    var total: Int?
  }

  /// The toolkit that the program is made with.
  let toolkit: Toolkit
  /// In the order in which they were found.
  private(set) var nodes: [Node] = []

  /// Nothing is known yet.
  init(_ toolkit: Toolkit) { self.toolkit = toolkit }

  subscript(index: Int) -> Node {
    get { nodes[index] }
    set { nodes[index] = newValue }
  }

  /// Adds an element within another, and gives its index.
  @discardableResult
  mutating func add(_ id: ElementID, in parent: Int?) -> Int {
    nodes.append(Node(id: id, parent: parent))
    if let parent { nodes[parent].children.append(nodes.count - 1) }
    return nodes.count - 1
  }

  /// Takes what an element says of itself, and decides whether it is shown.
  ///
  /// To be called once for each, after the one around it.
  mutating func settle(
    _ index: Int, role: String, states: AccessibleStates, told: ToldRectangle?
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
    // One that was scrolled by a page says that it is not shown.
    let isForgotten = isViewport && !states.contains(.showing) && states.contains(.visible)
    if isForgotten { node.told = node.clip }
    if node.isInViewport, let place = node.told, let clip = node.clip {
      node.told = place.unwrapped(into: clip)
    }
    if let place = node.told, toolkit.clipping.contains(role) {
      // An element outside has an empty rectangle and shows nothing.
      node.clip = parent?.clip.map { $0.common(place) } ?? place
    }
    node.isShown = isForgotten ? parent?.isShown != false : isShown(node, parent)
    nodes[index] = node
  }

  /// Whether something of an element shows, by what it says and by where it lies.
  private func isShown(_ node: Node, _ parent: Node?) -> Bool {
    if node.states.contains(.defunct) { return false }
    guard let parent else { return true }
    let isInside = node.told.map { place in
      parent.clip.map { !$0.common(place).isEmpty } ?? true
    }
    if node.isMadeOnDemand || !toolkit.isShowingHonest { return isInside == true }
    // The tab of a notebook that hides its tabs has no place, but its page has.
    return node.states.contains(.showing) && isInside != false
  }

  /// The shown part of an element, on the screen.
  ///
  /// `nil` where nothing of it is shown.
  func rectangle(_ index: Int, origin: ScreenPoint?) -> ScreenRectangle? {
    let node = nodes[index]
    guard node.isShown, var place = node.told else { return nil }
    if let clip = node.parent.flatMap({ nodes[$0].clip }) { place = place.common(clip) }
    return toolkit.rectangle(place, origin: origin)
  }

  /// The area on the screen outside of which nothing of an element would be shown.
  func view(around index: Int, origin: ScreenPoint?) -> ScreenRectangle? {
    nodes[index].parent.flatMap { nodes[$0].clip }
      .flatMap { toolkit.rectangle($0, origin: origin) }
  }

  /// The elements that are shown, in the order of the tree.
  ///
  /// Elements in something hidden are left out with it.
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

  /// The names of what is shown within an element, outermost first, then in order.
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

  /// Whether the name of an element is to be looked for within it.
  func needsInnerName(_ index: Int) -> Bool {
    Toolkit.rows.contains(nodes[index].role)
      && (toolkit.hasClassNames || nodes[index].name?.isEmpty != false)
  }

  /// Names what is known by something else: a row by its label, a cell by another one in its row.
  mutating func nameRows(_ wanted: [Int]) {
    for index in wanted where needsInnerName(index) {
      let names = names(within: index)
      // A time of the day stands before what happened then.
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

  /// A row of a table.
  private struct TableRow: Hashable {
    var table: Int
    var number: Int?
    /// The upper edge that its cells share; `nil` where its number is known. The cells of a list that
    /// scrolls meanwhile are read at several heights.
    var y: Int?

    /// `nil` where the row is not known.
    init?(_ node: Node) {
      guard let table = node.parent, node.index != nil || node.told != nil else { return nil }
      (self.table, number) = (table, node.index)
      y = number == nil ? node.told?.y : nil
    }
  }

  /// The facts of wanted elements, each with the nearest wanted one around it.
  ///
  /// - Parameter origin: where the window is on the screen; `nil` where that is not known.
  func facts(_ wanted: [Int], origin: ScreenPoint?) -> [ElementFacts] {
    var places: [Int: Int] = [:]
    for (place, index) in wanted.enumerated() { places[index] = place }
    return wanted.map { index in
      let node = nodes[index]
      var parent = node.parent
      while let next = parent, places[next] == nil { parent = nodes[next].parent }
      var states = ElementStates(node.states)
      if node.isShown, node.told != nil { states.insert(.showing) }
      return ElementFacts(
        id: node.id, parent: parent.flatMap { places[$0] }, role: node.role,
        name: node.name ?? "", rectangle: rectangle(index, origin: origin), states: states,
        attributes: node.attributes, index: node.index, total: node.total,
        isLabelOfAnother: node.isLabelOfAnother)
    }
  }
}

extension ToldRectangle {
  /// How high what is scrolled may be before what is told of it begins anew.
  private static let turn = 65_536

  /// The same place so many turns on that it touches another; itself where there is none.
  func unwrapped(into seen: ToldRectangle) -> ToldRectangle {
    guard common(seen).isEmpty, !seen.isEmpty else { return self }
    var place = self
    let distance = y + height / 2 - seen.y - seen.height / 2
    let turns = (Double(distance) / Double(Self.turn)).rounded()
    place.y -= Int(turns) * Self.turn
    return place.common(seen).isEmpty ? self : place
  }

  /// Moved down.
  func lowered(by shift: Int) -> ToldRectangle {
    ToldRectangle(x: x, y: y + shift, width: width, height: height)
  }

  /// Whether it has no area.
  var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The area that both cover; empty when they do not touch.
  func common(_ other: ToldRectangle) -> ToldRectangle {
    let (left, top) = (max(x, other.x), max(y, other.y))
    return ToldRectangle(
      x: left, y: top, width: max(min(x + width, other.x + other.width) - left, 0),
      height: max(min(y + height, other.y + other.height) - top, 0))
  }
}
