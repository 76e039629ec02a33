import Glibc
import KeyDragCore
import SystemPackage

/// A depth-first walk of a tree by open folders, never by path.
///
/// Uses one descriptor and no recursion, whatever the depth. Follows no symbolic links, and returns
/// only to the folder it came from: a rename of an ancestor ends the walk.
///
/// Visits folders before their contents, for copying, and after, for removing. Reads each folder's
/// names at once; later additions are not visited. Not thread-safe.
final class TreeWalk {
  /// Names as read; stamps from the time of the visit.
  enum Visit {
    /// ``folder`` is now the named folder.
    case entered(FileName, FileStamp)
    /// A non-folder in ``folder``.
    case item(FileName, FileStamp)
    /// An entry of ``folder`` that can't be read; only if the walk continues past errors.
    case barred(Reason)
    /// All contents were visited; ``folder`` is still the named folder.
    case leaving(FileName, FileStamp)
    /// ``folder`` is its parent again.
    case left(FileName, FileStamp)
  }

  private struct Frame {
    var name: FileName
    var stamp: FileStamp
    var parent: FileIdentity
    var names: [FileName]
    var next = 0
    /// Length of ``TreeWalk/path`` outside it.
    var outerLength: Int
    /// Set once `leaving` was returned.
    var isClosing = false
  }

  /// The folder of the visited entry. Changes with each step: duplicate the descriptor to keep it.
  private(set) var folder: OwnedDescriptor
  /// Path of the visited entry below the root: empty for the root, otherwise with a leading "/".
  private(set) var path: [UInt8] = []
  private let root: FileName
  private let rootStamp: FileStamp
  private var frames: [Frame] = []
  private var hasBegun = false
  /// Length to which the next step truncates ``path``; `nil` to keep it.
  private var itemPathLength: Int?
  /// A folder that must not be entered: the copy being made of this tree. Throws
  /// `Reason.ownDescendant`.
  var forbidden: FileIdentity?
  /// Whether mount points below the root are visited as barred.
  private let staysOnDisk: Bool

  /// Number of open ancestors of the visited entry.
  var depth: Int { frames.count }

  /// Whether to make our own folders accessible if their mode forbids it.
  private let forcing: Bool
  /// Whether entries below the root that can't be opened, or are gone, are visited as barred
  /// instead of ending the walk; also skips other deliveries' temporary files. Errors of the root
  /// still throw.
  private let goesOn: Bool
  private let skipped: Set<[UInt8]>

  /// - Throws: if the root can't be read. A root that is a file or a link is a single visit.
  init(
    _ folder: CInt, _ name: FileName, forcing: Bool = false, goesOn: Bool = false,
    staysOnDisk: Bool = false, skipping skipped: Set<[UInt8]> = []
  ) throws {
    self.forcing = forcing
    self.staysOnDisk = staysOnDisk
    self.goesOn = goesOn
    self.skipped = skipped
    root = name
    rootStamp = try FileCalls.status(folder, name)
    self.folder = OwnedDescriptor(
      owning:
        try FileCalls.checked { fcntl(folder, F_DUPFD_CLOEXEC, 0) })
  }

  /// The next visit; `nil` at the end. The walk can't continue after an error.
  func next() throws -> Visit? {
    if let length = itemPathLength {
      path.removeSubrange(length...)
      itemPathLength = nil
    }
    guard hasBegun else {
      hasBegun = true
      return try visit(root, rootStamp)
    }
    while let frame = frames.last {
      if frame.isClosing { return try leave(frame) }
      guard frame.next < frame.names.count else {
        frames[frames.count - 1].isClosing = true
        return .leaving(frame.name, frame.stamp)
      }
      frames[frames.count - 1].next += 1
      if goesOn, NameFilter.isTemporary(frame.names[frame.next].bytes) { continue }
      let length = path.count
      path.append(UInt8(ascii: "/"))
      path.append(contentsOf: frame.names[frame.next].bytes)
      if !skipped.isEmpty, skipped.contains(path) {
        path.removeSubrange(length...)
        continue
      }
      return try visitChild(frame.names[frame.next], outerLength: length)
    }
    return nil
  }

  private func visitChild(_ name: FileName, outerLength length: Int) throws -> Visit {
    do {
      if staysOnDisk, FileCalls.isMountPoint(folder.raw, name) {
        itemPathLength = length
        return .barred(.otherDisk)
      }
      let stamp = try FileCalls.status(folder.raw, name)
      if goesOn, staysOnDisk, let reason = refusal(of: name, stamp) {
        itemPathLength = length
        return .barred(reason)
      }
      if stamp.kind != .folder { itemPathLength = length }
      return try visit(name, stamp, outerLength: length)
    } catch let error where goesOn {
      guard let reason = Reason.ofPart(error, isRead: true) else { throw error }
      itemPathLength = length
      return .barred(reason)
    }
  }

  /// Why something can't be taken out of its folder, as far as that can be seen.
  private func refusal(of name: FileName, _ stamp: FileStamp) -> Reason? {
    if FileCalls.isProtected(folder.raw, name) { return .protected }
    // In a sticky folder it takes the owner of either (unlink(2)).
    guard let around = frames.last?.stamp, around.mode & mode_t(S_ISVTX) != 0 else { return nil }
    return [0, around.owner, stamp.owner].contains(geteuid()) ? nil : .notRemovable
  }

  private func visit(_ name: FileName, _ stamp: FileStamp, outerLength: Int = 0) throws -> Visit {
    guard stamp.kind == .folder else { return .item(name, stamp) }
    if stamp.identity == forbidden { throw Reason.ownDescendant }
    let parent = try FileCalls.status(of: folder.raw).identity
    if forcing, stamp.mode & 0o700 != 0o700 {
      // Our own copy, with an original's mode that denies its owner access.
      _ = name.withPointer { fchmodat(folder.raw, $0, 0o700, AT_SYMLINK_NOFOLLOW) }
    }
    // O_NOFOLLOW: does not follow a link that has replaced it.
    let opened = try FileCalls.open(folder.raw, name, flags: O_RDONLY | O_DIRECTORY)
    let fresh = try FileCalls.status(of: opened.raw)
    guard fresh.identity == stamp.identity else { throw Reason.changed }
    let names = try FileCalls.names(in: opened.raw)
    // Nothing in it could be taken out.
    if goesOn, staysOnDisk, !frames.isEmpty, !names.isEmpty,
      faccessat(opened.raw, ".", W_OK | X_OK, AT_EACCESS) != 0
    {
      throw Reason.notPermitted
    }
    folder = opened
    frames.append(
      Frame(name: name, stamp: fresh, parent: parent, names: names, outerLength: outerLength))
    return .entered(name, fresh)
  }

  /// Leaves the folder entered last without visiting its contents or returning a further visit for
  /// it.
  func skip() throws {
    guard let frame = frames.last else { return }
    _ = try leave(frame)
  }

  /// Goes up by ".."; throws `Reason.changed` if that is not the folder it came from.
  private func leave(_ frame: Frame) throws -> Visit {
    // A tree passed by descriptor is its own root: its parent is not accessed.
    if frames.count > 1 || root.count > 0 {
      let parent = try FileCalls.openParent(of: folder.raw)
      guard try FileCalls.status(of: parent.raw).identity == frame.parent else {
        throw Reason.changed
      }
      folder = parent
    }
    frames.removeLast()
    // Keeps the folder's own path until the next step.
    itemPathLength = frame.outerLength
    return .left(frame.name, frame.stamp)
  }
}
