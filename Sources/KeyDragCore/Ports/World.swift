/// An outside system with containers, drag sources and drop points: real folders, a desktop, an
/// app's own lists.
///
/// Default implementations return nothing, or the reason.
///
/// Calls begun with `Task.immediate` run to their first suspension before it returns, so that they
/// begin in the order in which they are made. None may block the caller.
package protocol World: AnyObject, Sendable {
  /// The owners of the identifiers that it answers for.
  var owners: [IDOwner] { get }

  /// The world beneath, which takes what this one leaves to the defaults.
  var base: (any World)? { get }

  /// Whether deliveries to it can be undone.
  var keepsHistory: Bool { get }

  /// Sets the receiver of unsolicited changes, called on any thread. To be called once, before
  /// anything else.
  func observe(_ observer: @escaping @Sendable (WorldReport) -> Void)

  /// Ends watches and deliveries, and returns when nothing is running any more.
  func close()

  /// Lists the subject and watches it from then on.
  ///
  /// - Parameter told: receives partial results on any thread, in order with the changes sent to
  ///   the observer. The listing itself comes last, once.
  func list(
    _ subject: ListingSubject, includingHidden: Bool,
    told: @escaping @Sendable (ListingEvent) -> Void
  ) async throws(ListingError)

  /// Stops watching a container that is no longer shown.
  func hide(_ container: ContainerID)

  /// Picks up these sources: their types are fixed.
  func prepare(_ sources: [DragSourceID]) async -> PreparedItems

  /// The verdicts of drop points; empty if newer inquiries superseded this one.
  ///
  /// - Parameter loading: loads items that belong to another world or program; `nil` if they are
  ///   this world's own.
  func answers(to inquiry: ProposalRequest, from loading: (any ItemLoading)?) async -> [Answer]

  /// As ``answers(to:from:)`` for the world's own items, with partial results.
  ///
  /// - Parameter told: receives early answers, on any thread.
  func answers(
    to inquiry: ProposalRequest, told: @escaping @Sendable ([Answer]) -> Void
  ) async -> [Answer]

  /// Carries out a drop.
  ///
  /// - Parameters:
  ///   - loading: as for ``answers(to:from:)``; contents may be loaded until the end.
  ///   - told: receives the events in order, on any thread. The last one is
  ///     ``DeliveryEvent/finished(_:)``, which may be repeated if the first was uncertain.
  func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: (any ItemLoading)?,
    told: @escaping DeliveryReceiver)

  /// Stops a delivery at the next consistent point; its end is reported as usual.
  func cancel(_ delivery: DeliveryID)

  /// Undoes a history entry; `nil` for the newest that can be undone.
  func undo(entry: Int64?) async -> HistoryResult

  /// Redoes a history entry; `nil` for the one undone last.
  func redo(entry: Int64?) async -> HistoryResult

  /// Stops an undo or a redo after the step it is in; its end is reported as usual. For a process
  /// that ends.
  func cancelHistory()

  /// Past deliveries, newest first, up to `limit`; or why the journal can't be read.
  func history(limit: Int) async -> Result<[HistoryLine], Reason>

  /// Moves a source within its ordered container; returns its new index, or why it stays.
  func move(_ source: DragSourceID, to index: Int) async -> Result<Int, Reason>

  /// The focused item of another program, to be picked up.
  func focus() async throws(ListingError) -> FocusReport

  /// The windows of other programs, in the order of the walk; their places are listed on arrival.
  func windows() async -> [ContainerDescriptor]

  /// Brings the result of a delivery to a program to the front, with the keyboard.
  func show(_ delivery: DeliveryID) async throws(ListingError) -> RevealedLanding

  /// Returns the keyboard to where a drag began, and reports where it is then.
  func restoreKeyboard(_ wish: KeyboardReturn) async -> KeyboardLocation

  func make(
    _ name: String, in container: ContainerID, as delivery: DeliveryID
  ) async -> Result<Landing, Reason>

  func rename(
    _ source: DragSourceID, to name: String, as delivery: DeliveryID
  ) async -> Result<Landing, Reason>

  /// `nil` if this owner has no folders of files.
  func folders(of owner: IDOwner) -> (any Folders)?
}

/// Receives the events of a delivery in order, on any thread.
package typealias DeliveryReceiver = @Sendable (DeliveryEvent) -> Void

package protocol Folders: Sendable {
  /// Completes a path, relative to the current folder.
  func complete(_ path: String, from base: ContainerID?) async -> PathCompletion

  /// Picks up pasted files, given as absolute paths or "file:" addresses.
  func take(_ places: [String]) async -> PreparedItems

  /// Picks up the contents of the clipboard: files, or data that becomes one.
  func takeClipboard() async -> PreparedItems

  func describe(_ source: DragSourceID) async throws(ListingError) -> ItemFacts

  /// The sizes and dates of up to a screenful of items.
  func measure(_ sources: [DragSourceID]) async -> [DragSourceID: RowFacts]

  /// The first items of a folder, at most a screenful; `nil` where it can't be read.
  func preview(_ subject: PreviewSubject, includingHidden: Bool) async -> FolderPreview?
}

package struct ListingError: Error, Hashable {
  /// Safe to speak; empty if unknown.
  package var name: String
  package var reason: Reason

  package init(_ reason: Reason, name: String = "") {
    self.reason = reason
    self.name = name
  }
}

package enum ListingEvent: Hashable, Sendable {
  /// The number of items before they are sorted; not every world reports it.
  case counted(ContainerDescriptor, ItemCounts)
  case listed(Listing)
}

extension World {
  package var owners: [IDOwner] { [.app] }
  package var base: (any World)? { nil }
  package var keepsHistory: Bool { true }

  package func folders(of owner: IDOwner) -> (any Folders)? { base?.folders(of: owner) }

  package func answers(
    to inquiry: ProposalRequest, told: @escaping @Sendable ([Answer]) -> Void
  ) async -> [Answer] { await answers(to: inquiry, from: nil) }

  package func hide(_ container: ContainerID) {}

  package func prepare(_ sources: [DragSourceID]) async -> PreparedItems {
    let refused = sources.map { _ in DeliveryFailure(name: "", reason: .gone) }
    return PreparedItems(items: [], refused: refused)
  }

  package func undo(entry: Int64?) async -> HistoryResult { .nothing }
  package func redo(entry: Int64?) async -> HistoryResult { .nothing }
  package func cancelHistory() { base?.cancelHistory() }
  package func history(limit: Int) async -> Result<[HistoryLine], Reason> {
    await base?.history(limit: limit) ?? .success([])
  }

  package func move(_ source: DragSourceID, to index: Int) async -> Result<Int, Reason> {
    await base?.move(source, to: index) ?? .failure(.notOrdered)
  }

  package func make(
    _ name: String, in container: ContainerID, as delivery: DeliveryID
  ) async -> Result<Landing, Reason> {
    await base?.make(name, in: container, as: delivery) ?? .failure(.notAFolder)
  }

  package func rename(
    _ source: DragSourceID, to name: String, as delivery: DeliveryID
  ) async -> Result<Landing, Reason> {
    await base?.rename(source, to: name, as: delivery) ?? .failure(.notAFolder)
  }

  package func focus() async throws(ListingError) -> FocusReport {
    throw ListingError(.nothingThere)
  }

  package func windows() async -> [ContainerDescriptor] { [] }

  package func show(_ delivery: DeliveryID) async throws(ListingError) -> RevealedLanding {
    throw ListingError(.operationNotOffered)
  }

  package func restoreKeyboard(_ wish: KeyboardReturn) async -> KeyboardLocation {
    KeyboardLocation()
  }
}

/// A world that offers its places to other programs.
package protocol PlaceProvider: World {
  /// Up to `containers` containers that it offers, in order, without their sources and with up to
  /// `points` places each.
  func offeredPlaces(containers: Int, points: Int) -> [Listing]

  /// Sets the handler for possible changes of those places, called on any thread. Set once.
  func onOfferChange(_ handler: @escaping @Sendable () -> Void)
}
