import Foundation
import PackagePlugin

/// `swift package generate-documentation`: documents the library, with re-exported symbols under
/// its own name, as an app finds them. A warning is an error.
@main
struct Documentation: CommandPlugin {
  /// The module that an app imports, the one that it re-exports, and the one for terminals.
  private static let modules = ["KeyDrag", "KeyDragCore", "KeyDragApp"]

  /// - Parameter arguments: more arguments for `docc convert`, such as `--output-path`.
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let targets = try context.package.targets(named: Self.modules)
    guard let library = targets.first as? SourceModuleTarget else {
      throw Failure("\(Self.modules[0]) is no target with sources.")
    }
    let work = context.pluginWorkDirectoryURL
    let graphs = work.appending(path: "symbol-graphs", directoryHint: .isDirectory)
    try? FileManager.default.removeItem(at: graphs)
    try FileManager.default.createDirectory(at: graphs, withIntermediateDirectories: true)
    try graph(of: targets, as: library.name).write(
      to: graphs.appending(path: "\(library.name).symbols.json"))

    let output = work.appending(path: "\(library.name).doccarchive", directoryHint: .isDirectory)
    var options = [
      "convert", library.directoryURL.appending(path: "\(library.name).docc").path,
      "--additional-symbol-graph-dir", graphs.path, "--fallback-display-name", library.name,
      "--fallback-bundle-identifier", library.name, "--warnings-as-errors", "--analyze",
    ]
    if !arguments.contains("--output-path") { options += ["--output-path", output.path] }
    let docc = try Process.run(
      try context.tool(named: "docc").url, arguments: options + arguments)
    docc.waitUntilExit()
    guard docc.terminationReason == .exit, docc.terminationStatus == 0 else {
      throw Failure("docc ended with \(docc.terminationStatus).")
    }
    if !arguments.contains("--output-path") { print("The documentation is in \(output.path)") }
  }

  /// Merges the public symbols of several modules into one graph.
  ///
  /// The package manager extracts a module's own symbols only (swift-package-manager issue 9101).
  private func graph(of targets: [any Target], as name: String) throws -> Data {
    var whole: [String: Any] = [:]
    var lists: [String: [Any]] = ["symbols": [], "relationships": []]
    for target in targets {
      let extracted = try packageManager.getSymbolGraph(
        for: target, options: .init(minimumAccessLevel: .public, includeSynthesized: false))
      let file = extracted.directoryURL.appending(path: "\(target.name).symbols.json")
      let content = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
      guard let graph = content as? [String: Any], let module = graph["module"] as? [String: Any]
      else { throw Failure("\(file.path) is no symbol graph.") }
      for key in lists.keys { lists[key]? += graph[key] as? [Any] ?? [] }
      if whole.isEmpty { whole = graph.merging(["module": module]) { $1 } }
    }
    whole.merge(lists) { $1 }
    guard (whole["module"] as? [String: Any])?["name"] as? String == name else {
      throw Failure("The first symbol graph is not that of \(name).")
    }
    return try JSONSerialization.data(withJSONObject: whole, options: .sortedKeys)
  }
}

private struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
