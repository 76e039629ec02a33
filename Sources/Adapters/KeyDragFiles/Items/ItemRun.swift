import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// A drop of items without files, from the first file to the result.
///
/// The journal records it as a copy without an original: undoable, but not redoable.
///
/// Files are written one at a time. A failure does not stop the others; a cancellation does. Used
/// once.
struct ItemRun: Sendable {
  private let drop: ItemDrop
  private let events: DeliveryReceiver
  private let journal: Journal
  /// In bytes; `nil` if any item's size is unknown.
  private let size: Int64?

  /// Makes the target absolute, because the journal outlives the working folder.
  init(
    _ drop: ItemDrop, _ journal: Journal, _ events: @escaping DeliveryReceiver
  ) {
    var drop = drop
    drop.target = drop.target.absolute
    self.drop = drop
    size = drop.size
    self.events = events
    self.journal = journal
  }

  /// Returns the result and the final paths, which the caller reports; all other events go to
  /// `events`.
  func run() async -> (DeliveryResult, landed: [FilePath]) {
    let folder: OpenFolder
    let log: ItemLog
    do {
      // The last point at which the whole drop can be refused; later failures are per item.
      folder = try await Disk.run { [drop] in
        let folder = try OpenFolder(drop.target)
        if let refusal = folder.refusesChanges() { throw refusal }
        // The size is another program's claim: a false one must not fill the disk.
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
    // No data is read after this, whatever the outcome.
    gate.close()
    try? await Disk.run { log.end() }
    if result.outcome != .cancelled, !result.failures.isEmpty {
      result.outcome = result.delivered > 0 ? .partly : .failed
    }
    result.verified = result.delivered > 0
    result.entry = log.number
    return (result, landed)
  }

  /// Writes one file and journals its end. Leaves no file when it throws.
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

  /// Counts an item as delivered, and records its file name if that differs from the item's.
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

  /// - Parameter more: bytes received so far for the current item.
  private func tell(_ result: DeliveryResult, _ more: Int64 = 0) {
    events(
      .progressed(
        DeliveryProgress(
          itemsDone: result.delivered, bytesDone: result.bytes + more, bytesTotal: size)))
  }

  private func refused(_ reason: Reason) -> (DeliveryResult, landed: [FilePath]) {
    (.failed(drop.items.map(\.name), reason, .refused, by: .files), [])
  }
}

/// The journal of a drop of items. May block. Locked, because calls come from the threads of
/// ``Disk``, one at a time.
private final class ItemLog: Sendable {
  private struct Steps {
    var writer: JournalWriter
    var steps: [StepRecord]
  }

  private let state: Mutex<Steps>
  private let entry: EntryRecord
  private let first: Int64

  /// Reopens the first phase's entry if possible, otherwise creates one. May block.
  init(_ drop: ItemDrop, _ journal: Journal) {
    let open = drop.entry.flatMap { journal.reopen($0, for: drop.items.count) }
    let first = open?.next ?? 0
    let entry =
      open?.entry
      ?? EntryRecord(
        operation: .copy, place: drop.placeName, planned: Int64(drop.items.count),
        visitor: drop.visitor)
    self.first = first
    let now = timespec.now.nanoseconds
    let folder = try? FileCalls.status(drop.target).identity
    let steps = drop.items.enumerated().map { index, item in
      // No original: the file stands for itself, and a stamp of size -1 never matches anything.
      let path = drop.target.appending(FileName(item.content?.file.name ?? "item"))
      return StepRecord(
        index: first + Int64(index), source: path, target: path,
        before: RecordedStamp(kind: .file, inode: 0, size: -1, modified: 0, changed: 0),
        begun: now, targetFolder: folder)
    }
    self.entry = entry
    state = Mutex(Steps(writer: JournalWriter(journal, entry), steps: steps))
  }

  /// Temporary name of an unfinished file, known to recovery.
  func hidden(_ index: Int) -> FileName { entry.partName(first + Int64(index)) }

  /// The journal entry's number; `nil` if it could not be written.
  var number: Int64? { state.withLock { $0.writer.number } }

  /// Journals all steps, in batches, before the first file is started.
  func begin() {
    state.withLock { $0.writer.intendAll($0.steps) }
  }

  /// Records the final name of a complete file for recovery. Called again for each name that is
  /// tried.
  func intend(_ index: Int, _ path: FilePath, _ stamp: FileStamp) {
    state.withLock { state in
      state.steps[index].target = path
      state.steps[index].after = stamp.recorded
      state.writer.redirect(state.steps[index])
    }
  }

  /// Records how undo recognises the file. Reads it completely.
  func arrived(_ index: Int, _ place: FolderEntry) {
    let stamp = try? FileCalls.status(place.folder, place.name)
    let contents = try? TreeCopier(meter: ProgressMeter()).contents(of: place)
    state.withLock { state in
      state.steps[index].state = .done
      state.steps[index].after = stamp?.recorded ?? state.steps[index].after
      state.steps[index].contents = contents
    }
  }

  /// Marks items that were not written as failed. Call once, last.
  func end() {
    state.withLock { state in
      for index in state.steps.indices where state.steps[index].state == .intended {
        state.steps[index].state = .failed
      }
      state.writer.finish(state.steps)
    }
  }
}
