import Foundation
import PackagePlugin

/// Compiles the catalogues in Localization whenever a catalogue or a lexicon is changed, added or
/// removed.
@main
struct CatalogueCompiler: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    let localization = context.package.directoryURL.appending(path: "Localization")
    let catalogues = try FileManager.default.contentsOfDirectory(atPath: localization.path)
      .filter { $0.hasSuffix(".po") || $0.hasSuffix(".lexicon") }.sorted()
      .map { localization.appending(path: $0) }
    let constant = context.pluginWorkDirectoryURL.appending(path: "BuiltCatalogues.swift")
    let folder = context.pluginWorkDirectoryURL.appending(path: "locale")
    return [
      .buildCommand(
        displayName: "Compiling catalogues",
        executable: try context.tool(named: "CatalogueTool").url,
        arguments: [
          "compile", context.package.directoryURL.path, folder.path, constant.path,
        ],
        inputFiles: [localization.appending(path: "LINGUAS")] + catalogues,
        // Not declared as resources: a bundle is flat, and the binary catalogues need their
        // folders.
        outputFiles: [constant])
    ]
  }
}
