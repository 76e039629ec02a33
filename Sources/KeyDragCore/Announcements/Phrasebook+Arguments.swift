extension Phrasebook {
  /// The arguments of the transcript's `args`; those that do not apply are left out.
  package func arguments(_ announcement: Announcement) -> [AnnouncementArgument] {
    if case .ofProgram(let part, let outcome) = announcement {
      let rest = arguments(outcome).filter { $0.name != "app" }
      let program: ArgumentList =
        switch part {
        case .visitor(let name): ["visitor": name]
        case .witness(let name): ["app": name]
        }
      return rest + program.arguments
    }
    let list =
      browsingArguments(announcement) ?? carryingArguments(announcement)
      ?? outcomeArguments(announcement)
    return list?.arguments.filter { $0.value != .text("") } ?? []
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

  private func browsingArguments(_ announcement: Announcement) -> ArgumentList? {
    switch announcement {
    case .ready(let container, let counts, let item, _):
      [
        "container": container, "count": counts.total, "item": item?.name,
        "kind": item.map { kindName($0.kind) },
      ]
    case .item(
      let name, let kind, let index, let total, let isSelected, let percent, let operation, _):
      [
        "name": name, "percent": percent, "operation": operation, "kind": kindName(kind),
        "index": index, "total": total, "selected": isSelected,
      ]
    case .empty(let container), .listing(let container): ["container": container]
    case .edge(let edge): ["which": edge.rawValue]
    case .noMatch(let text), .echo(let text): ["text": text]
    case .completed(let names, let count): ["names": names, "count": count]
    case .cannotName(let name, let reason, _): ["name": name, "reason": reason]
    case .renamed(let name, let new): ["name": name, "to": new]
    case .facts(let facts):
      [
        "name": facts.name, "type": facts.typeName, "bytes": facts.bytes, "count": facts.count,
        "changed": facts.changed, "container": facts.path.last,
      ]
    case .made(let name, let place): ["name": name, "place": place]
    case .filtered(let text, let count, let total, _):
      ["text": text, "count": count, "total": total]
    case .selected(let name, let count), .deselected(let name, let count):
      ["name": name, "count": count]
    case .nothingToPickUp(let reason, let name), .sessionEnded(let reason, let name):
      ["reason": reason, "name": name]
    case .opened(let name, let count, _, _): ["name": name, "count": count]
    case .cannotOpen(let name, let reason), .refused(let name, let reason, _),
      .refusedToAdd(let name, let reason):
      ["name": name, "reason": reason]
    case .appeared(let name, let count, _): ["name": name, "count": count > 1 ? count : nil]
    case .left(let name), .backAtSource(let name), .opening(let name): ["name": name]
    case .vanished(let name, let next, _): ["name": name, "next": next]
    case .shown(let landing):
      ["name": landing.name, "container": landing.container, "app": landing.app]
    case .moved(let name, let index, let total): ["name": name, "index": index, "total": total]
    case .mode(let mode, let isOn, _, _): ["name": mode.rawValue, "on": isOn]
    case .help(let lines, _): ["keys": lines.map(helpArgument)]
    case .unknownKey(let stroke, _): ["key": keyName(stroke)]
    case .lesson(.step(let line, let index, let total, _)):
      ["keys": [helpArgument(line)], "index": index, "total": total]
    case .problem(let problem):
      [
        "what": problemParts(problem).what, "consequence": problemParts(problem).consequence,
        "remedy": problemParts(problem).remedy,
      ]
    default: nil
    }
  }

  private func carryingArguments(_ announcement: Announcement) -> ArgumentList? {
    switch announcement {
    case .points(let count), .declined(let count): ["count": count]
    case .pickingUp(let names, let count), .cancelled(let names, let count, _):
      ["names": names, "count": count]
    case .pickedUp(let report):
      [
        "names": report.names,
        "kinds": report.count == 1 ? [report.typeName] : kindCounts(report.kinds),
        "count": report.count, "operation": report.operation, "points": report.points,
      ]
    case .nothingAccepts(let count, let alternatives, let refusal):
      [
        "count": count, "reason": refusal?.reason, "places": refusal?.places.count,
        "place": refusal?.places.count == 1 ? refusal?.places.first : nil,
        "alternatives": alternatives.map(alternativeName),
      ]
    case .added(let names, let count): ["name": self.names(names), "count": count]
    case .heldAlready(let names, let count):
      ["name": self.names(names, count: count), "reason": Reason.alreadyHeld]
    case .removed(let name, let count): ["name": name, "count": count]
    case .dropPoint(let report): arguments(report)
    case .details(let accepted, let refused, let undo, isUncertain: _):
      [
        "accepted": accepted, "refused": refused.map(\.name), "result": resultText(nil, undo),
        "reason": refused.first?.reason,
      ]
    case .operation(let wish, let now, let undo):
      ["operation": wish ?? now, "result": resultText(nil, undo)]
    case .operationUnavailable(let operation, let reason):
      ["operation": operation, "reason": reason]
    case .confirm(let question, let choices):
      [
        "question": text(.confirm(question, choices: [])), "reason": reason(question),
        "choices": choices.map(choiceName),
      ]
    case .choice(let choice, let index, let total, _):
      [
        "name": choiceName(choice), "consequence": consequence(choice), "index": index,
        "total": total,
      ]
    case .holding(let holding):
      ["names": holding.names, "count": holding.count] + (holding.place.map(heldArguments) ?? [:])
    case .keyboard(let name, let app, let holding):
      [
        "name": name, "app": app, "names": holding?.names, "count": holding?.count,
        "dropPoint": isBrief ? nil : holding?.place?.name,
      ]
    default: nil
    }
  }

  private func heldArguments(_ place: DropPointReport) -> ArgumentList {
    let position = place.task == nil ? place.position : nil
    return [
      "dropPoint": place.name, "container": place.container, "app": place.app,
      "position": position.map { "\($0)" }, "after": position == nil ? nil : place.after,
      "before": position == nil ? nil : place.before, "operation": place.verdict.operation,
      "result": place.verdict.word.rawValue, "reason": place.verdict.reason,
    ]
  }

  private func arguments(_ report: DropPointReport) -> ArgumentList {
    let verdict = report.verdict
    return [
      "name": report.name, "container": report.container, "app": report.app,
      "verdict": verdict.word.rawValue, "operation": verdict.operation,
      "accepted": verdict.accepted, "count": report.count, "index": report.index,
      "total": report.total, "reason": verdict.reason ?? verdict.irreversible,
      "result": result(verdict), "workspace": report.isOnAnotherWorkspace ? "another" : nil,
      "line": verdict.textPosition?.line, "lines": verdict.textPosition?.total,
    ]
  }

  private func outcomeArguments(_ announcement: Announcement) -> ArgumentList? {
    switch announcement {
    case .delivering(let operation, let names, let count, let bytes):
      ["operation": operation, "names": names, "count": count, "bytes": bytes]
    case .progress(let percent, let count, let total, let bytes, let names):
      ["percent": percent, "count": count, "of": total, "bytes": bytes, "names": names]
    case .delivered(let report):
      arguments(report) + [
        "count": report.result.delivered, "line": report.result.textPosition?.line,
        "lines": report.result.textPosition?.total,
      ]
    case .partlyDelivered(let report):
      arguments(report) + [
        "delivered": report.result.delivered, "failed": report.result.failures.count,
        "failedNames": report.result.failures.prefix(20).map(\.name),
        "reason": (report.result.failures.first ?? report.result.leftOut.first)?.reason,
      ]
    case .unconfirmed(let names, _, let place, let question, let isTaken, let gone, let app):
      ["names": names, "place": place, "app": app, "goneNames": gone.isEmpty ? nil : gone]
        + ["confirmed": isTaken ? "by-program" : nil] + (question.map(arguments) ?? [:])
    case .failed(let names, let count, let reason):
      ["names": names, "count": count, "reason": reason]
    case .tooLate(let names, let count): ["names": names, "count": count]
    case .deliveryCancelled(let names, let done, let remaining, _):
      ["names": names, "done": done, "remaining": remaining]
    case .task(let task, let program, let stage):
      ["name": name(of: task, program: program), "stage": stage.rawValue]
    case .undone(let entry, let done, _), .redone(let entry, let done, _):
      ["what": describe(entry), "count": done]
    case .undoing(let isRedo): ["what": isRedo ? "redo" : "undo"]
    case .cannotUndo(let entry, let reason, let remaining, _):
      [
        "what": entry.map(describe), "reason": reason,
        "names": remaining.isEmpty ? nil : Array(remaining.prefix(20)),
      ]
    case .recovered(let recovery):
      ["what": describe(recovery.entry), "result": recovery.result.rawValue]
    default: nil
    }
  }

  private func arguments(_ question: ProgramQuestion) -> ArgumentList {
    switch question {
    case .window(let title): ["window": title]
    case .dialog(let title, let hasKeyboard, let buttons, let words):
      [
        "window": title, "question": "window", "keyboard": hasKeyboard,
        "buttons": buttons.isEmpty ? nil : buttons, "words": words,
      ]
    case .menu: ["question": "menu"]
    case .tells(let words, let title): ["window": title, "words": words]
    case .answered: ["question": "answered"]
    case .unchanged: ["question": "unchanged"]
    }
  }

  private func arguments(_ report: DeliveredReport) -> ArgumentList {
    let result = report.result
    let isReplacing = !result.replaced.isEmpty
    let leavesOut = !result.leftOut.isEmpty
    let form = [DeliveryEffect.pathsWritten: "path", .listed: "reference"][result.effect]
    return [
      "operation": report.operation, "names": report.names, "place": report.place,
      "app": report.app, "intended": report.missed,
      "renamed": result.renamed.isEmpty ? nil : result.renamed,
      "leadNowhere": result.leadNowhere.isEmpty ? nil : result.leadNowhere,
      "replaced": isReplacing ? result.replaced.count : nil,
      "replacedNames": isReplacing ? Array(result.replaced.prefix(20)) : nil,
      "index": report.index, "total": report.total,
      "leftOut": leavesOut ? result.leftOut.count : nil,
      "others": leavesOut && result.others > 0 ? result.others : nil,
      "leftOutNames": leavesOut ? result.leftOut.prefix(20).map(\.name) : nil, "form": form,
      "reason": result.effect == .nothing ? Reason.samePlace : nil, "next": report.next,
    ]
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

  private func reason(_ question: Confirmation) -> Reason? {
    switch question {
    case .clash, .clashInside: .nameExists
    case .irreversible(let reason, _, _): reason
    case .partial, .actions, .deliveries, .history, .details, .filter, .goTo, .newFolder, .rename,
      .position, .help, .olderUndo, .quitting:
      nil
    }
  }
}
