import KeyDragCore

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
  func locate(_ point: DropPointID) async throws(Reason) -> (window: WindowID, at: ScreenPoint) {
    guard let spot = spot(point) else { throw .gone }
    let facts = await refreshFacts(of: spot.window)
    guard let window = window(spot.window) else { throw .gone }
    if facts?.isBlocked == true { throw .waitsForAnswer }
    guard let element = spot.place.element, let reader = parts.programs else {
      guard let facts else { throw .gone }
      return (facts.id, spot.aim(in: facts.rectangle, of: facts.rectangle))
    }
    var now = try await rectangle(of: element, in: window, reader)
    if !Self.isSeen(now, in: window), await reader.scrollIntoView(element) {
      now = try await rectangle(of: element, in: window, reader)
    }
    if now?.isEmpty != false, let frame = spot.frame {
      now = try await rectangle(of: frame, in: window, reader)
    }
    // Beside its window nobody takes anything: Qt 5 tells where a field is that is scrolled away.
    guard let now, Self.isSeen(now, in: window) else { throw .notShown }
    if spot.place.isOutOfSight { note(now, of: point) }
    let aim = await textAim(at: spot, now, in: window)?.point
    return (window.facts.id, aim ?? spot.aim(in: now, of: window.facts.rectangle))
  }

  /// Whether any of it is within its window.
  private static func isSeen(_ rectangle: ScreenRectangle?, in window: Window) -> Bool {
    guard let rectangle, !rectangle.isEmpty else { return false }
    return window.facts.rectangle.isEmpty
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
  ) async throws(Reason) -> (window: WindowID, at: ScreenPoint) {
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
      return (facts.id, ScreenPoint(x: aim.x + new.x - old.x, y: aim.y + new.y - old.y))
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
