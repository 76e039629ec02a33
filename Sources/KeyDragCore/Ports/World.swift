/// An outside system that has containers, drag sources and drop points: real folders, a desktop, a
/// program's own lists.
///
/// What a world does not have it need not implement: there is nothing to be had then, and the
/// reason says so.
///
/// A call that is started with `Task.immediate` has done its first part, up to where it waits for
/// something, when that returns: calls begin in the order in which they are made. None may block
/// the caller.
package protocol World: AnyObject, Sendable {
  /// The owners of the identities that it answers for.
  var owners: [IDOwner] { get }

  /// Whether anything that is delivered there can be taken back.
  var keepsHistory: Bool { get }

  /// Sets the receiver of changes that nobody asked for, which are reported from any thread. To be
  /// called once, before anything else is asked.
  func observe(_ observer: @escaping @Sendable (WorldReport) -> Void)

  /// Ends watches and deliveries and returns when nothing runs any more.
  func close()

  /// Lists what is meant, and tells of its changes from then on.
  ///
  /// - Parameter told: what is known of it, as it becomes known, from any thread; in order with the
  ///   changes that the observer is told of. The listing itself comes last, once.
  func list(
    _ subject: ListingSubject, includingHidden: Bool,
    told: @escaping @Sendable (ListingEvent) -> Void
  ) async throws(Unreadable)

  /// Ends the watch of a container that is no longer shown.
  func hide(_ container: ContainerID)

  /// Fixes the types of these sources, which are being picked up.
  func prepare(_ sources: [DragSourceID]) async -> Preparation

  /// The verdicts of drop points; none where newer questions came before this one's turn.
  ///
  /// - Parameter loading: gives the contents of items that belong to another world or program;
  ///   `nil` where they are its own.
  func answers(to inquiry: Inquiry, from loading: (any ItemLoading)?) async -> [Answer]

  /// The same for one's own items, where some places take their time.
  ///
  /// - Parameter told: answers that have come before the last, from any thread.
  func answers(
    to inquiry: Inquiry, told: @escaping @Sendable ([Answer]) -> Void
  ) async -> [Answer]

  /// Carries out a drop.
  ///
  /// - Parameters:
  ///   - loading: as for ``answers(to:from:)``; contents may be loaded from here to the end.
  ///   - told: what becomes of it, in order, from any thread. It ends with
  ///     ``DeliveryEvent/finished(_:)``, which may come once more where the first was not certain.
  func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: (any ItemLoading)?,
    told: @escaping DeliveryReceiver)

  /// Stops a delivery as soon as nothing is half done; its end is told as usual.
  func cancel(_ delivery: DeliveryID)

  /// Undoes an entry of the history; `nil` means the newest that can be undone.
  func undo(entry: Int64?) async -> HistoryResult

  /// Redoes an entry of the history; `nil` means the one that was undone last.
  func redo(entry: Int64?) async -> HistoryResult

  /// The past deliveries, newest first and at most so many; or why the journal can't be read.
  func history(limit: Int) async -> Result<[HistoryLine], Reason>

  /// Moves a source inside its ordered container: its new index, or why it stays.
  func move(_ source: DragSourceID, to index: Int) async -> Result<Int, Reason>

  /// The thing that has the focus outside, to be picked up.
  func focus() async throws(Unreadable) -> FocusReport

  /// The windows of other programs that are there now, in the order of the walk, for something that
  /// is picked up; their places are worked out when they are reached.
  func windows() async -> [ContainerDescriptor]

  /// Brings what a delivery brought to a program to the front there, with the keyboard.
  func show(_ delivery: DeliveryID) async throws(Unreadable) -> ShownLanding

  /// Gives the keyboard back to where a drag began, and looks where it is then.
  func comeBack(_ wish: KeyboardReturn) async -> KeyboardPlace

  /// Makes a new folder in this one.
  func make(
    _ name: String, in container: ContainerID, as delivery: DeliveryID
  ) async -> Result<Landing, Reason>

  /// Gives another name in the same folder.
  func rename(
    _ source: DragSourceID, to name: String, as delivery: DeliveryID
  ) async -> Result<Landing, Reason>

  /// The facts that only folders of files have; `nil` where those of this owner are none.
  func folders(of owner: IDOwner) -> (any Folders)?
}

/// Told what becomes of a delivery, in order, from any thread.
package typealias DeliveryReceiver = @Sendable (DeliveryEvent) -> Void

/// Facts about folders of files, and files that come by their paths.
package protocol Folders: Sendable {
  /// The next letters of a path, which begins where the person is.
  func complete(_ path: String, from base: ContainerID?) async -> PathCompletion

  /// Fixes the types of files by their absolute paths or "file:" addresses, as they were pasted.
  func take(_ places: [String]) async -> Preparation

  /// Fixes the types of what the system's clipboard holds, files or something that becomes one.
  func takeClipboard() async -> Preparation

  /// Details of this one.
  func describe(_ source: DragSourceID) async throws(Unreadable) -> ItemFacts

  /// The sizes and dates of these, at most a screenful.
  func measure(_ sources: [DragSourceID]) async -> [DragSourceID: RowFacts]

  /// The first items of a folder, at most a screenful; `nil` where it can't be read.
  func preview(_ subject: PreviewSubject) async -> FolderPreview?
}

/// Why something can't be listed or shown.
package struct Unreadable: Error, Hashable {
  /// What it is called, safe to speak; empty where that is not known.
  package var name: String
  package var reason: Reason

  package init(_ reason: Reason, name: String = "") {
    self.reason = reason
    self.name = name
  }
}

/// A step of a listing: the container becomes known bit by bit.
package enum ListingEvent: Hashable, Sendable {
  /// How many of each there are, before they are sorted; not every world tells.
  case counted(ContainerDescriptor, ItemCounts)
  case listed(Listing)
}

extension World {
  package var owners: [IDOwner] { [.app] }
  package var keepsHistory: Bool { true }

  package func folders(of owner: IDOwner) -> (any Folders)? { nil }

  package func answers(
    to inquiry: Inquiry, told: @escaping @Sendable ([Answer]) -> Void
  ) async -> [Answer] { await answers(to: inquiry, from: nil) }

  package func hide(_ container: ContainerID) {}

  package func prepare(_ sources: [DragSourceID]) async -> Preparation {
    let refused = sources.map { _ in DeliveryFailure(name: "", reason: .gone) }
    return Preparation(items: [], refused: refused)
  }

  package func undo(entry: Int64?) async -> HistoryResult { .nothing }
  package func redo(entry: Int64?) async -> HistoryResult { .nothing }
  package func history(limit: Int) async -> Result<[HistoryLine], Reason> {
    .success([])
  }

  package func move(_ source: DragSourceID, to index: Int) async -> Result<Int, Reason> {
    .failure(.notOrdered)
  }

  package func make(
    _ name: String, in container: ContainerID, as delivery: DeliveryID
  ) async -> Result<Landing, Reason> { .failure(.notAFolder) }

  package func rename(
    _ source: DragSourceID, to name: String, as delivery: DeliveryID
  ) async -> Result<Landing, Reason> { .failure(.notAFolder) }

  package func focus() async throws(Unreadable) -> FocusReport { throw Unreadable(.nothingThere) }

  package func windows() async -> [ContainerDescriptor] { [] }

  package func show(_ delivery: DeliveryID) async throws(Unreadable) -> ShownLanding {
    throw Unreadable(.operationNotOffered)
  }

  package func comeBack(_ wish: KeyboardReturn) async -> KeyboardPlace { KeyboardPlace() }
}

/// A world that shows its places to other programs.
package protocol PlaceOffering: World {
  /// The containers with places that it shows now, in order, without their sources.
  ///
  /// - Parameters:
  ///   - containers: how many of them at most.
  ///   - points: how many drop points of each at most, the first ones.
  func offeredPlaces(containers: Int, points: Int) -> [Listing]

  /// Calls the handler, from any thread, each time that may have changed. Set once.
  func onOfferChange(_ handler: @escaping @Sendable () -> Void)
}
