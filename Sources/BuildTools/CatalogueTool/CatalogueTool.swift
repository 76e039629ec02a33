import Foundation

/// The catalogue work of the build and of the `messages` command, as a program that tests can run,
/// too.
///
/// - `CatalogueTool compile PACKAGE FOLDER CONSTANT`: compiles every language into FOLDER, and
///   writes its path to the Swift file CONSTANT.
/// - `CatalogueTool extract PACKAGE [--check]`: updates the template and the catalogues.
@main
enum CatalogueTool {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst().map { String($0) }
    do {
      switch (arguments.first, arguments.dropFirst().map { String($0) }) {
      case ("compile", let rest) where rest.count == 3:
        try Compiler(localization: Localization(package: rest[0]), folder: rest[1])
          .run(constant: rest[2])
      case ("extract", let rest) where rest.count == 1:
        try Extraction(localization: Localization(package: rest[0])).write()
      case ("extract", let rest) where rest.count == 2 && rest[1] == "--check":
        try Extraction(localization: Localization(package: rest[0])).check()
      default:
        throw ToolError(
          "usage: CatalogueTool compile PACKAGE FOLDER CONSTANT | extract PACKAGE [--check]")
      }
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(1)
    }
  }
}
