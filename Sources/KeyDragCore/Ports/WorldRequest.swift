package enum ListingSubject: Hashable, Sendable {
  case container(ContainerID)
  case inside(DragSourceID)
  /// The parent of this container.
  case around(ContainerID)
  /// The places inside a drop point, while carrying.
  case opened(DropPointID)
  /// A container whose edit mode is switched.
  case edited(ContainerID, isOn: Bool)
  /// The folder at a typed path, relative to the current one. `isOpened`: while carrying.
  case path(String, from: ContainerID?, isOpened: Bool)
}

/// A request of the session to the world. Each is answered by exactly one ``WorldReport`` with its
/// id, unless stated otherwise.
package enum WorldRequest: Hashable, Sendable {
  /// Answered by `counted` (optional, early) and `listed`, or `unreadable`.
  case list(ListingSubject, includingHidden: Bool)
  /// Stops watching a container that is no longer shown. Not answered.
  case close(ContainerID)
  /// Picks up these sources: answered by `prepared`.
  case prepare([DragSourceID])
  /// Asks drop points for their verdicts: answered by `answered`, after any number of `answering`.
  case ask(ProposalRequest)
  /// Carries out a drop: answered by any number of events, ending with
  /// ``DeliveryEvent/finished(_:)``.
  case deliver(DeliveryID, DeliveryOrder)
  /// Stops a delivery at the next consistent point. Not answered: the delivery finishes.
  case cancelDelivery(DeliveryID)
  /// `nil` for the newest entry that can be undone: answered by `undone`.
  case undo(entry: Int64?)
  /// `nil` for the entry undone last: answered by `redone`.
  case redo(entry: Int64?)
  /// Past deliveries, newest first, up to `limit`: answered by `history`.
  case history(limit: Int)
  /// Changes the order in an ordered container: answered by `moved`.
  case reorder(DragSourceID, toIndex: Int)
  /// Makes a folder: answered by `renamed`.
  case make(String, in: ContainerID, as: DeliveryID)
  /// Renames an item in its folder: answered by `renamed`.
  case rename(DragSourceID, to: String, as: DeliveryID)
  /// The focused item of another program: answered by `focused`, or `unreadable`.
  case focus
  /// The current windows of other programs: answered by `windows`.
  case windows
  case folders(FolderRequest)
  /// Brings a delivery's result in a program to the front: answered by `shown` or `unreadable`.
  case show(DeliveryID)
  /// Returns the keyboard to where a drag began: answered by `keyboardRestored`.
  case restoreKeyboard(KeyboardReturn)
}

/// A request that only folders of files can answer; `unreadable` without them.
package enum FolderRequest: Hashable, Sendable {
  /// Completes a path: answered by `completed`.
  case complete(String, from: ContainerID?)
  /// Picks up pasted files, given as absolute paths or "file:" addresses: answered by `prepared`.
  case take([String], from: ContainerID?)
  /// Picks up the contents of the system's clipboard: answered by `prepared`.
  case takeClipboard(from: ContainerID?)
  /// Answered by `described`, or `unreadable`.
  case describe(DragSourceID)
  /// Answered by `measured`.
  case measure([DragSourceID])
  /// Answered by `previewed`.
  case preview(PreviewSubject, includingHidden: Bool)
}

extension World {
  /// Starts a request and returns at once, in the order of calls; `reply` comes on any thread.
  package func perform(
    _ request: WorldRequest, id: RequestID, reply: @escaping @Sendable (WorldReport) -> Void
  ) {
    func begin(_ work: @escaping @Sendable () async throws(ListingError) -> WorldReport?) {
      Task.immediate {
        do throws(ListingError) {
          if let report = try await work() { reply(report) }
        } catch {
          reply(.unreadable(id, name: error.name, error.reason))
        }
      }
    }
    switch request {
    case .list(let subject, let hidden):
      begin { () async throws(ListingError) in
        try await self.list(subject, includingHidden: hidden) { reply($0.report(id)) }
        return nil
      }
    case .close(let container): hide(container)
    case .prepare(let sources): begin { .prepared(id, await self.prepare(sources)) }
    case .ask(let inquiry):
      begin { .answered(id, await self.answers(to: inquiry) { reply(.answering(id, $0)) }) }
    case .deliver(let delivery, let order):
      deliver(delivery, order, from: nil) { reply(.delivery(delivery, $0)) }
    case .cancelDelivery(let delivery): cancel(delivery)
    case .undo(let entry): begin { .undone(id, await self.undo(entry: entry)) }
    case .redo(let entry): begin { .redone(id, await self.redo(entry: entry)) }
    case .history(let limit): begin { .history(id, await self.history(limit: limit)) }
    case .reorder(let source, let index):
      begin { .moved(id, source, await self.move(source, to: index)) }
    case .make(let name, let container, let delivery):
      begin { .renamed(id, await self.make(name, in: container, as: delivery)) }
    case .rename(let source, let name, let delivery):
      begin { .renamed(id, await self.rename(source, to: name, as: delivery)) }
    case .focus: begin { () async throws(ListingError) in .focused(id, try await self.focus()) }
    case .windows: begin { .windows(id, await self.windows()) }
    case .show(let delivery):
      begin { () async throws(ListingError) in .shown(id, try await self.show(delivery)) }
    case .restoreKeyboard(let wish):
      begin { .keyboardRestored(id, await self.restoreKeyboard(wish)) }
    case .folders(let request):
      guard let folders = folders(of: request.owner) else {
        return reply(.unreadable(id, name: "", .notAFolder))
      }
      begin { () async throws(ListingError) in try await folders.answer(request, id) }
    }
  }
}

extension Folders {
  fileprivate func answer(
    _ request: FolderRequest, _ id: RequestID
  ) async throws(ListingError) -> WorldReport {
    switch request {
    case .complete(let path, let base): .completed(id, await complete(path, from: base))
    case .take(let places, _): .prepared(id, await take(places))
    case .takeClipboard: .prepared(id, await takeClipboard())
    case .describe(let source): .described(id, try await describe(source))
    case .measure(let sources): .measured(id, await measure(sources))
    case .preview(let subject, let hidden):
      .previewed(id, await preview(subject, includingHidden: hidden))
    }
  }
}

extension FolderRequest {
  /// The owner of the current folder, otherwise the files.
  fileprivate var owner: IDOwner {
    switch self {
    case .complete(_, let base), .take(_, let base), .takeClipboard(let base): base?.owner ?? .files
    case .describe(let source): source.owner
    // All rows in sight are of one folder.
    case .measure(let sources): sources.first?.owner ?? .files
    case .preview(.source(let source), _): source.owner
    case .preview(.dropPoint(let point), _): point.owner
    }
  }
}

extension ListingEvent {
  fileprivate func report(_ id: RequestID) -> WorldReport {
    switch self {
    case .counted(let container, let counts): .counted(id, container, counts)
    case .listed(let listing): .listed(id, listing)
    }
  }
}
