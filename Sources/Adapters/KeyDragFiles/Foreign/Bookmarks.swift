import KeyDragCore
import SystemPackage

/// The folders that file managers list beside the one that they show, by the names that they show.
///
/// The person's home, the folders of its desktop (`user-dirs.dirs` of xdg-user-dirs) and its bookmarks,
/// which programs of GTK and of Qt share: a line each, a URI and perhaps a name. May block.
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

  /// The one folder that is shown so; `nil` where there is none, or two.
  func folder(called name: String) -> FilePath? {
    guard !name.isEmpty else { return nil }
    var found: [FileIdentity: FilePath] = [:]
    for (shown, folder) in listed where shown == name {
      if let stamp = FolderGuess.folder(folder) { found[stamp.identity] = folder }
    }
    return found.count == 1 ? found.first?.value : nil
  }

  private var listed: [(name: String, folder: FilePath)] {
    let folders = [home] + desktopFolders
    return folders.compactMap { folder in Self.name(of: folder).map { ($0, folder) } } + bookmarks
  }

  private static func name(of folder: FilePath) -> String? {
    (folder.lastComponent?.bytes).map { ToldNames.told(String(decoding: $0, as: UTF8.self)) }
  }

  /// Lines such as `XDG_DOCUMENTS_DIR="$HOME/Documents"`; the desktop has a place also without one.
  private var desktopFolders: [FilePath] {
    let start = "$HOME/"
    let named = lines(of: "user-dirs.dirs").compactMap { line -> FilePath? in
      guard line.hasPrefix("XDG_"), let equals = line.firstIndex(of: "="),
        line[..<equals].hasSuffix("_DIR")
      else { return nil }
      let value = line[line.index(after: equals)...]
      guard value.count > 2, value.first == "\"", value.last == "\"" else { return nil }
      let path = value.dropFirst().dropLast()
      if path.hasPrefix("/") { return FilePath(String(path)) }
      guard path.hasPrefix(start) else { return nil }
      return home.appending(bytes: Array(path.dropFirst(start.utf8.count).utf8))
    }
    return named.isEmpty ? [home.appending("Desktop")] : named
  }

  private var bookmarks: [(name: String, folder: FilePath)] {
    lines(of: "gtk-3.0/bookmarks").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      guard let address = parts.first, let folder = FileList.path(String(address)) else {
        return nil
      }
      let given = parts.dropFirst().first.map { ToldNames.told(String($0)) } ?? ""
      return (given.isEmpty ? Self.name(of: folder) : given).map { ($0, folder) }
    }
  }

  private func lines(of file: String) -> [Substring] {
    let path = configuration.appending(bytes: Array(file.utf8))
    let bytes = FileCalls.head(of: path, most: Self.most, head: Self.most)?.bytes ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}
