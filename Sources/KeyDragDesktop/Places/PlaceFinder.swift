import KeyDragCore

/// Makes places of a window's elements: one for each thing a person would drop on, with the name
/// that person would use.
///
/// Pure: queries nothing. Elements that take drops are collected, nested ones are merged, the main
/// view is chosen, and names are given at the end.
package struct PlaceFinder {
  /// A place in the making.
  struct Candidate {
    /// The index of the element with the name.
    var index: Int
    /// The cells of a row; for anything else the element alone.
    var cells: [Int]
    var match: RuleMatch
    var sight: ElementTree.Visibility
    /// Whether it is the main view of the window.
    var isView = false

    /// `nil` while scrolled out of view.
    var rectangle: ScreenRectangle? {
      if case .seen(let rectangle) = sight { rectangle } else { nil }
    }
  }

  /// Kinds of places that absorb nested ones of the same kind.
  enum Family: Hashable { case container, text, document }

  let tree: ElementTree
  let window: WindowFacts
  let matcher: RuleMatcher
  let namer: PlaceNamer
  /// In tree order.
  var candidates: [Candidate] = []
  /// Indices of the profile's rules that matched.
  private var usedRules: Set<Int> = []

  /// - Parameters:
  ///   - elements: the visible elements of the window, as ``ProgramReading`` supplies them for
  ///     ``wanted(for:most:with:)``; empty for a window whose elements are unknown.
  ///   - actions: the actions of elements, as far as known.
  package static func find(
    in elements: [ElementFacts], window: WindowFacts, program: ProgramFacts,
    profile: ProgramProfile?, actions: [ElementID: Set<String>] = [:], phrases: Phrasebook
  ) -> FoundPlaces {
    let tree = ElementTree(elements, window: window, program: program)
    let finder = PlaceFinder(
      tree: tree, window: window,
      matcher: RuleMatcher(tree: tree, profile: profile, actions: actions),
      namer: PlaceNamer(
        tree: tree, window: window, program: program, profile: profile, phrases: phrases))
    return finder.found()
  }

  /// The elements to read for a program: those that may be places, and those of further roles.
  ///
  /// - Parameter most: the limit; elements beyond it are left out.
  package static func wanted(
    for profile: ProgramProfile?, most: Int, with others: Set<String> = []
  ) -> ElementQuery {
    ElementQuery(
      roles: AccessibleRoles.wanted(for: profile).union(others), most: most,
      hasRowStates: AccessibleRoles.readsRowStates(profile))
  }

  /// Runs the steps, and adds the window itself where it may take a drop.
  private func found() -> FoundPlaces {
    var finder = self
    finder.collect()
    finder.dropNested()
    finder.chooseView()
    // A program with a main view is not guessed at.
    let isTold = finder.candidates.contains { $0.match.rule.traits.isView }
    var places = isTold ? [] : finder.windowPlaces()
    let ordered = finder.ordered()
    places += ordered.filter { !isArea($0) }.flatMap { finder.made(of: $0) }
    finder.passOverUnnamed(&places)
    let isGuessed = matcher.profile == nil && !ordered.contains { $0.match.origin == .element }
    // A guessed area does not stand for all of its window.
    let areas = ordered.filter { isArea($0) }.flatMap { finder.made(of: $0) }
    if !places.contains(where: \.traits.isDropPoint) {
      var window = wholeWindow()
      if let room = window.rectangle, hasField(at: room.center) {
        window.point = clearPoint(in: room, beside: []) ?? room.center
      }
      places.append(window)
      places += areas
    } else {
      places += areas
      if isGuessed, let rest = windowBeside(places) {
        let isMain = !places.contains { $0.traits.isDropPoint && !finder.isAtSide($0) }
        places.insert(rest, at: isMain ? 0 : places.count)
      }
    }
    namer.tellApart(&places)
    return FoundPlaces(places: places, usedRules: finder.usedRules)
  }

  // MARK: Candidates

  /// Makes candidates of the elements, with the cells of a row together, and without password
  /// fields.
  private mutating func collect() {
    var isInRow = Array(repeating: false, count: tree.elements.count)
    var rows = RowGathering(tree)
    for (index, element) in tree.elements.enumerated() {
      if element.role == AccessibleRoles.secret { continue }
      if let parent = tree.parents[index], isInRow[parent] {
        isInRow[index] = true
        // A row of settings may hold a text field; anything else in it is the row.
        let isField = AccessibleRoles.texts.contains(element.role)
        guard isField, element.states.contains(.editable) else { continue }
      }
      guard let match = matcher.match(index) else { continue }
      if case .profile(let number) = match.origin { usedRules.insert(number) }
      if AccessibleRoles.rows.contains(element.role) { isInRow[index] = true }
      if let row = rows.row(for: index, eachCell: match.rule.isForEachCell) {
        if let row { candidates[row].cells.append(index) }
        continue
      }
      let isPlace = match.rule.traits.isDropPoint || match.rule.traits.source != nil
      rows.open(at: isPlace ? candidates.count : nil, for: index)
      guard isPlace else { continue }
      candidates.append(
        Candidate(index: index, cells: [index], match: match, sight: .hidden))
    }
    // First, since the areas that stay depend on all other candidates.
    dropFilledAreas()
    for number in candidates.indices { look(at: number) }
    candidates.removeAll { if case .hidden = $0.sight { true } else { false } }
    let order = tree.readingOrder(isMirrored: namer.labels.isMirrored)
    candidates.sort { order[$0.index] < order[$1.index] }
  }

  /// Determines the visible part of a candidate; one without a position is hidden. A row is where
  /// its name is: file managers accept a drop into a folder only there.
  private mutating func look(at number: Int) {
    let cells = candidates[number].cells
    let named = cells.first { !namer.ownName(ofRow: $0).isEmpty } ?? candidates[number].index
    candidates[number].index = named
    candidates[number].sight = tree.sight(of: named)
    guard case .scrolledAway = candidates[number].sight else { return }
    let isRow = AccessibleRoles.rows.contains(tree.elements[named].role)
    // Without a position, a list or a declaration it does not exist, such as the tabs of a GTK 3
    // window with one page.
    if !isRow, case .generic = candidates[number].match.origin,
      tree.elements[named].rectangle == nil
    {
      candidates[number].sight = .hidden
    }
  }

  /// Merges a list in a list, a paragraph in a field and a frame in a page.
  private mutating func dropNested() {
    var families: [Int: (family: Family, isView: Bool)] = [:]
    candidates = candidates.filter { candidate in
      let traits = candidate.match.rule.traits
      guard traits.isDropPoint, let family = family(of: candidate) else { return true }
      let around = tree.ancestors(of: candidate.index).compactMap { families[$0] }
        .filter { $0.family == family }
      // The view that a profile names may lie in a list that is no view.
      let isKept = around.isEmpty || traits.isView && !around.contains { $0.isView }
      if isKept { families[candidate.index] = (family, traits.isView) }
      return isKept
    }
  }

  /// The family that absorbs it; `nil` for a place that stands alone.
  func family(of candidate: Candidate) -> Family? {
    switch role(of: candidate) {
    case .folderView, .list, .tree: .container
    case .textField: .text
    case .page, .document: .document
    case .folder, .row, .icon, .tab, .canvas, .terminal, .toolbar, .statusBar, .button, .image,
      .link, .area, .window, .background, .textLine:
      nil
    }
  }

  /// From its rule, else from its role.
  func role(of candidate: Candidate) -> PlaceRole {
    if case .role(let role) = candidate.match.rule.word { return role }
    return AccessibleRoles.word(for: tree.elements[candidate.index].role)
  }

  // MARK: The view

  /// Takes the view that the profile names, else the largest candidate, if that takes at least a
  /// quarter of the window.
  private mutating func chooseView() {
    let views = candidates.indices.filter {
      candidates[$0].match.rule.traits.isView && candidates[$0].rectangle != nil
    }
    let all = window.rectangle.width * window.rectangle.height
    let chosen =
      largest(views)
      ?? largest(
        candidates.indices.filter {
          candidates[$0].match.rule.traits.isDropPoint && canBeView(candidates[$0])
            && area(candidates[$0]) * 4 >= all
        })
    for index in candidates.indices {
      candidates[index].isView = index == chosen
      candidates[index].match.rule.traits.isView = index == chosen
    }
  }

  private func canBeView(_ candidate: Candidate) -> Bool {
    if family(of: candidate) != nil { return true }
    return [.canvas, .terminal].contains(role(of: candidate))
  }

  private func largest(_ indices: [Int]) -> Int? {
    // The first of equals: the outermost.
    indices.reduce(nil) { best, index in
      guard let best else { return index }
      return area(candidates[index]) > area(candidates[best]) ? index : best
    }
  }

  /// In pixels; 0 while it is scrolled out of view.
  private func area(_ candidate: Candidate) -> Int {
    candidate.rectangle.map { $0.width * $0.height } ?? 0
  }

  /// The main view first, with its contents; without one the largest list or multi-line text.
  private func ordered() -> [Candidate] {
    guard
      let first = candidates.firstIndex(where: \.isView)
        ?? largest(candidates.indices.filter { mayBeMain(candidates[$0]) })
    else { return candidates }
    let view = candidates[first]
    let rest = candidates.indices.filter { $0 != first }.map { candidates[$0] }
    let isInView: (Candidate) -> Bool = { candidate in
      tree.ancestors(of: candidate.index).contains(view.index)
    }
    return [view] + rest.filter(isInView) + rest.filter { !isInView($0) }
  }

  /// Whether it may be the main part of a window, unlike a field or a button.
  private func mayBeMain(_ candidate: Candidate) -> Bool {
    guard candidate.match.rule.traits.isDropPoint, canBeView(candidate), area(candidate) > 0,
      !isArea(candidate)
    else { return false }
    return family(of: candidate) != .text
      || tree.elements[candidate.index].states.contains(.multiLine)
  }

  /// Whether it is a side pane of the window, or in one: the main part is then beside it.
  ///
  /// A list or a tree is one if it is at least half as high as the window, and at most a third as
  /// wide.
  private func isAtSide(_ place: Place) -> Bool {
    switch place.role {
    case .row, .folder, .icon: return true
    case .list, .tree:
      guard !place.traits.isView, let pane = place.rectangle else { return false }
      return pane.height * 2 >= window.rectangle.height && pane.width * 3 <= window.rectangle.width
    default: return false
    }
  }

  /// Takes drops away from unnamed rows and icons whose list is a place, from separators and lines
  /// of a log, from unnamed tabs, from rulers beside the main drawing, and from unnamed fields among
  /// its buttons, which hold settings.
  ///
  /// They stay places for what can be dragged from them.
  private func passOverUnnamed(_ places: inout [Place]) {
    let lists = Set(
      candidates.filter { $0.match.rule.traits.isDropPoint && family(of: $0) == .container }
        .map(\.index))
    let drawing = places.first { $0.role == .canvas && $0.traits.isView }?.rectangle
    for (number, place) in places.enumerated() {
      guard case .generic = place.origin, let index = place.index, !place.traits.isView else {
        continue
      }
      let isNamed = !place.name.isEmpty
      let isPassedOver =
        switch place.role {
        case .row, .icon:
          (!isNamed || TechnicalName.isLogLine(place.name) || isSeparator(index))
            && tree.ancestors(of: index).contains(where: lists.contains)
        case .tab: !isNamed
        case .canvas: !isNamed && drawing.map { Self.isRuler(place, beside: $0) } ?? false
        case .textField:
          !isNamed && !tree.elements[index].states.contains(.multiLine)
            && tree.isInside(index, AccessibleRoles.settings)
        default: false
        }
      if isPassedOver { places[number].traits.isDropPoint = false }
    }
  }

  /// Whether it is a line between rows, which may bear a name all the same.
  private func isSeparator(_ index: Int) -> Bool {
    tree.elements[index].rectangle.map { (1..<Self.leastRow).contains($0.height) } ?? false
  }

  /// In pixels; no text is as low.
  private static let leastRow = 5

  /// Whether it is a ruler: a strip of at most a tenth of the drawing in one direction.
  private static func isRuler(_ place: Place, beside drawing: ScreenRectangle) -> Bool {
    guard let strip = place.rectangle else { return false }
    return strip.width * 10 <= drawing.width || strip.height * 10 <= drawing.height
  }

  // MARK: Places

  /// The places of a candidate: one, or the parts that its rule names.
  private func made(of candidate: Candidate) -> [Place] {
    let rule = candidate.match.rule
    let name = namer.name(of: candidate.index, rule, isView: candidate.isView)
    var place = Place(
      element: tree.elements[candidate.index].id, index: candidate.cells[0],
      rectangle: candidate.rectangle, name: name, spokenName: "", role: role(of: candidate),
      traits: rule.traits, origin: candidate.match.origin)
    place.pathWriting = pathWriting(in: candidate)
    if rule.parts.isEmpty {
      (place.point, place.isCovered) = point(in: candidate)
      place.spokenName = namer.spokenName(of: place, rule.word)
      return [place]
    }
    // Parts divide the whole element, even if only some of it is visible.
    let whole = tree.rectangle(of: candidate.index)
    return rule.parts.map { part in
      var place = place
      place.rectangle = whole.flatMap { part.rectangle(in: $0) }.flatMap { rectangle in
        candidate.rectangle.flatMap { $0.intersection(rectangle) }
      }
      place.point = place.rectangle?.center
      return namer.named(part, place)
    }
  }

  /// The effect of files on a text, in toolkits with text widgets of their own: a single line
  /// receives paths, while editors open files dropped on a longer text and chats send them.
  ///
  /// `nil` where a program says itself what it does with files, and in documents.
  private func pathWriting(in candidate: Candidate) -> Place.PathWriting? {
    let (role, traits) = (role(of: candidate), candidate.match.rule.traits)
    guard tree.usesGTK || tree.isOfQt, traits.isDropPoint, !traits.acceptsEverything,
      !tree.isInside(candidate.index, AccessibleRoles.documents)
    else { return nil }
    let element = tree.elements[candidate.index]
    switch role {
    case .terminal: return tree.usesGTK ? .certain : .likely
    case .textField where AccessibleRoles.texts.contains(element.role):
      guard case .generic = candidate.match.origin else { return nil }
      return element.states.contains(.multiLine) || candidate.isView ? .likely : .certain
    default: return nil
    }
  }

  /// The point to ask and to drop at: the center, but in a row where its name begins, and in a list
  /// beside its items, if there is room.
  private func point(in candidate: Candidate) -> (ScreenPoint?, isCovered: Bool) {
    guard let rectangle = candidate.rectangle else { return (nil, false) }
    guard family(of: candidate) == .container else {
      let isRow = [.row, .folder].contains(role(of: candidate))
      return (isRow ? start(of: candidate, rectangle) : rectangle.center, false)
    }
    // Everything in it except nested lists.
    let inside = candidates.filter { other in
      other.rectangle != nil && other.index != candidate.index
        && family(of: other) != .container
        && tree.ancestors(of: other.index).contains(candidate.index)
    }
    let rows = inside.flatMap { $0.cells.compactMap { tree.rectangle(of: $0) } }
    // The area of its items, below the column headers.
    let room = tree.opening(of: candidate.index) ?? rectangle
    if let free = Self.spot(in: room, beside: rows) { return (free, false) }
    let names = inside.compactMap(\.rectangle)
    return (Self.spot(in: room, beside: names) ?? rectangle.center, true)
  }

  /// The point at the icon and the name of a row. Nemo 6 drops into the folder shown where a row is
  /// blank, as it is in the middle.
  private func start(of candidate: Candidate, _ rectangle: ScreenRectangle) -> ScreenPoint {
    let (center, offset) = (rectangle.center, rectangle.height * 11 / 10)
    guard offset < rectangle.width / 2 else { return center }
    // From right to left, the name is in the last column.
    let columns = candidate.cells.compactMap { tree.rectangle(of: $0)?.x }
    let isMirrored = columns.first.map { first in columns.contains { $0 < first } } ?? false
    let x = isMirrored ? rectangle.x + rectangle.width - offset : rectangle.x + offset
    return ScreenPoint(x: x, y: center.y)
  }

  /// The point nearest to the center that lies in none of the rectangles. Edges are left out, where
  /// lists scroll under a drag and bars lie.
  ///
  /// - Returns: `nil` where they cover everything.
  static func spot(
    in room: ScreenRectangle, beside taken: [ScreenRectangle]
  ) -> ScreenPoint? {
    let center = room.center
    func distance(_ point: ScreenPoint) -> Int {
      let (x, y) = (point.x - center.x, point.y - center.y)
      return x * x + y * y
    }
    return freePoints(in: room, beside: taken).min { distance($0) < distance($1) }
  }

  /// The number of points in a rectangle without its edges: enough to find room between rows, and
  /// few enough for every look.
  static let gridCount = (gridSteps - 1) * (gridSteps - 1)
  /// In each direction.
  private static let gridSteps = 24

  /// The points that lie in none of the rectangles, row by row from the top.
  static func freePoints(
    in room: ScreenRectangle, beside taken: [ScreenRectangle]
  ) -> [ScreenPoint] {
    var free: [ScreenPoint] = []
    free.reserveCapacity(gridCount)
    for row in 1..<gridSteps {
      let y = room.y + room.height * row / gridSteps
      // Few rows of a long list cross one line.
      let across = taken.filter { (0..<$0.height).contains(y - $0.y) }
      for column in 1..<gridSteps {
        let point = ScreenPoint(x: room.x + room.width * column / gridSteps, y: y)
        if !across.contains(where: { $0.contains(point) }) { free.append(point) }
      }
    }
    return free
  }

  // MARK: The whole window

  /// The places of rules about the window itself, for programs that expose no contents; empty
  /// without a profile.
  private mutating func windowPlaces() -> [Place] {
    let rules = matcher.profile?.rules ?? []
    return rules.enumerated().flatMap { number, rule -> [Place] in
      guard rule.condition.roles.contains(AccessibleRoles.window),
        rule.condition.names.isEmpty
          || rule.condition.names.contains(where: { $0.matches(window.title) })
      else { return [] }
      usedRules.insert(number)
      guard rule.traits.isDropPoint || rule.traits.source != nil else { return [] }
      return places(ofWindow: rule, .profile(number))
    }
  }

  /// The window as one place, with its center as the point.
  func wholeWindow() -> Place {
    let rule = ElementRule(
      ElementRule.Condition(roles: [AccessibleRoles.window]),
      traits: PlaceTraits(isDropPoint: true), name: .title, word: .role(.window))
    var place = Place(
      element: nil, rectangle: nil, name: namer.title, spokenName: "", role: .window,
      traits: rule.traits, origin: .generic(ProgramProfile.generic.rules.count))
    place.rectangle = window.rectangle.isEmpty ? nil : window.rectangle
    place.point = place.rectangle?.center
    place.spokenName = namer.spokenName(of: place, rule.word)
    return place
  }

  private func places(ofWindow rule: ElementRule, _ origin: Place.Origin) -> [Place] {
    var place = wholeWindow()
    place.traits = rule.traits
    place.origin = origin
    if case .role(let role) = rule.word { place.role = role }
    place.spokenName = namer.spokenName(of: place, rule.word)
    guard !rule.parts.isEmpty else { return [place] }
    return rule.parts.map { part in
      var place = place
      place.rectangle = part.rectangle(in: window.rectangle)
      place.point = place.rectangle?.center
      return namer.named(part, place)
    }
  }
}
