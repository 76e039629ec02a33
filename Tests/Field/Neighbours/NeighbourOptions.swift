/// The window of the column "neighbours", and how its folders are dropped on.
struct NeighbourOptions {
  enum View: String, CaseIterable { case list, icons }
  enum Method: String, CaseIterable { case command, keys }

  /// A change of the window between the walk and the drop.
  enum Disturbance: String, CaseIterable {
    case none, move, resize, scroll
    case newFolder = "new-folder"
  }

  var folders = 31
  /// In pixels; nothing for the size with which it opens.
  var size: (width: Int, height: Int)? = (700, 430)
  var view = View.list
  var method = Method.command
  /// How long the person stands at the place, in seconds.
  var wait = 0.0
  var disturbance = Disturbance.none

  /// "d00" to "d30", or "d000" to "d299".
  var names: [String] {
    let digits = String(folders - 1).count
    return (0..<folders).map { number in
      let text = String(number)
      return "d" + String(repeating: "0", count: digits - text.count) + text
    }
  }

  /// Takes an option; `false` for one of another kind, or a value that it has not.
  mutating func take(_ name: String, _ value: String) -> Bool {
    switch name {
    case "--folders":
      guard let number = Int(value), (1...1_000).contains(number) else { return false }
      folders = number
    case "--size":
      if value == "as-it-opens" {
        size = nil
        return true
      }
      let sides = value.split(separator: "x").compactMap { Int($0) }
      guard sides.count == 2 else { return false }
      size = (sides[0], sides[1])
    case "--view":
      guard let found = View(rawValue: value) else { return false }
      view = found
    case "--by":
      guard let found = Method(rawValue: value) else { return false }
      method = found
    case "--wait":
      guard let seconds = Double(value), seconds >= 0 else { return false }
      wait = seconds
    case "--disturb":
      guard let found = Disturbance(rawValue: value) else { return false }
      disturbance = found
    default: return false
    }
    return true
  }

  static let names: Set<String> = [
    "--folders", "--size", "--view", "--by", "--wait", "--disturb",
  ]

  static let help = """
      --folders N      Of the column neighbours: so many folders, each of them a target; else 31.
      --size WxH       The size of its window, or as-it-opens; else 700x430.
      --view VIEW      list or icons; else list.
      --by WAY         command or keys; else command.
      --wait SECONDS   How long the person stands at a place before Enter, by keys.
      --disturb HOW    What happens to the window meanwhile: move, resize, scroll, new-folder.
    """
}
