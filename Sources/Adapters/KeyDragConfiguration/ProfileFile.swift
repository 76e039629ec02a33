import KeyDragCore
import KeyDragThreads

/// The profiles of programs, with the problems in their files.
package struct LoadedProfiles: Sendable {
  /// The person's own first, then the shipped ones that they do not replace; each sorted by name.
  package var profiles: [ProgramProfile]
  /// One for each file that is left out.
  package var problems: [ConfigurationProblem]
}

/// Finds and reads profiles of programs.
///
/// A profile is one YAML mapping in a file of its own:
///
/// | setting | value |
/// |---|---|
/// | `program`, `class` | accessible names, and classes of windows: one of them fits |
/// | `toolkit` | names of toolkits: one fits as well, where any is given |
/// | `generic` | `false`: elements without a rule are no places; usually `true` |
/// | `rules` | a list of rules; the first that fits an element speaks for it |
///
/// The conditions of a rule, of which at least one must be given and all must fit:
///
/// | setting | value |
/// |---|---|
/// | `role` | role names of AT-SPI; `window` stands for the whole window |
/// | `called` | the element's name, or that of a row; one or more |
/// | `together` | lists of names: it has one of a list, and something beside it another |
/// | `attribute` | attribute: value |
/// | `state` | states that the element has |
/// | `inside`, `outside` | roles that an element around it has, or that none of them has |
///
/// The statements of a rule about the elements that fit it:
///
/// | setting | value | usual |
/// |---|---|---|
/// | `drop` | `true` or `false` | `false` |
/// | `view` | `true`: what the window is for, it comes first | `false` |
/// | `drag` | `files`, `text`, `image` or `link` | nothing |
/// | `name` | `name`, `label`, `title`, or text with `{name}`, `{label}`, `{title}` | `name` |
/// | `word` | what it is: a word of `PlaceRole`, or another | by role |
/// | `accepts` | content types | not known |
/// | `operation` | `copy`, `move`, `link` or `open` | by where things come from |
/// | `route` | `xdnd`, `menu` or `pointer` | `xdnd` |
/// | `may-accept` | `true`: its yes says nothing | `false` |
/// | `scrolls-by-pointer` | `true`: it scrolls while the pointer rests outside | `false` |
/// | `details-key` | the key of a list, where the view tells nothing of what is in it | none |
/// | `one-operation` | `true`: nothing but `operation` is done there | `false` |
/// | `leads-to` | `trash`, or `bookmark`: one of the person's folders, by its name | what is shown |
/// | `positions` | `before`, `on`, `after` | `on` |
/// | `parts` | word: [left, top, right, bottom], from 0 to 1 | none |
/// | `each-cell` | `true`: each cell of a table is a place | `false` |
///
/// Names are matched ignoring case and accents; `*` stands for any text, `?` for one character.
/// Anchors, aliases and more than one document are refused.
package enum ProfileFile {
  /// The most files read of the person's.
  static let mostFiles = 200
  private static let ending = ".yaml"

  /// The person's profiles and the shipped ones.
  package static func load(environment: [String: String]) -> LoadedProfiles {
    var loaded = LoadedProfiles(profiles: [], problems: [])
    for path in ownFiles(environment) {
      do {
        loaded.profiles.append(try read(ConfigurationFile.bytes(of: path), from: path))
      } catch {
        var problem = error
        problem.subject = .profile
        loaded.problems.append(problem)
      }
    }
    let own = Set(loaded.profiles.map(\.name))
    // Shipped profiles are read once and tested; a mistake in one is reported like any other.
    loaded.profiles += shipped.profiles.filter { !own.contains($0.name) }
    loaded.problems += shipped.problems
    return loaded
  }

  static let shipped: LoadedProfiles = {
    var loaded = LoadedProfiles(profiles: [], problems: [])
    for (name, bytes) in ShippedProfiles.all {
      do throws(ConfigurationProblem) {
        loaded.profiles.append(try read(bytes, from: name + ending))
      } catch {
        loaded.problems.append(error)
      }
    }
    return loaded
  }()

  /// The folder of the person's profiles; `nil` without a home folder.
  package static func folder(_ environment: [String: String]) -> String? {
    guard let settings = ConfigurationFile.defaultPath(environment) else { return nil }
    return settings.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/") + "/profiles"
  }

  static func read(
    _ bytes: [UInt8], from path: String
  ) throws(ConfigurationProblem) -> ProgramProfile {
    let file = ConfigurationFile.name(of: path)
    let name = file.hasSuffix(ending) ? String(file.dropLast(ending.count)) : file
    return try ProfileReader.read(bytes, name: name.lowercased(), file: file)
  }

  private static func ownFiles(_ environment: [String: String]) -> [String] {
    guard let folder = folder(environment), let names = SystemFiles.names(in: folder) else {
      return []
    }
    // Names with a leading dot are an editor's; those with the replacement character can't be opened.
    return names.filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") && !$0.contains("\u{FFFD}") }
      .prefix(mostFiles).map { "\(folder)/\($0)" }
  }
}
