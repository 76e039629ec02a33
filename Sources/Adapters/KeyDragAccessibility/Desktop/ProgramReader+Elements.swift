import CAtspi
import KeyDragCore

/// Toolkits answer differently: some return everything at once, some level by level, and GTK 4
/// keeps everything in a cache that is read as a whole.
extension ProgramReader {
  /// Limits for one window: elements, matches, children of one, and levels.
  private static let mostVisited = 10_000
  private static let mostMatches = 8_192
  private static let mostChildren = 2_000
  private static let deepest = 64
  /// Levels climbed to find an element's parent.
  private static let climb = 12

  /// The shown elements of a window, in tree order.
  ///
  /// - Throws: ``Reason/gone`` for a window that is closed, ``Reason/notResponding``,
  ///   ``Reason/noAccessibility``.
  package func elements(
    of frame: ElementID, in program: ProgramFacts, windowOrigin origin: ScreenPoint?,
    wanted: ElementQuery
  ) async throws(Reason) -> [ElementFacts] {
    let toolkit = Toolkit.of(program).reading(wanted)
    // The window is read over the bus until the direct connection is open.
    let line =
      toolkit.hasDirectConnection && !hasDirectConnection(to: program.bus)
      ? Task { await connectDirectly(to: program.bus) } : nil
    let reading = QueryPattern.Reading(frame: frame, wanted: wanted)
    var habit = habits.take(reading)
    var outcome: Result<(facts: [ElementFacts], isTorn: Bool), Reason>
    var readings = 0
    repeat {
      // The questions of the last reading are sent at once, before they are known to be needed.
      let foresight = QueryPrefetch(habit, try await ask(habit.questions))
      outcome = await Self.$foresight.withValue(foresight) {
        do throws(Reason) {
          let found = try await shown(
            of: frame, toolkit, origin: origin, roles: wanted.roles, most: wanted.most)
          return .success(found)
        } catch {
          return .failure(error)
        }
      }
      habit = foresight.next
      readings += 1
    } while (try? outcome.get().isTorn) == true && readings < Self.mostReadings
    await line?.value
    // A failed reading says nothing about the next.
    if case .success = outcome { habits.keep(habit, of: reading) }
    return try outcome.get().facts
  }

  /// Of a window whose rows change meanwhile.
  static let mostReadings = 5

  private func shown(
    of frame: ElementID, _ toolkit: Toolkit, origin: ScreenPoint?, roles: Set<String>, most: Int
  ) async throws(Reason) -> (facts: [ElementFacts], isTorn: Bool) {
    var outline = OutlineTree(toolkit)
    var wanted: [Int]
    if toolkit.reading == .matches, let found = try await matches(in: frame, toolkit, roles, most) {
      (outline, wanted) = (found, found.order)
      wanted.removeAll { !(roles.isEmpty || roles.contains(found[$0].role)) }
    } else {
      outline = try await walk(frame, toolkit)
      wanted = outline.order.filter { index in
        outline[index].parent != nil && (roles.isEmpty || roles.contains(outline[index].role))
      }
    }
    wanted = Array(wanted.prefix(max(most, 0)))
    try await name(&outline, wanted)
    return (outline.facts(wanted, origin: origin), outline.isTorn)
  }

  // MARK: Level by level

  func walk(_ frame: ElementID, _ toolkit: Toolkit) async throws(Reason) -> OutlineTree {
    var cache = CachedElements()
    if toolkit.reading == .cache {
      let question = ElementID(program: frame.program, path: CachedElements.path)
        .ask("Cache", "GetItems")
      cache = CachedElements(try await ask(question, limit: CachedElements.limit))
    }
    var outline = OutlineTree(toolkit)
    var level = [outline.add(frame, in: nil)]
    var depth = 0
    while !level.isEmpty, depth < Self.deepest {
      try await settle(&outline, level, cache)
      let inner = level.filter { outline[$0].isShown && mayHold(outline[$0], toolkit) }
      level = try await open(&outline, inner, cache)
      depth += 1
    }
    guard outline[0].role != "" else { throw .gone }
    for node in outline.nodes where node.role == Toolkit.rootPane {
      if let parent = node.parent { note(outline[parent].id, around: node.id) }
    }
    return outline
  }

  private func mayHold(_ node: OutlineTree.Node, _ toolkit: Toolkit) -> Bool {
    if Toolkit.leaves.contains(node.role) { return toolkit.hasClassNames }
    return !(node.isVirtual && node.role == "table cell")
  }

  /// The questions to one element, sent together with those to its level.
  private struct QuerySet {
    var index: Int
    var hasPlace = true
    var hasRole = false
    var hasStates = false
    var hasName = false
    /// Its first children, before its role is known.
    var hasChildren = false

    /// - Parameter isKnown: whether a cache holds it.
    init(
      _ index: Int, _ node: OutlineTree.Node, isKnown: Bool, isEarly: Bool, hasPlace: Bool
    ) {
      self.index = index
      self.hasPlace = hasPlace && node.told == nil
      guard !isKnown else { return }
      hasStates = true
      hasRole = node.like == nil && node.role == ""
      // A few more names cost less than another round trip.
      hasName = (node.isVirtual || isEarly) && node.name == nil
      hasChildren = isEarly
    }

    /// In the order in which ``settle(_:_:_:isOpened:)`` takes the answers.
    func questions(_ id: ElementID, _ coordinates: AtspiCoordType) -> [BusRequest] {
      (hasPlace ? [id.extents(coordinates)] : []) + (hasStates ? [id.states] : [])
        + (hasRole ? [id.role] : []) + (hasName ? [id.name] : [])
        + (hasChildren ? [id.childCount, id.firstChildren(ProgramReader.early)] : [])
    }
  }

  /// Levels of at most this many elements are asked for children before their roles are known: most
  /// containers around a list have one child only.
  private static let narrow = 3
  private static let early = 4

  /// Queries the roles and the places of elements.
  ///
  /// - Parameter isOpened: whether their children are read next.
  private func settle(
    _ outline: inout OutlineTree, _ level: [Int], _ cache: CachedElements, isOpened: Bool = true
  ) async throws(Reason) {
    let coordinates = outline.toolkit.coordinates
    var orphans: [(index: Int, states: AccessibleStates, told: ReportedRectangle?)] = []
    for index in level where outline[index].isVirtual {
      guard let look = outline[index].look else { continue }
      (outline[index].name, outline[index].hasVanished) = (look.name, look.hasVanished)
      guard let states = look.states else { continue }
      if let role = look.role, role != "" {
        outline.settle(index, role: role, states: states, told: outline[index].told)
      } else {
        orphans.append((index, states, outline[index].told))
      }
    }
    let level = try await settleLabels(
      &outline, level.filter { !outline[$0].isVirtual || outline[$0].look == nil })
    // In one round; the answers are taken in the same order.
    let looks = looks(at: level, outline, cache, isOpened: isOpened)
    let answers = try await ask(
      looks.flatMap { $0.questions(outline[$0.index].id, coordinates) })
    var placeless: [(index: Int, role: String, states: AccessibleStates)] = []
    var rest = answers[...]
    for look in looks {
      let index = look.index
      let told =
        look.hasPlace ? AtspiReplyDecoder.rectangle(rest.removeFirst()) : outline[index].told
      if let item = cache[outline[index].id] {
        outline[index].name = item.name
        outline.settle(index, role: item.role, states: item.states, told: told)
        continue
      }
      let states = AtspiReplyDecoder.states(rest.removeFirst())
      let role =
        look.hasRole
        ? AtspiReplyDecoder.role(rest.removeFirst())
        : outline[index].like.map { outline[$0].role } ?? outline[index].role
      if look.hasName {
        let name = rest.removeFirst()
        outline[index].name = AtspiReplyDecoder.name(name)
        outline[index].hasVanished = name == nil && outline[index].isVirtual
      }
      if look.hasChildren {
        outline[index].count = AtspiReplyDecoder.number(rest.removeFirst())
        // An answer of more than was asked for is rejected.
        outline[index].early = AtspiReplyDecoder.elements(rest.removeFirst()).flatMap {
          $0.count <= Self.early ? $0 : nil
        }
      }
      // An element that has vanished stays without a role, and is not shown.
      guard let role, let states else { continue }
      if isPlacedLater(index, outline), role != "", !Toolkit.placeless.contains(role) {
        placeless.append((index, role, states))
      } else if role != "" {
        outline.settle(index, role: role, states: states, told: told)
      } else if outline[index].like != nil {
        orphans.append((index, states, told))
      }
    }
    let places = try await ask(placeless.map { outline[$0.index].id.extents(coordinates) })
    for (found, answer) in zip(placeless, places) {
      outline.settle(
        found.index, role: found.role, states: found.states,
        told: AtspiReplyDecoder.rectangle(answer))
    }
    // The sample row that supplied the shared role has vanished.
    let roles = try await ask(orphans.map { outline[$0.index].id.role })
    for (orphan, answer) in zip(orphans, roles) {
      guard let role = AtspiReplyDecoder.role(answer), role != "" else { continue }
      outline.settle(orphan.index, role: role, states: orphan.states, told: orphan.told)
    }
  }

  private func looks(
    at level: [Int], _ outline: OutlineTree, _ cache: CachedElements = CachedElements(),
    isOpened: Bool = true
  ) -> [QuerySet] {
    let isEarly = isOpened && outline.toolkit.answersAnything && level.count <= Self.narrow
    return level.map { index in
      QuerySet(
        index, outline[index], isKnown: cache[outline[index].id] != nil,
        isEarly: isEarly && mayHoldEarly(index, outline),
        hasPlace: !isPlacedLater(index, outline))
    }
  }

  /// Whether an element's place is queried only once its role is known to need it: GTK 3 asks the
  /// display each time. A window's place is known from the display, and the further children of a
  /// scroll pane are its bars.
  private func isPlacedLater(_ index: Int, _ outline: OutlineTree) -> Bool {
    guard outline.toolkit.reading == .levels, !outline[index].isVirtual,
      outline[index].told == nil
    else { return false }
    guard let parent = outline[index].parent else { return true }
    return outline[parent].role == Toolkit.scrollPane && outline[parent].children.first != index
  }

  /// Whether an element's children are queried before its role is known: not those of scroll bars,
  /// nor of a row, which is queried with all the others.
  private func mayHoldEarly(_ index: Int, _ outline: OutlineTree) -> Bool {
    guard !outline[index].isVirtual, let parent = outline[index].parent else {
      return !outline[index].isVirtual
    }
    return outline[parent].role != Toolkit.scrollPane || outline[parent].children.first == index
  }

  /// Reads the labels in rows, of which only the text is wanted, and returns all other elements.
  private func settleLabels(
    _ outline: inout OutlineTree, _ level: [Int]
  ) async throws(Reason) -> [Int] {
    guard outline.toolkit.reading == .levels else { return level }
    let inRows = level.filter { index in
      outline[index].parent.map { outline[$0].isVirtual } == true
        && !outline[index].isVirtual
    }
    let unknown = inRows.filter { outline[$0].look == nil }
    let answers = try await ask(
      unknown.flatMap { VisibleRow.Observation.questions(outline[$0].id) })
    for (place, index) in unknown.enumerated() {
      outline[index].look = VisibleRow.Observation(answers[(place * 3)..<(place * 3 + 3)])
    }
    var settled: Set<Int> = []
    for index in inRows {
      guard let look = outline[index].look, let role = look.role, let parent = outline[index].parent
      else { continue }
      (outline[index].role, outline[index].name) = (role, look.name)
      outline[index].hasVanished = look.hasVanished
      let isShown = look.states?.contains(.showing) == true
      guard role == "label" || !isShown else { continue }
      settled.insert(index)
      outline.settle(
        index, role: role, states: isShown ? [.showing, .visible] : [], told: outline[parent].asTold
      )
    }
    return level.filter { !settled.contains($0) }
  }

  /// Peeks into windows that have not been read yet, so that the first questions of their reading
  /// are sent at once, instead of level by level.
  func expectBeginnings(of frames: [ElementID], _ toolkit: Toolkit) async throws(Reason) {
    let frames = toolkit.answersAnything ? frames.filter { !habits.knows($0) } : []
    guard !frames.isEmpty else { return }
    let tops = try await ask(frames.map { $0.firstChildren(Self.early) })
    let children = tops.map { (AtspiReplyDecoder.elements($0) ?? []).prefix(Self.early) }
    let answers = try await ask(
      children.joined().flatMap { [$0.role, $0.firstChildren(Self.early)] })
    var rest = answers[...]
    for (frame, children) in zip(frames, children) {
      var outline = OutlineTree(toolkit)
      let top = [outline.add(frame, in: nil)]
      let level = children.map { outline.add($0, in: top[0]) }
      var looks = looks(at: top, outline) + looks(at: level, outline)
      var inner: [Int] = []
      for index in level {
        outline[index].role = AtspiReplyDecoder.role(rest.removeFirst()) ?? ""
        let own = AtspiReplyDecoder.elements(rest.removeFirst()) ?? []
        inner += own.prefix(Self.early).map { outline.add($0, in: index) }
      }
      looks += self.looks(at: inner, outline)
      habits.expect(
        looks.flatMap { $0.questions(outline[$0.index].id, toolkit.coordinates) }, of: frame)
    }
  }

  /// Adds the children of elements, and returns the new ones.
  private func open(
    _ outline: inout OutlineTree, _ inner: [Int], _ cache: CachedElements
  ) async throws(Reason) -> [Int] {
    var found: [Int: [ElementID]] = [:]
    let rows = try await rows(outline, inner)
    for index in inner where rows[index] == nil {
      found[index] = outline[index].look?.children?.map(\.id) ?? outline[index].allEarly
      if found[index] == nil, outline.toolkit.hasColumns {
        found[index] = try await shownColumn(of: outline[index], outline.toolkit)
      }
    }
    let asked = inner.filter {
      rows[$0] == nil && found[$0] == nil && cache[outline[$0].id]?.childCount != 0
    }
    let rule = MatchRule(states: .showing)
    let isMatching = outline.toolkit.reading == .levels
    let answers = try await ask(
      asked.map { index in
        let id = outline[index].id
        return isMatching
          ? id.matches(rule, most: Self.mostChildren, isDeep: false) : id.children
      })
    var unknown: [Int] = []
    for (index, answer) in zip(asked, answers) {
      found[index] = AtspiReplyDecoder.elements(answer)
      if found[index] == nil, isMatching { unknown.append(index) }
    }
    // Elements of another toolkit, such as a page in a window, lack this call.
    let others = try await ask(unknown.map { outline[$0].id.children })
    for (index, answer) in zip(unknown, others) {
      found[index] = AtspiReplyDecoder.elements(answer)
    }

    var level: [Int] = []
    // Beyond the limit the rest of the window is left out.
    for index in inner where outline.nodes.count < Self.mostVisited {
      if let rows = rows[index] {
        level += add(rows, in: index, &outline)
      } else {
        let isOnDemand = outline[index].states.contains(.managesDescendants)
        let looks = outline[index].looksInside
        for child in (found[index] ?? []).prefix(Self.mostChildren) {
          level.append(outline.add(child, in: index))
          outline[level[level.count - 1]].isVirtual = isOnDemand
          outline[level[level.count - 1]].look = looks[child]
        }
      }
    }
    return level
  }

  /// The rows of all lists among the elements, read concurrently.
  private func rows(
    _ outline: OutlineTree, _ inner: [Int]
  ) async throws(Reason) -> [Int: [VisibleRow]] {
    let lists = inner.filter { outline[$0].states.contains(.managesDescendants) }
    guard !lists.isEmpty else { return [:] }
    // Usually there is one, which needs no task.
    if lists.count == 1, let list = lists.first {
      let rows = try await shownRows(of: outline[list], outline.toolkit)
      return rows.map { [list: $0] } ?? [:]
    }
    let found = await withTaskGroup(of: Found.self) { group in
      for list in lists {
        group.addTask { await self.found(in: outline[list], at: list, outline.toolkit) }
      }
      var found: [Found] = []
      for await rows in group { found.append(rows) }
      return found
    }
    var result: [Int: [VisibleRow]] = [:]
    for list in found { result[list.index] = try list.rows.get() }
    return result
  }

  private struct Found: Sendable {
    var index: Int
    var rows: Result<[VisibleRow]?, Reason>
  }

  /// Builds no value around an `await`: in an optimised build (Swift 6.3) a task that returned
  /// `(index, .success(try await …))` gave an index of 0 and lost the rows.
  private func found(
    in list: OutlineTree.Node, at index: Int, _ toolkit: Toolkit
  ) async -> Found {
    do throws(Reason) {
      let rows = try await shownRows(of: list, toolkit)
      return Found(index: index, rows: .success(rows))
    } catch {
      return Found(index: index, rows: .failure(error))
    }
  }

  /// Adds rows of a list; in GTK 3 one of them supplies the role of all.
  private func add(
    _ rows: [VisibleRow], in list: Int, _ outline: inout OutlineTree
  ) -> [Int] {
    let isOfOneSort = outline.toolkit.reading == .levels
    let isBox = outline[list].role == Toolkit.listBox
    var sample: Int?
    return rows.map { row in
      let new = outline.add(row.id, in: list)
      outline[new].isVirtual = true
      (outline[new].index, outline[new].total) = (row.index, row.total)
      (outline[new].told, outline[new].look) = (row.told, row.look)
      // The headers of a table are in no row.
      if isOfOneSort, isBox || row.index != nil {
        outline[new].like = sample
        if sample == nil { sample = new }
      }
      return new
    }
  }

  // MARK: All at once

  /// The elements that a program finds by itself; `nil` when it can't.
  ///
  /// - Parameter most: how many are wanted, from the beginning.
  private func matches(
    in frame: ElementID, _ toolkit: Toolkit, _ roles: Set<String>, _ most: Int
  ) async throws(Reason) -> OutlineTree? {
    let rule = MatchRule(states: .showing, roles: roles)
    let replies = try await ask(
      [
        frame.extents(toolkit.coordinates),
        frame.matches(rule, most: Self.mostMatches, isDeep: true),
      ], limit: 4 * Self.mostMatches)
    guard let found = AtspiReplyDecoder.elements(replies[1]) else { return nil }
    let window = AtspiReplyDecoder.rectangle(replies[0])
    let places = try await ask(found.map { $0.extents(toolkit.coordinates) })
    let shown = zip(found, places).compactMap { id, answer -> (ElementID, ReportedRectangle)? in
      guard let told = AtspiReplyDecoder.rectangle(answer), toolkit.isPlace(told),
        window.map({ !$0.common(told).isEmpty }) ?? true
      else { return nil }
      return (id, told)
    }.prefix(max(most, 0))
    let answers = try await ask(shown.flatMap { [$0.0.role, $0.0.states, $0.0.parent] })
    var outline = OutlineTree(toolkit)
    let parents = try await around(
      shown.map(\.0), shown.indices.map { AtspiReplyDecoder.element(answers[$0 * 3 + 2]) })
    for (place, (id, told)) in shown.enumerated() {
      guard let role = AtspiReplyDecoder.role(answers[place * 3]),
        let states = AtspiReplyDecoder.states(answers[place * 3 + 1])
      else { continue }
      // In tree order, so that parents come first.
      let parent = parents[id].flatMap { parent in
        outline.nodes.lastIndex { $0.id == parent }
      }
      let index = outline.add(id, in: parent)
      outline.settle(index, role: role, states: states, told: told)
    }
    return outline
  }

  /// Maps each element to its nearest ancestor among them. Climbs from all at once, one level per
  /// round trip.
  private func around(
    _ elements: [ElementID], _ parents: [ElementID?]
  ) async throws(Reason) -> [ElementID: ElementID] {
    let known = Set(elements)
    var up: [ElementID: ElementID] = [:]
    for (element, parent) in zip(elements, parents) { up[element] = parent }
    for _ in 0..<Self.climb {
      let unknown = Array(Set(up.values.filter { up[$0] == nil && !known.contains($0) }))
      if unknown.isEmpty { break }
      let answers = try await ask(unknown.map(\.parent))
      var isHigher = false
      for (element, answer) in zip(unknown, answers) {
        if let parent = AtspiReplyDecoder.element(answer), parent != element {
          up[element] = parent
          isHigher = true
        }
      }
      if !isHigher { break }
    }
    // Parents may form a cycle: the steps are limited.
    var result: [ElementID: ElementID] = [:]
    for element in elements {
      var (next, steps) = (up[element], 0)
      while let parent = next, !known.contains(parent), steps < Self.deepest {
        next = up[parent]
        steps += 1
      }
      result[element] = next
    }
    return result
  }

  // MARK: Names

  func name(_ outline: inout OutlineTree, _ wanted: [Int]) async throws(Reason) {
    let hasAttributes = outline.toolkit.hasAttributes
    let unnamed = wanted.filter { outline[$0].name == nil }
    let names = try await ask(unnamed.map { outline[$0].id.name })
    for (index, answer) in zip(unnamed, names) {
      outline[index].name = AtspiReplyDecoder.name(answer)
    }
    if hasAttributes {
      let answers = try await ask(wanted.map { outline[$0].id.attributes })
      for (index, answer) in zip(wanted, answers) {
        let (attributes, place, total) = AtspiReplyDecoder.attributes(answer)
        outline[index].attributes = attributes
        (outline[index].index, outline[index].total) = (place, total)
      }
    }
    if !hasAttributes { try await nameByLabels(&outline, wanted) }
    try await nameIconsByText(&outline, wanted)
    let rows = wanted.filter { outline.needsInnerName($0) }
    try await look(
      into: rows.filter { outline[$0].children.isEmpty && outline[$0].look?.children == nil },
      &outline)
    for row in rows where outline[row].look?.children != nil { nameByHidden(row, &outline) }
    var inner = Set<Int>()
    var open = rows
    while let index = open.popLast() {
      for child in outline[index].children where outline[child].isShown {
        if inner.insert(child).inserted { open.append(child) }
      }
    }
    let nameless = inner.filter { outline[$0].name == nil }.sorted()
    outline.name(nameless, try await ask(nameless.map { outline[$0].id.name }))
    // A row that has just been put in has its labels before these have words.
    let isLate = outline.toolkit.reading == .levels
    let blank = rows.filter { isLate && outline.names(within: $0).isEmpty }
      .flatMap { outline[$0].children }
    outline.name(blank, try await send(blank.map { outline[$0].id.name }, limit: Self.usual))
    try await leaveOutHiddenCells(of: rows, &outline)
    for index in Set(wanted).union(inner) {
      outline[index].name = outline.toolkit.name(
        outline[index].name ?? "", role: outline[index].role)
    }
    outline.nameRows(wanted)
  }

  /// Names a row of which only an edge is visible, and hence nothing in it. Its contents then count
  /// as labels, at the row's own place.
  private func nameByHidden(_ row: Int, _ outline: inout OutlineTree) {
    let children = outline[row].children
    guard !children.contains(where: { outline[$0].isShown }) else { return }
    for child in children {
      outline.settle(
        child, role: "label", states: [.showing, .visible], told: outline[row].asTold)
    }
  }

  /// Adds the contents of rows that were not opened during the walk.
  private func look(into rows: [Int], _ outline: inout OutlineTree) async throws(Reason) {
    guard outline.toolkit.reading != .cache else { return }
    let answers = try await ask(rows.map { outline[$0].id.children })
    var new: [Int] = []
    for (index, answer) in zip(rows, answers) {
      outline[index].hasVanished = answer == nil
      for child in (AtspiReplyDecoder.elements(answer) ?? []).prefix(Self.mostInRow) {
        new.append(outline.add(child, in: index))
        outline[new[new.count - 1]].isVirtual = outline[index].isVirtual
      }
    }
    guard outline.toolkit.reading == .levels else {
      return try await settle(&outline, new, CachedElements(), isOpened: false)
    }
    // Only their names are wanted, and they lie in their row.
    let names = try await ask(new.map { outline[$0].id.name })
    for (index, answer) in zip(new, names) {
      outline[index].name = AtspiReplyDecoder.name(answer)
      let row = outline[index].parent.flatMap { outline[$0].asTold }
      outline.settle(index, role: "label", states: [.showing, .visible], told: row)
    }
  }

  /// Further parts of a row are ignored.
  static let mostInRow = 16
}
