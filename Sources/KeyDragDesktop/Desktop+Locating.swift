import KeyDragCore

/// The point at which a place is asked and dropped on.
struct Aim: Sendable {
  var window: WindowID
  /// In pixels of the screen.
  var at: ScreenPoint
  /// The offset from the position that the program reports.
  var shift = ScreenPoint(x: 0, y: 0)

  /// The same point as the program reports it.
  var asTold: ScreenPoint { ScreenPoint(x: at.x - shift.x, y: at.y - shift.y) }
}

/// The present positions of places on the screen.
extension Desktop {
  /// The present position of a place in pixels of the screen: programs scroll, move and resize.
  ///
  /// Asks the display, then the program, and scrolls the place into view if need be.
  ///
  /// - Throws: ``Reason/gone``, ``Reason/notShown``, ``Reason/placeUncertain`` or
  ///   ``Reason/notResponding``; ``Reason/waitsForAnswer`` where its program asks in another
  ///   window. A drop then may block both windows for good: LibreOffice 7.4 did.
  func locate(_ point: DropPointID) async throws(Reason) -> Aim {
    guard let spot = spot(point) else { throw .gone }
    // Without an element the aim would hit whatever lies in the middle of the window.
    if spot.place.isOffscreen { throw .notShown }
    let facts = await refreshFacts(of: spot.window)
    guard let window = window(spot.window) else { throw .gone }
    if facts?.isBlocked == true { throw .waitsForAnswer }
    guard let element = spot.place.element, let reader = parts.programs else {
      guard let facts else { throw .gone }
      return Aim(window: facts.id, at: spot.aim(in: facts.rectangle))
    }
    var reach = try await reach(element, in: window, reader)
    if reach == nil, let frame = spot.frame {
      reach = try await self.reach(frame, in: window, reader)
    }
    // Nothing outside its window accepts a drop: Qt 5 reports a scrolled-away field there.
    guard let reach, Self.isSeen(reach.shown, in: window) else { throw .notShown }
    if reach.isUncertain, spot.isRow { throw .placeUncertain }
    let aim = await textAim(at: spot, reach.shown, in: window)?.point
    return Aim(
      window: window.facts.id, at: aim ?? spot.aim(in: reach, of: window.facts.rectangle),
      shift: reach.shift)
  }

  /// Other points of a place that may have parts that take nothing, outside all other places and all
  /// fields: at the edges of its panes first, where there is room, then all over it, then on the buttons
  /// of a window, some of which choose a file. None for a single element such as a field or a row.
  ///
  /// - Parameter aim: the point that was asked.
  func otherAims(at point: DropPointID, beside aim: Aim) async -> [ScreenPoint] {
    guard let spot = spot(point), let base = spot.base, let usual = spot.place.point,
      let room = spot.place.rectangle,
      room.width >= Self.leastAimed, room.height >= Self.leastAimed
    else { return [] }
    let isList = [.list, .tree].contains(spot.place.role) && spot.holdsRows
    guard isList || [.window, .canvas, .area].contains(spot.place.role) else { return [] }
    var taken = spots.values.filter { other in
      other.window == spot.window && other.place.element != spot.place.element
        && (other.isRow || other.place.rectangle.map { $0.contains(room.origin) } != true)
    }.compactMap(\.place.rectangle)
    var buttons: [ScreenPoint] = []
    if let window = window(spot.window) {
      let roles = AccessibleRoles.fields.union(AccessibleRoles.captioned)
      let elements = (try? await elements(in: window, with: roles)) ?? []
      taken += elements.filter { $0.states.contains(.editable) }.compactMap(\.rectangle)
      if spot.place.role == .window {
        buttons = elements.filter { AccessibleRoles.captioned.contains($0.role) }
          .compactMap(\.rectangle?.center).prefix(Self.mostButtons).map { $0 }
      }
    }
    // Its offset since it was found.
    let now = spot.hit.map { ScreenPoint(x: base.x + $0.x, y: base.y + $0.y) } ?? usual
    let sample = isList ? Array(Self.sample(room).prefix(Self.mostInList)) : Self.sample(room)
    return (sample + buttons).filter { point in !taken.contains { $0.contains(point) } }
      .map { ScreenPoint(x: $0.x + aim.at.x - now.x, y: $0.y + aim.at.y - now.y) }
  }

  /// Whether a place of a window is a text of several lines, or a drawing.
  func hasEditor(in window: ContainerID) -> Bool {
    spots.values.contains {
      $0.window == window && [.textField, .document, .canvas].contains($0.place.role)
    }
  }

  /// In pixels.
  private static let leastAimed = 48
  private static let mostButtons = 16
  /// A list mostly refuses everywhere or nowhere.
  private static let mostInList = 6

  /// Points of a rectangle, from its edges inwards and from the bottom up: lists fill from the top.
  private static func sample(_ room: ScreenRectangle) -> [ScreenPoint] {
    let inset = 8
    func places(_ start: Int, _ length: Int) -> [Int] {
      [inset, length / 4, length / 2, length * 3 / 4, length - inset].map { start + $0 }
    }
    let (xs, ys) = (places(room.x, room.width), places(room.y, room.height))
    let edges = [(1, 4), (3, 4), (4, 3), (0, 3), (4, 1), (0, 1), (1, 0), (3, 0)]
    let corners = [(4, 4), (0, 4), (4, 0), (0, 0)]
    let inner = [(1, 3), (3, 3), (1, 1), (3, 1), (2, 3), (1, 2), (3, 2), (2, 1)]
    let lines = [(2, 4), (4, 2), (0, 2), (2, 0)]
    return (edges + inner + lines + corners).map { ScreenPoint(x: xs[$0], y: ys[$1]) }
  }

  private func reach(
    _ element: ElementID, in window: Window, _ reader: any ProgramReading
  ) async throws(Reason) -> TargetArea? {
    guard let program = window.program else { return nil }
    let reach = try await reader.reach(
      element, in: program, windowOrigin: window.facts.rectangle.origin)
    return reach?.shown.isEmpty == false ? reach : nil
  }

  /// Whether a drop at this point would hit the place that the person has heard of: lists scroll
  /// under a drag, windows move, and insertions push rows down.
  func isThere(_ point: DropPointID, _ aim: Aim) async -> Bool {
    guard let spot = spot(point), let facts = await refreshFacts(of: spot.window),
      let window = window(spot.window)
    else { return false }
    guard let element = spot.place.element, let reader = parts.programs else {
      return spot.aim(in: facts.rectangle) == aim.at
    }
    let told = aim.asTold
    if spot.isRow || spot.holdsRows {
      guard case .success(let found?) = await read(spot.window, asksActions: false) else {
        return false
      }
      let rows = found.places.filter { place in
        place.traits.isDropPoint && PlaceRecord(place: place, window: spot.window).isRow
          && place.rectangle?.contains(told) == true
      }
      // Names identify rows: a rebuilt list has new elements.
      if spot.isRow { return !rows.isEmpty && rows.allSatisfy { $0.name == spot.place.name } }
      guard rows.isEmpty else { return false }
    }
    do throws(Reason) {
      return try await rectangle(of: spot.frame ?? element, in: window, reader)?.contains(told)
        == true
    } catch {
      // The earlier word of a busy program stands, except about rows.
      return true
    }
  }

  /// Whether it is at least partly inside its window.
  private static func isSeen(_ rectangle: ScreenRectangle, in window: Window) -> Bool {
    window.facts.rectangle.isEmpty
      || rectangle.intersection(window.facts.rectangle) != nil
  }

  /// Longer texts are not read to find an insertion position.
  private static let longestText = 200_000

  /// The present text position of a drop, as its program shows it; `nil` for places without text,
  /// and where it is unknown.
  private func textAim(
    at spot: PlaceRecord, _ now: ScreenRectangle, in window: Window
  ) async -> TextDropTarget? {
    guard spot.place.role == .textField || spot.place.role == .document,
      let element = spot.place.element, let program = window.program, let reader = parts.programs,
      let visible = now.intersection(window.facts.rectangle)
    else { return nil }
    return try? await reader.textAim(
      of: element, in: program, windowOrigin: window.facts.rectangle.origin, within: visible,
      most: Self.longestText)
  }

  /// Adds to an answer the text position at which the items would be inserted.
  ///
  /// - Parameter isText: whether the payload is a text, which is inserted in any case.
  func telling(_ proposal: DropProposal, at point: DropPointID, isText: Bool) async -> DropProposal
  {
    guard !proposal.isRefusal, let spot = spot(point), let element = spot.place.element,
      [.textField, .document, .page].contains(spot.place.role),
      let window = window(spot.window), let reader = parts.programs
    else { return proposal }
    var proposal = proposal
    let position =
      proposal.isPasted
      ? try? await reader.caretPosition(of: element, most: Self.longestText)
      : await aimedPosition(at: spot, element, in: window, reader)
    if let position {
      proposal.textPosition = position.total > 1 ? position : nil
    } else if isText {
      proposal.isTextPositionUnknown = await hasSeveralLines(spot, element, in: window, reader)
    }
    return proposal
  }

  /// Whether there are several lines to choose from: in its text, or as editable paragraphs.
  private func hasSeveralLines(
    _ spot: PlaceRecord, _ element: ElementID, in window: Window, _ reader: any ProgramReading
  ) async -> Bool {
    if spot.place.role == .textField || spot.isEditable,
      let text = try? await reader.text(of: element, most: Self.longestText),
      text.contains(where: \.isNewline)
    {
      return true
    }
    guard spot.place.role != .textField, let program = window.program else { return false }
    let paragraphs = await elements(
      of: element, with: AccessibleRoles.paragraphs, program, window.facts)
    return paragraphs.count { $0.id != element && $0.states.contains(.editable) } > 1
  }

  private func aimedPosition(
    at spot: PlaceRecord, _ element: ElementID, in window: Window, _ reader: any ProgramReading
  ) async -> TextPosition? {
    guard let now = try? await rectangle(of: spot.frame ?? element, in: window, reader) else {
      return nil
    }
    return await textAim(at: spot, now, in: window)?.position
  }

  /// The position of a place that has just been asked, even if its program is too busy with the
  /// offer to tell it: a file manager inspects each of a thousand files.
  ///
  /// - Throws: as ``locate(_:)``; ``Reason/notResponding`` where the place may have moved.
  func locateAgain(
    _ point: DropPointID
  ) async throws(Reason) -> Aim {
    do throws(Reason) { return try await locate(point) } catch {
      guard error == .notResponding, let spot = spot(point), let window = window(spot.window)
      else { throw error }
      // The display server answers for programs that do not.
      guard let facts = await refreshFacts(of: spot.window) else { throw .gone }
      // A row moves with everything before it.
      guard !spot.isRow, let aim = spot.place.point,
        facts.rectangle.width == window.listed.width,
        facts.rectangle.height == window.listed.height
      else { throw error }
      let (old, new) = (window.listed.origin, facts.rectangle.origin)
      return Aim(
        window: facts.id, at: ScreenPoint(x: aim.x + new.x - old.x, y: aim.y + new.y - old.y))
    }
  }

  /// The element around a document without a rectangle of its own, such as a Gecko page that does
  /// not fill its view: it gives the position instead.
  static func frame(of index: Int, in elements: [ElementFacts]) -> ElementID? {
    let own = elements[index]
    guard AccessibleRoles.documents.contains(own.role), own.rectangle?.isEmpty != false,
      let parent = own.parent
    else { return nil }
    return elements[parent].id
  }

  /// The present rectangle of an element; `nil` where it has none. Throws `notResponding`.
  func rectangle(
    of element: ElementID, in window: Window, _ reader: any ProgramReading
  ) async throws(Reason) -> ScreenRectangle? {
    guard let program = window.program else { return nil }
    let answers = await reader.rectangles(
      of: [element], in: program, windowOrigin: window.facts.rectangle.origin)
    guard let answer = answers.first else { throw .notResponding }
    return answer
  }
}

extension Desktop.Window {
  /// The last known facts of a program too busy to answer; `nil` for any other.
  func busy(_ told: ProgramFacts?) -> (ProgramFacts?, FrameFacts?)? {
    guard let told, !told.isResponding, var program, program.bus == told.bus, frame != nil else {
      return nil
    }
    program.isResponding = false
    return (program, frame)
  }
}
