import Glibc
import KeyDragCore
import SystemPackage

/// Finds the trash for a file, as the freedesktop.org trash specification 1.0 says.
///
/// A value without open files; every call looks at the disk and may block.
package struct TrashCan: Sendable {
  /// The trash in the person's home.
  let home: FilePath
  /// The number in the names of trashes.
  private let user: uid_t

  /// - Parameter home: the home trash; by default `$XDG_DATA_HOME/Trash`.
  package init(home: FilePath? = nil) {
    user = geteuid()
    self.home = home ?? StandardFolders.data.appending("Trash")
  }

  /// Why the thing at a path could not go to any trash; `nil` when it can. Changes nothing.
  ///
  /// Sees what could be tried; whether the drop succeeds may still change.
  package func canTrash(_ path: FilePath) -> Reason? {
    let path = path.absolute
    do {
      let parent = try OpenFolder(path.folder)
      _ = try FileCalls.status(path)
      if let refusal = parent.refusesChanges() { return refusal }
    } catch { return Reason(error) }
    return refusal(of: path)
  }

  /// Why things that lie in a folder could not go to any trash; `nil` when they can. Changes
  /// nothing.
  package func canTrash(anythingIn folder: FilePath) -> Reason? {
    let folder = folder.absolute
    do {
      if let refusal = try OpenFolder(folder).refusesChanges() { return refusal }
    } catch { return Reason(error) }
    return refusal(of: folder.appending("any"))
  }

  /// Why no trash would take a path whose folder lets it go.
  ///
  /// In the order in which ``slot(for:_:)`` tries them.
  private func refusal(of path: FilePath) -> Reason? {
    guard let refusal = Self.refusal(of: home) else { return nil }
    guard let top = try? topFolder(of: path) else { return refusal }
    if let shared = sharedTrash(in: top), Self.refusal(of: shared) == nil { return nil }
    let own = ownTrash(in: top)
    if (try? FileCalls.status(own)) != nil, !Self.isPrivate(own) { return refusal }
    return Self.refusal(of: own) == nil ? nil : refusal
  }

  /// The folders of trashes that another program may put a thing in. They need not exist.
  ///
  /// Home trash first.
  func possible(for path: FilePath) -> [FilePath] {
    guard let top = try? topFolder(of: path.absolute, byDevice: true) else { return [home] }
    return [home, ownTrash(in: top)] + (sharedTrash(in: top).map { [$0] } ?? [])
  }

  /// Opens the trash for a thing, and makes it where it may be made.
  ///
  /// The home trash serves its own file system; elsewhere the top folder's trash is preferred, and
  /// the home trash takes what no other can.
  ///
  /// - Parameters:
  ///   - path: absolute.
  ///   - stamp: of the thing; its device decides.
  ///   - isRenamed: whether a trash will do that others do not show, as what is put there is not copied.
  /// - Throws: `Reason.noTrash` where there is none; why that can't be known.
  func slot(
    for path: FilePath, _ stamp: FileStamp, isRenamed: Bool = false
  ) throws -> TrashSlot {
    if stamp.identity.device == Self.deviceOfNearest(home),
      let slot = try Self.unlessFailing({ try homeSlot() })
    {
      return slot
    }
    if let top = try topFolder(of: path, byDevice: isRenamed) {
      for trash in [sharedTrash(in: top), ownTrash(in: top)].compactMap(\.self) {
        let slot = try Self.unlessFailing(isLast: isRenamed) {
          try Self.makePrivate(trash) ? TrashSlot(opening: trash, top: top) : nil
        }
        if let slot { return slot }
      }
    }
    if isRenamed { throw Reason.noTrash }
    do { return try homeSlot() } catch { throw Self.reason(error) }
  }

  /// Opens the home trash.
  ///
  /// Makes what is missing of it, 0700.
  func homeSlot() throws -> TrashSlot {
    try StandardFolders.make(home)
    return try TrashSlot(opening: home, top: nil)
  }

  /// `$topdir/.Trash/$uid`, when an administrator made `.Trash` the way it has to be.
  ///
  /// By the specification the folder must not be a link and must have the sticky bit: without it,
  /// anybody could remove another's trash.
  private func sharedTrash(in top: FilePath) -> FilePath? {
    let shared = top.appending(".Trash")
    guard let stamp = try? FileCalls.status(shared), stamp.kind == .folder,
      stamp.mode & mode_t(S_ISVTX) != 0
    else { return nil }
    return shared.appending("\(user)")
  }

  /// `$topdir/.Trash-$uid`, which the specification has programs make for themselves.
  private func ownTrash(in top: FilePath) -> FilePath { top.appending(".Trash-\(user)") }

  /// Makes a trash folder for its owner alone, or answers whether what is there is one.
  private static func makePrivate(_ trash: FilePath) throws -> Bool {
    if trash.withPlatformString({ mkdir($0, 0o700) }) == 0 { return true }
    let error = Errno(rawValue: errno)
    if Reason.isPassing(error) || Reason(error) == .noSpace { throw error }
    return isPrivate(trash)
  }

  /// A link, or somebody else's folder, would carry files to where others read them.
  private static func isPrivate(_ trash: FilePath) -> Bool {
    guard let stamp = try? FileCalls.status(trash) else { return false }
    return stamp.kind == .folder && stamp.owner == geteuid()
  }

  /// A disk that fails is not without a trash: nobody may be asked to delete for good because of it.
  private static func reason(_ error: any Error) -> Reason {
    Reason.isPassing(error) ? Reason(error) : .noTrash
  }

  /// `nil` where one can't be had, for which another does.
  ///
  /// - Parameter isLast: whether no other would: then a full disk is told as that.
  private static func unlessFailing<Value>(
    isLast: Bool = false, _ body: () throws -> Value?
  ) throws -> Value? {
    do { return try body() } catch {
      if Reason.isPassing(error) || isLast && Reason(error) == .noSpace { throw error }
      return nil
    }
  }

  /// Why there can't be a trash at a path.
  ///
  /// `nil` where the nearest folder that is there lets us make it.
  private static func refusal(of trash: FilePath) -> Reason? {
    var nearest = trash
    while true {
      do {
        _ = try FileCalls.status(nearest)
        return try OpenFolder(nearest).refusesChanges().map(reason)
      } catch Errno.noSuchFileOrDirectory where nearest.goUp() {
        continue
      } catch { return reason(error) }
    }
  }

  /// The device that a path would lie on once it is made.
  private static func deviceOfNearest(_ path: FilePath) -> UInt64? {
    var nearest = path
    while true {
      if let stamp = try? FileCalls.status(nearest) { return stamp.identity.device }
      guard nearest.goUp() else { return nil }
    }
  }

  /// The mount point that a path lies below, wherever links on its way lead. `nil` when one of the
  /// folders can't be looked at: a trash would come to stand in the middle of the disk; and where the
  /// mount point has another device number, as that of a subvolume of Btrfs has: nothing can be renamed
  /// into its trash.
  ///
  /// - Parameters:
  ///   - path: absolute.
  ///   - byDevice: whether a subvolume counts as a mount of its own, as GIO takes it.
  private func topFolder(of path: FilePath, byDevice: Bool = false) throws -> FilePath? {
    guard var top = path.folder.withoutLinks,
      let device = try Self.unlessFailing({ try OpenFolder(top) })?.stamp.identity.device
    else { return nil }
    while let name = top.name {
      let above = top.folder
      guard let folder = try Self.unlessFailing({ try OpenFolder(above) }) else { return nil }
      if FileCalls.isMountPoint(folder.raw, name) { return top }
      if folder.stamp.identity.device != device { return byDevice ? top : nil }
      top = above
    }
    return top
  }
}
