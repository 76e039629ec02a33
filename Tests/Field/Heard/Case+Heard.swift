import Foundation

extension Case {
  /// Picks something up beside the screen reader, walks, drops, and compares the words told with the
  /// words heard.
  func runHeard(into result: inout CaseResult) throws {
    let field = try FieldDesktop(keydrag, within: 240, pace: max(1, 1000 / rate))
    try prepare(field)
    result.reader = try Self.version(of: reader, field)
    let session: HeardSession
    do {
      session = try (recipe.listen ?? Self.listenAtDesktop)(self, field)
    } catch {
      if let keep { field.photograph(to: keep + "/heard-\(recipe.name).png") }
      throw error
    }
    let figures = session.figures
    result.heard = figures
    result.verdict =
      figures.said == 0
      ? .notRun : figures.missing > 0 ? .silent : figures.twice > 0 ? .vague : .isTrue
    result.reason = "\(figures.heard) of \(figures.said) heard"
    if let keep {
      let text = figures.steps.map(\.description).joined(separator: "\n")
      let name = "heard-\(recipe.name)".split(separator: " ").joined(separator: "-")
      let rest = [session.events, String(field.desktop.complaints.suffix(3000))]
      try? Data(([text] + rest).joined(separator: "\n\n").utf8).write(
        to: URL(fileURLWithPath: "\(keep)/\(name).txt"))
    }
  }

  /// A reader's version as it tells it itself, such as "43.1" or "51.alpha".
  static func version(of reader: String, _ field: FieldDesktop) throws -> String? {
    let words = try field.run([reader, "--version"]).lines.joined(separator: " ")
    return words.split { " ,".contains($0) }.map(String.init).first { word in
      word.first?.isNumber == true
        && word.allSatisfy { $0.isNumber || $0.isLetter || $0 == "." }
    }
  }

  /// The option that names the only way to the reader.
  var announcing: [String] { way.map { ["--announce", $0] } ?? [] }

  /// The chord on what is selected in the program, else in a file manager; three places, a drop on
  /// one of the program's, and the outcome.
  static func listenAtDesktop(_ case: Case, _ field: FieldDesktop) throws -> HeardSession {
    let recipe = `case`.recipe
    let window = try recipe.open(field)
    let select = recipe.selectFile ?? recipe.selectText
    var source = window
    if select == nil || recipe.selectFile != nil {
      try field.start(["/usr/bin/thunar", field.path("Out")])
      source = try field.window("of Thunar") { $0.title.hasPrefix("Out") }
    }
    try HeardSession.startReader(`case`.reader, field)
    let session = HeardSession(field, transcript: "cache/transcript")
    if `case`.keep != nil { try session.keepEvents() }
    let agent = try session.startAgent(`case`)
    defer { agent.stop() }
    try session.step("focus", isMeasured: false) {
      try field.activate(select == nil ? source : window)
      if let select { _ = try select(field, window) } else { try field.press("Home", "End") }
    }
    let answers: Set = ["picked-up", "nothing-to-pick-up", "nothing-accepts"]
    let picked = try session.press("ctrl+alt+space", until: answers)
    guard picked?.id == "picked-up", !session.told.contains(where: { $0.id == "nothing-accepts" })
    else { return session }
    for _ in 0..<3 { try session.press("Tab", until: ["drop-point", "edge"]) }
    let ends: Set = [
      "delivered", "failed", "refused", "partly-delivered", "cancelled", "unconfirmed",
      "back-at-source", "operation-unavailable",
    ]
    let end = try session.press("Return", until: ends, within: 25)
    if end?.argument("question") != nil || end?.argument("window") != nil {
      try session.press("Escape", until: ends, within: 12)
    }
    try recipe.listenFurther?(session)
    return session
  }
}

extension HeardStep: CustomStringConvertible {
  var description: String {
    let first = firstWord.map { String(format: "%.2f s", $0) } ?? "-"
    let lines = messages.map { message in
      let fate =
        switch message.times {
        case 0: message.isCut ? "CUT" : "MISSING"
        case 1: "heard"
        default: "TWICE"
        }
      return "  \(fate) \(message.id): \(message.text)"
    }
    let spoken = self.spoken.map { words in
      String(format: "    %.2f ", words.begin) + (words.isOurs ? "" : "reader: ") + words.text
        + (words.isCut ? " [cut]" : "")
    }
    return (["\(key) (\(first))"] + lines + spoken).joined(separator: "\n")
  }
}
