/// Names typed for a drop: of a folder made for it, or of the item at the target.
extension Session {
  /// Goes to the place for a new folder, and asks for its name.
  mutating func goToNewFolder(_ carry: DragState) {
    let makers = carry.taskPoints.filter { $0.task == .newFolder }
    let point = carry.currentStop.flatMap { carry.walk.point($0.point) }
    let here = point.map { $0.leadsTo ?? $0.container } ?? carry.items.first?.container
    let around = here.map { [$0, point?.container ?? $0] + registry.enclosing($0) } ?? []
    let meant = around.lazy.compactMap { id in makers.first { $0.leadsTo == id } }.first
    // A folder anywhere else is not what was meant.
    guard let meant else {
      rejectCommand(.newFolder)
      return
    }
    let stop = DropStop(meant.id)
    var carry = carry
    guard verdict(at: stop, carry).isDroppable else {
      reveal(stop, &carry)
      return stand(.stop(stop), carry)
    }
    cancelPendingAnnouncement(&carry)
    askForFolder(carry, at: stop)
  }

  /// Removes a filter that hides a place.
  private func reveal(_ stop: DropStop, _ carry: inout DragState) {
    guard carry.walk.point(stop.point) == nil else { return }
    carry.filter = nil
    carry.walk = makeWalk(carry)
  }

  /// Adds the place for a new folder in a container opened while carrying; returns the stop to ask.
  mutating func addNewFolder(of listing: Listing, to carry: inout DragState) -> [DropStop] {
    guard let new = listing.newFolder, !carry.taskPoints.contains(where: { $0.id == new.id })
    else { return [] }
    let last = carry.taskPoints.lastIndex { $0.task == .newFolder }
    carry.taskPoints.insert(new, at: last.map { $0 + 1 } ?? 0)
    return [DropStop(new.id)]
  }

  /// Asks for the name of the folder made for the held items.
  mutating func askForFolder(_ carry: DragState, at stop: DropStop, offering name: String = "") {
    let place = point(of: stop, carry)?.leadsTo.flatMap { registry[$0]?.container.name }
    open(
      TypedLine(.dropIntoNew(stop), offering: name), .newFolder(place: place ?? ""),
      over: .carrying(carry))
  }

  mutating func askForName(_ carry: DragState, at stop: DropStop, offering name: String) {
    open(
      TypedLine(.dropAs(stop), offering: name), .rename(name: carry.names.first ?? name),
      over: .carrying(carry))
  }

  /// Enter: asks the place about the name before anything is done.
  mutating func takeDropName(
    _ line: TypedLine, at stop: DropStop, _ underneath: Phase
  ) {
    guard case .carrying(var carry) = underneath else {
      goBack(underneath)
      return
    }
    carry.placeBeforeName = carry.place
    carry.place = .stop(stop)
    reveal(stop, &carry)
    askFinally(&carry, stop, newName: line.text)
    phase = .carrying(carry)
  }

  /// Whether the name is taken according to the answer; asks for another one in that case.
  mutating func asksAgainForName(_ proposal: DropProposal, at stop: DropStop, _ carry: DragState)
    -> Bool
  {
    guard let name = carry.newName else { return false }
    let isFolder = carry.walk.point(stop.point)?.task == .newFolder
    let isTaken =
      isFolder
      ? proposal.acceptance == .none(.nameExists)
      : proposal.predictions.contains { if case .nameClash = $0 { true } else { false } }
    guard isTaken else { return false }
    var carry = carry
    carry.newName = nil
    carry.place = carry.placeBeforeName
    settle(&carry)
    // Keys pressed after the name were not meant for it.
    waiting = []
    say(.cannotName(name: SpokenName.file(name), .nameExists))
    if isFolder {
      askForFolder(carry, at: stop, offering: name)
    } else {
      askForName(carry, at: stop, offering: name)
    }
    return true
  }
}
