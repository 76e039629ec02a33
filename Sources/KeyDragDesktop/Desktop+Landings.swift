import KeyDragCore

/// The two occasions that bring a window to the front: going to what was dropped, at the person's
/// request, and back to where a drag began.
extension Desktop {
  /// Brings the window of a drop to the front, and focuses what landed where the program shows it.
  ///
  /// - Throws: ``Reason/gone`` when the window is.
  func show(_ landing: DropLanding) async throws(Reason) -> RevealedLanding {
    let spot = landing.spot
    _ = try await look()
    guard let window = window(spot.window), await parts.displays.activate(window.facts.id)
    else { throw .gone }
    let container = window.descriptor
    guard let found = await element(of: landing, in: window),
      (try? await parts.programs?.takeFocus(found.id)) == true
    else { return RevealedLanding(name: container.name, app: container.app) }
    return RevealedLanding(name: found.name, container: container.name, app: container.app)
  }

  /// Activates a window through the window manager; `false` for one that is gone.
  func activate(_ container: ContainerID) async -> Bool {
    guard let id = window(container)?.facts.id else { return false }
    return await parts.displays.activate(id)
  }

  /// Activates the window in which a program asks; `nil` when it is gone.
  func show(question window: WindowID) async -> RevealedLanding? {
    guard
      let facts = await parts.displays.windows()?.first(where: { $0.id == window && $0.isMapped }),
      await parts.displays.activate(window)
    else { return nil }
    let app = WindowTitle.app(nil, facts)
    return RevealedLanding(name: facts.title.isEmpty ? app : facts.title, app: app)
  }

  /// The element to focus: the row of the item that landed, else the place itself; `nil` where the
  /// program shows neither.
  private func element(
    of landing: DropLanding, in window: Window
  ) async -> (id: ElementID, name: String)? {
    let spot = landing.spot
    let place = spot.place
    guard spot.isInFolder, !spot.isRow else {
      return place.element.map { ($0, place.spokenName) }
    }
    return await row(named: landing.names, in: window)
  }

  /// The first row or icon of a window that has one of these names.
  func row(named names: [String], in window: Window) async -> (id: ElementID, name: String)? {
    guard let elements = try? await elements(in: window) else { return nil }
    let names = Set(names)
    let roles = AccessibleRoles.rowsAndLists.union(AccessibleRoles.icons)
    return elements.first { names.contains($0.name) && roles.contains($0.role) }
      .map { ($0.id, $0.name) }
  }
}
