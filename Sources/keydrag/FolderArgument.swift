import Glibc
import KeyDragCore
import SystemPackage

/// A folder named on the command line.
enum FolderArgument {
  /// The folder as a path, when it is one and can be entered; `isRead` when its names are needed too.
  static func checked(_ name: String, isRead: Bool = false) throws(CommandError) -> FilePath {
    var information = stat()
    let shown = SpokenName.clean(name)
    guard stat(name, &information) == 0 else {
      let reason = Reason(errno: errno)
      guard reason == .gone else { throw .file(name, reason, what: "The folder") }
      throw CommandError(
        description: "There is no folder \(shown).\(NearNames.hint(for: name, foldersOnly: true))",
        status: .noInput)
    }
    guard information.st_mode & S_IFMT == S_IFDIR else {
      throw CommandError(
        description: "\(shown) is not a folder. Give the folder that it is in.",
        status: .noInput)
    }
    guard access(name, isRead ? R_OK | X_OK : X_OK) == 0 else {
      throw .file(name, .notPermitted, what: "The folder")
    }
    return FilePath(name)
  }
}

/// Finds the name somebody may have meant.
enum NearNames {
  /// " The nearest is Inbox.", or nothing.
  static func hint(for path: String, foldersOnly: Bool = false) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    guard let wanted = parts.last else { return "" }
    let parent = (path.hasPrefix("/") ? "/" : "") + parts.dropLast().joined(separator: "/")
    guard let folder = opendir(parent.isEmpty ? "." : parent) else { return "" }
    defer { closedir(folder) }
    var names: [String] = []
    while names.count < 10_000, let entry = readdir(folder) {
      let type = Int(entry.pointee.d_type)
      if foldersOnly, type != Int(DT_DIR), type != Int(DT_LNK) { continue }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    guard let nearest = Nearest.name(to: String(wanted), among: names) else { return "" }
    return " The nearest is \(SpokenName.clean(nearest))."
  }
}
