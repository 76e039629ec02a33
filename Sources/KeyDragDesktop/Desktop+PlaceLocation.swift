import KeyDragCore

/// The rectangle of a place on the screen, and the window that it is in.
///
/// In pixels of the screen.
package struct PlaceLocation: Hashable, Sendable {
  /// `nil` where that is not known.
  package var rectangle: ScreenRectangle?
  package var window: WindowID
  /// The window's rectangle at that time; `nil` where that is not known.
  package var windowRectangle: ScreenRectangle?
}

extension Desktop {
  /// How long a program has to put what is in its window to other places.
  private static let layoutPatience = Duration.milliseconds(300)

  /// Lists a window once more that was never listed before, since what changes in it is told only
  /// once its program knows that somebody hears of it, or that had another size then: its program
  /// may not have put what is in it to other places yet, and tells nobody when it has.
  func listLater(_ container: ContainerID, resizedSince before: Window) {
    guard let now = window(container)?.listed,
      before.points == nil
        || (now.width, now.height) != (before.listed.width, before.listed.height),
      // A person who drags its corner changes its size many times.
      expectLayout(of: container)
    else { return }
    Task { [clock, weak self] in
      try? await clock.sleep(for: Self.layoutPatience)
      await self?.endLayout(of: container)
      await self?.listAnew(container)
    }
  }

  /// The position of a place when it was found.
  ///
  /// Asks nobody.
  func lastWhereabouts(of point: DropPointID) -> PlaceLocation? {
    guard let spot = spot(point), let window = window(spot.window) else { return nil }
    return PlaceLocation(rectangle: spot.place.rectangle, window: window.facts.id)
  }

  /// The present position of a place: its window may have been moved, or hold other things in other
  /// places.
  ///
  /// Without an answer it is the last position, without the window's rectangle.
  func whereabouts(of point: DropPointID) async -> PlaceLocation? {
    guard let spot = spot(point), let last = lastWhereabouts(of: point) else { return nil }
    guard let facts = await refreshFacts(of: spot.window), let window = window(spot.window),
      facts.isMapped
    else { return last }
    var now = last
    now.windowRectangle = facts.rectangle
    guard let element = spot.place.element, let reader = parts.programs else {
      // All of the window, or a part of it.
      if spot.place.rectangle != nil { now.rectangle = spot.rectangle(where: facts.rectangle) }
      return now
    }
    do throws(Reason) {
      let whole = try await rectangle(of: spot.frame ?? element, in: window, reader)
      now.rectangle = spot.rectangle(where: whole)
    } catch {
      // Its program says nothing: the last word counts, wherever the window was then.
      now.windowRectangle = nil
    }
    return now
  }
}

extension Desktop.Spot {
  /// A thing in a list, not the list.
  var isRow: Bool { place.isRow }

  /// A list in which there is room beside its rows.
  var holdsRows: Bool {
    [.folderView, .list, .tree].contains(place.role) && !place.isCovered
  }

  /// Whether a program may open it under a drag that rests on it. In the view of a folder that
  /// can't be found on the disk nobody tells folders from files beforehand.
  var canOpen: Bool {
    !place.isOutOfSight && ([.tab, .folder].contains(place.role) || isRow && isInFolder)
  }

  /// The point of the screen to aim at in a window that tells nothing of what is in it.
  func aim(in window: ScreenRectangle) -> ScreenPoint {
    aim(in: ElementReach(window), of: window)
  }

  /// The point of the screen to aim at, when its element can be reached there now.
  func aim(in now: ElementReach, of window: ScreenRectangle) -> ScreenPoint {
    guard let base, let usual = place.point, base.width == now.shown.width,
      base.height == now.shown.height
    else {
      // A place that sticks out of its window is aimed at where it can be seen.
      return (now.shown.intersection(window) ?? now.shown).center
    }
    let point = hit.map { ScreenPoint(x: base.x + $0.x, y: base.y + $0.y) } ?? usual
    return ScreenPoint(x: point.x + now.shown.x - base.x, y: point.y + now.shown.y - base.y)
  }

  /// The place's rectangle when its whole element has the given one now.
  fileprivate func rectangle(where whole: ScreenRectangle?) -> ScreenRectangle? {
    guard let kept = place.rectangle, let base else { return whole ?? place.rectangle }
    guard let whole, !whole.isEmpty else { return nil }
    guard kept != base, base.width == whole.width, base.height == whole.height else { return whole }
    return ScreenRectangle(
      x: kept.x + whole.x - base.x, y: kept.y + whole.y - base.y, width: kept.width,
      height: kept.height)
  }
}
