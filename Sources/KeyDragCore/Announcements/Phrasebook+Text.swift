extension Phrasebook {
  /// The words of an announcement, fit to be spoken and shown.
  public func text(_ announcement: Announcement) -> String {
    switch announcement {
    case .ready, .item, .empty, .listing, .nothingLanded, .edge, .noMatch, .selected, .deselected,
      .nothingToPickUp,
      .appeared, .vanished, .moved, .mode, .left, .opened, .cannotOpen:
      browsingText(announcement)
    case .pickedUp, .nothingAccepts, .added, .refusedToAdd, .removed, .dropPoint, .details,
      .backAtSource, .operation, .operationUnavailable, .holding, .sessionEnded, .cancelled:
      carryingText(announcement)
    case .confirm, .choice, .declined:
      confirmingText(announcement)
    case .refused, .delivering, .progress, .delivered, .partlyDelivered, .unconfirmed, .failed,
      .deliveryCancelled, .task:
      outcomeText(announcement)
    case .undone, .redone, .nothingToUndo, .nothingToRedo, .cannotUndo, .recovered:
      historyText(announcement)
    case .help(let lines): helpText(lines)
    case .unknownKey(let stroke):
      isBrief
        ? phrase("%1$@: nothing here.", keyName(stroke))
        : phrase("%1$@ does nothing here. %2$@ for help.", keyName(stroke), "?")
    case .problem(let problem): problemText(problem)
    case .goodbye: phrase("Goodbye.")
    }
  }

  private func browsingText(_ announcement: Announcement) -> String {
    switch announcement {
    case .ready(let container, let counts, let isFirst):
      let content = list([container, contents(counts)]) + "."
      return isFirst && !isBrief ? join(content, phrase("Space picks up.")) : content
    case .item(let name, let kind, let index, let total, let isSelected):
      return itemText(name, kind, index, total, isSelected)
    case .empty(let container):
      return container.isEmpty ? phrase("Nothing is here.") : phrase("%1$@ is empty.", container)
    case .listing(let container): return phrase("%1$@ is being read.", container)
    case .nothingLanded: return phrase("Nothing has landed yet.")
    case .edge(let edge): return edgeText(edge)
    case .noMatch(let text):
      return text.isEmpty ? phrase("No match.") : phrase("Nothing begins with %1$@.", text)
    case .selected(let name, let count): return selectionText(name, count, isOn: true)
    case .deselected(let name, let count): return selectionText(name, count, isOn: false)
    case .nothingToPickUp(let reason, let name):
      guard let name else { return phrase("Nothing to pick up.") }
      return join(phrase("%1$@ can't be picked up.", name), sentence(for: reason))
    case .appeared(let name): return phrase("%1$@ appeared.", name)
    case .vanished(let name, let next, let isNextSaid):
      guard let next, !isBrief, !isNextSaid else { return phrase("%1$@ is gone.", name) }
      return phrase("%1$@ is gone. Now at %2$@.", name, next)
    case .moved(let name, let index, let total):
      return isBrief
        ? phrase("%1$@ of %2$@", number(index), number(total))
        : phrase("%1$@ moved to %2$@ of %3$@.", name, number(index), number(total))
    case .mode(let mode, let isOn, let isFirst): return modeText(mode, isOn, isFirst)
    case .left(let name): return phrase("Left %1$@.", name)
    case .opened(let name, let count, let holds): return openedText(name, count, holds)
    case .cannotOpen(let name, let reason):
      return join(phrase("%1$@ can't be opened.", name), sentence(for: reason))
    default: return ""
    }
  }

  private func itemText(
    _ name: String, _ kind: ItemKind, _ index: Int, _ total: Int, _ isSelected: Bool
  ) -> String {
    let place = isBrief ? "" : phrase("%1$@ of %2$@", number(index), number(total))
    return list([name, kindWord(kind), isSelected ? phrase("selected") : "", place])
  }

  /// The word said after a name while browsing; a file needs none.
  func kindWord(_ kind: ItemKind) -> String {
    switch kind {
    case .file, .object: ""
    case .folder: phrase("folder")
    case .link: phrase("link")
    case .folderLink: phrase("link to a folder")
    case .special: phrase("device or pipe")
    case .placeholder: phrase("arriving")
    }
  }

  func contents(_ counts: ItemCounts) -> String {
    if counts.total == 0 { return phrase("empty") }
    if counts.areObjects { return items(counts.total) }
    return list([
      counts.files > 0 ? plural("%1$@ file", "%1$@ files", counts.files) : "",
      counts.folders > 0 ? plural("%1$@ folder", "%1$@ folders", counts.folders) : "",
    ])
  }

  private func edgeText(_ edge: Edge) -> String {
    switch edge {
    case .first: phrase("First.")
    case .last: phrase("Last.")
    case .top: isBrief ? phrase("Top.") : phrase("This is the top folder.")
    }
  }

  private func selectionText(_ name: String?, _ count: Int, isOn: Bool) -> String {
    let total = plural("%1$@ selected.", "%1$@ selected.", count)
    guard let name else { return total }
    let what =
      isOn ? phrase("%1$@ selected.", name) : phrase("%1$@ not selected.", name)
    return isBrief ? what : join(what, plural("%1$@ in all.", "%1$@ in all.", count))
  }

  private func openedText(_ name: String, _ count: Int, _ holds: Content) -> String {
    switch holds {
    case .items:
      return phrase("%1$@, %2$@.", name, count == 0 ? phrase("empty") : items(count))
    case .dropPoints:
      return count == 0
        ? phrase("%1$@ opened: no places inside.", name)
        : join(
          phrase("%1$@ opened:", name),
          plural("%1$@ place inside.", "%1$@ places inside.", count))
    }
  }

  private func modeText(_ mode: Mode, _ isOn: Bool, _ isFirst: Bool) -> String {
    switch (mode, isOn) {
    case (.hidden, true): phrase("Hidden files shown.")
    case (.hidden, false): phrase("Hidden files not shown.")
    case (.refusing, true): phrase("Tab also visits places that refuse.")
    case (.refusing, false): phrase("Tab visits only places that accept.")
    case (.edit, true): phrase("Edit on.")
    case (.edit, false): phrase("Edit off.")
    case (.adding, true):
      isBrief || !isFirst
        ? phrase("Adding.")
        : phrase("Adding. Space adds and returns, Escape cancels.")
    case (.adding, false): phrase("Back to carrying.")
    }
  }
}
