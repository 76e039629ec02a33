import Foundation

/// A file manager beside things that somebody else has put in the place of the history.
extension Recipe {
  static var hostileHomes: [Recipe] { HomeTrap.allCases.map(home) }

  enum HomeTrap: String, CaseIterable {
    case folderLink = "has a link for the folder"
    case fileLink = "has a link for the history"
    case otherName = "has a file of others for the history"
    case pipe = "has a pipe for the history"

    func set(_ field: FieldDesktop) throws {
      for name in ["Private/", "Private/precious.txt"] { try field.make(name) }
      let folder = field.path("state/keydrag")
      if self == .folderLink { return try field.link(folder, to: "Private") }
      mkdir(folder, 0o700)
      let file = folder + "/history.sqlite"
      switch self {
      case .folderLink: break
      case .fileLink: try field.link(file, to: "Private/precious.txt")
      case .otherName:
        try FileManager.default.linkItem(atPath: field.path("Private/precious.txt"), toPath: file)
      case .pipe: mkfifo(file, 0o600)
      }
    }
  }

  private static func home(_ trap: HomeTrap) -> Recipe {
    var recipe = fileManagers[0]
    recipe.name = "hostile home \(trap.rawValue)"
    let open = recipe.open
    recipe.open = { field in
      try trap.set(field)
      return try open(field)
    }
    recipe.isLiar = true
    recipe.scenarios = [.fileIn]
    return recipe
  }
}
