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
      spaceFM, desktop,
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
        try field.start(["/usr/bin/" + program] + options + [field.path("Target")])
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
    return recipe
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
