import KeyDragCore
import SystemPackage

/// The folders that file managers list beside the one that they show, by the names that they show.
///
/// The person's home and desktop (`user-dirs.dirs` of xdg-user-dirs), the bookmarks, which programs
/// of GTK and of Qt share: a line each, a URI and perhaps a name, and the sticks and disks that
/// were put in; then the person's other folders, such as that for music, and the bookmarks of KDE.
/// May block.
///
/// Lines that can't be read are left out. Nothing is kept between two questions: the person may
/// change a bookmark at any time.
struct Bookmarks {
  /// Absolute.
  private let home: FilePath
  private let configuration: FilePath
  private let data: FilePath
  private let mounts: FilePath
  private let media: [FilePath]

  /// A folder that is shown so; `nil` where it is not on this computer.
  ///
  /// One line of such a list.
  private struct Listed {
    /// As ``ToldNames/told(_:)`` gives it, so that it compares with what a window shows.
    var name: String
    var folder: FilePath?
    /// Whether it is a stick or a disk that was put in.
    var isMedium = false
  }

  /// More sticks and disks are not known.
  ///
  /// Lines of `mounts` that are looked at.
  private static let mostMedia = 256
  /// Longer files are read by nobody.
  ///
  /// 256 KiB.
  private static let most = 256 << 10

  /// - Parameters:
  ///   - home: the person's home folder.
  ///   - configuration: by default `$XDG_CONFIG_HOME`.
  ///   - data: by default `$XDG_DATA_HOME`.
  ///   - mounts: tells what is mounted where, as proc(5) describes it.
  ///   - media: where what is put in is mounted, by itself or in a folder for each person
  ///     (udisks2).
  init(
    home: FilePath = StandardFolders.home,
    configuration: FilePath = StandardFolders.configuration,
    data: FilePath = StandardFolders.data,
    mounts: FilePath = "/proc/self/mountinfo", media: [FilePath] = ["/run/media", "/media"]
  ) {
    (self.home, self.configuration, self.data) = (home, configuration, data)
    (self.mounts, self.media) = (mounts, media)
  }

  /// The folder that is shown so; `nil` where there is none.
  ///
  /// May look at the disk of the folder that is meant.
  ///
  /// - Parameter bookmark: which one of those that are shown with the name: where there are as
  ///   many, they are shown in the order in which they are listed. Of others nobody knows which is
  ///   which.
  func folder(called name: String, _ bookmark: ShownFolder.Bookmark = .init()) -> FilePath? {
    guard !name.isEmpty else { return nil }
    let named = listed.filter { $0.name == name }
    // A name has one owner: what the person has given it to comes before what is there anyway.
    if !named.isEmpty { return folder(among: named, bookmark) }
    return bookmark.count == 1 ? folder(among: offered.filter { $0.name == name }, bookmark) : nil
  }

  /// The folder meant among those of one name, each folder once; `nil` where any is on another
  /// computer or a count differs.
  private func folder(
    among named: [Listed], _ bookmark: ShownFolder.Bookmark
  ) -> FilePath? {
    var found: [FilePath] = []
    var identities: Set<FileIdentity> = []
    var isMedium: Set<Bool> = []
    // Only what is meant is looked at: a disk in a network may hang.
    for listed in named {
      // A name that leads to another computer may be meant as well.
      guard let folder = listed.folder else { return nil }
      guard let stamp = FolderGuess.folder(folder), identities.insert(stamp.identity).inserted
      else { continue }
      found.append(folder)
      isMedium.insert(listed.isMedium)
    }
    // Some programs show sticks above bookmarks, and others below.
    guard isMedium.count < 2 else { return nil }
    return found.count == bookmark.count && found.indices.contains(bookmark.index)
      ? found[bookmark.index] : nil
  }

  /// The name of the folder that a folder lies in, as people are told it.
  static func nameOfFolder(around folder: FilePath) -> String? {
    name(of: folder.folder)
  }

  /// By their own names; the root has none.
  private static func named(_ folders: [FilePath], isMedium: Bool = false) -> [Listed] {
    folders.compactMap { folder in
      name(of: folder).map { Listed(name: $0, folder: folder, isMedium: isMedium) }
    }
  }

  /// Home and desktop, bookmarks, then what was put in.
  private var listed: [Listed] {
    Self.named([home, desktop]) + bookmarks + Self.named(mountedMedia, isMedium: true)
  }

  /// Folders that file managers list by themselves; two programs may mean two folders by one name.
  private var offered: [Listed] {
    Self.named(userFolders) + placesOfKDE
      + HomeNames.all.map { Listed(name: ToldNames.told($0), folder: home) }
  }

  /// The file of the desktop bookmark specification (XBEL) that programs of KDE share.
  ///
  /// Empty without the file.
  private var placesOfKDE: [Listed] {
    XBELPlaces(text(of: data.appending(bytes: Array("user-places.xbel".utf8)))).places.map {
      Listed(name: ToldNames.told($0.title), folder: FileList.path($0.address))
    }
  }

  /// A folder that was left behind when its stick was pulled out is none.
  private var mountedMedia: [FilePath] {
    let marks = media.map { " \($0.string)/" }
    return ((try? Mounts.points(in: mounts, with: marks, most: Self.mostMedia)) ?? []).filter {
      path in
      let around = path.folder
      return media.contains { $0 == around || $0 == around.folder }
    }
  }

  /// `nil` for the root.
  private static func name(of folder: FilePath) -> String? {
    (folder.lastComponent?.bytes).map { ToldNames.told(String(decoding: $0, as: UTF8.self)) }
  }

  /// By a line such as `XDG_DESKTOP_DIR="$HOME/Desktop"`, also without one.
  ///
  /// The last such line counts. Never `nil`: the folder need not be there.
  var desktop: FilePath {
    let setting = "XDG_DESKTOP_DIR="
    let line = lines(of: "user-dirs.dirs").last { $0.hasPrefix(setting) }
    let path = line?.dropFirst(setting.count).filter { $0 != "\"" } ?? "$HOME/Desktop"
    guard path.hasPrefix("$HOME/") else { return FilePath(path) }
    return home.appending(bytes: Array(path.dropFirst("$HOME/".count).utf8))
  }

  /// The bookmarks, the person's folders and the sticks and disks, as places with names.
  ///
  /// Not looked at: any of them may be gone.
  var places: [(name: String, folder: FilePath)] {
    (bookmarks + Self.named(userFolders + mountedMedia)).compactMap { listed in
      listed.folder.map { (listed.name, $0) }
    }
  }

  /// By lines such as `XDG_MUSIC_DIR="$HOME/Music"`; one that is home itself is not to be had.
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

  /// The file `gtk-3.0/bookmarks`: a URI, a blank and a name that the person gave, if any.
  private var bookmarks: [Listed] {
    lines(of: "gtk-3.0/bookmarks").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      guard let address = parts.first else { return nil }
      let folder = FileList.path(String(address))
      let given = parts.dropFirst().first.map { ToldNames.told(String($0)) } ?? ""
      return (given.isEmpty ? folder.flatMap(Self.name) : given).map {
        Listed(name: $0, folder: folder)
      }
    }
  }

  /// Of a file in the configuration folder; none where it is missing or too long.
  private func lines(of file: String) -> [Substring] {
    text(of: configuration.appending(bytes: Array(file.utf8))).split(separator: "\n")
  }

  private func text(of path: FilePath) -> String {
    let bytes = FileCalls.head(of: path, most: Self.most, head: Self.most)?.bytes ?? []
    return String(decoding: bytes, as: UTF8.self)
  }
}
