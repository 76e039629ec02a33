import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// One drop of items without files, from its first file to its result.
///
/// In the journal it is a copy whose original nobody has: it can be taken back like any other, and
/// not be done again.
///
/// One file after the other. One that fails does not stop the others; a cancellation does. Used
/// once.
struct ItemRun: Sendable {
  private let drop: ItemDrop
  private let events: @Sendable (FileDropEvent) -> Void
  private let journal: Journal
  /// In bytes; `nil` where that of one is not known.
  private let size: Int64?

  /// The target is made absolute, because the journal outlives the working folder.
  init(
    _ drop: ItemDrop, _ journal: Journal, _ events: @escaping @Sendable (FileDropEvent) -> Void
  ) {
    var drop = drop
    drop.target = drop.target.absolute
    self.drop = drop
    size = drop.size
    self.events = events
    self.journal = journal
  }

  /// The last event, which the caller tells. All others are told on the way.
  func run() async -> FileDropEvent {
    let folder: OpenFolder
    let log: ItemLog
    do {
      // Nothing is refused later than here: from now on every failure is one item's.
      folder = try await Disk.run { [drop] in
        let folder = try OpenFolder(drop.target)
        if let refusal = folder.refusesChanges() { throw refusal }
        // The length is another program's word: a lie must not fill the disk.
        if let size = drop.size, let free = PlaceProbe.freeBytes(in: folder.raw), size > free {
          throw Reason.noSpace
        }
        return folder
      }
      log = try await Disk.run { [drop, journal] in
        let log = ItemLog(drop, journal)
        log.begin()
        return log
      }
    } catch { return refused(Reason(error)) }
    events(.started(DeliveryProgress(bytesTotal: size)))
    let gate = LoadGate(types: drop.types)
    var result = DeliveryResult(outcome: .delivered, route: .files, delivered: 0)
    var landed: [FilePath] = []
    for (index, item) in drop.items.enumerated() {
      do {
        let before = result
        let (name, bytes) = try await write(index, into: folder, log, gate) { count in
          tell(before, count)
        }
        landed.append(folder.path.appending(name))
        note(name, bytes, of: item, in: &result)
      } catch is CancellationError {
        result.outcome = .cancelled
        break
      } catch {
        result.failures.append(DeliveryFailure(name: item.name, reason: Reason(error)))
      }
    }
    // Whatever came of it: no data from here on.
    gate.close()
    try? await Disk.run { log.end() }
    if result.outcome != .cancelled, !result.failures.isEmpty {
      result.outcome = result.delivered > 0 ? .partly : .failed
    }
    result.verified = result.delivered > 0
    return .finished(result, landed: landed, entry: log.number)
  }

  /// Writes one file and its end in the journal. When it throws, nothing of the file is left.
  private func write(
    _ index: Int, into folder: OpenFolder, _ log: ItemLog, _ gate: LoadGate,
    progress: (Int64) -> Void
  ) async throws -> (FileName, Int64) {
    try Task.checkCancellation()
    guard let (provider, file) = drop.items[index].content else { throw Reason.wrongType }
    let chunks = try provider.opened(by: gate).chunks(of: file.contentType)
    let hidden = log.hidden(index)
    let part = try await Disk.run { try PartFile(in: folder, hidden: hidden) }
    let bytes = try await part.fill(chunks, progress: progress)
    let name = try await Disk.run {
      let name = try part.finish(as: FileName(file.name), count: bytes) { name, stamp in
        log.intend(index, folder.path.appending(name), stamp)
      }
      log.arrived(index, FolderEntry(folder, name))
      return name
    }
    return (name, bytes)
  }

  /// Counts an item as delivered, and tells what its file is called where that says something new.
  private func note(
    _ name: FileName, _ bytes: Int64, of item: ItemDrop.Item, in result: inout DeliveryResult
  ) {
    result.delivered += 1
    result.bytes += bytes
    result.totalBytes += bytes
    let spoken = SpokenName.file(name.bytes)
    if let news = item.content?.file.news(of: spoken, for: item.name, among: drop.items.count) {
      result.renamed.append(news)
    }
    tell(result)
  }

  /// - Parameter more: the bytes that have come of an item that is not whole yet.
  private func tell(_ result: DeliveryResult, _ more: Int64 = 0) {
    events(
      .progressed(
        DeliveryProgress(
          itemsDone: result.delivered, bytesDone: result.bytes + more, bytesTotal: size)))
  }

  /// Nothing was tried.
  private func refused(_ reason: Reason) -> FileDropEvent {
    let failures = drop.items.map { DeliveryFailure(name: $0.name, reason: reason) }
    return .finished(
      DeliveryResult(outcome: .refused, route: .files, delivered: 0, failures: failures),
      landed: [])
  }
}

/// The journal of a drop of items. May block.
///
/// Behind a lock, because the calls come from threads of ``Disk``, one at a time.
private final class ItemLog: Sendable {
  private struct Steps {
    var writer: JournalWriter
    var steps: [StepRecord]
  }

  private let state: Mutex<Steps>
  private let entry: EntryRecord
  /// The index of the first item's step in the entry.
  private let first: Int64

  /// May block.
  ///
  /// Takes hold of the entry of the first half, where it can still be had; else of a new one.
  init(_ drop: ItemDrop, _ journal: Journal) {
    let open = drop.entry.flatMap { journal.reopen($0, for: drop.items.count) }
    let first = open?.next ?? 0
    let entry =
      open?.entry
      ?? EntryRecord(
        operation: .copy, permanently: false, place: drop.placeName, time: Int64(time(nil)),
        token: RandomName.hexadecimal(16), planned: Int64(drop.items.count), visitor: drop.visitor)
    self.first = first
    let now = timespec.now.nanoseconds
    let folder = try? FileCalls.status(drop.target).identity
    let steps = drop.items.enumerated().map { index, item in
      // There is no original: the file itself stands for it, so that nothing is ever found there.
      let path = drop.target.appending(FileName(item.content?.file.name ?? "item"))
      return StepRecord(
        index: first + Int64(index), source: path, target: path,
        before: RecordedStamp(kind: .file, inode: 0, size: -1, modified: 0, changed: 0),
        begun: now, targetFolder: folder)
    }
    self.entry = entry
    state = Mutex(Steps(writer: JournalWriter(journal, entry), steps: steps))
  }

  /// The name under which a file grows, so that recovery finds it.
  func hidden(_ index: Int) -> FileName { entry.partName(first + Int64(index)) }

  /// The journal's number for the drop; `nil` when it could not be written down.
  var number: Int64? { state.withLock { $0.writer.number } }

  /// Writes down what is about to be done.
  ///
  /// In batches, all before the first file is begun.
  func begin() {
    state.withLock { state in
      let count = state.steps.count
      for start in stride(from: 0, to: count, by: JournalWriter.batch) {
        state.writer.intend(Array(state.steps[start..<min(start + JournalWriter.batch, count)]))
      }
    }
  }

  /// A file is whole and gets this name now: from here on recovery knows it.
  ///
  /// Called again for each name that is tried.
  func intend(_ index: Int, _ path: FilePath, _ stamp: FileStamp) {
    state.withLock { state in
      state.steps[index].target = path
      state.steps[index].after = stamp.recorded
      state.writer.redirect(state.steps[index])
    }
  }

  /// The file is there: notes how to recognise it for undo. Reads it through.
  func arrived(_ index: Int, _ place: FolderEntry) {
    let stamp = try? FileCalls.status(place.folder, place.name)
    let contents = try? TreeCopier(meter: Meter()).contents(of: place)
    state.withLock { state in
      state.steps[index].state = .done
      state.steps[index].after = stamp?.recorded ?? state.steps[index].after
      state.steps[index].contents = contents
    }
  }

  /// Items that were not written are told as failed. To be called once, last.
  func end() {
    state.withLock { state in
      for index in state.steps.indices where state.steps[index].state == .intended {
        state.steps[index].state = .failed
      }
      state.writer.finish(state.steps)
    }
  }
}
