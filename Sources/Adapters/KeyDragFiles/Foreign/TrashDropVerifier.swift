import Dispatch
import Glibc
import KeyDragCore
import SystemPackage

/// Detects and journals the files that another program was asked to put into the trash.
///
/// Separate from ``FolderDropVerifier`` because the program chooses the name in the trash: files are
/// recognised by inode, which a rename keeps. A file copied to a trash on another file system is
/// not found.
final class TrashDropVerifier: DropVerifier {
  private struct Item: Sendable {
    /// Safe to speak.
    var name: String
    var source: FilePath
    var before: FileStamp
    var trashes: [FilePath]
  }

  private let items: [Item]
  private let missing: [DeliveryFailure]
  private let place: String
  private let journal: Journal
  private let queue: DispatchQueue

  /// Timeout in milliseconds without any change.
  private static let patience: Int32 = 2000

  /// Takes the baseline; may block.
  ///
  /// - Parameter alive: called for each item.
  init(
    sources: [(name: String, path: FilePath?)], trash: TrashCan, place: String, journal: Journal,
    queue: DispatchQueue, alive: @escaping @Sendable () -> Void
  ) {
    var items: [Item] = []
    var missing: [DeliveryFailure] = []
    for (name, path) in sources {
      alive()
      guard let path, let stamp = try? FileCalls.status(path) else {
        missing.append(DeliveryFailure(name: name, reason: .gone))
        continue
      }
      items.append(
        Item(name: name, source: path, before: stamp, trashes: trash.possible(for: path)))
    }
    self.items = items
    self.missing = missing
    self.place = place
    self.journal = journal
    self.queue = queue
  }

  /// Ends once all sources are gone, or after 2 s without a change.
  func check(
    isAsking: @escaping @Sendable () -> Bool, alive: @escaping @Sendable () -> Void
  ) async -> DeliveryResult {
    await answer { reply in
      queue.async { [self] in
        waitForAll(isAsking, alive)
        reply(report(alive))
      }
    }
  }

  /// Watches the sources: each disappears when it is trashed.
  private func waitForAll(
    _ isAsking: @Sendable () -> Bool, _ alive: @Sendable () -> Void
  ) {
    let waiting = FolderWait(Set(items.map { $0.source.folder }))
    var left = items[...]
    while true {
      alive()
      left = left.drop { (try? FileCalls.status($0.source)) == nil }
      guard !left.isEmpty else { return }
      let wasAsking = isAsking()
      // No activity is needed while the program shows a dialog.
      if !waiting.wait(milliseconds: Self.patience), !wasAsking, !isAsking() { return }
    }
  }

  /// Journals the files that are in the trash and no longer at their source.
  private func report(_ alive: @Sendable () -> Void) -> DeliveryResult {
    var report = DeliveryResult(failures: missing)
    var records: [StepRecord] = []
    let trashed = trashed(alive)
    for item in items {
      // The inode of a deleted file may have been reused.
      guard let (path, stamp) = trashed[item.before.identity],
        item.before.recorded.isSame(as: stamp),
        (try? FileCalls.status(item.source))?.identity != item.before.identity
      else {
        report.failures.append(DeliveryFailure(name: item.name, reason: .notTaken))
        continue
      }
      records.append(
        StepRecord(
          index: Int64(records.count), state: .done, source: item.source, target: path,
          before: item.before.recorded, begun: timespec.now.nanoseconds))
      report.delivered += 1
      if item.before.kind == .file { report.bytes += item.before.size }
    }
    report.verified = report.delivered > 0
    if !records.isEmpty { report.entry = journal.note(records, .remove, in: place) }
    let isUntouched = items.allSatisfy {
      (try? FileCalls.status($0.source))?.identity == $0.before.identity
    }
    if report.delivered == 0, missing.isEmpty, isUntouched { report.outcome = .refused }
    return report
  }

  /// Current paths of the items in the trash, by inode. Skips a trash that can't be read.
  private func trashed(_ alive: @Sendable () -> Void) -> [FileIdentity: (
    path: FilePath, stamp: FileStamp
  )] {
    let wanted = Set(items.map(\.before.identity))
    var found: [FileIdentity: (path: FilePath, stamp: FileStamp)] = [:]
    for trash in Set(items.flatMap(\.trashes)) {
      guard let folder = try? OpenFolder(trash.appending("files")),
        let names = try? FileCalls.names(in: folder.raw)
      else { continue }
      for name in names {
        alive()
        guard let stamp = try? FileCalls.status(folder.raw, name), wanted.contains(stamp.identity)
        else { continue }
        found[stamp.identity] = (folder.path.appending(name), stamp)
      }
    }
    return found
  }
}
