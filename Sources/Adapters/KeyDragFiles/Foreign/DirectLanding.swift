import Dispatch
import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// One thing without a file, written where the target of its drag says.
///
/// The address comes from another program: it has to be on this computer, in the very folder that
/// the person was told of, and bear the proposed name or that name with something added. Hidden
/// folders and names never pass. Nothing is replaced.
///
/// Direct save (XDS): the protocol by which a target says where a source is to write. One object
/// for one item and form; a second drop begins it anew. Writing and checking run on `queue`.
final class DirectLanding: DirectSaving {
  /// A file that was written here.
  private struct Saved: Sendable {
    var path: FilePath
    var stamp: FileStamp
    /// `nil` where it could not be read back.
    var contents: Fingerprint?
  }

  /// One drop, behind the lock.
  private struct Landing {
    /// `nil` where the window shows none: nothing is written then.
    var folder: ShownFolder?
    /// The window's name, for the history.
    var place = ""
    /// How many drops have begun.
    ///
    /// An answer to an earlier one is refused.
    var drop = 0
    /// The last file that was written; one a drop.
    var saved: Saved?
  }

  private let name: String
  private let file: FileName
  private let form: DragForm
  private let journal: Journal
  private let memory: FolderMemory
  private let queue: DispatchQueue
  private let state = Mutex(Landing())

  /// - Parameters:
  ///   - name: what it is called, safe to speak.
  ///   - file: the name that is proposed for its file.
  init(
    _ name: String, as file: String, _ form: DragForm, _ journal: Journal, _ memory: FolderMemory,
    _ queue: DispatchQueue
  ) {
    self.name = name
    self.file = FileName(file)
    self.form = form
    self.journal = journal
    self.memory = memory
    self.queue = queue
  }

  /// The contents are loaded first, and only then written: the answer may come late.
  var save: DirectSave {
    DirectSave(name: String(decoding: Array(file.bytes), as: UTF8.self)) { [self] address in
      let drop = state.withLock { $0.drop }
      guard let bytes = await form.load() else { return .failed }
      return await answer { reply in
        queue.async { [self] in reply(write(bytes, to: address, drop)) }
      }
    }
  }

  /// Files written for an earlier drop stay where they are.
  func begin(in folder: ShownFolder?, place: String) {
    state.withLock { state in
      state.drop += 1
      (state.folder, state.place, state.saved) = (folder, place, nil)
    }
  }

  /// Whether something was written, so that nothing else need be looked for.
  var isDecisive: Bool { state.withLock { $0.saved != nil } }

  // MARK: Writing

  /// `elsewhere` for any address but one in the folder that is shown: the target may ask for the data
  /// and write it itself.
  private func write(_ bytes: [UInt8], to address: [UInt8], _ drop: Int) -> DirectSave.Answer {
    let (shown, isNew) = state.withLock { ($0.folder, $0.drop == drop && $0.saved == nil) }
    guard isNew else { return .failed }
    guard let path = Self.path(address), let name = path.name, fits(name),
      let folder = shown.flatMap({ Self.folder(of: $0, memory) }),
      // Two paths to one folder are the same folder.
      FolderGuess.folder(path.folder)?.identity == folder.stamp.identity
    else { return .elsewhere }
    do {
      let part = try PartFile(in: folder)
      try part.append(bytes)
      let name = try part.finish(as: name, count: Int64(bytes.count))
      let whole = folder.path.appending(name)
      let saved = Saved(
        path: whole, stamp: try FileCalls.status(whole), contents: Self.contents(part.folder, name))
      let isNew = state.withLock { state in
        guard state.drop == drop else { return false }
        state.saved = saved
        return true
      }
      if isNew { return .saved }
      // Nobody would tell of it any more, or take it back.
      try Writers.unlink(part.folder.raw, name) { saved.stamp.recorded.isUntouched($0) }
      return .failed
    } catch {
      return .failed
    }
  }

  private static func contents(_ folder: OpenFolder, _ name: FileName) -> Fingerprint? {
    try? TreeCopier(meter: Meter()).contents(of: FolderEntry(folder, name))
  }

  /// Whether a name is the proposed one, or a program has added something to that.
  private func fits(_ name: FileName) -> Bool {
    !NameFilter.isHidden(name.bytes) && (name == file || ForeignLanding.isVariant(name, of: file))
  }

  /// The folder that a window shows, where it is found on the disk, bears the name that the person is
  /// told, and is neither hidden nor in a hidden one. May block.
  static func folder(of shown: ShownFolder, _ memory: FolderMemory) -> OpenFolder? {
    var window = shown
    window.row = nil
    let guess = FolderGuess(memory: memory)
    guard !shown.isRowAlone, let around = guess.folder(of: window), isTold(around, by: window),
      let found = shown.row == nil ? around : guess.folder(of: shown),
      let open = try? OpenFolder(found), let place = open.place,
      !place.components.contains(where: { NameFilter.isHidden($0.bytes) })
    else { return nil }
    return open
  }

  /// A bookmark and the desktop bear names of the person's own, and the home folder one of the program's.
  private static func isTold(_ folder: FilePath, by window: ShownFolder) -> Bool {
    window.bookmark != nil || window.isDesktop
      || folder == StandardFolders.home && HomeNames.all.contains(window.spokenName)
      || folder.lastComponent.map { ToldNames.told($0.string) } == window.spokenName
  }

  /// The path in an address (RFC 8089); `nil` where it leads to another computer, or is none.
  static func path(_ address: [UInt8]) -> FilePath? {
    // PCManFM ends its address with a zero.
    let address = address.last == 0 ? address.dropLast() : address[...]
    guard address.count <= DirectSave.longestAddress,
      let text = String(validating: address, as: UTF8.self),
      let path = FileList.path(text),
      path.isAbsolute, path.components.allSatisfy({ $0.kind == .regular })
    else { return nil }
    return path
  }

  // MARK: Checking

  /// Answers at once: the file was written here, so there is nothing to wait for.
  func check(
    isAsking: @escaping @Sendable () -> Bool, alive: @escaping @Sendable () -> Void
  ) async -> LandingReport {
    await answer { reply in
      queue.async { [self] in reply(report) }
    }
  }

  /// Looks at the file, and writes it down for undo where it is there.
  private var report: LandingReport {
    var report = LandingReport(landed: 0)
    let (saved, place) = state.withLock { ($0.saved, $0.place) }
    // The program may have taken it away again.
    guard let saved, let now = try? FileCalls.status(saved.path),
      now.identity == saved.stamp.identity, now.size == saved.stamp.size
    else {
      report.missing = [DeliveryFailure(name: name, reason: .notTaken)]
      return report
    }
    report.landed = 1
    report.bytes = now.size
    report.isVerified = true
    report.operation = .copy
    if saved.path.spokenName != name { report.renamed = [saved.path.spokenName] }
    // There is no original: the file itself stands for it, so that nothing is ever found there.
    var record = StepRecord(
      index: 0, state: .done, source: saved.path, target: saved.path,
      // A size of -1 is no file's: redo never takes anything for the original.
      before: RecordedStamp(kind: .file, inode: 0, size: -1, modified: 0, changed: 0),
      begun: timespec.now.nanoseconds)
    record.after = now.recorded
    record.contents = saved.contents
    report.entry = journal.note([record], .copy, in: place)
    return report
  }
}
