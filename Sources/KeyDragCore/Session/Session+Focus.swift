/// Picking up what has the focus outside: on a desktop there is no list of our own to stand in.
extension Session {
  /// Goes back to what is held where nothing could be added: on a desktop the keys of the walk are
  /// ours only while carrying.
  mutating func endAdding() {
    if settings.picksFocus, case .browsing(let adding?) = phase { returnToCarrying(adding) }
  }

  /// Asks what has the focus; a pick-up goes on when that is known.
  mutating func askForFocus(wish: DragOperation?) {
    // A chord that bounces asks once.
    guard !isAskingFocus else { return }
    let id = request(.focus, for: .focus(wish))
    emit(.startTimer(.asking(id), milliseconds: Session.askingDelay))
  }

  /// A name is about to be typed: every window is read, so that its places can be found too. None is
  /// asked anything before it is reached.
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

  /// The name is there: what the next Enter would do is said again, and all of the place where it has
  /// not been said while the name was typed. A name that was not found is said to be none.
  mutating func endFinding() {
    let (astray, found) = (search.astray, search.said)
    search = TypeAhead()
    switch phase {
    case .browsing: break
    case .carrying(let carry) where carry.stage == .ready:
      if let astray { say(.noMatch(text: astray)) }
      if let stop = carry.currentStop, carry.owed == nil, let found,
        found == report(at: stop, carry)
      {
        sayHere(isPlaceKnown: true)
      } else {
        arrive(carry)
      }
    case .carrying(let carry): say(.holding(holding(carry, verdict: .asking)))
    case .confirming(let question, _): sayChoice(question)
    }
  }

  /// Takes the thing that has the focus, with the windows that are there.
  mutating func focused(_ report: FocusReport, wish: DragOperation?) {
    if phase.carry == nil {
      let window = report.listing.container.id
      keyboard = (window, window)
      let there = Set(report.windows.map(\.id)).union([report.listing.container.id])
      // Other KeyDrag programs come and go by themselves, and stand behind the windows.
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

/// The keyboard on a desktop, where the person may go to another window while carrying.
extension Session {
  /// Whether it is being looked where the keyboard is.
  var awaitsKeyboard: Bool {
    outstanding.values.contains { if case .comeBack = $0 { true } else { false } }
  }

  /// Whether the end of a drag waits for the keyboard to be back: until then its keys are ours.
  var isComingBack: Bool {
    outstanding.values.contains { if case .comeBack(_, .some) = $0 { true } else { false } }
  }

  /// Whether it is being asked what has the focus, to be picked up.
  var isAskingFocus: Bool {
    outstanding.values.contains { if case .focus = $0 { true } else { false } }
  }

  /// By which keys are taken: those behind the chord that picks up are for the walk.
  package var keysPhase: PhaseName {
    isComingBack || isAskingFocus ? .carrying : phase.name
  }

  /// Another window has the keyboard, which is news while something is held.
  mutating func keyboardMoved(to window: ContainerDescriptor) {
    guard keyboard != nil, keyboard?.front != window.id else { return }
    keyboard?.front = window.id
    guard let carry = phase.carry else { return }
    var holding = holding(carry)
    if phase.name != .carrying { holding.dropPoint = nil }
    sayKeyboard(window, holding)
  }

  private mutating func sayKeyboard(_ window: ContainerDescriptor, _ holding: Holding? = nil) {
    let app = window.app == window.name ? nil : window.app
    say(.keyboard(name: window.name, app: app, holding))
  }

  /// The return at the end of a drag or of its delivery; `nil` where focus is our own.
  func keyboardReturn(_ leaves: KeyboardReturn.Leave) -> KeyboardReturn? {
    guard settings.picksFocus else { return nil }
    return keyboard.map { KeyboardReturn(window: $0.source, told: $0.front, leaves: leaves) }
  }

  /// Gives the keyboard back and has the word of the end wait for it; `false` where focus is our own.
  mutating func comeBack(_ carry: Carry, saying end: Announcement) -> Bool {
    guard var wish = keyboardReturn(.any) else { return false }
    wish.items = carry.items.map(\.source)
    wish.names = carry.names
    let id = request(.comeBack(wish), for: .comeBack(wish, end))
    emit(.startTimer(.asking(id), milliseconds: Session.askingDelay))
    return true
  }

  /// Looks where the keyboard is after an end that nobody has asked for.
  mutating func lookForKeyboard() {
    let isAnswered = effects.contains { effect in
      switch effect {
      case .request(_, .comeBack), .request(_, .deliver), .interrupt: true
      default: false
      }
    }
    if !isAnswered, let wish = keyboardReturn(.none) {
      request(.comeBack(wish), for: .comeBack(wish))
    }
  }

  /// Says what of the end is known without the keyboard's place, which takes its time.
  mutating func sayEnd(_ id: RequestID) {
    guard case .comeBack(let wish, let end?)? = outstanding[id] else { return }
    outstanding[id] = .comeBack(wish)
    sayEnd(end, isBack: false)
  }

  /// Says so of every end; the session waits for none of them.
  mutating func endComingBack() {
    for id in outstanding.keys { sayEnd(id) }
  }

  private mutating func sayEnd(_ end: Announcement, isBack: Bool) {
    guard case .cancelled(let names, let count, _) = end, !isBack else { return say(end) }
    say(.cancelled(names: names, count: count, next: ""))
  }

  /// It has been seen where the keyboard is: only what is in focus again is gone back to.
  mutating func cameBack(_ wish: KeyboardReturn, _ end: Announcement?, at place: KeyboardPlace) {
    if let end { sayEnd(end, isBack: place.isAtItems) }
    // Of the next drag it is told by itself.
    guard phase.carry == nil, let window = place.window else { return }
    keyboard?.front = window.id
    // Nobody has left the source, or has just heard of it.
    let isKnown = end == nil ? Set([window.id, wish.told]) == [wish.window] : place.isAtItems
    if !isKnown { sayKeyboard(window) }
  }
}
