import Glibc
import KeyDragCore
import SystemPackage

/// One trash folder, open: `files` holds what was trashed, `info` a note for each.
///
/// A name is taken by its note: the specification wants notes written first and with O_EXCL, so
/// that two programs never choose the same. The folders stay open as long as the value lives.
struct TrashSlot {
  let files: OpenFolder
  let info: OpenFolder
  /// The folder that paths in notes start from; `nil` in the home trash, whose paths are absolute.
  let top: FilePath?

  /// Opens a trash folder and makes what is missing of it, for its owner alone.
  ///
  /// - Throws: where a folder can't be made, or nothing may be put in it.
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

  /// A name that neither a trashed file nor a note bears now.
  ///
  /// A look: ``reserve(_:for:)`` decides.
  func freeName(for name: FileName, after number: inout Int) -> FileName {
    // The note's name is ten bytes longer, and names end at 255.
    let room = FileName.longest - Self.noteExtension.utf8.count
    let fitting = name.count > room ? FileName(bytes: name.bytes.prefix(room)) : name
    return FreeName.choose(fitting, after: &number, longest: room) { candidate in
      FileCalls.exists(files.raw, candidate) || FileCalls.exists(info.raw, Self.note(candidate))
    }
  }

  /// Takes a name by writing its note; throws `Errno.fileExists` when it is taken.
  ///
  /// A note that could not be written whole is removed again.
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

  /// Writes a note to the device: an empty one would not tell where a thing was.
  func flushNote(of name: FileName) throws(Errno) {
    let note = try FileCalls.open(info.raw, Self.note(name), flags: O_RDONLY)
    try FileCalls.checked { fdatasync(note.raw) }
  }

  /// Gives a name back: removes its note.
  ///
  /// Tried twice; a failure is passed over.
  func release(_ name: FileName) {
    Self.insist { try FileCalls.unlink(info.raw, Self.note(name)) }
  }

  /// Tries again what failed once: a note of nothing stays in the trash for ever, where programs
  /// offer what it tells of.
  fileprivate static func insist(_ body: () throws -> Void) {
    if (try? body()) == nil { try? body() }
  }

  /// As the note of a trash in a top folder has it: without a "/" at its front.
  private func relative(_ original: FilePath) -> FilePath {
    guard let top else { return original }
    var path = original.withoutLinksBefore ?? original
    return path.removePrefix(top) ? path : original
  }

  private static let noteExtension = ".trashinfo"

  /// The name in `info` of the note for a name in `files`.
  static func note(_ name: FileName) -> FileName {
    FileName(bytes: Array(name.bytes) + Array(noteExtension.utf8))
  }

  /// Removes the note of something that has left the trash, when nothing bears that name there.
  ///
  /// Does nothing where the look fails: a thing without its note can't be brought back.
  static func forget(_ trashed: FilePath) {
    guard let name = trashed.name, let files = try? OpenFolder(trashed.folder),
      FileCalls.isFree(files.raw, name), let note = try? TrashNote(of: trashed)
    else { return }
    note.remove()
  }

  /// The note of one thing in a trash, reached before the thing goes: it must not outlive it.
  ///
  /// Kept open, because its folder may be swapped while the thing is moved.
  struct TrashNote {
    /// `nil` where there are no notes.
    private let info: OpenFolder?
    private let name: FileName

    /// - Throws: where it can't be known whether there are notes.
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

    /// Once more where it fails; does nothing without a folder of notes.
    func remove() {
      guard let info else { return }
      TrashSlot.insist { try FileCalls.unlink(info.raw, name) }
    }
  }
}
