import KeyDragCore

/// The point at which a place is asked and dropped on.
struct Aim: Sendable {
  var window: WindowID
  /// On the screen.
  var at: ScreenPoint
  /// How much further right and down that is than the program tells.
  var shift = ScreenPoint(x: 0, y: 0)

  /// The same point by the program's own word.
  var asTold: ScreenPoint { ScreenPoint(x: at.x - shift.x, y: at.y - shift.y) }
}

/// The positions of places on the screen at the moment when they are asked.
extension Desktop {
  /// The present position of a place: programs scroll, move and resize.
  ///
  /// In pixels of the screen. Asks the display, then the program, and has the place scrolled into
  /// view where it is not.
  ///
  /// - Throws: ``Reason/gone``, ``Reason/notShown`` or ``Reason/notResponding``;
  ///   ``Reason/waitsForAnswer`` where its program asks in another window. What is dropped then may
  ///   leave both windows without an answer for good: LibreOffice 7.4 did.
  func locate(_ point: DropPointID) async throws(Reason) -> Aim {
    guard let spot = spot(point) else { throw .gone }
    // Its element is not known: whatever lies in the middle of the window would be met.
    if spot.place.isOutOfSight { throw .notShown }
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
    // Beside its window nobody takes anything: Qt 5 tells where a field is that is scrolled away.
    guard let reach, Self.isSeen(reach.shown, in: window) else { throw .notShown }
    if reach.isUncertain, spot.isRow { throw .placeUncertain }
    let aim = await textAim(at: spot, reach.shown, in: window)?.point
    return Aim(
      window: window.facts.id, at: aim ?? spot.aim(in: reach, of: window.facts.rectangle),
      shift: reach.shift)
  }

  /// Other points of a place whose program tells nothing of what is in it, beside all other places:
  /// at the edges of its panes first, where there is room, and then all over it. None for a place
  /// that is one thing, such as a field or a row.
  ///
  /// - Parameter aim: the point that was asked.
  func otherAims(at point: DropPointID, beside aim: Aim) -> [ScreenPoint] {
    guard let spot = spot(point), let base = spot.base, let usual = spot.place.point,
      [.window, .canvas, .area].contains(spot.place.role), let room = spot.place.rectangle,
      room.width >= Self.leastAimed, room.height >= Self.leastAimed
    else { return [] }
    let taken = spots.values.filter { other in
      other.window == spot.window && other.place.element != spot.place.element
        && other.place.rectangle.map { $0.contains(room.origin) } != true
    }.compactMap(\.place.rectangle)
    // How far it has moved since it was found.
    let now = spot.hit.map { ScreenPoint(x: base.x + $0.x, y: base.y + $0.y) } ?? usual
    return Self.sample(room).filter { point in !taken.contains { $0.contains(point) } }
      .map { ScreenPoint(x: $0.x + aim.at.x - now.x, y: $0.y + aim.at.y - now.y) }
  }

  /// In pixels.
  private static let leastAimed = 48

  /// Points of a rectangle, from its edges inwards and from its lower end up: lists are filled from
  /// the other one.
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
  ) async throws(Reason) -> ElementReach? {
    guard let program = window.program else { return nil }
    let reach = try await reader.reach(
      element, in: program, windowOrigin: window.facts.rectangle.origin)
    return reach?.shown.isEmpty == false ? reach : nil
  }

  /// Whether a drop at this point would meet the place that the person has heard of: lists scroll
  /// under a drag, windows are moved, and what comes above a row pushes it down.
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
        place.traits.isDropPoint && Spot(place: place, window: spot.window).isRow
          && place.rectangle?.contains(told) == true
      }
      // Names tell rows apart: a list that is made anew has other elements in it.
      if spot.isRow { return !rows.isEmpty && rows.allSatisfy { $0.name == spot.place.name } }
      guard rows.isEmpty else { return false }
    }
    do throws(Reason) {
      return try await rectangle(of: spot.frame ?? element, in: window, reader)?.contains(told)
        == true
    } catch {
      // A program that is busy with what it was offered is believed what it said of all but rows.
      return true
    }
  }

  /// Whether any of it is within its window.
  private static func isSeen(_ rectangle: ScreenRectangle, in window: Window) -> Bool {
    window.facts.rectangle.isEmpty
      || rectangle.intersection(window.facts.rectangle) != nil
  }

  /// Longer texts are not read to find out where in them something would stand.
  private static let longestText = 200_000

  /// The position in the text of a place at which something is dropped, as its program shows it
  /// now; `nil` for places that are no texts, and where it is not known.
  private func textAim(
    at spot: Spot, _ now: ScreenRectangle, in window: Window
  ) async -> TextAim? {
    guard spot.place.role == .textField || spot.place.role == .document,
      let element = spot.place.element, let program = window.program, let reader = parts.programs,
      let visible = now.intersection(window.facts.rectangle)
    else { return nil }
    return await reader.textAim(
      of: element, in: program, windowOrigin: window.facts.rectangle.origin, within: visible,
      most: Self.longestText)
  }

  /// An answer with where in the text of a place something would come to stand.
  ///
  /// - Parameter isText: whether what is carried is a text, which stands somewhere in it in any
  ///   case.
  func telling(_ proposal: DropProposal, at point: DropPointID, isText: Bool) async -> DropProposal
  {
    guard !proposal.isRefusal, let spot = spot(point), let element = spot.place.element,
      [.textField, .document, .page].contains(spot.place.role),
      let window = window(spot.window), let reader = parts.programs
    else { return proposal }
    var proposal = proposal
    let position =
      proposal.isPasted
      ? await reader.caretPosition(of: element, most: Self.longestText)
      : await aimedPosition(at: spot, element, in: window, reader)
    if let position {
      proposal.textPosition = position.total > 1 ? position : nil
    } else if isText {
      proposal.isTextPositionUnknown = await hasSeveralLines(spot, element, in: window, reader)
    }
    return proposal
  }

  /// Whether there are several lines to choose from: in its text, or as paragraphs that can be
  /// written in.
  private func hasSeveralLines(
    _ spot: Spot, _ element: ElementID, in window: Window, _ reader: any ProgramReading
  ) async -> Bool {
    if spot.place.role == .textField || spot.isEditable,
      let text = await reader.text(of: element, most: Self.longestText),
      text.contains(where: \.isNewline)
    {
      return true
    }
    guard spot.place.role != .textField, let program = window.program else { return false }
    let found = await reader.elements(
      of: element, in: program, windowOrigin: window.facts.rectangle.origin,
      wanted: WantedElements(roles: AccessibleRoles.paragraphs, most: Self.mostParts))
    guard case .success(let paragraphs) = found else { return false }
    return paragraphs.count { $0.id != element && $0.states.contains(.editable) } > 1
  }

  private func aimedPosition(
    at spot: Spot, _ element: ElementID, in window: Window, _ reader: any ProgramReading
  ) async -> TextPosition? {
    guard let now = try? await rectangle(of: spot.frame ?? element, in: window, reader) else {
      return nil
    }
    return await textAim(at: spot, now, in: window)?.position
  }

  /// The position of a place that has just been asked, in a program too busy with the items it was
  /// offered to tell it: a file manager looks at each of a thousand files.
  ///
  /// - Throws: what ``locate(_:)`` does; ``Reason/notResponding`` where it may be somewhere else by
  ///   now.
  func locateAgain(
    _ point: DropPointID
  ) async throws(Reason) -> Aim {
    do throws(Reason) { return try await locate(point) } catch {
      guard error == .notResponding, let spot = spot(point), let window = window(spot.window)
      else { throw error }
      // By the display server, which answers for programs that do not.
      guard let facts = await refreshFacts(of: spot.window) else { throw .gone }
      // A row of a list moves with everything that comes before it.
      guard !spot.isRow, let aim = spot.place.point,
        facts.rectangle.width == window.listed.width,
        facts.rectangle.height == window.listed.height
      else { throw error }
      let (old, new) = (window.listed.origin, facts.rectangle.origin)
      return Aim(
        window: facts.id, at: ScreenPoint(x: aim.x + new.x - old.x, y: aim.y + new.y - old.y))
    }
  }

  /// The element around a document that tells no place of its own, as pages of Gecko do that have
  /// room for more than they fill: the place was found there, and is looked for there.
  static func frame(of index: Int, in elements: [ElementFacts]) -> ElementID? {
    let own = elements[index]
    guard AccessibleRoles.documents.contains(own.role), own.rectangle?.isEmpty != false,
      let parent = own.parent
    else { return nil }
    return elements[parent].id
  }

  /// The present rectangle of one element; `nil` where it has none. Throws `notResponding`.
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
  /// A program that is too busy to answer shows what it showed before; `nil` for any other.
  func busy(_ told: ProgramFacts?) -> (ProgramFacts?, FrameFacts?)? {
    guard let told, !told.isResponding, var program, program.bus == told.bus, frame != nil else {
      return nil
    }
    program.isResponding = false
    return (program, frame)
  }
}
