import Dispatch
import KeyDragCore
import SystemPackage

/// Detects files that an archive manager adds to the archive it shows, by comparing the names in
/// the archive before and after. Programs rewrite the archive and replace the old file.
final class ArchiveDropVerifier: DropVerifier {
  /// Items that are not in the archive may have landed elsewhere.
  let isDecisive = false
  private let archive: FilePath
  /// Displayed names.
  private let names: [String]
  private let row: String?
  private let before: ArchiveContents
  private let queue: DispatchQueue

  /// Timeout for reading the archive once, because the user waits.
  private static let patience = Duration.milliseconds(2_500)
  /// Milliseconds without a change.
  private static let quiet: Int32 = 1_000

  /// Reads the archive; may block. `nil` if the window shows none.
  init?(_ names: [String], in shown: DisplayedFolder, on queue: DispatchQueue) {
    let deadline = ContinuousClock.now + Self.patience
    guard !shown.rows.isEmpty,
      let found = try? ArchiveResolver().entries(named: [], in: shown, until: deadline),
      let contents = try? ArchiveContents(of: found.archive, until: deadline)
    else { return nil }
    (self.names, archive, row, before) = (names, found.archive, shown.row, contents)
    self.queue = queue
  }

  /// Returns once all items are there, or after a second without changes in the archive's folder.
  func check(
    isAsking: @escaping @Sendable () -> Bool, alive: @escaping @Sendable () -> Void
  ) async -> DeliveryResult {
    await answer { reply in
      queue.async { [self] in
        let waiting = FolderWait([archive.folder])
        while true {
          alive()
          let wasAsking = isAsking()
          let report = report
          if report.delivered == names.count { return reply(report) }
          if !waiting.wait(milliseconds: Self.quiet), !wasAsking, !isAsking() {
            return reply(report)
          }
        }
      }
    }
  }

  private var report: DeliveryResult {
    var report = DeliveryResult()
    guard let now = try? ArchiveContents(of: archive, until: ContinuousClock.now + Self.patience)
    else { return report }
    for name in names {
      let new = now.folders(with: name).subtracting(before.folders(with: name))
      guard let folder = new.first else {
        report.failures.append(DeliveryFailure(name: name, reason: .notTaken))
        continue
      }
      report.delivered += 1
      if row != nil, folder.told.last != row { report.isBesideRow = true }
    }
    if report.delivered > 0 { (report.verified, report.effect) = (true, .performed(.copy)) }
    return report
  }
}
