import KeyDragCore

/// The keyboard at the end of a drag.
extension Picking {
  /// Gives the keyboard back to the window in which something was picked up, as far as is wished, and
  /// looks where it is then. Answers within a second or so whatever programs do.
  func comeBack(_ wish: KeyboardReturn) async -> KeyboardPlace {
    let time = desktop.clock.stopwatch()
    var front = await desktop.keyboardWindow()
    let isLeft =
      switch wish.leaves {
      case .any: true
      case .told: front?.id == wish.told
      case .none: false
      }
    // A window manager takes its time, also where the window that had the keyboard has gone.
    let isRaised =
      isLeft && front?.id != wish.window ? await desktop.activate(wish.window) : false
    while isRaised ? front?.id != wish.window : front == nil, time() < Self.patience {
      try? await desktop.clock.sleep(for: Self.pause)
      front = await desktop.keyboardWindow()
    }
    var place = KeyboardPlace(window: front)
    if front?.id == wish.window, !wish.items.isEmpty {
      place.isAtItems = await areInFocus(wish, time)
    }
    return place
  }

  /// Whether what was picked up is in focus, waited for a moment: a program tells of its focus after
  /// the display. Focus is put on a single thing that has lost it within its window.
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
          _ = await reader.takeFocus(element)
        }
      }
      guard time() < Self.patience else { return false }
      try? await desktop.clock.sleep(for: Self.pause)
    }
  }

  /// Whether the focus is on the one element, or all rows that were picked up are selected in its list
  /// and no other.
  private func isFocus(
    _ focus: FocusFacts, on origin: ElementFacts?, or wish: KeyboardReturn,
    _ reader: any ProgramReading
  ) async -> Bool {
    if let origin {
      let element = await innermost(focus, reader).element
      return element.name == origin.name && element.role == origin.role
        && (element.id == origin.id || AccessibleRoles.rowsAndLists.contains(origin.role))
    }
    guard case .success(let rows)? = await selection(around: focus, reader) else { return false }
    return rows.count == wish.items.count && Set(wish.names).isSubset(of: rows.map(\.name))
  }

  /// The element to put the focus on; a row is looked for by its name, as its list may have been put
  /// into another order.
  private func element(of origin: Origins.Origin, _ names: [String]) async -> ElementID? {
    let roles = AccessibleRoles.rows.union(AccessibleRoles.icons)
    guard roles.contains(origin.element.role) else { return origin.element.id }
    guard names.contains(origin.element.name), let window = await desktop.window(origin.window)
    else { return nil }
    return await desktop.row(named: [origin.element.name], in: window)?.id
  }
}

extension Desktop {
  /// The window that has the keyboard now, by the display server alone.
  func keyboardWindow() async -> ContainerDescriptor? {
    guard let active = await parts.windows?.windows()?.first(where: \.isActive) else { return nil }
    if numbers[active.id] == nil { _ = try? await look() }
    return numbers[active.id].flatMap { window($0)?.descriptor }
  }

  /// Tells which window has the keyboard, where that is another than was told last.
  func followKeyboard() async {
    keyboard.looks += 1
    let look = keyboard.looks
    // A look that began later has seen what is so by now.
    guard let window = await keyboardWindow(), look == keyboard.looks, window.id != keyboard.told
    else { return }
    keyboard.told = window.id
    observer?(.keyboard(window))
  }
}
