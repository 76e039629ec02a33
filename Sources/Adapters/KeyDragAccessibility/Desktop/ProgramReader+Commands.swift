import KeyDragCore

/// Menu commands, found by their key bindings, which are the same in every language.
extension ProgramReader: ProgramCommanding {
  private struct MenuItem {
    /// Read anew each time: menus change.
    var id: ElementID
    var role: String
  }

  /// Depth in a window to which menu bars are searched.
  private static let deepestBar = 8
  private static let deepestMenu = 4
  /// Further elements are ignored.
  private static let mostAround = 500
  /// Of all menus together.
  private static let mostItems = 1_000
  /// Indices of the menus that are opened to look inside, first the one that usually has such
  /// commands.
  private static let opened = [1, 0, 2]
  /// Roles that may contain a window's menus.
  private static let frames: Set<String> = [
    "filler", "panel", Toolkit.rootPane, "layered pane", "internal frame", "unknown", "grouping",
    "split pane", "tool bar", "redundant object", "scroll pane", "viewport",
  ]
  /// Roles that contain menu items.
  private static let menus: Set<String> = ["menu", "menu item", "popup menu", "push button menu"]
  /// Roles of items that can be chosen.
  private static let commands: Set<String> = [
    "menu item", "check menu item", "radio menu item", "push button",
  ]
  private static let mostTries = 6
  /// Delays between polls for a menu to fill, and for a command to become usable, in milliseconds.
  private static let looks: [UInt32] = [5, 10, 20, 40, 80, 150, 300, 400]

  /// Delays before menus are opened once more, in milliseconds.
  private static let pauses: [UInt32] = [0, 150, 400, 800]

  /// Interval between polls for a menu that opens too late, in milliseconds.
  private static let latePause: UInt32 = 250
  /// For a minute.
  private static let mostLateLooks = 240

  /// The caller of a copy gives up after two seconds; after that nobody would restore the user's
  /// clipboard.
  private static let copyPatience = Duration.milliseconds(1_500)

  // MARK: Running commands

  /// Whether a command is in the menus, without opening them; `nil` when one of those is empty.
  package func offers(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern]
  ) async throws(Reason) -> Bool? {
    let bars = try await menuBars(of: frame)
    if try await item(of: command, called: names, in: bars) != nil { return true }
    let menus = try await children(of: bars, most: Self.mostAround)
    let inside = try await ask(menus.map(\.id.children))
    return inside.contains { AtspiReplyDecoder.elements($0)?.isEmpty != false } ? nil : false
  }

  /// Whether the line of a command can be chosen; `nil` where no menu has it yet.
  package func canUse(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern]
  ) async throws(Reason) -> Bool? {
    let bars = try await menuBars(of: frame)
    guard let item = try await item(of: command, called: names, in: bars) else { return nil }
    return try await isUsable(item)
  }

  /// - Parameter mayOpen: whether menus may be opened on the screen for it.
  package func carryOut(
    _ command: ProgramCommand, in frame: ElementID, called names: [NamePattern], mayOpen: Bool
  ) async throws(Reason) {
    // No copy is made after this.
    let end = ContinuousClock.now + Self.copyPatience
    let bars = try await menuBars(of: frame)
    let closed = try await item(of: command, called: names, in: bars)
    if let closed, try await becomesUsable(closed, patience: mayOpen ? 2 : Self.looks.count) {
      guard command != .copy || ContinuousClock.now < end else { throw .notTaken }
      return try await choose(closed)
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

  /// Carries a command out from an opened menu, which is closed on failure.
  private func open(
    _ bar: ElementID, for command: ProgramCommand, called names: [NamePattern], isThere: Bool,
    until end: ContinuousClock.Instant
  ) async throws(Reason) {
    let menus = AtspiReplyDecoder.elements(try await ask(bar.children)) ?? []
    var isThere = isThere
    // Some programs rebuild a menu on each opening, and only then find that something can be
    // pasted: they learn of the clipboard's contents with a delay.
    for pause in command == .paste ? Self.pauses : [0] {
      await rest(pause)
      for index in Self.opened where menus.indices.contains(index) {
        // A program whose menus do not open now is not tried again: its caller has given up by
        // then.
        guard try await opens(menus[index], of: bar) else { throw .notTaken }
        let found = try await item(of: command, called: names, in: [menus[index]])
        if let found, try await becomesUsable(found, patience: 4) {
          if command != .copy || ContinuousClock.now < end { return try await choose(found) }
        }
        try await close(bar)
        isThere = isThere || found != nil
        if found != nil { break }
      }
      guard isThere else { break }
    }
    throw isThere ? .notTaken : .operationNotOffered
  }

  private func choose(_ item: ElementID) async throws(Reason) {
    guard try await act(.perform(0), on: item) else { throw .notTaken }
  }

  /// Polls, because programs notice new clipboard contents, and the selection, with a delay.
  private func becomesUsable(_ item: ElementID, patience: Int) async throws(Reason) -> Bool {
    for delay in Self.looks.prefix(patience) {
      if try await isUsable(item) == true { return true }
      await rest(delay)
    }
    return false
  }

  private func isUsable(_ item: ElementID) async throws(Reason) -> Bool? {
    AtspiReplyDecoder.states(try await ask(item.states))?.isSuperset(of: [.enabled, .sensitive])
  }

  /// Opens a menu; `true` once its items show. Retries, because a key that is still down keeps
  /// menus from opening.
  private func opens(_ menu: ElementID, of bar: ElementID) async throws(Reason) -> Bool {
    for _ in 0..<Self.mostTries {
      let states = AtspiReplyDecoder.states(try await ask(menu.states))
      if states?.contains(.selected) == true { try await close(bar) }
      _ = try await act(.perform(0), on: menu)
      for delay in Self.looks.prefix(5) {
        await rest(delay)
        let children = AtspiReplyDecoder.elements(try await ask(menu.children)) ?? []
        if let first = children.first,
          AtspiReplyDecoder.states(try await ask(first.states))?.contains(.showing) == true
        {
          return true
        }
      }
    }
    try await close(bar)
    return false
  }

  private func close(_ bar: ElementID) async throws(Reason) {
    _ = try await act(.clearSelection, on: bar)
  }

  /// Closes all menus of a bar as soon as its program answers again: one that opens late would take
  /// the user's next keys.
  private func closeLater(_ bar: ElementID) {
    Task { [weak self] in
      for _ in 0..<Self.mostLateLooks {
        await self?.rest(Self.latePause)
        if await self?.closeNow(bar) != false { return }
      }
    }
  }

  /// `false` while the program does not answer.
  private func closeNow(_ bar: ElementID) async -> Bool {
    do throws(Reason) {
      try await close(bar)
      return true
    } catch {
      return error != .notResponding
    }
  }

  /// In milliseconds.
  func rest(_ delay: UInt32) async {
    await withCheckedContinuation { continuation in
      thread.run(after: delay) { continuation.resume() }
    }
  }

  // MARK: Finding

  /// The topmost menu bars of a window.
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

  private func children(
    of elements: [ElementID], most: Int
  ) async throws(Reason) -> [MenuItem] {
    let answers = try await ask(elements.map(\.children))
    let found = answers.flatMap { AtspiReplyDecoder.elements($0) ?? [] }.prefix(most)
    let roles = try await ask(found.map(\.role))
    return zip(found, roles).map { MenuItem(id: $0, role: AtspiReplyDecoder.role($1) ?? "") }
  }

  /// The first item with the key of a command, else the first of that name. AbiWord 3.0 reports no
  /// keys of its menus.
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
      let told = lines.indices.map { AtspiReplyDecoder.name(answers[$0 * 2 + 1]) }
      for (place, line) in lines.enumerated() {
        let binding = AtspiReplyDecoder.text(answers[place * 2]) ?? ""
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

  /// In bytes; a longer address is ignored.
  private static let longestAddress = 8_192

  /// `nil` when the link does not report one.
  package func address(of element: ElementID) async throws(Reason) -> String? {
    let answer = try await ask(element.ask("Hyperlink", "GetURI", .int32(0)))
    return Self.address(AtspiReplyDecoder.text(answer))
  }

  /// The address of a picture, resolved against that of its page.
  package func pictureAddress(of element: ElementID) async throws(Reason) -> String? {
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

  private func page(around element: ElementID) async throws(Reason) -> String? {
    let toolkit = Toolkit.of(await facts(of: element.program))
    let around = try await surroundings(of: [element], toolkit)[0].steps
    guard let page = around.first(where: { $0.role.hasPrefix("document") }) else { return nil }
    let answer = try await ask(
      page.id.ask("Document", "GetAttributeValue", .string("DocURL")))
    return Self.address(AtspiReplyDecoder.text(answer))
  }

  /// The text if it is an address: without blanks, and with a scheme.
  private static func address(_ text: String?) -> String? {
    guard let text, text.utf8.count <= longestAddress, text.contains(":"),
      text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else { return nil }
    return text
  }
}
