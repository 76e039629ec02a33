/// Windows of programs, which are listed and asked only on arrival: a question is a message to a
/// program and exposes what is carried. They follow the places that were asked at the pick-up.
extension Session {
  /// Whether the places in a container are asked only on arrival.
  func isAskedOnArrival(_ id: ContainerID) -> Bool {
    !settings.hasHome || registry[id]?.container.isAskedOnArrival == true
  }

  func isInWindow(_ place: DragState.WalkLocation, _ carry: DragState) -> Bool {
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

  func container(of place: DragState.WalkLocation, _ carry: DragState) -> ContainerID? {
    switch place {
    case .source: nil
    case .container(let id): id
    case .stop(let stop): carry.walk.point(stop.point)?.container
    }
  }

  var hasWindows: Bool { registry.entries.keys.contains(where: isAskedOnArrival) }

  // MARK: Looking

  mutating func lookForWindows() {
    guard settings.reachesWindows else { return }
    let known = registry.entries.keys.filter(isAskedOnArrival)
    for id in known { registry.remove(id) }
    if windowSearch == nil { request(.windows, for: .windows) }
  }

  var windowSearch: RequestID? { outstanding.first { $0.value == .windows }?.key }

  /// Registers the windows found, silently.
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
    // Nothing else accepts, and the pick-up waited for this.
    if case .asking(let id) = carry.stage, outstanding[id] == nil { pickUpAnswered(carry) }
  }
}
