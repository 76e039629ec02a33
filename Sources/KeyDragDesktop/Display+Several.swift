import KeyDragCore

/// Several displays beside each other, such as that of X11 programs beside a Wayland session's own.
extension [any Display] {
  /// The windows of each display that answers: those that are active first, then display by display
  /// from the top of the stack down. `nil` where none answers.
  package func windows() async -> [WindowFacts]? {
    let found = await each { await $0.windows() }
    return found.map { $0.filter(\.isActive) + $0.filter { !$0.isActive } }
  }

  func menus() async -> [WindowFacts] { await each { await $0.menus() } ?? [] }

  /// Asks all at once: one that hangs delays the others no longer than its own timeout.
  private func each(
    _ read: @escaping @Sendable (any WindowReading) async -> [WindowFacts]?
  ) async -> [WindowFacts]? {
    let asked = map { display in
      Task { () -> [WindowFacts]? in
        guard let windows = try? display.windows else { return nil }
        return await read(windows)
      }
    }
    var found: [WindowFacts]?
    for answer in asked {
      if let answer = await answer.value { found = (found ?? []) + answer }
    }
    return found
  }

  /// The display that a window is on, by which every route to it leads.
  ///
  /// - Throws: ``Reason/noDisplay`` for one that can't be reached.
  subscript(of window: WindowID) -> any Display {
    get throws(Reason) {
      guard let display = first(where: { $0.name == window.display }) else { throw .noDisplay }
      return display
    }
  }

  /// What a window looks like; `nil` where that can't be seen.
  func picture(of window: WindowID) async -> WindowPicture? {
    await (try? self[of: window].windows)?.picture(of: window)
  }

  /// Activates a window through its window manager; `false` for one that is gone.
  func activate(_ window: WindowID) async -> Bool {
    guard let windows = try? self[of: window].windows else { return false }
    return await windows.activate(window)
  }
}

extension Desktop {
  /// The display of a window that was found.
  func display(of container: ContainerID) throws(Reason) -> any Display {
    guard let window = window(container) else { throw .gone }
    return try parts.displays[of: window.facts.id]
  }
}
