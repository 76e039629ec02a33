import KeyDragCore
import SystemPackage

/// The folders that file managers list beside the one that they show, by the names that they show.
///
/// The person's home and desktop (`user-dirs.dirs` of xdg-user-dirs), and the bookmarks, which programs
/// of GTK and of Qt share: a line each, a URI and perhaps a name. May block.
struct Bookmarks {
  private let home: FilePath
  private let configuration: FilePath

  /// Longer files are read by nobody.
  private static let most = 256 << 10

  /// - Parameters:
  ///   - home: the person's home folder.
  ///   - configuration: by default `$XDG_CONFIG_HOME`.
  init(
    home: FilePath = StandardFolders.home,
    configuration: FilePath = StandardFolders.configuration
  ) {
    (self.home, self.configuration) = (home, configuration)
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
    [home, desktop].compactMap { folder in Self.name(of: folder).map { ($0, folder) } } + bookmarks
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
