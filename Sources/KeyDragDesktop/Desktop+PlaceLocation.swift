import KeyDragCore

/// The rectangle of a place and the window around it, in pixels of the screen.
package struct PlaceLocation: Hashable, Sendable {
  /// `nil` where unknown.
  package var rectangle: ScreenRectangle?
  package var anchor: OverlayAnchor
}

extension Desktop {
  /// The time that a program may take to lay out its window.
  private static let layoutPatience = Duration.milliseconds(300)

  /// Lists a window again after a moment, if it was never listed before or has been resized.
  /// Programs report changes only once they know of a listener, and no program reports the end of
  /// its layout.
  func listLater(_ container: ContainerID, resizedSince before: Window) {
    guard let now = window(container)?.listed,
      before.points == nil
        || (now.width, now.height) != (before.listed.width, before.listed.height),
      // Dragging a corner resizes the window many times.
      expectLayout(of: container)
    else { return }
    Task { [clock, weak self] in
      try? await clock.sleep(for: Self.layoutPatience)
      await self?.endLayout(of: container)
      await self?.listAnew(container)
    }
  }

  /// The position of a place when it was found; queries nothing.
  func lastLocation(of point: DropPointID) -> PlaceLocation? {
    guard let spot = spot(point), let window = window(spot.window) else { return nil }
    return PlaceLocation(
      rectangle: spot.place.rectangle,
      anchor: OverlayAnchor(window: window.facts.id, rectangle: nil))
  }

  /// The present position of a place: its window may have moved or changed its layout.
  ///
  /// Without an answer it is the last position, without the window's rectangle.
  func currentLocation(of point: DropPointID) async -> PlaceLocation? {
    guard let spot = spot(point), let last = lastLocation(of: point) else { return nil }
    guard let facts = await refreshFacts(of: spot.window), let window = window(spot.window),
      facts.isMapped
    else { return last }
    var now = last
    now.anchor.rectangle = facts.rectangle
    guard let element = spot.place.element, let reader = parts.programs else {
      // All of the window, or a part of it.
      if spot.place.rectangle != nil { now.rectangle = spot.rectangle(where: facts.rectangle) }
      return now
    }
    do throws(Reason) {
      let whole = try await rectangle(of: spot.frame ?? element, in: window, reader)
      now.rectangle = spot.rectangle(where: whole)
    } catch {
      // Without an answer the last position stands, wherever the window was then.
      now.anchor.rectangle = nil
    }
    return now
  }
}

extension Desktop.PlaceRecord {
  var isRow: Bool { place.isRow }

  /// A list with room beside its rows.
  var holdsRows: Bool {
    [.folderView, .list, .tree].contains(place.role) && !place.isCovered
  }

  /// Whether its program may open it under a hovering drag. In a folder view that is not found on
  /// the disk files can't be told from folders.
  var canOpen: Bool {
    !place.isOffscreen && ([.tab, .folder].contains(place.role) || isRow && isInFolder)
  }

  /// The point to aim at in a window that exposes no contents.
  func aim(in window: ScreenRectangle) -> ScreenPoint {
    aim(in: TargetArea(window), of: window)
  }

  /// The point to aim at, by where its element can be reached now.
  func aim(in now: TargetArea, of window: ScreenRectangle) -> ScreenPoint {
    guard let base, let usual = place.point, base.width == now.shown.width,
      base.height == now.shown.height
    else {
      // A resized element is aimed at in the middle of its part inside the window, a row where its
      // name begins.
      let seen = now.shown.intersection(window) ?? now.shown
      guard isRow, let base, let usual = place.point else { return seen.center }
      let isMirrored = usual.x > base.center.x
      let offset = isMirrored ? base.x + base.width - usual.x : usual.x - base.x
      guard offset < seen.width / 2 else { return seen.center }
      return ScreenPoint(
        x: isMirrored ? seen.x + seen.width - offset : seen.x + offset, y: seen.center.y)
    }
    let point = hit.map { ScreenPoint(x: base.x + $0.x, y: base.y + $0.y) } ?? usual
    return ScreenPoint(x: point.x + now.shown.x - base.x, y: point.y + now.shown.y - base.y)
  }

  /// The place's rectangle by the present one of its whole element.
  fileprivate func rectangle(where whole: ScreenRectangle?) -> ScreenRectangle? {
    guard let kept = place.rectangle, let base else { return whole ?? place.rectangle }
    guard let whole, !whole.isEmpty else { return nil }
    guard kept != base, base.width == whole.width, base.height == whole.height else { return whole }
    return ScreenRectangle(
      x: kept.x + whole.x - base.x, y: kept.y + whole.y - base.y, width: kept.width,
      height: kept.height)
  }
}
