extension Phrasebook {
  func outcomeText(_ announcement: Announcement) -> String {
    switch announcement {
    case .refused(let name, let reason, let isHeld):
      return join(
        // Enter was pressed at a place that does not take what is carried; the reason follows. %1$@
        // is the place.
        reason.isOfSource ? "" : phrase("%1$@ refuses.", name), sentence(for: reason),
        // After the reason why a drop was refused: everything is still carried.
        isHeld && !isBrief ? phrase("Still held.") : "")
    case .delivering(let operation, let names, let count, let bytes):
      // A moment after the key that drops, where nothing has come of it yet.
      if names.isEmpty { return phrase("Dropping.") }
      let what = progressText(operation, carried(names, count))
      return closed(list([what, isBrief ? "" : bytes.map(size) ?? ""]))
    case .progress(let percent, _, let total, let bytes, let names):
      let progress = percent.map(self.percent) ?? size(bytes)
      return isBrief && total > 1
        ? closed(progress)
        // How far a copy or move is. %1$@ is one or more names, %2$@ such as "45%" or "12 MB".
        : phrase("%1$@: %2$@.", self.names(names, count: total), progress)
    case .delivered(let report): return deliveredText(report)
    case .partlyDelivered(let report) where report.isSkipping:
      let failures = report.result.failures
      return join(
        report.result.delivered == 0 ? "" : someText(report), replacedText(report),
        // After a drop: of what was dropped this stayed where it was, as the person had chosen, as
        // the name exists at the place. %1$@ is one or more names.
        phrase("Skipped: %1$@.", carried(failures.prefix(3).map(\.name), failures.count)),
        leadsNowhereText(report.result.leadNowhere), leftOutText(report), nowAt(report))
    case .partlyDelivered(let report):
      let failures = report.result.failures
      return join(
        failures.isEmpty
          ? deliveredText(report)
          : join(
            someText(report), replacedText(report),
            leadsNowhereText(report.result.leadNowhere), newNamesText(report)),
        failuresText(failures), leftOutText(report), failures.isEmpty ? "" : nowAt(report))
    case .unconfirmed(let names, let count, let place, let question, let isTaken, let gone, let app):
      return join(
        unconfirmedText(
          carried(names, count), inProgram(place, app), question, isTaken: isTaken),
        goneText(gone))
    case .failed(let names, let count, let reason):
      return join(
        // A copy or move did not work; the reason follows. %1$@ is one or more names.
        phrase("Failed: %1$@.", carried(names, count)), sentence(for: reason),
        // After a failure and its reason: the files are still where they were.
        isBrief || reason == .gone ? "" : phrase("Nothing is lost."))
    case .deliveryCancelled(let names, let done, let remaining, let untouched):
      return cancelledText(
        carried(names, done + remaining), done, remaining, untouched)
    case .tooLate(let names, let count):
      // A delivery was to be cancelled, and is out of our hands: the program that it goes to has got
      // all of it. %1$@ is one or more names.
      return phrase("Too late to cancel %1$@: the program has it.", carried(names, count))
    case .task(let task, let program, let stage): return taskText(task, program, stage)
    default: return ""
    }
  }

  /// Items that left their place in a drop with an unknown outcome.
  private func goneText(_ names: [String]) -> String {
    if names.isEmpty { return "" }
    return isBrief
      // Files are no longer in the folder in which they were, so that a program may have moved them.
      ? phrase("Gone from its place.")
      // Files are no longer in the folder in which they were, so that a program may have moved them.
      // %1$@ is one or more names.
      : phrase("No longer in its old place: %1$@.", things(.items, names, names.count))
  }

  private func unconfirmedText(
    _ what: String, _ place: String, _ question: ProgramQuestion?, isTaken: Bool
  ) -> String {
    if question == .answered {
      // After a drop a program asked what to do, and the person has answered: what was dropped is
      // not to be seen there, perhaps because the answer was no; what bears its name there is what was
      // there before. %1$@ is the program's place, %2$@ one or more names.
      return phrase("Not seen in %1$@: %2$@.", place, what)
    }
    if isTaken, question == nil {
      return isBrief
        // A program says that it has what was dropped; nothing shows what it made of that. %1$@ is the
        // place, %2$@ one or more names.
        ? phrase("%1$@ took %2$@, not confirmed.", place, what)
        // A program says that it has what was dropped; nothing shows what it made of that: it may show
        // it, send it, copy it or do nothing. %1$@ is the place, %2$@ one or more names.
        : phrase("%1$@ took %2$@. What came of it can't be seen.", place, what)
    }
    if isBrief { return brieflyUnconfirmed(what, question) }
    let sent =
      isTaken
      // A program says that it has what was dropped; words that it shows follow. %1$@ is the place,
      // %2$@ one or more names.
      ? phrase("%1$@ took %2$@.", place, what)
      // A program was handed the items; what it asks or shows follows. %1$@ is one or more names, %2$@
      // the program's place.
      : phrase("%1$@ sent to %2$@.", what, place)
    // A program was handed the items and did not say that it has them. %1$@ is one or more names,
    // %2$@ the program's place.
    let doubted = phrase("%1$@ sent to %2$@; it did not confirm.", what, place)
    return switch question {
    // A new file, folder or window is there. %1$@ is its name.
    case .window(let title): join(doubted, phrase("%1$@ appeared.", title))
    case .dialog(let title, let hasKeyboard, let buttons, let words):
      join(
        sent, words.isEmpty ? "" : says(words),
        title.isEmpty
          // After a drop the program asks in a window without a title, or in a menu, what to do.
          ? phrase("The program waits for your answer.")
          // After a drop the program asks in a window what to do. Nothing is done before the person
          // has answered there. %1$@ is the window's title, such as "Import".
          : phrase("%1$@ is open and waits for your answer.", title),
        // After the word that a window of a program asks what to do with a drop. %1$@ is what its
        // buttons say, such as "Cancel, Move".
        buttons.isEmpty ? "" : phrase("It offers: %1$@.", list(buttons)),
        hasKeyboard ? "" : keyboardIsElsewhere)
    // After a drop the program asks in a menu what to do, such as to copy or to cancel. It is open and
    // has the keyboard; nothing is done before the person has chosen.
    case .menu: join(sent, phrase("A menu of the program is open and waits for your answer."))
    case .tells(let words, let window):
      join(
        sent, window.isEmpty ? "" : phrase("%1$@ appeared.", window), says(words))
    // After a drop into a program, which asks and tells nothing: its window looks as before.
    case .unchanged: join(sent, phrase("The window has not changed."))
    case .answered, nil: doubted
    }
  }

  /// The question alone, if there is one: it implies that the drop has had no effect yet.
  private func brieflyUnconfirmed(_ what: String, _ question: ProgramQuestion?) -> String {
    // A program was handed the items and did not say that it has them. %1$@ is one or more names.
    let sent = phrase("%1$@ sent, not confirmed.", what)
    return switch question {
    // A new file, folder or window is there. %1$@ is its name.
    case .window(let title): join(sent, phrase("%1$@ appeared.", title))
    case .dialog(let title, let hasKeyboard, _, let words):
      join(
        !words.isEmpty
          ? says(words)
          : title.isEmpty
            // After a drop the program asks in a window without a title, or in a menu, what to do.
            ? phrase("The program waits for your answer.")
            // After a drop the program asks in a window what to do. %1$@ is the window's title.
            : phrase("%1$@ waits for your answer.", title), hasKeyboard ? "" : keyboardIsElsewhere)
    // After a drop the program asks in a window without a title, or in a menu, what to do.
    case .menu: phrase("The program waits for your answer.")
    case .tells(let words, _): says(words)
    // After a drop into a program, whose window looks as before. %1$@ is one or more names.
    case .unchanged: phrase("%1$@ sent, nothing changed.", what)
    case .answered, nil: sent
    }
  }

  private func says(_ words: String) -> String {
    // After a drop of which nothing else can be seen: a program shows these words of its own in a
    // window or a bar, such as "Could not open notes.txt". %1$@ is its words, with a full stop.
    phrase("The program says: %1$@", closed(words))
  }

  private var keyboardIsElsewhere: String {
    // After the word that a window of a program waits for an answer: another window is in front, and gets
    // the keys.
    if isBrief { return phrase("It does not have the keyboard.") }
    return isOneShot
      // After the word that a window of a program waits for an answer: another window is in front, and
      // gets the keys. The person switches windows with the keys of the desktop.
      ? phrase("It does not have the keyboard. Switch to it first.")
      // After the word that a window of a program waits for an answer: another window is in front,
      // and gets the keys. "Go to the question" is a line of the list of deliveries.
      : phrase("Go to the question first.")
  }

  private func cancelledText(
    _ what: String, _ done: Int, _ remaining: Int, _ untouched: DragOperation?
  ) -> String {
    switch untouched {
    // A running copy was cancelled before anything was copied. %1$@ is one or more names.
    case .copy?: return phrase("Cancelled: %1$@, nothing was copied.", what)
    // A running move was cancelled before anything was moved. %1$@ is one or more names.
    case .move?, .remove?: return phrase("Cancelled: %1$@, nothing was moved.", what)
    case .link?, .open?, nil: break
    }
    if done + remaining == 0, !isBrief {
      // A running copy or move of a folder was cancelled: some of what is in it is done, the rest is
      // not. %1$@ is one or more names.
      return phrase("Cancelled %1$@: only part of it is done.", what)
    }
    return isBrief
      // A running copy or move was cancelled. %1$@ is one or more names.
      ? phrase("Cancelled %1$@.", what)
      // A running copy or move was cancelled. %1$@ is one or more names, %2$@ how many files are
      // done, %3$@ how many are not.
      : phrase("Cancelled %1$@: %2$@ done, %3$@ not.", what, number(done), number(remaining))
  }

  private func deliveredText(_ report: DeliveredReport) -> String {
    let what =
      report.result.effect == .pathsWritten
      ? carried(report.names, report.result.delivered)
      : things(report.things, report.names, report.result.delivered)
    if report.result.effect == .nothing { return failureText(what, .samePlace) }
    var text = join(missedText(report, what) ?? doneText(report, what), replacedText(report))
    text = join(text, report.result.textPosition.map(textPositionText) ?? "")
    text = join(text, leadsNowhereText(report.result.leadNowhere))
    text = join(text, newNamesText(report))
    if report.result.delivered == 1, !isBrief, let index = report.index, let total = report.total {
      text = join(text, closed(position(index, total)))
    }
    text = join(text, nowAt(report))
    // After the first drop of a run. %1$@ is a key, which undoes or leads to where undo is offered.
    let undo = report.undoKey.map { phrase("%1$@ to undo.", keyName($0)) }
    return join(text, isBrief ? "" : undo ?? "")
  }

  private func nowAt(_ report: DeliveredReport) -> String {
    report.next.flatMap { isBrief ? nil : nowAtText($0) } ?? ""
  }

  func nowAtText(_ name: String) -> String {
    // After a drop: where the person is. %1$@ is the item in focus.
    phrase("Now at %1$@.", name)
  }

  private func newNamesText(_ report: DeliveredReport) -> String {
    guard let first = report.result.renamed.first else { return "" }
    let isOne = report.result.renamed.count == 1 && !report.result.renamesInside
    return isOne && (report.result.delivered == 1 || report.result.failures.isEmpty)
      // After a copy that kept both files: the new one's name. %1$@ is that name.
      ? phrase("It is named %1$@ there.", first)
      : renamedText(report.result.renamed)
  }

  private func renamedText(_ renamed: [String]) -> String {
    isBrief
      // After a copy that kept both: how many files were given another name. %1$@ is the number.
      ? plural("%1$@ got another name.", "%1$@ got other names.", renamed.count)
      : plural(
        // After a copy that kept both: the new names. %1$@ is one or more names, %2$@ how many files
        // were given another name.
        "%2$@ got another name: %1$@.", "%2$@ got other names: %1$@.", renamed.count,
        names(Array(renamed.prefix(3)), count: renamed.count))
  }

  private func replacedText(_ report: DeliveredReport) -> String {
    guard !report.result.replaced.isEmpty else { return "" }
    let names = names(report.result.replaced, count: report.result.replaced.count)
    // After a copy or move: what had the name there before, and is in the trash now. %1$@ is one or
    // more names.
    return phrase("Replaced %1$@.", names)
  }

  func leadsNowhereText(_ names: [String]) -> String {
    if names.isEmpty { return "" }
    return plural(
      // At a place to drop, or after a drop there: a symbolic link that can't be followed from that
      // place. %1$@ is one or more names, %2$@ how many.
      "%1$@ leads nowhere there.", "%1$@ lead nowhere there.", names.count,
      carried(Array(names.prefix(3)), names.count))
  }

  /// `nil` if it went to the intended place.
  private func missedText(_ report: DeliveredReport, _ what: String) -> String? {
    report.missed.map { missed in
      join(
        // After a drop into a program, which put the files into another folder than the person had
        // chosen. %1$@ is one or more names, %2$@ the folder in which they are, %3$@ the chosen one.
        phrase("%1$@ went into %2$@, not %3$@.", what, report.place, missed),
        // After the word that a program put what was dropped into another folder than the chosen one.
        isBrief ? "" : phrase("Undo takes it back."))
    }
  }

  private func doneText(_ report: DeliveredReport, _ what: String) -> String {
    let place = inProgram(report.place, report.app)
    if report.result.effect == .pathsWritten {
      return report.result.delivered == 1
        // After a drop: no file was copied; its path was written into a text as words. %1$@ is the
        // file's name, %2$@ the place.
        ? phrase("Only the path of %1$@ was written into %2$@.", what, place)
        // After a drop: no files were copied; their paths were written into a text as words. %1$@ is
        // several names, %2$@ the place.
        : phrase("Only the paths of %1$@ were written into %2$@.", what, place)
    }
    if report.result.effect == .listed {
      // After a drop: a program lists the files now, as in a playlist, by their paths; nothing was
      // copied. %1$@ is one or more names, %2$@ the place.
      return phrase("Added %1$@ to %2$@.", what, place)
    }
    return switch (report.operation, report.task) {
    // A drop on Print is done. %1$@ is one or more names.
    case (_, .print): phrase("Sent %1$@ to the printer.", what)
    // A drop is done. %1$@ is one or more names, %2$@ the place.
    case (.copy, _): phrase("Copied %1$@ to %2$@.", what, place)
    // A drop is done. %1$@ is one or more names, %2$@ the place.
    case (.move, _): phrase("Moved %1$@ to %2$@.", what, place)
    // A drop is done: symbolic links were made. %1$@ is one or more names, %2$@ the place.
    case (.link, _): phrase("Linked %1$@ in %2$@.", what, place)
    // A drop is done. %1$@ is one or more names, %2$@ a program.
    case (.open, _): phrase("Opened %1$@ with %2$@.", what, place)
    // A drop on the trash is done. %1$@ is one or more names.
    case (.remove, _): phrase("Moved %1$@ to the trash.", what)
    }
  }

  /// The name of a single item, or the number of several.
  func things(_ things: ItemNoun, _ names: [String], _ count: Int) -> String {
    guard count != 1 || names.isEmpty else { return names[0] }
    return switch things {
    case .files: files(count)
    case .folders: folders(count)
    case .items: items(count)
    }
  }

  /// "Docs, in Thunar"; the place alone if its name contains the program's, or the reverse.
  private func inProgram(_ place: String, _ app: String?) -> String {
    guard let app, !isBrief, !place.contains(app), !app.contains(place) else {
      return place
    }
    return placeName(place, in: app, app: nil)
  }

  private func someText(_ report: DeliveredReport) -> String {
    missedText(report, things(report.things, report.names, report.result.delivered))
      ?? partlyText(report, of: report.result.delivered + report.result.failures.count)
  }

  /// "Copied 2 of 3 to Docs."
  private func partlyText(_ report: DeliveredReport, of total: Int) -> String {
    let (done, all) = (number(report.result.delivered), number(total))
    let place = inProgram(report.place, report.app)
    return switch report.operation {
    // A drop worked for some files only; what failed follows. %1$@ is how many were copied, %2$@ of
    // how many, %3$@ the place.
    case .copy: phrase("Copied %1$@ of %2$@ to %3$@.", done, all, place)
    // A drop worked for some files only; what failed follows. %1$@ is how many were moved, %2$@ of
    // how many, %3$@ the place.
    case .move: phrase("Moved %1$@ of %2$@ to %3$@.", done, all, place)
    // A drop worked for some files only; what failed follows. %1$@ is to how many a symbolic link
    // was made, %2$@ of how many, %3$@ the place.
    case .link: phrase("Linked %1$@ of %2$@ in %3$@.", done, all, place)
    // A drop worked for some files only; what failed follows. %1$@ is how many were opened, %2$@ of
    // how many.
    case .open: phrase("Opened %1$@ of %2$@.", done, all)
    // A drop worked for some files only; what failed follows. %1$@ is how many were moved, %2$@ of
    // how many.
    case .remove: phrase("Moved %1$@ of %2$@ to the trash.", done, all)
    }
  }

  /// "Left out: pipe. A device or pipe has no contents to copy."
  private func leftOutText(_ report: DeliveredReport) -> String {
    guard !report.result.leftOut.isEmpty else { return "" }
    return join(
      report.operation == .copy
        ? leftOutNames(report.result.leftOut)
        // After a folder was moved: what in it could not be moved, and is still where it was; the
        // reason may follow. %1$@ is one or more names.
        : phrase("Left where it was: %1$@.", names(of: report.result.leftOut)),
      isBrief ? "" : commonSentence(report.result.leftOut))
  }

  /// "Left out: pipe."
  func leftOutNames(_ parts: [DeliveryFailure]) -> String {
    // After a folder was copied: what in it could not be copied; the reason may follow. %1$@ is
    // one or more names.
    phrase("Left out: %1$@.", names(of: parts))
  }

  func commonSentence(_ parts: [DeliveryFailure]) -> String {
    guard let reason = parts.first?.reason, parts.allSatisfy({ $0.reason == reason }) else {
      return ""
    }
    return sentence(for: reason)
  }

  private func names(of parts: [DeliveryFailure]) -> String {
    carried(parts.prefix(3).map(\.name), parts.count)
  }

  func failuresText(_ failures: [DeliveryFailure]) -> String {
    guard let first = failures.first else { return "" }
    let isOne = failures.allSatisfy { $0.reason == first.reason }
    // What has arrived all the same is never among those of which nothing did.
    let doubled = failures.filter { $0.reason == .bothHold }
    if !isOne, !doubled.isEmpty {
      return join(failuresText(failures.filter { $0.reason != .bothHold }), failuresText(doubled))
    }
    if !isOne, !isBrief, failures.count < 4 {
      return failures.reduce("") { join($0, failureText($1.name, $1.reason)) }
    }
    let named =
      failures.count == 1
      ? first.name : carried(failures.prefix(3).map(\.name), failures.count)
    return notDoneText(named, isOne ? first.reason : nil)
  }

  /// - Parameter reason: `nil` for several.
  func notDoneText(_ named: String, _ reason: Reason?) -> String {
    reason.map { failureText(named, $0) }
      // Before a drop, or after one that worked for some files only: what will not be, or was not,
      // copied or moved, for several reasons. %1$@ is several names.
      ?? phrase("Not included: %1$@.", named)
  }

  func failureText(_ named: String, _ reason: Reason) -> String {
    // After a drop that worked for some files only, or changed nothing, or where something can't be added
    // to what is carried. %1$@ is one or more names, %2$@ why, such as "it is gone" or "it is there
    // already".
    term(in: "a failure", "%1$@: %2$@.", named, short(reason))
  }

  /// "Copying notes.txt".
  func progressText(_ operation: DragOperation, _ what: String) -> String {
    switch operation {
    // A running delivery, without a full stop. %1$@ is one or more names.
    case .copy: phrase("Copying %1$@", what)
    // A running delivery, without a full stop. %1$@ is one or more names.
    case .move: phrase("Moving %1$@", what)
    // A running delivery that makes symbolic links, without a full stop. %1$@ is one or more names.
    case .link: phrase("Linking %1$@", what)
    // A running delivery, without a full stop. %1$@ is one or more names.
    case .open: phrase("Opening %1$@", what)
    // A running delivery, without a full stop. %1$@ is one or more names.
    case .remove: phrase("Moving to the trash: %1$@", what)
    }
  }

  /// The name of a task place, as displayed, spoken and typed.
  ///
  /// - Parameter program: the one that ``TaskPoint/openWith`` starts.
  package func name(of task: TaskPoint, program: String? = nil) -> String {
    switch task {
    // A place to drop at: files dropped there go to the trash.
    case .trash: term(in: "a place", "Trash")
    // A place to drop at: files dropped there are printed on paper.
    case .print: term(in: "a place", "Print")
    // A place to drop at: other programs can paste the files then. The clipboard is where Copy puts
    // something and Paste takes it from.
    case .clipboard: term(in: "a place", "Clipboard")
    case .openWith:
      term(
        // A place to drop at: files dropped there are opened. %1$@ is a program, or "a program".
        in: "a place", "Open with %1$@",
        // Stands for the name of a program that is not known.
        program ?? phrase("a program"))
    // A place to drop at: a folder is made for what is dropped, and its name is typed.
    case .newFolder: program ?? term(in: "a place", "New folder…")
    }
  }

  /// The place in a folder that makes a new folder for a drop.
  package func newFolderName(in folder: String) -> String {
    // A place to drop at: a folder is made there for what is dropped, and its name is typed. %1$@ is
    // the folder in which it is made.
    term(in: "a place", "New folder in %1$@…", folder)
  }

  private func taskText(_ task: TaskPoint, _ program: String?, _ stage: TaskStage) -> String {
    let name = name(of: task, program: program)
    switch stage {
    // Something that may take a while began. %1$@ is a task, such as "Print".
    case .started: return phrase("%1$@: started.", name)
    // Something that may take a while has ended well. %1$@ is a task, such as "Print".
    case .finished: return phrase("%1$@: done.", name)
    // Something did not work. %1$@ is a task, such as "Print".
    case .failed: return phrase("%1$@: failed.", name)
    }
  }
}
