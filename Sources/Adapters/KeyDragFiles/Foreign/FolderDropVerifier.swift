import Dispatch
import Glibc
import KeyDragCore
import KeyDragThreads
import SystemPackage

/// Detects, verifies and journals the files that another program was asked to put into a folder.
///
/// Only the disk shows what the program did: a new file with the expected name or a variant of it,
/// and the carried contents. `init` takes the baseline before the drop. ``check(isAsking:alive:)``
/// runs after it on `queue`, and again if nothing was found. Each file found becomes a step in the
/// journal, as if delivered by us.
final class FolderDropVerifier: DropVerifier {
  private struct Item: Sendable {
    /// Safe to speak.
    var name: String
    var source: FilePath
    /// Whether the source still exists after the drop.
    var isLasting: Bool
    /// Expected name.
    var file: FileName
    var before: FileStamp
    /// Digest of the contents, if the source can't be read afterwards.
    var contents: Fingerprint?
  }

  /// A folder's files with expected names before the drop.
  private struct Baseline: Sendable {
    /// Absolute.
    var folder: FilePath
    var present: [FileName: FileStamp] = [:]
    /// All names in the folder; `nil` if no expected name was taken.
    var names: Set<FileName>?
    /// Contents of files that a program may overwrite in place; of the target only.
    var contents: [FileName: Fingerprint] = [:]

    init(_ folder: FilePath, _ items: [Item]) {
      self.folder = folder
      for item in items {
        present[item.file] = try? FileCalls.status(folder.appending(item.file))
      }
      names = present.isEmpty ? nil : FolderDropVerifier.names(in: folder)
    }

    mutating func readContents(_ alive: @escaping @Sendable () -> Void) {
      for (name, stamp) in present
      where stamp.kind == .file && FolderDropVerifier.isCompared(stamp) {
        alive()
        contents[name] = FolderDropVerifier.contents(folder.appending(name), alive)
      }
    }
  }

  /// `false` for a guessed folder: missing items may have gone elsewhere.
  let isDecisive: Bool
  private let items: [Item]
  private let missing: [DeliveryFailure]
  private let target: Baseline
  /// Other folders that the window shows, which an inaccurate drop may hit.
  private let beside: [Baseline]
  private let place: String
  /// As ordered; the program may have done another.
  private let operation: DragOperation
  private let journal: Journal
  private let queue: DispatchQueue
  /// Copies of files that the program may overwrite; `nil` if there are none or none could be kept.
  private let kept: Safekeeping?
  private let program: ProcessIdentity?

  /// Timeout in milliseconds without any change.
  private static let patience: Int32 = 2000
  /// Debounce in milliseconds for names that may be temporary.
  private static let quiet: Int32 = 100
  /// Debounce in milliseconds after all items were found, because a move removes the source last.
  private static let finalDebounce: Int32 = 200
  /// In bytes; larger files are compared by size only.
  static let mostCompared: Int64 = 1 << 30
  /// Limit on folders times items in the search for stray items.
  private static let strayFolderLimit = 20_000
  /// Limit on debounce rounds.
  private static let mostRounds = 50

  /// Takes the baseline; may block.
  ///
  /// - Parameters:
  ///   - areFiles: which sources still exist after the drop; `nil` for all.
  ///   - trash: receives overwritten files.
  ///   - shown: the window's folder, which is the target or its parent; `nil` if unknown.
  ///   - process: the target program's.
  ///   - alive: called on progress.
  init(
    sources: [(name: String, path: FilePath?)], target: FilePath, shown: FilePath? = nil,
    place: String, operation: DragOperation, journal: Journal, queue: DispatchQueue,
    areFiles: [Bool]? = nil, trash: TrashCan? = nil, process: Int32? = nil, isDecisive: Bool = true,
    alive: @escaping @Sendable () -> Void = {}
  ) {
    self.isDecisive = isDecisive
    program = process.flatMap(ProcessIdentity.init)
    var items: [Item] = []
    var missing: [DeliveryFailure] = []
    // "." follows a link at the end of the path.
    let device = (try? FileCalls.status(target.appending(".")))?.identity.device
    for (index, (name, path)) in sources.enumerated() {
      alive()
      guard let path, let file = path.name,
        let stamp = try? FileCalls.status(path)
      else {
        missing.append(DeliveryFailure(name: name, reason: .gone))
        continue
      }
      var item = Item(
        name: name, source: path, isLasting: areFiles?[index] ?? true,
        file: file, before: stamp)
      // The source will be gone, so its contents must be known beforehand.
      if operation == .move, stamp.identity.device != device, Self.isCompared(stamp) {
        item.contents = Self.contents(path, alive)
      }
      items.append(item)
    }
    self.items = items
    self.missing = missing
    var baseline = Baseline(target, items)
    baseline.readContents(alive)
    self.target = baseline
    beside = shown.map { Self.beside(target, $0, items, alive) } ?? []
    self.place = place
    self.operation = operation
    self.journal = journal
    self.queue = queue
    let present = self.target.present
    kept = trash.flatMap { Safekeeping(of: present.keys, in: target, trash: $0, alive: alive) }
  }

  /// The shown folder and its subfolders, without the target; empty if there are too many.
  private static func beside(
    _ target: FilePath, _ shown: FilePath, _ items: [Item],
    _ alive: @escaping @Sendable () -> Void
  ) -> [Baseline] {
    let own = try? FileCalls.status(target.appending(".")).identity
    guard let open = try? OpenFolder(shown), let names = try? FileCalls.names(in: open.raw),
      names.count <= strayFolderLimit
    else { return [] }
    var known = Set([own].compactMap { $0 })
    let folders = ([shown] + names.map(shown.appending)).filter { path in
      FolderResolver.folder(path).map { known.insert($0.identity).inserted } ?? false
    }
    guard folders.count * items.count <= strayFolderLimit else { return [] }
    return folders.map { folder in
      alive()
      return Baseline(folder, items)
    }
  }

  private static func names(in folder: FilePath) -> Set<FileName>? {
    guard let folder = try? OpenFolder(folder),
      let names = try? FileCalls.names(in: folder.raw)
    else { return nil }
    return Set(names)
  }

  /// Takes as long as the program does, plus 2 s of inactivity.
  func check(
    isAsking: @escaping @Sendable () -> Bool, alive: @escaping @Sendable () -> Void
  ) async -> DeliveryResult {
    await answer { reply in
      queue.async { [self] in reply(report(isAsking, alive)) }
    }
  }

  /// An item found in a folder, not yet journaled.
  private struct FoundItem {
    var item: Item
    var path: FilePath
    /// Derived from the state of source and target.
    var operation: DragOperation
    /// `nil` for links, renamed files and files too large to compare.
    var contents: Fingerprint?
  }

  /// Finds every item, waits for the program to finish, and journals the result.
  private func report(
    _ isAsking: @escaping @Sendable () -> Bool, _ alive: @escaping @Sendable () -> Void
  ) -> DeliveryResult {
    let waiting = FolderWait([target.folder])
    var report = DeliveryResult(failures: missing)
    let course = Course(waiting: waiting, isAsking: isAsking, alive: alive)
    var arrivals: [FoundItem] = []
    var known: Set<FilePath> = []
    for item in items {
      guard let arrival = found(item, besides: known, course) else {
        report.failures.append(DeliveryFailure(name: item.name, reason: .notTaken))
        continue
      }
      arrivals.append(arrival)
      known.insert(arrival.path)
    }
    var (place, folder) = (place, target.folder)
    if arrivals.isEmpty, let stray = foundInOtherFolder(alive) {
      (arrivals, folder, place) = (stray.arrivals, stray.folder, stray.folder.spokenName)
      let found = Set(arrivals.map(\.item.name))
      report.failures.removeAll { found.contains($0.name) }
      report.elsewhere = place
    }
    settle(&arrivals, waiting, alive)
    let performed = arrivals.first?.operation
    if let performed { report.effect = .performed(performed) }
    var records: [DragOperation: [StepRecord]] = [:]
    for arrival in arrivals {
      let item = arrival.item
      var record = self.record(of: arrival, Int64(records[arrival.operation]?.count ?? 0))
      if record.target == target.folder.appending(item.file), let trashed = kept?.trash(item.file) {
        record.replaced = trashed
        record.replacedStamp = try? FileCalls.status(trashed).recorded
      }
      records[arrival.operation, default: []].append(record)
      // The report has a single operation; items with another one count as missing.
      guard arrival.operation == performed else {
        report.failures.append(DeliveryFailure(name: item.name, reason: .changed))
        continue
      }
      // A file made for this drop is known by its displayed name, not its file name.
      let isCalledSo = item.isLasting || record.target.spokenName == item.name
      if record.target != folder.appending(item.file) || !isCalledSo {
        report.renamed.append(record.target.spokenName)
      }
      report.delivered += 1
      if item.before.kind == .file { report.bytes += item.before.size }
    }
    report.verified = report.delivered > 0
    for (operation, records) in records {
      let entry = journal.note(records, operation, in: place)
      if operation == performed { report.entry = entry }
    }
    // Read before the final comparison: the program may have written until its end.
    let hasEnded = program?.isOver == true
    if arrivals.isEmpty, isAsBefore { report.outcome = hasEnded ? .failed : .refused }
    return report
  }

  /// Whether every expected name is unchanged and no new file may be an item. Only this proves that
  /// the program did nothing; `false` if in doubt.
  private var isAsBefore: Bool {
    guard missing.isEmpty, (try? FileCalls.status(target.folder.appending("."))) != nil else {
      return false
    }
    // It may have arrived under a name of the program's choice.
    if !target.present.isEmpty {
      guard let names = target.names, let now = Self.names(in: target.folder),
        now.subtracting(names).allSatisfy(isOther)
      else { return false }
    }
    return items.allSatisfy { item in
      do throws(Errno) {
        let now = try FileCalls.status(target.folder.appending(item.file))
        // A folder's contents may have changed without a trace in its stamp.
        guard let before = target.present[item.file], before.kind == .file else { return false }
        return (now.identity, now.size) == (before.identity, before.size)
          && now.modified == before.modified
      } catch {
        return error == .noSuchFileOrDirectory && target.present[item.file] == nil
      }
    }
  }

  /// Bytes compared at the beginning of new files.
  private static let mostHead = 65_536

  /// Whether a new file is certainly no item, complete or partial, under any name: its kind or
  /// beginning differs.
  private func isOther(_ name: FileName) -> Bool {
    guard !NameFilter.isHidden(name.bytes),
      let now = try? FileCalls.status(target.folder.appending(name)),
      now.kind == .file || now.kind == .folder
    else { return false }
    return items.allSatisfy { item in
      if Self.isVariant(name, of: item.file) { return false }
      if now.kind != item.before.kind { return item.before.kind != .link }
      // Space may be preallocated before anything is written.
      guard now.kind == .file, now.size != item.before.size,
        let own = Self.head(of: item.source),
        let other = Self.head(of: target.folder.appending(name))
      else { return false }
      let length = min(own.count, other.count)
      return own.prefix(length) != other.prefix(length)
    }
  }

  /// `nil` if it is not a readable regular file.
  private static func head(of path: FilePath) -> [UInt8]? {
    FileCalls.head(of: path, most: .max, head: mostHead)?.bytes
  }

  /// Waits for the final state: programs set times and permissions after the contents, and remove a
  /// moved file's source last. Returns after 200 ms without a change, or after 50 rounds with one.
  private func settle(
    _ arrivals: inout [FoundItem], _ waiting: FolderWait, _ alive: @escaping @Sendable () -> Void
  ) {
    guard !arrivals.isEmpty else { return }
    // Watches target and sources together, because the user waits.
    waiting.follow(Set(arrivals.map { $0.item.source.folder }))
    var rounds = 0
    while rounds < Self.mostRounds, waiting.wait(milliseconds: Self.finalDebounce) {
      rounds += 1
      alive()
    }
    for index in arrivals.indices {
      guard let now = try? FileCalls.status(arrivals[index].path),
        let operation = performed(arrivals[index].item, now, at: arrivals[index].path)
      else { continue }
      arrivals[index].operation = operation
    }
  }

  /// The `done` step for undo. A program's move by copying counts as one across file systems, so
  /// that undo compares contents.
  private func record(of arrival: FoundItem, _ index: Int64) -> StepRecord {
    let (item, path) = (arrival.item, arrival.path)
    var record = StepRecord(
      // A source made for this drop does not exist afterwards.
      index: index, state: .done, source: item.isLasting ? item.source : path, target: path,
      before: item.before.recorded, begun: timespec.now.nanoseconds)
    let now = try? FileCalls.status(path)
    // A renamed file keeps its own stamp.
    if arrival.operation == .move, now?.identity == item.before.identity { return record }
    record.after = now?.recorded
    record.crossed = arrival.operation == .move
    if arrival.operation != .link { record.contents = arrival.contents }
    return record
  }

  private struct Course {
    let waiting: FolderWait
    let isAsking: @Sendable () -> Bool
    let alive: @Sendable () -> Void

    /// `false` after the timeout without activity. No activity is needed while the program shows a
    /// dialog, and its answer restarts the timeout.
    func goesOn() -> Bool {
      let wasAsking = isAsking()
      return waiting.wait(milliseconds: FolderDropVerifier.patience) || wasAsking || isAsking()
    }
  }

  /// Waits for one item while there is activity in the folder.
  ///
  /// - Parameter known: paths of earlier items, so that two with the same contents match two files.
  private func found(
    _ item: Item, besides known: Set<FilePath>, _ course: Course
  ) -> FoundItem? {
    while true {
      course.alive()
      // A move removes the source last.
      let own = arrived(item, item.file, in: target, course.alive)
      if let own, operation != .move || own.operation != .copy { return own }
      // Checked without waiting for silence: other programs may write there too.
      if own == nil, target.present[item.file] != nil, !course.isAsking(),
        let arrival = renamed(item, in: target, besides: known, course.alive)
      {
        // Skips temporary names, which disappear at once.
        _ = course.waiting.wait(milliseconds: Self.quiet)
        if (try? FileCalls.status(arrival.path)) != nil { return arrival }
      }
      course.alive()
      if !course.goesOn() {
        return underAnyName(item, in: target, besides: known, course.alive)
      }
    }
  }

  private func underAnyName(
    _ item: Item, in folder: Baseline, besides known: Set<FilePath>,
    _ alive: @escaping @Sendable () -> Void
  ) -> FoundItem? {
    arrived(item, item.file, in: folder, alive)
      ?? renamed(item, in: folder, besides: known, alive)
  }

  /// The first of the other shown folders that has any of the items.
  private func foundInOtherFolder(
    _ alive: @escaping @Sendable () -> Void
  ) -> (arrivals: [FoundItem], folder: FilePath)? {
    for folder in beside {
      alive()
      var known: Set<FilePath> = []
      let arrivals = items.compactMap { item in
        let arrival = underAnyName(item, in: folder, besides: known, alive)
        known.formUnion([arrival?.path].compactMap { $0 })
        return arrival
      }
      if !arrivals.isEmpty { return (arrivals, folder.folder) }
    }
    return nil
  }

  /// The item under a new name, if its own was taken before the drop.
  private func renamed(
    _ item: Item, in folder: Baseline, besides known: Set<FilePath>,
    _ alive: @escaping @Sendable () -> Void
  ) -> FoundItem? {
    guard folder.present[item.file] != nil, let names = folder.names else { return nil }
    let new = Self.names(in: folder.folder)?.subtracting(names) ?? []
    return new.subtracting(items.map(\.file)).lazy
      // Programs use hidden names for temporary files.
      .filter { !NameFilter.isHidden($0.bytes) || NameFilter.isHidden(item.file.bytes) }
      .filter { Self.isVariant($0, of: item.file) }
      .filter { !known.contains(folder.folder.appending($0)) }
      .compactMap { self.arrived(item, $0, in: folder, alive) }.first
  }

  /// Whether a name adds something to another one, as "a (copy).txt" does to "a.txt". Compares
  /// bytes; the stem may be anywhere.
  static func isVariant(_ name: FileName, of own: FileName) -> Bool {
    let bytes = Array(own.bytes)
    let dot = bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? bytes.count
    let (stem, ending) = (bytes[..<dot], bytes[dot...])
    let other = Array(name.bytes)
    guard other.count > bytes.count, other.suffix(ending.count) == ending else { return false }
    return other.dropLast(ending.count).firstRange(of: stem) != nil
  }

  /// The item at a name, if the file there is new and matches by link target, inode or contents.
  private func arrived(
    _ item: Item, _ name: FileName, in folder: Baseline,
    _ alive: @escaping @Sendable () -> Void
  ) -> FoundItem? {
    let path = folder.folder.appending(name)
    guard path != item.source, let now = try? FileCalls.status(path),
      isNew(now, name, in: folder, alive),
      let operation = performed(item, now, at: path)
    else { return nil }
    var arrival = FoundItem(item: item, path: path, operation: operation)
    if operation == .link || now.identity == item.before.identity { return arrival }
    guard now.kind == item.before.kind, now.kind != .file || now.size == item.before.size else {
      return nil
    }
    guard Self.isCompared(now) else { return arrival }
    guard let landed = Self.contents(path, alive) else { return nil }
    arrival.contents = landed
    return isCarried(landed, now, item, alive) ? arrival : nil
  }

  /// Whether the file at a name has changed since the baseline, in place or by replacement. Files
  /// too large to compare are judged by size.
  private func isNew(
    _ now: FileStamp, _ name: FileName, in folder: Baseline,
    _ alive: @escaping @Sendable () -> Void
  ) -> Bool {
    guard let before = folder.present[name], before.identity == now.identity else { return true }
    guard now.kind == .file, !before.recorded.isUntouched(now) else { return false }
    guard Self.isCompared(now), let old = folder.contents[name] else {
      return now.size != before.size
    }
    return Self.contents(folder.folder.appending(name), alive) != old
  }

  /// Whether these are the item's contents. For a source that is unexpectedly gone, compares the
  /// modification time, which a move keeps.
  private func isCarried(
    _ landed: Fingerprint, _ now: FileStamp, _ item: Item,
    _ alive: @escaping @Sendable () -> Void
  ) -> Bool {
    if let carried = item.contents ?? Self.contents(item.source, alive) { return landed == carried }
    return now.kind == .file && now.modified == item.before.modified
  }

  /// The operation performed, derived from source and target whatever was ordered: the user may
  /// have chosen another one in the program's menu.
  private func performed(_ item: Item, _ now: FileStamp, at path: FilePath) -> DragOperation? {
    if now.kind == .link, item.before.kind != .link {
      return FileCalls.identity(behind: path) == item.before.identity ? .link : nil
    }
    let isSourceThere = (try? FileCalls.status(item.source)) != nil
    // One file under two names.
    if now.identity == item.before.identity { return isSourceThere ? .link : .move }
    return isSourceThere || !item.isLasting ? .copy : .move
  }

  private static func isCompared(_ stamp: FileStamp) -> Bool {
    stamp.kind != .file || stamp.size <= mostCompared
  }

  private static func contents(
    _ path: FilePath, _ alive: @escaping @Sendable () -> Void
  ) -> Fingerprint? {
    guard let name = path.name,
      let folder = try? OpenFolder(path.folder)
    else { return nil }
    return try? TreeCopier(meter: ProgressMeter(alive: alive)).contents(
      of: FolderEntry(folder, name))
  }
}

/// Blocks until something changes in the watched folders, by inotify(7). Not thread-safe.
final class FolderWait {
  /// -1 if the system has no inotify instance left: no change is ever reported then.
  let descriptor: CInt

  /// Counts changes from here on.
  init(_ folders: Set<FilePath>) {
    descriptor = inotify_init1(O_CLOEXEC | O_NONBLOCK)
    follow(folders)
  }

  /// Adds folders; ignores those that can't be watched.
  func follow(_ folders: Set<FilePath>) {
    let events =
      IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_DELETE
    for folder in folders {
      _ = folder.withPlatformString { inotify_add_watch(descriptor, $0, UInt32(events)) }
    }
  }

  deinit { if descriptor >= 0 { _ = close(descriptor) } }

  /// Returns `false` on timeout. Coalesces all changes since the last call.
  func wait(milliseconds: Int32) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let end = MonotonicClock.now + Milliseconds(milliseconds)
    while Glibc.poll(&poll, 1, CInt(max(end - MonotonicClock.now, 0))) <= 0 {
      guard errno == EINTR, MonotonicClock.now < end else { return false }
    }
    var buffer = [UInt8](repeating: 0, count: 4096)
    while read(descriptor, &buffer, buffer.count) > 0 {}
    return true
  }
}
