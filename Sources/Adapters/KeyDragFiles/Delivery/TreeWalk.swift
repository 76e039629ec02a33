import Glibc
import KeyDragCore
import SystemPackage

/// A walk through one tree, depth first, by open folders and never by paths.
///
/// It keeps one descriptor however deep the tree is, uses no stack of the thread, follows no
/// symbolic link, and goes back up only to the folder it came from: what is renamed under it ends
/// the walk.
///
/// Visits a folder twice, before and after its contents, so that it serves copying, which needs the
/// first, and removing, which needs the second. The names of a folder are read at once; what is
/// added later is not visited. Belongs to one thread.
final class TreeWalk {
  /// The names are as they were read, the stamps from the moment of the visit.
  enum Visit {
    /// ``folder`` is now the folder of that name.
    case entered(FileName, FileStamp)
    /// A thing in ``folder`` that is no folder.
    case item(FileName, FileStamp)
    /// A thing in ``folder`` that can't be looked into; only of a walk that is told to go on.
    case barred(Reason)
    /// All of it has been visited; ``folder`` still is that folder.
    case leaving(FileName, FileStamp)
    /// ``folder`` is again the one that holds it.
    case left(FileName, FileStamp)
  }

  /// One folder on the way from the root to what is visited.
  private struct Frame {
    var name: FileName
    /// From the open descriptor.
    var stamp: FileStamp
    /// The folder it was entered from.
    var parent: FileIdentity
    var names: [FileName]
    /// Index of the next name.
    var next = 0
    /// Length of ``TreeWalk/path`` outside it.
    var outerLength: Int
    /// All names were visited, and `leaving` was given.
    var isClosing = false
  }

  /// The folder that holds what is being visited. Changes with each step: a descriptor that is kept
  /// has to be duplicated.
  private(set) var folder: OwnedDescriptor
  /// The path of the visited thing below the root: empty for the root itself, else with a leading
  /// "/".
  private(set) var path: [UInt8] = []
  private let root: FileName
  private let rootStamp: FileStamp
  private var frames: [Frame] = []
  /// Set with the first step.
  private var hasBegun = false
  /// The length to which ``path`` is cut at the next step; `nil` where it stays.
  private var itemPathLength: Int?
  /// A folder that must not be entered: the copy that is being made of this tree.
  ///
  /// Throws `Reason.ownDescendant` when it is met.
  var forbidden: FileIdentity?
  /// Whether what is mounted below the root is visited as barred.
  private let staysOnDisk: Bool

  /// How many folders are open around what is visited.
  var depth: Int { frames.count }

  /// Whether folders that may not be read or changed are made to allow it, because they are ours.
  private let forcing: Bool
  /// Whether something below the root that can't be opened, or is gone by then, is visited as barred
  /// instead of ending the walk. What another delivery has not finished is passed over: its hidden name
  /// means nothing in a copy.
  ///
  /// The root itself still throws.
  private let goesOn: Bool
  /// Paths below the root that are passed over unseen.
  private let skipped: Set<[UInt8]>

  /// - Throws: where the root can't be looked at. A root that is a file or a link is one visit.
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

  /// The next visit, or `nil` at the end. After it has thrown, the walk can't be gone on with.
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

  /// Visits one name in ``folder``.
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

  /// Enters folders; everything else is one visit.
  private func visit(_ name: FileName, _ stamp: FileStamp, outerLength: Int = 0) throws -> Visit {
    guard stamp.kind == .folder else { return .item(name, stamp) }
    if stamp.identity == forbidden { throw Reason.ownDescendant }
    let parent = try FileCalls.status(of: folder.raw).identity
    if forcing, stamp.mode & 0o700 != 0o700 {
      // Ours and without rights for its owner: a copy got the mode of its original.
      _ = name.withPointer { fchmodat(folder.raw, $0, 0o700, AT_SYMLINK_NOFOLLOW) }
    }
    // O_NOFOLLOW within: a link that came in its place is not followed.
    let opened = try FileCalls.open(folder.raw, name, flags: O_RDONLY | O_DIRECTORY)
    let fresh = try FileCalls.status(of: opened.raw)
    guard fresh.identity == stamp.identity else { throw Reason.changed }
    let names = try FileCalls.names(in: opened.raw)
    // What is in it could not be taken out.
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

  /// Leaves a folder that was entered last, with nothing in it visited, and gives no further visit
  /// of it.
  func skip() throws {
    guard let frame = frames.last else { return }
    _ = try leave(frame)
  }

  /// Goes up by "..", and throws `Reason.changed` where that is another folder than the one it came
  /// from.
  private func leave(_ frame: Frame) throws -> Visit {
    // A tree that was handed over open is its own root: nothing around it is looked at.
    if frames.count > 1 || root.count > 0 {
      let parent = try FileCalls.openParent(of: folder.raw)
      guard try FileCalls.status(of: parent.raw).identity == frame.parent else {
        throw Reason.changed
      }
      folder = parent
    }
    frames.removeLast()
    // The visited folder's own path stands until the next step.
    itemPathLength = frame.outerLength
    return .left(frame.name, frame.stamp)
  }
}
