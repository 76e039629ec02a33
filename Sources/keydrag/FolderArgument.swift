import Glibc
import KeyDragCore
import KeyDragFiles
import KeyDragThreads
import SystemPackage

enum FolderArgument {
  /// The path of a folder that can be entered and, with `isRead`, read. Throws on timeout of the
  /// disk.
  static func checked(
    _ name: String, isRead: Bool = false, _ phrases: Phrasebook
  ) async throws(CommandError) -> FilePath {
    try await DiskLook.each([name], as: .folder, phrases) { name throws(CommandError) in
      try require(name, isRead, phrases)
    }
    return FilePath(argument: name)
  }

  /// Throws where the disk with the history does not answer: whatever is done would wait for it.
  static func requireHistory(_ phrases: Phrasebook) async throws(CommandError) {
    try await DiskLook.each([StandardFolders.state.string], as: .folder, phrases) { name in
      _ = access(name, F_OK)
    }
  }

  private static func require(
    _ name: String, _ isRead: Bool, _ phrases: Phrasebook
  ) throws(CommandError) {
    var information = stat()
    let shown = ArgumentText.spoken(name)
    let path = FilePath(argument: name)
    guard path.withPlatformString({ stat($0, &information) }) == 0 else {
      let reason = Reason(errno: errno)
      guard reason == .gone else { throw .file(name, reason, as: .folder, phrases) }
      throw CommandError(
        description: phrases.join(
          // A folder that was named on the command line. %1$@ is its name.
          phrases.phrase("There is no folder %1$@.", shown),
          NameSuggestions.hint(for: name, foldersOnly: true, phrases)),
        status: .noInput)
    }
    guard information.st_mode & S_IFMT == S_IFDIR else {
      throw CommandError(
        // A file was named on the command line in place of a folder. %1$@ is the file.
        description: phrases.phrase("%1$@ is not a folder. Give the folder that it is in.", shown),
        status: .noInput)
    }
    let wanted = isRead ? R_OK | X_OK : X_OK
    guard path.withPlatformString({ access($0, wanted) }) == 0 else {
      throw .file(name, .notPermitted, as: .folder, phrases)
    }
  }
}

enum FileArgument {
  /// The path that is picked up: as for cp(1), a slash behind a link means the folder it leads to.
  static func path(_ name: String) -> FilePath {
    var path = FilePath(argument: name)
    guard name.hasSuffix("/") || name.hasSuffix("/.") else { return path }
    while path.lastComponent?.kind == .currentDirectory, path.components.count > 1 {
      path.removeLastComponent()
    }
    var status = stat()
    guard
      path.withPlatformString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFLNK,
      let folder = path.withPlatformString({ realpath($0, nil) })
    else { return path }
    defer { free(folder) }
    return FilePath(platformString: folder)
  }

  /// Throws when one can't be picked up, and on timeout of the disk.
  static func require(_ names: [String], _ phrases: Phrasebook) async throws(CommandError) {
    try await DiskLook.each(names, as: .file, phrases) { name throws(CommandError) in
      try require(name, phrases)
    }
  }

  private static func require(_ name: String, _ phrases: Phrasebook) throws(CommandError) {
    var information = stat()
    let path = FilePath(argument: name)
    guard path.withPlatformString({ lstat($0, &information) }) != 0 else {
      var root = stat()
      if lstat("/", &root) == 0, root.st_dev == information.st_dev,
        root.st_ino == information.st_ino
      {
        throw .file(name, .fileRoot, as: .folder, phrases)
      }
      return
    }
    let reason = Reason(errno: errno)
    guard reason == .gone else { throw .file(name, reason, as: .file, phrases) }
    throw CommandError(
      description: phrases.join(
        // A file that was named on the command line. %1$@ is its name.
        phrases.phrase("There is no file %1$@.", ArgumentText.spoken(name)),
        NameSuggestions.hint(for: name, phrases)),
      status: .noInput)
  }
}

/// File queries with a timeout, for names on the command line: a network disk may be gone.
private enum DiskLook {
  /// Checks all, and throws for the first that is unusable or does not answer.
  static func each(
    _ names: [String], as role: CommandError.Role, _ phrases: Phrasebook,
    _ look: @escaping @Sendable (String) throws(CommandError) -> Void
  ) async throws(CommandError) {
    let answers = await CallPool<String>().values(names) { index in
      Result { () throws(CommandError) in try look(names[index]) }
    }
    for (name, found) in zip(names, answers) {
      guard let found else { throw .file(name, .notResponding, as: role, phrases) }
      try found.get()
    }
  }
}

/// Finds similar names in a folder.
enum NameSuggestions {
  /// A sentence with the nearest name; empty without one.
  static func hint(
    for path: String, foldersOnly: Bool = false, _ phrases: Phrasebook
  ) -> String {
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
      // A link of that name, which leads nowhere.
      if !name.hasPrefix("."), name != wanted { names.append(name) }
    }
    guard let nearest = Suggestions.name(to: String(wanted), among: names) else { return "" }
    // After "There is no file …" or "There is no folder …". %1$@ is a name that is nearly the same.
    return phrases.phrase("The nearest is %1$@.", SpokenName.clean(nearest))
  }
}
