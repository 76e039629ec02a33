extension Phrasebook {
  package func text(_ announcement: Announcement) -> String {
    switch announcement {
    case .ready, .item, .empty, .listing, .nothingLanded, .shown, .edge, .noMatch, .filtered, .echo,
      .completed,
      .cannotName, .renamed, .facts, .made, .selected,
      .deselected,
      .nothingToPickUp,
      .appeared, .vanished, .moved, .mode, .left, .opening, .opened, .cannotOpen:
      browsingText(announcement)
    case .pickingUp, .pickedUp, .points, .nothingAccepts, .added, .refusedToAdd, .heldAlready,
      .removed, .dropPoint,
      .details,
      .backAtSource, .operation, .operationUnavailable, .holding, .sessionEnded, .cancelled,
      .keyboard:
      carryingText(announcement)
    case .confirm, .choice, .declined:
      confirmingText(announcement)
    case .refused, .delivering, .progress, .delivered, .partlyDelivered, .unconfirmed, .failed,
      .deliveryCancelled, .tooLate, .task:
      outcomeText(announcement)
    case .undone, .redone, .undoing, .nothingToUndo, .nothingToRedo, .cannotUndo, .recovered:
      historyText(announcement)
    case .help(_, isList: true): confirmText(.help)
    case .help(let lines, isList: false): lines.map(helpText).reduce("") { join($0, $1) }
    case .unknownKey(let stroke, let hasHelp): unknownKeyText(stroke, hasHelp)
    case .problem(let problem): problemText(problem)
    // The last words of a session that the person ends.
    case .goodbye: phrase("Goodbye.")
    // While carrying: the name of a place may be typed now.
    case .finding: phrase("Type a name, then Enter.")
    case .agentReady(let stroke): readyText(stroke)
    case .lesson(let lesson): lessonText(lesson)
    case .ofProgram(.visitor(let name), let announcement):
      isBrief
        ? placed(name, text(announcement))
        // Another program has put something into a folder that is shown here; what came of it follows,
        // such as "Copied notes.txt to Docs." %1$@ is the program, %2$@ one or more sentences.
        : phrase("Dropped here by %1$@. %2$@", name, text(announcement))
    case .ofProgram(.witness(let name), let announcement):
      // After a drop into another program: what that program says has come of it, which nobody can
      // check, such as "Copied notes.txt to Docs." %1$@ is the program, %2$@ one or more sentences.
      phrase("%1$@ says: %2$@", name, text(announcement))
    }
  }

  private func lessonText(_ lesson: Lesson) -> String {
    switch lesson {
    case .mention:
      // Said once, to somebody who starts the program for the first time. keydrag tour stays as it is.
      return phrase("keydrag tour shows drag and drop in five steps.")
    case .step(let line, let index, let total, let leaving):
      let greeting = leaving.map { key in
        phrase(
          // The first words of the tour, which is a short training. %1$@ is a key.
          "A tour. %1$@ leaves it.",
          keyName(key))
      }
      return join(
        greeting ?? "",
        // The tour: which of its steps this is. A key and what it does follow, such as "Space: pick
        // up." %1$@ and %2$@ are numbers.
        phrase("Step %1$@ of %2$@.", number(index), number(total)), helpText(line))
    case .finished(let leaving):
      return phrase(
        // The last words of the tour, after its last step. %1$@ is a key. keydrag files stays as it is.
        "That was the tour. %1$@ leaves it, and keydrag files opens your own folder.",
        keyName(leaving))
    }
  }

  /// The sentence about the pick-up chord and the windows it reaches.
  package func readyText(_ stroke: KeyStroke) -> String {
    compositor != nil
      // The program is ready and waits beside the other programs, in a Wayland session. %1$@ is a key,
      // such as Ctrl+Alt+Space. XWayland stays as it is.
      ? phrase("In windows of XWayland %1$@ picks up what is in focus.", keyName(stroke))
      // The program is ready and waits beside the other programs. %1$@ is a key, such as
      // Ctrl+Alt+Space.
      : phrase("%1$@ picks up what is in focus.", keyName(stroke))
  }

  private func folderNames(_ names: [String], _ count: Int) -> String {
    plural(
      // A path is being typed, and these folders begin so. %1$@ is one or more names, %2$@ how many
      // there are.
      "%2$@ folder begins so: %1$@.", "%2$@ folders begin so: %1$@.", count,
      self.names(names, count: count))
  }

  private func unknownKeyText(_ stroke: KeyStroke, _ hasHelp: Bool) -> String {
    isBrief || !hasHelp
      // A key that means nothing now was pressed. %1$@ is the key, such as Ctrl+K.
      ? phrase("%1$@: nothing here.", keyName(stroke))
      // A key that means nothing now was pressed. %1$@ is that key, %2$@ the key for help.
      : phrase("%1$@ does nothing here. %2$@ for help.", keyName(stroke), name(of: "?"))
  }

  private func browsingText(_ announcement: Announcement) -> String {
    switch announcement {
    case .ready(let container, let counts, let item, let isFirst):
      let content = join(
        closed(list([container, contents(counts)])),
        item.map { closed(list([withLetters($0.name, $0.isConfusable), kindWord($0.kind)])) } ?? "")
      guard isFirst, counts.total > 0, !isBrief else { return content }
      // The first hint in a session, after what the folder holds. Space is the key.
      return join(content, phrase("Space picks up."))
    case .item(
      let name, let kind, let index, let total, let isSelected, let percent, let operation,
      let isConfusable):
      let parts = [
        withLetters(name, isConfusable), kindWord(kind, operation), percent.map(self.percent) ?? "",
        // Said after the name of an item that is selected, which may be of any kind.
        isSelected ? term(in: "state", "selected") : "", isBrief ? "" : position(index, total),
      ]
      return list(parts)
    case .empty(let container):
      return container.isEmpty
        // The place one is in holds no items.
        ? phrase("Nothing is here.")
        // %1$@ is a folder.
        : phrase("%1$@ is empty.", container)
    // A large folder is still being listed. %1$@ is the folder.
    case .listing(let container): return phrase("%1$@ is being read.", container)
    // The person asked to go to what was dropped last, and nothing has been dropped yet.
    case .nothingLanded: return phrase("Nothing has landed yet.")
    case .shown(let landing):
      return closed(placeName(landing.name, in: landing.container, app: landing.app))
    case .edge(let edge): return edgeText(edge)
    case .noMatch(let text):
      // A blank can be neither heard nor seen where no word is before and behind it.
      let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return words.isEmpty
        // Letters were typed, and no name begins with them.
        ? phrase("No match.")
        // Letters were typed to find a name. %1$@ is what was typed.
        : phrase("Nothing begins with %1$@.", words)
    case .echo(let text): return echoText(text)
    case .completed(let names, let count):
      return count == 1 ? closed(names.first ?? "") : folderNames(names, count)
    case .cannotName(_, let reason, let place) where !place.isEmpty && !reason.isOfName:
      return text(.refused(name: place, reason, isHeld: false))
    case .cannotName(let name, let reason, _):
      // A file or folder can't be called so; the reason follows. %1$@ is the name that was typed.
      let what = name.isEmpty ? "" : phrase("%1$@ can't be the name.", name)
      return join(what, sentence(for: reason))
    // A file or folder has another name now. %1$@ is the old one, %2$@ the new one.
    case .renamed(let name, let new): return phrase("%1$@ is now %2$@.", name, new)
    case .facts(let facts): return factsText(facts)
    // A folder was made. %1$@ is its name, %2$@ the folder that it is in.
    case .made(let name, let place): return phrase("New folder %1$@ in %2$@.", name, place)
    case .filtered(let text, let count, let total, let isAsked):
      return filteredText(text, count, total, isAsked)
    case .selected(let name, let count): return selectionText(name, count, isOn: true)
    case .deselected(let name, let count): return selectionText(name, count, isOn: false)
    case .nothingToPickUp(let reason, let name):
      guard let name else {
        // Space was pressed where there is nothing to pick up.
        let nothing = phrase("Nothing to pick up.")
        if reason == .noDisplay, let compositor {
          return problemText(.nativeWindows(compositor: compositor))
        }
        let saysAll = [.nothingThere, .notDraggable].contains(reason)
        return saysAll ? nothing : join(nothing, sentence(for: reason))
      }
      if reason == .selectionUntold {
        // A program in which nothing can be picked up. %1$@ is its name, %2$@ why, such as "it tells
        // nothing of what is selected".
        return phrase("%1$@: %2$@.", name, short(reason))
      }
      // Space was pressed on something that can't be dragged; the reason follows. %1$@ is its name.
      return join(phrase("%1$@ can't be picked up.", name), sentence(for: reason))
    case .appeared(let name, 1, _):
      // A new file, folder or window is there. %1$@ is its name.
      return phrase("%1$@ appeared.", name)
    case .appeared(_, let count, let isTotal):
      return isTotal
        // No more files or folders come: how many there are of them, with those that have been told
        // before. %1$@ is the number.
        ? plural("%1$@ item appeared in all.", "%1$@ items appeared in all.", count)
        // Many new files or folders are there at once. %1$@ is the number.
        : plural("%1$@ item appeared.", "%1$@ items appeared.", count)
    case .vanished(let name, let next, let isNextSaid):
      // A file or place is not there any more. %1$@ is its name.
      guard let next, !isBrief, !isNextSaid else { return phrase("%1$@ is gone.", name) }
      // A file or place is not there any more. %1$@ is its name, %2$@ where the person is now.
      return phrase("%1$@ is gone. Now at %2$@.", name, next)
    case .moved(let name, let index, let total):
      return isBrief
        ? position(index, total)
        // The order of a list was changed by key. %1$@ is the item, %2$@ its new position, %3$@ how
        // many there are.
        : phrase("%1$@ moved to %2$@ of %3$@.", name, number(index), number(total))
    case .mode(.adding, true, true, let chord?) where !isBrief:
      // The person goes back to the programs to add more to what is carried. %1$@ is a key, such as
      // "Ctrl+Alt+Space".
      return phrase("Adding. %1$@ adds and returns.", keyName(chord))
    case .mode(let mode, let isOn, let isFirst, let chord):
      return modeText(mode, isOn, isFirst && chord == nil)
    // The person went up, out of a folder. %1$@ is that folder.
    case .left(let name): return phrase("Left %1$@.", name)
    case .opening(let name): return closed(progressText(.open, name))
    case .opened(let name, let count, let holds, let hidden):
      return openedText(name, count, holds, hidden)
    case .cannotOpen(let name, let reason):
      // A folder can't be entered; the reason follows. %1$@ is the folder.
      return join(phrase("%1$@ can't be opened.", name), sentence(for: reason))
    default: return ""
    }
  }

  /// "2 of 4".
  func position(_ index: Int, _ total: Int) -> String {
    // A position in a list, such as "2 of 4". %1$@ is the position, %2$@ how many there are.
    term(in: "position", "%1$@ of %2$@", number(index), number(total))
  }

  /// The name, followed by a warning if it may be mistaken for another.
  func withLetters(_ name: String, _ isConfusable: Bool = false) -> String {
    list([
      name,
      // Said after the name of a file, a folder or another place that can be taken for another name:
      // in one word of it letters stand together that look alike and are of two alphabets, such as
      // Latin and Cyrillic.
      ConfusableLetters.isIn(name) ? term(in: "name", "letters of two alphabets") : "",
      // Said after the name of a file, a folder or another place: another one in the same folder looks
      // and sounds the same, and this is the one that is written in an unusual way, such as with
      // letters of another alphabet.
      isConfusable ? term(in: "name", "looks like another one here") : "",
    ])
  }

  /// The word after a name while browsing; files need none. `operation`: that of an item still
  /// being delivered.
  func kindWord(_ kind: ItemKind, _ operation: DragOperation? = nil) -> String {
    switch (kind, operation) {
    case (.file, _), (.object, _): ""
    // Kind of an item, said after its name: a folder on the disk.
    case (.folder, _): term(in: "kind", "folder")
    // Kind of an item, said after its name: a symbolic link to a file.
    case (.link, _): term(in: "kind", "link")
    // After the name of an item: a symbolic link whose target does not exist.
    case (.brokenLink, _): phrase("broken link")
    // Kind of an item, said after its name: a symbolic link to a folder.
    case (.folderLink, _): term(in: "kind", "link to a folder")
    // Kind of an item, said after its name: a device node, socket or named pipe.
    case (.special, _): term(in: "kind", "device or pipe")
    // State of an item, said after its name: it is just being copied here, and is not whole yet.
    case (.placeholder, .copy): term(in: "kind", "copying")
    // State of an item, said after its name: it is just being moved here, and is not whole yet.
    case (.placeholder, .move): term(in: "kind", "moving")
    // Kind of an item, said after its name: a file that is just being copied here.
    case (.placeholder, _): term(in: "kind", "arriving")
    }
  }

  func contents(_ counts: ItemCounts) -> String {
    // Said after the name of a folder of which nothing is listed: all names in it begin with a dot.
    if counts.total == 0, counts.hidden > 0 { return term(in: "folder", "only hidden files") }
    // Said after the name of a folder that holds nothing.
    if counts.total == 0 { return term(in: "folder", "empty") }
    if counts.areObjects { return items(counts.total) }
    return list([
      counts.files > 0 ? files(counts.files) : "",
      counts.folders > 0 ? folders(counts.folders) : "",
    ])
  }

  // How many files there are, or are picked up. %1$@ is the number.
  func files(_ count: Int) -> String { plural("%1$@ file", "%1$@ files", count) }

  // How many folders there are, or are picked up. %1$@ is the number.
  func folders(_ count: Int) -> String { plural("%1$@ folder", "%1$@ folders", count) }

  private func edgeText(_ edge: Edge) -> String {
    switch edge {
    // A key to go back was pressed at the first item of a list.
    case .first: term(in: "end of a list", "First.")
    // A key to go on was pressed at the last item of a list.
    case .last: term(in: "end of a list", "Last.")
    case .top:
      isBrief
        // A key to leave the folder was pressed in the top folder: one can't go further up.
        ? term(in: "end of a list", "Top.")
        // A key to leave the folder was pressed in the top folder: one can't go further up.
        : phrase("This is the top folder.")
    }
  }

  private func selectionText(_ name: String?, _ count: Int, isOn: Bool) -> String {
    // How many items are selected. %1$@ is the number.
    let total = plural("%1$@ selected.", "%1$@ selected.", count)
    guard let name else { return total }
    let what =
      isOn
      // An item of any kind was selected. %1$@ is its name.
      ? term(in: "a name", "%1$@ selected.", name)
      // An item of any kind was taken out of the selection. %1$@ is its name.
      : term(in: "a name", "%1$@ not selected.", name)
    // After the name of an item just selected: how many are selected now. %1$@ is the number.
    return isBrief ? what : join(what, plural("%1$@ in all.", "%1$@ in all.", count))
  }

  private func openedText(
    _ name: String, _ count: Int, _ holds: Content, _ hidden: Int
  ) -> String {
    switch holds {
    case .items:
      let none = ItemCounts(files: 0, folders: 0, hidden: hidden)
      return closed(list([name, count == 0 ? contents(none) : items(count)]))
    case .dropPoints:
      return count == 0
        // While carrying, a folder was opened that holds no folders. %1$@ is its name.
        ? phrase("%1$@ opened: no places inside.", name)
        : join(
          // While carrying, a folder was opened; how many places are inside follows. %1$@ is its
          // name.
          phrase("%1$@ opened:", name),
          // How many places to drop at a folder holds. %1$@ is the number.
          plural("%1$@ place inside.", "%1$@ places inside.", count))
    }
  }

  private func modeText(_ mode: Mode, _ isOn: Bool, _ isFirst: Bool) -> String {
    switch (mode, isOn) {
    // Files whose names begin with a dot are listed from now on.
    case (.hidden, true): phrase("Hidden files shown.")
    // Files whose names begin with a dot are not listed from now on.
    case (.hidden, false): phrase("Hidden files not shown.")
    // From now on the key Tab also stops at places that would refuse what is carried.
    case (.refusing, true): phrase("Tab also visits places that refuse.")
    // From now on the key Tab stops only at places that would take what is carried.
    case (.refusing, false): phrase("Tab visits only places that accept.")
    // A mode called Edit, in which the rows of a list can be reordered, was turned on.
    case (.edit, true): phrase("Edit on.")
    // The mode called Edit was turned off.
    case (.edit, false): phrase("Edit off.")
    case (.adding, true):
      isBrief || !isFirst
        // The person goes back to the files to add more to what is carried.
        ? phrase("Adding.")
        // The person goes back to the files to add more to what is carried. Space and Escape are
        // keys.
        : phrase("Adding. Space adds and returns, Escape cancels.")
    // The person has finished adding and walks the places again.
    case (.adding, false): phrase("Back to carrying.")
    }
  }
}
