import KeyDragCore

/// Commands of a window's menus: found by their keys, which are the same in every language.
extension ProgramBus {
  /// One line of a menu.
  private struct MenuItem {
    /// Read anew each time: menus change.
    var id: ElementID
    /// As its program tells it.
    var role: String
  }

  /// How deep in a window its menus are looked for, and how deep in each other.
  private static let deepestBar = 8
  /// Levels of menus.
  private static let deepestMenu = 4
  /// Elements beyond these are not looked at.
  private static let mostAround = 500
  /// Of all menus together.
  private static let mostItems = 1_000
  /// The menus that are opened to look into them, the one first where such commands stand as a
  /// rule.
  private static let opened = [1, 0, 2]
  /// The roles in which a window's menus may lie.
  private static let frames: Set<String> = [
    "filler", "panel", Toolkit.rootPane, "layered pane", "internal frame", "unknown", "grouping",
    "split pane", "tool bar", "redundant object", "scroll pane", "viewport",
  ]
  /// Roles that hold lines.
  private static let menus: Set<String> = ["menu", "menu item", "popup menu", "push button menu"]
  /// Roles of lines that can be chosen.
  private static let commands: Set<String> = [
    "menu item", "check menu item", "radio menu item", "push button",
  ]
  /// How often a menu is opened that does not open.
  private static let mostTries = 6
  /// How long is waited for a menu to fill, and for a command that is about to be usable; in
  /// milliseconds from one look to the next.
  private static let looks: [UInt32] = [5, 10, 20, 40, 80, 150, 300, 400]

  /// How long is waited before menus are opened once more, in milliseconds.
  private static let pauses: [UInt32] = [0, 150, 400, 800]

  /// How long a menu is waited for that opens too late, in milliseconds from one look to the next.
  private static let latePause: UInt32 = 250
  /// For a minute.
  private static let mostLateLooks = 240

  /// Whoever waits for a copy gives up after two seconds, and nobody would put back what the person
  /// had copied.
  private static let copyPatience = Duration.milliseconds(1_500)

  // MARK: Asking and doing

  /// Whether a command is in the menus, as they are without being opened; `nil` where one of those is
  /// empty.
  func offers(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern]
  ) async throws(Reason) -> Bool? {
    let bars = try await menuBars(of: frame)
    if try await item(of: command, called: names, in: bars) != nil { return true }
    let menus = try await children(of: bars, most: Self.mostAround)
    let inside = try await ask(menus.map(\.id.children))
    return inside.contains { AccessibleAnswers.elements($0)?.isEmpty != false } ? nil : false
  }

  /// Whether the line of a command can be chosen; `nil` where no menu has it yet.
  func canUse(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern]
  ) async throws(Reason) -> Bool? {
    let bars = try await menuBars(of: frame)
    guard let item = try await item(of: command, called: names, in: bars) else { return nil }
    return try await isUsable(item)
  }

  /// Has a command carried out.
  ///
  /// - Parameter mayOpen: whether menus may be opened on the screen for it.
  func carryOut(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern], mayOpen: Bool
  ) async throws(Reason) {
    // Later than that nothing is copied.
    let end = ContinuousClock.now + Self.copyPatience
    let bars = try await menuBars(of: frame)
    let closed = try await item(of: command, called: names, in: bars)
    if let closed, try await becomesUsable(closed, patience: mayOpen ? 2 : Self.looks.count) {
      guard command != .copy || ContinuousClock.now < end else { throw .notTaken }
      return try await act(on: closed)
    }
    guard mayOpen, let bar = bars.first else {
      throw closed == nil ? .operationNotOffered : .notTaken
    }
    do throws(Reason) {
      try await open(bar, for: command, called: names, isThere: closed != nil, until: end)
    } catch {
      if error == .notResponding { closeLater(bar) }
      throw error
    }
  }

  /// Has a command carried out from a menu that is opened for it; where that fails, it is closed.
  private func open(
    _ bar: ElementID, for command: ProgramCommand, called names: [NamePattern], isThere: Bool,
    until end: ContinuousClock.Instant
  ) async throws(Reason) {
    let menus = AccessibleAnswers.elements(try await ask(bar.children)) ?? []
    var isThere = isThere
    // Some make their menus anew each time they open, and find only then that there is something to
    // be pasted: of what is in the clipboard they learn in their own time.
    for pause in command == .paste ? Self.pauses : [0] {
      await rest(pause)
      for index in Self.opened where menus.indices.contains(index) {
        // A program whose menus do not open now is not kept at it: whoever waits has given up by
        // then.
        guard try await opens(menus[index], of: bar) else { throw .notTaken }
        let found = try await item(of: command, called: names, in: [menus[index]])
        if let found, try await becomesUsable(found, patience: 4) {
          if command != .copy || ContinuousClock.now < end { return try await act(on: found) }
        }
        try await close(bar)
        isThere = isThere || found != nil
        if found != nil { break }
      }
      guard isThere else { break }
    }
    throw isThere ? .notTaken : .operationNotOffered
  }

  /// Chooses a line of a menu.
  private func act(on item: ElementID) async throws(Reason) {
    guard try await performFirst(of: item) else { throw .notTaken }
  }

  /// Programs learn of a new content of the clipboard, and look at what is selected, in their own
  /// time.
  private func becomesUsable(_ item: ElementID, patience: Int) async throws(Reason) -> Bool {
    for delay in Self.looks.prefix(patience) {
      if try await isUsable(item) == true { return true }
      await rest(delay)
    }
    return false
  }

  private func isUsable(_ item: ElementID) async throws(Reason) -> Bool? {
    AccessibleAnswers.states(try await ask(item.states))?.isSuperset(of: [.enabled, .sensitive])
  }

  /// Opens a menu; `true` once there is something in it. A key that is still down keeps menus from
  /// opening, so that it is tried again.
  private func opens(_ menu: ElementID, of bar: ElementID) async throws(Reason) -> Bool {
    for _ in 0..<Self.mostTries {
      let states = AccessibleAnswers.states(try await ask(menu.states))
      if states?.contains(.selected) == true { try await close(bar) }
      _ = try await performFirst(of: menu)
      for delay in Self.looks.prefix(5) {
        await rest(delay)
        let children = AccessibleAnswers.elements(try await ask(menu.children)) ?? []
        if let first = children.first,
          AccessibleAnswers.states(try await ask(first.states))?.contains(.showing) == true
        {
          return true
        }
      }
    }
    try await close(bar)
    return false
  }

  /// Closes all menus of a bar.
  private func close(_ bar: ElementID) async throws(Reason) {
    _ = try await act(on: bar) { acts, address throws(Reason) in
      try await acts.clearSelection(of: bar, at: address)
    }
  }

  /// Closes all menus of a bar as soon as its program answers again: one that opens after nobody
  /// waits for it any more would take the person's next keys.
  private func closeLater(_ bar: ElementID) {
    Task { [weak self] in
      for _ in 0..<Self.mostLateLooks {
        await self?.rest(Self.latePause)
        if await self?.closeNow(bar) != false { return }
      }
    }
  }

  /// Closes them; `false` where the program does not answer.
  private func closeNow(_ bar: ElementID) async -> Bool {
    do throws(Reason) {
      try await close(bar)
      return true
    } catch {
      return error != .notResponding
    }
  }

  /// Performs the first action of a part of a menu, which chooses or opens it.
  private func performFirst(of part: ElementID) async throws(Reason) -> Bool {
    try await act(on: part) { acts, address throws(Reason) in
      try await acts.perform(0, of: part, at: address)
    }
  }

  /// Waits, in milliseconds.
  private func rest(_ delay: UInt32) async {
    await withCheckedContinuation { continuation in
      thread.run(after: delay) { continuation.resume() }
    }
  }

  // MARK: Finding

  /// The menu bars of a window, those that lie highest in it.
  private func menuBars(of frame: ElementID) async throws(Reason) -> [ElementID] {
    var level = [frame]
    for depth in 0..<Self.deepestBar where !level.isEmpty {
      var around = try await children(of: level, most: Self.mostAround)
      // LibreOffice has its menus twice: those in its pane leave the keyboard to the menu bar.
      if depth > 0 { around.removeAll { $0.role == Toolkit.rootPane } }
      let bars = around.filter { $0.role == "menu bar" }.map(\.id)
      if !bars.isEmpty { return bars }
      level = around.filter { Self.frames.contains($0.role) }.map(\.id)
    }
    return []
  }

  /// The elements directly within others, with the role of each.
  private func children(
    of elements: [ElementID], most: Int
  ) async throws(Reason) -> [MenuItem] {
    let answers = try await ask(elements.map(\.children))
    let found = answers.flatMap { AccessibleAnswers.elements($0) ?? [] }.prefix(most)
    let roles = try await ask(found.map(\.role))
    return zip(found, roles).map { MenuItem(id: $0, role: AccessibleAnswers.role($1) ?? "") }
  }

  /// The first line that has the key of a command; else the first that is called so. AbiWord 3.0 tells
  /// no keys of its menus.
  private func item(
    of command: ProgramCommand, called names: [NamePattern], in menus: [ElementID]
  ) async throws(Reason) -> ElementID? {
    var level = menus
    var left = Self.mostItems
    var called: ElementID?
    for _ in 0..<Self.deepestMenu where !level.isEmpty && left > 0 {
      let items = try await children(of: level, most: left)
      left -= items.count
      let lines = items.filter { Self.commands.contains($0.role) }.map(\.id)
      let answers = try await ask(
        lines.flatMap { [$0.ask("Action", "GetKeyBinding", .int32(0)), $0.name] })
      let told = lines.indices.map { AccessibleAnswers.name(answers[$0 * 2 + 1]) }
      for (place, line) in lines.enumerated() {
        let binding = AccessibleAnswers.text(answers[place * 2]) ?? ""
        if MenuShortcut.isKey(of: command, binding) { return line }
        if called == nil,
          names.contains(where: { $0.matches(told[place]) })
            || command == .copy && MenuShortcut.isCopy(place, of: told)
        {
          called = line
        }
      }
      level = items.filter { Self.menus.contains($0.role) }.map(\.id)
    }
    return called
  }

  // MARK: Links and pictures

  /// The longest address that is read.
  private static let longestAddress = 8_192

  /// The address that a link leads to; `nil` where it does not say.
  func address(of element: ElementID) async throws(Reason) -> String? {
    let answer = try await ask(element.ask("Hyperlink", "GetURI", .int32(0)))
    return Self.address(AccessibleAnswers.text(answer))
  }

  /// The address of a picture, completed by that of its page where it is only a part.
  func pictureAddress(of element: ElementID) async throws(Reason) -> String? {
    let answer = try await ask(element.attributes)
    for entry in answer?.first?.elements ?? [] {
      guard case .entry(.string("src"), .string(let value)) = entry,
        value.utf8.count <= Self.longestAddress
      else { continue }
      if PageAddress.hasScheme(value) { return Self.address(value) }
      return Self.address(PageAddress.resolved(value, on: try await page(around: element) ?? ""))
    }
    return nil
  }

  /// The address of the page that an element is in.
  private func page(around element: ElementID) async throws(Reason) -> String? {
    let toolkit = Toolkit.of(await facts(of: element.program))
    let around = try await surroundings(of: [element], toolkit)[0].steps
    guard let page = around.first(where: { $0.role.hasPrefix("document") }) else { return nil }
    let answer = try await ask(
      page.id.ask("Document", "GetAttributeValue", .string("DocURL")))
    return Self.address(AccessibleAnswers.text(answer))
  }

  /// The text if it is an address: without blanks, and with a scheme.
  private static func address(_ text: String?) -> String? {
    guard let text, text.utf8.count <= longestAddress, text.contains(":"),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else { return nil }
    return text
  }
}
