import KeyDragCore
import SystemPackage

/// Sidebar folders of file managers, by their displayed names.
///
/// Home and desktop (`user-dirs.dirs` of xdg-user-dirs), the bookmarks shared by GTK and Qt
/// programs, and removable media; then the other user directories and KDE's bookmarks. May block.
///
/// Skips invalid lines. Caches nothing: the user may change a bookmark at any time.
struct Bookmarks {
  /// Absolute.
  var home = StandardFolders.home
  /// `$XDG_CONFIG_HOME`.
  var configuration = StandardFolders.configuration
  /// `$XDG_DATA_HOME`.
  var data = StandardFolders.data
  /// The mount table in the format of proc(5), mountinfo.
  var mounts: FilePath = "/proc/self/mountinfo"
  /// Mount points of removable media, directly or in a folder per user (udisks2).
  var media: [FilePath] = ["/run/media", "/media"]

  /// A sidebar row; its folder is `nil` if it is on another computer.
  private struct Listed {
    /// As ``DisplayedNames/told(_:)`` returns it, so that it compares with a window's names.
    var name: String
    var folder: FilePath?
    var isMedium = false
  }

  /// Limit on lines read of `mounts`.
  private static let mostMedia = 256
  /// In bytes; larger files are ignored.
  private static let most = 256 << 10

  /// The folder with this displayed name; `nil` if there is none. Checks that folder on disk.
  ///
  /// - Parameter bookmark: selects among rows of the same name. Usable only if there are as many as
  ///   are shown, since they are then in the order listed.
  func folder(called name: String, _ bookmark: DisplayedFolder.Bookmark = .init()) -> FilePath? {
    guard !name.isEmpty else { return nil }
    let named = listed.filter { $0.name == name }
    // User-defined names take precedence over default ones.
    if !named.isEmpty { return folder(among: named, bookmark) }
    return bookmark.count == 1 ? folder(among: offered.filter { $0.name == name }, bookmark) : nil
  }

  /// The folder selected among those of one name, without duplicates; `nil` if any is on another
  /// computer or the count differs.
  private func folder(
    among named: [Listed], _ bookmark: DisplayedFolder.Bookmark
  ) -> FilePath? {
    var found: [FilePath] = []
    var identities: Set<FileIdentity> = []
    var isMedium: Set<Bool> = []
    // Checks matching folders only: a network disk may hang.
    for listed in named {
      // A folder on another computer may be meant as well.
      guard let folder = listed.folder else { return nil }
      guard let stamp = FolderResolver.folder(folder), identities.insert(stamp.identity).inserted
      else { continue }
      found.append(folder)
      isMedium.insert(listed.isMedium)
    }
    // Programs differ in whether media come before bookmarks.
    guard isMedium.count < 2 else { return nil }
    return found.count == bookmark.count && found.indices.contains(bookmark.index)
      ? found[bookmark.index] : nil
  }

  static func nameOfFolder(around folder: FilePath) -> String? {
    name(of: folder.folder)
  }

  /// By their own names; skips the root.
  private static func named(_ folders: [FilePath], isMedium: Bool = false) -> [Listed] {
    folders.compactMap { folder in
      name(of: folder).map { Listed(name: $0, folder: folder, isMedium: isMedium) }
    }
  }

  private var listed: [Listed] {
    Self.named([home, desktop]) + bookmarks + Self.named(mountedMedia, isMedium: true)
  }

  /// Default sidebar folders; programs may use one name for different folders.
  private var offered: [Listed] {
    Self.named(userFolders) + placesOfKDE
      + HomeNames.all.map { Listed(name: DisplayedNames.told($0), folder: home) }
  }

  /// KDE's bookmarks (desktop bookmark specification, XBEL); empty without the file.
  private var placesOfKDE: [Listed] {
    XBELPlaces(text(of: data.appending(bytes: Array("user-places.xbel".utf8)))).places.map {
      Listed(name: DisplayedNames.told($0.title), folder: FileList.path($0.address))
    }
  }

  /// Mounted media only: skips folders left behind when a medium was removed.
  private var mountedMedia: [FilePath] {
    let marks = media.map { " \($0.string)/" }
    return ((try? Mounts.points(in: mounts, with: marks, most: Self.mostMedia)) ?? []).filter {
      path in
      let around = path.folder
      return media.contains { $0 == around || $0 == around.folder }
    }
  }

  private static func name(of folder: FilePath) -> String? {
    (folder.lastComponent?.bytes).map { DisplayedNames.told(String(decoding: $0, as: UTF8.self)) }
  }

  /// From a line such as `XDG_DESKTOP_DIR="$HOME/Desktop"`, the last one if there are several;
  /// `$HOME/Desktop` without one. The folder need not exist.
  var desktop: FilePath {
    let setting = "XDG_DESKTOP_DIR="
    let line = lines(of: "user-dirs.dirs").last { $0.hasPrefix(setting) }
    let path = line?.dropFirst(setting.count).filter { $0 != "\"" } ?? "$HOME/Desktop"
    guard path.hasPrefix("$HOME/") else { return FilePath(path) }
    return home.appending(bytes: Array(path.dropFirst("$HOME/".count).utf8))
  }

  /// Bookmarks, user directories and removable media with names. Unchecked: any of them may be
  /// gone.
  var places: [(name: String, folder: FilePath)] {
    (bookmarks + Self.named(userFolders + mountedMedia)).compactMap { listed in
      listed.folder.map { (listed.name, $0) }
    }
  }

  /// From lines such as `XDG_MUSIC_DIR="$HOME/Music"`; skips one that is home itself, which
  /// disables it.
  private var userFolders: [FilePath] {
    lines(of: "user-dirs.dirs").compactMap { line in
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, parts[0].hasPrefix("XDG_"), parts[0].hasSuffix("_DIR") else {
        return nil
      }
      let path = parts[1].filter { $0 != "\"" }
      guard path.hasPrefix("$HOME/") else { return path.hasPrefix("/") ? FilePath(path) : nil }
      let rest = path.dropFirst("$HOME/".count)
      return rest.isEmpty ? nil : home.appending(bytes: Array(rest.utf8))
    }
  }

  /// From `gtk-3.0/bookmarks`: a URI and an optional name, separated by a space.
  private var bookmarks: [Listed] {
    lines(of: "gtk-3.0/bookmarks").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      guard let address = parts.first else { return nil }
      let folder = FileList.path(String(address))
      let given = parts.dropFirst().first.map { DisplayedNames.told(String($0)) } ?? ""
      return (given.isEmpty ? folder.flatMap(Self.name) : given).map {
        Listed(name: $0, folder: folder)
      }
    }
  }

  /// Lines of a file in the configuration folder; empty if it is missing or too large.
  private func lines(of file: String) -> [Substring] {
    text(of: configuration.appending(bytes: Array(file.utf8))).split(separator: "\n")
  }

  private func text(of path: FilePath) -> String {
    let bytes = FileCalls.head(of: path, most: Self.most, head: Self.most)?.bytes ?? []
    return String(decoding: bytes, as: UTF8.self)
  }
}
