/// Windows of programs, which are listed and asked when the person reaches them: a question is a real
/// message to a program, and shows it what is carried. They are walked behind the places that have been
/// asked at the pick-up.
extension Session {
  /// Whether what is in a container is asked only when the person reaches it.
  func isAskedOnArrival(_ id: ContainerID) -> Bool {
    !settings.hasHome || registry[id]?.container.isAskedOnArrival == true
  }

  /// Whether a place is a window, or in one.
  func isInWindow(_ place: Carry.Standpoint, _ carry: Carry) -> Bool {
    switch place {
    case .source: false
    case .container: true
    case .stop(let stop):
      carry.walk.ordinal(of: stop.point).map(carry.walk.windowPoints.contains) ?? false
    }
  }

  func isInWindow(_ point: DropPointDescriptor) -> Bool {
    point.task == nil && isAskedOnArrival(point.container)
  }

  /// The container of a place; `nil` at the source.
  func container(of place: Carry.Standpoint, _ carry: Carry) -> ContainerID? {
    switch place {
    case .source: nil
    case .container(let id): id
    case .stop(let stop): carry.walk.point(stop.point)?.container
    }
  }

  var hasWindows: Bool { registry.entries.keys.contains(where: isAskedOnArrival) }

  // MARK: Looking

  /// Looks for windows, as they are at this pick-up.
  mutating func lookForWindows() {
    guard settings.reachesWindows else { return }
    let known = registry.entries.keys.filter(isAskedOnArrival)
    for id in known { registry.remove(id) }
    if windowSearch == nil { request(.windows, for: .windows) }
  }

  /// The question for windows that has not been answered.
  var windowSearch: RequestID? { outstanding.first { $0.value == .windows }?.key }

  /// The windows that were looked for are reachable from now on. Nothing is said of them.
  mutating func windowsFound(_ windows: [ContainerDescriptor]) {
    guard var carry = phase.carry, carry.direct == nil else { return }
    for window in windows where registry[window.id] == nil {
      var window = window
      window.isAskedOnArrival = true
      registry.insert(Listing(container: window, sources: nil, dropPoints: nil))
    }
    guard carry.isAsked else { return }
    carry.walk = makeWalk(carry)
    phase.replaceCarry(carry)
    // Nothing else accepts, and this is what was waited for.
    if case .asking(let id) = carry.stage, outstanding[id] == nil { firstAnswers(carry) }
  }
}
