extension Phrasebook {
  func carryingText(_ announcement: Announcement) -> String {
    switch announcement {
    case .pickedUp(let report): return pickedUpText(report)
    case .nothingAccepts(let count, let alternatives):
      let what = plural(
        "No place here accepts this item.", "No place here accepts these %1$@ items.", count)
      return join(what, alternativesText(alternatives))
    case .added(let names, let count):
      return phrase("%1$@ added, %2$@ held.", self.names(names), items(count))
    case .refusedToAdd(let name, let reason):
      return join(phrase("%1$@ was not added.", name), sentence(for: reason))
    case .removed(let name, let count):
      return phrase("%1$@ taken out, %2$@ held.", name, items(count))
    case .dropPoint(let report): return dropPointText(report)
    case .details(let accepted, let refused): return detailsText(accepted, refused)
    case .backAtSource(let name):
      return isBrief
        ? phrase("%1$@: cancel", name)
        : phrase("Back at %1$@: a drop here cancels.", name)
    case .operation(let wish, let now): return wishText(wish, now)
    case .operationUnavailable(let operation, let reason):
      return join(
        phrase("Can't %1$@ here.", verb(operation)),
        reason == .operationNotOffered ? "" : sentence(for: reason))
    case .holding(let holding): return holdingText(holding)
    case .sessionEnded(let reason, let name):
      guard let name else { return join(phrase("Carrying ended."), sentence(for: reason)) }
      return reason == .gone
        ? phrase("%1$@ is gone. Carrying ended.", name)
        : join(phrase("Carrying %1$@ ended.", name), sentence(for: reason))
    case .cancelled(let names, let count):
      return isBrief || count == 0
        ? phrase("Cancelled.")
        : phrase("Cancelled. Back at %1$@.", self.names(names, count: count))
    default: return ""
    }
  }

  private func pickedUpText(_ report: PickUp) -> String {
    let kinds = report.count > 1 && !isBrief ? list(report.kinds.map(kindCount)) : ""
    let what =
      report.count == 1
      ? names(report.names, count: 1)
      : (kinds.isEmpty ? items(report.count) : kinds)
    let picked = phrase("Picked up %1$@.", what)
    guard let points = report.points else { return picked }
    let accept = plural("%1$@ place accepts.", "%1$@ places accept.", points)
    let hint =
      report.isFirst && !isBrief ? phrase("Tab walks, Enter drops, Escape cancels.") : ""
    return join(picked, accept, hint)
  }

  /// "3 pictures", "1 folder".
  func kindCount(_ kind: KindCount) -> String {
    let count = kind.count
    return switch kind.group {
    case .folder: plural("%1$@ folder", "%1$@ folders", count)
    case .picture: plural("%1$@ picture", "%1$@ pictures", count)
    case .video: plural("%1$@ video", "%1$@ videos", count)
    case .sound: plural("%1$@ sound", "%1$@ sounds", count)
    case .text: plural("%1$@ text", "%1$@ texts", count)
    case .file: plural("%1$@ file", "%1$@ files", count)
    case .link: plural("%1$@ link", "%1$@ links", count)
    case .item: plural("%1$@ item", "%1$@ items", count)
    }
  }

  private func alternativesText(_ alternatives: [Alternative]) -> String {
    let named = alternatives.filter { $0 != .openFolder }.map(alternativeName)
    guard !named.isEmpty else { return phrase("Open another folder first.") }
    return phrase("F9 offers: %1$@.", list(named))
  }

  private func dropPointText(_ report: DropPointReport) -> String {
    var place = report.task.map { taskName($0, program: report.name) } ?? stopName(report)
    if !isBrief, let container = report.container, report.task == nil {
      place = phrase("%1$@, in %2$@", place, container)
    }
    if let app = report.app { place = phrase("%1$@, %2$@", place, app) }
    var sentence = phrase("%1$@: %2$@.", place, verdictText(report))
    if let prediction = report.prediction { sentence = join(sentence, predictionText(prediction)) }
    if let irreversible = report.irreversible, !isBrief {
      sentence = join(sentence, phrase("Can't be undone."), self.sentence(for: irreversible))
    }
    guard !isBrief, let index = report.index, let total = report.total else { return sentence }
    return join(sentence, phrase("%1$@ of %2$@", number(index), number(total)))
  }

  private func stopName(_ report: DropPointReport) -> String {
    switch (report.position, report.after, report.before) {
    case (.on, _, _): report.task.map { taskName($0, program: report.name) } ?? report.name
    case (_, let after?, let before?): phrase("between %1$@ and %2$@", after, before)
    case (_, let after?, nil): phrase("after %1$@", after)
    case (_, nil, let before?): phrase("before %1$@", before)
    case (_, nil, nil): report.name
    }
  }

  /// What would happen here, or why not, without the place's name.
  func verdictText(_ report: DropPointReport) -> String {
    switch report.verdict {
    // "Open with Reader: open" would say the same thing twice.
    case .accept where report.task == .openWith || report.task == .print: return phrase("accepts")
    case .accept: return report.operation.map(verb) ?? phrase("accepts")
    case .partial:
      return phrase(
        "%1$@ only %2$@ of %3$@", report.operation.map(verb) ?? phrase("takes"),
        number(report.accepted), number(report.count))
    case .maybe: return phrase("may accept")
    case .asking: return phrase("asking")
    case .cancel: return phrase("a drop here cancels")
    case .refuse: return phrase("refuses, %1$@", short(report.reason ?? .unknown))
    case .forbidden: return phrase("not now, %1$@", short(report.reason ?? .unknown))
    }
  }

  /// What a drop would change, beyond the operation.
  func predictionText(_ prediction: Prediction) -> String {
    switch prediction {
    case .nameClash(let names):
      return names.count == 1
        ? phrase("%1$@ exists there.", names[0])
        : plural("%1$@ name exists there.", "%1$@ names exist there.", names.count)
    case .becomes(let what): return phrase("Becomes %1$@.", what)
    }
  }

  private func detailsText(_ accepted: [String], _ refused: [DeliveryFailure]) -> String {
    let takes =
      accepted.isEmpty ? phrase("Accepts none.") : phrase("Accepts %1$@.", names(accepted))
    let named = refused.prefix(10).map { phrase("%1$@, %2$@", $0.name, short($0.reason)) }
    guard !named.isEmpty else { return takes }
    let more = refused.count - named.count
    let refusals = phrase("Refuses %1$@.", named.joined(separator: "; "))
    return join(
      takes, refusals, more > 0 ? plural("And %1$@ more.", "And %1$@ more.", more) : "")
  }

  private func wishText(_ wish: DragOperation?, _ now: DragOperation?) -> String {
    switch (wish, now) {
    case (let wish?, _): return phrase("%1$@.", capitalised(verb(wish)))
    case (nil, let now?):
      return isBrief
        ? phrase("%1$@.", capitalised(verb(now)))
        : phrase("As usual here: %1$@.", verb(now))
    case (nil, nil): return phrase("As usual.")
    }
  }

  private func holdingText(_ holding: Holding) -> String {
    guard holding.count > 0 else { return phrase("Nothing is held.") }
    let what = phrase("Holding %1$@.", names(holding.names, count: holding.count))
    guard var place = holding.dropPoint else { return what }
    if let task = holding.task {
      place = taskName(task, program: place)
    } else if !isBrief {
      if let container = holding.container { place = phrase("%1$@, in %2$@", place, container) }
      if let app = holding.app { place = phrase("%1$@, %2$@", place, app) }
    }
    let then: String =
      switch holding.verdict {
      case .cancel: phrase("a drop here cancels")
      case .refuse, .forbidden: phrase("refuses, %1$@", short(holding.reason ?? .unknown))
      case .asking: phrase("asking")
      case .partial:
        phrase(
          "%1$@ only %2$@ of %3$@", holding.operation.map(verb) ?? phrase("takes"),
          number(holding.accepted ?? 0), number(holding.count))
      default: holding.operation.map(verb) ?? phrase("accepts")
      }
    return join(what, phrase("At %1$@: %2$@.", place, then))
  }

  /// An operation as a verb: "move".
  func verb(_ operation: DragOperation) -> String {
    switch operation {
    case .copy: phrase("copy")
    case .move: phrase("move")
    case .link: phrase("link")
    case .open: phrase("open")
    case .remove: phrase("move to the trash")
    }
  }

  func capitalised(_ text: String) -> String {
    guard let first = text.first else { return text }
    return first.uppercased() + text.dropFirst()
  }
}
