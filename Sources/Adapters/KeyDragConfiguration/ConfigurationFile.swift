import Glibc
import KeyDragCore
import KeyDragThreads

/// A configuration as it was read, with its problems.
package struct LoadedConfiguration: Hashable, Sendable {
  /// Defaults replace missing and wrong settings.
  package var configuration: Configuration
  /// In the order of the file.
  package var problems: [ConfigurationProblem]

  package init(
    configuration: Configuration = Configuration(), problems: [ConfigurationProblem] = []
  ) {
    self.configuration = configuration
    self.problems = problems
  }
}

package enum ConfigurationFile {
  /// In bytes.
  package static let largest = 1_048_576

  /// The file named by the person, or the one in `$XDG_CONFIG_HOME/keydrag`, which may be missing.
  ///
  /// Throws if a named file can't be read at all; anything else that is wrong is in `problems`.
  package static func load(
    named path: String? = nil, environment: [String: String]
  ) throws(ConfigurationProblem) -> LoadedConfiguration {
    guard let file = path ?? defaultPath(environment) else { return LoadedConfiguration() }
    do {
      return read(try bytes(of: file), from: file)
    } catch {
      if path != nil, error.kind != .tooLarge { throw error }
      if error.kind == .missing { return LoadedConfiguration() }
      return LoadedConfiguration(problems: [error])
    }
  }

  /// The default path; `nil` without a home folder.
  package static func defaultPath(_ environment: [String: String]) -> String? {
    home(environment).map { "\($0)/keydrag/config.yaml" }
  }

  /// The folder of all programs' settings; `nil` without a home folder. A relative
  /// `$XDG_CONFIG_HOME` is ignored (XDG Base Directory Specification 0.8).
  package static func home(_ environment: [String: String]) -> String? {
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/.config"
  }

  static func read(_ bytes: [UInt8], from path: String) -> LoadedConfiguration {
    let reader = SettingsReader(file: name(of: path), subject: .settings)
    var configuration = Configuration()
    do throws(ConfigurationProblem) {
      if let root = try reader.root(of: bytes), !root.isEmpty {
        try reader.fill(&configuration, from: root, Configuration.settings)
      }
    } catch {
      reader.note(error)
    }
    return LoadedConfiguration(configuration: configuration, problems: reader.problems)
  }

  /// The contents of a file of at most ``largest`` bytes.
  package static func bytes(of path: String) throws(ConfigurationProblem) -> [UInt8] {
    guard let bytes = SystemFiles.bytes(path, most: largest + 1) else {
      throw failure(path, kind(for: errno))
    }
    guard bytes.count <= largest else { throw failure(path, .tooLarge) }
    return bytes
  }

  private static func failure(
    _ path: String, _ kind: ConfigurationProblem.Kind
  ) -> ConfigurationProblem {
    ConfigurationProblem(file: name(of: path), place: .start, kind: kind)
  }

  private static func kind(for code: Int32) -> ConfigurationProblem.Kind {
    switch code {
    case ENOENT, ENOTDIR: .missing
    case EACCES, EPERM: .unreadable(.notPermitted)
    case ELOOP: .unreadable(.linkLoop)
    case EISDIR: .unreadable(.isAFolder)
    case ENXIO, ENODEV: .unreadable(.specialFile)
    default: .unreadable(.deviceError)
    }
  }

  /// The file name alone, safe to speak.
  package static func name(of path: String) -> String {
    SpokenName.clean(path.split(separator: "/").last.map(String.init) ?? path)
  }
}
