/// Picking up the focused item of another program: on a desktop there is no list of our own.
extension Session {
  /// Returns to the drag if nothing could be added: on a desktop the keys of the walk are grabbed
  /// only while carrying.
  mutating func endAdding() {
    if settings.picksFocus, case .browsing(let adding?) = phase { returnToCarrying(adding) }
  }

  /// Requests the focused item; the pick-up continues with the answer.
  mutating func askForFocus(wish: DragOperation?) {
    // A bouncing chord asks once.
    guard !isAskingFocus else { return }
    let id = request(.focus, for: .focus(wish))
    emit(.startTimer(.asking(id), milliseconds: Session.askingDelay))
  }

  /// Prepares for typing a name: lists every window, so that its places can be found. None of them
  /// is asked before it is reached.
  mutating func find() {
    search.begin()
    say(.finding)
    guard case .carrying = phase else { return }
    let isListed = outstanding.values.compactMap { purpose -> ContainerID? in
      if case .listDropPoints(let id) = purpose { id } else { nil }
    }
    for (id, entry) in registry.entries
    where isAskedOnArrival(id) && entry.dropPoints == nil && !isListed.contains(id) {
      request(
        .list(.container(id), includingHidden: settings.showsHidden), for: .listDropPoints(id))
    }
  }

  /// The name is complete: announces the effect of Enter, with the whole place unless that was
  /// announced while typing, or that the name was not found.
  mutating func endFinding() {
    let (unmatchedText, found) = (search.unmatchedText, search.said)
    search = TypeAhead()
    switch phase {
    case .browsing: break
    case .carrying(let carry) where carry.stage == .ready:
      if let unmatchedText { say(.noMatch(text: unmatchedText)) }
      if let stop = carry.currentStop, carry.owed == nil, let found,
        found == report(at: stop, carry)
      {
        sayHere(isPlaceKnown: true)
      } else {
        arrive(carry)
      }
    case .carrying(let carry): say(.holding(holding(carry, isAsking: true)))
    case .confirming(let question, _): sayChoice(question)
    }
  }

  /// Picks up the focused item and registers the current windows.
  mutating func focused(_ report: FocusReport, wish: DragOperation?) {
    if phase.carry == nil {
      let window = report.listing.container.id
      keyboard = (window, window)
      let there = Set(report.windows.map(\.id)).union([report.listing.container.id])
      // Other KeyDrag programs appear and disappear by themselves, and follow the windows.
      let others = registry.entries.filter { $0.key.owner == .peers }
      for id in registry.entries.keys where !there.contains(id) && others[id] == nil {
        registry.remove(id)
      }
      for window in report.windows {
        register(Listing(container: window, sources: nil, dropPoints: nil))
      }
      for entry in others.values {
        register(
          Listing(container: entry.container, sources: nil, dropPoints: entry.dropPoints))
      }
    }
    focus(on: report.listing, marked: report.marked)
    switch phase {
    case .browsing(let adding): pickUp(wish: wish, adding)
    case .carrying(let carry): say(.holding(holding(carry)))
    case .confirming: break
    }
  }
}

/// The keyboard on a desktop, where the person may switch windows while carrying.
extension Session {
  /// Whether the place of the keyboard is being determined.
  var awaitsKeyboard: Bool {
    outstanding.values.contains { if case .restoreKeyboard = $0 { true } else { false } }
  }

  /// Whether the end of a drag waits for the keyboard to return; until then its keys are grabbed.
  var isRestoringKeyboard: Bool {
    outstanding.values.contains { if case .restoreKeyboard(_, .some) = $0 { true } else { false } }
  }

  var isAskingFocus: Bool {
    outstanding.values.contains { if case .focus = $0 { true } else { false } }
  }

  /// The phase whose keys are grabbed: keys after the pick-up chord are for the walk.
  package var keysPhase: PhaseName {
    isRestoringKeyboard || isAskingFocus ? .carrying : phase.name
  }

  /// Another window has the keyboard, which is announced during a drag.
  mutating func keyboardMoved(to window: ContainerDescriptor) {
    guard keyboard != nil, keyboard?.front != window.id else { return }
    keyboard?.front = window.id
    guard let carry = phase.carry else { return }
    var holding = holding(carry)
    if phase.name != .carrying { holding.place = nil }
    sayKeyboard(window, holding)
  }

  private mutating func sayKeyboard(_ window: ContainerDescriptor, _ holding: Holding? = nil) {
    let app = window.app == window.name ? nil : window.app
    say(.keyboard(name: window.name, app: app, holding))
  }

  /// The return of the keyboard after a drag or its delivery; `nil` if the focus is our own.
  func keyboardReturn(_ leaves: KeyboardReturn.Leave) -> KeyboardReturn? {
    guard settings.picksFocus else { return nil }
    return keyboard.map { KeyboardReturn(window: $0.source, told: $0.front, leaves: leaves) }
  }

  /// Returns the keyboard before the end is announced; `false` if the focus is our own.
  mutating func restoreKeyboard(_ carry: DragState, saying end: Announcement) -> Bool {
    guard var wish = keyboardReturn(.any) else { return false }
    wish.items = carry.items.map(\.source)
    wish.names = carry.names
    let id = request(.restoreKeyboard(wish), for: .restoreKeyboard(wish, end))
    emit(.startTimer(.asking(id), milliseconds: Session.askingDelay))
    return true
  }

  /// Determines the place of the keyboard after a drag that ended by itself.
  mutating func lookForKeyboard() {
    let isAnswered = effects.contains { effect in
      switch effect {
      case .request(_, .restoreKeyboard), .request(_, .deliver), .interrupt: true
      default: false
      }
    }
    if !isAnswered, let wish = keyboardReturn(.none) {
      request(.restoreKeyboard(wish), for: .restoreKeyboard(wish))
    }
  }

  /// Announces the end when the place of the keyboard is late.
  mutating func sayEnd(_ id: RequestID) {
    guard case .restoreKeyboard(let wish, let end?)? = outstanding[id] else { return }
    outstanding[id] = .restoreKeyboard(wish)
    sayEnd(end, isBack: false)
  }

  /// Announces all pending ends at once; the session waits for none of them.
  mutating func endComingBack() {
    for id in outstanding.keys { sayEnd(id) }
  }

  private mutating func sayEnd(_ end: Announcement, isBack: Bool) {
    guard case .cancelled(let names, let count, _) = end, !isBack else { return say(end) }
    say(.cancelled(names: names, count: count, next: ""))
  }

  /// The keyboard has returned, possibly elsewhere: only items that are focused again are announced
  /// as returned to.
  mutating func keyboardRestored(
    _ wish: KeyboardReturn, _ end: Announcement?, at place: KeyboardLocation
  ) {
    if let end { sayEnd(end, isBack: place.isAtItems) }
    // The next drag has an announcement of its own.
    guard phase.carry == nil, let window = place.window else { return }
    keyboard?.front = window.id
    // The person has not left the source, or has just heard of it.
    let isKnown = end == nil ? Set([window.id, wish.told]) == [wish.window] : place.isAtItems
    if !isKnown { sayKeyboard(window) }
  }
}
