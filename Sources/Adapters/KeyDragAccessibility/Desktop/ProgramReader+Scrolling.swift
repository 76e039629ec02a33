import CAtspi
import KeyDragBus
import KeyDragCore

/// Brings elements into view, clear of the edges at which lists scroll under a drag. Leaves
/// selection and focus alone.
extension ProgramReader {
  /// Distance from a list's edge within which a drag may scroll it, in pixels: 16 in Qt, 30 in GTK
  /// below the headers of a table, 40 in Thunar.
  private static let edge = 60

  /// The area of an element to aim at, scrolled into view if necessary.
  ///
  /// By the element itself if its toolkit can, else by the scroll bar beside the list.
  ///
  /// - Returns: `nil` when it can't be made visible.
  package func reach(
    _ element: ElementID, in program: ProgramFacts, windowOrigin origin: ScreenPoint?
  ) async throws(Reason) -> TargetArea? {
    let toolkit = Toolkit.of(program)
    var view = try await view(of: element, toolkit, origin)
    if view.reach == nil {
      guard try await scrollIntoView(element, toolkit) else { return nil }
      view = try await self.view(of: element, toolkit, origin)
    }
    if let reach = view.reach, !reach.isClear, let way = view.way,
      try await scroll(view.around, by: way, toolkit)
    {
      view = try await self.view(of: element, toolkit, origin)
    }
    guard let reach = view.reach, toolkit.losesInsets else { return view.reach }
    return try await shifted(reach, by: view.around, toolkit)
  }

  /// Limit on siblings queried for their place.
  private static let mostInside = 64

  /// Adds what a program leaves out of a place: the insets of all ancestors, as far as the sizes of
  /// their contents explain them.
  private func shifted(
    _ reach: TargetArea, by around: Surroundings, _ toolkit: Toolkit
  ) async throws(Reason) -> TargetArea {
    let outer = around.steps.dropFirst().dropLast()
    let children = try await ask(outer.map(\.id.children))
    let inside = children.map { answer in
      Array((AtspiReplyDecoder.elements(answer) ?? []).prefix(Self.mostInside))
    }
    var answers = try await ask(
      inside.flatMap { $0 }.map { $0.extents(toolkit.coordinates) })[...]
    var (shift, doubt) = (ScreenPoint(x: 0, y: 0), ScreenPoint(x: 0, y: 0))
    for (step, elements) in zip(outer, inside) {
      let told = answers.prefix(elements.count).compactMap(AtspiReplyDecoder.rectangle)
      answers = answers.dropFirst(elements.count)
      guard let own = step.told else { continue }
      let inset = LostInset(of: own, around: told.filter(toolkit.isPlace))
      shift = ScreenPoint(x: shift.x + inset.shift.x, y: shift.y + inset.shift.y)
      doubt = ScreenPoint(x: doubt.x + inset.doubt.x, y: doubt.y + inset.doubt.y)
    }
    // The window reports its own border inside its own contents, where it should be at the origin.
    if let window = around.steps.last?.told {
      shift = ScreenPoint(x: shift.x - 2 * window.x, y: shift.y - 2 * window.y)
    }
    var reach = reach
    reach.shown = reach.shown.moved(by: shift)
    (reach.shift, reach.doubt) = (shift, doubt)
    return reach
  }

  private struct View {
    var around: Surroundings
    var reach: TargetArea?
    /// Its distance below the middle of the view, in pixels; `nil` outside of a list.
    var way: Int?
  }

  private func view(
    of element: ElementID, _ toolkit: Toolkit, _ origin: ScreenPoint?
  ) async throws(Reason) -> View {
    let around = try await surroundings(of: [element], toolkit)[0]
    let (shown, room) = placement(of: around, toolkit, origin: origin)
    guard let shown else { return View(around: around) }
    // A strip of tabs does not scroll as a list does.
    guard let room, let (row, list, _) = around.row(in: Toolkit.lists), let own = row.told,
      toolkit.clipping.contains(list.role)
    else { return View(around: around, reach: TargetArea(shown)) }
    let edge = min(Self.edge, max((room.height - own.height) / 2, 0))
    var reach = TargetArea(shown)
    reach.isClear =
      shown.height >= own.height && shown.y >= room.y + edge
      && shown.y + shown.height <= room.y + room.height - edge
    return View(
      around: around, reach: reach, way: shown.center.y - room.center.y)
  }

  private func scrollIntoView(
    _ element: ElementID, _ toolkit: Toolkit
  ) async throws(Reason) -> Bool {
    let isScrolled = try await act(.scrollIntoView, on: element)
    if isScrolled, try await comesIntoView(element, toolkit) { return true }
    guard try await pushScrollBar(to: element, toolkit) else { return false }
    return try await comesIntoView(element, toolkit)
  }

  /// Polls until it has a place, for less than half a second: programs scroll when they next draw.
  private func comesIntoView(
    _ element: ElementID, _ toolkit: Toolkit
  ) async throws(Reason) -> Bool {
    try await comes { () async throws(Reason) in
      // The window's position does not matter here.
      try await self.view(of: element, toolkit, ScreenPoint(x: 0, y: 0)).reach != nil
    }
  }

  /// Polls for less than half a second.
  private func comes(_ isThere: () async throws(Reason) -> Bool) async throws(Reason) -> Bool {
    for delay: UInt32 in [5, 20, 50, 100, 200] {
      if try await isThere() { return true }
      await rest(delay)
    }
    return try await isThere()
  }

  /// Scrolls the list around an element by pixels; `false` at the list's end, or when its scroll
  /// bar counts in another unit.
  private func scroll(
    _ around: Surroundings, by way: Int, _ toolkit: Toolkit
  ) async throws(Reason) -> Bool {
    guard toolkit.scrollsByPixels, let element = around.steps.first?.id,
      let old = around.steps.first?.told, let outer = around.row(in: Toolkit.lists)?.outer,
      let bar = try await verticalBar(in: outer),
      let now = try await value(of: bar),
      try await set(bar, to: now + Double(way)), try await value(of: bar) != now
    else { return false }
    return try await comes { () async throws(Reason) in
      try await self.surroundings(of: [element], toolkit)[0].steps.first?.told != old
    }
  }

  /// Levels from a list to the pane with its scroll bar: GTK 4 has a table between them.
  private static let mostBetween = 3

  private func verticalBar(
    in steps: ArraySlice<Surroundings.Step>
  ) async throws(Reason) -> ElementID? {
    for step in steps.prefix(Self.mostBetween) {
      if let bar = try await verticalBar(in: step.id) { return bar }
    }
    return nil
  }

  private func value(of bar: ElementID) async throws(Reason) -> Double? {
    let answer = try await ask(bar.property("CurrentValue", of: "Value"))
    guard case .variant(.double(let value))? = answer?.first else { return nil }
    return value
  }

  /// Moves the list's scroll bar to where an element should be, by its index; `false` without a
  /// list that has a scroll bar.
  private func pushScrollBar(
    to element: ElementID, _ toolkit: Toolkit
  ) async throws(Reason) -> Bool {
    let around = try await surroundings(of: [element], toolkit)[0].steps
    // Thunar's pane around its list has a role of its own.
    for (inner, outer) in zip(around, around.dropFirst())
    where outer.role == Toolkit.scrollPane || Toolkit.lists.contains(inner.role) {
      guard let list = around.first(where: { Toolkit.lists.contains($0.role) }) ?? Optional(inner),
        let place = around.firstIndex(where: { $0.id == list.id }), place > 0,
        let bar = try await verticalBar(in: outer.id)
      else { continue }
      let answers = try await ask([
        around[place - 1].id.indexInParent, list.id.property("ChildCount"),
        bar.property("MinimumValue", of: "Value"), bar.property("MaximumValue", of: "Value"),
      ])
      guard let index = AtspiReplyDecoder.number(answers[0]),
        let count = AtspiReplyDecoder.number(answers[1]), count > 1,
        case .variant(.double(let low))? = answers[2]?.first,
        case .variant(.double(let high))? = answers[3]?.first, high > low
      else { continue }
      let value = low + (high - low) * Double(min(max(index, 0), count)) / Double(count)
      return try await set(bar, to: value)
    }
    return false
  }

  /// Not by libatspi, whose call ends the process when the reply is an error.
  private func set(_ bar: ElementID, to value: Double) async throws(Reason) -> Bool {
    let answer = try await ask(
      BusRequest(
        program: bar.program,
        call: BusCall(
          path: bar.path, interface: "org.freedesktop.DBus.Properties", member: "Set",
          arguments: [
            .string(ATSPI_DBUS_INTERFACE_VALUE), .string("CurrentValue"), .variant(.double(value)),
          ])))
    return answer != nil
  }

  private func verticalBar(in pane: ElementID) async throws(Reason) -> ElementID? {
    let children = AtspiReplyDecoder.elements(try await ask(pane.children)) ?? []
    let answers = try await ask(children.prefix(8).flatMap { [$0.role, $0.states] })
    return children.prefix(8).enumerated().first { place, _ in
      AtspiReplyDecoder.role(answers[place * 2]) == "scroll bar"
        && AtspiReplyDecoder.states(answers[place * 2 + 1])?.contains(.vertical) == true
    }?.element
  }
}
