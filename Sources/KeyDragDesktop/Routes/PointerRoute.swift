import KeyDragCore

/// The route by the real pointer, for a program's own drags within one of its windows, which it
/// offers to no other program.
struct PointerRoute: Sendable {
  let desktop: Desktop
  let origins: PickUpOrigins

  struct Path: Sendable {
    var pointer: any PointerDragging
    var start: ScreenPoint
    var end: ScreenPoint
  }

  /// Whether a drop would be an inner drag that its program does not declare: between two rows of
  /// one list.
  func isInner(_ items: [DragItem], _ spot: Desktop.PlaceRecord) async -> Bool {
    guard let origin = origin(of: items, in: spot),
      let list = await desktop.spot(at: origin.element, in: origin.window)?.list
    else { return false }
    return spot.list == list || spot.place.element == list
  }

  /// Whether the items were picked up in the window of a place.
  func isWithin(_ items: [DragItem], _ spot: Desktop.PlaceRecord) -> Bool {
    origin(of: items, in: spot) != nil
  }

  private func origin(of items: [DragItem], in spot: Desktop.PlaceRecord) -> PickUpOrigins.Origin? {
    guard items.count == 1, let origin = origins[items[0].source], origin.window == spot.window
    else { return nil }
    return origin
  }

  func proposal(at spot: Desktop.PlaceRecord, _ stop: DropStop, _ inquiry: ProposalRequest) async
    -> DropProposal
  {
    do throws(Reason) {
      _ = try await path(of: inquiry.items, to: stop, spot)
    } catch {
      return .refused(error)
    }
    // The effect is up to the program: rows of a list change places.
    let operation = spot.place.traits.operation ?? .move
    let wished = inquiry.wish ?? operation
    guard wished == operation else { return .refused(.operationNotOffered) }
    let canUndo = await desktop.offers(.undo, in: spot.window)
    return DropProposal(
      .maybe, offers: DragOperations(operation),
      predictions: canUndo ? [] : [.inProgram(isPasted: false, undo: .impossible)])
  }

  /// - Throws: ``Reason/notShown`` where something covers either end.
  private func path(
    of items: [DragItem], to stop: DropStop, _ spot: Desktop.PlaceRecord
  ) async throws(Reason) -> Path {
    guard let origin = origin(of: items, in: spot) else { throw .notTaken }
    let pointer = try await desktop.display(of: spot.window).pointer
    guard await desktop.window(spot.window)?.facts.isMapped == true else { throw .notShown }
    // The place first: finding it may scroll.
    let aim = try await desktop.locate(stop.point)
    var end = aim.at
    if stop.position != .on, let element = spot.place.element,
      let place = await desktop.rectangle(of: element, in: spot.window)
    {
      let edge = max(place.height / 6, 1)
      end.y = stop.position == .before ? place.y + edge : place.y + place.height - edge
    }
    guard let start = await desktop.rectangle(of: origin.element.id, in: origin.window) else {
      throw .notShown
    }
    guard await pointer.reaches(aim.window, at: [start.center, end]) else { throw .notShown }
    return Path(pointer: pointer, start: start.center, end: end)
  }

  func drag(_ order: DeliveryOrder, to spot: Desktop.PlaceRecord) async throws(Reason)
    -> DragAnswer
  {
    let path = try await path(of: order.items, to: order.stop, spot)
    return try await path.pointer.drag(from: path.start, to: path.end)
  }
}
