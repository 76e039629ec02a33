extension Phrasebook {
  func carryingText(_ announcement: Announcement) -> String {
    switch announcement {
    // The keys to pick up were pressed, and a program is asked what is selected in it.
    case .pickingUp(_, 0): return phrase("Picking up.")
    case .pickingUp(let names, let count):
      // Space was pressed, and many things are looked at before they are picked up. %1$@ is a name, or
      // such as "3 items".
      return phrase("Picking up %1$@.", count == 1 ? self.names(names, count: 1) : items(count))
    case .pickedUp(let report): return pickedUpText(report)
    case .points(let count): return pointsText(count)
    case .nothingAccepts(let count, let alternatives, let refusal):
      return join(
        noPlaceText(count), refusal.map(refusalText) ?? "",
        isBrief && refusal != nil ? "" : alternativesText(alternatives))
    case .added(let names, let count):
      // More was added to what is carried. %1$@ is one or more names, %2$@ such as "3 items".
      return phrase("%1$@ added, %2$@ held.", carried(names, names.count), items(count))
    case .refusedToAdd(let name, let reason) where isBrief: return failureText(name, reason)
    case .refusedToAdd(let name, let reason):
      // Something can't be added to what is carried; the reason follows. %1$@ is its name.
      return join(phrase("%1$@ was not added.", name), sentence(for: reason))
    case .heldAlready(_, let count):
      return plural(
        // Several things were to be added to what is carried, and were not, since they are carried
        // already. %1$@ is how many.
        "%1$@ item is held already.", "%1$@ items are held already.", count)
    case .removed(let name, let count):
      // One item was taken out of what is carried. %1$@ is its name, %2$@ such as "3 items".
      return phrase("%1$@ taken out, %2$@ held.", name, items(count))
    case .dropPoint(let report): return dropPointText(report)
    case .details(let accepted, let refused, let undo, let isUncertain):
      return join(detailsText(accepted, refused, isUncertain: isUncertain), text(undo))
    case .backAtSource(let name):
      return isBrief
        // The walk has come back to where the item was picked up. %1$@ is the item.
        ? phrase("%1$@: cancel", name)
        // The walk has come back to where the item was picked up: Enter here ends the carrying
        // without doing anything. %1$@ is the item.
        : phrase("Back at %1$@: a drop here cancels.", name)
    case .operation(let wish, let now, let undo):
      return join(wishText(wish, now), text(undo))
    case .operationUnavailable(let operation, let reason):
      return join(
        unavailableText(operation), reason == .operationNotOffered ? "" : sentence(for: reason))
    case .holding(let holding): return holdingText(holding)
    case .sessionEnded(let reason, let name): return sessionEndedText(reason, name)
    case .cancelled(let names, let count, let next):
      guard isBrief || count == 0 || next != nil else {
        // The person let go of what was carried: nothing was done. %1$@ is what was carried, where
        // the person is again.
        return phrase("Cancelled. Back at %1$@.", self.names(names, count: count))
      }
      let here = next.flatMap { $0.isEmpty || isBrief ? nil : nowAtText($0) }
      // The person let go of what was carried: nothing was done.
      return join(phrase("Cancelled."), here ?? "")
    case .keyboard(let name, let app, var holding):
      holding?.place = nil
      if isBrief, let count = holding?.count, count > 1 { holding?.names = [] }
      return join(
        // On a desktop, where keys that are typed now go. %1$@ is a window, such as "Docs, Thunar".
        phrase("The keyboard is in %1$@.", placeName(name, in: nil, app: isBrief ? nil : app)),
        holding.map(holdingText) ?? "")
    default: return ""
    }
  }

  private func noPlaceText(_ count: Int) -> String {
    // After a pick-up: no folder takes what is held.
    if isBrief { return phrase("No place accepts.") }
    return plural(
      // After a pick-up: no folder takes what is held. %1$@ is how many items are held.
      "No place here accepts this item.", "No place here accepts these %1$@ items.", count)
  }

  private func refusalText(_ refusal: CommonRefusal) -> String {
    let why = short(refusal.reason)
    let what =
      refusal.reason.isOfSource
      ? sentence(for: refusal.reason)
      : refusal.places.count == 1
        ? closed(placed(refusal.places[0], why))
        : plural(
          // Why most folders do not take what is held. %1$@ is the reason, such as "not enough space",
          // %2$@ how many folders give it.
          "At %2$@ place: %1$@.", "At %2$@ places: %1$@.", refusal.places.count, why)
    // After the reason why a folder does not take what is held. F8 is a key.
    return isBrief ? what : join(what, phrase("F8 walks the places that refuse."))
  }

  private func sessionEndedText(_ reason: Reason, _ name: String?) -> String {
    // Carrying was ended by something that happened; the reason follows.
    guard let name else { return join(phrase("Carrying ended."), sentence(for: reason)) }
    return reason == .gone
      // What is carried was removed by another program. %1$@ is its name.
      ? phrase("%1$@ is gone. Carrying ended.", name)
      // Carrying was ended by something that happened; the reason follows. %1$@ is what was
      // carried.
      : join(phrase("Carrying %1$@ ended.", name), sentence(for: reason))
  }

  private func pickedUpText(_ report: PickUp) -> String {
    let kinds = report.count > 1 && !isBrief ? list(kindCounts(report.kinds)) : ""
    let what =
      report.count == 1
      ? names(report.names, count: 1)
      : (kinds.isEmpty ? items(report.count) : kinds)
    // Space was pressed: the person now carries this. %1$@ is a name, or such as "3 pictures, 1
    // folder".
    let picked = phrase("Picked up %1$@.", what)
    let accept = report.points.map {
      $0 == 0 && !isBrief ? noPlaceText(report.count) : pointsText($0)
    }
    let keys = report.isFirst && !isBrief ? carryingKeys : ""
    return join(picked, accept ?? "", keys)
  }

  private func pointsText(_ count: Int) -> String {
    // After a pick-up, where every word counts: how many folders would take it. %1$@ is the number.
    plural("%1$@ place.", "%1$@ places.", count)
  }

  // After the first pick-up: what to do now. Tab, Enter and Escape are keys.
  private var carryingKeys: String { phrase("Tab walks, Enter drops, Escape cancels.") }

  /// "3 pictures", "1 folder", "2 other files".
  func kindCounts(_ kinds: [KindCount]) -> [String] {
    let special: Set<ItemGroup> = [.picture, .video, .sound, .text]
    let hasFiles = kinds.contains { special.contains($0.group) }
    return kinds.map { kind in
      // Beside files that are told by what is in them the rest are not just files.
      hasFiles && kind.group == .file
        // Kind of what is held, after such as "2 text files". %1$@ is the number of the files of all
        // other kinds.
        ? plural("%1$@ other file", "%1$@ other files", kind.count) : kindCount(kind)
    }
  }

  private func kindCount(_ kind: KindCount) -> String {
    let count = kind.count
    return switch kind.group {
    case .folder: folders(count)
    // Kind of what is held. %1$@ is the number of images.
    case .picture: plural("%1$@ picture", "%1$@ pictures", count)
    // Kind of what is held. %1$@ is the number of films.
    case .video: plural("%1$@ video", "%1$@ videos", count)
    // Kind of what is held. %1$@ is the number of sound files.
    case .sound: plural("%1$@ sound", "%1$@ sounds", count)
    // Kind of what is held. %1$@ is the number of files with text in them.
    case .text: plural("%1$@ text file", "%1$@ text files", count)
    case .file: files(count)
    // Kind of what is held. %1$@ is the number of symbolic links.
    case .link: plural("%1$@ link", "%1$@ links", count)
    case .item: items(count)
    }
  }

  private func alternativesText(_ alternatives: [Alternative]) -> String {
    // Advice where no window takes what is held.
    if alternatives == [.openWindow] { return phrase("Open another window first.") }
    // Advice where what was to be moved can't be taken out of its folder. F5 is a key.
    if alternatives == [.copy] { return phrase("F5 copies instead.") }
    if alternatives.isEmpty { return "" }
    let named = alternatives.filter { $0 != .openFolder }.map(alternativeName)
    // Advice where no folder takes what is held.
    guard !named.isEmpty else { return phrase("Open another folder first.") }
    // What else can be done where no folder takes what is held. F9 is a key, %1$@ a list such as
    // "trash, print".
    return isBrief ? "" : phrase("F9 offers: %1$@.", list(named))
  }

  private func dropPointText(_ report: DropPointReport) -> String {
    let place = report.isPlaceKnown ? stopName(report) : placeName(of: report)
    var sentence = closed(placed(place, verdictText(report)))
    // Before the first of the places that come after the folders that are open: bookmarks, disks, and
    // folders that something was dropped into lately.
    if report.beginsShortcuts { sentence = join(phrase("Other places."), sentence) }
    let verdict = report.verdict
    let undo = report.isUndoKnown ? .certain : verdict.undo
    sentence = join(sentence, resultText(verdict.prediction, undo) ?? "")
    sentence = join(sentence, verdict.textPosition.map(textPositionText) ?? "")
    if verdict.isTextPositionUnknown {
      // At a text of several lines in a program: in which of them what is dropped comes to stand.
      sentence = join(sentence, phrase("The line can't be known."))
    }
    if let irreversible = verdict.irreversible, !isBrief {
      sentence = join(sentence, text(.impossible), self.sentence(for: irreversible))
    }
    guard !isBrief, !report.isPlaceKnown, let index = report.index, let total = report.total else {
      return sentence
    }
    return join(sentence, position(index, total))
  }

  func textPositionText(_ position: TextPosition) -> String {
    let (line, total) = (number(position.line), number(position.total))
    return position.isAtEnd
      // At a text in a program: where what is dropped comes to stand, behind all that is in a line.
      // %1$@ is the number of the line, %2$@ how many lines there are.
      ? phrase("End of line %1$@ of %2$@.", line, total)
      // At a text in a program: where what is dropped comes to stand. %1$@ is the number of the line,
      // %2$@ how many lines there are.
      : phrase("Line %1$@ of %2$@.", line, total)
  }

  /// "Docs: copy".
  func placed(_ place: String, _ verdict: String) -> String {
    // A place and what a drop there would do, such as "Docs: copy" or "Docs: refuses, it is full".
    // %1$@ is the place, %2$@ what would happen.
    term(in: "a place", "%1$@: %2$@", place, verdict)
  }

  /// "Sorted, in Inbox".
  package func placeName(
    _ name: String, in container: String?, app: String?, isConfusable: Bool = false
  ) -> String {
    var place = withLetters(name, isConfusable)
    if !isBrief, let container {
      // A folder and the folder it is in. %1$@ is the place, %2$@ what it is in.
      place = phrase("%1$@, in %2$@", place, container)
    }
    return app.map { list([place, $0]) } ?? place
  }

  /// "before Ada Lovelace, in Contacts": the place without the verdict.
  package func placeName(of report: DropPointReport) -> String {
    if report.isContainerKnown { return withLetters(stopName(report), report.isConfusable) }
    let container = report.task == nil ? report.container : nil
    let place = placeName(
      stopName(report), in: container, app: report.app, isConfusable: report.isConfusable)
    return report.isOnAnotherWorkspace ? list([place, anotherWorkspace]) : place
  }

  // After the name of a window or of a place in it: it is on a workspace (virtual desktop) that is not
  // the one that is shown.
  private var anotherWorkspace: String { phrase("on another workspace") }

  private func stopName(_ report: DropPointReport) -> String {
    if let task = report.task { return name(of: task, program: report.name) }
    return switch (report.position ?? .on, report.after, report.before) {
    case (.on, _, _), (_, nil, nil): report.name
    // A place in an ordered list. %1$@ and %2$@ are the items around it.
    case (_, let after?, let before?): phrase("between %1$@ and %2$@", after, before)
    // A place at the end of an ordered list. %1$@ is the last item.
    case (_, let after?, nil): phrase("after %1$@", after)
    // A place at the beginning of an ordered list. %1$@ is the first item.
    case (_, nil, let before?): phrase("before %1$@", before)
    }
  }

  /// The verdict without the name of the place.
  func verdictText(_ report: DropPointReport) -> String {
    let verdict = report.verdict
    switch verdict.word {
    // "Open with Reader: open" would say the same thing twice.
    case .accept where report.task == .openWith || report.task == .print: return acceptsWord
    case .accept: return verdict.operation.map(verb) ?? acceptsWord
    case .partial: return partialText(verdict.operation, verdict.accepted, report.count)
    case .maybe: return mayAcceptText(verdict.accepted, report.count)
    case .asking: return askingWord
    case .cancel: return cancelsText
    case .refuse: return refusesText(verdict.reason)
    // After the name of a place that normally takes such things, but can't at this moment. %1$@ is
    // why, such as "it is full".
    case .forbidden: return phrase("not now, %1$@", short(verdict.reason ?? .unknown))
    }
  }

  // After the name of a place: it takes what is carried.
  private var acceptsWord: String { term(in: "a place", "accepts") }

  // After the name of a place in a program that says yes to everything.
  private var mayAcceptWord: String { term(in: "a place", "may accept") }

  private func mayAcceptText(_ accepted: Int, _ count: Int) -> String {
    guard (1..<max(count, 1)).contains(accepted) else { return mayAcceptWord }
    // After the name of a place in a program that says yes to everything, where some of the items
    // carried are refused for certain. %1$@ is how many it may take, %2$@ how many are carried.
    return phrase("may accept only %1$@ of %2$@", number(accepted), number(count))
  }

  // After the name of a place in another program, which has not answered yet whether it accepts.
  var askingWord: String { term(in: "a place", "asking") }

  // After the name of the item carried, at the place it was picked up: Enter here does nothing.
  var cancelsText: String { phrase("a drop here cancels") }

  private func refusesText(_ reason: Reason?) -> String {
    // After the name of a place that does not take what is carried. %1$@ is why, such as "it is
    // full".
    phrase("refuses, %1$@", short(reason ?? .unknown))
  }

  private func partialText(_ operation: DragOperation?, _ accepted: Int, _ count: Int) -> String {
    guard let operation else {
      // After the name of a place that takes some of the items carried. %1$@ is how many, %2$@ how
      // many are carried.
      return phrase("takes only %1$@ of %2$@", number(accepted), number(count))
    }
    // After the name of a place that takes some of the items carried. %1$@ is what it does, such as
    // "copy", %2$@ how many it takes, %3$@ how many are carried.
    return phrase("%1$@ only %2$@ of %3$@", verb(operation), number(accepted), number(count))
  }

  /// The changes by a drop beyond the operation; `nil` for none.
  func resultText(_ prediction: Prediction?, _ undo: UndoPromise) -> String? {
    let text = join(prediction.map(predictionText) ?? "", text(undo))
    return text.isEmpty ? nil : text
  }

  private func predictionText(_ prediction: Prediction) -> String {
    switch prediction {
    case .nameClash(let names):
      return names.count == 1
        // At a place to drop: something of this name is there already. %1$@ is the name.
        ? phrase("%1$@ exists there.", names[0])
        // At a place to drop: how many of the names carried are there already. %1$@ is the number.
        : plural("%1$@ name exists there.", "%1$@ names exist there.", names.count)
    case .leavesOut(let names, let count, let reason):
      return notDoneText(carried(names, count), reason)
    case .leadsNowhere(let names): return leadsNowhereText(names)
    case .becomes(let what): return becomes(what)
    case .stepsDown(let types): return becomes(list(types))
    case .becomesFiles(let files) where isBrief && files.count > 1:
      return becomes(self.files(files.reduce(0) { $0 + $1.count }))
    case .becomesFiles(let files):
      let counts = files.map { file in
        plural(
          // What the items turn into at a place to drop. %2$@ is the number, %1$@ the end of their
          // names, such as ".vcf".
          "%2$@ %1$@ file", "%2$@ %1$@ files", file.count, file.ending)
      }
      return becomes(list(counts))
    case .becomesPaths(let count, let isCertain): return pathsText(count, isCertain)
    // Whether there is a way back is said once in a drag, so that it is told apart from this.
    case .inProgram(let isPasted, undo: _):
      guard isPasted, !isBrief else { return "" }
      // At a place to drop: the program takes no drops there, but has a command Paste in a menu,
      // and that is used.
      return phrase("Through Paste.")
    }
  }

  private func pathsText(_ count: Int, _ isCertain: Bool) -> String {
    switch (count == 1, isCertain) {
    // At a field for text: of the file, only the path is written into it.
    case (true, true): phrase("Only its path.")
    // At a field for text: of the files, only the paths are written into it.
    case (false, true): phrase("Only their paths.")
    // At a text: of the file, only the path is written into it, unless the program opens the file.
    case (true, false): phrase("Perhaps only its path.")
    // At a text: of the files, only the paths are written into it, unless the program opens them.
    case (false, false): phrase("Perhaps only their paths.")
    }
  }

  private func text(_ undo: UndoPromise) -> String {
    switch undo {
    case .certain: ""
    // At a place to drop: perhaps what is done there can't be taken back.
    case .doubtful: phrase("Perhaps can't be undone.")
    // At a view of files, where it can't be found out which folder it shows.
    case .unknownFolder: phrase("Its folder can't be known. Perhaps can't be undone.")
    // At a place to drop: what is done there can't be taken back; the reason may follow.
    case .impossible: phrase("Can't be undone.")
    }
  }

  private func becomes(_ what: String) -> String {
    // At a place to drop: what the item turns into there. %1$@ is a name or kind of file.
    phrase("Becomes %1$@.", what)
  }

  private func detailsText(
    _ accepted: [String], _ refused: [DeliveryFailure], isUncertain: Bool
  ) -> String {
    let takes =
      accepted.isEmpty
      // The place takes nothing of what is carried; what it refuses follows.
      ? phrase("Accepts none.")
      : isUncertain
        // Items carried that a place takes perhaps: its program says yes to everything. %1$@
        // is one or more names.
        ? phrase("May accept %1$@.", names(accepted))
        // Items carried that a place takes. %1$@ is one or more names.
        : phrase("Accepts %1$@.", names(accepted))
    let named = refused.prefix(10).map { list([$0.name, short($0.reason)]) }
    guard let first = named.first else { return takes }
    let refusals = named.dropFirst().reduce(first) { before, next in
      // Parts of a list whose parts have commas themselves: only the semicolon may change. %1$@ and
      // %2$@ are those parts.
      term(in: "list", "%1$@; %2$@", before, next)
    }
    let more = refused.count - named.count
    return join(
      takes,
      // Items carried that a place does not take, and why. %1$@ is such as "a.txt, it is
      // full; b.txt, it is gone".
      phrase("Refuses %1$@.", refusals),
      // How many more items are refused than were named. %1$@ is the number.
      more > 0 ? plural("And %1$@ more.", "And %1$@ more.", more) : "")
  }

  private func wishText(_ wish: DragOperation?, _ now: DragOperation?) -> String {
    switch (wish, now) {
    case (let wish?, _): return closed(capitalised(verb(wish)))
    case (nil, let now?):
      return isBrief
        ? closed(capitalised(verb(now)))
        // The person took back the wish for an operation. %1$@ is what happens by itself here, such
        // as "copy".
        : phrase("As usual here: %1$@.", verb(now))
    // The person took back the wish for an operation: each place does again what it usually does.
    case (nil, nil): return phrase("As usual.")
    }
  }

  private func unavailableText(_ operation: DragOperation) -> String {
    switch operation {
    // The person asked for this operation, and this place does not offer it.
    case .copy: phrase("Can't copy here.")
    // The person asked for this operation, and this place does not offer it.
    case .move: phrase("Can't move here.")
    // The person asked for a symbolic link, and this place does not offer that.
    case .link: phrase("Can't link here.")
    // The person asked for this operation, and this place does not offer it.
    case .open: phrase("Can't open here.")
    // The person asked to move something to the trash, and that is not possible here.
    case .remove: phrase("Can't move to the trash here.")
    }
  }

  private func holdingText(_ holding: Holding) -> String {
    let verdict = holding.place?.verdict
    let undo = verdict?.irreversible == nil ? verdict?.undo ?? .certain : .impossible
    return join(
      holding.place.map(stopText) ?? "", resultText(verdict?.prediction, undo) ?? "",
      holding.count == 0
        // The person asked what is carried, and nothing is.
        ? phrase("Nothing is held.")
        // The person asked what is carried. %1$@ is one or more names.
        : phrase("Holding %1$@.", names(holding.names, count: holding.count)),
      // The items were picked up from a menu by the key that drops, which may be held down.
      holding.isDropKeyBlocked ? phrase("Press another key first, then drop it.") : "")
  }

  /// Begins with the place, because a braille display has room for that and the operation.
  private func stopText(_ report: DropPointReport) -> String {
    guard !report.name.isEmpty else { return "" }
    let place =
      report.task == nil
      ? placeName(stopName(report), in: report.container, app: isBrief ? nil : report.app)
      : stopName(report)
    let then: String =
      switch report.verdict.word {
      case .forbidden: refusesText(report.verdict.reason)
      case .accept: report.verdict.operation.map(verb) ?? acceptsWord
      default: verdictText(report)
      }
    let beginsWithName = [report.name, report.after, report.before].contains {
      $0.map(place.hasPrefix) ?? false
    }
    let sentence = placed(place, then)
    return closed(beginsWithName ? sentence : capitalised(sentence))
  }

  /// An operation as a verb: "move".
  func verb(_ operation: DragOperation) -> String {
    switch operation {
    // Operation of a drop, such as in "Docs: copy". Stands alone and after a colon.
    case .copy: term(in: "operation", "copy")
    // Operation of a drop, such as in "Docs: move". Stands alone and after a colon.
    case .move: term(in: "operation", "move")
    // Operation of a drop: make a symbolic link. Stands alone and after a colon.
    case .link: term(in: "operation", "link")
    // Operation of a drop: open the file with a program. Stands alone and after a colon.
    case .open: term(in: "operation", "open")
    // Operation of a drop. Stands alone and after a colon.
    case .remove: term(in: "operation", "move to the trash")
    }
  }
}
