import CLinux
import Glibc
import KeyDragCore
import SystemPackage

/// A name in an open folder.
///
/// All calls of the module name a thing this way, never by its path.
struct FolderEntry {
  let folder: CInt
  let name: FileName
  /// Keeps the folder open as long as this value lives, where nobody else does.
  private let owner: OpenFolder?

  /// In a folder that stays open by itself.
  init(folder: CInt, name: FileName) {
    self.folder = folder
    self.name = name
    owner = nil
  }

  init(_ folder: OpenFolder, _ name: FileName) {
    self.folder = folder.raw
    self.name = name
    owner = folder
  }
}

/// A record of a copy, with all it takes to recognise the copy later.
///
/// ``CopyRemoval`` and `Recognition` prove by it that a copy is untouched before it is deleted.
struct CopyRecord {
  /// The original as it was read. The stamp, from before its contents were read.
  var source: FileStamp
  /// Digest of the copy's entries below its root, by inode and times.
  var untouched = Fingerprint()
  /// Digest of the contents; `nil` when the kernel copied some of them. Becomes `nil` for good with
  /// the first such file.
  var contents: Fingerprint? = Fingerprint()
  /// Marks of everything that was read, when asked for.
  ///
  /// Empty unless the copy was to be lasting: only a move removes its source.
  var marks: Set<UInt64> = []
  /// The parts of a folder that were not copied.
  var leftOut = LeftOut()
  /// The root of the copy, once it is whole.
  var grown: FileStamp?
}

/// The things in a folder that can't be copied while the rest goes: pipes, sockets, what may not be
/// read, what changes while it is read, what the other disk does not take.
struct LeftOut: Sendable {
  private(set) var failures: [(path: [UInt8], reason: Reason)] = []
  /// Paths below the root of the folder.
  ///
  /// Each with a leading "/"; as ``TreeWalk/path`` gives them.
  private(set) var paths: Set<[UInt8]> = []
  /// Paths of the folders around these, the root's, which is empty, among them.
  private(set) var enclosing: Set<[UInt8]> = []

  /// How many files and links have been copied all the same; 0 where a folder is left out, of which nobody
  /// knows how many were in it.
  var others: Int { hasFolder ? 0 : copied }
  var copied = 0
  private var hasFolder = false

  var isEmpty: Bool { failures.isEmpty }

  /// - Parameter path: below the root, with a leading "/".
  mutating func add(_ path: [UInt8], _ reason: Reason, isFolder: Bool = false) {
    failures.append((path, reason))
    if isFolder { hasFolder = true }
    paths.insert(path)
    var above = path[...]
    while let slash = above.lastIndex(of: UInt8(ascii: "/")) {
      above = above[..<slash]
      enclosing.insert(Array(above))
    }
  }
}

/// Copies whole trees to a name that nobody uses yet; what it cannot finish it removes.
///
/// A copy grows under a hidden name: only the caller gives it its final one. Belongs to the thread
/// that works on the delivery.
final class TreeCopier {
  private let meter: Meter
  private let bytes: ContentCopy
  /// Collects over all copies what could not be kept.
  private(set) var attributes = FileAttributes()

  init(meter: Meter) {
    self.meter = meter
    bytes = ContentCopy(meter: meter)
  }

  /// Something was got on with that is not stopped in the middle.
  func beat() { meter.beat() }

  /// Copies a file, a symbolic link or a folder with all that is in it.
  ///
  /// Nothing bears the name `to` when this throws, as far as it could be removed. Things in a
  /// folder that can't be copied are left out and listed in the record; a root that can't be
  /// throws. What is mounted in a folder is left out where the copy has to be lasting: it would be
  /// removed with the folder.
  ///
  /// - Parameter lasting: whether the copy has to be on the device, read back and found equal
  ///   before this returns, because the original will be removed.
  func copy(from: FolderEntry, to: FolderEntry, lasting: Bool) throws -> CopyRecord {
    let source = try FileCalls.status(from.folder, from.name)
    let task = try CopyTask(CopyRecord(source: source), to: to, lasting: lasting)
    do {
      if source.kind == .folder {
        // Goes on past folders that may not be read.
        let walk = try TreeWalk(
          from.folder, from.name, goesOn: true, staysOnDisk: lasting)
        while let visit = try walk.next() { try step(visit, walk, task) }
      } else {
        // Thousands of single files are the common case: they need no walk.
        try item(from, source, to: to, path: [], task)
      }
      if lasting { try confirm(task) }
      return task.record
    } catch {
      if task.hasBegun { try? TreeRemover.remove(to, forcing: true, beat: beat) }
      throw error
    }
  }

  /// Digest of the contents of a tree as they are stored now.
  ///
  /// Reads every byte. Throws where anything in it can't be read: a digest of a part proves
  /// nothing.
  func contents(of place: FolderEntry) throws -> Fingerprint {
    var result = Fingerprint()
    try eachContents(of: place) { result.add($0) }
    return result
  }

  /// Calls `body` with the digest of every entry's path and contents.
  ///
  /// A folder's contents count as 0; its entries speak for it.
  func eachContents(of place: FolderEntry, _ body: (UInt128) -> Void) throws {
    let walk = try TreeWalk(place.folder, place.name)
    while let visit = try walk.next() {
      try meter.check()
      switch visit {
      case .item(let name, let stamp):
        body(try digest(FolderEntry(folder: walk.folder.raw, name: name), stamp, walk.path))
      case .entered(_, let stamp): body(EntryDigest.contents(walk.path, stamp.kind, 0))
      case .leaving, .left, .barred: break
      }
    }
  }

  /// The same, in an order in which `body` may remove what it is shown: a folder comes after all
  /// that is in it, and always with the digest 0.
  ///
  /// Nothing else than what it was shown may be removed: the walk throws where its way is gone.
  ///
  /// - Parameter body: its stamp is that from before its contents were read.
  func eachContents(
    of place: FolderEntry, _ body: (UInt128, TreeWalk, FileName, FileStamp) throws -> Void
  ) throws {
    let walk = try TreeWalk(place.folder, place.name)
    while let visit = try walk.next() {
      switch visit {
      case .item(let name, let stamp):
        let item = FolderEntry(folder: walk.folder.raw, name: name)
        try body(try digest(item, stamp, walk.path), walk, name, stamp)
      case .left(let name, let stamp): try body(0, walk, name, stamp)
      case .entered, .leaving, .barred: break
      }
    }
  }

  /// Digest of one entry's path and contents.
  func digest(_ place: FolderEntry, _ stamp: FileStamp, _ path: [UInt8]) throws -> UInt128 {
    EntryDigest.contents(path, stamp.kind, try digest(place, stamp))
  }

  /// A link's is that of its text; 0 for a special file.
  private func digest(_ place: FolderEntry, _ stamp: FileStamp) throws -> UInt128 {
    switch stamp.kind {
    case .link: return ContentDigest.of(try FileCalls.linkText(place.folder, place.name))
    case .folder, .special: return 0
    case .file:
      // O_NONBLOCK, should a FIFO have come in its place: open(2) would wait for a writer.
      let file = try Self.openReadable(place)
      // The bytes that are read back must come from the device, not from memory.
      // Pages that were not flushed yet stay in memory; that is why ``confirm(_:)`` flushes first.
      posix_fadvise(file.raw, 0, 0, POSIX_FADV_DONTNEED)
      return try bytes.digest(of: file.raw, size: stamp.size)
    }
  }

  /// Throws `Reason.deviceError` where the device gives back other bytes than were written.
  private func confirm(_ task: CopyTask) throws {
    let place = task.destination
    switch try FileCalls.status(place.folder, place.name).kind {
    case .file:
      let file = try FileCalls.open(place.folder, place.name, flags: O_RDONLY)
      try FileCalls.flush(file.raw)
    case .folder:
      // One call for all of it: a flush for each of thousands of files takes minutes.
      let folder = try FileCalls.open(place.folder, place.name, flags: O_RDONLY)
      try FileCalls.checked { clinux_sync_file_system(folder.raw) }
    case .link, .special: break
    }
    // The reading back is no progress that a person asked for.
    let counted = meter.progress.bytesDone
    do {
      let stored = try contents(of: place)
      meter.goBack(toBytes: counted)
      guard stored == task.record.contents else { throw Reason.deviceError }
    } catch Reason.readError { throw Reason.deviceError }
  }
}

/// The state of one copy on its way.
///
/// Lives for one call of ``TreeCopier/copy(from:to:lasting:)``.
private final class CopyTask {
  var record: CopyRecord
  let destination: FolderEntry
  let lasting: Bool
  /// The attributes that the folder around hands on; none for a move.
  let inherited: FileAttributes.Inherited
  /// The folder of the copy that is being filled; at the root the one that holds the copy. None for
  /// a single file.
  var folder: OwnedDescriptor
  /// Whether there is anything at the destination to remove after a failure.
  var hasBegun = false
  /// Copies of the files in a folder that have several names, by their originals: the other names
  /// that are met become names of the same copy.
  var linked: [FileIdentity: LinkedFile] = [:]
  /// How many parts in a row could not be read.
  var readErrors = 0

  struct LinkedFile {
    /// The original, when it was copied.
    var source: FileStamp
    /// Changes with each name that is added, so that it counts as untouched only by its last stamp.
    var copy: FileStamp
    var contents: UInt128?
    /// Below the root.
    var paths: [[UInt8]]
  }

  init(_ record: CopyRecord, to destination: FolderEntry, lasting: Bool) throws {
    self.record = record
    self.destination = destination
    self.lasting = lasting
    inherited =
      lasting ? FileAttributes.Inherited() : FileAttributes.inherited(from: destination.folder)
    let isTree = record.source.kind == .folder
    // A second descriptor, so that the first stays its owner's; -1 for none.
    folder = OwnedDescriptor(
      owning: isTree
        ? try FileCalls.checked { fcntl(destination.folder, F_DUPFD_CLOEXEC, 0) } : -1)
  }

  /// The destination of a visited thing: the root gets the name that was asked for.
  func place(_ name: FileName, isRoot: Bool) -> FolderEntry {
    isRoot ? destination : FolderEntry(folder: folder.raw, name: name)
  }
}

extension TreeCopier {
  /// One visit of the walk. Parts that can't be read are noted; every other error ends the copy.
  private func step(_ visit: TreeWalk.Visit, _ walk: TreeWalk, _ task: CopyTask) throws {
    try meter.check()
    switch visit {
    case .entered(let name, let stamp):
      do { try enter(name, stamp, walk, task) } catch  where walk.depth > 1 {
        try leaveOut(error, walk, task, isFolder: true)
        try walk.skip()
      }
    case .item(_, let stamp) where stamp.kind == .special:
      task.record.leftOut.add(walk.path, .specialFile)
    case .item(let name, let stamp):
      let from = FolderEntry(folder: walk.folder.raw, name: name)
      do {
        try item(
          from, stamp, to: task.place(name, isRoot: walk.depth == 0), path: walk.path, task)
        task.readErrors = 0
      } catch  where walk.depth > 0 {
        try leaveOut(error, walk, task)
      }
    // One that has gone may have been a file.
    case .barred(let reason):
      task.record.leftOut.add(walk.path, reason, isFolder: reason != .gone)
    case .leaving(_, let stamp): try leave(stamp, walk, task)
    case .left: break
    }
  }

  /// Notes a part that can't be copied; throws on what is no matter of this part.
  private func leaveOut(
    _ error: any Error, _ walk: TreeWalk, _ task: CopyTask, isFolder: Bool = false
  ) throws {
    guard let reason = Reason.ofPart(error) else { throw error }
    task.readErrors = reason == .readError ? task.readErrors + 1 : 0
    // So many after each other are no bad place on a disk: it has gone, or its server has.
    if task.readErrors > Self.mostReadErrors { throw Reason.deviceError }
    task.record.leftOut.add(walk.path, reason, isFolder: isFolder)
  }

  private static let mostReadErrors = 3

  /// Makes a folder of the copy, private (0700) until it is left: its contents are nobody else's
  /// before.
  private func enter(
    _ name: FileName, _ stamp: FileStamp, _ walk: TreeWalk, _ task: CopyTask
  ) throws {
    let place = task.place(name, isRoot: walk.depth == 1)
    do { try FileCalls.makeFolder(place.folder, place.name) } catch {
      throw Reason.making(error, in: place.folder, place.name)
    }
    task.hasBegun = true
    var isOpen = false
    // Empty still: it goes without being opened.
    defer { if !isOpen { try? FileCalls.unlink(place.folder, place.name, isFolder: true) } }
    let made = try FileCalls.open(place.folder, place.name, flags: O_RDONLY | O_DIRECTORY)
    let own = try FileCalls.status(of: made.raw)
    isOpen = true
    // A folder that is copied into itself would grow for ever.
    if walk.depth == 1 { walk.forbidden = own.identity }
    task.folder = consume made
    if walk.depth > 1 { task.record.untouched.add(EntryDigest.untouched(walk.path, own)) }
    task.record.contents?.add(EntryDigest.contents(walk.path, .folder, 0))
    if task.lasting { task.record.marks.insert(EntryDigest.mark(walk.path, stamp)) }
  }

  /// The mode and times come last: filling the folder has changed its times, and it may not be
  /// writable.
  private func leave(_ stamp: FileStamp, _ walk: TreeWalk, _ task: CopyTask) throws {
    let own = try attributes.carryOver(
      from: walk.folder.raw, stamp, to: task.folder.raw, keeping: task.inherited)
    if walk.depth == 1 {
      task.record.grown = own
      for file in task.linked.values {
        for path in file.paths {
          task.record.untouched.add(EntryDigest.untouched(path, file.copy))
        }
      }
    }
    // Back to the folder of the copy around it, in step with the walk.
    if walk.depth > 1 { task.folder = try FileCalls.openParent(of: task.folder.raw) }
  }

  /// - Parameter path: where it is below the root; empty for the root itself.
  private func item(
    _ from: FolderEntry, _ stamp: FileStamp, to: FolderEntry, path: [UInt8], _ task: CopyTask
  ) throws {
    let contents: UInt128?
    let copied: FileStamp
    switch stamp.kind {
    case .file where stamp.links > 1 && !path.isEmpty:
      contents = try name(from, stamp, to: to, path: path, task)
      return note(path, stamp, contents, task)
    case .file: (copied, contents) = try file(from, stamp, to: to, isRoot: path.isEmpty, task)
    case .link: (copied, contents) = try link(from, stamp, to: to, task)
    case .folder, .special: throw Reason.specialFile
    }
    if path.isEmpty {
      task.record.grown = copied
    } else {
      task.record.untouched.add(EntryDigest.untouched(path, copied))
    }
    note(path, stamp, contents, task)
  }

  /// Notes that something has been copied.
  private func note(
    _ path: [UInt8], _ stamp: FileStamp, _ contents: UInt128?, _ task: CopyTask
  ) {
    task.record.leftOut.copied += 1
    if let contents {
      task.record.contents?.add(EntryDigest.contents(path, stamp.kind, contents))
    } else {
      task.record.contents = nil
    }
    if task.lasting { task.record.marks.insert(EntryDigest.mark(path, stamp)) }
  }

  /// Copies one file; the original must be the same before and after.
  private func file(
    _ from: FolderEntry, _ stamp: FileStamp, to: FolderEntry, isRoot: Bool, _ task: CopyTask
  ) throws -> (FileStamp, UInt128?) {
    let source = try Self.openReadable(from)
    // Private (0600) until the attributes are carried over. Inside a folder nobody else comes to it
    // before the root is left, so that it may have its permissions at once: most files need no
    // change of theirs then.
    let mode = isRoot ? 0o600 : stamp.mode & 0o777 | 0o600
    // O_EXCL never opens what is there.
    let copy: OwnedDescriptor
    do {
      copy = try FileCalls.open(
        to.folder, to.name, flags: O_CREAT | O_EXCL | O_WRONLY, mode: mode)
    } catch { throw Reason.making(error, in: to.folder, to.name) }
    task.hasBegun = true
    var isWhole = false
    defer { if !isWhole { try? FileCalls.unlink(to.folder, to.name) } }
    if task.lasting { Self.waitForNextTime(after: stamp) }
    let digest: UInt128?
    do {
      digest = try bytes.copy(from: source.raw, stamp, to: copy.raw, digesting: task.lasting)
    } catch Reason.changed {
      digest = try bytes.copyGenerated(from: source.raw, stamp, to: copy.raw)
      if digest == nil { throw Reason.changed }
    }
    // Somebody may write while it is read: length, time and inode show that.
    let after = try FileCalls.status(of: source.raw)
    // Removed while it was read: its contents were still there to the last descriptor.
    if after.links == 0 { throw Reason.gone }
    guard after.identity == stamp.identity, after.size == stamp.size,
      after.modified == stamp.modified
    else { throw Reason.changed }
    let copied = try attributes.carryOver(
      from: source.raw, stamp, to: copy.raw, keeping: task.inherited)
    isWhole = true
    return (copied, digest)
  }

  /// Copies a file that has several names (hard links) the first time, and gives its copy the name
  /// whenever another one is met. Returns the digest, as for any file.
  private func name(
    _ from: FolderEntry, _ stamp: FileStamp, to: FolderEntry, path: [UInt8], _ task: CopyTask
  ) throws -> UInt128? {
    if var known = task.linked[stamp.identity], known.source.size == stamp.size,
      known.source.modified == stamp.modified,
      let copy = Self.addName(to, of: known, below: task.destination)
    {
      known.copy = copy
      known.paths.append(path)
      task.linked[stamp.identity] = known
      try meter.add(stamp.size)
      return known.contents
    }
    let (copied, contents) = try file(from, stamp, to: to, isRoot: false, task)
    // On a disk without such names, or behind a folder that lets nobody pass, each is a file.
    let earlier = task.linked.updateValue(
      CopyTask.LinkedFile(source: stamp, copy: copied, contents: contents, paths: [path]),
      forKey: stamp.identity)
    for path in earlier?.paths ?? [] {
      task.record.untouched.add(EntryDigest.untouched(path, earlier?.copy ?? copied))
    }
    return contents
  }

  /// The copy with one name more; `nil` where it can't have it, or is not what was copied.
  private static func addName(
    _ name: FolderEntry, of file: CopyTask.LinkedFile, below root: FolderEntry
  ) -> FileStamp? {
    let first = FileName(bytes: root.name.bytes + (file.paths.first ?? []))
    let result = first.withPointer { old in
      name.name.withPointer { linkat(root.folder, old, name.folder, $0, 0) }
    }
    guard result == 0 else { return nil }
    if let now = try? FileCalls.status(name.folder, name.name), now.identity == file.copy.identity {
      return now
    }
    try? FileCalls.unlink(name.folder, name.name)
    return nil
  }

  /// Waits until the clock of the file system has gone on since a file was changed: a later change
  /// within the same tick, of some thousandths of a second, would leave the same time behind.
  ///
  /// At most 20 ms; not at all where the clock has gone on already, or where the file's time lies
  /// more than 20 ms ahead. Sleeps for real: it is the kernel's own clock that has to go on.
  private static func waitForNextTime(after stamp: FileStamp) {
    for _ in 0..<20 {
      var now = timespec()
      // The coarse clock is the one by which the kernel stamps files.
      clock_gettime(CLOCK_REALTIME_COARSE, &now)
      let time = now.nanoseconds
      guard stamp.modified >= time, stamp.modified - time < 20_000_000 else { return }
      usleep(1000)
    }
  }

  private static func openReadable(_ place: FolderEntry) throws -> OwnedDescriptor {
    let flags = O_RDONLY | O_NONBLOCK
    do {
      // Reading a copy back is no reading of it: its time stays that of its original. Only the owner
      // may have that (open(2)).
      do {
        return try FileCalls.open(
          place.folder, place.name, flags: flags | clinux_open_without_access_time)
      } catch Errno.notPermitted {
        return try FileCalls.open(place.folder, place.name, flags: flags)
      }
    } catch { throw Reason.reading(error) }
  }

  /// The text is copied as it is: a relative one may lead elsewhere from the new place.
  private func link(
    _ from: FolderEntry, _ stamp: FileStamp, to: FolderEntry, _ task: CopyTask
  ) throws -> (FileStamp, UInt128?) {
    let text: [UInt8]
    do { text = try FileCalls.linkText(from.folder, from.name) } catch {
      throw Reason.reading(error)
    }
    do { try FileCalls.makeLink(to.folder, to.name, to: text) } catch {
      throw Reason.making(error, in: to.folder, to.name, isLink: true)
    }
    task.hasBegun = true
    try attributes.carryOver(
      stamp, toLink: to.name, in: to.folder, keeping: task.inherited)
    return (try FileCalls.status(to.folder, to.name), ContentDigest.of(text))
  }
}
