/// Windows of programs beside containers of one's own: at home the places have said at the pick-up
/// what they take, a window is listed and asked when it is reached.
///
/// The person is at home or among the windows, and ``Carry/arrival`` says which: it is set among
/// them. The walk goes through the places at home, the windows, the tasks, and back to the source.
extension Session {
  /// Whether what is in a container is asked only when the person reaches it.
  func isAskedOnArrival(_ id: ContainerID) -> Bool {
    !settings.hasHome || registry[id]?.container.isAskedOnArrival == true
  }

  // MARK: Looking

  /// Looks for windows, as they are at this pick-up.
  mutating func lookForWindows() {
    guard settings.reachesWindows else { return }
    let known = registry.entries.keys.filter(isAskedOnArrival)
    for id in known { registry.remove(id) }
    if windowSearch == nil { request(.windows, for: .windows) }
  }

  /// The question for windows that has not been answered.
  private var windowSearch: RequestID? { outstanding.first { $0.value == .windows }?.key }

  /// The windows that were looked for are reachable from now on. Nothing is said of them.
  mutating func windowsFound(_ windows: [ContainerDescriptor]) {
    guard let carry = phase.carry, carry.direct == nil else { return }
    for window in windows where registry[window.id] == nil {
      var window = window
      window.isAskedOnArrival = true
      registry.insert(Listing(container: window, sources: nil, dropPoints: nil))
    }
    // Nothing at home accepts, and this is what was waited for.
    if case .asking(let id) = carry.stage, outstanding[id] == nil { firstAnswers(carry) }
  }

  /// Nothing at home accepts: the walk begins among the windows, once they are known. `false` where
  /// there are none.
  mutating func beginAmongWindows(_ held: Carry) -> Bool {
    var carry = held
    if let id = windowSearch {
      carry.stage = .asking(id)
      phase = .carrying(carry)
      emit(.startTimer(.asking(id), milliseconds: Session.askingDelay))
      return true
    }
    guard registry.entries.keys.contains(where: isAskedOnArrival) else { return false }
    beginOnArrival(carry)
    return true
  }

  // MARK: Crossing

  /// From home to the first or last place of the windows, or to the first place of the last window;
  /// `false` where there is nothing to stand on.
  mutating func enterWindows(_ by: Int, _ held: Carry, isBackward: Bool) -> Bool {
    guard settings.hasHome, held.arrival == nil,
      registry.entries.keys.contains(where: isAskedOnArrival)
    else { return false }
    let carry = amongWindows(held, isBackward: isBackward)
    guard let place = place(from: nil, by: by, isBackward: isBackward, carry) else { return false }
    stand(place, carry)
    return true
  }

  private func amongWindows(_ held: Carry, isBackward: Bool) -> Carry {
    var carry = held
    if let left = carry.left, left.round == carry.round {
      carry.arrival = left.arrival
    } else {
      carry.arrival = Arrival()
      carry.arrival?.unreadable = carry.left?.arrival.unreadable ?? []
      // Something else was held or wished when they were asked.
      for (id, entry) in registry.entries where isAskedOnArrival(id) {
        for point in entry.dropPoints ?? [] { carry.proposals.forget(point.id) }
      }
    }
    carry.arrival?.isBackward = isBackward
    carry.walk = makeWalk(carry)
    return carry
  }

  /// Whether a drag stands at the source or at a place at home, with the windows left.
  private func hasLeftWindows(_ carry: Carry) -> Bool {
    guard settings.hasHome, carry.arrival != nil else { return false }
    return switch carry.place {
    case .source: true
    case .container: false
    case .stop(let stop): carry.walk.point(stop.point) == nil
    }
  }

  /// Makes the walk the one at home again, for who has left the windows.
  func goHome(_ carry: inout Carry) {
    guard hasLeftWindows(carry), var arrival = carry.arrival else { return }
    arrival.putRefusingAside()
    arrival.owed = nil
    arrival.waitsFor = nil
    carry.left = (arrival, carry.round)
    carry.arrival = nil
    carry.walk = makeWalk(carry)
  }

  /// Past either end of the windows: to the first task, or back to the last place at home.
  mutating func leaveWindows(_ by: Int, _ held: Carry) {
    let carry = home(held)
    let walk = carry.walk
    let next = by > 0 ? walk.placeCount : walk.placeCount - 1
    if (0..<walk.blockCount).contains(next) {
      stand(.stop(entry(of: walk.block(next), carry)), carry)
    } else if isSourceThere(carry) || walk.blockCount == 0 {
      stand(.source, carry)
    } else {
      // The source is gone, so the walk goes round.
      stand(.stop(entry(of: walk.block(by > 0 ? 0 : walk.blockCount - 1), carry)), carry)
    }
  }

  /// From the first window to the container before it; `false` where nothing at home accepts.
  mutating func leaveWindowsForContainer(_ held: Carry) -> Bool {
    let carry = home(held)
    let walk = carry.walk
    guard settings.hasHome, walk.placeCount > 0 else { return false }
    func container(_ block: Int) -> ContainerID {
      walk.point(ofStop: walk.block(block).lowerBound).container
    }
    var block = walk.placeCount - 1
    while block > 0, container(block - 1) == container(walk.placeCount - 1) { block -= 1 }
    stand(.stop(entry(of: walk.block(block), carry)), carry)
    return true
  }

  /// The same drag, as at the source.
  private func home(_ held: Carry) -> Carry {
    var carry = held
    carry.place = .source
    goHome(&carry)
    return carry
  }

  /// The last place at home, for who is led away from the windows.
  func lastPlaceAtHome(_ held: Carry) -> Carry.Standpoint? {
    guard settings.hasHome, held.arrival != nil else { return nil }
    let carry = home(held)
    guard carry.walk.placeCount > 0 else { return nil }
    return .stop(entry(of: carry.walk.block(carry.walk.placeCount - 1), carry))
  }

  /// A place on the other side of the border whose name was typed.
  func findAcross(_ text: String, _ held: Carry) -> (DropPointDescriptor, Carry)? {
    guard settings.hasHome else { return nil }
    var carry = held.arrival == nil ? amongWindows(held, isBackward: false) : home(held)
    return carry.walk.match(text, current: nil, movesOn: false).map { ($0, carry) }
  }

  // MARK: Asking

  /// Asks the places at home again while the person is among the windows.
  mutating func askHome(_ carry: inout Carry) {
    guard settings.hasHome, carry.arrival != nil else { return }
    var home = carry
    home.arrival = nil
    ask(&carry, stops: allStops(home), for: .refresh)
  }

  /// Whether a place at home accepts what is held, or may yet.
  func mayHomeAccept(_ held: Carry) -> Bool {
    guard settings.hasHome else { return false }
    let isAsked = outstanding.values.contains {
      if case .ask(.refresh, held.round) = $0 { true } else { false }
    }
    return isAsked || home(held).walk.placeCount > 0
  }
}
