import KeyDragCore

/// Makes places of a window's elements: one for each thing a person would drop on, with the name
/// that person would use.
///
/// Pure: it asks nobody. Elements that take drops are collected, those within one another are made
/// one, the view of the window is chosen, and names are given at the end.
package struct PlaceFinder {
  /// One place on its way.
  struct Candidate {
    /// That of the element that bears the name.
    var index: Int
    /// The cells of a row; the element alone for all else.
    var cells: [Int]
    /// The rule that made it.
    var match: RuleMatch
    /// The visible part of it.
    var sight: ElementTree.Sight
    /// Whether the window is for it.
    var isView = false

    /// The visible part of it.
    ///
    /// `nil` while it is scrolled out of view.
    var rectangle: ScreenRectangle? {
      if case .seen(let rectangle) = sight { rectangle } else { nil }
    }
  }

  /// Places that swallow those of the same family in them.
  enum Family: Hashable { case container, text, document }

  /// The elements, with how they lie in one another.
  let tree: ElementTree
  /// The window that they are in.
  let window: WindowFacts
  /// Which rule speaks for an element.
  let matcher: RuleMatcher
  /// Names the places.
  let namer: PlaceNamer
  /// Elements that may become places, in the order of the tree.
  var candidates: [Candidate] = []
  /// Rules of the profile that fitted something.
  private var usedRules: Set<Int> = []

  /// - Parameters:
  ///   - elements: the elements of the window that are shown, as ``ProgramReading`` gives them for
  ///     ``roles(for:)``; empty for a window whose elements are not known.
  ///   - actions: what elements can be made to do, where it is known.
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

  /// The places alone.
  package static func places(
    in elements: [ElementFacts], window: WindowFacts, program: ProgramFacts,
    profile: ProgramProfile?, actions: [ElementID: Set<String>] = [:], phrases: Phrasebook
  ) -> [Place] {
    find(
      in: elements, window: window, program: program, profile: profile, actions: actions,
      phrases: phrases
    ).places
  }

  /// The elements to read for a program: those that may be places.
  ///
  /// - Parameter others: roles that are wanted besides.
  /// - Parameters:
  ///   - profile: the program's rules, whose roles are read too.
  ///   - most: how many elements are read; the rest is left out.
  package static func wanted(
    for profile: ProgramProfile?, most: Int, with others: Set<String> = []
  ) -> WantedElements {
    WantedElements(
      roles: AccessibleRoles.wanted(for: profile).union(others), most: most,
      hasRowStates: AccessibleRoles.readsRowStates(profile))
  }

  /// Made by ``find(in:window:program:profile:actions:phrases:)`` alone.
  private init(tree: ElementTree, window: WindowFacts, matcher: RuleMatcher, namer: PlaceNamer) {
    self.tree = tree
    self.window = window
    self.matcher = matcher
    self.namer = namer
  }

  /// Goes through the steps, and puts the window itself among the places where it may take a drop.
  private func found() -> FoundPlaces {
    var finder = self
    finder.collect()
    finder.dropNested()
    finder.chooseView()
    // A program that tells what is in its window is not guessed at.
    let isTold = finder.candidates.contains { $0.match.rule.traits.isView }
    var places = isTold ? [] : finder.windowPlaces()
    let ordered = finder.ordered()
    places += ordered.filter { !isArea($0) }.flatMap { finder.made(of: $0) }
    finder.passOverUnnamed(&places)
    let isGuessed = matcher.profile == nil && !ordered.contains { $0.match.origin == .element }
    // The purpose of an area is a guess, which does not stand for all of its window.
    let areas = ordered.filter { isArea($0) }.flatMap { finder.made(of: $0) }
    if !places.contains(where: \.traits.isDropPoint) {
      places.append(wholeWindow())
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

  /// Makes candidates of the elements, with the cells of a row together. A password field is left
  /// out.
  private mutating func collect() {
    var isInRow = Array(repeating: false, count: tree.elements.count)
    var rows = RowGathering(tree)
    for (index, element) in tree.elements.enumerated() {
      if element.role == AccessibleRoles.secret { continue }
      if let parent = tree.parents[index], isInRow[parent] {
        isInRow[index] = true
        // A row of settings may hold a field to type in; everything else in it is the row.
        let isField = AccessibleRoles.texts.contains(element.role)
        guard isField, element.states.contains(.editable) else { continue }
      }
      // No rule speaks for it.
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
    // Areas before anything is looked at: which of them stay depends on the others.
    dropFilledAreas()
    for number in candidates.indices { look(at: number) }
    candidates.removeAll { if case .hidden = $0.sight { true } else { false } }
    let order = tree.readingOrder(isMirrored: namer.labels.isMirrored)
    candidates.sort { order[$0.index] < order[$1.index] }
  }

  /// A row is where its name is: file managers take a drop into a folder there only.
  ///
  /// Settles what is seen of a candidate; what is nowhere is hidden.
  private mutating func look(at number: Int) {
    let cells = candidates[number].cells
    let named = cells.first { !namer.ownName(ofRow: $0).isEmpty } ?? candidates[number].index
    candidates[number].index = named
    candidates[number].sight = tree.sight(of: named)
    guard case .scrolledAway = candidates[number].sight else { return }
    let isRow = AccessibleRoles.rows.contains(tree.elements[named].role)
    // An element that is neither in a list nor said to be a place, and is nowhere, is not there:
    // the tabs of a GTK 3 window with one page.
    if !isRow, case .generic = candidates[number].match.origin,
      tree.elements[named].rectangle == nil
    {
      candidates[number].sight = .hidden
    }
  }

  /// A list in a list, a paragraph in a field and a frame in a page are one place with it.
  private mutating func dropNested() {
    var families: [Int: (family: Family, isView: Bool)] = [:]
    candidates = candidates.filter { candidate in
      let traits = candidate.match.rule.traits
      guard traits.isDropPoint, let family = family(of: candidate) else { return true }
      let around = tree.ancestors(of: candidate.index).compactMap { families[$0] }
        .filter { $0.family == family }
      // The view that a profile names may lie in a list that is none.
      let isKept = around.isEmpty || traits.isView && !around.contains { $0.isView }
      if isKept { families[candidate.index] = (family, traits.isView) }
      return isKept
    }
  }

  /// Which family swallows it; `nil` for a place that stands by itself.
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

  /// The kind of place: as its rule says, else by its role.
  func role(of candidate: Candidate) -> PlaceRole {
    if case .role(let role) = candidate.match.rule.word { return role }
    return AccessibleRoles.word(for: tree.elements[candidate.index].role)
  }

  // MARK: The view

  /// Takes the view that the profile names, else the candidate that takes most of the window.
  ///
  /// A quarter of the window at least, else it has no view.
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

  /// Whether a window may be for it.
  private func canBeView(_ candidate: Candidate) -> Bool {
    if family(of: candidate) != nil { return true }
    return [.canvas, .terminal].contains(role(of: candidate))
  }

  /// The largest of these candidates; `nil` for none.
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

  /// The view first with what is in it; where nothing is large enough to be the view, the largest
  /// list or text of many lines.
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

  /// Whether it is something that a window may be for, unlike a field or a button.
  private func mayBeMain(_ candidate: Candidate) -> Bool {
    guard candidate.match.rule.traits.isDropPoint, canBeView(candidate), area(candidate) > 0,
      !isArea(candidate)
    else { return false }
    return family(of: candidate) != .text
      || tree.elements[candidate.index].states.contains(.multiLine)
  }

  /// Whether it is a pane at the side of the window, or in one: what is beside it is then what the
  /// window is for.
  ///
  /// A list or a tree is one where it is half as high as the window, at least, and a third as wide,
  /// at most.
  private func isAtSide(_ place: Place) -> Bool {
    switch place.role {
    case .row, .folder, .icon: return true
    case .list, .tree:
      guard !place.traits.isView, let pane = place.rectangle else { return false }
      return pane.height * 2 >= window.rectangle.height && pane.width * 3 <= window.rectangle.width
    default: return false
    }
  }

  /// Rows and icons that nothing names are no places of their own where their list is one, nor are
  /// lines of a log. A tab without a name leads nowhere that a person could say, a strip beside the
  /// drawing that the window is for is a ruler, and a field among its buttons holds a setting.
  ///
  /// They stay in the list of places, for what can be dragged from them, but nothing is dropped on
  /// them.
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
          (!isNamed || TechnicalName.isLogLine(place.name))
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

  /// Whether it is a thin strip beside what the window shows, as rulers are.
  ///
  /// A tenth of the drawing, in one direction.
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
    // Parts are parts of the whole, also where only some of it is seen.
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

  /// The use that a text makes of files, in toolkits that have texts of their own: a line is only
  /// written in; in a longer text, editors open them and chats send them.
  ///
  /// `nil` where a program says itself what it does with files, and in documents.
  private func pathWriting(in candidate: Candidate) -> Place.PathWriting? {
    let (role, traits) = (role(of: candidate), candidate.match.rule.traits)
    guard tree.isOfGTK || tree.isOfQt, traits.isDropPoint, !traits.mayAccept,
      !tree.isInside(candidate.index, AccessibleRoles.documents)
    else { return nil }
    let element = tree.elements[candidate.index]
    switch role {
    case .terminal: return tree.isOfGTK ? .certain : .likely
    case .textField where AccessibleRoles.texts.contains(element.role):
      guard case .generic = candidate.match.origin else { return nil }
      return element.states.contains(.multiLine) || candidate.isView ? .likely : .certain
    default: return nil
    }
  }

  /// The point to ask and to drop at: the middle, but in a list beside its items, where there is
  /// room.
  private func point(in candidate: Candidate) -> (ScreenPoint?, isCovered: Bool) {
    guard let rectangle = candidate.rectangle else { return (nil, false) }
    guard family(of: candidate) == .container else { return (rectangle.center, false) }
    // Everything in it, but for lists within the list.
    let inside = candidates.filter { other in
      other.rectangle != nil && other.index != candidate.index
        && family(of: other) != .container
        && tree.ancestors(of: other.index).contains(candidate.index)
    }
    let rows = inside.flatMap { $0.cells.compactMap { tree.rectangle(of: $0) } }
    // The room in which its items can be: not under the headers of its columns.
    let room = tree.opening(of: candidate.index) ?? rectangle
    if let free = Self.spot(in: room, beside: rows) { return (free, false) }
    let names = inside.compactMap(\.rectangle)
    return (Self.spot(in: room, beside: names) ?? rectangle.center, true)
  }

  /// The point nearest to the middle that lies in none of the rectangles; the edges are left out,
  /// where lists scroll under a drag and bars lie.
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

  /// How many points there are all over a rectangle but its edges.
  ///
  /// Enough to find room between rows, and few enough for every look.
  static let gridCount = (gridSteps - 1) * (gridSteps - 1)
  /// In each direction.
  private static let gridSteps = 24

  /// Those of them that lie in none of the rectangles.
  ///
  /// Row by row from the top.
  static func freePoints(
    in room: ScreenRectangle, beside taken: [ScreenRectangle]
  ) -> [ScreenPoint] {
    var free: [ScreenPoint] = []
    free.reserveCapacity(gridCount)
    for row in 1..<gridSteps {
      let y = room.y + room.height * row / gridSteps
      // Of a list with many rows few lie across one line.
      let across = taken.filter { (0..<$0.height).contains(y - $0.y) }
      for column in 1..<gridSteps {
        let point = ScreenPoint(x: room.x + room.width * column / gridSteps, y: y)
        if !across.contains(where: { $0.contains(point) }) { free.append(point) }
      }
    }
    return free
  }

  // MARK: The whole window

  /// The rules about the window itself: for programs that tell nothing of what is in it.
  ///
  /// Empty for a program that has no profile.
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

  /// The window as one place, dropped on in its middle.
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

  /// The places that a rule about the window makes of it.
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
