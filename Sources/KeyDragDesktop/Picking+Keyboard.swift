import KeyDragCore

/// The keyboard at the end of a drag.
extension Picking {
  /// Returns the keyboard to the window in which something was picked up, as far as is wished, and
  /// reports where it is then. Answers within about a second, whatever programs do.
  func restoreKeyboard(_ wish: KeyboardReturn) async -> KeyboardLocation {
    let time = desktop.clock.stopwatch()
    var front = await desktop.keyboardWindow()
    let isLeft =
      switch wish.leaves {
      case .any: true
      case .told: front?.id == wish.told
      case .none: false
      }
    // A window manager takes its time, also when the active window has closed.
    let isRaised =
      isLeft && front?.id != wish.window ? await desktop.activate(wish.window) : false
    while isRaised ? front?.id != wish.window : front == nil, time() < Self.patience {
      try? await desktop.clock.sleep(for: Self.pause)
      front = await desktop.keyboardWindow()
    }
    var place = KeyboardLocation(window: front)
    if front?.id == wish.window, !wish.items.isEmpty {
      place.isAtItems = await areInFocus(wish, time)
    }
    return place
  }

  /// Polls for the focus on the picked-up items: a program reports its focus after the display. A
  /// single element that has lost the focus within its window gets it back.
  private func areInFocus(
    _ wish: KeyboardReturn, _ time: @Sendable () -> Duration
  ) async -> Bool {
    guard let reader = parts.programs else { return false }
    let origin = wish.items.count == 1 ? origins[wish.items[0]] : nil
    var isTaken = false
    while true {
      if let focus = await reader.focus(), !focus.isWholeWindow,
        await desktop.container(of: focus) == wish.window
      {
        if await isFocus(focus, on: origin?.element, or: wish, reader) { return true }
        if !isTaken, let origin, let element = await element(of: origin, wish.names) {
          isTaken = true
          _ = try? await reader.takeFocus(element)
        }
      }
      guard time() < Self.patience else { return false }
      try? await desktop.clock.sleep(for: Self.pause)
    }
  }

  /// Whether the focus is on the origin, or the selected rows of its list are exactly the picked-up
  /// ones.
  private func isFocus(
    _ focus: FocusFacts, on origin: ElementFacts?, or wish: KeyboardReturn,
    _ reader: any ProgramReading
  ) async -> Bool {
    if let origin {
      let element = await innermost(focus, reader).element
      return element.name == origin.name && element.role == origin.role
        && (element.id == origin.id || AccessibleRoles.rowsAndLists.contains(origin.role))
    }
    guard let rows = try? await selection(around: focus, reader) else { return false }
    return rows.count == wish.items.count && Set(wish.names).isSubset(of: rows.map(\.name))
  }

  /// The element to focus; a row is looked up by its name, as its list may have been sorted anew.
  private func element(of origin: PickUpOrigins.Origin, _ names: [String]) async -> ElementID? {
    let roles = AccessibleRoles.rows.union(AccessibleRoles.icons)
    guard roles.contains(origin.element.role) else { return origin.element.id }
    guard names.contains(origin.element.name), let window = await desktop.window(origin.window)
    else { return nil }
    return await desktop.row(named: [origin.element.name], in: window)?.id
  }
}

extension Desktop {
  /// The active window, by the display server alone.
  func keyboardWindow() async -> ContainerDescriptor? {
    guard let active = await parts.displays.windows()?.first(where: \.isActive) else { return nil }
    if numbers[active.id] == nil { _ = try? await look() }
    return numbers[active.id].flatMap { window($0)?.descriptor }
  }

  /// Reports the window that has the keyboard, if it has changed.
  func followKeyboard() async {
    keyboard.looks += 1
    let look = keyboard.looks
    // A query that began later has a newer answer.
    guard let window = await keyboardWindow(), look == keyboard.looks, window.id != keyboard.told
    else { return }
    keyboard.told = window.id
    observer?(.keyboard(window))
  }
}
