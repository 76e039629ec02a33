import KeyDragCore
import KeyDragThreads

/// The places of the user's other KeyDrag programs. Has no drag sources: it only accepts copies
/// from other worlds. Works on the directory's thread.
package final class PeerWorld: World {
  /// Wraps a drop, given its order and the target's name: starts the drop and forwards its events.
  /// Must not block.
  package typealias Recording =
    @Sendable (
      DeliveryOrder, String, @escaping DeliveryReceiver,
      @escaping @Sendable (@escaping DeliveryReceiver) -> Void
    ) -> Void

  private let directory: PeerDirectory
  /// `nil` disables recording.
  private let recording: Recording?

  package var owners: [IDOwner] { [.peers] }

  /// Always `false`: other programs keep the history of drops they accept.
  package var keepsHistory: Bool { false }

  /// - Parameters:
  ///   - program: this program's name as spoken in others.
  ///   - folder: the one this program listens in, if it does, so that its own socket is skipped.
  package init(
    in folder: PeerFolder, program: String,
    impostor: @escaping PeerProgram.Impostor = { $0 }, patience: PeerPatience = PeerPatience(),
    recording: Recording? = nil
  ) throws(PeerError) {
    directory = try PeerDirectory(
      in: folder, program: program, impostor: impostor, patience: patience)
    self.recording = recording
  }

  /// A snapshot of all running programs' places; observers receive every later change. Waits for
  /// programs that have not responded, with a timeout.
  package func look() async -> PeerSnapshot {
    await withCheckedContinuation { continuation in
      directory.post { $0.look { continuation.resume(returning: $0) } }
    }
  }

  package func observe(_ observer: @escaping @Sendable (WorldReport) -> Void) {
    directory.post { $0.start(observer) }
  }

  /// Cancels all deliveries. Waits for at most two seconds.
  package func close() {
    let done = BlockingResult<Void>()
    directory.post {
      $0.shut()
      done.give()
    }
    // Shutdown must not hang.
    done.wait(within: .seconds(2))
  }

  package func list(
    _ subject: ListingSubject, includingHidden: Bool,
    told: @escaping @Sendable (ListingEvent) -> Void
  ) async throws(ListingError) {
    switch subject {
    case .container(let container):
      guard let listing = await listing(of: container) else { throw ListingError(.gone) }
      told(.listed(listing))
    case .around(let container):
      throw ListingError(.nothingThere, name: await listing(of: container)?.container.name ?? "")
    case .inside: throw ListingError(.gone)
    case .opened, .path: throw ListingError(.notAFolder)
    case .edited: throw ListingError(.notOrdered)
    }
  }

  private func listing(of container: ContainerID) async -> Listing? {
    await withCheckedContinuation { continuation in
      directory.post { continuation.resume(returning: $0.listing(container)) }
    }
  }

  package func answers(to inquiry: ProposalRequest, from loading: (any ItemLoading)?) async
    -> [Answer]
  {
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
    // Recorded before it starts, so that nothing goes unrecorded.
    directory.post { [directory, recording] here in
      guard let recording else { return here.deliver(id, order, from: loading, told: told) }
      recording(order, here.name(of: order.stop), told) { told in
        directory.post { $0.deliver(id, order, from: loading, told: told) }
      }
    }
  }

  package func cancel(_ delivery: DeliveryID) { directory.post { $0.cancel(delivery) } }
}

/// For requests without a source of contents.
private final class NoItems: ItemLoading {
  func open(
    _ source: DragSourceID, as contentType: String, progress: LoadProgress
  ) async throws -> ItemStream { throw Reason.gone }

  func filePath(of source: DragSourceID) -> [UInt8]? { nil }
}
