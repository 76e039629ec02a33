import Dispatch
import Glibc
import KeyDragCore
import SystemPackage

/// Files that another program was asked to put into a folder: looked at before, found, compared and
/// written down afterwards.
final class ForeignLanding: ExpectedLanding {
  /// One file or folder on its way.
  private struct Item: Sendable {
    var name: String
    var source: FilePath
    /// Whether the source stays when the drop is over.
    var isLasting: Bool
    var file: FileName
    var before: FileStamp
    /// What it contains, where it can't be read afterwards.
    var contents: Fingerprint?
  }

  private let items: [Item]
  private let missing: [DeliveryFailure]
  private let target: FilePath
  private let place: String
  private let operation: DragOperation
  private let journal: Journal
  private let queue: DispatchQueue
  /// What bore a name that is expected before the drop.
  private let present: [FileName: FileStamp]
  /// All names in the folder before the drop, where one that is expected was among them.
  private let names: Set<FileName>?
  /// What the program may write over; `nil` where there is nothing, or nothing is kept.
  private let kept: Safekeeping?

  /// The longest time in which nothing happens, in milliseconds, before it counts as all.
  private static let patience: Int32 = 3000
  /// Milliseconds without a change after which a program is done, and how often it is waited for.
  private static let quiet: Int32 = 100
  private static let mostRounds = 50

  /// Looks at all of it now; may block.
  ///
  /// - Parameters:
  ///   - areFiles: which of the sources stay when the drop is over; `nil` for all of them.
  ///   - trash: takes what the program writes over.
  ///   - alive: called whenever it has got on.
  init(
    sources: [(name: String, path: FilePath?)], target: FilePath, place: String,
    operation: DragOperation, journal: Journal, queue: DispatchQueue, areFiles: [Bool]? = nil,
    trash: TrashCan? = nil, alive: @escaping @Sendable () -> Void = {}
  ) {
    var items: [Item] = []
    var missing: [DeliveryFailure] = []
    let device = (try? FileCalls.status(target.appending(".")))?.identity.device
    for (index, (name, path)) in sources.enumerated() {
      alive()
      guard let path, let component = path.lastComponent,
        let stamp = try? FileCalls.status(path)
      else {
        missing.append(DeliveryFailure(name: name, reason: .gone))
        continue
      }
      var item = Item(
        name: name, source: path, isLasting: areFiles?[index] ?? true,
        file: FileName(component), before: stamp)
      if operation == .move, stamp.identity.device != device {
        item.contents = Self.contents(path, alive)
      }
      items.append(item)
    }
    self.items = items
    self.missing = missing
    self.target = target
    self.place = place
    self.operation = operation
    self.journal = journal
    self.queue = queue
    var present: [FileName: FileStamp] = [:]
    for item in items {
      present[item.file] = try? FileCalls.status(target.appending(item.file))
    }
    self.present = present
    names = present.isEmpty ? nil : Self.names(in: target)
    kept = trash.flatMap { Safekeeping(of: present.keys, in: target, trash: $0, alive: alive) }
  }

  private static func names(in folder: FilePath) -> Set<FileName>? {
    guard let folder = try? OpenFolder(folder),
      let names = try? FileCalls.names(in: folder.raw)
    else { return nil }
    return Set(names)
  }

  func check(
    isAsking: @escaping @Sendable () -> Bool, alive: @escaping @Sendable () -> Void,
    _ reply: @escaping @Sendable (LandingReport) -> Void
  ) {
    queue.async { [self] in reply(report(isAsking, alive)) }
  }

  private func report(
    _ isAsking: @escaping @Sendable () -> Bool, _ alive: @escaping @Sendable () -> Void
  ) -> LandingReport {
    let waiting = FolderWait([target])
    var report = LandingReport(landed: 0, missing: missing)
    var records: [StepRecord] = []
    let course = Course(waiting: waiting, isAsking: isAsking, alive: alive)
    var known: Set<FilePath> = []
    for item in items {
      guard var record = found(item, Int64(records.count), besides: known, course) else {
        report.missing.append(DeliveryFailure(name: item.name, reason: .notTaken))
        continue
      }
      if record.target == target.appending(item.file) { record.replaced = kept?.trash(item.file) }
      records.append(record)
      known.insert(record.target)
      // What was made for this drop alone is called by what it shows, not by its file.
      let isCalledSo = item.isLasting || record.target.spokenName == item.name
      if record.target != target.appending(item.file) || !isCalledSo {
        report.renamed.append(record.target.spokenName)
      }
      report.landed += 1
      if item.before.kind == .file { report.bytes += item.before.size }
    }
    settle(&records, waiting, alive)
    report.isVerified = report.landed > 0
    if !records.isEmpty { report.entry = journal.note(records, operation, in: place) }
    report.isCertainlyNothing = report.landed == 0 && isAsBefore
    return report
  }

  /// Whether of each name that is expected there is what there was before, and nothing else has come.
  private var isAsBefore: Bool {
    guard missing.isEmpty, (try? FileCalls.status(target.appending("."))) != nil else {
      return false
    }
    // It may have come under a name of the program's.
    if !present.isEmpty {
      guard let names, let now = Self.names(in: target), now.isSubset(of: names) else {
        return false
      }
    }
    return items.allSatisfy { item in
      do throws(Errno) {
        let now = try FileCalls.status(target.appending(item.file))
        // What is in a folder may be another thing all the same.
        guard let before = present[item.file], before.kind == .file else { return false }
        return (now.identity, now.size) == (before.identity, before.size)
          && now.modified == before.modified
      } catch {
        return error == .noSuchFileOrDirectory && present[item.file] == nil
      }
    }
  }

  /// Programs give a file its time and its permissions after its contents: what is written down is
  /// how it is in the end.
  private func settle(
    _ records: inout [StepRecord], _ waiting: FolderWait, _ alive: @escaping @Sendable () -> Void
  ) {
    var rounds = 0
    while !records.isEmpty, rounds < Self.mostRounds, waiting.wait(milliseconds: Self.quiet) {
      rounds += 1
      alive()
    }
    for index in records.indices where records[index].after != nil {
      if let now = try? FileCalls.status(records[index].target) {
        records[index].after = now.recorded
      }
    }
  }

  /// What a program does meanwhile.
  private struct Course {
    let waiting: FolderWait
    let isAsking: @Sendable () -> Bool
    let alive: @Sendable () -> Void

    /// `false` when nothing has happened for so long that nothing will. While the program asks nothing
    /// need happen, and after the answer it has all its time.
    func goesOn() -> Bool {
      let wasAsking = isAsking()
      return waiting.wait(milliseconds: ForeignLanding.patience) || wasAsking || isAsking()
    }
  }

  /// Waits for one item, as long as anything happens in the folder.
  ///
  /// - Parameter known: where earlier items were found: two with the same contents are two files.
  private func found(
    _ item: Item, _ index: Int64, besides known: Set<FilePath>, _ course: Course
  ) -> StepRecord? {
    while true {
      course.alive()
      if let record = arrived(item, item.file, index, course.alive) { return record }
      // The folder may never be silent: others may write there too.
      if present[item.file] != nil, !course.isAsking(),
        let record = renamed(item, index, besides: known, course.alive)
      {
        // A name that is only written under first is given up at once.
        _ = course.waiting.wait(milliseconds: Self.quiet)
        if (try? FileCalls.status(record.target)) != nil { return record }
      }
      course.alive()
      if !course.goesOn() {
        return arrived(item, item.file, index, course.alive)
          ?? renamed(item, index, besides: known, course.alive)
      }
    }
  }

  /// The item under a name that it did not have, where its own was taken.
  private func renamed(
    _ item: Item, _ index: Int64, besides known: Set<FilePath>,
    _ alive: @escaping @Sendable () -> Void
  ) -> StepRecord? {
    guard present[item.file] != nil, let names else { return nil }
    let new = Self.names(in: target)?.subtracting(names) ?? []
    return new.subtracting(items.map(\.file)).lazy
      // Hidden names are those that programs write under before they take the right one.
      .filter { !Self.isHidden($0) || Self.isHidden(item.file) }
      .filter { !known.contains(self.target.appending($0)) }
      .compactMap { self.arrived(item, $0, index, alive) }.first
  }

  private static func isHidden(_ name: FileName) -> Bool { name.bytes.first == UInt8(ascii: ".") }

  private func arrived(
    _ item: Item, _ name: FileName, _ index: Int64, _ alive: @escaping @Sendable () -> Void
  ) -> StepRecord? {
    let path = target.appending(name)
    guard let now = try? FileCalls.status(path), now.identity != present[name]?.identity else {
      return nil
    }
    var record = StepRecord(
      // What was made for this drop alone is nowhere to be found again.
      index: index, state: .done, source: item.isLasting ? item.source : path, target: path,
      before: item.before.recorded, after: now.recorded, begun: timespec.now.nanoseconds)
    switch operation {
    case .link:
      guard now.kind == .link else { return nil }
      return record
    case .move where now.identity == item.before.identity:
      record.after = nil
      return record
    case .move:
      // Only what has left its place has been moved.
      guard (try? FileCalls.status(item.source)) == nil else { return nil }
      record.crossed = true
    case .copy, .open, .remove: break
    }
    guard now.kind == item.before.kind, now.kind != .file || now.size == item.before.size,
      let landed = Self.contents(path, alive),
      landed == item.contents ?? Self.contents(item.source, alive)
    else { return nil }
    record.contents = landed
    return record
  }

  private static func contents(
    _ path: FilePath, _ alive: @escaping @Sendable () -> Void
  ) -> Fingerprint? {
    guard let name = path.lastComponent,
      let folder = try? OpenFolder(path.removingLastComponent())
    else { return nil }
    return try? TreeCopier(meter: Meter(alive: alive)).contents(
      of: Place(folder, FileName(name)))
  }
}

/// Waits for something to happen in folders, without looking again and again.
final class FolderWait {
  private let descriptor: CInt

  init(_ folders: Set<FilePath>) {
    descriptor = inotify_init1(O_CLOEXEC | O_NONBLOCK)
    let events =
      IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_DELETE
    for folder in folders {
      _ = folder.withPlatformString { inotify_add_watch(descriptor, $0, UInt32(events)) }
    }
  }

  deinit { if descriptor >= 0 { _ = close(descriptor) } }

  /// `false` when nothing has happened for that long.
  func wait(milliseconds: Int32) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard Glibc.poll(&poll, 1, milliseconds) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 4096)
    while read(descriptor, &buffer, buffer.count) > 0 {}
    return true
  }
}
