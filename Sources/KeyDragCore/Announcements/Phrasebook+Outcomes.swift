extension Phrasebook {
  func confirmingText(_ announcement: Announcement) -> String {
    switch announcement {
    case .confirm(let question, _): confirmText(question)
    case .choice(let choice, let index, let total):
      join(
        closed(list([choiceName(choice), isBrief ? "" : consequence(choice)])),
        isBrief ? "" : phrase("%1$@ of %2$@", number(index), number(total)))
    case .declined(let count):
      count == 0 ? phrase("Back.") : phrase("Still holding %1$@.", items(count))
    default: ""
    }
  }

  private func confirmText(_ question: Confirmation) -> String {
    switch question {
    case .clash(let names, let place):
      names.count == 1
        ? phrase("%1$@ exists in %2$@.", names[0], place)
        : plural(
          "%1$@ name exists in %2$@.", "%1$@ names exist in %2$@.", names.count, place)
    case .partial(let accepted, let count, let place):
      phrase("%1$@ takes %2$@ of %3$@.", place, number(accepted), number(count))
    case .irreversible(let reason, let operation, let place):
      join(
        operation == .remove
          ? phrase("Deleting can't be undone.")
          : phrase("A drop in %1$@ can't be undone.", place), sentence(for: reason))
    case .actions(let names, let count):
      phrase("Actions for %1$@.", self.names(names, count: count))
    case .deliveries(let count):
      count == 0
        ? phrase("No deliveries.")
        : plural("%1$@ delivery runs.", "%1$@ deliveries run.", count)
    }
  }

  private func closed(_ sentence: String) -> String {
    sentence.hasSuffix("…") ? sentence : sentence + "."
  }

  /// A choice by its name: short, verb first.
  func choiceName(_ choice: Choice) -> String {
    switch choice {
    case .keepBoth: phrase("Keep both")
    case .replace: phrase("Replace")
    case .skip: phrase("Skip")
    case .keepHolding: phrase("Keep holding")
    case .dropAccepted(let count, _):
      plural("Drop the %1$@ accepted", "Drop the %1$@ accepted", count)
    case .proceed(let operation):
      operation == .remove
        ? phrase("Delete for good")
        : phrase("%1$@ all the same", capitalised(verb(operation)))
    case .transferTo(let operation):
      switch operation {
      case .copy: phrase("Copy to…")
      case .move: phrase("Move to…")
      case .link: phrase("Link to…")
      case .open, .remove: capitalised(verb(operation))
      }
    case .reorder(let direction):
      switch direction {
      case .up: phrase("Move up")
      case .down: phrase("Move down")
      case .top: phrase("Move to the top")
      case .bottom: phrase("Move to the bottom")
      }
    case .openWith(let program): phrase("Open with %1$@", program)
    case .print: phrase("Print")
    case .trash: phrase("Move to the trash")
    case .delivery(_, let operation, let names, let count, let percent):
      list([
        phrase("%1$@ %2$@", capitalised(verb(operation)), self.names(names, count: count)),
        percent.map { phrase("%1$@ percent", number($0)) } ?? "",
      ])
    }
  }

  /// What follows from a choice.
  func consequence(_ choice: Choice) -> String {
    switch choice {
    case .keepBoth: phrase("the new one gets another name")
    case .replace: phrase("the old one goes to the trash")
    case .skip: phrase("what clashes stays where it is")
    case .keepHolding: phrase("nothing is dropped")
    case .dropAccepted(_, let refused):
      plural("%1$@ stays where it is", "%1$@ stay where they are", refused)
    case .delivery: phrase("Delete cancels it")
    default: ""
    }
  }

  func outcomeText(_ announcement: Announcement) -> String {
    switch announcement {
    case .refused(let name, let reason, let isHeld):
      return join(
        phrase("%1$@ refuses.", name), sentence(for: reason),
        isHeld ? phrase("Still held.") : "")
    case .delivering(let operation, let names, let count, let bytes):
      let what = phrase("%1$@ %2$@", progressive(operation), self.names(names, count: count))
      return list([what, bytes.map(size) ?? ""]) + "."
    case .progress(let percent, _, let total, _, let names):
      return isBrief && total > 1
        ? phrase("%1$@ percent.", number(percent))
        : phrase("%1$@: %2$@ percent.", self.names(names, count: total), number(percent))
    case .delivered(let report): return deliveredText(report)
    case .partlyDelivered(let report, let failures):
      return join(partlyText(report, of: report.count + failures.count), failuresText(failures))
    case .unconfirmed(let names, let count, let place):
      return phrase(
        "%1$@ sent to %2$@; it did not confirm.", self.names(names, count: count), place)
    case .failed(let names, let count, let reason):
      return join(
        phrase("Failed: %1$@.", self.names(names, count: count)), sentence(for: reason),
        isBrief ? "" : phrase("Nothing is lost."))
    case .deliveryCancelled(let names, let done, let remaining):
      let what = self.names(names, count: done + remaining)
      return isBrief
        ? phrase("Cancelled %1$@.", what)
        : phrase("Cancelled %1$@: %2$@ done, %3$@ not.", what, number(done), number(remaining))
    case .task(let task, let program, let stage): return taskText(task, program, stage)
    default: return ""
    }
  }

  private func deliveredText(_ report: DeliveredReport) -> String {
    let what = names(report.names, count: report.count)
    var text: String =
      switch (report.operation, report.task) {
      case (_, .print): phrase("Sent %1$@ to the printer.", what)
      case (.copy, _): phrase("Copied %1$@ to %2$@.", what, report.place)
      case (.move, _): phrase("Moved %1$@ to %2$@.", what, report.place)
      case (.link, _): phrase("Linked %1$@ in %2$@.", what, report.place)
      case (.open, _): phrase("Opened %1$@ with %2$@.", what, report.place)
      case (.remove, _): phrase("Moved %1$@ to the trash.", what)
      }
    if let first = report.renamed.first {
      text = join(
        text,
        report.renamed.count == 1
          ? phrase("It is named %1$@ there.", first)
          : plural("%1$@ got another name.", "%1$@ got other names.", report.renamed.count))
    }
    if let next = report.next, !isBrief { text = join(text, phrase("Now at %1$@.", next)) }
    return text
  }

  /// "Copied 2 of 3 to Docs."
  private func partlyText(_ report: DeliveredReport, of total: Int) -> String {
    let (done, all) = (number(report.count), number(total))
    return switch report.operation {
    case .copy: phrase("Copied %1$@ of %2$@ to %3$@.", done, all, report.place)
    case .move: phrase("Moved %1$@ of %2$@ to %3$@.", done, all, report.place)
    case .link: phrase("Linked %1$@ of %2$@ in %3$@.", done, all, report.place)
    case .open: phrase("Opened %1$@ of %2$@.", done, all)
    case .remove: phrase("Moved %1$@ of %2$@ to the trash.", done, all)
    }
  }

  func failuresText(_ failures: [DeliveryFailure]) -> String {
    guard let first = failures.first else { return "" }
    if failures.count == 1 { return phrase("%1$@: %2$@.", first.name, short(first.reason)) }
    let isOne = failures.allSatisfy { $0.reason == first.reason }
    let named = names(failures.prefix(3).map(\.name), count: failures.count)
    return isOne
      ? phrase("%1$@: %2$@.", named, short(first.reason))
      : phrase("Not %1$@.", named)
  }

  private func progressive(_ operation: DragOperation) -> String {
    switch operation {
    case .copy: phrase("Copying")
    case .move: phrase("Moving")
    case .link: phrase("Linking")
    case .open: phrase("Opening")
    case .remove: phrase("Moving to the trash:")
    }
  }

  /// A task place by its name.
  func taskName(_ task: TaskPoint, program: String?) -> String {
    switch task {
    case .trash: phrase("Trash")
    case .print: phrase("Print")
    case .openWith: phrase("Open with %1$@", program ?? phrase("a program"))
    }
  }

  private func taskText(_ task: TaskPoint, _ program: String?, _ stage: TaskStage) -> String {
    let name = taskName(task, program: program)
    switch stage {
    case .started: return phrase("%1$@: started.", name)
    case .finished: return phrase("%1$@: done.", name)
    case .failed: return phrase("%1$@: failed.", name)
    }
  }

  func historyText(_ announcement: Announcement) -> String {
    switch announcement {
    case .undone(let entry, let done):
      return done < entry.count
        ? phrase(
          "Undone for %1$@ of %2$@: %3$@.", number(done), number(entry.count), describe(entry))
        : phrase("Undone: %1$@.", describe(entry))
    case .redone(let entry, let done):
      return done < entry.count
        ? phrase(
          "Redone for %1$@ of %2$@: %3$@.", number(done), number(entry.count), describe(entry))
        : phrase("Redone: %1$@.", describe(entry))
    case .nothingToUndo: return phrase("Nothing to undo.")
    case .nothingToRedo: return phrase("Nothing to redo.")
    case .cannotUndo(let entry, let reason, let remaining, let isRedo):
      let what = entry.map(describe) ?? ""
      return join(
        isRedo ? notRedone(what, remaining) : notUndone(what, remaining), sentence(for: reason))
    case .recovered(let recovery):
      let what = describe(recovery.entry)
      switch recovery.result {
      case .finished: return phrase("A run ended in the middle. Now finished: %1$@.", what)
      case .rolledBack:
        return phrase("A run ended in the middle. Everything is as before: %1$@.", what)
      case .partly:
        return phrase("A run ended in the middle. Partly done, nothing lost: %1$@.", what)
      }
    default: return ""
    }
  }

  private func notUndone(_ what: String, _ remaining: [String]) -> String {
    guard remaining.isEmpty else { return phrase("Not undone: %1$@.", names(remaining)) }
    return what.isEmpty ? phrase("Can't undo.") : phrase("Can't undo: %1$@.", what)
  }

  private func notRedone(_ what: String, _ remaining: [String]) -> String {
    guard remaining.isEmpty else { return phrase("Not redone: %1$@.", names(remaining)) }
    return what.isEmpty ? phrase("Can't redo.") : phrase("Can't redo: %1$@.", what)
  }

  /// A journal entry in words: "moved notes.txt to Docs".
  public func describe(_ entry: HistoryEntry) -> String {
    let what = names(
      entry.names.count > 3 ? Array(entry.names.prefix(2)) : entry.names, count: entry.count)
    switch entry.operation {
    case .copy: return phrase("copied %1$@ to %2$@", what, entry.place)
    case .move: return phrase("moved %1$@ to %2$@", what, entry.place)
    case .link: return phrase("linked %1$@ in %2$@", what, entry.place)
    case .open: return phrase("opened %1$@", what)
    case .remove: return phrase("moved %1$@ to the trash", what)
    }
  }
}
