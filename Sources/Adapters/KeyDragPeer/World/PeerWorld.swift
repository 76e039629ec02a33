import KeyDragCore

/// The places of the other KeyDrag programs of this user, as one world. It has nothing that could
/// be picked up: what is dropped there comes from other worlds, and is copied, always.
///
/// Calls return at once; replies come from the thread of its sockets. Requests about files, focus
/// and windows find nothing here.
package final class PeerWorld: ItemTaking {
  package typealias Reply = @Sendable (WorldReport) -> Void

  /// Surrounds a drop that it is given, after an order and the name of the thing that takes it: it
  /// begins the drop, and passes on what is told of it. Must not block.
  package typealias Recording =
    @Sendable (
      DeliveryOrder, String, @escaping Reply, @escaping @Sendable (@escaping Reply) -> Void
    ) -> Void

  /// Knows the programs.
  private let directory: PeerDirectory
  /// `nil` where nothing is recorded.
  private let recording: Recording?

  package var owners: [IDOwner] { [.peers] }

  /// Always `false`: other programs are themselves responsible for what they do with their drops.
  package var keepsHistory: Bool { false }

  /// - Parameters:
  ///   - program: what this program is called, as a person in another one hears it.
  ///   - folder: the one in which this program listens, if it does: it leaves out its own socket.
  package init(
    in folder: PeerFolder, program: String, patience: PeerPatience = PeerPatience(),
    recording: Recording? = nil
  ) throws(PeerError) {
    directory = try PeerDirectory(in: folder, program: program, patience: patience)
    self.recording = recording
  }

  /// The places that the running programs show now. Observers of this world are told of every
  /// change after that.
  ///
  /// Waits for programs that have not told, for a bounded time.
  package func look() async -> PeerSight {
    await withCheckedContinuation { continuation in
      directory.post { $0.look { continuation.resume(returning: $0) } }
    }
  }

  package func observe(_ observer: @escaping Reply) { directory.post { $0.start(observer) } }

  /// Cancels what is delivered. Waits two seconds at most.
  package func close() {
    let done = Gate()
    directory.post {
      $0.shut()
      done.open()
    }
    done.wait()
  }

  package func handle(_ request: WorldRequest, id: RequestID, reply: @escaping Reply) {
    switch request {
    case .list(let container, _):
      directory.post { directory in
        let listing = directory.listing(container)
        reply(listing.map { .listed(id, $0) } ?? .unreadable(id, name: "", .gone))
      }
    case .leave(let container, _):
      directory.post { directory in
        let name = directory.listing(container)?.container.name ?? ""
        reply(.unreadable(id, name: name, .nothingThere))
      }
    case .folders: reply(.unreadable(id, name: "", .notAFolder))
    case .enter: reply(.unreadable(id, name: "", .gone))
    case .openDropPoint: reply(.unreadable(id, name: "", .notAFolder))
    case .close: break
    case .prepare(let sources):
      let refused = sources.map { _ in DeliveryFailure(name: "", reason: .gone) }
      reply(.prepared(id, Preparation(items: [], refused: refused)))
    case .ask(let inquiry): ask(inquiry, from: NoItems(), id: id, reply: reply)
    case .deliver(let delivery, let order): take(delivery, order, from: NoItems(), reply: reply)
    case .cancelDelivery(let delivery): directory.post { $0.cancel(delivery) }
    case .undo: reply(.undone(id, .nothing))
    case .redo: reply(.redone(id, .nothing))
    case .history: reply(.history(id, .success([])))
    case .reorder(let source, _): reply(.moved(id, source, .failure(.notOrdered)))
    case .edit: reply(.unreadable(id, name: "", .notOrdered))
    case .focus: reply(.unreadable(id, name: "", .nothingThere))
    case .windows: reply(.windows(id, []))
    case .show: reply(.unreadable(id, name: "", .operationNotOffered))
    }
  }

  package func ask(
    _ inquiry: Inquiry, from loading: any ItemLoading, id: RequestID, reply: @escaping Reply
  ) {
    directory.post { $0.ask(inquiry, from: loading, id: id, reply: reply) }
  }

  package func take(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: any ItemLoading,
    reply: @escaping Reply
  ) {
    // Recorded before it begins, so that nothing happens unseen.
    directory.post { [directory, recording] here in
      guard let recording else { return here.deliver(id, order, from: loading, reply: reply) }
      recording(order, here.name(of: order.stop), reply) { reply in
        directory.post { $0.deliver(id, order, from: loading, reply: reply) }
      }
    }
  }
}

/// The contents of items that nobody gives.
///
/// For requests that come without a giver.
private final class NoItems: ItemLoading {
  func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream { throw Reason.gone }

  func filePath(of source: DragSourceID) -> [UInt8]? { nil }
}
