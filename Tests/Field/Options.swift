import Foundation

/// The command line.
struct Options {
  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  var programs: [String] = []
  var scenarios: [String] = []
  var json: String?
  var keep: String?
  var jobs = 1
  /// Whether programs are told that assistive technologies run.
  var isReaderThere = true
  /// The screen reader of the column "heard".
  var reader = "/usr/bin/orca"
  /// How many characters it says in a second.
  var rate = Case.usualRate
  /// The only way to it; nothing for the one that is found.
  var way: String?
  var neighbours = NeighbourOptions()
  let keydrag: String

  static let help = """
    keydrag-field [--program NAME] [--scenario NAME] [--json FILE] [--keep DIR] [--jobs N]
                  [--without-reader] [--reader FILE] [--rate N] [--announce WAY]

    Drops things on real programs and compares what keydrag tells with what became of them.

      --program NAME   Only programs whose name begins so; may be given again.
      --scenario NAME  Only this column: \(Scenario.allCases.map(\.rawValue).joined(separator: ", ")).
      --json FILE      Writes every case to a file.
      --keep DIR       Keeps each transcript, and a screenshot where it is not true.
      --without-reader Nobody tells programs that assistive technologies run; else somebody has.
      --reader FILE    The Orca of the column "heard"; else the distribution's.
      --rate N         So many characters are said in a second there, 1 to 1000; else \(Case.usualRate).
      --announce WAY   Messages go to the reader in this way: orca, atspi or notification.
      --jobs N         So many cases at a time.
    \(NeighbourOptions.help)

    The program that is tried is $KEYDRAG_BUILT/keydrag, else the one beside this.
    """

  init(_ arguments: [String]) throws {
    keydrag = try Self.keydragPath()
    var rest = arguments[...]
    while let name = rest.popFirst() {
      if name == "--help" || name == "-h" {
        print(Self.help)
        exit(0)
      }
      if name == "--without-reader" {
        isReaderThere = false
        continue
      }
      guard let value = rest.popFirst() else { throw Mistake(description: "\(name) of what?") }
      switch name {
      case "--program": programs.append(value.lowercased())
      case "--scenario":
        guard Scenario(rawValue: value) != nil else {
          throw Mistake(description: "There is no scenario \(value).")
        }
        scenarios.append(value)
      case "--reader": reader = Self.absolute(value)
      case "--rate":
        guard let number = Int(value), (1...1000).contains(number) else {
          throw Mistake(description: "\(value) is no rate: 1 to 1000 characters in a second.")
        }
        rate = number
      case "--announce": way = value
      case _ where NeighbourOptions.names.contains(name):
        guard neighbours.take(name, value) else {
          throw Mistake(description: "\(value) is nothing for \(name).")
        }
      case "--json": json = Self.absolute(value)
      case "--keep": keep = Self.absolute(value)
      case "--jobs": jobs = max(1, Int(value) ?? 1)
      default: throw Mistake(description: "There is no option \(name).")
      }
    }
  }

  /// Tools that every case needs and that are missing.
  var obstacle: String? {
    if access(keydrag, X_OK) != 0 { return "\(keydrag) is missing: swift build --product keydrag" }
    let tools = ["openbox", "xdotool", "xprop", "import", "thunar", "gdbus"].filter {
      access("/usr/bin/" + $0, X_OK) != 0
    }
    return tools.isEmpty
      ? nil
      : "needs \(tools.joined(separator: ", ")): apt-get install openbox xdotool x11-utils "
        + "imagemagick thunar libglib2.0-bin"
  }

  func wants(_ recipe: Recipe, _ scenario: Scenario) -> Bool {
    let name = recipe.name.lowercased()
    // Hundreds of drops are made when they are asked for.
    if scenario == .neighbours, !scenarios.contains(scenario.rawValue) { return false }
    return recipe.takes(scenario)
      && (programs.isEmpty || programs.contains { name.hasPrefix($0) })
      && (scenarios.isEmpty || scenarios.contains(scenario.rawValue))
  }

  private static func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  private static func keydragPath() throws -> String {
    if let folder = ProcessInfo.processInfo.environment["KEYDRAG_BUILT"] {
      return absolute(folder) + "/keydrag"
    }
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: own).deletingLastPathComponent().path + "/keydrag"
  }
}
