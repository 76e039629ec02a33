import CLinux
import Glibc
import KeyDragCore
import SystemPackage

/// A name in an open folder, used instead of paths in all calls.
struct FolderEntry {
  let folder: CInt
  let name: FileName
  /// Keeps the folder open if nothing else does.
  private let owner: OpenFolder?

  /// For a folder that the caller keeps open.
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

/// A copy, with everything needed to recognise it later. ``CopyRemoval`` and `Recognition` use it
/// to prove that a copy is unmodified before it is deleted.
struct CopyRecord {
  /// The original's stamp, taken before its contents were read.
  var source: FileStamp
  /// Digest of the copy's entries below its root, by inode and times.
  var untouched = Fingerprint()
  /// Digest of the contents; `nil` once the kernel has copied any of them.
  var contents: Fingerprint? = Fingerprint()
  /// Marks of everything read. Only for lasting copies, since only a move removes its source.
  var marks: Set<UInt64> = []
  var leftOut = SkippedEntries()
  var hasLinks = false
  /// The copy's root, once complete.
  var grown: FileStamp?
}

/// Entries of a folder that are skipped while the rest is copied: pipes, sockets, unreadable or
/// changing files, and names that the target rejects.
struct SkippedEntries: Sendable {
  private(set) var failures: [(path: [UInt8], reason: Reason)] = []
  /// Paths below the folder's root, with a leading "/" as in ``TreeWalk/path``.
  private(set) var paths: Set<[UInt8]> = []
  /// Their ancestors, including the root, which is empty.
  private(set) var enclosing: Set<[UInt8]> = []

  /// Number of files and links copied nevertheless; 0 if a folder is skipped, whose contents are
  /// unknown.
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

/// Copies whole trees to an unused name and removes what it can't finish. A copy grows under a
/// hidden name; the caller gives it the final one. Belongs to the delivery's thread.
final class TreeCopier {
  private let meter: ProgressMeter
  private let bytes: ContentCopy
  private(set) var attributes = FileAttributes()

  init(meter: ProgressMeter) {
    self.meter = meter
    bytes = ContentCopy(meter: meter)
  }

  /// Reports progress without checking for cancellation.
  func beat() { meter.beat() }

  /// Copies a file, a symbolic link or a folder tree.
  ///
  /// On an error, the copy is removed as far as possible. Entries that can't be copied are skipped
  /// and recorded; for the root that throws. A lasting copy skips mount points, which would be
  /// removed with the source.
  ///
  /// - Parameter lasting: whether the copy must be flushed, read back and verified before this
  ///   returns, because the original will be removed.
  func copy(from: FolderEntry, to: FolderEntry, lasting: Bool) throws -> CopyRecord {
    let source = try FileCalls.status(from.folder, from.name)
    let task = try CopyTask(CopyRecord(source: source), to: to, lasting: lasting)
    do {
      if source.kind == .folder {
        // Continues past unreadable folders.
        let walk = try TreeWalk(
          from.folder, from.name, goesOn: true, staysOnDisk: lasting)
        while let visit = try walk.next() { try step(visit, walk, task) }
      } else {
        // Fast path for single files, which need no walk.
        try item(from, source, to: to, path: [], task)
      }
      if lasting { try confirm(task) }
      return task.record
    } catch {
      if task.hasBegun { try? TreeRemover.remove(to, forcing: true, beat: beat) }
      throw error
    }
  }

  /// Digest of a tree's stored contents. Reads every byte, and throws if anything can't be read: a
  /// partial digest proves nothing.
  func contents(of place: FolderEntry) throws -> Fingerprint {
    var result = Fingerprint()
    try eachContents(of: place) { digest, _, _ in result.add(digest) }
    return result
  }

  /// Calls `body` for every entry: with the digest of its path and contents, its path and its kind. A
  /// folder's contents count as 0; its entries have their own.
  func eachContents(of place: FolderEntry, _ body: (UInt128, [UInt8], FileKind) -> Void) throws {
    let walk = try TreeWalk(place.folder, place.name)
    while let visit = try walk.next() {
      try meter.check()
      switch visit {
      case .item(let name, let stamp):
        let item = FolderEntry(folder: walk.folder.raw, name: name)
        body(try digest(item, stamp, walk.path), walk.path, stamp.kind)
      case .entered(_, let stamp):
        body(EntryDigest.contents(walk.path, stamp.kind, 0), walk.path, stamp.kind)
      case .leaving, .left, .barred: break
      }
    }
  }

  func digest(_ place: FolderEntry, _ stamp: FileStamp, _ path: [UInt8]) throws -> UInt128 {
    EntryDigest.contents(path, stamp.kind, try digest(place, stamp))
  }

  /// For a link, of its target; 0 for a special file.
  private func digest(_ place: FolderEntry, _ stamp: FileStamp) throws -> UInt128 {
    switch stamp.kind {
    case .link: return ContentDigest.of(try FileCalls.linkText(place.folder, place.name))
    case .folder, .special: return 0
    case .file:
      // O_NONBLOCK, in case a FIFO has replaced it: open(2) would wait for a writer.
      let file = try Self.openReadable(place)
      // Drops cached pages, so that the data is read back from the device. Works only for flushed
      // pages, which is why ``confirm(_:)`` flushes first.
      posix_fadvise(file.raw, 0, 0, POSIX_FADV_DONTNEED)
      return try bytes.digest(of: file.raw, size: stamp.size)
    }
  }

  /// Throws `Reason.deviceError` if the device returns other bytes than were written.
  private func confirm(_ task: CopyTask) throws {
    let place = task.destination
    switch try FileCalls.status(place.folder, place.name).kind {
    case .file:
      let file = try FileCalls.open(place.folder, place.name, flags: O_RDONLY)
      try FileCalls.flush(file.raw)
    case .folder:
      // One call for the whole tree: flushing thousands of files individually takes minutes.
      let folder = try FileCalls.open(place.folder, place.name, flags: O_RDONLY)
      try FileCalls.checked { clinux_sync_file_system(folder.raw) }
    case .link, .special: break
    }
    // Reading back does not count as progress.
    let counted = meter.progress.bytesDone
    do {
      let stored = try contents(of: place)
      meter.goBack(toBytes: counted)
      guard stored == task.record.contents else { throw Reason.deviceError }
    } catch Reason.readError { throw Reason.deviceError }
  }
}

private final class CopyTask {
  var record: CopyRecord
  let destination: FolderEntry
  let lasting: Bool
  /// Attributes passed on by the parent folder; none for a move.
  let inherited: FileAttributes.Inherited
  /// The copy's folder being filled; at the root, the one that contains the copy. None for a single
  /// file.
  var folder: OwnedDescriptor
  /// Whether a failure leaves anything to remove at the destination.
  var hasBegun = false
  /// Copies of files with hard links, by original: further links become links to the same copy.
  var linked: [FileIdentity: LinkedFile] = [:]
  var readErrors = 0

  struct LinkedFile {
    var source: FileStamp
    /// Updated with each added link, since only the last stamp counts as untouched.
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
    // A second descriptor, so that the caller keeps its own; -1 for none.
    folder = OwnedDescriptor(
      owning: isTree
        ? try FileCalls.checked { fcntl(destination.folder, F_DUPFD_CLOEXEC, 0) } : -1)
  }

  /// The destination of an entry; the root gets the requested name.
  func place(_ name: FileName, isRoot: Bool) -> FolderEntry {
    isRoot ? destination : FolderEntry(folder: folder.raw, name: name)
  }
}

extension TreeCopier {
  /// Handles one visit. Unreadable entries are recorded; other errors end the copy.
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
    // An entry that is gone may have been a file.
    case .barred(let reason):
      task.record.leftOut.add(walk.path, reason, isFolder: reason != .gone)
    case .leaving(_, let stamp): try leave(stamp, walk, task)
    case .left: break
    }
  }

  /// Records an entry that can't be copied; rethrows errors that are not specific to it.
  private func leaveOut(
    _ error: any Error, _ walk: TreeWalk, _ task: CopyTask, isFolder: Bool = false
  ) throws {
    guard let reason = Reason.ofPart(error) else { throw error }
    task.readErrors = reason == .readError ? task.readErrors + 1 : 0
    // Consecutive errors mean a failed device or server, not a bad sector.
    if task.readErrors > Self.mostReadErrors { throw Reason.deviceError }
    task.record.leftOut.add(walk.path, reason, isFolder: isFolder)
  }

  private static let mostReadErrors = 3

  /// Creates a folder of the copy, 0700 until its contents are complete.
  private func enter(
    _ name: FileName, _ stamp: FileStamp, _ walk: TreeWalk, _ task: CopyTask
  ) throws {
    let place = task.place(name, isRoot: walk.depth == 1)
    do { try FileCalls.makeFolder(place.folder, place.name) } catch {
      throw Reason.making(error, in: place.folder, place.name)
    }
    task.hasBegun = true
    var isOpen = false
    // Still empty: needs no opening.
    defer { if !isOpen { try? FileCalls.unlink(place.folder, place.name, isFolder: true) } }
    let made = try FileCalls.open(place.folder, place.name, flags: O_RDONLY | O_DIRECTORY)
    let own = try FileCalls.status(of: made.raw)
    isOpen = true
    // A folder copied into itself would grow for ever.
    if walk.depth == 1 { walk.forbidden = own.identity }
    task.folder = consume made
    if walk.depth > 1 { task.record.untouched.add(EntryDigest.untouched(walk.path, own)) }
    task.record.contents?.add(EntryDigest.contents(walk.path, .folder, 0))
    if task.lasting { task.record.marks.insert(EntryDigest.mark(walk.path, stamp)) }
  }

  /// Sets mode and times last: filling the folder changes its times, and the mode may be read-only.
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
    // Back to the copy's parent folder, in step with the walk.
    if walk.depth > 1 { task.folder = try FileCalls.openParent(of: task.folder.raw) }
  }

  /// - Parameter path: below the root; empty for the root itself.
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

  /// Copies one file; fails if the original changes meanwhile.
  private func file(
    _ from: FolderEntry, _ stamp: FileStamp, to: FolderEntry, isRoot: Bool, _ task: CopyTask
  ) throws -> (FileStamp, UInt128?) {
    let source = try Self.openReadable(from)
    // 0600 until the attributes are set. Inside a folder, which stays private until the end, the
    // final permissions can be set at once, which saves most files a call.
    let mode = isRoot ? 0o600 : stamp.mode & 0o777 | 0o600
    // O_EXCL never opens an existing file.
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
    // Detects writes during the copy by length, time and inode.
    let after = try FileCalls.status(of: source.raw)
    // Removed while being read: an open descriptor keeps the contents.
    if after.links == 0 { throw Reason.gone }
    guard after.identity == stamp.identity, after.size == stamp.size,
      after.modified == stamp.modified
    else { throw Reason.changed }
    let copied = try attributes.carryOver(
      from: source.raw, stamp, to: copy.raw, keeping: task.inherited)
    isWhole = true
    return (copied, digest)
  }

  /// Copies a hard-linked file once, and links its copy for each further name. Returns the digest,
  /// as for any file.
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
    // Without support for links, or behind an inaccessible folder, each name becomes a file of its
    // own.
    let earlier = task.linked.updateValue(
      CopyTask.LinkedFile(source: stamp, copy: copied, contents: contents, paths: [path]),
      forKey: stamp.identity)
    for path in earlier?.paths ?? [] {
      task.record.untouched.add(EntryDigest.untouched(path, earlier?.copy ?? copied))
    }
    return contents
  }

  /// Links the copy once more; `nil` if that fails or the copy has been replaced.
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

  /// Waits until the file system's clock has advanced past a file's modification time: a later
  /// change within the same tick, a few milliseconds, would leave the same time.
  ///
  /// At most 20 ms; not at all if the clock has already advanced, or if the file's time is more
  /// than 20 ms ahead. Sleeps in real time, since it waits for the kernel's clock.
  private static func waitForNextTime(after stamp: FileStamp) {
    for _ in 0..<20 {
      var now = timespec()
      // The kernel stamps files by the coarse clock.
      clock_gettime(CLOCK_REALTIME_COARSE, &now)
      let time = now.nanoseconds
      guard stamp.modified >= time, stamp.modified - time < 20_000_000 else { return }
      usleep(1000)
    }
  }

  private static func openReadable(_ place: FolderEntry) throws -> OwnedDescriptor {
    let flags = O_RDONLY | O_NONBLOCK
    do {
      // Verifying a copy must not change its access time. Only the owner may ask for that
      // (open(2)).
      do {
        return try FileCalls.open(
          place.folder, place.name, flags: flags | clinux_open_without_access_time)
      } catch Errno.notPermitted {
        return try FileCalls.open(place.folder, place.name, flags: flags)
      }
    } catch { throw Reason.reading(error) }
  }

  /// Copies the target unchanged: a relative one may lead elsewhere afterwards.
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
    var isWhole = false
    defer { if !isWhole { try? FileCalls.unlink(to.folder, to.name) } }
    try attributes.carryOver(
      stamp, toLink: to.name, in: to.folder, keeping: task.inherited)
    let copied = try FileCalls.status(to.folder, to.name)
    isWhole = true
    task.record.hasLinks = true
    return (copied, ContentDigest.of(text))
  }
}
