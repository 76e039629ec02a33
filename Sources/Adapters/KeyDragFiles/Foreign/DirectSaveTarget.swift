import Dispatch
import Glibc
import KeyDragCore
import Synchronization
import SystemPackage

/// An item without a file, saved to the path that the drop target chooses (direct save, XDS).
///
/// The URI comes from another program: it must be local, in the very folder announced to the user,
/// and have the proposed name or a variant of it. Hidden folders and names are rejected. Nothing is
/// replaced.
///
/// One instance per item and form, reused by later drops. Writing and checking run on `queue`.
final class DirectSaveTarget: DirectSaving {
  private struct Saved: Sendable {
    var path: FilePath
    var stamp: FileStamp
    /// `nil` if it could not be read back.
    var contents: Fingerprint?
  }

  private struct Landing {
    /// `nil` if the window shows none; nothing is written then.
    var folder: DisplayedFolder?
    var place = ""
    /// Number of drops started; answers to earlier ones are refused.
    var drop = 0
    /// The last file written; one per drop.
    var saved: Saved?
  }

  private let name: String
  private let file: FileName
  private let form: DragForm
  private let journal: Journal
  private let memory: FolderCache
  private let queue: DispatchQueue
  private let state = Mutex(Landing())

  /// - Parameters:
  ///   - name: safe to speak.
  ///   - file: proposed file name.
  init(
    _ name: String, as file: String, _ form: DragForm, _ journal: Journal, _ memory: FolderCache,
    _ queue: DispatchQueue
  ) {
    self.name = name
    self.file = FileName(file)
    self.form = form
    self.journal = journal
    self.memory = memory
    self.queue = queue
  }

  /// Loads the contents first and then writes; the answer may be late.
  var save: DirectSave {
    DirectSave(name: String(decoding: Array(file.bytes), as: UTF8.self)) { [self] address in
      let drop = state.withLock { $0.drop }
      guard let bytes = await form.load() else { return .failed }
      return await answer { reply in
        queue.async { [self] in reply(write(bytes, to: address, drop)) }
      }
    }
  }

  func begin(in folder: DisplayedFolder?, place: String) {
    state.withLock { state in
      state.drop += 1
      (state.folder, state.place, state.saved) = (folder, place, nil)
    }
  }

  /// Whether a file was saved, so that nothing else need be searched.
  var isDecisive: Bool { state.withLock { $0.saved != nil } }

  // MARK: Writing

  /// `elsewhere` for a URI outside the shown folder: the target may then request the data and write
  /// it itself.
  private func write(_ bytes: [UInt8], to address: [UInt8], _ drop: Int) -> DirectSave.Answer {
    let (shown, isNew) = state.withLock { ($0.folder, $0.drop == drop && $0.saved == nil) }
    guard isNew else { return .failed }
    guard let path = Self.path(address), let name = path.name, fits(name),
      let folder = shown.flatMap({ Self.folder(of: $0, memory) }),
      // By identity: two paths may lead to the same folder.
      FolderResolver.folder(path.folder)?.identity == folder.stamp.identity
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
      // A later drop has started: nobody would report or undo this file.
      try OpenWriters.unlink(part.folder.raw, name) { saved.stamp.recorded.isUntouched($0) }
      return .failed
    } catch {
      return .failed
    }
  }

  private static func contents(_ folder: OpenFolder, _ name: FileName) -> Fingerprint? {
    try? TreeCopier(meter: ProgressMeter()).contents(of: FolderEntry(folder, name))
  }

  /// Whether a name is the proposed one or a variant of it.
  private func fits(_ name: FileName) -> Bool {
    !NameFilter.isHidden(name.bytes)
      && (name == file || FolderDropVerifier.isVariant(name, of: file))
  }

  /// The folder that a window shows, if it is found, has the name announced to the user, and is not
  /// hidden or inside a hidden folder. May block.
  static func folder(of shown: DisplayedFolder, _ memory: FolderCache) -> OpenFolder? {
    var window = shown
    window.row = nil
    let guess = FolderResolver(memory: memory)
    guard !shown.isNamedRowOnly, let around = guess.folder(of: window), isTold(around, by: window),
      let found = shown.row == nil ? around : guess.folder(of: shown),
      let open = try? OpenFolder(found), let place = open.place,
      !place.components.contains(where: { NameFilter.isHidden($0.bytes) })
    else { return nil }
    return open
  }

  /// Bookmarks and the desktop have user-defined names, and the home folder has the program's.
  private static func isTold(_ folder: FilePath, by window: DisplayedFolder) -> Bool {
    window.bookmark != nil || window.isDesktop
      || folder == StandardFolders.home && HomeNames.all.contains(window.spokenName)
      || folder.lastComponent.map { DisplayedNames.told($0.string) } == window.spokenName
  }

  /// The path of a URI (RFC 8089); `nil` if it is invalid or on another computer.
  static func path(_ address: [UInt8]) -> FilePath? {
    // PCManFM terminates its URI with a NUL.
    let address = address.last == 0 ? address.dropLast() : address[...]
    guard address.count <= DirectSave.longestAddress,
      let text = String(validating: address, as: UTF8.self),
      let path = FileList.path(text),
      path.isAbsolute, path.components.allSatisfy({ $0.kind == .regular })
    else { return nil }
    return path
  }

  // MARK: Checking

  /// Returns at once: the file was written here.
  func check(
    isAsking: @escaping @Sendable () -> Bool, alive: @escaping @Sendable () -> Void
  ) async -> DeliveryResult {
    await answer { reply in
      queue.async { [self] in reply(report) }
    }
  }

  /// Checks the file and journals it for undo if it still exists.
  private var report: DeliveryResult {
    var report = DeliveryResult()
    let (saved, place) = state.withLock { ($0.saved, $0.place) }
    // The program may have removed it again.
    guard let saved, let now = try? FileCalls.status(saved.path),
      now.identity == saved.stamp.identity, now.size == saved.stamp.size
    else {
      report.failures = [DeliveryFailure(name: name, reason: .notTaken)]
      return report
    }
    report.delivered = 1
    report.bytes = now.size
    report.verified = true
    report.effect = .performed(.copy)
    if saved.path.spokenName != name { report.renamed = [saved.path.spokenName] }
    // No original: the file stands for itself.
    var record = StepRecord(
      index: 0, state: .done, source: saved.path, target: saved.path,
      // No file has a size of -1, so redo never finds an original.
      before: RecordedStamp(kind: .file, inode: 0, size: -1, modified: 0, changed: 0),
      begun: timespec.now.nanoseconds)
    record.after = now.recorded
    record.contents = saved.contents
    report.entry = journal.note([record], .copy, in: place)
    return report
  }
}
