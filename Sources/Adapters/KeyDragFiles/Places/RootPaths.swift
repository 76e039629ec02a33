import Glibc
import KeyDragCore
import SystemPackage

/// A folder the program was started with.
///
/// Fixed at the start of the program.
struct Root: Equatable, Sendable {
  /// Absolute, without "." and "..".
  var path: FilePath
  /// The same folder with every symbolic link followed; `path` when it can't be reached.
  var resolved: FilePath
  /// Safe to speak, and no other root's.
  var name: String
  /// The index of the outermost root that contains it; its own when there is none.
  var tree: Int
}

/// Makes roots of the folders given on a command line.
enum RootPaths {
  /// The folders in order, each once, with names and trees; may block on their file systems.
  ///
  /// Two paths to one folder count once, the first one.
  static func roots(_ folders: [FilePath]) -> [Root] {
    let working = workingFolder()
    let paths = folders.map { folder -> (path: FilePath, resolved: FilePath) in
      let path = absolute(folder, in: working)
      return (path, resolve(path) ?? path)
    }
    return roots(of: paths)
  }

  /// The pure half of ``roots(_:)``: which are the same, which contain which, what each is called.
  ///
  /// A root inside another shares its tree, so that the default between them is to move.
  static func roots(of paths: [(path: FilePath, resolved: FilePath)]) -> [Root] {
    var roots: [Root] = []
    for (path, resolved) in paths where !roots.contains(where: { $0.resolved == resolved }) {
      roots.append(Root(path: path, resolved: resolved, name: "", tree: roots.count))
    }
    let names = names(of: roots.map(\.path))
    for index in roots.indices {
      roots[index].name = names[index]
      let containing = roots.indices.filter {
        roots[index].resolved.starts(with: roots[$0].resolved)
      }
      let outermost = containing.min {
        roots[$0].resolved.components.count < roots[$1].resolved.components.count
      }
      roots[index].tree = outermost ?? index
    }
    return roots
  }

  /// The last name of each path; where several are equal, with the nearest folder that differs, in no
  /// language: "Docs (ann)".
  ///
  /// Safe to speak; numbered where no folder above differs.
  static func names(of paths: [FilePath]) -> [String] {
    let last = paths.map { component(of: $0, above: 0) }
    return paths.indices.map { index in
      let same = paths.indices.filter { last[$0] == last[index] }
      guard same.count > 1 else { return last[index] }
      let longest = same.map { paths[$0].components.count }.max() ?? 0
      for level in stride(from: 1, to: longest, by: 1) {
        let above = same.map { component(of: paths[$0], above: level) }
        guard Set(above).count == same.count else { continue }
        return "\(last[index]) (\(component(of: paths[index], above: level)))"
      }
      return "\(last[index]) \((same.firstIndex(of: index) ?? 0) + 1)"
    }
  }

  /// A path as it is meant where the program was started.
  static func absolute(_ path: FilePath) -> FilePath { absolute(path, in: workingFolder()) }

  /// A path from the file system's root on, without "." and without "..".
  ///
  /// May block where the path holds "..".
  static func absolute(_ folder: FilePath, in working: FilePath) -> FilePath {
    let full = folder.isAbsolute ? folder : working.pushing(folder)
    if full.isStraight { return full }
    let components = full.components.filter { $0.kind != .currentDirectory }
    let path = FilePath(root: full.root, components)
    guard components.contains(where: { $0.kind == .parentDirectory }) else { return path }
    // ".." after a symbolic link is not the folder before it: only the file system knows.
    return resolve(path) ?? path.lexicallyNormalized()
  }

  /// The path with every symbolic link followed; `nil` when it leads nowhere.
  static func resolve(_ path: FilePath) -> FilePath? {
    path.withPlatformString { start in
      guard let resolved = realpath(start, nil) else { return nil }
      defer { free(resolved) }
      return FilePath(platformString: resolved)
    }
  }

  /// - Parameter level: 0 for the last component, 1 for the one before it; beyond the first it is
  ///   the root.
  private static func component(of path: FilePath, above level: Int) -> String {
    let components = path.components
    guard level < components.count else { return SpokenName.file(path.root?.description ?? "/") }
    let index = components.index(components.endIndex, offsetBy: -1 - level)
    return SpokenName.file(components[index].bytes)
  }

  /// "/" where the working folder is gone.
  static func workingFolder() -> FilePath {
    guard let start = getcwd(nil, 0) else { return "/" }
    defer { free(start) }
    return FilePath(platformString: start)
  }
}
