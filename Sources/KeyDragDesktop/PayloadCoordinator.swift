import Dispatch
import KeyDragCore
import Synchronization

/// The forms of what is carried: files, or a clipping.
///
/// Owned by ``DesktopWorld``. File queries run on a concurrent queue with a timeout of
/// ``Desktop/dropPatience``; clippings are in memory.
final class PayloadCoordinator: Sendable {
  private let clippings: TextPayloads
  private let files: any DragPayload
  private let clock: any Clock<Duration>
  private let queue = DispatchQueue(label: "keydrag.goods", attributes: .concurrent)
  /// Counts file queries in flight, each of which holds a thread.
  private let pending = Atomic(0)
  private static let mostPending = 16
  /// By item, so that a drop and the question before it share one.
  private let directSavingsByItem = Mutex<[DragSourceID: any DirectSaving]>([:])

  init(clippings: TextPayloads, files: any DragPayload, clock: any Clock<Duration>) {
    self.clippings = clippings
    self.files = files
    self.clock = clock
  }

  /// The forms that all items share.
  ///
  /// - Throws: ``Reason/wrongType`` for files and texts together, which share none; ``Reason/gone``
  ///   when an item no longer exists; ``Reason/notResponding`` when its disk hangs.
  func forms(of items: [DragItem]) async throws(Reason) -> [DragForm] {
    let texts = items.filter { TextPayloads.isOne($0.source) }
    if !texts.isEmpty {
      guard texts.count == items.count else { throw .wrongType }
      return try clippings.forms(of: texts)
    }
    guard let forms = await look({ $0.forms(of: items) }) else { throw .notResponding }
    guard !forms.isEmpty else { throw .gone }
    return forms
  }

  /// Those of at most ``DropEffect/mostItems`` that no longer exist. Items on a disk that hangs are
  /// not among them.
  func gone(of items: [DragItem]) async -> Set<DragSourceID> {
    var gone: Set<DragSourceID> = []
    for item in items.prefix(DropEffect.mostItems) {
      do throws(Reason) { _ = try await forms(of: [item]) } catch {
        if error == .gone { gone.insert(item.source) }
        if error == .notResponding { break }
      }
    }
    return gone
  }

  /// Queries files on the queue; `nil` when their disk does not answer.
  private func look(_ body: @escaping @Sendable (any DragPayload) -> [DragForm]) async
    -> [DragForm]?
  {
    await clock.wait(Desktop.dropPatience, else: nil) { [self] in
      guard pending.load(ordering: .relaxed) < Self.mostPending else { return nil }
      pending.add(1, ordering: .relaxed)
      return await answer { [self] reply in
        queue.async { [self] in
          let forms = body(files)
          pending.subtract(1, ordering: .relaxed)
          reply(forms)
        }
      }
    }
  }

  /// The forms that a program may have received.
  func given(of items: [DragItem]) async -> [DragForm] {
    let isOfFiles = !items.contains { TextPayloads.isOne($0.source) }
    if isOfFiles { return await look { $0.given(of: items) } ?? [] }
    return (try? await forms(of: items)) ?? []
  }

  /// `nil` where the folder is not found, and for a clipping that can't be written as a file.
  ///
  /// - Throws: ``Reason/notResponding`` for a disk that hangs.
  func expect(
    _ items: [DragItem], _ operation: DragOperation, in folder: DisplayedFolder
  ) async throws(Reason) -> (any DropVerifier)? {
    if items.contains(where: { TextPayloads.isOne($0.source) }) {
      guard operation == .copy, let saving = saving(of: items) else { return nil }
      saving.begin(in: folder, place: folder.spokenName)
      return saving
    }
    return try await verifier { [files] alive in
      await files.expect(items, operation, in: folder, alive: alive)
    }
  }

  /// The direct save of the item as a file where it is dropped; `nil` for files, for several items,
  /// and for addresses, which programs fetch themselves.
  func saving(of items: [DragItem]) -> (any DirectSaving)? {
    guard let item = items.first, items.count == 1, TextPayloads.isOne(item.source),
      !item.types.contains(TextPayloads.list), let clipping = clippings[item.source]
    else { return nil }
    return directSavingsByItem.withLock { directSavingsByItem in
      if let known = directSavingsByItem[item.source] { return known }
      let form = clipping.forms.first { form in item.types.contains(form.contentType) }
      guard let form = form ?? clipping.forms.first, let new = files.saving(item, as: form) else {
        return nil
      }
      if directSavingsByItem.count >= TextPayloads.most { directSavingsByItem = [:] }
      directSavingsByItem[item.source] = new
      return new
    }
  }

  func canSave(in folder: DisplayedFolder) async -> Bool {
    await clock.wait(Desktop.diskPatience, else: false) { [files] in
      await files.canSave(in: folder)
    }
  }

  /// The same for the person's trash.
  ///
  /// - Throws: ``Reason/notResponding`` for a disk that hangs.
  func expectTrashed(
    _ items: [DragItem], in place: String
  ) async throws(Reason) -> (any DropVerifier)? {
    if items.contains(where: { TextPayloads.isOne($0.source) }) { return nil }
    return try await verifier { [files] alive in
      await files.expectTrashed(items, in: place, alive: alive)
    }
  }

  private func verifier(
    _ find: @escaping @Sendable (@escaping @Sendable () -> Void) async -> (any DropVerifier)?
  ) async throws(Reason) -> (any DropVerifier)? {
    let found: Result<(any DropVerifier)?, Reason> = await clock.wait(
      silence: Desktop.dropPatience, else: .failure(.notResponding)
    ) { alive in .success(await find(alive)) }
    return try found.get()
  }

  /// Calls the handler when files among these vanish; replaces the ones followed before.
  func follow(_ items: [DragItem], _ gone: @escaping @Sendable ([DragItem]) -> Void) {
    let files = items.filter { !TextPayloads.isOne($0.source) }
    // Callers do not wait for the disk.
    queue.async { [self] in self.files.follow(files, gone) }
  }

  /// The precheck of a folder before its program is asked; `nil` for a disk that hangs.
  func outlook(for items: [DragItem], in folder: DisplayedFolder) async -> FolderDropPrecheck? {
    if items.contains(where: { TextPayloads.isOne($0.source) }) { return FolderDropPrecheck() }
    return await clock.wait(silence: Desktop.dropPatience, else: nil) { [files] alive in
      await files.outlook(for: items, in: folder, alive: alive)
    }
  }
}
