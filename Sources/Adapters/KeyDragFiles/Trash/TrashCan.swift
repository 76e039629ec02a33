import Glibc
import KeyDragCore
import SystemPackage

/// Finds the trash for a file (freedesktop.org trash specification 1.0). Holds no open files; every
/// call reads the disk and may block.
package struct TrashCan: Sendable {
  let home: FilePath
  /// The user id in the names of trashes outside home.
  private let user: uid_t

  /// - Parameter home: by default `$XDG_DATA_HOME/Trash`.
  package init(home: FilePath? = nil) {
    user = geteuid()
    self.home = home ?? StandardFolders.data.appending("Trash")
  }

  /// Why a path can't be trashed; `nil` if it can. Changes nothing; the drop may still fail.
  package func canTrash(_ path: FilePath) -> Reason? {
    let path = path.absolute
    do {
      let parent = try OpenFolder(path.folder)
      _ = try FileCalls.status(path)
      if let refusal = parent.refusesChanges() { return refusal }
    } catch { return Reason(error) }
    return refusal(of: path)
  }

  /// Why a folder's contents can't be trashed; `nil` if they can. Changes nothing.
  package func canTrash(anythingIn folder: FilePath) -> Reason? {
    let folder = folder.absolute
    do {
      if let refusal = try OpenFolder(folder).refusesChanges() { return refusal }
    } catch { return Reason(error) }
    return refusal(of: folder.appending("any"))
  }

  /// Why no trash accepts a path whose folder allows removal. Tries the same order as
  /// ``slot(for:_:)``.
  private func refusal(of path: FilePath) -> Reason? {
    guard let refusal = Self.refusal(of: home) else { return nil }
    return (try? topFolder(of: path)).map(hasTrash) == true ? nil : refusal
  }

  /// Whether an item of a folder can be replaced: it is renamed into a trash, which must be on the same
  /// file system. Changes nothing.
  func canReplace(in folder: FilePath) -> Bool {
    let path = folder.absolute.appending("any")
    let device = (try? FileCalls.status(path.folder.appending(".")))?.identity.device
    if device == Self.deviceOfNearest(home), Self.refusal(of: home) == nil { return true }
    return (try? topFolder(of: path, byDevice: true)).map(hasTrash) == true
  }

  /// Whether a mount has a trash, or one can be made there.
  private func hasTrash(at top: FilePath) -> Bool {
    if let shared = sharedTrash(in: top), Self.refusal(of: shared) == nil { return true }
    let own = ownTrash(in: top)
    if (try? FileCalls.status(own)) != nil, (try? Self.isPrivate(own)) == false { return false }
    return Self.refusal(of: own) == nil
  }

  /// Trash folders that another program may use for a path, home trash first. They need not exist.
  func possible(for path: FilePath) -> [FilePath] {
    guard let top = try? topFolder(of: path.absolute, byDevice: true) else { return [home] }
    return [home, ownTrash(in: top)] + (sharedTrash(in: top).map { [$0] } ?? [])
  }

  /// Opens the trash for a file, creating it if necessary.
  ///
  /// The home trash serves its own file system. Elsewhere the mount's own trash is preferred, and
  /// the home trash is the fallback.
  ///
  /// - Parameters:
  ///   - path: absolute.
  ///   - stamp: of the thing; its device decides.
  ///   - isRenamed: whether a trash will do that others do not show, as what is put there is not copied.
  /// - Throws: `Reason.noTrash` or `Reason.oldHasNoTrash` where there is none; why that can't be known.
  func slot(
    for path: FilePath, _ stamp: FileStamp, isRenamed: Bool = false
  ) throws -> TrashSlot {
    if stamp.identity.device == Self.deviceOfNearest(home),
      let slot = try Self.ifUsable({ try homeSlot() })
    {
      return slot
    }
    if let top = try topFolder(of: path, byDevice: isRenamed) {
      for trash in [sharedTrash(in: top), ownTrash(in: top)].compactMap(\.self) {
        let slot = try Self.ifUsable(isLast: isRenamed) {
          try Self.makePrivate(trash) ? TrashSlot(opening: trash, top: top) : nil
        }
        if let slot { return slot }
      }
    }
    if isRenamed { throw Reason.oldHasNoTrash }
    do { return try homeSlot() } catch { throw Self.reason(error) }
  }

  /// Opens the home trash, creating missing folders with 0700.
  func homeSlot() throws -> TrashSlot {
    try StandardFolders.make(home)
    return try TrashSlot(opening: home, top: nil)
  }

  /// `$topdir/.Trash/$uid`, if an administrator has set up `.Trash` correctly.
  ///
  /// The specification demands a folder that is no link and has the sticky bit: without it, anybody
  /// could remove another user's trash.
  private func sharedTrash(in top: FilePath) -> FilePath? {
    let shared = top.appending(".Trash")
    guard let stamp = try? FileCalls.status(shared), stamp.kind == .folder,
      stamp.mode & mode_t(S_ISVTX) != 0
    else { return nil }
    return shared.appending("\(user)")
  }

  /// `$topdir/.Trash-$uid`, which programs create themselves.
  private func ownTrash(in top: FilePath) -> FilePath { top.appending(".Trash-\(user)") }

  /// Creates a trash folder, 0700. For an existing one, returns whether it is private.
  private static func makePrivate(_ trash: FilePath) throws -> Bool {
    if trash.withPlatformString({ mkdir($0, 0o700) }) == 0 { return true }
    let error = Errno(rawValue: errno)
    if Reason.isPassing(error) || Reason(error) == .noSpace { throw error }
    return try isPrivate(trash)
  }

  /// A link or another user's folder would expose the files.
  ///
  /// - Throws: where a failing disk keeps that from being known.
  private static func isPrivate(_ trash: FilePath) throws -> Bool {
    do {
      let stamp = try FileCalls.status(trash)
      return stamp.kind == .folder && stamp.owner == geteuid()
    } catch {
      if Reason.isPassing(error) { throw error }
      return false
    }
  }

  /// A failing disk does not count as "no trash": the user must not be asked to delete permanently
  /// because of it.
  private static func reason(_ error: any Error) -> Reason {
    Reason.isPassing(error) ? Reason(error) : .noTrash
  }

  /// `nil` where one can't be had, for which another does.
  ///
  /// - Parameter isLast: whether no other would: then a full disk is told as that.
  private static func ifUsable<Value>(
    isLast: Bool = false, _ body: () throws -> Value?
  ) throws -> Value? {
    do { return try body() } catch {
      if Reason.isPassing(error) || isLast && Reason(error) == .noSpace { throw error }
      return nil
    }
  }

  /// Why no trash can be made at a path; `nil` if its nearest existing ancestor allows it.
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

  /// The device of the nearest existing ancestor.
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
      let device = try Self.ifUsable({ try OpenFolder(top) })?.stamp.identity.device
    else { return nil }
    while let name = top.name {
      let above = top.folder
      guard let folder = try Self.ifUsable({ try OpenFolder(above) }) else { return nil }
      if FileCalls.isMountPoint(folder.raw, name) { return top }
      if folder.stamp.identity.device != device { return byDevice ? top : nil }
      top = above
    }
    return top
  }
}
