import Glibc
import KeyDragCore
import SystemPackage

/// An open trash folder: `files` holds trashed files, `info` their `.trashinfo` notes.
///
/// Creating the note reserves the name: the specification demands that it is written first and with
/// O_EXCL, so that two programs never choose the same. The folders stay open for the value's
/// lifetime.
struct TrashSlot {
  let files: OpenFolder
  let info: OpenFolder
  /// Base of relative paths in notes; `nil` in the home trash, whose paths are absolute.
  let top: FilePath?

  /// Opens a trash folder, creating missing parts with 0700.
  ///
  /// - Throws: if a folder can't be created or is not writable.
  init(opening trash: FilePath, top: FilePath?) throws {
    files = try Self.folder(trash.appending("files"))
    info = try Self.folder(trash.appending("info"))
    self.top = top
  }

  private static func folder(_ path: FilePath) throws -> OpenFolder {
    if path.withPlatformString({ mkdir($0, 0o700) }) != 0, errno != EEXIST {
      throw Errno(rawValue: errno)
    }
    let opened = try OpenFolder(path)
    if let refusal = opened.refusesChanges() { throw refusal }
    return opened
  }

  /// A name that neither a trashed file nor a note has. Only a hint: ``reserve(_:for:)`` decides.
  func freeName(for name: FileName, after number: inout Int) -> FileName {
    // The note's name is ten bytes longer, and names are limited to 255.
    let room = FileName.longest - Self.noteExtension.utf8.count
    let fitting = name.count > room ? FileName(bytes: name.bytes.prefix(room)) : name
    return FreeName.choose(fitting, after: &number, longest: room) { candidate in
      FileCalls.exists(files.raw, candidate) || FileCalls.exists(info.raw, Self.note(candidate))
    }
  }

  /// Reserves a name by writing its note; throws `Errno.fileExists` if it is taken. Removes a note
  /// that could not be written completely.
  func reserve(_ name: FileName, for original: FilePath) throws {
    let note = try FileCalls.open(
      info.raw, Self.note(name), flags: O_CREAT | O_EXCL | O_WRONLY, mode: 0o600)
    let text = TrashInfo.text(path: relative(original), date: time(nil))
    do {
      let written = try FileCalls.checked { write(note.raw, text, text.count) }
      guard written == text.count else { throw Errno.noSpace }
    } catch {
      release(name)
      throw error
    }
  }

  /// Flushes a note to the device: an empty one would lose the original path.
  func flushNote(of name: FileName) throws(Errno) {
    let note = try FileCalls.open(info.raw, Self.note(name), flags: O_RDONLY)
    try FileCalls.checked { fdatasync(note.raw) }
  }

  /// Frees a name by removing its note. Retries once and ignores failure.
  func release(_ name: FileName) {
    Self.retryingOnce { try FileCalls.unlink(info.raw, Self.note(name)) }
  }

  /// Retries once: an orphaned note stays in the trash for ever, and programs offer to restore it.
  fileprivate static func retryingOnce(_ body: () throws -> Void) {
    if (try? body()) == nil { try? body() }
  }

  /// Relative to the top folder, as notes outside the home trash are.
  private func relative(_ original: FilePath) -> FilePath {
    guard let top else { return original }
    var path = original.resolvingParentLinks ?? original
    return path.removePrefix(top) ? path : original
  }

  private static let noteExtension = ".trashinfo"

  static func note(_ name: FileName) -> FileName {
    FileName(bytes: Array(name.bytes) + Array(noteExtension.utf8))
  }

  /// Removes the note of a file that has left the trash, if no file has that name there. No-op if
  /// the check fails: a trashed file without its note can't be restored.
  static func forget(_ trashed: FilePath) {
    guard let name = trashed.name, let files = try? OpenFolder(trashed.folder),
      FileCalls.isFree(files.raw, name), let note = try? TrashNote(of: trashed)
    else { return }
    note.remove()
  }

  /// The note of a trashed file, opened before the file moves so that it can't outlive it. Kept
  /// open because its folder may be swapped during the move.
  struct TrashNote {
    /// `nil` if the trash has no `info` folder.
    private let info: OpenFolder?
    private let name: FileName

    /// - Throws: if the `info` folder can't be checked.
    init(of trashed: FilePath) throws {
      guard let file = trashed.name else { throw Reason.gone }
      name = TrashSlot.note(file)
      let trash = trashed.folder.folder
      let folder = trash.appending("info")
      do { info = try OpenFolder(folder) } catch Errno.noSuchFileOrDirectory
        where FileCalls.isFree(AT_FDCWD, FileName(bytes: folder.rawBytes))
      {
        info = nil
      }
    }

    /// Retries once; no-op without an `info` folder.
    func remove() {
      guard let info else { return }
      TrashSlot.retryingOnce { try FileCalls.unlink(info.raw, name) }
    }
  }
}
