extension Recipe {
  static var liars: [Recipe] {
    Toolkit.allCases.flatMap { toolkit in Lie.allCases.map { liar(toolkit, $0) } }
  }

  /// The toolkit of the window.
  enum Toolkit: String, CaseIterable {
    case gtk3 = "GTK 3"
    case gtk4 = "GTK 4"
    case qt5 = "Qt 5"
    case qt6 = "Qt 6"

    var package: String {
      switch self {
      case .gtk3: "gir1.2-gtk-3.0"
      case .gtk4: "gir1.2-gtk-4.0"
      case .qt5: "python3-pyqt5"
      case .qt6: "python3-pyqt6"
      }
    }

    var files: [String] {
      switch self {
      case .gtk3, .gtk4: ["/usr/lib/python3/dist-packages/gi"]
      case .qt5: ["/usr/lib/python3/dist-packages/PyQt5"]
      case .qt6: ["/usr/lib/python3/dist-packages/PyQt6"]
      }
    }
  }

  /// The way in which a window deceives.
  enum Lie: String, CaseIterable {
    case nothing = "says yes and does nothing"
    case refuses = "says no and does it"
    case late = "ends 5 s late"
    case asks = "asks and is killed"
    case opens = "says no and opens it"
    case alerts = "says no in an alert of that name"
    case row = "says yes and shows another name"
    case lists = "lists it, says no and takes it out"
    case marks = "says yes and is marked as changed"
  }

  private static func liar(_ toolkit: Toolkit, _ lie: Lie) -> Recipe {
    var recipe = Recipe(
      name: "liar \(toolkit.rawValue) \(lie.rawValue)", package: toolkit.package,
      files: toolkit.files, app: "Liar",
      open: { field in
        let program = LiarWindow.program(toolkit)
        try field.start(
          ["/usr/bin/python3", "-u", "-c", program, "\(lie)", field.path("Target")],
          adding: ["GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "QT_QPA_PLATFORM": "xcb"])
        return try field.window("Liar")
      },
      places: ["Basket", "Liar"])
    recipe.folder = "Target"
    recipe.isLiar = [.nothing, .row, .marks].contains(lie)
    recipe.oracle = opensTitle
    recipe.settling = lie == .late ? 7 : 1.5
    recipe.killsWhenAsked = lie == .asks
    if lie == .lists { recipe.question = Question(copy: ["Escape"], move: []) }
    recipe.scenarios = [.fileIn]
    return recipe
  }
}
