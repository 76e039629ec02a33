import Foundation

/// A snapshot of the home of a case, without the files that programs keep for themselves.
struct DirectorySnapshot {
  enum Entry: Hashable {
    case folder
    case file(Data)
    case link(String)
  }

  private(set) var entries: [String: Entry] = [:]
  /// Kinds and rights.
  private(set) var modes: [String: mode_t] = [:]
  private var changes: [String: timespec] = [:]

  private static let own: Set<String> = [
    "config", "cache", "state", "run", "bin", "log", "speech", "capture", "data", "profile",
  ]

  /// Private folders for files that last as long as a drag; an agent that is ended by force leaves its
  /// own to the next one.
  private static let temporary = "keydrag-"

  init(_ home: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: home)) ?? []
    for name in names
    where !Self.own.contains(name) && !name.hasPrefix(".") && !name.hasPrefix(Self.temporary) {
      add(name, home)
    }
    add("data/Trash/files", home)
  }

  private mutating func add(_ name: String, _ home: String) {
    let path = home + "/" + name
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    changes[name] = status.st_ctim
    modes[name] = status.st_mode
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      entries[name] = .folder
      for inner in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
        add(name + "/" + inner, home)
      }
    case S_IFLNK:
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
      entries[name] = .link(target ?? "")
    case S_IFREG:
      entries[name] = .file(FileManager.default.contents(atPath: path) ?? Data())
    default: break
    }
  }

  /// Names that are new, or whose contents or whose time of change are others.
  func changed(since before: DirectorySnapshot) -> [String] {
    entries.keys.filter { name in
      guard before.entries[name] == entries[name] else { return true }
      if case .folder? = entries[name] { return false }
      let (old, new) = (before.changes[name], changes[name])
      return old?.tv_sec != new?.tv_sec || old?.tv_nsec != new?.tv_nsec
    }.sorted()
  }

  func gone(since before: DirectorySnapshot) -> [String] {
    before.entries.keys.filter { entries[$0] == nil }.sorted()
  }

  /// Entries below a folder, by their paths from there.
  func below(_ folder: String) -> [String: Entry] {
    var found: [String: Entry] = [:]
    for (name, entry) in entries where name.hasPrefix(folder + "/") {
      found[String(name.dropFirst(folder.count + 1))] = entry
    }
    return found
  }

  /// Files that programs lay beside a document while it is open, and the empty trash.
  static func isTemporary(_ name: String) -> Bool {
    let last = name.split(separator: "/").last ?? ""
    return last.hasPrefix(".") || last.hasSuffix("~") || name == "data/Trash/files"
  }
}
