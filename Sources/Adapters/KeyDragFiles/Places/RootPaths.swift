import Glibc
import KeyDragCore
import SystemPackage

/// A folder that the program was started with.
struct Root: Equatable, Sendable {
  /// Absolute, without "." and "..".
  var path: FilePath
  /// With links resolved; ``path`` if that fails.
  var resolved: FilePath
  /// Safe to speak and unique among the roots.
  var name: String
  /// Index of the outermost root that contains it, or its own.
  var tree: Int
}

enum RootPaths {
  /// Roots with names and trees, in order; may block. Several paths to one folder count once, by
  /// the first.
  static func roots(_ folders: [FilePath]) -> [Root] {
    let working = workingFolder()
    let paths = folders.map { folder -> (path: FilePath, resolved: FilePath) in
      let path = absolute(folder, in: working)
      return (path, path.withoutLinks ?? path)
    }
    return roots(of: paths)
  }

  /// The pure part of ``roots(_:)``: duplicates, nesting and names. A root inside another shares
  /// its tree, so that moving is the default between them.
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

  /// The last component of each path; equal ones get the nearest ancestor that differs, as in "Docs
  /// (ann)", or a number. Not localized; safe to speak.
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

  static func absolute(_ path: FilePath) -> FilePath { absolute(path, in: workingFolder()) }

  /// An absolute path without "." and "..". May block for a path with "..".
  static func absolute(_ folder: FilePath, in working: FilePath) -> FilePath {
    let full = folder.isAbsolute ? folder : working.pushing(folder)
    if full.isStraight { return full }
    let components = full.components.filter { $0.kind != .currentDirectory }
    let path = FilePath(root: full.root, components)
    guard components.contains(where: { $0.kind == .parentDirectory }) else { return path }
    // Only the file system knows the parent of a linked folder.
    return path.withoutLinks ?? path.lexicallyNormalized()
  }

  /// - Parameter level: 0 for the last component, 1 for its parent; the root beyond the first.
  private static func component(of path: FilePath, above level: Int) -> String {
    let components = path.components
    guard level < components.count else { return SpokenName.file(path.root?.description ?? "/") }
    let index = components.index(components.endIndex, offsetBy: -1 - level)
    return SpokenName.file(components[index].bytes)
  }

  /// "/" if the working folder is gone.
  static func workingFolder() -> FilePath {
    guard let start = getcwd(nil, 0) else { return "/" }
    defer { free(start) }
    return FilePath(platformString: start)
  }
}
