import Foundation

/// Every folder of a window as a target, one after the other; the disk says where each file lies.
extension Case {
  func runNeighbours(into result: inout CaseResult) throws {
    let options = neighbours
    let names = options.names
    let field = try FieldDesktop(keydrag, within: 90 + Double(names.count) * (12 + options.wait))
    try prepare(field)
    for name in names {
      try field.make("Target/\(name)/")
      try field.make("Inbox/\(Self.file(for: name))")
    }
    try recipe.chooseView?(field, options.view)
    let window = try recipe.open(field)
    if let size = options.size {
      try field.xdotool("windowsize", "--sync", window.id, "\(size.width)", "\(size.height)")
    }
    let program = Keydrag(path: keydrag, field: field)
    // Its rows are there a while after its window.
    guard try program.place(of: recipe.app, [names[0]], within: recipe.patience).place != nil else {
      result.verdict = .noPlace
      result.told = "no folder among the places"
      return
    }
    var figures = NeighbourFigures()
    switch options.method {
    case .command:
      for name in names {
        let start = Date()
        // One that asks whether to copy or to move is answered.
        let driver = ScenarioDriver(
          scenario: .fileIn, recipe: recipe, window: window, field: field)
        let told = try program.drop(
          ["Inbox/" + Self.file(for: name)], onto: name, app: recipe.app,
          options: recipe.question == nil ? ["--copy"] : [],
          react: recipe.question == nil ? { _ in } : driver.react)
        figures.times.append(Date().timeIntervalSince(start))
        figures.count(name, in: folders(with: Self.file(for: name), field), told)
      }
    case .keys: try walk(program, window, &figures)
    }
    figures.times.sort()
    if let keep { save(figures, field, keep) }
    result.neighbours = figures
    result.verdict =
      figures.hasFailed ? .isFalse : figures.right == figures.drops ? .isTrue : .vague
    result.reason = figures.summary
    result.told = figures.words.joined(separator: "; ")
  }

  private static func file(for name: String) -> String { "e\(name.dropFirst()).txt" }

  /// The folders below the window's in which a file lies; "Target" is that itself.
  private func folders(with file: String, _ field: FieldDesktop) -> [String] {
    let target = field.path("Target")
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: target)) ?? []
    let inner = folders.filter {
      FileManager.default.fileExists(atPath: "\(target)/\($0)/\(file)")
    }
    let isBeside = FileManager.default.fileExists(atPath: "\(target)/\(file)")
    return inner.sorted() + (isBeside ? ["Target"] : [])
  }

  private func save(_ figures: NeighbourFigures, _ field: FieldDesktop, _ keep: String) {
    let name = "\(keep)/\(keptName)"
    try? Data((figures.words + [figures.summary]).joined(separator: "\n").utf8).write(
      to: URL(fileURLWithPath: name + ".txt"))
    field.photograph(to: name + ".png")
  }

  // MARK: By keys

  /// Picks up a file, goes to a folder by its name, stands there, and drops.
  private func walk(
    _ program: Keydrag, _ window: Window, _ figures: inout NeighbourFigures
  ) throws {
    let field = program.field
    try field.start(["/usr/bin/thunar", field.path("Inbox")])
    let source = try field.window("of Thunar") { $0.title.hasPrefix("Inbox") }
    let agent = try AgentSession(program)
    defer { agent.stop() }
    for (index, name) in neighbours.names.enumerated() {
      try field.activate(source)
      // It goes to the row that begins so.
      try field.press("Escape")
      try field.xdotool("type", Self.file(for: name))
      try field.press("Escape")
      let before = agent.told.records.count
      guard try agent.pickUp()?.id == "picked-up",
        // The window of the files may be the same program's.
        try agent.find(name, in: ["Target"]) != nil
      else {
        let told = agent.told.records[before...].map(\.text).joined(separator: " | ")
        figures.words.append("\(name) not reached: \(told)")
        try field.press("Escape")
        continue
      }
      try disturb(window, field, index)
      usleep(UInt32(neighbours.wait * 1_000_000))
      let start = Date()
      try agent.drop(answering: recipe.question?.copy ?? [])
      figures.times.append(Date().timeIntervalSince(start))
      var told = AnnouncedOutcome()
      told.records = Array(agent.told.records[before...])
      figures.count(name, in: folders(with: Self.file(for: name), field), told)
    }
  }

  private func disturb(_ window: Window, _ field: FieldDesktop, _ index: Int) throws {
    let isEven = index.isMultiple(of: 2)
    switch neighbours.disturbance {
    case .none: break
    case .move: try field.xdotool("windowmove", window.id, isEven ? "60" : "20", "\(40 + index)")
    case .resize:
      try field.xdotool("windowsize", window.id, "700", isEven ? "400" : "460")
    case .scroll:
      try field.xdotool(
        "mousemove", "--window", window.id, "400", "250", "click", "--repeat", "3",
        isEven ? "4" : "5")
    case .newFolder: try field.make("Target/a\(index)/")
    }
  }
}
