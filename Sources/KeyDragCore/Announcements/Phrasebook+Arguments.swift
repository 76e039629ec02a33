extension Phrasebook {
  /// The arguments of the transcript's `args`; those that do not apply are left out.
  package func arguments(_ announcement: Announcement) -> [AnnouncementArgument] {
    var list = ArgumentList()
    if case .ofProgram(let part, let outcome) = announcement {
      list.arguments = arguments(outcome).filter { $0.name != "app" }
      switch part {
      case .visitor(let name): list.add("visitor", name)
      case .witness(let name): list.add("app", name)
      }
      return list.arguments
    }
    fillBrowsing(announcement, &list)
    fillCarrying(announcement, &list)
    fillOutcome(announcement, &list)
    return list.arguments
  }

  /// Whether an announcement says a name.
  func names(_ name: String, in announcement: Announcement) -> Bool {
    arguments(announcement).contains { argument in
      switch argument.value {
      case .text(let text): text == name
      case .list(let texts): texts.contains(name)
      default: false
      }
    }
  }

  private func fillBrowsing(_ announcement: Announcement, _ list: inout ArgumentList) {
    switch announcement {
    case .ready(let container, let counts, let item, _):
      list.add("container", container)
      list.add("count", counts.total)
      list.add("item", item?.name)
      list.add("kind", item.map { kindName($0.kind) })
    case .item(
      let name, let kind, let index, let total, let isSelected, let percent, let operation, _):
      list.add("name", name)
      list.add("percent", percent)
      list.add("operation", operation?.rawValue)
      list.add("kind", kindName(kind))
      list.add("index", index)
      list.add("total", total)
      list.add("selected", isSelected)
    case .empty(let container), .listing(let container): list.add("container", container)
    case .edge(let edge): list.add("which", edge.rawValue)
    case .noMatch(let text), .echo(let text): list.add("text", text)
    case .completed(let names, let count):
      list.add("names", names)
      list.add("count", count)
    case .cannotName(let name, let reason, _):
      list.add("name", name)
      list.add("reason", reason.rawValue)
    case .renamed(let name, let new):
      list.add("name", name)
      list.add("to", new)
    case .facts(let facts):
      list.add("name", facts.name)
      list.add("type", facts.typeName)
      list.add("bytes", facts.bytes)
      list.add("count", facts.count)
      list.add("changed", facts.changed)
      list.add("container", facts.path.last)
    case .made(let name, let place):
      list.add("name", name)
      list.add("place", place)
    case .filtered(let text, let count, let total, _):
      list.add("text", text)
      list.add("count", count)
      list.add("total", total)
    case .selected(let name, let count), .deselected(let name, let count):
      list.add("name", name)
      list.add("count", count)
    case .nothingToPickUp(let reason, let name), .sessionEnded(let reason, let name):
      list.add("reason", reason.rawValue)
      list.add("name", name)
    case .opened(let name, let count, _):
      list.add("name", name)
      list.add("count", count)
    case .cannotOpen(let name, let reason), .refused(let name, let reason, _),
      .refusedToAdd(let name, let reason):
      list.add("name", name)
      list.add("reason", reason.rawValue)
    case .appeared(let name, let count, _):
      list.add("name", name)
      if count > 1 { list.add("count", count) }
    case .left(let name), .backAtSource(let name), .opening(let name):
      list.add("name", name)
    case .vanished(let name, let next, _):
      list.add("name", name)
      list.add("next", next)
    case .shown(let landing):
      list.add("name", landing.name)
      list.add("container", landing.container)
      list.add("app", landing.app)
    case .moved(let name, let index, let total):
      list.add("name", name)
      list.add("index", index)
      list.add("total", total)
    case .mode(let mode, let isOn, _, _):
      list.add("name", mode.rawValue)
      list.add("on", isOn)
    case .help(let lines, _): list.add("keys", lines.map(helpArgument))
    case .unknownKey(let stroke, _): list.add("key", keyName(stroke))
    case .lesson(.step(let line, let index, let total, _)):
      list.add("keys", [helpArgument(line)])
      list.add("index", index)
      list.add("total", total)
    case .problem(let problem):
      let parts = problemParts(problem)
      list.add("what", parts.what)
      list.add("consequence", parts.consequence)
      list.add("remedy", parts.remedy)
    default: break
    }
  }

  private func fillCarrying(_ announcement: Announcement, _ list: inout ArgumentList) {
    switch announcement {
    case .points(let count): list.add("count", count)
    case .pickingUp(let names, let count):
      list.add("names", names)
      list.add("count", count)
    case .pickedUp(let report):
      list.add("names", report.names)
      list.add("kinds", report.count == 1 ? [report.typeName] : kindCounts(report.kinds))
      list.add("count", report.count)
      list.add("operation", report.operation?.rawValue)
      list.add("points", report.points)
    case .nothingAccepts(let count, let alternatives, let refusal):
      list.add("count", count)
      list.add("reason", refusal?.reason.rawValue)
      list.add("places", refusal?.places.count)
      list.add("place", refusal?.places.count == 1 ? refusal?.places.first : nil)
      list.add("alternatives", alternatives.map(alternativeName))
    case .added(let names, let count):
      list.add("name", self.names(names))
      list.add("count", count)
    case .heldAlready(let names, let count):
      list.add("name", self.names(names, count: count))
      list.add("reason", Reason.alreadyHeld.rawValue)
    case .removed(let name, let count):
      list.add("name", name)
      list.add("count", count)
    case .dropPoint(let report): fill(report, &list)
    case .details(let accepted, let refused, let undo, isUncertain: _):
      list.add("accepted", accepted)
      list.add("refused", refused.map(\.name))
      list.add("result", resultText(nil, undo))
      if let first = refused.first { list.add("reason", first.reason.rawValue) }
    case .operation(let wish, let now, let undo):
      list.add("operation", (wish ?? now)?.rawValue)
      list.add("result", resultText(nil, undo))
    case .operationUnavailable(let operation, let reason):
      list.add("operation", operation.rawValue)
      list.add("reason", reason.rawValue)
    case .confirm(let question, let choices):
      list.add("question", text(.confirm(question, choices: [])))
      list.add("reason", reasonWord(question))
      list.add("choices", choices.map(choiceName))
    case .choice(let choice, let index, let total, _):
      list.add("name", choiceName(choice))
      list.add("consequence", consequence(choice))
      list.add("index", index)
      list.add("total", total)
    case .declined(let count): list.add("count", count)
    case .holding(let holding):
      list.add("names", holding.names)
      list.add("count", holding.count)
      guard let place = holding.place else { break }
      list.add("dropPoint", place.name)
      list.add("container", place.container)
      list.add("app", place.app)
      if let position = place.position, place.task == nil {
        list.add("position", "\(position)")
        list.add("after", place.after)
        list.add("before", place.before)
      }
      list.add("operation", place.verdict.operation?.rawValue)
      list.add("result", place.verdict.word.rawValue)
      list.add("reason", place.verdict.reason?.rawValue)
    case .cancelled(let names, let count, _):
      list.add("names", names)
      list.add("count", count)
    case .keyboard(let name, let app, let holding):
      list.add("name", name)
      list.add("app", app)
      if let holding {
        list.add("names", holding.names)
        list.add("count", holding.count)
        if !isBrief { list.add("dropPoint", holding.place?.name) }
      }
    default: break
    }
  }

  private func fill(_ report: DropPointReport, _ list: inout ArgumentList) {
    list.add("name", report.name)
    list.add("container", report.container)
    list.add("app", report.app)
    list.add("verdict", report.verdict.word.rawValue)
    list.add("operation", report.verdict.operation?.rawValue)
    list.add("accepted", report.verdict.accepted)
    list.add("count", report.count)
    list.add("index", report.index)
    list.add("total", report.total)
    list.add("reason", (report.verdict.reason ?? report.verdict.irreversible)?.rawValue)
    list.add("result", result(report.verdict))
    if report.isOnAnotherWorkspace { list.add("workspace", "another") }
    list.add("line", report.verdict.textPosition?.line)
    list.add("lines", report.verdict.textPosition?.total)
  }

  private func fillOutcome(_ announcement: Announcement, _ list: inout ArgumentList) {
    switch announcement {
    case .delivering(let operation, let names, let count, let bytes):
      list.add("operation", operation.rawValue)
      list.add("names", names)
      list.add("count", count)
      list.add("bytes", bytes)
    case .progress(let percent, let count, let total, let bytes, let names):
      list.add("percent", percent)
      list.add("count", count)
      list.add("of", total)
      list.add("bytes", bytes)
      list.add("names", names)
    case .delivered(let report):
      fill(report, &list)
      list.add("count", report.result.delivered)
      list.add("line", report.result.textPosition?.line)
      list.add("lines", report.result.textPosition?.total)
    case .partlyDelivered(let report):
      let failures = report.result.failures
      fill(report, &list)
      list.add("delivered", report.result.delivered)
      list.add("failed", failures.count)
      list.add("failedNames", failures.prefix(20).map(\.name))
      list.add("reason", (failures.first ?? report.result.leftOut.first)?.reason.rawValue)
    case .unconfirmed(let names, _, let place, let question, let isTaken, let gone, let app):
      list.add("names", names)
      list.add("place", place)
      list.add("app", app)
      if !gone.isEmpty { list.add("goneNames", gone) }
      switch question {
      case .window(let title): list.add("window", title)
      case .dialog(let title, let hasKeyboard, let buttons, let words):
        if !title.isEmpty { list.add("window", title) }
        list.add("question", "window")
        list.add("keyboard", hasKeyboard)
        if !buttons.isEmpty { list.add("buttons", buttons) }
        if !words.isEmpty { list.add("words", words) }
      case .menu: list.add("question", "menu")
      case .tells(let words, let title):
        if !title.isEmpty { list.add("window", title) }
        list.add("words", words)
      case .answered: list.add("question", "answered")
      case nil: if isTaken { list.add("confirmed", "by-program") }
      }
    case .failed(let names, let count, let reason):
      list.add("names", names)
      list.add("count", count)
      list.add("reason", reason.rawValue)
    case .tooLate(let names, let count):
      list.add("names", names)
      list.add("count", count)
    case .deliveryCancelled(let names, let done, let remaining, _):
      list.add("names", names)
      list.add("done", done)
      list.add("remaining", remaining)
    case .task(let task, let program, let stage):
      list.add("name", taskName(task, program: program))
      list.add("stage", stage.rawValue)
    case .undone(let entry, let done, _), .redone(let entry, let done, _):
      list.add("what", describe(entry))
      list.add("count", done)
    case .cannotUndo(let entry, let reason, let remaining, _):
      list.add("what", entry.map(describe))
      list.add("reason", reason.rawValue)
      if !remaining.isEmpty { list.add("names", remaining) }
    case .recovered(let recovery):
      list.add("what", describe(recovery.entry))
      list.add("result", recovery.result.rawValue)
    default: break
    }
  }

  private func fill(_ report: DeliveredReport, _ list: inout ArgumentList) {
    list.add("operation", report.operation.rawValue)
    list.add("names", report.names)
    list.add("place", report.place)
    list.add("app", report.app)
    list.add("intended", report.missed)
    if !report.result.renamed.isEmpty { list.add("renamed", report.result.renamed) }
    if !report.result.leadNowhere.isEmpty { list.add("leadNowhere", report.result.leadNowhere) }
    if !report.result.replaced.isEmpty {
      list.add("replaced", report.result.replaced.count)
      list.add("replacedNames", Array(report.result.replaced.prefix(20)))
    }
    list.add("index", report.index)
    list.add("total", report.total)
    if !report.result.leftOut.isEmpty {
      list.add("leftOut", report.result.leftOut.count)
      if report.result.others > 0 { list.add("others", report.result.others) }
      list.add("leftOutNames", report.result.leftOut.prefix(20).map(\.name))
    }
    if report.result.effect == .pathsWritten { list.add("form", "path") }
    if report.result.effect == .listed { list.add("form", "reference") }
    if report.result.effect == .nothing { list.add("reason", Reason.samePlace.rawValue) }
    list.add("next", report.next)
  }

  /// The effect of a drop in words, for `result`.
  package func result(_ verdict: Verdict) -> String? {
    resultText(verdict.prediction, verdict.undo)
  }

  private func kindName(_ kind: ItemKind) -> String {
    switch kind {
    // What an item is: a plain file.
    case .file: term(in: "kind", "file")
    // What an item is, in a program of its own: anything that can be dragged.
    case .object: term(in: "kind", "item")
    default: kindWord(kind)
    }
  }

  func alternativeName(_ alternative: Alternative) -> String {
    switch alternative {
    // Part of a list after "F9 offers:", in the form of a thing to do.
    case .trash: term(in: "offer", "trash")
    // Part of a list after "F9 offers:": print on paper.
    case .print: term(in: "offer", "print")
    // Part of a list after "F9 offers:". %1$@ is a program.
    case .openWith(let program): term(in: "offer", "open with %1$@", program)
    // What can be done where no place takes the items.
    case .openFolder: term(in: "offer", "open another folder")
    case .copy: verb(.copy)
    // What can be done where no place in any window takes the items.
    case .openWindow: term(in: "offer", "open another window")
    }
  }

  private func reasonWord(_ question: Confirmation) -> String? {
    switch question {
    case .clash, .clashInside: Reason.nameExists.rawValue
    case .irreversible(let reason, _, _): reason.rawValue
    case .partial, .actions, .deliveries, .history, .details, .filter, .goTo, .newFolder, .rename,
      .position, .help, .olderUndo, .quitting:
      nil
    }
  }
}

/// Collects arguments, leaving out what does not apply.
private struct ArgumentList {
  var arguments: [AnnouncementArgument] = []

  /// Omits `nil` and empty text.
  mutating func add(_ name: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    arguments.append(AnnouncementArgument(name: name, value: .text(value)))
  }

  mutating func add(_ name: String, _ value: Int?) {
    guard let value else { return }
    arguments.append(AnnouncementArgument(name: name, value: .number(Int64(value))))
  }

  mutating func add(_ name: String, _ value: Int64?) {
    guard let value else { return }
    arguments.append(AnnouncementArgument(name: name, value: .number(value)))
  }

  mutating func add(_ name: String, _ value: Bool) {
    arguments.append(AnnouncementArgument(name: name, value: .flag(value)))
  }

  mutating func add(_ name: String, _ value: [String]) {
    arguments.append(AnnouncementArgument(name: name, value: .list(value)))
  }
}
