extension Phrasebook {
  func historyText(_ announcement: Announcement) -> String {
    switch announcement {
    case .undone(let entry, let done, let isLate):
      // The disk that this is on did not answer, and the person was told that undo does not work; now
      // the disk has answered. %1$@ is what was taken back, such as "moved a.txt to Docs".
      if isLate, done == entry.count { return phrase("Undone after all: %1$@.", describe(entry)) }
      return done < entry.count
        ? phrase(
          // Ctrl+Z took a delivery back in part. %1$@ is for how many files, %2$@ of how many, %3$@
          // what it was, such as "moved a.txt to Docs".
          "Undone for %1$@ of %2$@: %3$@.", number(done), number(entry.count), describe(entry))
        // A folder that was made for the items goes with them.
        : join(
          backText(entry),
          entry.removedFolder.map { text(.vanished(name: $0, next: nil)) } ?? "")
    case .redone(let entry, let done, let isLate):
      // The disk that this is on did not answer, and the person was told that redo does not work; now
      // the disk has answered. %1$@ is what was done again, such as "moved a.txt to Docs".
      if isLate, done == entry.count { return phrase("Redone after all: %1$@.", describe(entry)) }
      return done < entry.count
        ? phrase(
          // Ctrl+Y did a delivery again in part. %1$@ is for how many files, %2$@ of how many, %3$@
          // what it was, such as "moved a.txt to Docs".
          "Redone for %1$@ of %2$@: %3$@.", number(done), number(entry.count), describe(entry))
        : againText(entry)
    // A while after Ctrl+Z, where much has to be taken back: it goes on.
    case .undoing(isRedo: false): return phrase("Undoing.")
    // A while after Ctrl+Y, where much has to be done again: it goes on.
    case .undoing(isRedo: true): return phrase("Redoing.")
    // Ctrl+Z was pressed, and nothing has been done that could be taken back.
    case .nothingToUndo: return phrase("Nothing to undo.")
    // Ctrl+Y was pressed, and nothing was taken back that could be done again.
    case .nothingToRedo: return phrase("Nothing to redo.")
    case .cannotUndo(let entry, let reason, let remaining, let isRedo):
      let what = entry.map(describe) ?? ""
      if reason == .replacedGone {
        return join(
          // A copy or move was taken back. What it had replaced is still missing; the reason follows.
          // %1$@ is one or more names.
          phrase("Not back: the old %1$@.", carried(remaining)), sentence(for: reason))
      }
      return join(
        isRedo ? notRedone(what, remaining) : notUndone(what, remaining), sentence(for: reason))
    case .recovered(let recovery):
      return recovery.result == .rolledBack && !recovery.stands
        ? nothingDone(recovery.entry)
        : recoveredText(
          recovery.result,
          recovery.entry.isUndone ? historyLine(recovery.entry) : describe(recovery.entry))
    default: return ""
    }
  }

  private func backText(_ entry: HistoryEntry) -> String {
    let isPlain = isPlain(entry)
    if isPlain, entry.operation == .copy || entry.operation == .link {
      let what = things(entry.things, entry.names, entry.count)
      // Ctrl+Z took back a copy, or the links that were made: they are gone from where they were put.
      // %1$@ is a name, or such as "3 files", %2$@ the folder.
      return phrase("Took back: %1$@ out of %2$@.", what, entry.place)
    }
    guard let origin = entry.origin, isPlain,
      entry.operation == .move || entry.operation == .remove
    else {
      // Ctrl+Z took a delivery back. %1$@ is what it was, such as "moved a.txt to Docs".
      return phrase("Undone: %1$@.", withReplaced(describe(entry), entry))
    }
    let what = things(entry.things, entry.names, entry.count)
    if isBrief {
      return entry.count == 1
        // Ctrl+Z took a move back. %1$@ is a file or folder.
        ? phrase("%1$@ is back.", what)
        // Ctrl+Z took a move back. %1$@ is such as "3 files".
        : phrase("%1$@ are back.", what)
    }
    return entry.count == 1
      // Ctrl+Z took a move back. %1$@ is a file or folder, %2$@ the folder that it came from.
      ? phrase("%1$@ is back in %2$@.", what, origin)
      // Ctrl+Z took a move back. %1$@ is such as "3 files", %2$@ the folder that they came from.
      : phrase("%1$@ are back in %2$@.", what, origin)
  }

  /// Whether what was delivered is all there is to say of it: no name was changed, nothing replaced.
  private func isPlain(_ entry: HistoryEntry) -> Bool {
    entry.formerName == nil && !entry.isFolderCreation && !entry.isMerge
      && entry.wayBack == .here && entry.replacedCount == 0
  }

  private func withReplaced(_ what: String, _ entry: HistoryEntry) -> String {
    if entry.replacedCount == 0 { return what }
    // A line of the history. %1$@ is what was done, such as "copied a.txt to Docs", %2$@ one or more
    // names: what had the name there before, and is in the trash now.
    return phrase("%1$@, replaced %2$@", what, names(entry.replaced, count: entry.replacedCount))
  }

  /// Begins with the verb, so that it is not mistaken for an undo.
  private func againText(_ entry: HistoryEntry) -> String {
    let what = things(entry.things, entry.names, entry.count)
    return switch entry.operation {
    case _ where !isPlain(entry), .open:
      // Ctrl+Y did something again. %1$@ is what it was, such as "renamed a.txt to b.txt".
      phrase("Done again: %1$@.", withReplaced(describe(entry), entry))
    // Ctrl+Y did a copy again. %1$@ is a name, or such as "3 files", %2$@ the folder.
    case .copy: phrase("Copied again: %1$@ to %2$@.", what, entry.place)
    // Ctrl+Y did a move again. %1$@ is a name, or such as "3 files", %2$@ the folder.
    case .move: phrase("Moved again: %1$@ to %2$@.", what, entry.place)
    // Ctrl+Y made symbolic links again. %1$@ is a name, or such as "3 files", %2$@ the folder.
    case .link: phrase("Linked again: %1$@ in %2$@.", what, entry.place)
    // Ctrl+Y moved something to the trash again. %1$@ is a name, or such as "3 files".
    case .remove: phrase("Moved to the trash again: %1$@.", what)
    }
  }

  private func recoveredText(_ result: Recovery.Result, _ what: String) -> String {
    switch result {
    // At the start, after the computer or the program stopped in the middle of a delivery. %1$@ is
    // what it was, such as "moved a.txt to Docs".
    case .finished: phrase("A run ended in the middle. Now finished: %1$@.", what)
    // At the start, after the computer or the program stopped in the middle of an undo. %1$@ is what
    // was to be undone and is not, such as "moved a.txt to Docs".
    case .rolledBack: phrase("A run ended in the middle. Everything is as before: %1$@.", what)
    // At the start, after the computer or the program stopped in the middle of a delivery. %1$@ is
    // what it was, such as "moved a.txt to Docs".
    case .partly: phrase("A run ended in the middle. Partly done, nothing lost: %1$@.", what)
    // At the start, after the computer or the program stopped in the middle of a delivery: some of the
    // files are not where they were, nor where they were to go; a disk may have been taken out. %1$@ is
    // what it was, such as "moved a.txt to Docs".
    case .unproved: phrase("A run ended in the middle. Some files are not found: %1$@.", what)
    // At the start, after the computer or the program stopped in the middle of a delivery: its disk,
    // such as one in the network, says nothing now, so that it is not known what became of it. %1$@
    // is what it was, such as "moved a.txt to Docs".
    case .waiting: phrase("A run ended in the middle. Its disk does not answer yet: %1$@.", what)
    }
  }

  /// For a delivery that left everything in place.
  private func nothingDone(_ entry: HistoryEntry) -> String {
    let what = things(entry.things, entry.names, entry.count)
    return switch entry.operation {
    case .copy where !entry.isFolderCreation:
      // At the start, after the computer or the program stopped before anything was copied. %1$@ is
      // what was to be copied: one or more names.
      phrase("A run ended in the middle. Nothing was copied: %1$@.", what)
    case .move where entry.formerName == nil, .remove:
      // At the start, after the computer or the program stopped before anything was moved, to a folder
      // or to the trash. %1$@ is what was to be moved: one or more names.
      phrase("A run ended in the middle. Nothing was moved: %1$@.", what)
    case .copy, .move, .link, .open:
      // At the start, after the computer or the program stopped before a folder or a symbolic link was
      // made, or something had its new name. %1$@ is one or more names.
      phrase("A run ended in the middle. Nothing was changed: %1$@.", what)
    }
  }

  private func notUndone(_ what: String, _ remaining: [String]) -> String {
    // A delivery could be taken back for some files only; the reason follows. %1$@ is the names of
    // the others.
    guard remaining.isEmpty else { return phrase("Not undone: %1$@.", carried(remaining)) }
    return what.isEmpty
      // Taking the newest delivery back did not work; the reason follows.
      ? phrase("Can't undo.")
      // Taking a delivery back did not work; the reason follows. %1$@ is what it was, such as
      // "moved a.txt to Docs".
      : phrase("Can't undo: %1$@.", what)
  }

  private func notRedone(_ what: String, _ remaining: [String]) -> String {
    // A delivery could be done again for some files only; the reason follows. %1$@ is the names of
    // the others.
    guard remaining.isEmpty else { return phrase("Not redone: %1$@.", carried(remaining)) }
    return what.isEmpty
      // Doing a delivery again did not work; the reason follows.
      ? phrase("Can't redo.")
      // Doing a delivery again did not work; the reason follows. %1$@ is what it was, such as
      // "moved a.txt to Docs".
      : phrase("Can't redo: %1$@.", what)
  }

  /// A journal entry in words, including its current state.
  ///
  /// A list identifies entries by names.
  package func historyLine(_ entry: HistoryEntry) -> String {
    var what = withReplaced(
      describe(
        entry,
        carried(entry.names.count > 3 ? Array(entry.names.prefix(2)) : entry.names, entry.count)),
      entry)
    if let visitor = entry.visitor {
      // A line of the history. %1$@ is what was done, such as "copied a.txt to Docs", %2$@ another
      // program, which has put it there.
      what = phrase("%1$@, dropped by %2$@", what, visitor)
    }
    // A line of the history: some of it was taken back. %1$@ is what was done, such as "moved 3 files to
    // Docs".
    if entry.isUndone, entry.isPartlyUndone { return phrase("%1$@, undone in part", what) }
    // A line of the history. %1$@ is what was done, such as "moved a.txt to Docs".
    if entry.isUndone { return phrase("%1$@, undone", what) }
    switch entry.wayBack {
    case .here: return what
    // A line of the history: a drop into a program, which alone could undo it. %1$@ is what was
    // done, such as "copied a.txt to Page".
    case .programs, .taken: return phrase("%1$@, can't be undone here", what)
    // A line of the history: a drop into a program, which did not say whether it took it, and which
    // alone could undo it. %1$@ is what was done, such as "copied a.txt to Page".
    case .unconfirmed: return phrase("%1$@, not confirmed, can't be undone here", what)
    }
  }

  /// A journal entry in words: "moved notes.txt to Docs".
  package func describe(_ entry: HistoryEntry) -> String {
    describe(entry, things(entry.things, entry.names, entry.count))
  }

  private func describe(_ entry: HistoryEntry, _ what: String) -> String {
    // Something that was done, in the history: a program took files, and nobody could see what it made
    // of them: it may show them, send them or copy them. %1$@ is the place, %2$@ one or more names.
    if entry.wayBack == .taken { return phrase("%1$@ took %2$@", entry.place, what) }
    // Something that was done, in the history and after "Can't undo:": a program was handed files, and
    // did not say that it has them. %1$@ is one or more names, %2$@ the place.
    if entry.wayBack == .unconfirmed { return phrase("sent %1$@ to %2$@", what, entry.place) }
    // Something that was done, in the history and after "Undone:": a folder was made. %1$@ is its
    // name, %2$@ the place.
    if entry.isFolderCreation { return phrase("made %1$@ in %2$@", what, entry.place) }
    if let former = entry.formerName {
      // Something that was done, in the history and after "Undone:". %1$@ is the old name of a file,
      // %2$@ its new one.
      return phrase("renamed %1$@ to %2$@", former, what)
    }
    // Something that was done, in the history and after "Undone:": folders were merged with those of the
    // same names. %1$@ is one or more names, %2$@ the place.
    if entry.isMerge { return phrase("merged %1$@ in %2$@", what, entry.place) }
    switch entry.operation {
    // Something that was done, in the history and after "Undone:". %1$@ is one or more names, %2$@
    // the place.
    case .copy: return phrase("copied %1$@ to %2$@", what, entry.place)
    // Something that was done, in the history and after "Undone:". %1$@ is one or more names, %2$@
    // the place.
    case .move: return phrase("moved %1$@ to %2$@", what, entry.place)
    // Something that was done, in the history and after "Undone:": symbolic links were made. %1$@
    // is one or more names, %2$@ the place.
    case .link: return phrase("linked %1$@ in %2$@", what, entry.place)
    // Something that was done, in the history and after "Undone:". %1$@ is one or more names.
    case .open: return phrase("opened %1$@", what)
    // Something that was done, in the history and after "Undone:". %1$@ is one or more names.
    case .remove: return phrase("moved %1$@ to the trash", what)
    }
  }
}
