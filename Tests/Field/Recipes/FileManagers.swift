import Foundation

extension Recipe {
  static var fileManagers: [Recipe] {
    [
      fileManager("Thunar", "thunar", app: "Thunar"),
      thunarIcons,
      fileManager(
        "Nautilus", "nautilus", app: "Nautilus",
        options: ["--new-window"],
        // Tab does not reach its view before something in it was clicked.
        click: (640, 125), patience: 60,
        // The one at its side takes nothing.
        trash: []),
      fileManager("Caja", "caja", app: "Caja", options: ["--no-desktop", "--no-default-window"]),
      fileManager("Nemo", "nemo", app: "Nemo"),
      fileManager(
        "Dolphin", "dolphin", app: "Dolphin",
        // The menu: Move Here, Copy Here, Link Here, Cancel.
        question: Question(copy: ["Down", "Down", "Return"], move: ["Down", "Return"])),
      fileManager("PCManFM", "pcmanfm", app: "Pcmanfm"),
      fileManager(
        "PCManFM-Qt", "pcmanfm-qt", app: "pcmanfm-qt",
        // The menu has what is offered, and Cancel.
        question: Question(
          copy: ["Down", "Return"], move: ["Down", "Return"], moveOptions: ["--move"])),
      spaceFM, roxFiler, desktop,
    ]
  }

  private static func fileManager(
    _ name: String, _ program: String, app: String, options: [String] = [],
    select keys: [String] = ["Home", "End"],
    click: (x: Int, y: Int)? = nil,
    patience: Double = 20,
    trash: [String] = ["Trash", "Rubbish", "Wastebasket"],
    question: Question? = nil
  ) -> Recipe {
    var recipe = Recipe(
      name: name, package: program, files: ["/usr/bin/" + program], app: app,
      open: { field in
        // The kind of a view is read from a file.
        try field.start(
          ["/usr/bin/" + program] + options + [field.path("Target")],
          adding: ["GSETTINGS_BACKEND": "keyfile"])
        let window = try field.window("of \(name)") { $0.title.contains("Target") }
        try field.activate(window)
        return window
      },
      places: ["Target"])
    recipe.folder = "Target"
    recipe.question = question
    recipe.patience = patience
    recipe.asksAtClash = question == nil
    recipe.selectFile = { field, window in
      if let click { try field.click(window, x: click.x, y: click.y) }
      // The last of its files, whichever has the frame first.
      for key in keys { try field.press(key) }
      return report("Target")
    }
    recipe.refused = (report("Target"), ["Target"])
    recipe.trash = trash
    recipe.chooseView = { field, view in try Self.choose(view, of: program, field) }
    return recipe
  }

  /// Each keeps the kind of its view in a place of its own.
  private static func choose(
    _ view: NeighbourOptions.View, of program: String, _ field: FieldDesktop
  ) throws {
    let isList = view == .list
    let word = isList ? "list-view" : "icon-view"
    func settings(_ schema: String, _ value: String) throws {
      try field.make(
        "config/glib-2.0/settings/keyfile", "[\(schema)]\ndefault-folder-viewer='\(value)'\n")
    }
    switch program {
    case "thunar": try field.desktop.chooseThunarView(isList ? .details : .icons)
    case "nautilus": try settings("org/gnome/nautilus/preferences", word)
    case "nemo": try settings("org/nemo/preferences", word)
    case "caja": try settings("org/mate/caja/preferences", word)
    case "dolphin":
      try field.make(
        "data/dolphin/view_properties/global/.directory",
        "[Dolphin]\nVersion=4\nViewMode=\(isList ? 1 : 0)\n")
    case "pcmanfm":
      try field.make(
        "config/pcmanfm/default/pcmanfm.conf", "[ui]\nview_mode=\(isList ? "list" : "icon")\n")
    case "pcmanfm-qt":
      try field.make(
        "config/pcmanfm-qt/default/settings.conf",
        "[FolderView]\nMode=\(isList ? "detailed" : "icon")\n")
    default: break
    }
  }

  /// Its other view, whose items are in no tree.
  private static var thunarIcons: Recipe {
    var recipe = fileManager("icons of Thunar", "thunar", app: "Thunar")
    recipe.scenarios = [.heard]
    let open = recipe.open
    recipe.open = { field in
      try field.desktop.chooseThunarView(.icons)
      return try open(field)
    }
    return recipe
  }

  /// A window that tells nothing of what is in it without GTK 2's modules.
  private static var spaceFM: Recipe {
    var recipe = fileManager("SpaceFM", "spacefm", app: "Spacefm", trash: [])
    recipe.selectFile = nil
    return recipe
  }

  /// A window of GTK 2 that is called by its folder's path, and asks in windows of its own.
  private static var roxFiler: Recipe {
    var recipe = fileManager(
      "ROX-Filer", "rox-filer", app: "Rox", options: ["--new"], trash: [])
    recipe.scenarios = [.fileIn, .several, .busy, .busyLater, .killed]
    return recipe
  }

  private static func report(_ folder: String) -> Payload {
    let name = folder + "/report.txt"
    return Payload(file: name, contents: Data((name + "\n").utf8))
  }

  private static var desktop: Recipe {
    var recipe = Recipe(
      name: "xfdesktop", package: "xfdesktop4", files: ["/usr/bin/xfdesktop"], app: "xfdesktop",
      open: { field in
        try field.make("Desktop/old.txt")
        try field.start(["/usr/bin/xfdesktop"])
        let window = try field.window("of the desktop") { $0.type.contains("DESKTOP") }
        // It is the last icon only where it comes last: those that are there have no order.
        try field.make("Desktop/report.txt")
        return window
      },
      places: ["Desktop"])
    recipe.folder = "Desktop"
    recipe.asksAtClash = true
    recipe.selectFile = { field, _ in
      try field.press("End")
      return report("Desktop")
    }
    recipe.refused = (report("Desktop"), ["Desktop"])
    recipe.trash = ["Trash", "Rubbish", "Wastebasket"]
    return recipe
  }
}
