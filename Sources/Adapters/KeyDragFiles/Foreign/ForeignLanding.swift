import Dispatch
import Glibc
import KeyDragCore
import SystemPackage

/// Files that another program was asked to put into a folder: looked at before, found, compared and
/// written down afterwards.
///
/// The deeds of a program are known by the disk alone: a file of the expected name, or a variant of
/// it, that was not there before, and holds what is carried. Looks are made before the drop, by
/// `init`; ``check(isAsking:alive:)`` runs after it, on `queue`, and again where nothing was found. What is found is written to
/// the journal with a step each, as if it were our own work.
final class ForeignLanding: ExpectedLanding {
  /// One file or folder on its way.
  private struct Item: Sendable {
    /// Safe to speak.
    var name: String
    var source: FilePath
    /// Whether the source stays when the drop is over.
    var isLasting: Bool
    /// The name that it is expected under.
    var file: FileName
    /// From before the drop.
    var before: FileStamp
    /// The digest of its contents, where it can't be read afterwards.
    var contents: Fingerprint?
  }

  /// A folder with what bore an expected name in it before the drop.
  private struct Baseline: Sendable {
    /// Absolute.
    var folder: FilePath
    var present: [FileName: FileStamp] = [:]
    /// All names in it, where one that is expected was among them.
    var names: Set<FileName>?
    /// The contents of files that a program may write over in place, of the target alone.
    var contents: [FileName: Fingerprint] = [:]

    init(_ folder: FilePath, _ items: [Item]) {
      self.folder = folder
      for item in items {
        present[item.file] = try? FileCalls.status(folder.appending(item.file))
      }
      names = present.isEmpty ? nil : ForeignLanding.names(in: folder)
    }

    /// Takes as long as the files are large.
    mutating func readContents(_ alive: @escaping @Sendable () -> Void) {
      for (name, stamp) in present
      where stamp.kind == .file && ForeignLanding.isCompared(stamp) {
        alive()
        contents[name] = ForeignLanding.contents(folder.appending(name), alive)
      }
    }
  }

  /// `false` for a folder that is guessed at: what is not there has gone elsewhere.
  let isDecisive: Bool
  /// In the order of the drag.
  private let items: [Item]
  /// Items that were gone before the drop.
  private let missing: [DeliveryFailure]
  private let target: Baseline
  /// The folders that the window shows besides, into which an aim that is off may lead.
  private let beside: [Baseline]
  /// The folder's name, for the history.
  private let place: String
  /// Ordered; what was done may be another.
  private let operation: DragOperation
  private let journal: Journal
  private let queue: DispatchQueue
  /// The copies of files that the program may write over; `nil` where there are none, or nothing is
  /// kept.
  private let kept: Safekeeping?
  /// The program that puts them there; `nil` where it is not known.
  private let program: ProgramLife?

  /// The longest time in which nothing happens, in milliseconds, before it counts as all.
  private static let patience: Int32 = 2000
  /// Milliseconds without a change after which a program is done, and how often it is waited for.
  private static let quiet: Int32 = 100
  /// The same for all of them in the end, among them the source, which a program that moves removes
  /// last.
  private static let quietSource: Int32 = 200
  /// Files up to this many bytes are compared by their contents, larger ones by their size alone.
  static let mostCompared: Int64 = 1 << 30
  /// In so many folders at most, times the items, it is looked for what has gone elsewhere.
  private static let mostBeside = 20_000
  /// Times that the end is put off because something happens still.
  private static let mostRounds = 50

  /// Looks at all of it now; may block.
  ///
  /// - Parameters:
  ///   - areFiles: which of the sources stay when the drop is over; `nil` for all of them.
  ///   - trash: takes what the program writes over.
  ///   - shown: the window's folder, which is the target or the one around it; `nil` where only the
  ///     target is known.
  ///   - process: that of the program that puts them there.
  ///   - alive: called whenever it has got on.
  init(
    sources: [(name: String, path: FilePath?)], target: FilePath, shown: FilePath? = nil,
    place: String, operation: DragOperation, journal: Journal, queue: DispatchQueue,
    areFiles: [Bool]? = nil, trash: TrashCan? = nil, process: Int32? = nil, isDecisive: Bool = true,
    alive: @escaping @Sendable () -> Void = {}
  ) {
    self.isDecisive = isDecisive
    program = process.flatMap(ProgramLife.init)
    var items: [Item] = []
    var missing: [DeliveryFailure] = []
    // "." follows a link that the path may be.
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
      // The source will be gone, so that its contents have to be known before.
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

  /// The folder that is shown and those in it, without the target; none where they are too many.
  private static func beside(
    _ target: FilePath, _ shown: FilePath, _ items: [Item],
    _ alive: @escaping @Sendable () -> Void
  ) -> [Baseline] {
    let own = try? FileCalls.status(target.appending(".")).identity
    guard let open = try? OpenFolder(shown), let names = try? FileCalls.names(in: open.raw),
      names.count <= mostBeside
    else { return [] }
    var known = Set([own].compactMap { $0 })
    let folders = ([shown] + names.map(shown.appending)).filter { path in
      FolderGuess.folder(path).map { known.insert($0.identity).inserted } ?? false
    }
    guard folders.count * items.count <= mostBeside else { return [] }
    return folders.map { folder in
      alive()
      return Baseline(folder, items)
    }
  }

  /// `nil` where it can't be read.
  private static func names(in folder: FilePath) -> Set<FileName>? {
    guard let folder = try? OpenFolder(folder),
      let names = try? FileCalls.names(in: folder.raw)
    else { return nil }
    return Set(names)
  }

  /// It may take as long as the program does, and 2 s of silence.
  func check(
    isAsking: @escaping @Sendable () -> Bool, alive: @escaping @Sendable () -> Void
  ) async -> LandingReport {
    await answer { reply in
      queue.async { [self] in reply(report(isAsking, alive)) }
    }
  }

  /// An item that was found in the folder.
  ///
  /// Not yet written down.
  private struct Arrival {
    var item: Item
    /// Its path now.
    var path: FilePath
    /// The operation that was performed, by the state of source and target.
    var operation: DragOperation
    /// `nil` for links, renamed files and what is too large to compare.
    var contents: Fingerprint?
  }

  /// Finds every item, waits for the end, writes down what was done, and tells it.
  private func report(
    _ isAsking: @escaping @Sendable () -> Bool, _ alive: @escaping @Sendable () -> Void
  ) -> LandingReport {
    let waiting = FolderWait([target.folder])
    var report = LandingReport(landed: 0, missing: missing)
    let course = Course(waiting: waiting, isAsking: isAsking, alive: alive)
    var arrivals: [Arrival] = []
    var known: Set<FilePath> = []
    for item in items {
      guard let arrival = found(item, besides: known, course) else {
        report.missing.append(DeliveryFailure(name: item.name, reason: .notTaken))
        continue
      }
      arrivals.append(arrival)
      known.insert(arrival.path)
    }
    var (place, folder) = (place, target.folder)
    if arrivals.isEmpty, let stray = strayed(alive) {
      (arrivals, folder, place) = (stray.arrivals, stray.folder, stray.folder.spokenName)
      let found = Set(arrivals.map(\.item.name))
      report.missing.removeAll { found.contains($0.name) }
      report.elsewhere = place
    }
    settle(&arrivals, waiting, alive)
    report.operation = arrivals.first?.operation
    var records: [DragOperation: [StepRecord]] = [:]
    for arrival in arrivals {
      let item = arrival.item
      var record = self.record(of: arrival, Int64(records[arrival.operation]?.count ?? 0))
      if record.target == target.folder.appending(item.file), let trashed = kept?.trash(item.file) {
        record.replaced = trashed
        record.replacedStamp = try? FileCalls.status(trashed).recorded
      }
      records[arrival.operation, default: []].append(record)
      // One word is told for all: items with another operation are told as missing.
      guard arrival.operation == report.operation else {
        report.missing.append(DeliveryFailure(name: item.name, reason: .changed))
        continue
      }
      // A file that was made for this drop alone goes by the name that it shows, not by its file's.
      let isCalledSo = item.isLasting || record.target.spokenName == item.name
      if record.target != folder.appending(item.file) || !isCalledSo {
        report.renamed.append(record.target.spokenName)
      }
      report.landed += 1
      if item.before.kind == .file { report.bytes += item.before.size }
    }
    report.isVerified = report.landed > 0
    for (operation, records) in records {
      let entry = journal.note(records, operation, in: place)
      if operation == report.operation { report.entry = entry }
    }
    // Looked at first: it may have brought something up to its end.
    report.hasProgramEnded = program?.isOver == true
    report.isCertainlyNothing = arrivals.isEmpty && isAsBefore
    return report
  }

  /// Whether of each name that is expected there is what there was before, and nothing has come
  /// that may be an item.
  ///
  /// Only this proves that a program has done nothing; a doubt makes it `false`.
  private var isAsBefore: Bool {
    guard missing.isEmpty, (try? FileCalls.status(target.folder.appending("."))) != nil else {
      return false
    }
    // It may have come under a name of the program's.
    if !target.present.isEmpty {
      guard let names = target.names, let now = Self.names(in: target.folder),
        now.subtracting(names).allSatisfy(isOther)
      else { return false }
    }
    return items.allSatisfy { item in
      do throws(Errno) {
        let now = try FileCalls.status(target.folder.appending(item.file))
        // The contents of a folder may have changed although the folder looks the same.
        guard let before = target.present[item.file], before.kind == .file else { return false }
        return (now.identity, now.size) == (before.identity, before.size)
          && now.modified == before.modified
      } catch {
        return error == .noSuchFileOrDirectory && target.present[item.file] == nil
      }
    }
  }

  /// How much of a newcomer's beginning is compared with what is carried.
  ///
  /// 64 KiB.
  private static let mostHead = 65_536

  /// Whether a newcomer is certainly none of the items, whole or in part, whatever name the person
  /// may have chosen for it: it begins otherwise, or is another kind of thing.
  private func isOther(_ name: FileName) -> Bool {
    guard !NameFilter.isHidden(name.bytes),
      let now = try? FileCalls.status(target.folder.appending(name)),
      now.kind == .file || now.kind == .folder
    else { return false }
    return items.allSatisfy { item in
      if Self.isVariant(name, of: item.file) { return false }
      if now.kind != item.before.kind { return item.before.kind != .link }
      // Room may be made for a file before anything is written into it.
      guard now.kind == .file, now.size != item.before.size,
        let own = Self.head(of: item.source),
        let other = Self.head(of: target.folder.appending(name))
      else { return false }
      let length = min(own.count, other.count)
      return own.prefix(length) != other.prefix(length)
    }
  }

  /// `nil` for what is no plain file, or can't be read.
  private static func head(of path: FilePath) -> [UInt8]? {
    FileCalls.head(of: path, most: .max, head: mostHead)?.bytes
  }

  /// Programs give a file its time and its permissions after its contents, and remove the source of
  /// a move last: what is told and written down is how it is in the end.
  ///
  /// At most 50 rounds of 200 ms without a change each.
  private func settle(
    _ arrivals: inout [Arrival], _ waiting: FolderWait, _ alive: @escaping @Sendable () -> Void
  ) {
    guard !arrivals.isEmpty else { return }
    // Both are waited for at once: the person waits for the word.
    waiting.follow(Set(arrivals.map { $0.item.source.folder }))
    var rounds = 0
    while rounds < Self.mostRounds, waiting.wait(milliseconds: Self.quietSource) {
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

  /// The step for undo, in the state `done`. A program's copy counts as one across file systems
  /// where it moved, so that undo compares contents.
  private func record(of arrival: Arrival, _ index: Int64) -> StepRecord {
    let (item, path) = (arrival.item, arrival.path)
    var record = StepRecord(
      // A file that was made for this drop alone is nowhere to be found again.
      index: index, state: .done, source: item.isLasting ? item.source : path, target: path,
      before: item.before.recorded, begun: timespec.now.nanoseconds)
    let now = try? FileCalls.status(path)
    // A file that was renamed is known by its own stamp.
    if arrival.operation == .move, now?.identity == item.before.identity { return record }
    record.after = now?.recorded
    record.crossed = arrival.operation == .move
    if arrival.operation != .link { record.contents = arrival.contents }
    return record
  }

  /// The activity of a program in the meantime.
  private struct Course {
    let waiting: FolderWait
    let isAsking: @Sendable () -> Bool
    let alive: @Sendable () -> Void

    /// `false` when nothing has happened for so long that nothing will. While the program asks
    /// nothing need happen, and after the answer it has all its time.
    func goesOn() -> Bool {
      let wasAsking = isAsking()
      return waiting.wait(milliseconds: ForeignLanding.patience) || wasAsking || isAsking()
    }
  }

  /// Waits for one item, as long as anything happens in the folder.
  ///
  /// - Parameter known: where earlier items were found: two with the same contents are two files.
  private func found(
    _ item: Item, besides known: Set<FilePath>, _ course: Course
  ) -> Arrival? {
    while true {
      course.alive()
      // Of a move the source is removed last.
      let own = arrived(item, item.file, in: target, course.alive)
      if let own, operation != .move || own.operation != .copy { return own }
      // The folder may never be silent: others may write there too.
      if own == nil, target.present[item.file] != nil, !course.isAsking(),
        let arrival = renamed(item, in: target, besides: known, course.alive)
      {
        // A name that is only written under first is given up at once.
        _ = course.waiting.wait(milliseconds: Self.quiet)
        if (try? FileCalls.status(arrival.path)) != nil { return arrival }
      }
      course.alive()
      if !course.goesOn() {
        return underAnyName(item, in: target, besides: known, course.alive)
      }
    }
  }

  /// The item under its own name, or under another one.
  private func underAnyName(
    _ item: Item, in folder: Baseline, besides known: Set<FilePath>,
    _ alive: @escaping @Sendable () -> Void
  ) -> Arrival? {
    arrived(item, item.file, in: folder, alive)
      ?? renamed(item, in: folder, besides: known, alive)
  }

  /// The folder beside the target into which all or some of it has gone instead.
  private func strayed(
    _ alive: @escaping @Sendable () -> Void
  ) -> (arrivals: [Arrival], folder: FilePath)? {
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

  /// The item under a name that it did not have, where its own was taken.
  ///
  /// `nil` where its own name was free: then nothing had to give way.
  private func renamed(
    _ item: Item, in folder: Baseline, besides known: Set<FilePath>,
    _ alive: @escaping @Sendable () -> Void
  ) -> Arrival? {
    guard folder.present[item.file] != nil, let names = folder.names else { return nil }
    let new = Self.names(in: folder.folder)?.subtracting(names) ?? []
    return new.subtracting(items.map(\.file)).lazy
      // Hidden names are those that programs write under before they take the right one.
      .filter { !NameFilter.isHidden($0.bytes) || NameFilter.isHidden(item.file.bytes) }
      .filter { Self.isVariant($0, of: item.file) }
      .filter { !known.contains(folder.folder.appending($0)) }
      .compactMap { self.arrived(item, $0, in: folder, alive) }.first
  }

  /// Whether a name is another one with something added, as "a (copy).txt" is of "a.txt".
  ///
  /// Bytes are compared; the stem of the name may stand anywhere in the other.
  static func isVariant(_ name: FileName, of own: FileName) -> Bool {
    let bytes = Array(own.bytes)
    let dot = bytes.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil } ?? bytes.count
    let (stem, ending) = (bytes[..<dot], bytes[dot...])
    let other = Array(name.bytes)
    guard other.count > bytes.count, other.suffix(ending.count) == ending else { return false }
    return other.dropLast(ending.count).firstRange(of: stem) != nil
  }

  /// The item at a name, if what stands there is new and is the item: by its link, its inode, or
  /// its contents.
  private func arrived(
    _ item: Item, _ name: FileName, in folder: Baseline,
    _ alive: @escaping @Sendable () -> Void
  ) -> Arrival? {
    let path = folder.folder.appending(name)
    guard path != item.source, let now = try? FileCalls.status(path),
      isNew(now, name, in: folder, alive),
      let operation = performed(item, now, at: path)
    else { return nil }
    var arrival = Arrival(item: item, path: path, operation: operation)
    if operation == .link || now.identity == item.before.identity { return arrival }
    guard now.kind == item.before.kind, now.kind != .file || now.size == item.before.size else {
      return nil
    }
    guard Self.isCompared(now) else { return arrival }
    guard let landed = Self.contents(path, alive) else { return nil }
    arrival.contents = landed
    return isCarried(landed, now, item, alive) ? arrival : nil
  }

  /// Whether a name bears something else than before the drop. Programs may write over a file in
  /// place.
  ///
  /// The size tells where contents are too large to compare.
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

  /// Whether these are the contents of an item. Of one that is gone, and was not expected to go,
  /// its time is known, which moving keeps.
  private func isCarried(
    _ landed: Fingerprint, _ now: FileStamp, _ item: Item,
    _ alive: @escaping @Sendable () -> Void
  ) -> Bool {
    if let carried = item.contents ?? Self.contents(item.source, alive) { return landed == carried }
    return now.kind == .file && now.modified == item.before.modified
  }

  /// The operation that was done with an item to have this at the target: by what is at both ends,
  /// whatever was ordered. The person may have chosen another one in a menu of the program.
  private func performed(_ item: Item, _ now: FileStamp, at path: FilePath) -> DragOperation? {
    if now.kind == .link, item.before.kind != .link {
      return FileCalls.identity(behind: path) == item.before.identity ? .link : nil
    }
    let isSourceThere = (try? FileCalls.status(item.source)) != nil
    // One file under two names.
    if now.identity == item.before.identity { return isSourceThere ? .link : .move }
    return isSourceThere || !item.isLasting ? .copy : .move
  }

  /// Folders always, whatever they hold.
  private static func isCompared(_ stamp: FileStamp) -> Bool {
    stamp.kind != .file || stamp.size <= mostCompared
  }

  /// `nil` where any of it can't be read.
  private static func contents(
    _ path: FilePath, _ alive: @escaping @Sendable () -> Void
  ) -> Fingerprint? {
    guard let name = path.name,
      let folder = try? OpenFolder(path.folder)
    else { return nil }
    return try? TreeCopier(meter: Meter(alive: alive)).contents(
      of: FolderEntry(folder, name))
  }
}

/// Waits for something to happen in folders, without looking again and again.
///
/// inotify(7), in the thread that waits. One thread at a time.
final class FolderWait {
  /// -1 where the system has none left: nothing is ever noticed then.
  private let descriptor: CInt

  /// Changes count from here on.
  init(_ folders: Set<FilePath>) {
    descriptor = inotify_init1(O_CLOEXEC | O_NONBLOCK)
    follow(folders)
  }

  /// Waits for these as well.
  ///
  /// A folder that can't be watched is left out.
  func follow(_ folders: Set<FilePath>) {
    let events =
      IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_DELETE
    for folder in folders {
      _ = folder.withPlatformString { inotify_add_watch(descriptor, $0, UInt32(events)) }
    }
  }

  deinit { if descriptor >= 0 { _ = close(descriptor) } }

  /// `false` when nothing has happened for that long.
  ///
  /// - Parameter milliseconds: at most. All that has happened since the last call counts, as one.
  func wait(milliseconds: Int32) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard Glibc.poll(&poll, 1, milliseconds) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 4096)
    while read(descriptor, &buffer, buffer.count) > 0 {}
    return true
  }
}
