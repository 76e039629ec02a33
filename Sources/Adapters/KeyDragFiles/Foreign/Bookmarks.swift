import KeyDragCore
import SystemPackage

/// The folders that file managers list beside the one that they show, by the names that they show.
///
/// The person's home and desktop (`user-dirs.dirs` of xdg-user-dirs), the bookmarks, which programs of
/// GTK and of Qt share: a line each, a URI and perhaps a name, and the sticks and disks that were put
/// in. May block.
struct Bookmarks {
  private let home: FilePath
  private let configuration: FilePath
  private let media: [FilePath]

  /// Longer files are read by nobody.
  private static let most = 256 << 10

  /// - Parameters:
  ///   - home: the person's home folder.
  ///   - configuration: by default `$XDG_CONFIG_HOME`.
  ///   - media: where what is put in is mounted, by itself or in a folder for each person (udisks2).
  init(
    home: FilePath = StandardFolders.home,
    configuration: FilePath = StandardFolders.configuration,
    media: [FilePath] = ["/run/media", "/media"]
  ) {
    (self.home, self.configuration, self.media) = (home, configuration, media)
  }

  /// The folder that is shown so; `nil` where there is none.
  ///
  /// - Parameter bookmark: which one of those that are shown with the name: where there are as many,
  ///   they are shown in the order in which they are listed. Of others nobody knows which is which.
  func folder(called name: String, _ bookmark: ShownFolder.Bookmark = .init()) -> FilePath? {
    guard !name.isEmpty else { return nil }
    var found: [FilePath] = []
    var identities: Set<FileIdentity> = []
    for (shown, folder) in listed where shown == name {
      // What leads to another computer may be meant as well.
      guard let folder else { return nil }
      guard let stamp = FolderGuess.folder(folder), identities.insert(stamp.identity).inserted
      else { continue }
      found.append(folder)
    }
    return found.count == bookmark.count && found.indices.contains(bookmark.index)
      ? found[bookmark.index] : nil
  }

  /// What the folder is called that a folder lies in, as people are told it.
  static func nameOfFolder(around folder: FilePath) -> String? {
    name(of: folder.removingLastComponent())
  }

  /// The folder is `nil` where it is not on this computer.
  private var listed: [(name: String, folder: FilePath?)] {
    func named(_ folders: [FilePath]) -> [(name: String, folder: FilePath?)] {
      folders.compactMap { folder in Self.name(of: folder).map { ($0, folder) } }
    }
    return named([home, desktop]) + bookmarks
      + named(media.flatMap { Self.mounted(in: $0, depth: 2) })
  }

  /// More folders in one of those for media are not looked at.
  private static let mostMedia = 256

  /// What is mounted in a folder, or in one in it: it is on another device than what is around it. A
  /// folder that was left behind when its stick was pulled out is none.
  private static func mounted(in folder: FilePath, depth: Int) -> [FilePath] {
    guard depth > 0, let own = FolderGuess.folder(folder), let open = try? OpenFolder(folder),
      let names = try? FileCalls.names(in: open.raw)
    else { return [] }
    let sorted = names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    return sorted.prefix(mostMedia).flatMap { name -> [FilePath] in
      let path = folder.appending(name)
      guard let stamp = try? FileCalls.status(path), stamp.kind == .folder else { return [] }
      return stamp.identity.device != own.identity.device
        ? [path] : mounted(in: path, depth: depth - 1)
    }
  }

  private static func name(of folder: FilePath) -> String? {
    (folder.lastComponent?.bytes).map { ToldNames.told(String(decoding: $0, as: UTF8.self)) }
  }

  /// By a line such as `XDG_DESKTOP_DIR="$HOME/Desktop"`, also without one.
  private var desktop: FilePath {
    let setting = "XDG_DESKTOP_DIR="
    let line = lines(of: "user-dirs.dirs").last { $0.hasPrefix(setting) }
    let path = line?.dropFirst(setting.count).filter { $0 != "\"" } ?? "$HOME/Desktop"
    guard path.hasPrefix("$HOME/") else { return FilePath(path) }
    return home.appending(bytes: Array(path.dropFirst("$HOME/".count).utf8))
  }

  private var bookmarks: [(name: String, folder: FilePath?)] {
    lines(of: "gtk-3.0/bookmarks").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      guard let address = parts.first else { return nil }
      let folder = FileList.path(String(address))
      let given = parts.dropFirst().first.map { ToldNames.told(String($0)) } ?? ""
      return (given.isEmpty ? folder.flatMap(Self.name) : given).map { ($0, folder) }
    }
  }

  private func lines(of file: String) -> [Substring] {
    let path = configuration.appending(bytes: Array(file.utf8))
    let bytes = FileCalls.head(of: path, most: Self.most, head: Self.most)?.bytes ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}
