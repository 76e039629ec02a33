extension Phrasebook {
  func confirmingText(_ announcement: Announcement) -> String {
    switch announcement {
    case .confirm(let question, _): confirmText(question)
    // A whole sentence is long enough without its position.
    case .choice(.help(let line), _, _, _) where line.isSentence: helpText(line)
    case .choice(.help(let line), let index, let total, _):
      join(helpText(line), isBrief ? "" : position(index, total))
    case .choice(let choice, _, _, _) where choice.standsAlone: closed(choiceName(choice))
    case .choice(let choice, let index, let total, let explains):
      join(
        closed(list([choiceName(choice), isBrief || !explains ? "" : consequence(choice)])),
        // Of one line it is clear which it is.
        isBrief || total == 1 ? "" : position(index, total))
    case .declined(let count):
      count == 0
        // A question or menu was left with Escape.
        ? term(in: "left a question", "Back.")
        // A question was left with Escape; nothing was done. %1$@ is such as "3 items".
        : phrase("Still holding %1$@.", items(count))
    default: ""
    }
  }

  func confirmText(_ question: Confirmation) -> String {
    switch question {
    case .clash(let names, let place):
      names.count == 1
        // A question before a drop; its answers follow, such as "Keep both". %1$@ is a name, %2$@
        // the folder in which that name exists.
        ? phrase("%1$@ exists in %2$@.", names[0], place)
        // A question before a drop; its answers follow, such as "Keep both". %1$@ is the
        // folder, %2$@ how many of the names exist in it already.
        : plural("%2$@ name exists in %1$@.", "%2$@ names exist in %1$@.", names.count, place)
    case .clashInside(let names, let isWhole):
      if !isWhole || names.isEmpty {
        // A question before two folders become one, which are too large to be looked through; its
        // answers follow, such as "Keep both".
        phrase("Names inside may exist there too.")
      } else if names.count == 1 {
        // A question before two folders become one; its answers follow, such as "Keep both". %1$@ is
        // the name of a file that is in both.
        phrase("Both have %1$@.", names[0])
      } else {
        // A question before two folders become one; its answers follow, such as "Keep both". %1$@ is
        // how many names of files are in both.
        plural("Both have %1$@ name.", "Both have %1$@ same names.", names.count)
      }
    case .partial(let accepted, let count, let place, isUncertain: true):
      // A question before a drop in a program that says yes to everything; its answers follow. %1$@
      // is the place, %2$@ how many items it may take, %3$@ how many are carried.
      phrase("%1$@ may take %2$@ of %3$@.", place, number(accepted), number(count))
    case .partial(let accepted, let count, let place, isUncertain: false):
      // A question before a drop; its answers follow. %1$@ is the place, %2$@ how many items it
      // takes, %3$@ how many are carried.
      phrase("%1$@ takes %2$@ of %3$@.", place, number(accepted), number(count))
    case .irreversible(let reason, _, _)
    where reason == .journalUnavailable || reason == .journalNewer:
      join(consequence(.journal(reason)), sentence(for: reason))
    case .irreversible(let reason, let operation, let place):
      join(
        operation == .remove
          // A question before files are deleted for good; its answers follow.
          ? phrase("Deleting can't be undone.")
          // A question before a drop; the reason and its answers follow. %1$@ is the place.
          : phrase("A drop in %1$@ can't be undone.", place), sentence(for: reason))
    case .actions(let names, let count):
      // The heading of a menu. %1$@ is one or more names.
      phrase("Actions for %1$@.", carried(names, count))
    case .deliveries(let count):
      count == 0
        // The list of running copies and moves is empty.
        ? phrase("Nothing is being delivered.")
        // The heading of the list of running copies and moves. %1$@ is their number.
        : plural("%1$@ delivery runs.", "%1$@ deliveries run.", count)
    // In place of a list of what was done.
    case .history(count: 0): phrase("Nothing has been done yet.")
    case .history: closed(choiceName(.history))
    case .help: closed(capitalised(describe(.help)))
    // The heading of a line to type in: only names with that text in them are shown then.
    case .filter: phrase("Filter: type part of a name.")
    // The heading of a line to type in. Tab is a key.
    case .goTo: phrase("Go to: type a path. Tab completes it.")
    // The heading of a line to type in. %1$@ is the folder in which a folder is to be made.
    case .newFolder(let place): phrase("Name of the new folder in %1$@.", place)
    // The heading of a line to type in. %1$@ is a file or folder.
    case .rename(let name): phrase("New name of %1$@.", name)
    case .details(let place?, let count):
      // The heading of a list of what is carried, each item with whether it is accepted. %1$@ is a
      // place to drop at, %2$@ how many items there are.
      plural("At %1$@, %2$@ item.", "At %1$@, %2$@ items.", count, place)
    // The heading of a list of what is carried. %1$@ is such as "3 items".
    case .details(nil, let count): phrase("Holding %1$@.", items(count))
    case .position(let name, let count):
      // A question: which place an item of an ordered list is to have. The person types a number.
      // %1$@ is the item, %2$@ how many items there are.
      phrase("Type the new position of %1$@, 1 to %2$@.", name, number(count))
    case .olderUndo(let line):
      // A question before undo goes further back than the session; its answers follow. %1$@ is when it
      // was, such as "on Tuesday" or "2026-11-17 14:05", %2$@ what was done, such as "moved 3 files
      // to Docs".
      phrase("%1$@: %2$@. Undo it?", capitalised(day(of: line)), describe(line.entry))
    case .quitting(let count):
      // A question when the program is to end while it copies or moves; its answers follow. %1$@ is
      // how many copies and moves run.
      plural("%1$@ delivery still runs.", "%1$@ deliveries still run.", count)
    }
  }

  private func day(of line: HistoryLine) -> String {
    switch line.weekday {
    // When something was done, in a sentence.
    case 0?: term(in: "a day", "on Sunday")
    // When something was done, in a sentence.
    case 1?: term(in: "a day", "on Monday")
    // When something was done, in a sentence.
    case 2?: term(in: "a day", "on Tuesday")
    // When something was done, in a sentence.
    case 3?: term(in: "a day", "on Wednesday")
    // When something was done, in a sentence.
    case 4?: term(in: "a day", "on Thursday")
    // When something was done, in a sentence.
    case 5?: term(in: "a day", "on Friday")
    // When something was done, in a sentence.
    case 6?: term(in: "a day", "on Saturday")
    default: line.when
    }
  }

  /// Short, verb first.
  func choiceName(_ choice: Choice) -> String {
    switch choice {
    // An answer where a name exists: the new file gets another name.
    case .keepBoth: term(in: "choice", "Keep both")
    // An answer where folders of one name exist: they become one.
    case .merge: term(in: "choice", "Merge")
    // An answer where a name exists: the old file goes to the trash.
    case .replace: term(in: "choice", "Replace")
    // An answer where a name exists: that file is not copied or moved.
    case .skip: term(in: "choice", "Skip")
    // An answer that does nothing: go on carrying.
    case .keepHolding: term(in: "choice", "Keep holding")
    // The first line of a menu, which does nothing but close it.
    case .leave: term(in: "choice", "Leave as it is")
    case .dropAccepted(let count, _):
      // An answer where a place takes only some of the items. %1$@ is how many it takes.
      plural("Drop the %1$@ accepted", "Drop the %1$@ accepted", count)
    case .proceed(let operation): proceedName(operation)
    case .transferTo(let operation): transferName(operation)
    case .reorder(let direction): reorderName(direction)
    case .moveToPosition: capitalised(describe(.moveToPosition))
    case .rename: capitalised(describe(.rename))
    // An answer where a name exists: the person types another name for what is dropped.
    case .newName: term(in: "choice", "Rename…")
    case .position(let index, let total): position(index, total)
    // A menu's line. %1$@ is a program.
    case .openWith(let program): term(in: "choice", "Open with %1$@", program)
    // A menu's line: print the file on paper.
    case .print: term(in: "choice", "Print")
    // A menu's line: put the file into the trash.
    case .trash: term(in: "choice", "Move to the trash")
    // A menu's line: other programs can paste the file then. The clipboard is where Copy puts something
    // and Paste takes it from.
    case .clipboard: term(in: "choice", "Copy to the clipboard")
    // A line of the list of deliveries: brings the window of a program to the front that asks what to
    // do with a drop.
    case .goToQuestion: term(in: "choice", "Go to the question")
    case .goToLanded: capitalised(describe(.goToLanded))
    case .undo: capitalised(describe(.undo))
    case .redo: capitalised(describe(.redo))
    // What was done, as a list that is walked.
    case .history: term(in: "part", "History")
    case .quit: capitalised(describe(.quit))
    case .line(let text, let isSelected):
      // Said after a name that is offered for editing: the first letter that is typed replaces it.
      list([typed(text), isSelected ? term(in: "text", "selected") : ""])
    case .held(let name, let verdict): list([name, itemVerdictText(verdict)])
    // An answer when the program is to end while it copies or moves.
    case .endAfter: term(in: "choice", "Wait for it, then end")
    // An answer when the program is to end while it copies or moves.
    case .endAndTakeBack: term(in: "choice", "Stop and end")
    case .entry(let line): list([historyLine(line.entry), line.when])
    case .help(let line): helpText(line)
    case .delivery(_, let operation, let names, let count, let percent):
      list([progressText(operation, carried(names, count)), percent.map(self.percent) ?? ""])
    }
  }

  func filteredText(_ text: String, _ count: Int, _ total: Int, _ isAsked: Bool) -> String {
    guard !text.isEmpty else {
      // There is no filter any more. %1$@ is how many names there are.
      return plural("Filter off, %1$@ shown.", "Filter off, all %1$@ shown.", total)
    }
    // Part of a name was typed to narrow a list, and no name has it. %1$@ is what was typed.
    if count == 0 { return phrase("Nothing has %1$@ in its name.", typed(text)) }
    // Part of a name was typed to narrow a list. %1$@ is how many names have it.
    let matches = plural("%1$@ match.", "%1$@ matches.", count)
    return isAsked ? placed(filterName(text), matches) : matches
  }

  func filterName(_ text: String) -> String {
    // A list is narrowed to names with a text in them. %1$@ is that text.
    phrase("Filter %1$@", typed(text))
  }

  private func itemVerdictText(_ verdict: Verdict) -> String {
    switch verdict.word {
    case .asking, .cancel: ""
    // Beside an item that is carried: the place takes it.
    case .accept, .partial: term(in: "an item", "accepted")
    // Beside an item that is carried: the place takes it perhaps.
    case .maybe: term(in: "an item", "perhaps accepted")
    case .refuse, .forbidden:
      // Beside an item that is carried: the place does not take it. %1$@ is why, such as "it is full".
      term(in: "an item", "refused, %1$@", short(verdict.reason ?? .unknown))
    }
  }

  private func proceedName(_ operation: DragOperation) -> String {
    switch operation {
    // An answer after a warning that it can't be undone.
    case .copy: term(in: "choice", "Copy all the same")
    // An answer after a warning that it can't be undone.
    case .move: term(in: "choice", "Move all the same")
    // An answer after a warning that it can't be undone: make a symbolic link.
    case .link: term(in: "choice", "Link all the same")
    // An answer after a warning that it can't be undone: open with a program.
    case .open: term(in: "choice", "Open all the same")
    // An answer after a warning that it can't be undone: there is no trash to get it back from.
    case .remove: term(in: "choice", "Delete for good")
    }
  }

  private func transferName(_ operation: DragOperation) -> String {
    switch operation {
    // A menu's line: pick up, to copy to a place that is chosen next.
    case .copy: term(in: "choice", "Copy to…")
    // A menu's line: pick up, to move to a place that is chosen next.
    case .move: term(in: "choice", "Move to…")
    // A menu's line: pick up, to make a symbolic link in a place that is chosen next.
    case .link: term(in: "choice", "Link to…")
    case .open, .remove: capitalised(verb(operation))
    }
  }

  private func reorderName(_ direction: Reordering) -> String {
    switch direction {
    // A menu's line: one position up in an ordered list.
    case .up: term(in: "choice", "Move up")
    // A menu's line: one position down in an ordered list.
    case .down: term(in: "choice", "Move down")
    // A menu's line: to the first position of an ordered list.
    case .top: term(in: "choice", "Move to the top")
    // A menu's line: to the last position of an ordered list.
    case .bottom: term(in: "choice", "Move to the bottom")
    }
  }

  func consequence(_ choice: Choice) -> String {
    switch choice {
    // Effect of the answer "Keep both"; follows it after a comma.
    case .keepBoth: phrase("the new one gets another name")
    // Effect of the answer "Merge"; follows it after a comma.
    case .merge: phrase("the two folders become one")
    // Effect of the answer "Rename…"; follows it after a comma.
    case .newName: phrase("you type its name")
    // Effect of the answer "Replace"; follows it after a comma.
    case .replace: phrase("the old one goes to the trash")
    // Effect of the answer "Skip"; follows it after a comma.
    case .skip: phrase("what clashes stays where it is")
    // Effect of the answer "Keep holding"; follows it after a comma.
    case .keepHolding: phrase("nothing is dropped")
    case .dropAccepted(_, let refused):
      // Effect of the answer "Drop the 2 accepted"; follows it after a comma. %1$@ is how many
      // items are not taken.
      plural("%1$@ stays where it is", "%1$@ stay where they are", refused)
    // Effect of the answer "Stop and end" on the part that is copied; follows it after a comma.
    case .endAndTakeBack: phrase("what is done of it is taken back")
    // In the list of running copies, after one of them and a comma. Delete is a key.
    case .delivery: phrase("Delete cancels it")
    case .entry(let line) where line.entry.isUndone || line.entry.wayBack != .here: ""
    // In the list of what was done, after one line and a comma. Enter is a key.
    case .entry: phrase("Enter undoes it")
    default: ""
    }
  }
}
