import Foundation
import PackagePlugin

/// `swift package --allow-writing-to-package-directory messages [--check]`: updates the template
/// and the catalogues from the sources.
@main
struct Messages: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let process = Process()
    process.executableURL = try context.tool(named: "CatalogueTool").url
    process.arguments = ["extract", context.package.directoryURL.path] + arguments
    try process.run()
    process.waitUntilExit()
    if process.terminationReason != .exit || process.terminationStatus != 0 {
      exit(1)
    }
  }
}
