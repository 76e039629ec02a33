import KeyDragCore
import KeyDragThreads

/// The places of the other KeyDrag programs of this user, as one world. It has nothing that could
/// be picked up: what is dropped there comes from other worlds, and is copied, always.
///
/// The work is done on the thread of its sockets.
package final class PeerWorld: World {
  /// Surrounds a drop that it is given, after an order and the name of the thing that takes it: it
  /// begins the drop, and passes on what is told of it. Must not block.
  package typealias Recording =
    @Sendable (
      DeliveryOrder, String, @escaping DeliveryReceiver,
      @escaping @Sendable (@escaping DeliveryReceiver) -> Void
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
    in folder: PeerFolder, program: String,
    impostor: @escaping PeerProgram.Impostor = { $0 }, patience: PeerPatience = PeerPatience(),
    recording: Recording? = nil
  ) throws(PeerError) {
    directory = try PeerDirectory(
      in: folder, program: program, impostor: impostor, patience: patience)
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

  package func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) {
    directory.post { $0.start(observer) }
  }

  /// Cancels what is delivered. Waits two seconds at most.
  package func close() {
    let done = LateAnswer<Void>()
    directory.post {
      $0.shut()
      done.give()
    }
    // Nobody is kept from leaving.
    done.wait(within: .seconds(2))
  }

  package func list(
    _ subject: ListingSubject, includingHidden: Bool,
    told: @escaping @Sendable (ListingEvent) -> Void
  ) async throws(Unreadable) {
    switch subject {
    case .container(let container):
      guard let listing = await listing(of: container) else { throw Unreadable(.gone) }
      told(.listed(listing))
    case .around(let container):
      throw Unreadable(.nothingThere, name: await listing(of: container)?.container.name ?? "")
    case .inside: throw Unreadable(.gone)
    case .opened, .path: throw Unreadable(.notAFolder)
    case .edited: throw Unreadable(.notOrdered)
    }
  }

  private func listing(of container: ContainerID) async -> Listing? {
    await withCheckedContinuation { continuation in
      directory.post { continuation.resume(returning: $0.listing(container)) }
    }
  }

  package func answers(to inquiry: Inquiry, from loading: (any ItemLoading)?) async -> [Answer] {
    await withCheckedContinuation { continuation in
      directory.post { directory in
        directory.ask(inquiry, from: loading ?? NoItems()) { continuation.resume(returning: $0) }
      }
    }
  }

  package func deliver(
    _ id: DeliveryID, _ order: DeliveryOrder, from loading: (any ItemLoading)?,
    told: @escaping DeliveryReceiver
  ) {
    let loading = loading ?? NoItems()
    // Recorded before it begins, so that nothing happens unseen.
    directory.post { [directory, recording] here in
      guard let recording else { return here.deliver(id, order, from: loading, told: told) }
      recording(order, here.name(of: order.stop), told) { told in
        directory.post { $0.deliver(id, order, from: loading, told: told) }
      }
    }
  }

  package func cancel(_ delivery: DeliveryID) { directory.post { $0.cancel(delivery) } }
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
