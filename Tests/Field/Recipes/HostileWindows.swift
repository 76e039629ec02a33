import HostilePrograms

/// Windows that take a drop and deceive, by what they say or by where they have words written.
extension Recipe {
  static var hostileWindows: [Recipe] {
    DirectSave.allCases.map(window) + Handshake.allCases.map(window)
  }

  /// The address at which a window that shows "Target" wants words written.
  enum DirectSave: String, CaseIterable {
    case hidden = "names a hidden folder"
    case dots = "names a way back"
    case link = "names a link"
    case taken = "names a file that is there"
    case greedy = "asks for a thousand files"

    var addresses: [String] {
      switch self {
      case .hidden: ["Target/.hidden/\(Self.file).txt"]
      case .dots: ["Target/../Out/\(Self.file).txt"]
      case .link: ["Target/way/\(Self.file).txt"]
      case .taken: ["Target/\(Self.file).txt"]
      case .greedy: (2...1001).map { "Target/\(Self.file)%20(\($0)).txt" }
      }
    }

    private static let file = words.split(separator: " ").joined(separator: "%20")
  }

  /// The end of a drag that is no end, or another one.
  enum Handshake: String, CaseIterable {
    case moves = "says that it moved it"
    case never = "never finishes"
    case floods = "floods with answers"
    case turns = "takes its answer back"
  }

  private static func window(_ trick: DirectSave) -> Recipe {
    var recipe = Recipe(
      name: "hostile window \(trick.rawValue)", package: Toolkit.gtk3.package,
      files: Toolkit.gtk3.files, app: "harmless",
      open: { field in
        try field.make("Target/.hidden/own.txt")
        if trick == .taken { try field.make("Target/\(words).txt") }
        try field.link("Target/way", to: "Out")
        let addresses = trick.addresses.map { "file://" + field.path($0) }
        try field.start(
          [
            "/usr/bin/python3", "-u", "-c", DirectSaveWindow.program, "folder",
            field.path("Target"),
            addresses.joined(separator: "\n"),
          ],
          adding: ["GDK_BACKEND": "x11"])
        return try field.window("Harmless")
      },
      places: [])
    recipe.textPlaces = ["Target"]
    recipe.folder = "Target"
    recipe.isLiar = true
    recipe.scenarios = [.textIn]
    return recipe
  }

  private static func window(_ trick: Handshake) -> Recipe {
    var recipe = Recipe(
      name: "hostile window \(trick.rawValue)", package: "libx11-6",
      files: ["/usr/bin/python3"], app: "Harmless",
      open: { field in
        try field.start([
          "/usr/bin/python3", "-u", "-c", RawWindow.program, "Harmless", field.path("cache/heard"),
          "\(trick)",
        ])
        return try field.window("Harmless")
      },
      places: ["Harmless"])
    recipe.isLiar = true
    recipe.scenarios = [.fileIn]
    return recipe
  }
}
